#include "tests/fixture.h"

/* 1 GB/s: a byte takes 1000 ps; 10 GB/s: 100 ps. */
static const double slow_Bps = 1e9;
static const double fast_Bps = 10e9;

static struct cs_exec_result run(struct small_net *small, const struct script *script,
                                 uint64_t bytes)
{
    struct cs_program program = script_program(script, small->net.party_count, bytes);
    return small_net_run(small, &program, "fifo");
}

SMALL_NET_TEST(a_message_takes_latency_and_bytes_over_rate)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 1, {0}}};
    struct cs_exec_result result;

    small->links[0] = small_net_link(slow_Bps, 77, 0);
    small_net_finish(small, 2, 1, routes, 1);
    result = run(small, &script, 50);
    assert_int_equal(result.time_ps, 77 + 50 * 1000);
    assert_int_equal(result.use[0].bytes, 50);
    assert_int_equal(result.use[0].busy_ps, 50 * 1000);
    assert_int_equal(result.use[0].messages, 1);
}

/* The head reaches the bucket at 100 ns, which has 30 ns of tokens by then: the
 * message is over 30 ns sooner, but not faster than the peak rate. */
TEST(a_token_bucket_passes_a_burst_at_the_peak)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 2, {0, 1}}};
    const uint64_t burst_ps[] = {0, 30000, 90000};
    const uint64_t end_ps[] = {150000, 120000, 110000};

    for (uint32_t i = 0; i < 3; i++) {
        CS_AT_END(small_net_free) struct small_net small = {0};
        struct cs_exec_result result;

        small.links[0] = small_net_link(fast_Bps, 100000, 0);
        small.links[1] = small_net_link(slow_Bps, 0, 1);
        small.links[1].burst_ps = burst_ps[i];
        small.links[1].peak_ps_per_byte = 200;
        small_net_finish(&small, 2, 2, routes, 1);
        result = run(&small, &script, 50);
        assert_int_equal(result.time_ps, end_ps[i]);
    }
}

/* Cut-through: the slowest link of the route sets the pace, at any position. */
TEST(links_on_a_route_overlap)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 3, {0, 1, 2}}};

    for (uint32_t slow = 0; slow < 3; slow++) {
        CS_AT_END(small_net_free) struct small_net small = {0};
        struct cs_exec_result result;

        for (uint32_t i = 0; i < 3; i++)
            small.links[i] = small_net_link(i == slow ? slow_Bps : fast_Bps, 10 + i, i);
        small_net_finish(&small, 2, 3, routes, 1);
        result = run(&small, &script, 50);
        assert_int_equal(result.time_ps, 10 + 11 + 12 + 50 * 1000);
        assert_int_equal(result.path.latency_ps, 33);
        assert_int_equal(result.path.bandwidth_ps, 50000);
        assert_int_equal(result.path.wait_ps, 0);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(result.use[i].busy_ps, i == slow ? 50000 : 5000);
    }
}

/* Ranks 0 and 1 send over link 2 to rank 2: the later one waits. */
/* Store and forward: each link begins when the one before it has ended. */
SMALL_NET_TEST(nodes_that_store_send_on_what_they_have)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 2, {0, 1}}};

    small->links[0] = small_net_link(fast_Bps, 20, 0);
    small->links[1] = small_net_link(slow_Bps, 30, 1);
    small_net_finish(small, 2, 2, routes, 1);
    small->params.fifo.stores = true;
    assert_int_equal(run(small, &script, 50).time_ps, 20 + 50 * 100 + 30 + 50 * 1000);
}

SMALL_NET_TEST(a_link_serves_messages_in_the_order_of_arrival)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(2, 0)), step_at(1, 0, send_to(2, 0)),
              step_at(2, 0, recv_from(0, 0)), step_at(2, 1, recv_from(1, 0)));
    const struct route routes[] = {{0, 2, 2, {0, 2}}, {1, 2, 2, {1, 2}}};
    struct cs_exec_result result;

    small->links[0] = small_net_link(fast_Bps, 300, 0);
    small->links[1] = small_net_link(fast_Bps, 500, 1);
    small->links[2] = small_net_link(slow_Bps, 0, 2);
    small_net_finish(small, 3, 3, routes, 2);
    result = run(small, &script, 8);
    /* Heads reach link 2 at 300 and 500; it is free again at 8300. */
    assert_int_equal(result.time_ps, 300 + 8000 + 8000);
    assert_int_equal(result.path.wait_ps, 7800);
    assert_int_equal(result.path.latency_ps, 500);
    assert_int_equal(result.path.bandwidth_ps, 8000);
    assert_int_equal(result.use[2].busy_ps, 16000);
}

static struct cs_exec_result both_directions(uint32_t resource_back, uint64_t bytes)
{
    const struct script script =
        STEPS(step_at(0, 0, send_input_to(1, 0)), step_at(0, 0, recv_from(1, 0)),
              step_at(1, 0, send_input_to(0, 0)), step_at(1, 0, recv_from(0, 0)));
    const struct route routes[] = {{0, 1, 1, {0}}, {1, 0, 1, {1}}};
    CS_AT_END(small_net_free) struct small_net small = {0};

    small.links[0] = small_net_link(slow_Bps, 9, 0);
    small.links[1] = small_net_link(slow_Bps, 9, resource_back);
    small_net_finish(&small, 2, 2, routes, 2);
    return run(&small, &script, bytes);
}

TEST(half_duplex_directions_take_queue)
{
    assert_int_equal(both_directions(1, 20).time_ps, 20009);
    assert_int_equal(both_directions(0, 20).time_ps, 40009);
    assert_int_equal(both_directions(0, 20).path.wait_ps, 20000);
}

TEST(a_message_without_bytes_takes_the_latency)
{
    assert_int_equal(both_directions(1, 0).time_ps, 9);
    assert_int_equal(both_directions(0, 0).time_ps, 9);
}
