#include "scenarios/train/inputs/huggingface_head.h"

#include "sim/base/text.h"

#include <string.h>

enum {
    HEAD_LABELS = 2 /* of a config without names */
};

/* By the ending of a class's name, of which the first counts. */
static const struct config_head {
    const char *ending;
    enum cs_head head;
    bool pools;       /* encoders: a pooler, or a product of its size */
    uint32_t classes; /* 0: those of the config */
} config_heads[] = {
    {"ForMaskedLM", CS_HEAD_WORDS, false, 0},
    {"ForCausalLM", CS_HEAD_WORDS, false, 0},
    {"LMHeadModel", CS_HEAD_WORDS, false, 0},
    {"ForNextSentencePrediction", CS_HEAD_SAMPLE, true, 2},
    {"ForSequenceClassification", CS_HEAD_SAMPLE, true, 0},
    {"ForMultipleChoice", CS_HEAD_SAMPLE, true, 1},
    {"ForTokenClassification", CS_HEAD_TOKENS, false, 0},
    {"ForQuestionAnswering", CS_HEAD_TOKENS, false, 0},
    /* The class of this name of the hub predicts words. */
    {"ChatGLMModel", CS_HEAD_WORDS, false, 0},
    {"HeadsModel", CS_HEAD_WORDS, false, 0},
    {"Model", CS_HEAD_NONE, true, 0},
};

uint32_t cs_config_labels(struct cs_config *config)
{
    uint32_t names = cs_config_find(config, "id2label");
    uint32_t count = names == CS_DOC_NONE ? 0 : config->doc.nodes[names].count;

    return cs_config_count(config, "num_labels", count ? count : HEAD_LABELS);
}

/* NULL: the default. */
static const struct config_head *config_head_of(const char *name)
{
    for (size_t i = 0; i < sizeof(config_heads) / sizeof(*config_heads); i++)
        if (cs_ends_in(name, config_heads[i].ending))
            return &config_heads[i];
    return NULL;
}

/* The first class of the list; "" without one. */
static const char *config_class(struct cs_config *config)
{
    uint32_t list = cs_config_find(config, "architectures"), first = CS_DOC_NONE;

    if (list != CS_DOC_NONE)
        first = cs_config_first(config, list, "architectures");
    return first == CS_DOC_NONE ? "" : cs_config_text(config, first, "architectures");
}

/* A pooler as wide as the layers, or as the config has it (ViT). */
static void config_pooler(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;

    if (dims->encoder || dims->patch)
        dims->pooled = cs_config_count(config, "pooler_output_size", dims->hidden);
}

/* Photos have a head of classes by themselves. */
static void config_photo_head(struct cs_config *config, const char *name)
{
    if (cs_ends_in(name, "ForMaskedImageModeling"))
        cs_config_refuse(config, cs_config_find(config, "architectures"),
                         "architectures: '%.60s' is not modelled; expected "
                         "ViTForImageClassification or ViTModel",
                         name);
    if (!cs_ends_in(name, "Model"))
        return;
    config->dims->head = CS_HEAD_NONE;
    config_pooler(config);
}

void cs_config_head(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;
    const char *name = config_class(config);
    const struct config_head *head;

    if (config->code)
        return;
    if (dims->patch) {
        config_photo_head(config, name);
        return;
    }
    head = config_head_of(name);
    if (!head)
        return;
    dims->head = head->head;
    if (head->head == CS_HEAD_WORDS) {
        if (dims->encoder)
            dims->traits |= CS_TRAIT_MASKED_ONLY;
        return;
    }
    dims->tied = false;
    dims->classes = head->classes;
    if (!head->classes && head->head != CS_HEAD_NONE)
        dims->classes = cs_config_labels(config);
    if (head->pools && !(config->type->bare && head->head == CS_HEAD_NONE))
        config_pooler(config);
}
