#include "scenarios/train/model/library.h"

#include "scenarios/train/model/network.h"
#include "scenarios/train/model/transformer.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct model_entry {
    const char *name, *about, *source;
    cs_network_open *open; /* NULL: a transformer */
    struct cs_transformer dims;
};

#define SIZES(depth, width, head, keys, inner, words, length)                                  \
    .layers = (depth), .hidden = (width), .heads = (head), .kv_heads = (keys), .ffn = (inner), \
    .vocabulary = (words), .sequence = (length)
#define FLASH .gated = true, .attention = CS_ATTENTION_FLASH_3
#define PLAIN .tied = true, .learned_positions = true, .biased = true

/* Experts in every second of 48 layers, the others before them. */
#define PAIRS(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
static const unsigned char second_experts[] = {
    PAIRS(PAIRS(CS_LAYER_ATTENTION | CS_LAYER_DENSE, CS_LAYER_ATTENTION | CS_LAYER_EXPERTS)),
    PAIRS(CS_LAYER_ATTENTION | CS_LAYER_DENSE, CS_LAYER_ATTENTION | CS_LAYER_EXPERTS),
    PAIRS(CS_LAYER_ATTENTION | CS_LAYER_DENSE, CS_LAYER_ATTENTION | CS_LAYER_EXPERTS)};
#undef PAIRS

static const struct model_entry model_entries[] = {
#define NETWORK(identifier, title, text, from) {title, text, from, cs_train_##identifier, {0}},
#define TRANSFORMER(title, text, from, ...)    {title, text, from, NULL, {__VA_ARGS__}},
#define BERT(identifier, title, depth, width, head, length, from)                          \
    TRANSFORMER(title, "BERT with the heads of pretraining", from, PLAIN, .encoder = true, \
                .positions = 512, .token_types = 2,                                        \
                SIZES(depth, width, head, head, 4 * (width), 30522, length))
#define GPT(identifier, title, depth, width, head, words, length, from)    \
    TRANSFORMER(title, "GPT, tied output, unfused attention", from, PLAIN, \
                SIZES(depth, width, head, head, 4 * (width), words, length))
#define LLAMA(identifier, title, depth, width, head, keys, inner, words, length, reach, from) \
    TRANSFORMER(title, "Llama, FlashAttention", from, FLASH, .window = (reach),               \
                SIZES(depth, width, head, keys, inner, words, length))
#define DENSE(identifier, title, from, ...) \
    TRANSFORMER(title, "Llama's layers, FlashAttention", from, FLASH, __VA_ARGS__)
#define EXPERTS(identifier, title, from, ...) \
    TRANSFORMER(title, "mixture of experts, FlashAttention", from, FLASH, __VA_ARGS__)
#include "scenarios/train/model/models.def"
#undef NETWORK
#undef BERT
#undef GPT
#undef LLAMA
#undef DENSE
#undef EXPERTS
};

const char *const cs_train_model_names[] = {
#define NETWORK(identifier, title, ...) title,
#define BERT                            NETWORK
#define GPT                             NETWORK
#define LLAMA                           NETWORK
#define DENSE                           NETWORK
#define EXPERTS                         NETWORK
#include "scenarios/train/model/models.def"
#undef NETWORK
#undef BERT
#undef GPT
#undef LLAMA
#undef DENSE
#undef EXPERTS
};

const size_t cs_train_model_count = sizeof(model_entries) / sizeof(*model_entries);

/* Whether letters and digits of the word begin with those of the name. */
static bool has_prefix(const char *word, const char *name)
{
    while (*name) {
        if (!isalnum((unsigned char)*name)) {
            name++;
        } else if (*word && !isalnum((unsigned char)*word)) {
            word++;
        } else if (tolower((unsigned char)*word) != tolower((unsigned char)*name)) {
            return false;
        } else {
            word++;
            name++;
        }
    }
    return true;
}

/* The longest name that the word begins with, and of "gpt3-1.3b" and "gpt3-13b" the one
 * that it begins with as it stands; "": none. */
static const char *beginning_of(const char *word)
{
    const char *near = "";
    bool is_exact = false;

    for (size_t m = 0; m < cs_train_model_count; ++m) {
        const char *name = model_entries[m].name;
        bool exact = !strncasecmp(word, name, strlen(name));

        if (has_prefix(word, name) &&
            (exact == is_exact ? strlen(name) > strlen(near) : exact || !*near)) {
            near = name;
            is_exact = exact;
        }
    }
    return near;
}

/* "Meta-Llama-3-70B", "Llama-3.1-405B-Instruct": without maker, and without the last part
 * where that has a near name. */
static const char *plain_name(const char *word, struct cs_text *cut)
{
    static const char maker[] = "Meta-";
    const char *end;

    if (!strncasecmp(word, maker, sizeof(maker) - 1))
        word += sizeof(maker) - 1;
    end = strrchr(word, '-');
    if (end) {
        cs_text_add_n(cut, word, (size_t)(end - word));
        if (cs_nearest(cs_text_str(cut), cs_train_model_names, cs_train_model_count) &&
            !cs_nearest(word, cs_train_model_names, cs_train_model_count))
            return cs_text_str(cut);
    }
    return word;
}

/* "meta-llama/Llama-2-7b-hf": the longest name that it begins with; "mixtral-8x22by-g8t8":
 * the name it is a slip of. */
static int no_such_model(const char *name, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text cut = {0};
    const char *slash = strrchr(name, '/');
    const char *word = plain_name(slash ? slash + 1 : name, &cut), *near = beginning_of(word);

    if (*near && !cs_slip(word, cs_train_model_names, cs_train_model_count))
        word = near;
    return cs_err_set(
        err, CS_EINPUT, "no model called '%.60s'%s", name,
        cs_hint(word, cs_train_model_names, cs_train_model_count,
                "expected one of 'collsim list train-models', or the config.json of a model")
            .text);
}

int cs_train_model_open(const char *name, struct cs_arena *arena, struct cs_train_model *model,
                        struct cs_err *err)
{
    const struct model_entry *entry = NULL;
    const char *slash = strrchr(name, '/'); /* "Qwen/Qwen3-8B" */
    int code = 0;

    for (size_t m = 0; m < cs_train_model_count && !entry; ++m)
        if (!strcasecmp(slash ? slash + 1 : name, model_entries[m].name))
            entry = &model_entries[m];
    if (!entry)
        return no_such_model(name, err);
    *model = (struct cs_train_model){0};
    if (entry->open)
        entry->open(arena, model);
    else
        code = cs_train_model_of(entry->name, &entry->dims, arena, model, err);
    model->name = entry->name;
    model->about = entry->about;
    model->source = entry->source;
    return code;
}
