#include "scenarios/train/search/search.h"

#include "scenarios/train/memory/memory.h"
#include "scenarios/train/parallel/step.h"
#include "sim/base/divisor.h"

#include <math.h>

enum {
    SEARCH_MICRO_MAX = 64,   /* samples of a micro batch */
    SEARCH_CONTEXT_MAX = 16, /* context parallel ranks */
    /* Tokens of a context parallel rank: none of the 115 published steps with such ranks
     * (validate/data/training) has fewer. */
    SEARCH_CONTEXT_TOKENS = 4096,
};

struct search_run {
    const struct cs_train_job *given;
    struct cs_search *found;
    struct cs_passes blank; /* for memory alone: passes without times */
    uint32_t batch;         /* global */
    bool any;               /* also such as no publication has */
};

/* Faster first; of equals the smaller memory. */
static bool is_better(const struct cs_train_step *a, const struct cs_train_step *b)
{
    if (a->step_s != b->step_s)
        return a->step_s < b->step_s;
    return a->memory_bytes < b->memory_bytes;
}

static bool same_layout(const struct cs_train_degrees *a, const struct cs_train_degrees *b)
{
    return a->tensor == b->tensor && a->context == b->context && a->pipeline == b->pipeline &&
           a->expert == b->expert && a->expert_tensor == b->expert_tensor;
}

/* Where a step with these degrees goes: in place of the layout's own, else of the last. */
static uint32_t place_of(const struct cs_search *found, const struct cs_train_job *job)
{
    uint32_t at = 0;

    while (at < found->count && !same_layout(&found->best[at].job.degrees, &job->degrees))
        ++at;
    return at < CS_SEARCH_BEST ? at : CS_SEARCH_BEST - 1;
}

static void keep_best(struct cs_search *found, const struct cs_train_job *job,
                      const struct cs_train_step *step)
{
    uint32_t at = place_of(found, job);

    if (at < found->count && !is_better(step, &found->best[at].step))
        return;
    if (at == found->count)
        ++found->count;
    for (; at > 0 && is_better(step, &found->best[at - 1].step); --at)
        found->best[at] = found->best[at - 1];
    found->best[at] = (struct cs_search_found){*job, *step};
}

/* Cuts between layers need no times, nor does memory then; a model without layers is
 * cut by time and waits for the step. */
static bool fits_memory(struct search_run *run, const struct cs_train_job *job)
{
    struct cs_train_step step = {0};

    if (!job->model->transformer.layers)
        return true;
    run->blank.job = job;
    cs_train_memory(&run->blank, &step);
    run->found->least_bytes = fmin(run->found->least_bytes, step.memory_bytes);
    return step.memory_bytes <= job->gpu->memory_bytes;
}

static bool may_be_best(const struct search_run *run, const struct cs_train_job *job)
{
    const struct cs_search *found = run->found;
    uint32_t at = place_of(found, job);

    return found->exhaustive || at == found->count ||
           cs_train_bound_s(job) <= found->best[at].step.step_s;
}

static int try_job(struct search_run *run, const struct cs_train_job *job, struct cs_err *err)
{
    struct cs_search *found = run->found;
    struct cs_train_step step;
    int code;

    if (cs_train_job_check(job, NULL))
        return 0;
    ++found->tried;
    if (!fits_memory(run, job)) {
        ++found->too_large;
        return 0;
    }
    if (!may_be_best(run, job)) {
        ++found->bounded;
        return 0;
    }
    ++found->computed;
    code = cs_train_step_time(job, &step, err);
    if (code)
        return code;
    found->least_bytes = fmin(found->least_bytes, step.memory_bytes);
    if (step.memory_bytes > job->gpu->memory_bytes)
        ++found->too_large;
    else
        keep_best(found, job, &step);
    return 0;
}

/* ---- the settings of given degrees ---- */

/* Degrees are 1 where none is given, settings 0. */
static bool may_take(uint32_t given, uint32_t degree)
{
    return given < 2 || given == degree;
}

static bool may_set(uint32_t kept, uint32_t value)
{
    return !kept || kept == value;
}

/* States of ZeRO-2 and 3 are moved in every micro batch of a stage; pipelines take
 * DDP or ZeRO-1, as Megatron-LM does.  Inside one node hybrid_shard is ZeRO-3. */
static int try_kinds(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    enum cs_data_kind last = job->degrees.pipeline > 1 ? CS_DATA_ZERO1
                             : job->site->nodes > 1    ? CS_DATA_HYBRID_SHARD
                                                       : CS_DATA_ZERO3;
    enum cs_data_kind kept = run->given->degrees.data_kind;
    int code = 0;

    if (cs_train_copies(job) < 2)
        last = kept = CS_DATA_DDP;
    for (int kind = CS_DATA_DDP; kind <= (int)last && !code; ++kind) {
        if (job->kept.data_kind && kind != (int)kept)
            continue;
        job->degrees.data_kind = (enum cs_data_kind)kind;
        job->framework.early_stop = kind >= CS_DATA_ZERO3; /* as systems of FSDP have it */
        code = try_job(run, job, err);
    }
    return code;
}

/* Kernels of flash attention keep no scores that selective recomputation saves. */
static bool keeps_scores(const struct cs_train_model *model)
{
    for (uint32_t b = 0; b < model->block_count; ++b)
        if (model->blocks[b].score_stored > 0)
            return true;
    return false;
}

static int try_recompute(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    int last = job->model->transformer.layers ? CS_RECOMPUTE_FULL : CS_RECOMPUTE_NONE;
    bool has_scores = keeps_scores(job->model);
    unsigned parts = job->degrees.recompute_parts;
    int code = 0;

    if (job->kept.recompute)
        return job->degrees.recompute_layers > cs_train_chunk_layers(job)
                   ? 0
                   : try_kinds(run, job, err);
    for (int how = CS_RECOMPUTE_NONE; how <= last && !code; ++how) {
        if (how == CS_RECOMPUTE_SELECTIVE && !has_scores)
            continue;
        job->degrees.recompute = (enum cs_recompute)how;
        job->degrees.recompute_layers = 0;
        job->degrees.recompute_parts = how == CS_RECOMPUTE_FULL ? 0 : parts;
        code = try_kinds(run, job, err);
    }
    job->degrees.recompute_parts = parts;
    return code;
}

/* Chunks of as many layers each, where embedding and head may count as a layer; or, where
 * stages are unequal anyway, powers of two.  Megatron-LM refuses micro batches that the
 * stages do not divide. */
static bool may_interleave(const struct cs_train_job *job)
{
    uint32_t layers = job->model->transformer.layers, chunks = job->degrees.chunks;
    uint32_t places = chunks * job->degrees.pipeline;

    if (chunks == 1)
        return true;
    if (job->degrees.accumulation % job->degrees.pipeline)
        return false;
    return layers % places == 0 || (layers + 2) % places == 0 ||
           ((chunks & (chunks - 1)) == 0 && cs_train_chunk_cut(job, 1));
}

static int try_chunks(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    uint32_t layers = job->model->transformer.layers, stages = job->degrees.pipeline;
    uint32_t last = stages > 1 && layers ? (layers + stages - 1) / stages : 1;
    int code = 0;

    if (job->kept.chunks) {
        job->degrees.chunks = job->kept.chunks;
        return try_recompute(run, job, err);
    }
    for (uint32_t chunks = 1; chunks <= last && !code; ++chunks) {
        job->degrees.chunks = chunks;
        if (may_interleave(job))
            code = try_recompute(run, job, err);
    }
    job->degrees.chunks = 1;
    return code;
}

/* A divisor of both context degree and micro batch moves to the data degree:
 * tokens of a device and the groups stay, and fewer keys are gathered. */
static bool has_better_context(const struct search_run *run, const struct cs_train_job *job,
                               uint32_t micro)
{
    return !run->found->exhaustive && run->given->degrees.context < 2 && !job->kept.micro_batch &&
           cs_common_divisor(job->degrees.context, micro) > 1;
}

static int try_micro_batches(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    uint32_t mine = run->batch / job->degrees.data;
    uint32_t last = job->kept.micro_batch ? job->kept.micro_batch : SEARCH_MICRO_MAX;
    int code = 0;

    if (run->batch % job->degrees.data)
        return 0;
    for (uint32_t micro = 1; micro <= last && micro <= mine && !code; ++micro) {
        if (mine % micro || !may_set(job->kept.micro_batch, micro) ||
            !may_set(job->kept.accumulation, mine / micro) || has_better_context(run, job, micro))
            continue;
        job->degrees.micro_batch = micro;
        job->degrees.accumulation = mine / micro;
        code = try_chunks(run, job, err);
    }
    return code;
}

/* ---- degrees ---- */

/* Experts whole on ranks of their own, and as tensor parallelism divides them.  None of the
 * 87 published steps of experts (validate/data/training) has all of them on a rank. */
static int try_experts(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    uint32_t stage = cs_train_stage_ranks(job);
    uint32_t experts = job->model->transformer.experts;
    uint32_t given = run->given->degrees.expert_tensor;
    int code = 0;

    job->degrees.expert = run->given->degrees.expert;
    job->degrees.expert_tensor = given;
    if (!experts || run->given->degrees.expert > 1)
        return try_micro_batches(run, job, err);
    for (uint32_t e = 1; e <= experts && e <= stage && !code; ++e) {
        if (experts % e || stage % e || (e == 1 && stage > 1 && !run->any))
            continue;
        job->degrees.expert = e;
        job->degrees.expert_tensor = given ? given : e > 1;
        code = try_micro_batches(run, job, err);
    }
    return code;
}

static int try_pipelines(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    uint32_t rest = job->site->ranks / (job->degrees.tensor * job->degrees.context);
    int code = 0;

    for (uint32_t p = 1; p <= rest && !code; ++p) {
        if (rest % p || !may_take(run->given->degrees.pipeline, p))
            continue;
        job->degrees.pipeline = p;
        job->degrees.data = rest / p;
        code = try_experts(run, job, err);
    }
    return code;
}

/* Whether a degree is the job's, or one that people run where such ones fit. */
static bool may_split_context(const struct search_run *run, uint32_t degree)
{
    uint32_t given = run->given->degrees.context;

    return given < 2 ? degree == 1 || run->any ||
                           run->given->model->transformer.sequence / degree >= SEARCH_CONTEXT_TOKENS
                     : given == degree;
}

static int try_contexts(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    uint32_t rest = job->site->ranks / job->degrees.tensor;
    uint32_t sequence = job->model->transformer.sequence;
    int code = 0;

    for (uint32_t c = 1; c <= SEARCH_CONTEXT_MAX && c <= rest && !code; ++c) {
        if (rest % c || !may_split_context(run, c))
            continue;
        job->degrees.context = c;
        job->degrees.sequence_parallel =
            job->degrees.tensor > 1 && sequence / c % job->degrees.tensor == 0;
        code = try_pipelines(run, job, err);
    }
    return code;
}

static int try_tensors(struct search_run *run, struct cs_train_job *job, struct cs_err *err)
{
    uint32_t heads = job->model->transformer.heads;
    uint32_t last = heads ? heads : 1;
    int code = 0;

    for (uint32_t t = 1; t <= last && !code; ++t) {
        if (job->site->ranks % t || last % t || !may_take(run->given->degrees.tensor, t))
            continue;
        job->degrees.tensor = t;
        code = try_contexts(run, job, err);
    }
    return code;
}

/* ---- the search ---- */

static int search_answer(const struct search_run *run, struct cs_err *err)
{
    const struct cs_train_job *job = run->given;

    if (run->found->count)
        return 0;
    if (!run->found->tried)
        return cs_err_set(err, CS_EINPUT,
                          "no degrees of %u ranks divide the model %s and a global batch of %u "
                          "with the settings given",
                          job->site->ranks, job->model->name, run->batch);
    return cs_err_set(err, CS_EANSWER,
                      "none of %llu configurations fits the %.0f GiB of %s; the smallest takes "
                      "%.2f GiB: more ranks, or a GPU with more memory",
                      (unsigned long long)run->found->tried, job->gpu->memory_bytes / (1 << 30),
                      job->gpu->name, run->found->least_bytes / (1 << 30));
}

int cs_train_search(const struct cs_train_job *job, struct cs_search *search, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_job trial = *job;
    struct search_run run = {.given = job, .found = search};
    int code;

    *search = (struct cs_search){.exhaustive = search->exhaustive, .least_bytes = INFINITY};
    run.batch = (uint32_t)llround(cs_train_batch(job));
    run.blank.kernels.parameters = job->parameters ? job->parameters : cs_kernel_parameters;
    run.blank.blocks = cs_arena_alloc(&arena, job->model->block_count, sizeof(struct cs_pass));
    for (uint32_t b = 0; b < job->model->block_count; ++b)
        run.blank.blocks[b] = (struct cs_pass){0};
    code = try_tensors(&run, &trial, err);
    if (!code && !search->count) {
        *search = (struct cs_search){.exhaustive = search->exhaustive, .least_bytes = INFINITY};
        run.any = search->unusual = true;
        code = try_tensors(&run, &trial, err);
    }
    return code ? code : search_answer(&run, err);
}
