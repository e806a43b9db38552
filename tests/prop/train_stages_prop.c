/*
 * Stages of a pipeline against a model of its own: mp, pipeline in the order of GPipe
 * and 1F1B, interleaved, and hybrid, with tensor, context and data parallel ranks.
 *
 * Micro batches pass stages that serve one at a time, and results are sent over what
 * the numbers of the ranks show to lie between them; seconds of a unit are the
 * product's (passes.h).
 */
#include "scenarios/train/memory/traffic.h"
#include "scenarios/train/stages/passes.h"
#include "scenarios/train/stages/stage.h"

#include "sim/base/text.h"
#include "tests/train_job.h"

enum {
    TRIALS = 200,
    NODE = 8,
    STAGES_MOST = 8,
};

/* ---- the machine ---- */

static uint32_t stride_of(const struct cs_train_job *job)
{
    return job->degrees.tensor * job->degrees.context * job->degrees.data;
}

/* Every rank of a stage sends to the rank a stage further: over its GPU's link, or
 * where such a pair lies in two nodes over adapters, which those of a node share. */
static double send_s(const struct train_job *trial, double bytes)
{
    uint32_t ranks = trial->site.ranks, leave = 0;
    uint32_t stride = stride_of(&trial->job);
    double rate = trial->site.link_Bps;

    for (uint32_t r = 0; r < NODE && r < ranks; ++r)
        leave += ranks > NODE && (r + stride) / NODE != r / NODE;
    if (leave)
        rate = fmin(trial->site.node_Bps / leave, trial->site.adapter_Bps);
    return trial->parameters[CS_KERNEL_SEND_HOST] * 1e-6 +
           bytes / (rate * trial->parameters[CS_KERNEL_SEND_RATE]);
}

/* An all-reduce of data parallel ranks, or of a rank of the first stage and one of the
 * last. */
static double sum_s(uint32_t stride, uint32_t count, double bytes)
{
    uint32_t inside = 0;

    if (count < 2)
        return 0;
    for (uint32_t i = 0; i < count; ++i)
        inside += i * stride < NODE;
    return 2 * (count - 1.) / count * bytes / train_levels_Bps(inside < count ? 2 : 1, inside);
}

/* Elements that a rank hands on; of a network of images the most of a block. */
static double handed_on(const struct cs_train_job *job)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double most = 0;

    if (dims->layers)
        return job->degrees.micro_batch * dims->sequence * dims->hidden / job->degrees.context /
               job->degrees.tensor;
    for (uint32_t b = 0; b < job->model->block_count; ++b)
        most = fmax(most, job->model->blocks[b].output);
    return job->degrees.micro_batch * most;
}

/* ---- stages ---- */

struct stages {
    uint32_t count;
    double seconds[STAGES_MOST];   /* of a micro batch, without sends */
    double forward_s[STAGES_MOST]; /* of these */
    double parameters;             /* elements of the stage with the most */
};

static double part_s(const struct cs_pass_part *part)
{
    return part->compute_s + part->tensor_s + part->context_s;
}

/* Embedding and head beside equal numbers of layers. */
static void check_layers(const struct cs_train_job *job, const struct cs_stage *stage,
                         uint32_t index)
{
    uint32_t layers = job->model->transformer.layers;
    uint32_t units = stage->end - stage->begin;

    if (!layers || layers % job->degrees.pipeline)
        return;
    units -= index == 0;
    units -= index + 1 == job->degrees.pipeline;
    assert_int_equal(units, layers / job->degrees.pipeline);
}

static struct stages stages_of(const struct cs_passes *passes)
{
    const struct cs_train_job *job = passes->job;
    const struct cs_transformer *dims = &job->model->transformer;
    struct stages stages = {.count = job->degrees.pipeline};

    for (uint32_t s = 0; s < stages.count; ++s) {
        struct cs_stage stage = cs_stage_of(passes, s);
        double parameters = 0;
        uint32_t unit = 0;

        check_layers(job, &stage, s);
        for (uint32_t b = 0; b < job->model->block_count; ++b)
            for (uint32_t r = 0; r < job->model->blocks[b].repeat; ++r, ++unit)
                if (unit >= stage.begin && unit < stage.end) {
                    const struct cs_pass *pass = &passes->blocks[b];

                    stages.forward_s[s] += part_s(&pass->forward);
                    stages.seconds[s] +=
                        part_s(&pass->forward) + part_s(&pass->recompute) + part_s(&pass->backward);
                    parameters += cs_train_block_parameters(&job->model->blocks[b]);
                }
        if (dims->tied && s + 1 == stages.count) /* a copy of the words */
            parameters += (double)dims->vocabulary * dims->hidden;
        stages.parameters = fmax(stages.parameters, parameters / job->degrees.tensor);
    }
    return stages;
}

/* One micro batch at a time through all stages: each border once forward and once
 * back. */
static double in_turn_s(const struct cs_train_job *job, const struct stages *stages,
                        double one_send_s)
{
    double micro_batch_s = 0;

    for (uint32_t s = 0; s < stages->count; ++s) {
        micro_batch_s += stages->seconds[s] + job->slot_overhead_s;
        if (s)
            micro_batch_s += 2 * one_send_s;
    }
    return job->degrees.accumulation * micro_batch_s;
}

/* Micro batches behind one another, each with its sends. */
static double flow_s(const struct cs_train_job *job, const struct stages *stages, double one_send_s)
{
    double end_s[STAGES_MOST] = {0};

    for (uint32_t m = 0; m < job->degrees.accumulation; ++m)
        for (uint32_t s = 0; s < stages->count; ++s)
            end_s[s] = fmax(end_s[s], s ? end_s[s - 1] : 0) + stages->seconds[s] + 2 * one_send_s +
                       job->slot_overhead_s;
    return end_s[stages->count - 1];
}

/* ---- interleaved 1F1B, pass by pass ---- */

enum {
    CHUNKS = 2,
    MICRO_MOST = 12 * STAGES_MOST,
    PLACES_MOST = CHUNKS * STAGES_MOST,
};

struct chunk_slot {
    uint32_t back, micro, chunk;
};

struct chunk_events {
    uint32_t stages, slots; /* of a direction and a stage */
    double send_s, pass_s[2][STAGES_MOST];
    double arrival_s[2][MICRO_MOST][PLACES_MOST]; /* negative: not yet */
    double free_s[STAGES_MOST], port_s[STAGES_MOST];
    uint32_t next[STAGES_MOST];
};

/* The i-th pass forward or back: a group of as many micro batches as stages, chunk after
 * chunk, back from the last. */
static struct chunk_slot chunk_slot_of(const struct chunk_events *events, uint32_t i, uint32_t back)
{
    uint32_t group = i / (events->stages * CHUNKS), chunk = i / events->stages % CHUNKS;

    return (struct chunk_slot){back, group * events->stages + i % events->stages,
                               back ? CHUNKS - 1 - chunk : chunk};
}

/* The n-th pass of a stage: 2 (p - s - 1) + (v - 1) p forward ahead, then one forward and
 * one back in turn, then those back that are left. */
static struct chunk_slot nth_pass(const struct chunk_events *events, uint32_t stage, uint32_t n)
{
    uint32_t ahead = 2 * (events->stages - stage - 1) + (CHUNKS - 1) * events->stages;

    if (ahead > events->slots)
        ahead = events->slots;
    if (n < ahead)
        return chunk_slot_of(events, n, 0);
    if (n >= 2 * events->slots - ahead)
        return chunk_slot_of(events, n - events->slots, 1);
    return chunk_slot_of(events, (n - ahead) % 2 ? (n - ahead) / 2 : ahead + (n - ahead) / 2,
                         (n - ahead) % 2);
}

/* Runs the next pass of a stage where its input has arrived, and sends the result over the
 * stage's port behind what that sends; false where it waits. */
static bool run_pass(struct chunk_events *events, uint32_t stage)
{
    struct chunk_slot slot = nth_pass(events, stage, events->next[stage]);
    uint32_t place = slot.chunk * events->stages + stage, last = events->stages * CHUNKS - 1;
    double arrival_s = events->arrival_s[slot.back][slot.micro][place];
    double end_s = fmax(events->free_s[stage], arrival_s) + events->pass_s[slot.back][stage];

    if (arrival_s < 0)
        return false;
    events->free_s[stage] = end_s;
    events->next[stage]++;
    if (place == last && !slot.back) {
        events->arrival_s[1][slot.micro][place] = end_s;
    } else if (slot.back ? place > 0 : place < last) {
        events->port_s[stage] = fmax(events->port_s[stage], end_s) + events->send_s;
        events->arrival_s[slot.back][slot.micro][slot.back ? place - 1 : place + 1] =
            events->port_s[stage];
    }
    return true;
}

static double run_chunks(struct chunk_events *events)
{
    double end_s = 0;
    bool moved = true;

    while (moved) {
        moved = false;
        for (uint32_t s = 0; s < events->stages; ++s)
            while (events->next[s] < 2 * events->slots && run_pass(events, s))
                moved = true;
    }
    for (uint32_t s = 0; s < events->stages; ++s) {
        assert_int_equal(events->next[s], 2 * events->slots);
        end_s = fmax(end_s, events->free_s[s]);
    }
    return end_s;
}

static double chunked_s(const struct cs_train_job *job, const struct stages *stages,
                        double one_send_s)
{
    struct chunk_events events = {
        .stages = stages->count, .slots = job->degrees.accumulation * CHUNKS, .send_s = one_send_s};

    for (uint32_t m = 0; m < job->degrees.accumulation; ++m)
        for (uint32_t p = 0; p < stages->count * CHUNKS; ++p) {
            events.arrival_s[0][m][p] = p ? -1 : 0;
            events.arrival_s[1][m][p] = -1;
        }
    for (uint32_t s = 0; s < stages->count; ++s) {
        double rest_s = job->slot_overhead_s / 2;

        events.pass_s[0][s] = (stages->forward_s[s] + rest_s) / CHUNKS;
        events.pass_s[1][s] = (stages->seconds[s] - stages->forward_s[s] + rest_s) / CHUNKS;
    }
    return run_chunks(&events);
}

/* ---- random jobs ---- */

static void draw_job(struct train_job *trial, struct cs_random *random)
{
    static const char *const names[] = {"gpt2-small", "llama2-7b", "bert-large", "resnet50",
                                        "vgg16"};
    struct cs_train_job *job = &trial->job;
    uint32_t stages = 2 + (uint32_t)cs_random_below(random, 7);
    uint32_t tensor = 1, context = 1, data = train_draw_power(random, 3);

    train_job_open(trial, names[cs_random_below(random, sizeof(names) / sizeof(*names))], 1);
    train_job_no_overheads(trial);
    trial->parameters[CS_KERNEL_SEND_HOST] = (double)cs_random_below(random, 10);
    if (trial->model.transformer.layers) {
        tensor = train_draw_power(random, 2);
        context = train_draw_power(random, 1);
    }
    train_job_machine(trial, tensor * context * data * stages);
    trial->site.node_Bps *= exp2((double)cs_random_below(random, 5) - 3);
    job->library = &train_levels_library;
    job->degrees.tensor = tensor;
    job->degrees.context = context;
    job->degrees.data = data;
    job->degrees.pipeline = stages;
    job->degrees.micro_batch = train_draw_power(random, 3);
    job->degrees.accumulation = 1 + (uint32_t)cs_random_below(random, 12);
    job->slot_overhead_s = 1e-4 * (double)cs_random_below(random, 3);
    job->compute_scale = exp2((double)cs_random_below(random, 10) - 8);
}

/* ---- the property ---- */

/* Gradients of the largest stage after the passes, and those of tied words in the first
 * stage and the last. */
static double sums_s(const struct cs_train_job *job, const struct stages *stages, double width)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double words = dims->tied ? (double)dims->vocabulary * dims->hidden / job->degrees.tensor : 0;

    return sum_s(job->degrees.tensor, job->degrees.context * job->degrees.data,
                 stages->parameters * width) +
           sum_s(stride_of(job) * (job->degrees.pipeline - 1), 2, words * width);
}

/* What the unit before a stage hands on, there and back: the bytes of all borders over
 * their number are what a rank of a chain sends. */
static void compare_sent(struct train_job *trial)
{
    const struct cs_train_job *job = &trial->job;
    struct cs_train_traffic traffic = cs_train_traffic_of(job);
    double outputs = 0, sent = 0;
    struct cs_passes passes;

    assert_int_equal(cs_passes_open(job, &trial->arena, &passes, NULL), 0);

    for (uint32_t s = 1; s < job->degrees.pipeline; ++s) {
        uint32_t begin = cs_stage_of(&passes, s).begin, unit = 0;

        for (uint32_t b = 0; b < job->model->block_count; ++b)
            for (uint32_t r = 0; r < job->model->blocks[b].repeat; ++r)
                outputs += ++unit == begin ? job->model->blocks[b].output : 0;
    }
    for (uint32_t i = 0; i < traffic.stream_count; ++i)
        sent += traffic.streams[i].pattern == CS_STREAM_CHAIN ? traffic.streams[i].bytes : 0;
    assert_true(train_close(sent * (job->degrees.pipeline - 1),
                            2 * outputs * job->degrees.micro_batch * job->degrees.accumulation * 2 /
                                job->degrees.context / job->degrees.tensor));
}

typedef double stages_time(const struct cs_train_job *job, const struct stages *stages,
                           double one_send_s);

/* Of the closed form over the time of the passes as they run. */
struct ratio_range {
    double least, most;
};

static const struct ratio_range same = {1, 1};

static double ratio_of(struct train_job *trial, const char *system, stages_time *time)
{
    const struct cs_train_job *job = &trial->job;
    double width = cs_same(system, "hybrid") ? 4 : 2;
    struct cs_train_step step = train_job_step(trial, system);
    struct cs_passes passes;
    struct stages stages;
    double passes_s, sum;

    assert_int_equal(cs_passes_open(job, &trial->arena, &passes, NULL), 0);
    stages = stages_of(&passes);
    passes_s = time(job, &stages, send_s(trial, 2 * handed_on(job)));
    sum = sums_s(job, &stages, width);
    assert_true(train_close(step.data_s, sum));
    return (step.step_s - sum - cs_passes_optimizer_s(&passes, stages.parameters)) / passes_s;
}

static void check_ratio(const struct train_job *trial, const char *system, double ratio,
                        struct ratio_range range)
{
    const struct cs_train_degrees *degrees = &trial->job.degrees;

    if (ratio < range.least - 1e-6 || ratio > range.most + 1e-6)
        fail_msg("%s of %s, tp %u, cp %u, dp %u, pp %u, %u chunks, %u micro batches: %g of the "
                 "time of its passes, expected %g to %g",
                 system, trial->job.model->name, degrees->tensor, degrees->context, degrees->data,
                 degrees->pipeline, degrees->chunks, degrees->accumulation, ratio, range.least,
                 range.most);
}

static void compare(struct train_job *trial, const char *system, stages_time *time)
{
    check_ratio(trial, system, ratio_of(trial, system, time), same);
}

static bool taken(const struct train_job *trial)
{
    return !cs_train_job_check(&trial->job, NULL);
}

/* Micro batches in whole groups. */
static void chunk(struct train_job *trial)
{
    trial->job.degrees.chunks = CHUNKS;
    trial->job.degrees.accumulation *= trial->job.degrees.pipeline;
}

TEST(stages_take_what_their_order_takes)
{
    uint32_t compared = 0;

    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "stages");
        CS_AT_END(train_job_close) struct train_job trial;

        draw_job(&trial, random);
        if (taken(&trial)) {
            compare(&trial, "mp", in_turn_s);
            compare(&trial, "hybrid", flow_s);
            compare(&trial, "pipeline", flow_s);
            compare_sent(&trial);
            trial.job.degrees.schedule = CS_SCHEDULE_GPIPE;
            compare(&trial, "pipeline", flow_s);
            compared++;
        }
        cs_random_close(random);
    }
    assert_true(compared > TRIALS / 2);
}

/* The closed form is not exact for stages that differ, nor where sends take longer than
 * passes: a third more of two stages.  Three seeds gave .992 to 1.338. */
static const struct ratio_range near = {.99, 1.35}, above = {1, 1.35};

TEST(chunks_of_any_stages_take_about_what_their_passes_take)
{
    uint32_t compared = 0;

    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "stages");
        CS_AT_END(train_job_close) struct train_job trial;

        draw_job(&trial, random);
        chunk(&trial);
        if (taken(&trial)) {
            check_ratio(&trial, "pipeline", ratio_of(&trial, "pipeline", chunked_s), near);
            compared++;
        }
        cs_random_close(random);
    }
    assert_true(compared > TRIALS / 20);
}

/* One block, again and again. */
static void make_equal(struct train_job *trial, struct cs_random *random)
{
    struct cs_train_model *model = &trial->model;
    struct cs_train_block *block = cs_arena_alloc(&trial->arena, 1, sizeof(*block));

    *block = model->blocks[cs_random_below(random, model->block_count)];
    block->first = 0;
    block->repeat =
        trial->job.degrees.pipeline * CHUNKS * (1 + (uint32_t)cs_random_below(random, 3));
    model->blocks = block;
    model->block_count = 1;
}

/* Whether each send ends beside a pass of the other direction. */
static bool hides_sends(struct train_job *trial)
{
    double each_s = send_s(trial, 2 * handed_on(&trial->job));
    struct cs_passes passes;
    struct stages stages;

    assert_int_equal(cs_passes_open(&trial->job, &trial->arena, &passes, NULL), 0);
    stages = stages_of(&passes);
    return CHUNKS * each_s <= fmin(stages.forward_s[0], stages.seconds[0] - stages.forward_s[0]) +
                                  trial->job.slot_overhead_s / 2;
}

TEST(chunks_of_equal_stages_take_what_their_passes_take)
{
    uint32_t exact = 0, exposed = 0;

    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "equal stages");
        CS_AT_END(train_job_close) struct train_job trial;

        draw_job(&trial, random);
        chunk(&trial);
        if (!trial.model.transformer.layers) {
            bool hides;

            make_equal(&trial, random);
            hides = hides_sends(&trial);
            check_ratio(&trial, "pipeline", ratio_of(&trial, "pipeline", chunked_s),
                        hides ? same : above);
            exact += hides;
            exposed += !hides;
        }
        cs_random_close(random);
    }
    assert_true(exact > TRIALS / 20 && exposed > TRIALS / 20);
}
