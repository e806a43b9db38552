#include "scenarios/train/inputs/huggingface_head.h"

#include "scenarios/train/inputs/config_keys.h"
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

int cs_config_labels(const struct cs_doc *doc, uint32_t *count, struct cs_err *err)
{
    uint32_t names = cs_config_find(doc, "id2label");
    bool named = names != CS_DOC_NONE && doc->nodes[names].count;

    return cs_config_count(doc, "num_labels", named ? doc->nodes[names].count : HEAD_LABELS, count,
                           err);
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
static int config_class(const struct cs_doc *doc, const char **name, struct cs_err *err)
{
    uint32_t list = cs_config_find(doc, "architectures");

    *name = "";
    if (list == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_list(doc, list, "architectures", err))
        return err->code;
    return doc->nodes[list].count
               ? cs_doc_want_text(doc, doc->nodes[list].first, "architectures", name, err)
               : 0;
}

/* A pooler as wide as the layers, or as the config has it (ViT). */
static int config_pooler(const struct cs_doc *doc, struct cs_transformer *dims, struct cs_err *err)
{
    if (!dims->encoder && !dims->patch)
        return 0;
    return cs_config_count(doc, "pooler_output_size", dims->hidden, &dims->pooled, err);
}

/* Photos have a head of classes by themselves. */
static int config_photo_head(const struct cs_doc *doc, const char *name,
                             struct cs_transformer *dims, struct cs_err *err)
{
    if (cs_ends_in(name, "ForMaskedImageModeling"))
        return cs_doc_err(doc, cs_config_find(doc, "architectures"), err,
                          "architectures: '%.60s' is not modelled; expected "
                          "ViTForImageClassification or ViTModel",
                          name);
    if (!cs_ends_in(name, "Model"))
        return 0;
    dims->head = CS_HEAD_NONE;
    return config_pooler(doc, dims, err);
}

int cs_config_head(const struct cs_doc *doc, const struct cs_config_type *type,
                   struct cs_transformer *dims, struct cs_err *err)
{
    const struct config_head *head;
    const char *name;
    int code = config_class(doc, &name, err);

    if (code)
        return code;
    if (dims->patch)
        return config_photo_head(doc, name, dims, err);
    head = config_head_of(name);
    if (!head)
        return 0;
    dims->head = head->head;
    if (head->head == CS_HEAD_WORDS) {
        if (dims->encoder)
            dims->traits |= CS_TRAIT_MASKED_ONLY;
        return 0;
    }
    dims->tied = false;
    dims->classes = head->classes;
    if (!head->classes && head->head != CS_HEAD_NONE)
        code = cs_config_labels(doc, &dims->classes, err);
    if (code || !head->pools || (type->bare && head->head == CS_HEAD_NONE))
        return code;
    return config_pooler(doc, dims, err);
}
