#include "scenarios/train/timeline/stage_timeline.h"

#include "scenarios/train/parallel/data_parallel.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/stages/pipeline_slots.h"

#include <math.h>
#include <stdio.h>

struct stage_drawing {
    const struct cs_passes *passes;
    const struct cs_train_step *step;
    const struct cs_train_log *log;
    struct cs_step_timeline *timeline;
    uint32_t row, micro;
    double tied_s; /* of a pipeline's first and last stage */
    bool by_units;
};

/* ---- passes ---- */

static void draw_part(const struct stage_drawing *drawing, enum cs_span_kind kind, double seconds,
                      const char *of, double *at_s)
{
    struct cs_step_span *span = cs_step_add(drawing->timeline, drawing->row, kind, at_s, seconds);

    if (!span)
        return;
    span->micro = drawing->micro;
    cs_step_name(span, "%s %s", cs_span_kind_names[kind], of);
}

/* A pass of a block or a stage, a share of it. */
static void draw_passage(const struct stage_drawing *drawing, enum cs_span_kind kind,
                         const struct cs_pass_part *part, double share, const char *of,
                         double *at_s)
{
    draw_part(drawing, kind, share * part->compute_s, of, at_s);
    draw_part(drawing, CS_SPAN_TENSOR, share * part->tensor_s, of, at_s);
    draw_part(drawing, CS_SPAN_EXPERT, share * part->expert_s, of, at_s);
    draw_part(drawing, CS_SPAN_CONTEXT, share * part->context_s, of, at_s);
}

static void draw_direction(const struct stage_drawing *drawing, const struct cs_pass *pass,
                           bool backward, double share, const char *of, double *at_s)
{
    if (backward) {
        draw_passage(drawing, CS_SPAN_RECOMPUTE, &pass->recompute, share, of, at_s);
        draw_passage(drawing, CS_SPAN_BACKWARD, &pass->backward, share, of, at_s);
    } else
        draw_passage(drawing, CS_SPAN_FORWARD, &pass->forward, share, of, at_s);
}

static void unit_name(const struct cs_train_model *model, uint32_t unit,
                      char name[CS_STEP_SPAN_NAME])
{
    const struct cs_train_block *block = &model->blocks[cs_train_unit_block(model, unit)];

    if (block->repeat > 1)
        (void)snprintf(name, CS_STEP_SPAN_NAME, "%.16s %u", block->name, unit - block->first);
    else
        (void)snprintf(name, CS_STEP_SPAN_NAME, "%.20s", block->name);
}

static void draw_units(const struct stage_drawing *drawing, bool backward, double *at_s)
{
    const struct cs_train_model *model = drawing->passes->job->model;
    uint32_t units = cs_train_model_units(model);
    char name[CS_STEP_SPAN_NAME];

    for (uint32_t i = 0; i < units; ++i) {
        uint32_t u = backward ? units - 1 - i : i;
        const struct cs_pass *pass = &drawing->passes->blocks[cs_train_unit_block(model, u)];

        unit_name(model, u, name);
        draw_direction(drawing, pass, backward, 1, name, at_s);
    }
}

static void draw_pass(const struct stage_drawing *drawing, bool backward, double *at_s)
{
    struct cs_stage all = {0, cs_train_model_units(drawing->passes->job->model)};
    struct cs_stage_time sum = cs_stage_sum(drawing->passes, &all);
    char name[CS_STEP_SPAN_NAME];

    if (drawing->by_units) {
        draw_units(drawing, backward, at_s);
        return;
    }
    (void)snprintf(name, sizeof(name), "%u", drawing->micro);
    draw_direction(drawing, &sum.pass, backward, 1, name, at_s);
}

/* ---- collectives of the log ---- */

static void draw_call(const struct stage_drawing *drawing, const struct cs_log_item *item,
                      double origin_s)
{
    double at_s = origin_s + item->begin_s;
    struct cs_step_span *span = cs_step_add(drawing->timeline, drawing->row, CS_SPAN_DATA, &at_s,
                                            item->end_s - item->begin_s);
    char unit[CS_STEP_SPAN_NAME];

    if (!span)
        return;
    span->bytes = item->bytes;
    span->micro = drawing->micro;
    if (item->ready_s > 0)
        span->ready_s = origin_s + item->ready_s;
    if (item->name) {
        cs_step_name(span, "%s", item->name);
    } else if (item->kind == CS_LOG_BUCKET) {
        cs_step_name(span, "bucket %u", item->number);
    } else if (item->kind == CS_LOG_GATHER || item->kind == CS_LOG_SCATTER) {
        unit_name(drawing->passes->job->model, item->number, unit);
        cs_step_name(span, "%s %s", item->kind == CS_LOG_GATHER ? "gather" : "reduce-scatter",
                     unit);
    } else {
        cs_step_name(span, "all-gather of parameters");
    }
}

/* The calls of a kind; the end of the last. */
static double draw_calls(const struct stage_drawing *drawing, enum cs_log_kind kind,
                         double origin_s)
{
    double end_s = origin_s;

    for (uint32_t i = 0; i < drawing->log->count; ++i)
        if (drawing->log->items[i].kind == kind) {
            draw_call(drawing, &drawing->log->items[i], origin_s);
            end_s = fmax(end_s, origin_s + drawing->log->items[i].end_s);
        }
    return end_s;
}

/* The wait for collectives up to `end_s`. */
static void draw_exposed(const struct stage_drawing *drawing, double end_s, double *at_s)
{
    struct cs_step_span *span =
        cs_step_add(drawing->timeline, drawing->row, CS_SPAN_EXPOSED, at_s, end_s - *at_s);

    if (span)
        span->micro = drawing->micro;
    cs_step_name(span, "exposed collectives");
}

static void draw_shard_pass(const struct stage_drawing *drawing, const struct cs_log_item *item,
                            double origin_s, double *at_s)
{
    bool forward = item->kind == CS_LOG_FORWARD;
    char unit[CS_STEP_SPAN_NAME];

    draw_exposed(drawing, origin_s + item->begin_s, at_s);
    unit_name(drawing->passes->job->model, item->number, unit);
    draw_part(drawing, forward ? CS_SPAN_FORWARD : CS_SPAN_BACKWARD, item->end_s - item->begin_s,
              unit, at_s);
}

/* A micro batch with sharded parameters, whose passes are in the log. */
static void draw_shards(const struct stage_drawing *drawing, bool last, double *at_s)
{
    double origin_s = *at_s, end_s = *at_s;

    for (uint32_t i = 0; i < drawing->log->count; ++i) {
        const struct cs_log_item *item = &drawing->log->items[i];

        if (item->last != last)
            continue;
        if (item->kind == CS_LOG_FORWARD || item->kind == CS_LOG_BACKWARD)
            draw_shard_pass(drawing, item, origin_s, at_s);
        else
            draw_call(drawing, item, origin_s);
        end_s = fmax(end_s, origin_s + item->end_s);
    }
    draw_exposed(drawing, end_s, at_s);
}

/* ---- a job without a pipeline ---- */

static bool shards_parameters(const struct cs_train_job *job)
{
    return cs_train_has_copies(job) && (job->degrees.data_kind == CS_DATA_ZERO3 ||
                                        job->degrees.data_kind == CS_DATA_HYBRID_SHARD);
}

static void draw_micro_batch(const struct stage_drawing *drawing, double *at_s)
{
    const struct cs_train_job *job = drawing->passes->job;
    bool last = drawing->micro + 1 == job->degrees.accumulation;
    double begin_s;

    if (shards_parameters(job)) {
        draw_shards(drawing, last, at_s);
        return;
    }
    draw_pass(drawing, false, at_s);
    begin_s = *at_s;
    draw_pass(drawing, true, at_s);
    if (last || job->degrees.data_kind == CS_DATA_ZERO2)
        draw_exposed(drawing, draw_calls(drawing, CS_LOG_BUCKET, begin_s), at_s);
}

/* Parts behind the passes. */
static void draw_end(const struct stage_drawing *drawing, double *at_s)
{
    struct cs_step_timeline *timeline = drawing->timeline;

    cs_step_name(cs_step_add(timeline, drawing->row, CS_SPAN_INTERFERENCE, at_s,
                             drawing->step->interference_s),
                 "slower beside collectives");
    cs_step_name(cs_step_add(timeline, drawing->row, CS_SPAN_JITTER, at_s, drawing->step->jitter_s),
                 "wait for the slowest rank");
    (void)cs_step_add(timeline, drawing->row, CS_SPAN_OPTIMIZER, at_s, drawing->step->optimizer_s);
    draw_exposed(drawing, draw_calls(drawing, CS_LOG_PARAMETERS, *at_s), at_s);
    cs_step_name(cs_step_add(timeline, drawing->row, CS_SPAN_HOST, at_s, drawing->step->input_s),
                 "wait for input");
}

/* The host's time before the passes. */
static double begin_s(const struct stage_drawing *drawing)
{
    return drawing->step->host_s - drawing->step->hooks_s;
}

static void draw_flat(struct stage_drawing *drawing)
{
    const struct cs_train_job *job = drawing->passes->job;
    double at_s = 0;

    drawing->by_units =
        2ULL * job->degrees.accumulation * cs_train_model_units(job->model) <= CS_STAGE_UNITS_DRAWN;
    (void)cs_step_add(drawing->timeline, 0, CS_SPAN_HOST, &at_s, begin_s(drawing));
    for (drawing->micro = 0; drawing->micro < job->degrees.accumulation; ++drawing->micro)
        draw_micro_batch(drawing, &at_s);
    draw_end(drawing, &at_s);
}

/* ---- a pipeline ---- */

struct stage_pipeline {
    struct stage_drawing *drawing;
    struct cs_slot_plan plan;
    struct cs_slot *slots;
    struct cs_stage_time *times; /* by stage */
    double *backward_s;          /* start of the last backward slot */
    double *end_s;
    double sends_s; /* of a slot, both directions and all chunks */
};

static double exposed_s(const struct stage_pipeline *pipeline, uint32_t stage)
{
    return cs_train_exposed_sends_s(pipeline->drawing->passes->job, &pipeline->times[stage].pass,
                                    pipeline->sends_s);
}

/* The number of the arrow to a slot. */
static uint32_t slot_arrow(const struct cs_slot_plan *plan, uint32_t place, uint32_t micro,
                           bool backward)
{
    return 1 + (micro * 2 + backward) * plan->stages * plan->chunks + place;
}

/* Arrows from the transfer of a slot to the pass of the next place. */
static void draw_slot_arrows(const struct stage_pipeline *pipeline, const struct cs_slot *slot,
                             uint32_t first)
{
    const struct cs_slot_plan *plan = &pipeline->plan;
    struct cs_step_timeline *timeline = pipeline->drawing->timeline;
    uint32_t places = plan->stages * plan->chunks;
    uint32_t place = slot->chunk * plan->stages + slot->stage;
    bool sends = slot->backward ? place > 0 : place + 1 < places;
    bool hidden = !(exposed_s(pipeline, slot->stage) > 0);

    if (plan->stages < 2 || first == timeline->count)
        return;
    if (slot->backward ? place + 1 < places : place > 0)
        timeline->spans[first].arrives = slot_arrow(plan, place, slot->micro, slot->backward);
    for (uint32_t i = first; sends && i < timeline->count; ++i)
        if (timeline->spans[i].kind == CS_SPAN_SEND || (hidden && i + 1 == timeline->count))
            timeline->spans[i].leaves = slot_arrow(plan, slot->backward ? place - 1 : place + 1,
                                                   slot->micro, slot->backward);
}

/* Whether a slot of the stage has a transfer: each end of it is busy.  In a serial
 * order, as in its step, the ends of the model have none. */
static bool slot_transfers(const struct cs_train_job *job, uint32_t stage, bool backward)
{
    return job->degrees.schedule != CS_SCHEDULE_SERIAL ||
           stage != (backward ? 0 : job->degrees.pipeline - 1);
}

/* Seconds of transfer and overhead of a direction, all chunks. */
static double slot_rest_s(const struct stage_pipeline *pipeline, uint32_t stage, bool backward)
{
    const struct cs_train_job *job = pipeline->drawing->passes->job;

    return (slot_transfers(job, stage, backward) ? exposed_s(pipeline, stage) / 2 : 0) +
           job->slot_overhead_s / 2;
}

static void draw_slot(const struct stage_pipeline *pipeline, const struct cs_slot *slot)
{
    struct stage_drawing *drawing = pipeline->drawing;
    const struct cs_train_job *job = drawing->passes->job;
    const struct cs_pass *pass = &pipeline->times[slot->stage].pass;
    double share = 1. / pipeline->plan.chunks, at_s = slot->start_s;
    uint32_t first = drawing->timeline->count;
    char name[CS_STEP_SPAN_NAME];
    struct cs_step_span *span;

    drawing->row = slot->stage;
    drawing->micro = slot->micro;
    if (job->degrees.chunks > 1)
        (void)snprintf(name, sizeof(name), "%u, chunk %u", slot->micro, slot->chunk);
    else
        (void)snprintf(name, sizeof(name), "%u", slot->micro);
    draw_direction(drawing, pass, slot->backward, share, name, &at_s);
    if (slot_transfers(job, slot->stage, slot->backward))
        draw_part(drawing, CS_SPAN_SEND, share * exposed_s(pipeline, slot->stage) / 2, name, &at_s);
    span = cs_step_add(drawing->timeline, drawing->row, CS_SPAN_HOST, &at_s,
                       share * job->slot_overhead_s / 2);
    cs_step_name(span, "slot overhead");
    draw_slot_arrows(pipeline, slot, first);
}

/* Seconds of the slots of a chunk, and of each send beside the slot that follows. */
static void plan_stage(struct stage_pipeline *pipeline, uint32_t s, double *forward_s,
                       double *backward_s, double *send_s)
{
    const struct cs_passes *passes = pipeline->drawing->passes;
    struct cs_stage stage = cs_stage_of(passes, s);

    pipeline->times[s] = cs_stage_sum(passes, &stage);
    forward_s[s] = (cs_pass_forward_s(&pipeline->times[s].pass) + slot_rest_s(pipeline, s, false)) /
                   pipeline->plan.chunks;
    backward_s[s] =
        (cs_pass_backward_s(&pipeline->times[s].pass) + slot_rest_s(pipeline, s, true)) /
        pipeline->plan.chunks;
    send_s[s] = (pipeline->sends_s - exposed_s(pipeline, s)) / 2 / pipeline->plan.chunks;
}

static int plan_slots(struct stage_pipeline *pipeline, struct cs_arena *arena, struct cs_err *err)
{
    const struct cs_train_job *job = pipeline->drawing->passes->job;
    uint32_t stages = job->degrees.pipeline;
    double *forward_s = cs_arena_alloc(arena, stages, sizeof(*forward_s));
    double *backward_s = cs_arena_alloc(arena, stages, sizeof(*backward_s));
    double *send_s = cs_arena_alloc(arena, stages, sizeof(*send_s));

    pipeline->plan = (struct cs_slot_plan){stages,
                                           job->degrees.accumulation,
                                           job->degrees.chunks,
                                           job->degrees.schedule,
                                           forward_s,
                                           backward_s,
                                           send_s};
    pipeline->times = cs_arena_alloc(arena, stages, sizeof(*pipeline->times));
    pipeline->end_s = cs_arena_alloc(arena, stages, sizeof(double));
    pipeline->backward_s = cs_arena_alloc(arena, stages, sizeof(double));
    pipeline->sends_s = cs_train_slot_sends_s(job);
    for (uint32_t s = 0; s < stages; ++s)
        plan_stage(pipeline, s, forward_s, backward_s, send_s);
    if (cs_slot_count(&pipeline->plan) > CS_STAGE_SLOTS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "the timeline would have %llu passes of micro batches, more than %d; "
                          "give a smaller --accumulation or --global-batch",
                          (unsigned long long)cs_slot_count(&pipeline->plan), CS_STAGE_SLOTS_MAX);
    pipeline->slots =
        cs_arena_alloc(arena, (size_t)cs_slot_count(&pipeline->plan), sizeof(struct cs_slot));
    (void)cs_slots_fill(&pipeline->plan, pipeline->slots);
    return 0;
}

static void draw_slots(struct stage_pipeline *pipeline, double begin_s)
{
    uint64_t count = cs_slot_count(&pipeline->plan);

    for (uint64_t i = 0; pipeline->slots && i < count; ++i) {
        struct cs_slot *slot = &pipeline->slots[i];

        slot->start_s += begin_s;
        slot->end_s += begin_s;
        draw_slot(pipeline, slot);
        pipeline->end_s[slot->stage] = slot->end_s;
        pipeline->backward_s[slot->stage] =
            slot->end_s - cs_data_passes(pipeline->drawing->passes->job) *
                              cs_pass_backward_s(&pipeline->times[slot->stage].pass);
    }
}

/* Collectives of a stage, beside or behind its last backward pass; those of blocks,
 * which a step counts once, as one span. */
static int draw_stage_data(struct stage_pipeline *pipeline, uint32_t s, double *at_s,
                           struct cs_err *err)
{
    struct stage_drawing *drawing = pipeline->drawing;
    struct cs_train_log *log = drawing->passes->job->log;
    struct cs_stage stage = cs_stage_of(drawing->passes, s);
    struct cs_data_time time;
    int code;

    log->count = 0;
    code = cs_data_parallel(drawing->passes, &stage, &time, err);
    if (code)
        return code;
    drawing->row = s;
    drawing->micro = pipeline->plan.micro_batches - 1;
    if (shards_parameters(drawing->passes->job)) {
        double call_s = *at_s;

        cs_step_name(cs_step_add(drawing->timeline, s, CS_SPAN_DATA, &call_s, time.exposed_s),
                     "gathers, reduce-scatters");
        draw_exposed(drawing, call_s, at_s);
    } else {
        draw_exposed(drawing, draw_calls(drawing, CS_LOG_BUCKET, pipeline->backward_s[s]), at_s);
    }
    if (s == 0 || s + 1 == drawing->passes->job->degrees.pipeline)
        cs_step_name(cs_step_add(drawing->timeline, s, CS_SPAN_DATA, at_s, drawing->tied_s),
                     "tied embedding");
    return 0;
}

static int draw_pipeline(struct stage_drawing *drawing, struct cs_err *err)
{
    struct stage_pipeline pipeline = {.drawing = drawing};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_train_log *log = drawing->log;
    int code = plan_slots(&pipeline, &arena, err);

    for (uint32_t i = 0; i < log->count; ++i)
        if (log->items[i].kind == CS_LOG_TIED)
            drawing->tied_s = log->items[i].end_s;

    if (!code)
        draw_slots(&pipeline, begin_s(drawing));
    for (uint32_t s = 0; s < drawing->passes->job->degrees.pipeline && !code; ++s) {
        double at_s = 0;

        (void)cs_step_add(drawing->timeline, s, CS_SPAN_HOST, &at_s, begin_s(drawing));
        at_s = pipeline.end_s[s];
        code = draw_stage_data(&pipeline, s, &at_s, err);
        draw_end(drawing, &at_s);
    }
    return code;
}

/* ---- all ---- */

int cs_stage_timeline(const struct cs_train_job *job, struct cs_step_timeline *timeline,
                      struct cs_err *err)
{
    CS_AT_END(cs_log_free) struct cs_train_log log = {0};
    struct cs_train_job logged = *job;
    struct cs_train_step step;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_passes passes;
    struct stage_drawing drawing = {
        .passes = &passes, .step = &step, .log = &log, .timeline = timeline};
    int code;

    timeline->row = "stage";
    logged.log = &log;
    code = cs_train_step_time(&logged, &step, err);
    if (!code)
        code = cs_passes_open(&logged, &arena, &passes, err);
    if (!code && job->degrees.pipeline > 1)
        code = draw_pipeline(&drawing, err);
    else if (!code)
        draw_flat(&drawing);
    return code;
}
