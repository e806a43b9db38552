#include "scenarios/trace/on_machine.h"
#include "tests/unit/scenarios/trace/trace_text.h"
#include "topo/formats/source.h"

struct machine {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_site site;
    struct cs_trace_machine on;
};

static void machine_open(struct machine *machine, const char *spec)
{
    struct cs_topo_request request = {.spec = spec};
    struct cs_err err = {0};
    uint32_t version;

    memset(machine, 0, sizeof(*machine));
    machine->on.site = &machine->site;
    if (cs_topo_open(&request, &machine->graph, &machine->arena, &err) ||
        cs_site_read(&machine->graph, &machine->arena, &machine->site, &err) ||
        cs_library_find("nccl", &machine->on.library, &version, &err))
        fail_msg("%s", err.text);
}

#define OF(size, ranks, elements)                                   \
    "\"In msg nelems\":" #elements ",\"Out msg nelems\":" #elements \
    ",\"Group size\":" #size ",\"dtype\":\"Float\","                \
    "\"Process Group Ranks\":\"" ranks "\""

static double library_s(const struct machine *machine, uint64_t bytes)
{
    struct cs_library_time time;
    struct cs_err err = {0};
    const struct cs_library_request request = {
        .site = &machine->site,
        .collective = cs_collective_find("all-reduce"),
        .bytes = bytes,
        .device_buffers = true,
        .effects = CS_EFFECTS_ALL,
    };

    assert_int_equal(machine->on.library->time(&request, &time, &err), 0);
    return time.total_s;
}

static void a_group_of_all_ranks_has_the_time_of_the_library(void **state)
{
    struct machine machine;
    struct cs_trace trace;
    struct cs_trace_rows rows;
    struct cs_err err = {0};
    double call_s[2];

    (void)state;
    machine_open(&machine, "dgx-a100");
    trace_open(&trace,
               "[" CALL(0, 30, 20, 1, "allreduce",
                        OF(8, "[0, 1, 2, 3, 4, 5, 6, 7]",
                           262144)) "," CALL(40, 50, 20, 2, "allreduce",
                                             OF(8, "[0, 1, 2, 3, 4, 5, 6, 7]",
                                                262144)) "]");
    assert_int_equal(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err),
                     0);
    assert_true(call_s[0] == library_s(&machine, 1 << 20));
    assert_true(call_s[1] == call_s[0]);
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.rows[0].count, 2);
    assert_float_equal(rows.rows[0].measured_s, 80e-6, 1e-12);
    assert_true(rows.rows[0].predicted_s == 2 * call_s[0]);
    cs_trace_rows_free(&rows);
    cs_trace_free(&trace);
    cs_arena_free(&machine.arena);
}

/* Tensor parallelism of two inside of data parallelism of four: on sixteen
 * ranks data parallelism is eight, tensor parallelism stays. */
static void groups_that_span_the_job_grow_with_the_machine(void **state)
{
    struct machine machine;
    struct cs_trace trace;
    struct cs_trace_rows rows;
    struct cs_err err = {0};
    double call_s[2];

    (void)state;
    machine_open(&machine, "cluster:node=dgx-a100,nodes=2");
    trace_open(&trace, "{\"distributedInfo\":{\"world_size\":8},"
                       "\"traceEvents\":[" CALL(
                           0, 90, 20, 1, "allreduce",
                           OF(4, "[0, 2, 4, 6]",
                              1024)) "," CALL(90, 10, 21, 2, "allreduce",
                                              OF(2, "[0, 1]", 512)) "]}");
    assert_int_equal(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err),
                     0);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.rows[0].measured_ranks, 4);
    assert_int_equal(rows.rows[0].ranks, 8);
    assert_int_equal(rows.rows[1].ranks, 2);
    cs_trace_rows_free(&rows);
    cs_trace_free(&trace);
    cs_arena_free(&machine.arena);
}

/* Ranks 7 and 8 are neighbours in different nodes. */
static void a_pair_across_nodes_meets_over_adapters(void **state)
{
    struct machine machine;
    struct cs_trace trace;
    struct cs_trace_rows rows;
    struct cs_err err = {0};
    double call_s[2];

    (void)state;
    machine_open(&machine, "cluster:node=dgx-a100,nodes=2");
    trace_open(&trace,
               "{\"distributedInfo\":{\"world_size\":16},"
               "\"traceEvents\":[" CALL(
                   0, 1, 20, 1, "allreduce",
                   OF(2, "[0, 1]", 67108864)) "," CALL(2, 1, 20, 2, "allreduce",
                                                       OF(2, "[7, 8]",
                                                          67108864)) "]}");
    assert_int_equal(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err),
                     0);
    assert_true(call_s[1] > 3 * call_s[0]);
    cs_trace_rows_free(&rows);
    cs_trace_free(&trace);
    cs_arena_free(&machine.arena);
}

static void groups_beyond_the_machine_are_errors(void **state)
{
    struct machine machine;
    struct cs_trace trace;
    struct cs_trace_rows rows;
    struct cs_err err = {0};
    double call_s[1];

    (void)state;
    machine_open(&machine, "dgx-a100");
    trace_open(&trace,
               "{\"distributedInfo\":{\"world_size\":64},"
               "\"traceEvents\":[" CALL(0, 1, 20, 1, "allreduce",
                                        OF(16, "[0, 1, 2, ...]", 64)) "]}");
    assert_int_equal(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err),
                     CS_EINPUT);
    assert_string_equal(err.text,
                        "a group of the trace has 16 ranks, 1 apart, and the "
                        "machine 8; give a machine of 64 ranks");
    cs_trace_rows_free(&rows);
    cs_trace_free(&trace);
    cs_arena_free(&machine.arena);
}

/* Ranks of a larger job that lie far apart: on a machine with fewer nodes they
 * lie as far apart as it has room. */
static void groups_with_gaps_fit_a_smaller_machine(void **state)
{
    static const char *const machines[] = {"dgx-a100",
                                           "cluster:node=dgx-a100,nodes=2"};

    (void)state;
    for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++) {
        struct machine machine;
        struct cs_trace trace;
        struct cs_trace_rows rows;
        struct cs_err err = {0};
        double call_s[1];

        machine_open(&machine, machines[m]);
        trace_open(&trace, "{\"distributedInfo\":{\"world_size\":128},"
                           "\"traceEvents\":[" CALL(
                               0, 1, 20, 1, "allreduce",
                               OF(4, "[0, 1, 2, 99]", 1048576)) "]}");
        assert_int_equal(
            cs_trace_predict(&trace, &machine.on, call_s, &rows, &err), 0);
        assert_true(call_s[0] > 0 && call_s[0] < 1e-3);
        cs_trace_rows_free(&rows);
        cs_trace_free(&trace);
        cs_arena_free(&machine.arena);
    }
}

/* Without a single call the prediction would be the measurement. */
static void a_library_that_serves_no_call_is_an_error(void **state)
{
    struct machine machine;
    struct cs_trace trace;
    struct cs_trace_rows rows;
    struct cs_err err = {0};
    double call_s[1];
    uint32_t version;

    (void)state;
    machine_open(&machine, "dgx-a100");
    assert_int_equal(
        cs_library_find("hccl", &machine.on.library, &version, &err), 0);
    trace_open(&trace, "[" CALL(0, 30, 20, 1, "allreduce",
                                OF(8, "[0, 1, 2, 3, 4, 5, 6, 7]", 262144)) "]");
    assert_true(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err) < 0);
    assert_string_equal(err.text,
                        "HCCL runs on Ascend NPUs; the machine has a100");
    cs_trace_rows_free(&rows);
    cs_trace_free(&trace);
    cs_arena_free(&machine.arena);
}

static void sizes_and_engine_may_be_others(void **state)
{
    struct machine machine;
    struct cs_trace trace;
    struct cs_trace_rows rows;
    struct cs_err err = {0};
    double call_s[1];

    (void)state;
    machine_open(&machine, "dgx-a100");
    machine.on.size_scale = 0.5;
    trace_open(&trace, "[" CALL(0, 30, 20, 1, "allreduce",
                                OF(8, "[0, 1, 2, 3, 4, 5, 6, 7]", 262144)) "]");
    assert_int_equal(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err),
                     0);
    assert_true(call_s[0] == library_s(&machine, 1 << 19));
    cs_trace_rows_free(&rows);
    machine.on.engine = "tree";
    assert_int_equal(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err),
                     0);
    assert_string_equal(rows.rows[0].engine, "tree");
    cs_trace_rows_free(&rows);
    machine.on.engine = "tre";
    assert_int_equal(cs_trace_predict(&trace, &machine.on, call_s, &rows, &err),
                     CS_EINPUT);
    assert_non_null(strstr(err.text, "'tree'"));
    cs_trace_rows_free(&rows);
    cs_trace_free(&trace);
    cs_arena_free(&machine.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_of_all_ranks_has_the_time_of_the_library),
        cmocka_unit_test(groups_that_span_the_job_grow_with_the_machine),
        cmocka_unit_test(a_pair_across_nodes_meets_over_adapters),
        cmocka_unit_test(sizes_and_engine_may_be_others),
        cmocka_unit_test(groups_beyond_the_machine_are_errors),
        cmocka_unit_test(groups_with_gaps_fit_a_smaller_machine),
        cmocka_unit_test(a_library_that_serves_no_call_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
