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

#include <stdarg.h>
#include <stdio.h>
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
    struct cs_err *err;
    int code; /* of the first error: behind it all numbers are 0 */
};

/* ---- words ---- */

static bool megatron_separates(char c)
{
    return c == '\0' || strchr(" \t\r\n\"'()\\=", c) != NULL;
}

/* The error on a line, where it is the first; line 0: of the file. */
__attribute__((format(printf, 3, 4))) static void megatron_refuse(struct megatron_words *words,
                                                                  unsigned line, const char *format,
                                                                  ...)
{
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    if (words->code)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    words->code = cs_err_at(words->err, CS_EINPUT, words->file, line, "%s", text);
}

static void megatron_split(struct cs_doc_text text, struct megatron_words *words)
{
    unsigned line = 1;
    size_t at = 0;

    while (at < text.length && !words->code) {
        size_t from = at;

        if (text.text[at] == '#')
            while (at < text.length && text.text[at] != '\n')
                at++;
        else if (megatron_separates(text.text[at]))
            line += text.text[at++] == '\n';
        else {
            while (at < text.length && !megatron_separates(text.text[at]))
                at++;
            if (words->count < MEGATRON_WORDS)
                words->items[words->count++] = (struct megatron_word){
                    cs_arena_text_n(words->arena, text.text + from, at - from), line};
            else
                megatron_refuse(words, line, "more than %d words", MEGATRON_WORDS);
        }
    }
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

static unsigned megatron_line(const struct megatron_words *words, const char *name)
{
    const struct megatron_word *word = megatron_find(words, name);

    return word ? word->line : 0;
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

/* What stands behind the last occurrence; "" at the end, NULL without one. */
static const char *megatron_argument(const struct megatron_words *words, const char *name)
{
    const struct megatron_word *word = megatron_find(words, name);

    if (!word)
        return NULL;
    return word + 1 == &words->items[words->count] ? "" : megatron_value(words, word + 1);
}

static uint32_t megatron_count(struct megatron_words *words, const char *name, uint32_t otherwise)
{
    const char *text = megatron_argument(words, name);
    struct cs_err why = {0};
    uint64_t number = 0;

    if (!text)
        return otherwise;
    if (!*text)
        megatron_refuse(words, megatron_line(words, name), "%s has no number", name);
    else if (cs_units_count(text, 1, MEGATRON_MOST, &number, &why))
        megatron_refuse(words, megatron_find(words, name)[1].line, "%s: %s", name, why.text);
    return words->code ? 0 : (uint32_t)number;
}

/* An argument that has to be there. */
static uint32_t megatron_need(struct megatron_words *words, const char *name)
{
    const char *names[MEGATRON_WORDS];
    size_t count = 0;

    if (megatron_has(words, name))
        return megatron_count(words, name, 0);
    for (uint32_t i = 0; i < words->count; i++)
        if (!strncmp(words->items[i].text, "--", 2))
            names[count++] = words->items[i].text;
    megatron_refuse(words, 0, "no argument %s%s", name,
                    cs_hint(name, names, count, "expected the arguments of Megatron-LM").text);
    return 0;
}

/* ---- the model ---- */

/* The default of --ffn-hidden-size: 4 h; with SwiGLU 8/3 h, a multiple of 64. */
static uint32_t megatron_ffn(const struct cs_transformer *dims)
{
    uint64_t hidden = dims->hidden;

    return (uint32_t)(dims->gated ? hidden * 4 * 2 / 3 / 64 * 64 : 4 * hidden);
}

static uint32_t megatron_pad(struct megatron_words *words, uint32_t tensor, uint32_t vocabulary)
{
    uint32_t pad = megatron_count(words, "--make-vocab-size-divisible-by", MEGATRON_PAD);
    uint64_t multiple = (uint64_t)pad * (tensor ? tensor : 1), padded;

    if (!multiple)
        return 0;
    padded = (vocabulary + multiple - 1) / multiple * multiple;
    if (padded > MEGATRON_MOST)
        megatron_refuse(words, 0, "a vocabulary of %u words is padded to %llu, more than %d",
                        vocabulary, (unsigned long long)padded, MEGATRON_MOST);
    return (uint32_t)padded;
}

static void megatron_attention(struct megatron_words *words, struct cs_transformer *dims)
{
    dims->heads = dims->kv_heads = megatron_need(words, "--num-attention-heads");
    if (megatron_has(words, "--group-query-attention"))
        dims->kv_heads = megatron_need(words, "--num-query-groups");
    dims->head_width = megatron_count(words, "--kv-channels", 0);
    if (megatron_has(words, "--add-qkv-bias"))
        dims->traits |= CS_TRAIT_HEAD_BIASES;
    if (megatron_has(words, "--qk-layernorm"))
        dims->traits |= CS_TRAIT_HEAD_NORMS;
    if (megatron_has(words, "--use-mcore-models")) /* Transformer Engine */
        dims->attention = CS_ATTENTION_FLASH_3;
    else if (megatron_has(words, "--use-flash-attn"))
        dims->attention = CS_ATTENTION_FLASH_2;
}

/* Latent attention of DeepSeek, with the defaults of Megatron-LM. */
static void megatron_latent(struct megatron_words *words, struct cs_transformer *dims)
{
    uint32_t plain;

    if (!megatron_has(words, "--multi-latent-attention"))
        return;
    dims->kv_heads = dims->heads;
    dims->query_rank = megatron_count(words, "--q-lora-rank", 0);
    dims->key_rank = megatron_count(words, "--kv-lora-rank", 32);
    plain = megatron_count(words, "--qk-head-dim", 128);
    dims->rope_width = megatron_count(words, "--qk-pos-emb-head-dim", 64);
    dims->value_width = megatron_count(words, "--v-head-dim", 128);
    dims->head_width = plain + dims->rope_width;
    /* --qk-layernorm is that of the narrow vectors. */
    dims->traits &= ~(unsigned)CS_TRAIT_HEAD_NORMS;
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
static void megatron_dense_layers(struct megatron_words *words, struct cs_transformer *dims)
{
    const char *text = megatron_argument(words, "--moe-layer-freq"), *rest;
    uint32_t dense = 0, others = 0;

    if (!text || !*text || cs_same(text, "1"))
        return;
    rest = megatron_repeats(text, "[0]", &dense);
    rest = rest && *rest == '+' ? megatron_repeats(rest + 1, "[1]", &others) : NULL;
    if (rest && !*rest && (uint64_t)dense + others == dims->layers)
        dims->dense_layers = dense;
    else
        megatron_refuse(words, megatron_line(words, "--moe-layer-freq"),
                        "--moe-layer-freq: '%.40s' is not modelled; expected 1, or [0]*D+[1]*E "
                        "with D + E of %u layers",
                        text, dims->layers);
}

static void megatron_experts(struct megatron_words *words, struct cs_transformer *dims)
{
    dims->experts = megatron_count(words, "--num-experts", 0);
    dims->further = megatron_count(words, "--mtp-num-layers", 0);
    if (!dims->experts)
        return;
    dims->active = megatron_count(words, "--moe-router-topk", 2);
    dims->expert_groups = megatron_count(words, "--moe-router-num-groups", 0);
    dims->group_limit = megatron_count(words, "--moe-router-group-topk", 0);
    dims->expert_ffn = megatron_count(words, "--moe-ffn-hidden-size", dims->ffn);
    dims->shared_ffn = megatron_count(words, "--moe-shared-expert-intermediate-size", 0);
    megatron_dense_layers(words, dims);
}

/* With a tokenizer's own words the arguments have no number of them. */
static uint32_t megatron_vocabulary(struct megatron_words *words,
                                    struct cs_model_division *division)
{
    uint32_t vocabulary = megatron_count(words, "--vocab-size", MEGATRON_GPT2_WORDS);

    if (megatron_has(words, "--padded-vocab-size"))
        return megatron_count(words, "--padded-vocab-size", 0);
    if (!megatron_has(words, "--vocab-size"))
        division->note = "the arguments have no --vocab-size: the 50,257 words of GPT-2 are taken; "
                         "add the tokenizer's number";
    return megatron_pad(words, division->job.degrees.tensor, vocabulary);
}

static void megatron_dims(struct megatron_words *words, struct cs_model_division *division,
                          struct cs_transformer *dims)
{
    const char *positions = megatron_argument(words, "--position-embedding-type");

    dims->layers = megatron_need(words, "--num-layers");
    dims->gated = megatron_has(words, "--swiglu");
    dims->tied = !megatron_has(words, "--untie-embeddings-and-output-weights");
    dims->biased = !megatron_has(words, "--disable-bias-linear");
    dims->learned_positions = !positions || !*positions || cs_same(positions, "learned_absolute");
    dims->hidden = megatron_need(words, "--hidden-size");
    megatron_attention(words, dims);
    dims->ffn = megatron_count(words, "--ffn-hidden-size", megatron_ffn(dims));
    megatron_latent(words, dims);
    megatron_experts(words, dims);
    dims->vocabulary = megatron_vocabulary(words, division);
    dims->sequence = megatron_need(words, "--seq-length");
}

/* ---- the division of the step ---- */

/* Layers of a virtual stage as chunks of a stage. */
static void megatron_chunks(struct megatron_words *words, struct cs_train_job *job)
{
    static const char name[] = "--num-layers-per-virtual-pipeline-stage";
    uint32_t stages = job->degrees.pipeline ? job->degrees.pipeline : 1;
    uint32_t each = megatron_count(words, name, 0);
    uint32_t layers = megatron_need(words, "--num-layers");

    if (!each)
        return;
    if (layers % stages || layers / stages % each)
        megatron_refuse(words, megatron_line(words, name),
                        "%u layers on %u stages do not divide into chunks of %u", layers, stages,
                        each);
    job->kept.chunks = layers / stages / each;
}

static void megatron_division(struct megatron_words *words, struct cs_model_division *division)
{
    struct cs_train_job *job = &division->job;
    struct cs_train_degrees *degrees = &job->degrees;

    degrees->tensor = megatron_count(words, "--tensor-model-parallel-size", 0);
    degrees->pipeline = megatron_count(words, "--pipeline-model-parallel-size", 0);
    degrees->context = megatron_count(words, "--context-parallel-size", 0);
    degrees->expert = megatron_count(words, "--expert-model-parallel-size", 0);
    degrees->expert_tensor = megatron_count(words, "--expert-tensor-parallel-size", 0);
    job->kept.micro_batch = megatron_count(words, "--micro-batch-size", 0);
    division->global_batch = megatron_count(words, "--global-batch-size", 0);
    degrees->sequence_parallel = megatron_has(words, "--sequence-parallel");
    megatron_chunks(words, job);
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

/* One of two words, 0 or 1; `otherwise` without the argument. */
static int megatron_choice(struct megatron_words *words, const char *name,
                           const char *const choices[2], int otherwise)
{
    const char *text = megatron_argument(words, name);

    if (!text)
        return otherwise;
    for (int c = 0; c < 2; c++)
        if (cs_same(text, choices[c]))
            return c;
    megatron_refuse(words, megatron_line(words, name), "%s: no choice called '%.40s'%s", name, text,
                    cs_hint_all(text, choices, 2).text);
    return otherwise;
}

/* Modules in any number; core_attn is what "selective" takes alone. */
static void megatron_modules(struct megatron_words *words, struct cs_train_degrees *degrees)
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
            megatron_refuse(words, at->line, "--recompute-modules: %s", why.text);
    }
}

/* Method "block" takes the first layers of a stage; "uniform" all, in groups. */
static void megatron_recompute(struct megatron_words *words, struct cs_train_degrees *degrees)
{
    static const char *const granularities[] = {"selective", "full"};
    static const char *const methods[] = {"uniform", "block"};
    int granularity = megatron_choice(words, "--recompute-granularity", granularities, -1);
    int method = megatron_choice(words, "--recompute-method", methods, 0);

    if (granularity == 1)
        degrees->recompute = CS_RECOMPUTE_FULL;
    else if (granularity == 0 || megatron_has(words, "--recompute-activations"))
        degrees->recompute = CS_RECOMPUTE_SELECTIVE;
    if (granularity < 1)
        megatron_modules(words, degrees);
    else if (method)
        degrees->recompute_layers = megatron_count(words, "--recompute-num-layers", 0);
}

/* Experts that are filled up to their capacity have as many rows each. */
static void megatron_capacity(struct megatron_words *words, double *imbalance)
{
    static const char name[] = "--moe-expert-capacity-factor";
    const char *text = megatron_argument(words, name);
    char *end;

    if (!text)
        return;
    *imbalance = strtod(text, &end);
    if (end == text || *end || !(*imbalance > 0) || *imbalance > MEGATRON_CAPACITY)
        megatron_refuse(words, megatron_line(words, name),
                        "%s: '%.40s' is not a number above 0, at most %d", name, text,
                        MEGATRON_CAPACITY);
    /* Otherwise balanced experts drop none. */
    if (!megatron_has(words, "--moe-pad-expert-input-to-capacity") && *imbalance >= 1)
        *imbalance = 0;
}

static void megatron_dispatch(struct megatron_words *words, struct cs_train_job *job)
{
    static const char name[] = "--moe-token-dispatcher-type";
    const char *type = megatron_argument(words, name);

    if (type && cs_same(type, "allgather"))
        megatron_refuse(words, megatron_line(words, name),
                        "%s: allgather is not modelled; expected alltoall or flex", name);
    job->framework.overlap_experts = megatron_has(words, "--overlap-moe-expert-parallel-comm");
    /* DeepEP or HybridEP. */
    job->framework.dispatch_once = type && cs_same(type, "flex");
    job->framework.fused_experts = megatron_has(words, "--use-transformer-engine-op-fuser");
    megatron_capacity(words, &job->degrees.imbalance);
}

static void megatron_settings(struct megatron_words *words, struct cs_model_division *division)
{
    struct cs_train_job *job = &division->job;

    megatron_dispatch(words, job);
    job->precision = megatron_has(words, "--fp8-format") ? CS_PRECISION_FP8
                     : megatron_has(words, "--bf16")     ? CS_PRECISION_BF16
                     : megatron_has(words, "--fp16")     ? CS_PRECISION_FP16
                                                         : CS_PRECISIONS;
    megatron_gradients(words, division);
    job->degrees.offload_layers = megatron_count(words, "--cpu-offloading-num-layers", 0);
    megatron_recompute(words, &job->degrees);
}

static int megatron_read(struct cs_doc_text text, struct cs_arena *arena,
                         struct cs_train_model *model, struct cs_model_division *division,
                         struct cs_err *err)
{
    struct megatron_words *words = cs_arena_alloc(arena, 1, sizeof(*words));
    struct cs_transformer dims = {0};
    struct cs_err why = {0};

    words->file = text.file;
    words->arena = arena;
    words->err = err;
    megatron_split(text, words);
    megatron_division(words, division);
    megatron_settings(words, division);
    megatron_dims(words, division, &dims);
    if (!words->code && cs_train_model_of("megatron", &dims, arena, model, &why))
        megatron_refuse(words, 0, "%s", why.text);
    if (words->code)
        return words->code;
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
