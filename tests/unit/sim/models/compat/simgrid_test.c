/* Models simgrid and simgrid-cm02: model fluid with SimGrid's corrections. */
#include "tests/fixture.h"

static const uint64_t ms = 1000000000; /* picoseconds */

static struct cs_exec_result run(struct small_net *small, const struct script *script,
                                 uint64_t bytes, const char *model)
{
    struct cs_program program = script_program(script, small->net.party_count, bytes);
    return small_net_run(small, &program, model);
}

/* One message over a wire whose directions have these servers. */
static uint64_t one_ps(const char *model, struct cs_net_link link, uint32_t back_resource,
                       uint64_t bytes)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 1, {0}}, {1, 0, 1, {1}}};
    CS_AT_END(small_net_free) struct small_net small = {0};

    small.links[0] = small.links[1] = link;
    small.links[1].resource = back_resource;
    small_net_finish(&small, 2, 2, routes, 2);
    return run(&small, &script, bytes, model).time_ps;
}

/* 13.01 x 10 ms + 1.05 x 100 kB / (0.97 x 1 Mb/s): 0.996079 s. */
TEST(a_slow_link_takes_as_long_as_in_simgrid)
{
    struct cs_net_link link = small_net_link(125e3, 10 * ms, 0);

    assert_int_equal(one_ps("simgrid", link, 0, 100000) / 1000000, 996079);
    /* Acknowledgements that have a direction to themselves cost nothing. */
    assert_int_equal(one_ps("simgrid", link, 1, 100000) / 1000000, 954842);
    assert_int_equal(one_ps("simgrid-cm02", link, 0, 100000), 850 * ms);
    assert_int_equal(one_ps("simgrid-cm02", link, 1, 100000), 810 * ms);
}

/* 4194304 B each 2 s. */
TEST(a_window_limits_the_rate)
{
    assert_int_equal(one_ps("simgrid-cm02", small_net_link(1e9, 1000 * ms, 0), 1, 2097152),
                     2000 * ms);
}

/* Of 1 MB/s the one gets 3/4 from 30 ms on, as its latency is a third of the
 * other's: 20 kB by then, 55 kB in 73.3 ms. */
SMALL_NET_TEST(who_has_less_latency_gets_more)
{
    const struct script script = STEPS(MESSAGE(0, 2, 0, 0), MESSAGE(1, 3, 0, 0));
    const struct route routes[] = {{0, 2, 2, {1, 0}}, {1, 3, 2, {2, 0}}};
    struct cs_exec_result result;

    small->links[0] = small_net_link(1e6, 0, 0);
    small->links[1] = small_net_link(1e9, 10 * ms, 1);
    small->links[2] = small_net_link(1e9, 30 * ms, 2);
    small_net_finish(small, 4, 3, routes, 2);
    result = run(small, &script, 75000, "simgrid-cm02");
    assert_in_range(result.done_ps[2], 103333333333, 103333333334);
    assert_in_range(result.done_ps[3], 160 * ms - 1, 160 * ms + 1);
}
