/* Bytes of records: what is packed comes back, and nothing of the caller's memory is
 * referred to. */

#include "reports/results/record.h"
#include "tests/unit/reports/sample.h"

ARENA_TEST(a_record_comes_back_with_rows_and_arrays)
{
    const uint64_t done_ps[4] = {1, 2, 3, 1ULL << 60};
    const double times[2] = {0.5, 1.5};
    const struct cs_record_job job = {.name = "other", .alone_ps = 7};
    struct cs_record run = sample_ring();
    struct cs_record back;
    CS_AT_END(cs_text_free) struct cs_text bytes = {0};
    CS_AT_END(cs_text_free) struct cs_text before = {0};
    CS_AT_END(cs_text_free) struct cs_text after = {0};

    run.ranks = 4;
    run.rank_done_ps = done_ps;
    run.spread.runs = 2;
    run.spread.times = times;
    run.jobs = &job;
    run.job_count = 1;
    cs_json_records(&run, 1, &before);
    cs_record_pack(&run, &bytes);
    assert_ptr_equal(cs_record_unpack(bytes.data, arena, &back), bytes.data + bytes.length);
    memset(bytes.data, 'x', bytes.length);
    cs_json_records(&back, 1, &after);
    assert_string_equal(cs_text_str(&after), cs_text_str(&before));
    assert_memory_equal(back.rank_done_ps, done_ps, sizeof(done_ps));
    assert_memory_equal(back.spread.times, times, sizeof(times));
}

ARENA_TEST(unknown_arrays_stay_unknown)
{
    CS_AT_END(cs_text_free) struct cs_text bytes = {0};
    struct cs_record back;

    cs_record_pack(&(struct cs_record){.ranks = 3}, &bytes);
    (void)cs_record_unpack(bytes.data, arena, &back);
    assert_int_equal(back.ranks, 3);
    assert_string_equal(back.topology, "");
    assert_null(back.rank_done_ps);
    assert_null(back.spread.times);
    assert_null(back.links);
}
