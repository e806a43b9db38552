/*
 * Timelines of training steps, for random models, jobs and machines: spans of a
 * stream do not overlap, the timeline ends with the step, and slots of a pipeline
 * keep their order.
 */
#include "scenarios/train/stages/pipeline_slots.h"
#include "scenarios/train/timeline/stage_timeline.h"
#include "sim/base/text.h"
#include "tests/train_job.h"

enum {
    TRIALS = 120,
    STAGES_MAX = 8
};

typedef void property(struct cs_random *random);

static void each_trial(property *check)
{
    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "timeline");

        check(random);
        cs_random_close(random);
    }
}

/* ---- slots ---- */

struct slot_trial {
    struct cs_slot_plan plan;
    double forward_s[STAGES_MAX], backward_s[STAGES_MAX], send_s[STAGES_MAX];
    struct cs_slot *slots;
    double end_s;
};

static void open_slots(struct slot_trial *trial, struct cs_random *random, bool equal)
{
    static const enum cs_pipeline_schedule schedules[] = {CS_SCHEDULE_1F1B, CS_SCHEDULE_GPIPE,
                                                          CS_SCHEDULE_SERIAL};

    trial->plan = (struct cs_slot_plan){.stages = train_draw(random, 1, STAGES_MAX),
                                        .micro_batches = train_draw(random, 1, 20),
                                        .chunks = 1,
                                        .schedule = schedules[train_draw(random, 0, 2)],
                                        .forward_s = trial->forward_s,
                                        .backward_s = trial->backward_s,
                                        .send_s = trial->send_s};
    if (trial->plan.schedule == CS_SCHEDULE_1F1B && trial->plan.stages > 1)
        trial->plan.chunks = train_draw(random, 1, 4);
    if (trial->plan.chunks > 1)
        trial->plan.micro_batches = trial->plan.stages * train_draw(random, 1, 4);
    for (int s = 0; s < STAGES_MAX; ++s) {
        bool copy = equal && s > 0;

        trial->forward_s[s] = copy ? trial->forward_s[0] : 0.1 + cs_random_unit(random);
        trial->backward_s[s] = copy ? trial->backward_s[0] : 0.1 + cs_random_unit(random);
        trial->send_s[s] = 0;
        if (trial->plan.chunks > 1)
            trial->send_s[s] =
                copy ? trial->send_s[0]
                     : cs_random_unit(random) * fmin(trial->forward_s[s], trial->backward_s[s]);
    }
    trial->slots = calloc(cs_slot_count(&trial->plan), sizeof(*trial->slots));
    trial->end_s = cs_slots_fill(&trial->plan, trial->slots);
    assert_true(trial->end_s > 0);
}

/* The slot of a micro batch at a place of the model. */
static const struct cs_slot *slot_at(const struct slot_trial *trial, uint32_t micro, uint32_t place,
                                     bool backward)
{
    for (uint64_t i = 0; i < cs_slot_count(&trial->plan); ++i) {
        const struct cs_slot *slot = &trial->slots[i];

        if (slot->micro == micro && slot->backward == backward &&
            slot->chunk * trial->plan.stages + slot->stage == place)
            return slot;
    }
    fail_msg("no slot of micro batch %u at place %u", micro, place);
    return NULL;
}

static void check_slots(struct cs_random *random)
{
    struct slot_trial trial;
    uint32_t places, each;

    open_slots(&trial, random, false);
    places = trial.plan.stages * trial.plan.chunks;
    each = 2 * trial.plan.micro_batches * trial.plan.chunks;
    for (uint32_t m = 0; m < trial.plan.micro_batches; ++m)
        for (uint32_t p = 0; p + 1 < places; ++p) {
            assert_true(slot_at(&trial, m, p + 1, false)->start_s >=
                        slot_at(&trial, m, p, false)->end_s + trial.send_s[p % trial.plan.stages]);
            assert_true(slot_at(&trial, m, p, true)->start_s >=
                        slot_at(&trial, m, p + 1, true)->end_s +
                            trial.send_s[(p + 1) % trial.plan.stages]);
        }
    for (uint64_t i = 0; i < cs_slot_count(&trial.plan); ++i) {
        const struct cs_slot *slot = &trial.slots[i];
        const double *seconds = slot->backward ? trial.backward_s : trial.forward_s;
        uint64_t first = (uint64_t)slot->stage * each;

        assert_true(i >= first && i < first + each);
        assert_true(train_near(slot->end_s - slot->start_s, seconds[slot->stage]));
        if (i > first)
            assert_true(slot->start_s >= slot[-1].end_s);
        assert_true(slot->end_s <= trial.end_s);
    }
    free(trial.slots);
}

TEST(slots_keep_the_order_of_the_model)
{
    each_trial(check_slots);
}

/* Equal stages: sum t_i + (m - 1) max t_i, the fill divided by the chunks; of sends beside
 * passes, all of the first micro batch forward and of the last one back. */
static void check_equal_stages(struct cs_random *random)
{
    struct slot_trial trial;
    double slot_s, expected;
    uint32_t stages, chunks;

    open_slots(&trial, random, true);
    stages = trial.plan.stages;
    chunks = trial.plan.chunks;
    slot_s = chunks * (trial.forward_s[0] + trial.backward_s[0]);
    expected = trial.plan.micro_batches * slot_s + (stages - 1) * slot_s / chunks +
               2 * (stages * chunks - 1) * trial.send_s[0];
    if (trial.plan.schedule == CS_SCHEDULE_SERIAL)
        expected = trial.plan.micro_batches * stages * slot_s;
    if (!train_near(trial.end_s, expected))
        fail_msg("%u stages, %u micro batches, %u chunks: %g, not %g", stages,
                 trial.plan.micro_batches, chunks, trial.end_s, expected);
    free(trial.slots);
}

TEST(equal_stages_take_the_closed_form)
{
    each_trial(check_equal_stages);
}

/* Any number of micro batches has an order, interleaved too. */
static void check_any_count(struct cs_random *random)
{
    struct slot_trial trial;

    open_slots(&trial, random, false);
    free(trial.slots);
    trial.plan.schedule = CS_SCHEDULE_1F1B;
    trial.plan.chunks = train_draw(random, 1, 4);
    trial.plan.micro_batches = train_draw(random, 1, 20);
    trial.slots = calloc(cs_slot_count(&trial.plan), sizeof(*trial.slots));
    assert_true(cs_slots_fill(&trial.plan, trial.slots) > 0);
    free(trial.slots);
}

TEST(every_number_of_micro_batches_has_an_order)
{
    each_trial(check_any_count);
}

/* ---- steps ---- */

static int compare_spans(const void *left, const void *right)
{
    const struct cs_step_span *a = left, *b = right;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    return (a->from_s > b->from_s) - (a->from_s < b->from_s);
}

static double kind_s(const struct cs_step_timeline *timeline, uint32_t row, enum cs_span_kind kind)
{
    double sum = 0;

    for (uint32_t i = 0; i < timeline->count; ++i)
        if (timeline->spans[i].row == row && timeline->spans[i].kind == kind)
            sum += timeline->spans[i].to_s - timeline->spans[i].from_s;
    return sum;
}

static void check_spans(const char *system, struct cs_step_timeline *timeline,
                        const struct cs_train_step *step)
{
    qsort(timeline->spans, timeline->count, sizeof(*timeline->spans), compare_spans);
    for (uint32_t i = 0; i < timeline->count; ++i) {
        const struct cs_step_span *span = &timeline->spans[i];

        assert_true(span->from_s >= 0 && span->to_s > span->from_s);
        if (i && span->row == span[-1].row && span->stream == span[-1].stream &&
            span->from_s < span[-1].to_s - 1e-9 * step->step_s)
            fail_msg("%s: %s begins before the end of %s", system, span->name, span[-1].name);
    }
}

/* Systems without stages end with the step and expose what it exposes. */
/* Parts of each row add up to the end of the step. */
static void check_use(const char *name, const struct cs_step_timeline *timeline)
{
    for (uint32_t r = 0; r < timeline->rows; ++r) {
        struct cs_step_use use = cs_step_use_of(timeline, r);

        if (!train_near(use.compute_s + use.exposed_s + use.idle_s, timeline->end_s))
            fail_msg("%s: row %u has %.17g + %.17g + %.17g of %.17g", name, r, use.compute_s,
                     use.exposed_s, use.idle_s, timeline->end_s);
        assert_true(use.exposed_s <=
                    use.calls_s + kind_s(timeline, r, CS_SPAN_EXPOSED) + 1e-9 * timeline->end_s);
    }
}

static void check_flat(const struct cs_train_system *system, const struct cs_train_job *job)
{
    CS_AT_END(cs_step_timeline_free) struct cs_step_timeline timeline = {0};
    struct cs_train_step step;
    struct cs_err err = {0};
    int code;

    if (system->check(job, NULL) || system->time(job, &step, NULL))
        return;
    code = system->timeline ? system->timeline(job, &timeline, &err)
                            : cs_stage_timeline(job, &timeline, &err);
    if (code)
        fail_msg("%s: %s", system->name, err.text);
    check_spans(system->name, &timeline, &step);
    check_use(system->name, &timeline);
    if (job->degrees.pipeline == 1 && !train_near(timeline.end_s, step.step_s))
        fail_msg("%s ends at %.17g, not %.17g", system->name, timeline.end_s, step.step_s);
    if (job->degrees.pipeline == 1 && cs_same(timeline.row, "stage") &&
        job->degrees.data_kind < CS_DATA_ZERO3) {
        assert_true(fabs(kind_s(&timeline, 0, CS_SPAN_EXPOSED) - step.data_exposed_s) <=
                    1e-9 * step.step_s);
        assert_true(train_near(kind_s(&timeline, 0, CS_SPAN_FORWARD), step.forward_s));
        assert_true(train_near(kind_s(&timeline, 0, CS_SPAN_BACKWARD), step.backward_s));
    }
}

static void check_systems(struct cs_random *random)
{
    size_t model = cs_random_below(random, cs_train_model_count);
    CS_AT_END(train_job_close) struct train_job trial;

    train_job_open(&trial, cs_train_model_names[model], 1u << train_draw(random, 0, 5));
    trial.job.degrees.micro_batch = train_draw(random, 1, 16);
    trial.job.degrees.accumulation = train_draw(random, 1, 6);
    trial.job.degrees.recompute = (enum cs_recompute)train_draw(random, 0, 2);
    for (size_t s = 0; s < cs_train_system_count; ++s) {
        struct cs_train_job job = trial.job;

        if (cs_train_systems[s]->searches)
            continue;
        cs_train_system_prepare(cs_train_systems[s], &job);
        check_flat(cs_train_systems[s], &job);
    }
}

TEST(a_timeline_ends_with_the_step)
{
    each_trial(check_systems);
}
