/* Logs: formats by their head, JSON, OSU, long lines and many rows. */

#include "tests/fixture.h"
#include "tests/unit/validate/logs/text.h"

static const char json_text[] =
    "{\"version\": \"2.17.6\", \"args\": [\"./build/reduce_scatter_perf\", \"-J\", \"a "
    "\\\"b\\\"\"],\n\"nccl_version\": 22703, \"devices\": [\n"
    "{\"rank\": 0, \"device_info\": \"NVIDIA H100\"}, {\"rank\": 1}],\n"
    "\"results\": [\n"
    "{\"size\": 2048, \"count\": 256, \"type\": \"float\", \"redop\": \"sum\", \"root\": "
    "\"-1\",\n\"out_of_place\": {\"time\": 20.5, \"alg_bw\": 0.1, \"bus_bw\": 0.05, \"nwrong\": "
    "\"0\"},\n\"in_place\": {\"time\": 21.5, \"alg_bw\": 0.1, \"bus_bw\": 0.05, \"nwrong\": 0}},\n"
    "{\"size\": 4096, \"count\": 512, \"type\": \"float\", \"redop\": \"sum\", \"root\": -1, "
    "\"out_of_place\": {\"time\": 30}}\n],\n"
    "\"average_bus_bandwidth\": {\"bandwidth\": 0.1}}\n";

ARENA_TEST(json_has_devices_version_and_rows)
{
    struct cs_log log;

    assert_done(log_of(json_text, arena, &log, &err));
    assert_string_equal(log.format, "nccl-tests-json");
    assert_int_equal(log.facts.version, 22703);
    assert_int_equal(log.table_count, 1);
    assert_ptr_equal(log.tables[0].collective, &cs_collective_reducescatter);
    assert_int_equal(log.tables[0].setup.devices, 2);
    assert_int_equal(log.tables[0].ranks, 2);
    assert_int_equal(log.tables[0].row_count, 2);
    assert_string_equal(log.tables[0].setup.device, "NVIDIA H100");
    assert_true(fabs(log.tables[0].rows[0].in_place_s - 21.5e-6) < 1e-12);
    assert_true(isnan(log.tables[0].rows[1].in_place_s));
    assert_int_equal(log.note_count, 0);
}

/* Whatever the place of the cut, no row has another time. */
TEST(json_cut_anywhere_keeps_whole_rows_alone)
{
    char text[sizeof(json_text)];

    for (size_t length = 1; length < sizeof(json_text) - 1; length++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_log log;

        memcpy(text, json_text, length);
        text[length] = '\0';
        if (!log_of(text, &arena, &log, NULL)) {
            assert_true(log.tables[0].row_count <= 2);
            assert_true(fabs(log.tables[0].rows[0].time_s - 20.5e-6) < 1e-12);
            if (log.tables[0].row_count == 2)
                assert_true(fabs(log.tables[0].rows[1].time_s - 30e-6) < 1e-12);
            assert_true(log.tables[0].is_closed || log.note_count > 0);
        }
    }
}

ARENA_TEST(osu_has_a_table_per_title)
{
    struct cs_log log;

    assert_done(log_of("# OSU MPI-CUDA Allreduce Latency Test v7.4\n"
                       "# Datatype: MPI_CHAR.\n"
                       "# Size       Avg Latency(us)   Min Latency(us)\n"
                       "4                      12.50             12.00\n"
                       "8                      13.00             12.00\n"
                       "16                     1\n\n"
                       "# OSU MPI Allgather Latency Test\n"
                       "# Size       Avg Latency(us)\n"
                       "1024                   50.00\n",
                       arena, &log, &err));
    assert_string_equal(log.format, "osu");
    assert_int_equal(log.table_count, 2);
    assert_ptr_equal(log.tables[0].collective, &cs_collective_allreduce);
    assert_int_equal(log.tables[0].row_count, 2);
    assert_int_equal(log.tables[0].broken, 1);
    assert_false(log.tables[0].sizes_of_rank);
    assert_ptr_equal(log.tables[1].collective, &cs_collective_allgather);
    assert_true(log.tables[1].sizes_of_rank);
    assert_int_equal(log.tables[1].ranks, 0);
}

ARENA_TEST(a_line_longer_than_the_buffer_is_no_row)
{
    const size_t length = 1 << 20;
    char *text = malloc(length + 256);
    struct cs_log log;

    assert_non_null(text);
    memset(text, 'x', length);
    snprintf(text + length, 256, "%s", "\n 1024 256 float sum -1 10.0 0.1 0.1 0 10.0 0.1 0.1 0\n");
    assert_done(log_of(text, arena, &log, &err));
    assert_int_equal(log.tables[0].row_count, 1);
    assert_int_equal(log.tables[0].rows[0].line, 2);
    free(text);
}

ARENA_TEST(sizes_beyond_the_limit_are_counted)
{
    char *text = malloc(1 << 20);
    char *at = text;
    struct cs_log log;

    assert_non_null(text);
    for (int i = 1; i <= CS_LOG_ROWS_MAX + 7; i++)
        at += sprintf(at, "%d %d float sum -1 9.0 0.1 0.1 0 9.0 0.1 0.1 0\n", 4 * i, i);
    assert_done(log_of(text, arena, &log, &err));
    assert_int_equal(log.tables[0].row_count, CS_LOG_ROWS_MAX);
    assert_non_null(strstr(log.notes[log.note_count - 1], "7 rows are left"));
    free(text);
}
