/* The Inspector's objects: calls of several ranks, cut files, other records. */
#include "tests/fixture.h"
#include "tests/unit/validate/logs/text.h"

static const char calls[] =
    "{\"header\": {\"id\": \"0x1\", \"rank\": 0, \"n_ranks\": 8, \"nnodes\": 2}, \"metadata\": "
    "{\"inspector_output_format_version\": \"v4.0\"}, \"coll_perf\": {\"coll\": \"AllReduce\", "
    "\"coll_sn\": 1, \"coll_msg_size_bytes\": 1048576, \"coll_exec_time_us\": 60, "
    "\"coll_busbw_gbs\": 30.5}}\n"
    "{\n  \"header\": {\"n_ranks\": 8, \"nnodes\": 2},\n"
    "  \"coll_perf\": {\"coll\": \"AllReduce\", \"coll_msg_size_bytes\": 1048576, "
    "\"coll_exec_time_us\": 80, \"events\": [{\"coll\": \"Reduce\", \"coll_exec_time_us\": "
    "1}]}\n}\n"
    "{\"n_ranks\": 8, \"coll_perf\": {\"coll\": \"ReduceScatter\", \"coll_msg_size_bytes\": 1024, "
    "\"coll_exec_time_us\": 40.5}}\n"
    "{\"header\": {\"n_ranks\": 8}, \"p2p_perf\": {\"p2p\": \"Send\"}}\n"
    "{\"header\": {\"n_ranks\": 8}, \"dump_stats\": {\"dropped_total\": 0}}\n";

ARENA_TEST(a_size_has_the_mean_of_its_calls)
{
    struct cs_log log;

    assert_done(log_of(calls, arena, &log, &err));
    assert_string_equal(log.format, "nccl-inspector");
    assert_int_equal(log.table_count, 2);
    assert_ptr_equal(log.tables[0].collective, &cs_collective_allreduce);
    assert_int_equal(log.tables[0].ranks, 8);
    assert_int_equal(log.tables[0].row_count, 1);
    assert_int_equal(log.tables[0].rows[0].repeats, 2);
    assert_true(fabs(log.tables[0].rows[0].time_s - 70e-6) < 1e-12);
    assert_ptr_equal(log.tables[1].collective, &cs_collective_reducescatter);
    assert_int_equal(log.tables[1].rows[0].bytes, 8192);
    assert_int_equal(log.facts.nodes, 2);
}

/* Whatever the place of the cut, no call has another time or size. */
TEST(a_cut_leaves_whole_calls)
{
    char text[sizeof(calls)];

    for (size_t length = 1; length < sizeof(calls) - 1; length++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_log log;

        memcpy(text, calls, length);
        text[length] = '\0';
        if (!log_of(text, &arena, &log, NULL)) {
            double time_s = log.tables[0].rows[0].time_s;

            assert_int_equal(log.tables[0].rows[0].bytes, 1048576);
            assert_true(fabs(time_s - 60e-6) < 1e-12 || fabs(time_s - 70e-6) < 1e-12);
        }
    }
}

ARENA_TEST(calls_without_sense_are_counted)
{
    static const char text[] =
        "{\"header\": {\"n_ranks\": 1}, \"coll_perf\": {\"coll\": \"AllReduce\", "
        "\"coll_msg_size_bytes\": 4, \"coll_exec_time_us\": 1}}\n"
        "{\"header\": {\"n_ranks\": 2}, \"coll_perf\": {\"coll\": \"AllReduce\", "
        "\"coll_msg_size_bytes\": 4, \"coll_exec_time_us\": -1}}\n{\"header\": {\"n_ranks\": 2}, "
        "\"coll_perf\": {\"coll\": \"AllReduce\", \"coll_msg_size_bytes\": 8, "
        "\"coll_exec_time_us\": 9}}\n"
        "{\"header\": {\"n_ranks\": 2}, \"coll_perf\": {\"coll\": \"Mystery\", "
        "\"coll_msg_size_bytes\": 8, \"coll_exec_time_us\": 9}}\n";
    struct cs_log log;

    assert_int_equal(log_of(text, arena, &log, NULL), 0);
    assert_int_equal(log.tables[0].row_count, 1);
    assert_string_equal(log.notes[0], "2 calls are not whole, the first at line 1: left out");
    assert_string_equal(log.notes[1], "1 calls of other collectives are left out");
}
