/*
 * Models as arguments of Megatron-LM (NVIDIA/Megatron-LM
 * megatron/training/arguments.py), on a line or in a shell script.
 *
 * Words between white space, quotes and parentheses count, comments of the shell
 * do not; "$NAME" and "${NAME:-2}" are what the script assigns to the
 * name.  Megatron-LM has hundreds of arguments; those without a part in the model or
 * in the division of the step are not read.
 *
 * Tokens travel to experts in all-to-alls: the dispatcher "flex" sends a token once to
 * a node with several of its experts, which is left out as is overlap of these calls
 * with computation; the dispatcher "allgather" and the prediction of further tokens
 * are refused.
 */
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/job/parts.h"
#include "scenarios/train/model/transformer.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEGATRON_MOST = 1 << 30,
    MEGATRON_WORDS = 1024,
    MEGATRON_PAD = 128, /* --make-vocab-size-divisible-by */
    MEGATRON_GPT2_WORDS = 50257,
    MEGATRON_HOPS = 8, /* from variable to variable */
    MEGATRON_CAPACITY = 1000,
};

struct megatron_word {
    const char *text;
    unsigned line;
};

struct megatron_words {
    struct megatron_word items[MEGATRON_WORDS];
    uint32_t count;
    const char *file;
    struct cs_arena *arena;
};

/* ---- words ---- */

static bool megatron_separates(char c)
{
    return c == '\0' || strchr(" \t\r\n\"'()\\=", c) != NULL;
}

static int megatron_split(struct cs_doc_text text, struct cs_arena *arena,
                          struct megatron_words *words, struct cs_err *err)
{
    unsigned line = 1;
    size_t at = 0;

    while (at < text.length) {
        size_t from = at;

        if (text.text[at] == '#')
            while (at < text.length && text.text[at] != '\n')
                at++;
        else if (megatron_separates(text.text[at]))
            line += text.text[at++] == '\n';
        else {
            while (at < text.length && !megatron_separates(text.text[at]))
                at++;
            if (words->count == MEGATRON_WORDS)
                return cs_err_at(err, CS_EINPUT, text.file, line, "more than %d words",
                                 MEGATRON_WORDS);
            words->items[words->count++] =
                (struct megatron_word){cs_arena_text_n(arena, text.text + from, at - from), line};
        }
    }
    return 0;
}

/* The last occurrence, which argparse takes, too; NULL: none. */
static const struct megatron_word *megatron_find(const struct megatron_words *words,
                                                 const char *name)
{
    for (uint32_t i = words->count; i > 0; i--)
        if (cs_same(words->items[i - 1].text, name))
            return &words->items[i - 1];
    return NULL;
}

static bool megatron_has(const struct megatron_words *words, const char *name)
{
    return megatron_find(words, name) != NULL;
}

/* "${NAME:-2}" in parts: the name, and the value without an assignment. */
static const char *megatron_variable(const char *text, struct cs_arena *arena,
                                     const char **otherwise)
{
    const char *name = text + (text[1] == '{' ? 2 : 1);
    size_t length = strcspn(name, ":}");

    *otherwise = NULL;
    if (!strncmp(name + length, ":-", 2))
        *otherwise = cs_arena_text_n(arena, name + length + 2, strcspn(name + length + 2, "}"));
    return cs_arena_text_n(arena, name, length);
}

/* A word, or the value that the script assigns to its variable ("NAME=2" is two
 * words here). */
static const char *megatron_value(const struct megatron_words *words,
                                  const struct megatron_word *word)
{
    const char *text = word->text;

    for (int hops = 0; text && text[0] == '$' && hops < MEGATRON_HOPS; hops++) {
        const char *otherwise;
        const struct megatron_word *named =
            megatron_find(words, megatron_variable(text, words->arena, &otherwise));

        text = named && named + 1 < &words->items[words->count] && !cs_same(named[1].text, text)
                   ? named[1].text
                   : otherwise;
    }
    return text ? text : word->text;
}

static int megatron_missing(const struct megatron_words *words, const char *name,
                            struct cs_err *err)
{
    const char *names[MEGATRON_WORDS];
    size_t count = 0;

    for (uint32_t i = 0; i < words->count; i++)
        if (!strncmp(words->items[i].text, "--", 2))
            names[count++] = words->items[i].text;
    return cs_err_at(err, CS_EINPUT, words->file, 0, "no argument %s%s", name,
                     cs_hint(name, names, count, "expected the arguments of Megatron-LM").text);
}

/* A missing argument leaves the count, or is an error where required. */
static int megatron_count(const struct megatron_words *words, const char *name, bool required,
                          uint32_t *count, struct cs_err *err)
{
    const struct megatron_word *word = megatron_find(words, name);
    struct cs_err why = {0};
    uint64_t number;

    if (!word)
        return required ? megatron_missing(words, name, err) : 0;
    if (word + 1 == &words->items[words->count])
        return cs_err_at(err, CS_EINPUT, words->file, word->line, "%s has no number", name);
    if (cs_units_count(megatron_value(words, word + 1), 1, MEGATRON_MOST, &number, &why))
        return cs_err_at(err, CS_EINPUT, words->file, word[1].line, "%s: %s", name, why.text);
    *count = (uint32_t)number;
    return 0;
}

/* ---- the model ---- */

/* The default of --ffn-hidden-size: 4 h; with SwiGLU 8/3 h, a multiple of 64. */
static uint32_t megatron_ffn(const struct cs_transformer *dims)
{
    uint64_t hidden = dims->hidden;

    return (uint32_t)(dims->gated ? hidden * 4 * 2 / 3 / 64 * 64 : 4 * hidden);
}

static int megatron_pad(const struct megatron_words *words, uint32_t tensor, uint32_t *vocabulary,
                        struct cs_err *err)
{
    uint32_t pad = MEGATRON_PAD;
    int code = megatron_count(words, "--make-vocab-size-divisible-by", false, &pad, err);
    uint64_t multiple = (uint64_t)pad * (tensor ? tensor : 1);
    uint64_t padded = (*vocabulary + multiple - 1) / multiple * multiple;

    if (code)
        return code;
    if (padded > MEGATRON_MOST)
        return cs_err_set(err, CS_EINPUT,
                          "%s: a vocabulary of %u words is padded to %llu, more than %d",
                          words->file, *vocabulary, (unsigned long long)padded, MEGATRON_MOST);
    *vocabulary = (uint32_t)padded;
    return 0;
}

static int megatron_attention(const struct megatron_words *words, struct cs_transformer *dims,
                              struct cs_err *err)
{
    int code = megatron_count(words, "--num-attention-heads", true, &dims->heads, err);

    dims->kv_heads = dims->heads;
    if (!code && megatron_has(words, "--group-query-attention"))
        code = megatron_count(words, "--num-query-groups", true, &dims->kv_heads, err);
    if (!code)
        code = megatron_count(words, "--kv-channels", false, &dims->head_width, err);
    if (megatron_has(words, "--add-qkv-bias"))
        dims->traits |= CS_TRAIT_HEAD_BIASES;
    if (megatron_has(words, "--qk-layernorm"))
        dims->traits |= CS_TRAIT_HEAD_NORMS;
    if (megatron_has(words, "--use-mcore-models")) /* Transformer Engine */
        dims->attention = CS_ATTENTION_FLASH_3;
    else if (megatron_has(words, "--use-flash-attn"))
        dims->attention = CS_ATTENTION_FLASH_2;
    return code;
}

/* Latent attention of DeepSeek, with the defaults of Megatron-LM. */
static int megatron_latent(const struct megatron_words *words, struct cs_transformer *dims,
                           struct cs_err *err)
{
    uint32_t plain = 128;
    int code;

    if (!megatron_has(words, "--multi-latent-attention"))
        return 0;
    dims->key_rank = 32;
    dims->rope_width = 64;
    dims->value_width = 128;
    dims->kv_heads = dims->heads;
    code = megatron_count(words, "--q-lora-rank", false, &dims->query_rank, err);
    if (!code)
        code = megatron_count(words, "--kv-lora-rank", false, &dims->key_rank, err);
    if (!code)
        code = megatron_count(words, "--qk-head-dim", false, &plain, err);
    if (!code)
        code = megatron_count(words, "--qk-pos-emb-head-dim", false, &dims->rope_width, err);
    if (!code)
        code = megatron_count(words, "--v-head-dim", false, &dims->value_width, err);
    dims->head_width = plain + dims->rope_width;
    /* --qk-layernorm is that of the narrow vectors. */
    dims->traits &= ~(unsigned)CS_TRAIT_HEAD_NORMS;
    return code;
}

/* The count of "[0]*3", or 1 of "[0]", and the text behind it; NULL for others. */
static const char *megatron_repeats(const char *text, const char *item, uint32_t *count)
{
    size_t length = strlen(item);
    unsigned long number = 1;
    char *end;

    if (strncmp(text, item, length) != 0)
        return NULL;
    text += length;
    if (*text == '*') {
        number = strtoul(text + 1, &end, 10);
        if (end == text + 1 || number > MEGATRON_MOST)
            return NULL;
        text = end;
    }
    *count = (uint32_t)number;
    return text;
}

/* "([0]*3+[1]*58)": dense layers, and layers with experts behind them. */
static int megatron_dense_layers(const struct megatron_words *words, struct cs_transformer *dims,
                                 struct cs_err *err)
{
    const struct megatron_word *word = megatron_find(words, "--moe-layer-freq");
    const char *text = "1", *rest;
    uint32_t dense = 0, others = 0;

    if (word && word + 1 < &words->items[words->count])
        text = megatron_value(words, word + 1);
    if (cs_same(text, "1"))
        return 0;
    rest = megatron_repeats(text, "[0]", &dense);
    if (rest && *rest == '+')
        rest = megatron_repeats(rest + 1, "[1]", &others);
    else
        rest = NULL;
    if (rest && !*rest && (uint64_t)dense + others == dims->layers) {
        dims->dense_layers = dense;
        return 0;
    }
    return cs_err_at(err, CS_EINPUT, words->file, word ? word->line : 0,
                     "--moe-layer-freq: '%.40s' is not modelled; expected 1, or [0]*D+[1]*E with D "
                     "+ E of %u layers",
                     text, dims->layers);
}

static int megatron_experts(const struct megatron_words *words, struct cs_transformer *dims,
                            struct cs_err *err)
{
    const struct megatron_word *more = megatron_find(words, "--mtp-num-layers");
    int code = megatron_count(words, "--num-experts", false, &dims->experts, err);

    if (!code && more)
        return cs_err_at(
            err, CS_EINPUT, words->file, more->line,
            "--mtp-num-layers: the prediction of further tokens is not modelled; leave it out");
    if (code || !dims->experts)
        return code;
    dims->active = 2;
    dims->expert_ffn = dims->ffn;
    code = megatron_count(words, "--moe-router-topk", false, &dims->active, err);
    if (!code)
        code = megatron_count(words, "--moe-ffn-hidden-size", false, &dims->expert_ffn, err);
    if (!code)
        code = megatron_count(words, "--moe-shared-expert-intermediate-size", false,
                              &dims->shared_ffn, err);
    return code ? code : megatron_dense_layers(words, dims, err);
}

/* With a tokenizer's own words the arguments have no number of them. */
static int megatron_vocabulary(const struct megatron_words *words,
                               struct cs_model_division *division, uint32_t *vocabulary,
                               struct cs_err *err)
{
    int code = megatron_count(words, "--vocab-size", false, vocabulary, err);

    if (!code && megatron_has(words, "--padded-vocab-size"))
        return megatron_count(words, "--padded-vocab-size", false, vocabulary, err);
    if (!megatron_has(words, "--vocab-size"))
        division->note = "the arguments have no --vocab-size: the 50,257 words of GPT-2 are taken; "
                         "add the tokenizer's number";
    return code ? code : megatron_pad(words, division->job.degrees.tensor, vocabulary, err);
}

static int megatron_dims(const struct megatron_words *words, struct cs_model_division *division,
                         struct cs_transformer *dims, struct cs_err *err)
{
    const struct megatron_word *positions = megatron_find(words, "--position-embedding-type");
    int code = megatron_count(words, "--num-layers", true, &dims->layers, err);

    dims->gated = megatron_has(words, "--swiglu");
    dims->tied = !megatron_has(words, "--untie-embeddings-and-output-weights");
    dims->biased = !megatron_has(words, "--disable-bias-linear");
    dims->learned_positions = true;
    if (positions && positions + 1 < &words->items[words->count])
        dims->learned_positions = cs_same(positions[1].text, "learned_absolute");
    dims->vocabulary = MEGATRON_GPT2_WORDS;
    if (!code)
        code = megatron_count(words, "--hidden-size", true, &dims->hidden, err);
    if (!code)
        code = megatron_attention(words, dims, err);
    if (code)
        return code;
    dims->ffn = megatron_ffn(dims);
    code = megatron_count(words, "--ffn-hidden-size", false, &dims->ffn, err);
    if (!code)
        code = megatron_latent(words, dims, err);
    if (!code)
        code = megatron_experts(words, dims, err);
    if (!code)
        code = megatron_vocabulary(words, division, &dims->vocabulary, err);
    return code ? code : megatron_count(words, "--seq-length", true, &dims->sequence, err);
}

/* ---- the division of the step ---- */

/* Layers of a virtual stage as chunks of a stage. */
static int megatron_chunks(const struct megatron_words *words, struct cs_model_division *division,
                           struct cs_err *err)
{
    static const char name[] = "--num-layers-per-virtual-pipeline-stage";
    const struct megatron_word *word = megatron_find(words, name);
    uint32_t layers = 0, each = 0;
    uint32_t stages = division->job.degrees.pipeline ? division->job.degrees.pipeline : 1;
    int code = megatron_count(words, name, false, &each, err);

    if (!code)
        code = megatron_count(words, "--num-layers", true, &layers, err);
    if (code || !each)
        return code;
    if (layers % stages || layers / stages % each)
        return cs_err_at(err, CS_EINPUT, words->file, word->line,
                         "%u layers on %u stages do not divide into chunks of %u", layers, stages,
                         each);
    division->job.kept.chunks = layers / stages / each;
    return 0;
}

static int megatron_division(const struct megatron_words *words, struct cs_model_division *division,
                             struct cs_err *err)
{
    const struct {
        const char *name;
        uint32_t *place;
    } counts[] = {
        {"--tensor-model-parallel-size", &division->job.degrees.tensor},
        {"--pipeline-model-parallel-size", &division->job.degrees.pipeline},
        {"--context-parallel-size", &division->job.degrees.context},
        {"--expert-model-parallel-size", &division->job.degrees.expert},
        {"--expert-tensor-parallel-size", &division->job.degrees.expert_tensor},
        {"--micro-batch-size", &division->job.kept.micro_batch},
        {"--global-batch-size", &division->global_batch},
    };
    int code = 0;

    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts) && !code; i++)
        code = megatron_count(words, counts[i].name, false, counts[i].place, err);
    division->job.degrees.sequence_parallel = megatron_has(words, "--sequence-parallel");
    return code ? code : megatron_chunks(words, division, err);
}

/* Megatron-LM accumulates gradients in 32 bits with bf16, and with the argument;
 * --use-distributed-optimizer is ZeRO-1, whose collectives wait for the passes
 * without --overlap-grad-reduce. */
static void megatron_gradients(const struct megatron_words *words,
                               struct cs_model_division *division)
{
    bool shards = megatron_has(words, "--use-distributed-optimizer");
    bool wide = division->job.precision != CS_PRECISION_FP16 ||
                megatron_has(words, "--accumulate-allreduce-grads-in-fp32");

    division->system = shards ? "zero1" : "hybrid";
    division->job.framework.gradient_width = wide ? 4 : 2;
    division->no_overlap = shards && !megatron_has(words, "--overlap-grad-reduce");
    division->job.framework.overlap_gather =
        shards && megatron_has(words, "--overlap-param-gather");
    division->job.framework.overlap_tensor = megatron_has(words, "--tp-comm-overlap");
}

/* One of two words, 0 or 1; a missing argument leaves the choice. */
static int megatron_choice(const struct megatron_words *words, const char *name,
                           const char *const choices[2], int *choice, struct cs_err *err)
{
    const struct megatron_word *word = megatron_find(words, name);
    const char *text = "";

    if (!word)
        return 0;
    if (word + 1 < &words->items[words->count])
        text = megatron_value(words, word + 1);
    for (int c = 0; c < 2; c++)
        if (cs_same(text, choices[c])) {
            *choice = c;
            return 0;
        }
    return cs_err_at(err, CS_EINPUT, words->file, word->line, "%s: no choice called '%.40s'%s",
                     name, text, cs_hint_all(text, choices, 2).text);
}

/* Modules in any number; core_attn is what "selective" takes alone. */
static int megatron_modules(const struct megatron_words *words, struct cs_train_degrees *degrees,
                            struct cs_err *err)
{
    const struct megatron_word *word = megatron_find(words, "--recompute-modules");
    const struct megatron_word *end = &words->items[words->count];
    struct cs_err why = {0};

    if (word && degrees->recompute == CS_RECOMPUTE_SELECTIVE)
        degrees->recompute = CS_RECOMPUTE_NONE;
    for (const struct megatron_word *at = word ? word + 1 : end; at < end; at++) {
        const char *text = megatron_value(words, at);

        if (!strncmp(text, "--", 2))
            break;
        if (cs_same(text, "core_attn"))
            degrees->recompute = CS_RECOMPUTE_SELECTIVE;
        else if (cs_train_part_read(text, strlen(text), &degrees->recompute_parts, &why))
            return cs_err_at(err, CS_EINPUT, words->file, at->line, "--recompute-modules: %s",
                             why.text);
    }
    return 0;
}

/* Method "block" takes the first layers of a stage; "uniform" all, in groups. */
static int megatron_recompute(const struct megatron_words *words,
                              struct cs_model_division *division, struct cs_err *err)
{
    static const char *const granularities[] = {"selective", "full"};
    static const char *const methods[] = {"uniform", "block"};
    bool selects = megatron_has(words, "--recompute-activations");
    int granularity = -1, method = 0;
    int code = megatron_choice(words, "--recompute-granularity", granularities, &granularity, err);

    if (!code)
        code = megatron_choice(words, "--recompute-method", methods, &method, err);
    if (code)
        return code;
    if (granularity == 1)
        division->job.degrees.recompute = CS_RECOMPUTE_FULL;
    else if (granularity == 0 || selects)
        division->job.degrees.recompute = CS_RECOMPUTE_SELECTIVE;
    if (granularity < 1)
        return megatron_modules(words, &division->job.degrees, err);
    if (!method)
        return 0;
    return megatron_count(words, "--recompute-num-layers", false,
                          &division->job.degrees.recompute_layers, err);
}

/* Experts that are filled up to their capacity have as many rows each. */
static int megatron_dispatch(const struct megatron_words *words, struct cs_model_division *division,
                             struct cs_err *err)
{
    const struct megatron_word *type = megatron_find(words, "--moe-token-dispatcher-type");
    const struct megatron_word *capacity = megatron_find(words, "--moe-expert-capacity-factor");
    const char *text = "";
    char *end;

    if (type && type + 1 < &words->items[words->count])
        text = megatron_value(words, type + 1);
    if (type && cs_same(text, "allgather"))
        return cs_err_at(
            err, CS_EINPUT, words->file, type->line,
            "--moe-token-dispatcher-type: allgather is not modelled; expected alltoall or flex");
    division->job.framework.overlap_experts =
        megatron_has(words, "--overlap-moe-expert-parallel-comm");
    /* DeepEP or HybridEP. */
    division->job.framework.dispatch_once = type && cs_same(text, "flex");
    if (!capacity)
        return 0;
    text = capacity + 1 < &words->items[words->count] ? megatron_value(words, capacity + 1) : "";
    division->job.degrees.imbalance = strtod(text, &end);
    if (end == text || *end || !(division->job.degrees.imbalance > 0) ||
        division->job.degrees.imbalance > MEGATRON_CAPACITY)
        return cs_err_at(
            err, CS_EINPUT, words->file, capacity->line,
            "--moe-expert-capacity-factor: '%.40s' is not a number above 0, at most %d", text,
            MEGATRON_CAPACITY);
    /* Otherwise balanced experts drop none. */
    if (!megatron_has(words, "--moe-pad-expert-input-to-capacity") &&
        division->job.degrees.imbalance >= 1)
        division->job.degrees.imbalance = 0;
    return 0;
}

static int megatron_settings(const struct megatron_words *words, struct cs_model_division *division,
                             struct cs_err *err)
{
    int code = megatron_dispatch(words, division, err);

    if (code)
        return code;
    division->job.precision = megatron_has(words, "--fp8-format") ? CS_PRECISION_FP8
                              : megatron_has(words, "--bf16")     ? CS_PRECISION_BF16
                              : megatron_has(words, "--fp16")     ? CS_PRECISION_FP16
                                                                  : CS_PRECISIONS;
    megatron_gradients(words, division);
    code = megatron_count(words, "--cpu-offloading-num-layers", false,
                          &division->job.degrees.offload_layers, err);
    return code ? code : megatron_recompute(words, division, err);
}

static int megatron_read(struct cs_doc_text text, struct cs_arena *arena,
                         struct cs_train_model *model, struct cs_model_division *division,
                         struct cs_err *err)
{
    struct megatron_words *words = cs_arena_alloc(arena, 1, sizeof(*words));
    struct cs_transformer dims = {0};
    struct cs_err why = {0};
    int code;

    words->file = text.file;
    words->arena = arena;
    code = megatron_split(text, arena, words, err);
    if (!code)
        code = megatron_division(words, division, err);
    if (!code)
        code = megatron_settings(words, division, err);
    if (!code)
        code = megatron_dims(words, division, &dims, err);
    if (code)
        return code;
    if (cs_train_model_of("megatron", &dims, arena, model, &why))
        return cs_err_at(err, CS_EINPUT, text.file, 0, "%s", why.text);
    model->about = "arguments of Megatron-LM";
    model->source = text.file;
    return 0;
}

const struct cs_model_input cs_model_input_megatron = {
    .name = "megatron",
    .about = "arguments of Megatron-LM, or a script with them; degrees, batch, precision, "
             "recomputation and optimizer, too",
    .suffixes = {".sh", ".args"},
    .takes_arguments = true,
    .read = megatron_read,
};
