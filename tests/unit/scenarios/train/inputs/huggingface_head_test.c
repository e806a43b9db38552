/* Heads of config.json: the parameters of a class. */
#include "tests/unit/scenarios/train/inputs/read_text.h"

#define MISTRAL                                                 \
    "\"hidden_size\": 4096, \"num_hidden_layers\": 32, "        \
    "\"num_attention_heads\": 32, \"num_key_value_heads\": 8, " \
    "\"intermediate_size\": 14336, \"vocab_size\": 32000, "     \
    "\"max_position_embeddings\": 2048"
#define BERT_BASE                                                \
    "\"hidden_size\": 768, \"num_hidden_layers\": 12, "          \
    "\"num_attention_heads\": 12, \"intermediate_size\": 3072, " \
    "\"vocab_size\": 30522, \"max_position_embeddings\": 512"
#define ROBERTA_BASE                                             \
    "\"hidden_size\": 768, \"num_hidden_layers\": 12, "          \
    "\"num_attention_heads\": 12, \"intermediate_size\": 3072, " \
    "\"vocab_size\": 50265, \"max_position_embeddings\": 514"
#define DISTILBERT_BASE                                \
    "\"dim\": 768, \"n_layers\": 6, \"n_heads\": 12, " \
    "\"hidden_dim\": 3072, \"vocab_size\": 30522, "    \
    "\"max_position_embeddings\": 512"
#define VIT_BASE                                                 \
    "\"hidden_size\": 768, \"num_hidden_layers\": 12, "          \
    "\"num_attention_heads\": 12, \"intermediate_size\": 3072, " \
    "\"image_size\": 224, \"patch_size\": 16"

/* Parameters of published checkpoints, by the class that has them. */
TEST(a_class_has_the_parameters_of_its_head)
{
    static const struct {
        const char *type, *name, *keys;
        double parameters;
    } classes[] = {
        {"bert", "BertModel", BERT_BASE, 109482240},
        {"bert", "BertForMaskedLM", BERT_BASE, 109514298},
        {"bert", "BertLMHeadModel", BERT_BASE, 109514298},
        {"bert", "BertForPreTraining", BERT_BASE, 110106428},
        {"bert", "BertForSequenceClassification", BERT_BASE, 109483778},
        {"bert", "BertForNextSentencePrediction", BERT_BASE, 109483778},
        {"bert", "BertForMultipleChoice", BERT_BASE, 109483009},
        {"bert", "BertForQuestionAnswering", BERT_BASE, 108893186},
        {"bert", "BertForTokenClassification",
         BERT_BASE ", \"id2label\": {\"0\": \"a\", \"1\": \"b\", \"2\": \"c\"}", 108893955},
        {"roberta", "RobertaModel", ROBERTA_BASE, 124645632},
        {"roberta", "RobertaForSequenceClassification", ROBERTA_BASE, 124647170},
        {"distilbert", "DistilBertModel", DISTILBERT_BASE, 66362880},
        {"distilbert", "DistilBertForSequenceClassification", DISTILBERT_BASE, 66955010},
        {"vit", "ViTModel", VIT_BASE, 86389248},
        {"vit", "ViTForImageClassification", VIT_BASE ", \"num_labels\": 1000", 86567656},
        {"mistral", "MistralModel", MISTRAL, 7110660096},
        {"mistral", "MistralForCausalLM", MISTRAL, 7241732096},
        {"mistral", "MistralForSequenceClassification", MISTRAL, 7110660096 + 2 * 4096.},
    };

    for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
        CS_AT_END(read_close) struct read_text read = {0};
        char text[512];

        snprintf(text, sizeof(text), "{\"architectures\": [\"%s\"], \"model_type\": \"%s\", %s}",
                 classes[i].name, classes[i].type, classes[i].keys);
        read_open(&read, &cs_model_input_huggingface, text);
        if (read.model.parameters != classes[i].parameters)
            fail_msg("%s: %.0f parameters of %.0f", classes[i].name, read.model.parameters,
                     classes[i].parameters);
    }
    read_refused(&cs_model_input_huggingface,
                 "{\"model_type\": \"vit\", " VIT_BASE
                 ",\n\"architectures\": [\"ViTForMaskedImageModeling\"]}",
                 "f:2: architectures: 'ViTForMaskedImageModeling' is not modelled; expected "
                 "ViTForImageClassification or ViTModel");
}
