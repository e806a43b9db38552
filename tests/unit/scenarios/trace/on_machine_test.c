#include "scenarios/trace/on_machine.h"
#include "tests/near.h"
#include "tests/unit/scenarios/trace/trace_text.h"
#include "topo/formats/source.h"

/* A trace on a machine with its library. */
struct replay {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_site site;
    struct cs_trace_machine on;
    struct cs_trace trace;
    struct cs_trace_rows rows;
    struct cs_err err;
    double call_s[2];
};

static void replay_open(struct replay *replay, const char *spec, const char *text)
{
    struct cs_topo_request request = {.spec = spec};
    uint32_t version;

    memset(replay, 0, sizeof(*replay));
    replay->on.site = &replay->site;
    if (cs_topo_open(&request, &replay->graph, &replay->arena, &replay->err) ||
        cs_site_read(&replay->graph, &replay->arena, &replay->site, &replay->err) ||
        cs_library_find("nccl", &replay->on.library, &version, &replay->err))
        fail_msg("%s", replay->err.text);
    trace_open(&replay->trace, text);
}

/* Predicts, in place of the last prediction. */
static void predict(struct replay *replay, int code)
{
    cs_trace_rows_free(&replay->rows);
    assert_int_equal(
        cs_trace_predict(&replay->trace, &replay->on, replay->call_s, &replay->rows, &replay->err),
        code);
}

static void replay_free(struct replay *replay)
{
    cs_trace_rows_free(&replay->rows);
    cs_trace_free(&replay->trace);
    cs_arena_free(&replay->arena);
}

#define OF(size, ranks, elements)                                                            \
    "\"In msg nelems\":" #elements ",\"Out msg nelems\":" #elements ",\"Group size\":" #size \
    ",\"dtype\":\"Float\","                                                                  \
    "\"Process Group Ranks\":\"" ranks "\""

/* A job of that many ranks. */
#define WORLD(ranks, calls)                             \
    "{\"distributedInfo\":{\"world_size\":" #ranks "}," \
    "\"traceEvents\":[" calls "]}"

#define ALL OF(8, "[0, 1, 2, 3, 4, 5, 6, 7]", 262144)

static double library_s(const struct replay *replay, uint64_t bytes)
{
    struct cs_library_time time;
    const struct cs_library_request request = {
        .site = &replay->site,
        .collective = cs_collective_find("all-reduce"),
        .bytes = bytes,
        .device_buffers = true,
        .effects = CS_EFFECTS_ALL,
    };

    assert_done(replay->on.library->time(&request, &time, &err));
    return time.total_s;
}

#define REPLAY_TEST(name) TEST_OF(struct replay, replay, replay_free, name)

REPLAY_TEST(a_group_of_all_ranks_has_the_time_of_the_library)
{
    const struct cs_trace_rows *rows = &replay->rows;

    replay_open(
        replay, "dgx-a100",
        "[" CALL(0, 30, 20, 1, "allreduce", ALL) "," CALL(40, 50, 20, 2, "allreduce", ALL) "]");
    predict(replay, 0);
    assert_true(replay->call_s[0] == library_s(replay, 1 << 20));
    assert_true(replay->call_s[1] == replay->call_s[0]);
    assert_int_equal(rows->count, 1);
    assert_int_equal(rows->rows[0].count, 2);
    assert_within(rows->rows[0].measured_s, 80e-6, 1e-12);
    assert_true(rows->rows[0].predicted_s == 2 * replay->call_s[0]);
}

/* Tensor parallelism of two inside of data parallelism of four: on sixteen
 * ranks data parallelism is eight, tensor parallelism stays. */
REPLAY_TEST(groups_that_span_the_job_grow_with_the_machine)
{
    const struct cs_trace_rows *rows = &replay->rows;

    replay_open(replay, "cluster:node=dgx-a100,nodes=2",
                WORLD(8, CALL(0, 90, 20, 1, "allreduce", OF(4, "[0, 2, 4, 6]", 1024)) "," CALL(
                             90, 10, 21, 2, "allreduce", OF(2, "[0, 1]", 512))));
    predict(replay, 0);
    assert_int_equal(rows->count, 2);
    assert_int_equal(rows->rows[0].measured_ranks, 4);
    assert_int_equal(rows->rows[0].ranks, 8);
    assert_int_equal(rows->rows[1].ranks, 2);
}

/* Ranks 7 and 8 are neighbours in different nodes. */
REPLAY_TEST(a_pair_across_nodes_meets_over_adapters)
{
    replay_open(replay, "cluster:node=dgx-a100,nodes=2",
                WORLD(16, CALL(0, 1, 20, 1, "allreduce", OF(2, "[0, 1]", 67108864)) "," CALL(
                              2, 1, 20, 2, "allreduce", OF(2, "[7, 8]", 67108864))));
    predict(replay, 0);
    assert_true(replay->call_s[1] > 3 * replay->call_s[0]);
}

REPLAY_TEST(groups_beyond_the_machine_are_errors)
{
    replay_open(replay, "dgx-a100",
                WORLD(64, CALL(0, 1, 20, 1, "allreduce", OF(16, "[0, 1, 2, ...]", 64))));
    predict(replay, CS_EINPUT);
    assert_string_equal(replay->err.text, "a group of the trace has 16 ranks, 1 apart, and the "
                                          "machine 8; give a machine of 64 ranks");
}

/* Ranks of a larger job that lie far apart: on a machine with fewer nodes they
 * lie as far apart as it has room. */
TEST(groups_with_gaps_fit_a_smaller_machine)
{
    static const char *const machines[] = {"dgx-a100", "cluster:node=dgx-a100,nodes=2"};

    for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++) {
        CS_AT_END(replay_free) struct replay replay;

        replay_open(&replay, machines[m],
                    WORLD(128, CALL(0, 1, 20, 1, "allreduce", OF(4, "[0, 1, 2, 99]", 1048576))));
        predict(&replay, 0);
        assert_true(replay.call_s[0] > 0 && replay.call_s[0] < 1e-3);
    }
}

/* Without a single call the prediction would be the measurement. */
REPLAY_TEST(a_library_that_serves_no_call_is_an_error)
{
    uint32_t version;

    replay_open(replay, "dgx-a100", "[" CALL(0, 30, 20, 1, "allreduce", ALL) "]");
    assert_int_equal(cs_library_find("hccl", &replay->on.library, &version, &replay->err), 0);
    predict(replay, CS_EINPUT);
    assert_string_equal(replay->err.text, "HCCL runs on Ascend NPUs; the machine has a100");
}

REPLAY_TEST(sizes_and_engine_may_be_others)
{
    replay_open(replay, "dgx-a100", "[" CALL(0, 30, 20, 1, "allreduce", ALL) "]");
    replay->on.size_scale = 0.5;
    predict(replay, 0);
    assert_true(replay->call_s[0] == library_s(replay, 1 << 19));
    replay->on.engine = "tree";
    predict(replay, 0);
    assert_string_equal(replay->rows.rows[0].engine, "tree");
    replay->on.engine = "tre";
    predict(replay, CS_EINPUT);
    assert_non_null(strstr(replay->err.text, "'tree'"));
}
