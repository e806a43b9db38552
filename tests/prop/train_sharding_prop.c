/*
 * All kinds of shared states among data parallel ranks, with tensor and context
 * parallel ranks and experts, against a model of its own.
 *
 * The model enumerates ranks: which ones a call joins follows from their numbers and
 * nodes, its time from the places alone (train_levels_library).  A step is two queues,
 * one of passes and one of calls.  Seconds of a pass are the product's (passes.h),
 * whose kernels and collectives of layers have tests of their own.
 */
#include "scenarios/train/memory/memory.h"
#include "scenarios/train/memory/traffic.h"
#include "scenarios/train/stages/passes.h"

#include "tests/train_job.h"

enum {
    TRIALS = 150,
    NODE = 8,
    RANKS_MOST = 512,
    UNITS_MOST = 128,
    LIMIT_FIRST = 1 << 20,
    LIMIT = 25 << 20,
};

/* ---- ranks ---- */

struct ranks {
    uint32_t count, rank[RANKS_MOST];
};

static uint32_t places(const struct ranks *ranks)
{
    uint32_t nodes = 0;

    for (uint32_t i = 0; i < ranks->count; ++i) {
        uint32_t j = 0;

        while (ranks->rank[j] / NODE != ranks->rank[i] / NODE)
            ++j;
        nodes += j == i;
    }
    return nodes;
}

/* Seconds for so many bytes, of which a ring's bus carries `share` x (n - 1)/n. */
static double call_s(const struct ranks *ranks, double share, double bytes)
{
    uint32_t nodes = places(ranks);

    if (ranks->count < 2)
        return 0;
    return share * bytes * (ranks->count - 1.) / ranks->count /
           train_levels_Bps(nodes, ranks->count / nodes);
}

/* Ranks 0, 0 + stride and so on of one stage. */
static struct ranks every(uint32_t stride, uint32_t stage)
{
    struct ranks found = {0};

    for (uint32_t r = 0; r < stage; r += stride)
        found.rank[found.count++] = r;
    return found;
}

/* Those in the node of rank 0, or the first of each node. */
static struct ranks in_node(const struct ranks *all)
{
    struct ranks found = {0};

    for (uint32_t i = 0; i < all->count; ++i)
        if (all->rank[i] / NODE == 0)
            found.rank[found.count++] = all->rank[i];
    return found;
}

static struct ranks a_node_each(const struct ranks *all)
{
    struct ranks found = {0};

    for (uint32_t i = 0; i < all->count; ++i)
        if (!i || all->rank[i] / NODE != all->rank[i - 1] / NODE)
            found.rank[found.count++] = all->rank[i];
    return found;
}

/* ---- the model ---- */

struct unit {
    const struct cs_train_block *block;
    double forward_s, backward_s;
    double dense, experts; /* elements on a rank */
};

struct model {
    const struct cs_train_job *job;
    struct unit units[UNITS_MOST];
    uint32_t count;
    double forward_s, backward_s, dense, experts; /* of all */
    double width;                                 /* bytes of parameters and gradients: bf16 */
    bool apart;                                   /* experts have copies of their own */
    struct ranks copies, expert_copies;
    struct ranks shards, outside; /* of sharded parameters, and their copies */
};

static double tensors_of(const struct cs_train_block *block, bool experts)
{
    uint32_t dense = block->tensor_count - block->expert_tensors;
    double elements = 0;

    for (uint32_t t = experts ? dense : 0; t < (experts ? block->tensor_count : dense); ++t)
        elements += (double)block->tensors[t];
    return elements;
}

static void add_units(struct model *model, const struct cs_passes *passes)
{
    const struct cs_train_job *job = model->job;
    uint32_t parts = job->degrees.expert_tensor ? job->degrees.expert_tensor : job->degrees.tensor;
    uint32_t expert = job->degrees.expert ? job->degrees.expert : 1;
    /* The host prepares each block of shared parameters before it runs. */
    double host_s = job->degrees.data_kind >= CS_DATA_ZERO3 && cs_train_has_copies(job)
                        ? job->parameters[CS_KERNEL_UNIT_HOST] * 1e-6
                        : 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b)
        for (uint32_t r = 0; r < job->model->blocks[b].repeat; ++r) {
            const struct cs_train_block *block = &job->model->blocks[b];
            const struct cs_pass *pass = &passes->blocks[b];
            struct unit *unit = &model->units[model->count++];

            assert_true(model->count <= UNITS_MOST);
            *unit = (struct unit){.block = block,
                                  .forward_s = cs_pass_forward_s(pass) + host_s,
                                  .backward_s = cs_pass_backward_s(pass) + host_s,
                                  .dense = tensors_of(block, false) / job->degrees.tensor,
                                  .experts = tensors_of(block, true) / expert / parts};
            model->forward_s += unit->forward_s;
            model->backward_s += unit->backward_s;
            model->dense += unit->dense;
            model->experts += unit->experts;
        }
}

static void open_model(struct model *model, const struct cs_train_job *job,
                       const struct cs_passes *passes)
{
    uint32_t stage = job->degrees.tensor * job->degrees.context * job->degrees.data;
    uint32_t parts = job->degrees.expert_tensor ? job->degrees.expert_tensor : job->degrees.tensor;
    uint32_t holders = parts * (job->degrees.expert ? job->degrees.expert : 1);

    *model = (struct model){.job = job, .width = 2};
    add_units(model, passes);
    model->copies = every(job->degrees.tensor, stage);
    model->expert_copies = every(holders, stage);
    model->apart = holders != job->degrees.tensor;
    model->shards = model->copies;
    model->outside = every(stage, stage);
    if (job->degrees.data_kind == CS_DATA_HYBRID_SHARD) {
        model->shards = in_node(&model->copies);
        model->outside = a_node_each(&model->copies);
    }
}

/* What the step is to be. */
struct answer {
    double calls_s, exposed_s;
    double updated;                          /* elements */
    double sent;                             /* bytes of a rank */
    double parameters, gradients, optimizer; /* bytes */
};

/* ---- gradients in buckets ---- */

struct queue {
    double end_s, sum_s;
};

static void enqueue(struct queue *queue, double ready_s, double seconds)
{
    queue->end_s = fmax(queue->end_s, ready_s) + seconds;
    queue->sum_s += seconds;
}

/* Tensors in the order of readiness, evenly over the backward pass of their block; a
 * bucket of 1 MiB, then of 25 MiB or more.  Experts' buckets are of other ranks. */
static struct queue buckets(const struct model *model, double share)
{
    double open[2] = {0}, limit[2] = {LIMIT_FIRST, LIMIT_FIRST}, now_s = 0;
    const struct ranks *ranks[2] = {&model->copies, &model->expert_copies};
    struct queue queue = {0};

    for (uint32_t u = model->count; u-- > 0;) {
        const struct unit *unit = &model->units[u];
        double all = tensors_of(unit->block, false) + tensors_of(unit->block, true);
        double done = 0;

        for (uint32_t t = unit->block->tensor_count; t-- > 0;) {
            double elements = (double)unit->block->tensors[t];
            bool expert = t >= unit->block->tensor_count - unit->block->expert_tensors;
            double divided = expert ? unit->experts / tensors_of(unit->block, true)
                                    : 1. / model->job->degrees.tensor;
            int lane = expert && model->apart;

            done += elements;
            open[lane] += elements * divided * model->width;
            if (open[lane] < limit[lane])
                continue;
            enqueue(&queue, now_s + unit->backward_s * done / all,
                    call_s(ranks[lane], share, open[lane]));
            open[lane] = 0;
            limit[lane] = LIMIT;
        }
        now_s += unit->backward_s;
    }
    for (int lane = 0; lane < 2; ++lane)
        enqueue(&queue, open[lane] > 0 ? now_s : 0, call_s(ranks[lane], share, open[lane]));
    return queue;
}

static void ask_buckets(const struct model *model, struct answer *answer)
{
    enum cs_data_kind kind = model->job->degrees.data_kind;
    struct queue queue = buckets(model, kind == CS_DATA_DDP ? 2 : 1);
    double times = kind == CS_DATA_ZERO2 ? model->job->degrees.accumulation : 1;
    double gather_s = 0;

    if (kind != CS_DATA_DDP) {
        double apart = model->apart ? model->experts : 0;

        gather_s =
            call_s(&model->copies, 1, (model->dense + model->experts - apart) * model->width) +
            call_s(&model->expert_copies, 1, apart * model->width);
    }
    answer->calls_s = times * queue.sum_s + gather_s;
    answer->exposed_s = times * fmax(0, queue.end_s - model->backward_s) + gather_s;
}

/* ---- sharded parameters ---- */

static double unit_call_s(const struct model *model, const struct unit *unit)
{
    double apart = model->apart ? unit->experts : 0;

    return call_s(&model->shards, 1, (unit->dense + unit->experts - apart) * model->width) +
           call_s(&model->expert_copies, 1, apart * model->width);
}

static double unit_sum_s(const struct model *model, const struct unit *unit)
{
    return call_s(&model->outside, 2,
                  (unit->dense + unit->experts) * model->width / model->shards.count);
}

/* One micro batch: the gather of a block waits for the calls before it and until the
 * block before the previous has run; on the way back the gather of the next block
 * starts with this block's pass, and the reduce-scatter follows it. */
static void shard_micro_batch(const struct model *model, bool last, struct answer *answer)
{
    struct queue calls = {0};
    double ends[UNITS_MOST + 2] = {0}, now_s = 0, gathered_s;
    double compute_s = model->forward_s + model->backward_s;

    for (uint32_t u = 0; u < model->count; ++u) {
        enqueue(&calls, u > 1 ? ends[u - 2] : 0, unit_call_s(model, &model->units[u]));
        now_s = fmax(now_s, calls.end_s) + model->units[u].forward_s;
        ends[u] = now_s;
    }
    gathered_s = now_s;
    for (uint32_t u = model->count; u-- > 0;) {
        const struct unit *unit = &model->units[u];

        now_s = fmax(now_s, gathered_s);
        if (u > 0) {
            enqueue(&calls, now_s, unit_call_s(model, unit - 1));
            gathered_s = calls.end_s;
        }
        now_s += unit->backward_s;
        enqueue(&calls, now_s, unit_call_s(model, unit) + (last ? unit_sum_s(model, unit) : 0));
    }
    answer->calls_s += calls.sum_s;
    answer->exposed_s += fmax(now_s, calls.end_s) - compute_s;
}

/* ---- volumes and states ---- */

static double ring(const struct ranks *ranks)
{
    return (ranks->count - 1.) / ranks->count;
}

/* Bytes of `elements` that `copies` have, and `shards` of them share. */
static double bytes_sent(const struct model *model, double elements, const struct ranks *copies,
                         const struct ranks *outside)
{
    double bytes = elements * model->width, micro = model->job->degrees.accumulation;

    switch (model->job->degrees.data_kind) {
    case CS_DATA_DDP:
    case CS_DATA_ZERO1:
        return 2 * ring(copies) * bytes;
    case CS_DATA_ZERO2:
        return (micro + 1) * ring(copies) * bytes;
    default:
        return 3 * micro * ring(copies) * bytes + 2 * ring(outside) * bytes / copies->count;
    }
}

static void add_states(const struct model *model, double elements, uint32_t shards,
                       struct answer *answer)
{
    enum cs_data_kind kind = model->job->degrees.data_kind;

    answer->parameters += 2 * elements / (kind >= CS_DATA_ZERO3 ? shards : 1);
    answer->gradients += 2 * elements / (kind >= CS_DATA_ZERO2 ? shards : 1);
    answer->optimizer += 4. * (model->job->model->optimizer_words + 1) * elements /
                         (kind >= CS_DATA_ZERO1 ? shards : 1);
    answer->updated += elements / (kind >= CS_DATA_ZERO1 ? shards : 1);
}

static struct answer ask(const struct model *model)
{
    struct ranks alone = every(1, 1);
    struct answer answer = {0};
    double apart = model->apart ? model->experts : 0;
    double rest = model->dense + model->experts - apart;

    if (model->job->degrees.data_kind >= CS_DATA_ZERO3)
        for (uint32_t m = 0; m < model->job->degrees.accumulation; ++m)
            shard_micro_batch(model, m + 1 == model->job->degrees.accumulation, &answer);
    else
        ask_buckets(model, &answer);
    answer.sent = bytes_sent(model, rest, &model->shards, &model->outside) +
                  bytes_sent(model, apart, &model->expert_copies, &alone);
    add_states(model, rest, model->shards.count, &answer);
    add_states(model, apart, model->expert_copies.count, &answer);
    return answer;
}

/* ---- random jobs ---- */

/* Degrees for a model with layers, some of experts; networks of images have data
 * parallel ranks alone. */
static void draw_job(struct train_job *trial, struct cs_random *random)
{
    static const char *const names[] = {"gpt2-small",   "llama2-7b", "bert-large",
                                        "mixtral-8x7b", "resnet50",  "vgg16"};
    struct cs_train_job *job = &trial->job;
    uint32_t tensor = 1, context = 1, data = train_draw_power(random, 5);

    train_job_open(trial, names[cs_random_below(random, sizeof(names) / sizeof(*names))], 1);
    train_job_no_overheads(trial);
    trial->parameters[CS_KERNEL_UNIT_HOST] = 200. * (double)cs_random_below(random, 2);
    if (trial->model.transformer.layers) {
        tensor = train_draw_power(random, 4);
        context = train_draw_power(random, 1);
    }
    train_job_machine(trial, tensor * context * data);
    job->library = &train_levels_library;
    job->degrees.tensor = tensor;
    job->degrees.context = context;
    job->degrees.data = data;
    job->degrees.sequence_parallel = tensor > 1 && cs_random_below(random, 2);
    if (trial->model.transformer.experts && cs_random_below(random, 2)) {
        job->degrees.sequence_parallel = tensor > 1;
        job->degrees.expert = train_draw_power(random, 3);
        job->degrees.expert_tensor = train_draw_power(random, 1);
    }
    job->degrees.micro_batch = train_draw_power(random, 3);
    job->degrees.accumulation = train_draw_power(random, 2);
    job->degrees.recompute = (enum cs_recompute)cs_random_below(random, 3);
    job->compute_scale = exp2((double)cs_random_below(random, 8) - 2);
}

/* ---- the property ---- */

static void compare(const struct cs_train_job *job, const struct cs_passes *passes)
{
    struct cs_train_step step = train_job_time(job);
    struct model *model = calloc(1, sizeof(*model));
    struct answer answer;
    const char *wrong = NULL;

    open_model(model, job, passes);
    answer = ask(model);
    if (!train_close(step.data_s, answer.calls_s))
        wrong = "seconds of calls";
    else if (!train_close(step.step_s,
                          job->degrees.accumulation * (model->forward_s + model->backward_s) +
                              answer.exposed_s + cs_passes_optimizer_s(passes, answer.updated)))
        wrong = "seconds of the step";
    else if (!train_close(cs_train_traffic_of(job).data, answer.sent))
        wrong = "bytes sent";
    else if (!train_close(step.parameter_bytes, answer.parameters) ||
             !train_close(step.gradient_bytes, answer.gradients) ||
             !train_close(step.optimizer_bytes, answer.optimizer))
        wrong = "bytes of states";
    if (wrong)
        fail_msg("%s: %s of %s, tp %u, cp %u, dp %u, ep %u, etp %u, %u micro batches: %g s of "
                 "calls, expected %g; step %g",
                 wrong, cs_data_kind_names[job->degrees.data_kind], job->model->name,
                 job->degrees.tensor, job->degrees.context, job->degrees.data, job->degrees.expert,
                 job->degrees.expert_tensor, job->degrees.accumulation, step.data_s, answer.calls_s,
                 step.step_s);
    free(model);
}

/* Systems and what their ranks share. */
static const struct {
    const char *name;
    enum cs_data_kind kind;
} systems[] = {
    {"ddp", CS_DATA_DDP},     {"zero1", CS_DATA_ZERO1}, {"zero2", CS_DATA_ZERO2},
    {"zero3", CS_DATA_ZERO3}, {"fsdp", CS_DATA_ZERO3},  {"hybrid-shard", CS_DATA_HYBRID_SHARD},
};

static bool compare_system(struct train_job *trial, size_t number)
{
    const struct cs_train_system *system;
    struct cs_train_job job = trial->job;
    struct cs_passes passes;

    assert_int_equal(cs_train_system_find(systems[number].name, &system, NULL), 0);
    cs_train_system_prepare(system, &job);
    assert_int_equal(job.degrees.data_kind, systems[number].kind);
    if (system->check(&job, NULL))
        return false;
    assert_int_equal(cs_passes_open(&job, &trial->arena, &passes, NULL), 0);
    compare(&job, &passes);
    return true;
}

TEST(shared_states_take_what_their_ranks_take)
{
    uint32_t compared[COUNT(systems)] = {0};

    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "sharding");
        CS_AT_END(train_job_close) struct train_job trial;

        draw_job(&trial, random);
        for (size_t s = 0; s < COUNT(systems); ++s)
            compared[s] += compare_system(&trial, s);
        cs_random_close(random);
    }
    for (size_t s = 0; s < COUNT(systems); ++s)
        assert_true(compared[s] > TRIALS / 4);
}

/* Sixteen tensor parallel ranks with four copies of each expert, and no data parallel
 * ranks. */
TRAIN_JOB_TEST(copies_of_experts_alone_are_summed)
{
    train_job_open(trial, "mixtral-8x7b", 1);
    train_job_no_overheads(trial);
    train_job_machine(trial, 16);
    trial->job.library = &train_levels_library;
    trial->job.degrees.tensor = 16;
    trial->job.degrees.data = 1;
    trial->job.degrees.sequence_parallel = true;
    trial->job.degrees.expert = trial->job.degrees.expert_tensor = 2;
    for (size_t s = 0; s + 1 < COUNT(systems); ++s)
        assert_true(compare_system(trial, s));
}
