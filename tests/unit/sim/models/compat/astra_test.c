/* Models astra and astra-unaware: the values that ASTRA-sim's analytical
 * network tests itself with (astra-network-analytical@599a0473, test/): 16
 * NPUs, 50 GB/s of 2^30 B, 500 ns, 1 MiB. */
#include "algorithms/schedules/import.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

enum {
    NPUS = 16
};

static const struct cs_importer *goal(void)
{
    size_t i = 0;

    while (!cs_same(cs_importers[i]->name, "goal"))
        i++;
    return cs_importers[i];
}

static struct cs_exec_result run_on(const char *spec, const char *model, const char *text)
{
    CS_AT_END(machine_close) struct machine machine;
    struct cs_algo algo;
    struct cs_call call = {.ranks = NPUS, .element_bytes = 1};
    struct cs_exec_result result;
    struct cs_program program;

    machine_open(&machine, spec, NPUS, 0);
    assert_done(goal()->read((struct cs_import_text){"x.goal", text, strlen(text)}, &machine.arena,
                             &algo, &err));
    call.elements = algo.vector_bytes;
    call.schedule = algo.schedule;
    program = cs_algo_program(&algo, &call);
    result = machine_run(&machine, &program, model);
    assert_int_equal(cs_path_ps(&result.path), result.time_ps);
    assert_in_range(result.path.latency_ps, 0, result.time_ps);
    assert_in_range(result.path.bandwidth_ps, 0, result.time_ps);
    return result;
}

static struct cs_exec_result run(const char *shape, const char *model, const char *text)
{
    CS_AT_END(cs_text_free) struct cs_text spec = {0};

    cs_text_printf(&spec, "%s:bandwidth=50GiB/s,latency=500ns", shape);
    return run_on(spec.data, model, text);
}

static uint64_t one_ns(const char *shape, const char *model)
{
    return run(shape, model,
               "num_ranks 16 rank 1 { send 1048576b to 4 }\n"
               "rank 4 { recv 1048576b from 1 }\n")
               .time_ps /
           1000;
}

TEST(one_message_takes_as_long_as_in_astra_sim)
{
    assert_int_equal(one_ns("ring", "astra"), 60093);
    assert_int_equal(one_ns("mesh", "astra"), 20031);
    assert_int_equal(one_ns("switch", "astra"), 40062);
    assert_int_equal(one_ns("ring", "astra-unaware"), 21031);
    assert_int_equal(one_ns("mesh", "astra-unaware"), 20031);
    assert_int_equal(one_ns("switch", "astra-unaware"), 20531);
}

/* 36 messages, one after the other, cross the busiest link of the ring. */
TEXT_TEST(all_pairs_on_a_ring_take_as_long_as_in_astra_sim)
{
    cs_text_printf(out, "num_ranks %d\n", NPUS);
    for (int i = 0; i < NPUS; i++) {
        cs_text_printf(out, "rank %d {\n", i);
        for (int j = 0; j < NPUS; j++)
            if (j != i)
                cs_text_printf(out, "send 1048576b to %d recv 1048576b from %d\n", j, j);
        cs_text_add(out, "}\n");
    }
    assert_int_equal(run("ring", "astra", out->data).time_ps, 704116000);
}

TEST(without_congestion_messages_do_not_wait)
{
    const char *text = "num_ranks 16 rank 1 { send 1048576b to 4 send 1048576b to 4 }\n"
                       "rank 4 { recv 1048576b from 1 recv 1048576b from 1 }\n";

    assert_int_equal(run("switch", "astra-unaware", text).time_ps, 20531000);
    /* The second waits for the first link, 19531. */
    assert_int_equal(run("switch", "astra", text).time_ps, 40062000 + 19531000);
}

/* The whole is cut to nanoseconds, so the latency is not to be more. */
TEST(less_than_a_nanosecond_of_latency_is_cut_off_too)
{
    const char *text = "num_ranks 16 rank 1 { send 4b to 4 }\n"
                       "rank 4 { recv 4b from 1 }\n";
    const char *spec = "mesh:bandwidth=50GiB/s,latency=500900ps";

    assert_int_equal(run_on(spec, "astra", text).time_ps, 500000);
    assert_int_equal(run_on(spec, "astra-unaware", text).time_ps, 500000);
}
