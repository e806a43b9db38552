/*
 * Transformers by their dimensions, and a family for what dimensions leave open.
 *
 *     gpt:layers=24,hidden=1024,heads=16,vocabulary=50257,sequence=1024
 *     llama:layers=32,hidden=4096,heads=32,kv-heads=8,ffn=14336,vocabulary=128256
 *
 * Without heads of keys there are as many as heads, a feed-forward part without ffn is
 * four times as wide, and a sequence has 4096 tokens.
 */
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/model/transformer.h"
#include "topo/documents/parameters.h"

enum {
    FAMILY_SEQUENCE = 4096,
    FAMILY_MOST = 1 << 30,
};

#define VALUE(name, member) \
    CS_VALUE(name, cs_value_count, struct cs_transformer, member, .most = FAMILY_MOST)
static const struct cs_value family_values[] = {
    VALUE("layers", layers),     VALUE("hidden", hidden), VALUE("heads", heads),
    VALUE("kv-heads", kv_heads), VALUE("ffn", ffn),       VALUE("vocabulary", vocabulary),
    VALUE("sequence", sequence),
};
#undef VALUE

static int family_read(const char *family, struct cs_transformer dims, const char *text,
                       struct cs_arena *arena, struct cs_train_model *model, struct cs_err *err)
{
    const struct cs_parameter_table known = {family, family_values,
                                             sizeof(family_values) / sizeof(*family_values), arena};
    int code = cs_parameters_read(&known, text, &dims, err);

    if (code)
        return code;
    if (!dims.layers || !dims.hidden || !dims.heads || !dims.vocabulary)
        return cs_err_set(err, CS_EINPUT,
                          "%s: expected layers, hidden, heads and vocabulary, such as "
                          "%s:layers=24,hidden=1024,heads=16,vocabulary=50257",
                          family, family);
    if (!dims.kv_heads)
        dims.kv_heads = dims.heads;
    if (!dims.ffn)
        dims.ffn = 4 * dims.hidden;
    if (!dims.sequence)
        dims.sequence = FAMILY_SEQUENCE;
    return cs_train_model_of(
        cs_arena_printf(arena, "%s of %u x %u", family, dims.layers, dims.hidden), &dims, arena,
        model, err);
}

#define FAMILY(family, details, ...)                                                           \
    static int read_##family(struct cs_doc_text content, struct cs_arena *arena,               \
                             struct cs_train_model *model, struct cs_model_division *division, \
                             struct cs_err *err)                                               \
    {                                                                                          \
        (void)division;                                                                        \
        return family_read(                                                                    \
            #family, (struct cs_transformer){.attention = CS_ATTENTION_FLASH_3, __VA_ARGS__},  \
            cs_arena_text_n(arena, content.text, content.length), arena, model, err);          \
    }                                                                                          \
    const struct cs_model_input cs_model_input_##family = {                                    \
        .name = #family,                                                                       \
        .about = "layers=24,hidden=1024,...: " details,                                        \
        .suffixes = {NULL},                                                                    \
        .takes_dimensions = true,                                                              \
        .read = read_##family,                                                                 \
    };
FAMILY(gpt, "tied, learned positions, biases", .tied = true, .learned_positions = true,
       .biased = true)
FAMILY(llama, "gated, untied, no biases", .gated = true)
FAMILY(mpt, "tied, learned positions, no biases", .tied = true, .learned_positions = true)
FAMILY(nemotron, "untied, no biases", .gated = false)
FAMILY(bloom, "tied, biases, no positions", .tied = true, .biased = true)
#undef FAMILY
