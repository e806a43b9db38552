/* A timeline: threads and names, and the merging of too many spans. */
#include "reports/timeline/timeline.h"

#include "tests/fixture.h"

enum {
    PAIRS = CS_TIMELINE_SPANS_MAX * 2,
    LENGTH_PS = 90
};

/* Two threads and a name. */
static struct cs_timeline pair_of_threads(void)
{
    struct cs_timeline timeline = {.title = "pair"};
    uint32_t process = cs_timeline_process(&timeline, "node 0");

    (void)cs_timeline_thread(&timeline, process, "sends");
    (void)cs_timeline_thread(&timeline, process, "receives");
    (void)cs_timeline_name(&timeline, "send", "message");
    return timeline;
}

/* A message from thread 0 to thread 1. */
static void add_pair(struct cs_timeline *timeline, uint64_t from_ps)
{
    const struct cs_timeline_span leaves = {
        .from_ps = from_ps, .to_ps = from_ps + LENGTH_PS, .bytes = 7};
    struct cs_timeline_span arrives = leaves;

    arrives.thread = 1;
    cs_timeline_message(timeline, &leaves, &arrives);
}

TEST(spans_are_sorted_by_thread_and_time)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = pair_of_threads();

    add_pair(&timeline, 200);
    add_pair(&timeline, 100);
    cs_timeline_sort(&timeline);
    assert_int_equal(timeline.count.spans, 4);
    assert_int_equal(timeline.spans[0].from_ps, 100);
    assert_int_equal(timeline.spans[0].thread, 0);
    assert_int_equal(timeline.spans[0].count, 1);
    assert_int_equal(timeline.spans[3].from_ps, 200);
    assert_int_equal(timeline.spans[3].thread, 1);
    assert_int_equal(timeline.interval_ps, 0);
}

/* Whether each arrow has one end of each kind, and is below `arrows`. */
static void arrows_have_two_ends(const struct cs_timeline *timeline)
{
    uint8_t *ends = calloc(timeline->arrows + 1, 1);

    for (size_t i = 0; i < timeline->count.spans; i++) {
        const struct cs_timeline_span *span = &timeline->spans[i];

        if (span->end == CS_TIMELINE_NO_ARROW)
            continue;
        assert_true(span->arrow < timeline->arrows);
        ends[span->arrow] |= span->end == CS_TIMELINE_LEAVES ? 1 : 2;
    }
    for (uint32_t a = 0; a < timeline->arrows; a++)
        assert_int_equal(ends[a], 3);
    free(ends);
}

TEST(too_many_spans_merge_and_keep_their_sums)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = pair_of_threads();
    uint64_t count[2] = {0}, bytes[2] = {0};

    for (uint64_t i = 0; i < PAIRS; i++)
        add_pair(&timeline, i * 100);
    assert_true(timeline.count.spans <= CS_TIMELINE_SPANS_MAX);
    assert_true(timeline.interval_ps > 0);
    assert_int_equal(timeline.added, 2 * (uint64_t)PAIRS);
    cs_timeline_sort(&timeline);
    for (size_t i = 0; i < timeline.count.spans; i++) {
        const struct cs_timeline_span *span = &timeline.spans[i];

        count[span->thread] += span->count;
        bytes[span->thread] += span->bytes;
        assert_true(span->to_ps - span->from_ps <= timeline.interval_ps + LENGTH_PS);
    }
    for (int t = 0; t < 2; t++) {
        assert_int_equal(count[t], PAIRS);
        assert_int_equal(bytes[t], 7 * (uint64_t)PAIRS);
    }
    arrows_have_two_ends(&timeline);
}

TEST(spans_of_one_instant_merge_to_one_for_each_thread)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = pair_of_threads();

    for (uint64_t i = 0; i < CS_TIMELINE_SPANS_MAX / 2 + 1; i++)
        add_pair(&timeline, 5);
    assert_true(timeline.count.spans <= 6);
}

TEST(notes_are_few)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = {0};

    for (int i = 0; i < 2 * CS_TIMELINE_NOTES_MAX; i++)
        cs_timeline_note(&timeline, "note %d", i);
    assert_int_equal(timeline.count.notes, CS_TIMELINE_NOTES_MAX);
    assert_string_equal(timeline.notes[1], "note 1");
}
