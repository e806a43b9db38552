#include "scenarios/train/inputs/huggingface_pair.h"

#include "scenarios/train/inputs/config_keys.h"
#include "scenarios/train/model/encoder_decoder.h"

#include <string.h>

enum {
    PAIR_TOKENS = 512,   /* of a config without the key, as the next one */
    PAIR_DISTANCES = 32, /* with a bias of their own */
};

static int pair_gate(const struct cs_doc *doc, struct cs_encoder_decoder *dims, struct cs_err *err)
{
    uint32_t node = cs_config_find(doc, "feed_forward_proj");
    const char *text = "relu";

    if (node != CS_DOC_NONE && cs_doc_want_text(doc, node, "feed_forward_proj", &text, err))
        return err->code;
    dims->gated = !strncmp(text, "gated-", strlen("gated-"));
    return 0;
}

static int pair_check(const struct cs_doc *doc, const struct cs_encoder_decoder *dims,
                      struct cs_err *err)
{
    double inner = (double)dims->heads * dims->head_width;
    struct cs_err why = {0};

    if (dims->encoder_layers > CS_TRANSFORMER_LAYERS_MAX ||
        dims->decoder_layers > CS_TRANSFORMER_LAYERS_MAX)
        return cs_doc_err(doc, 0, err, "%u and %u layers; expected 1 to %d", dims->encoder_layers,
                          dims->decoder_layers, CS_TRANSFORMER_LAYERS_MAX);
    return cs_tensor_check(inner * dims->hidden, &why) ? cs_doc_err(doc, 0, err, "%s", why.text)
                                                       : 0;
}

static int pair_sizes(const struct cs_doc *doc, struct cs_encoder_decoder *dims, struct cs_err *err)
{
    const struct {
        const char *key;
        uint32_t otherwise, *size; /* 0: the key is required */
    } sizes[] = {
        {"num_layers", 0, &dims->encoder_layers},
        {"d_model", 0, &dims->hidden},
        {"num_heads", 0, &dims->heads},
        {"d_kv", 0, &dims->head_width},
        {"d_ff", 0, &dims->ffn},
        {"vocab_size", 0, &dims->vocabulary},
        {"n_positions", PAIR_TOKENS, &dims->tokens},
        {"relative_attention_num_buckets", PAIR_DISTANCES, &dims->distances},
    };
    int code = 0;

    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes) && !code; ++s)
        code = cs_config_count(doc, sizes[s].key, sizes[s].otherwise, sizes[s].size, err);
    return code ? code
                : cs_config_count(doc, "num_decoder_layers", dims->encoder_layers,
                                  &dims->decoder_layers, err);
}

int cs_config_pair(const struct cs_doc *doc, bool ties, struct cs_arena *arena,
                   struct cs_train_model *model, struct cs_err *err)
{
    struct cs_encoder_decoder dims = {0};
    int code = pair_sizes(doc, &dims, err);

    if (!code)
        code = cs_config_flag(doc, "tie_word_embeddings", ties, &dims.tied, err);
    if (!code)
        code = pair_gate(doc, &dims, err);
    if (!code)
        code = pair_check(doc, &dims, err);
    if (!code)
        cs_train_encoder_decoder(&dims, arena, model);
    return code;
}
