#include "scenarios/train/model_library.h"

#include "scenarios/train/convnet.h"
#include "scenarios/train/transformer.h"
#include "sim/base/hint.h"

#include <strings.h>

struct model_entry {
    const char *name, *about, *source;
    struct cs_transformer dims; /* layers 0: a convolutional network */
};

static const struct model_entry model_entries[] = {
#define CONVNET(identifier, title, text, from) {title, text, from, {0}},
#define BERT(identifier, title, depth, width, head, length, from) \
    {title,                                                       \
     "BERT with the heads of pretraining",                        \
     from,                                                        \
     {.layers = (depth),                                          \
      .hidden = (width),                                          \
      .heads = (head),                                            \
      .kv_heads = (head),                                         \
      .ffn = 4 * (width),                                         \
      .vocabulary = 30522,                                        \
      .sequence = (length),                                       \
      .tied = true,                                               \
      .learned_positions = true,                                  \
      .biased = true,                                             \
      .encoder = true}},
#define GPT(identifier, title, depth, width, head, words, length, from) \
    {title,                                                             \
     "GPT, tied output, unfused attention",                             \
     from,                                                              \
     {.layers = (depth),                                                \
      .hidden = (width),                                                \
      .heads = (head),                                                  \
      .kv_heads = (head),                                               \
      .ffn = 4 * (width),                                               \
      .vocabulary = (words),                                            \
      .sequence = (length),                                             \
      .tied = true,                                                     \
      .learned_positions = true,                                        \
      .biased = true}},
#define LLAMA(identifier, title, depth, width, head, keys, inner, words, \
              length, from)                                              \
    {title,                                                              \
     "Llama, FlashAttention",                                            \
     from,                                                               \
     {.layers = (depth),                                                 \
      .hidden = (width),                                                 \
      .heads = (head),                                                   \
      .kv_heads = (keys),                                                \
      .ffn = (inner),                                                    \
      .vocabulary = (words),                                             \
      .sequence = (length),                                              \
      .gated = true,                                                     \
      .fused = true}},
#include "scenarios/train/models.def"
#undef CONVNET
#undef BERT
#undef GPT
#undef LLAMA
};

const char *const cs_train_model_names[] = {
#define CONVNET(identifier, title, text, from)                          title,
#define BERT(identifier, title, depth, width, head, length, from)       title,
#define GPT(identifier, title, depth, width, head, words, length, from) title,
#define LLAMA(identifier, title, depth, width, head, keys, inner, words, \
              length, from)                                              \
    title,
#include "scenarios/train/models.def"
#undef CONVNET
#undef BERT
#undef GPT
#undef LLAMA
};

const size_t cs_train_model_count =
    sizeof(model_entries) / sizeof(*model_entries);

static void open_convnet(const struct model_entry *entry,
                         struct cs_arena *arena, struct cs_train_model *model)
{
    static const uint32_t parts50[] = {3, 4, 6, 3};
    static const uint32_t parts101[] = {3, 4, 23, 3};

    if (!strcasecmp(entry->name, "vgg16"))
        cs_train_vgg16(arena, model);
    else
        cs_train_resnet(!strcasecmp(entry->name, "resnet50") ? parts50
                                                             : parts101,
                        arena, model);
}

int cs_train_model_open(const char *name, struct cs_arena *arena,
                        struct cs_train_model *model, struct cs_err *err)
{
    const struct model_entry *entry = NULL;
    int code = 0;

    for (size_t m = 0; m < cs_train_model_count && !entry; ++m)
        if (!strcasecmp(name, model_entries[m].name))
            entry = &model_entries[m];
    if (!entry)
        return cs_err_set(
            err, CS_EINPUT, "no model called '%.40s'%s", name,
            cs_hint_all(name, cs_train_model_names, cs_train_model_count).text);
    *model = (struct cs_train_model){0};
    if (entry->dims.layers)
        code = cs_train_model_of(entry->name, &entry->dims, arena, model, err);
    else
        open_convnet(entry, arena, model);
    model->name = entry->name;
    model->about = entry->about;
    model->source = entry->source;
    return code;
}
