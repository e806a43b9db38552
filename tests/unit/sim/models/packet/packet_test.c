#include "tests/fixture.h"

/* What a byte takes: exact, so that times can be worked out by hand. */
#define SLOW_PS UINT64_C(1000)
#define FAST_PS UINT64_C(100)

/* Packets of 10 B without headers. */
static const struct cs_packet_params tens = {.payload_bytes = 10};

static struct cs_net_link link_of(uint32_t byte_ps, uint64_t latency_ps, uint32_t resource)
{
    return (struct cs_net_link){.rate_Bps = 1e12 / byte_ps,
                                .latency_ps = latency_ps,
                                .resource = resource,
                                .from = SMALL_NET_PARTIES,
                                .to = SMALL_NET_PARTIES + 1};
}

/* Messages are known by their block. */
struct arrivals {
    uint64_t at_ps[SMALL_NET_PARTIES];
    uint64_t wait_ps[SMALL_NET_PARTIES];
};

static void note_arrival(void *ctx, const struct cs_message *message, uint64_t at_ps)
{
    struct arrivals *arrivals = ctx;

    arrivals->at_ps[message->blocks.first] = at_ps;
    arrivals->wait_ps[message->blocks.first] = message->wait_ps;
}

static int try_run(struct small_net *small, struct cs_program *program, struct arrivals *arrivals,
                   struct cs_exec_result *result, struct cs_err *err)
{
    struct cs_exec_watch watch = {.delivered = note_arrival, .ctx = arrivals};
    struct cs_exec_request request = {.program = program,
                                      .net = &small->net,
                                      .model = cs_link_model_find("packet"),
                                      .params = &small->params,
                                      .watch = &watch};

    return cs_exec_run_watched(&request, &small->arena, result, err);
}

/* Every block is a message of that many bytes. */
static struct arrivals run(struct small_net *small, const struct script *script, uint32_t blocks,
                           uint64_t block_bytes)
{
    struct cs_program program =
        script_program(script, small->net.party_count, blocks * block_bytes);
    struct cs_exec_result result;
    struct arrivals arrivals = {0};

    program.blocks = blocks;
    assert_done(try_run(small, &program, &arrivals, &result, &err));
    return arrivals;
}

/* ---- one message ---- */

struct alone {
    uint64_t time_ps;
    struct cs_path path;
    struct cs_link_use first; /* of the first link */
};

static struct alone run_alone(const uint32_t *byte_ps, uint32_t hops, uint64_t bytes,
                              struct cs_packet_params packets)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, hops, {0, 1, 2, 3, 4}}};
    struct cs_program program = script_program(&script, 2, bytes);
    CS_AT_END(small_net_free) struct small_net small = {0};
    struct cs_exec_result result;
    struct arrivals arrivals;
    struct alone alone;

    for (uint32_t i = 0; i < hops; i++)
        small.links[i] = link_of(byte_ps[i], 10 + i, i);
    small_net_finish(&small, 2, hops, routes, 1);
    small.params.packet = packets;
    assert_done(try_run(&small, &program, &arrivals, &result, &err));
    for (uint32_t i = 0; i < hops; i++) {
        assert_int_equal(result.use[i].bytes, bytes);
        assert_int_equal(result.use[i].messages, 1);
    }
    alone = (struct alone){result.time_ps, result.path, result.use[0]};
    return alone;
}

TEST(the_slowest_link_sets_the_pace)
{
    for (uint32_t slow = 0; slow < 3; slow++) {
        uint32_t byte_ps[] = {FAST_PS, FAST_PS, FAST_PS};
        struct alone result;

        byte_ps[slow] = SLOW_PS;
        result = run_alone(byte_ps, 3, 55, tens);
        assert_int_equal(result.time_ps, 10 + 11 + 12 + 55 * SLOW_PS);
        assert_int_equal(result.path.latency_ps, 33);
        assert_int_equal(result.path.bandwidth_ps, 55 * SLOW_PS);
        assert_int_equal(result.path.wait_ps, 0);
    }
}

/* Onto the fast link a packet goes when most of it is there. */
TEST(a_dip_costs_a_packet_once)
{
    const uint32_t byte_ps[] = {SLOW_PS, FAST_PS, SLOW_PS};
    struct alone result = run_alone(byte_ps, 3, 50, tens);

    assert_int_equal(result.time_ps, 33 + 50 * SLOW_PS + 10 * (SLOW_PS - FAST_PS));
    assert_int_equal(result.path.wait_ps, 10 * (SLOW_PS - FAST_PS));
    assert_int_equal(result.path.bandwidth_ps, 50 * SLOW_PS);
}

/* The formula of sim/models/packet/packet.c. */
TEST(one_message_takes_what_its_formula_says)
{
    const uint32_t rates[] = {100, 200, 250, 500, 1000};
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("packet");

    for (int i = 0; i < 500; i++) {
        struct cs_packet_params packets = {.payload_bytes =
                                               1 + (uint32_t)cs_random_below(random, 99),
                                           .header_bytes = (uint32_t)cs_random_below(random, 20)};
        uint64_t wire = packets.payload_bytes + packets.header_bytes;
        uint64_t count = 1 + cs_random_below(random, 200);
        uint32_t hops = 1 + (uint32_t)cs_random_below(random, ROUTE_HOPS);
        uint32_t byte_ps[ROUTE_HOPS];
        uint64_t time_ps = 0;
        uint64_t most_ps = 0;

        for (uint32_t k = 0; k < hops; k++) {
            byte_ps[k] = rates[cs_random_below(random, 5)];
            time_ps += 10 + k;
            if (k == 0 || byte_ps[k] > byte_ps[k - 1])
                time_ps += wire * (byte_ps[k] - (k ? byte_ps[k - 1] : 0));
            most_ps = byte_ps[k] > most_ps ? byte_ps[k] : most_ps;
        }
        time_ps += (count - 1) * wire * most_ps;
        assert_int_equal(run_alone(byte_ps, hops, count * packets.payload_bytes, packets).time_ps,
                         time_ps);
    }
}

TEST(a_message_of_nothing_is_one_packet)
{
    const uint32_t byte_ps[] = {FAST_PS, SLOW_PS};
    struct cs_packet_params headed = {.payload_bytes = 10, .header_bytes = 4};

    assert_int_equal(run_alone(byte_ps, 2, 0, tens).time_ps, 21);
    assert_int_equal(run_alone(byte_ps, 2, 0, headed).time_ps, 21 + 4 * SLOW_PS);
}

TEST(headers_take_time_and_are_no_bytes_of_the_message)
{
    const uint32_t byte_ps[] = {SLOW_PS};
    struct cs_packet_params headed = {.payload_bytes = 10, .header_bytes = 2};
    struct alone result = run_alone(byte_ps, 1, 45, headed);

    assert_int_equal(result.time_ps, 10 + (45 + 5 * 2) * SLOW_PS);
    assert_int_equal(result.first.busy_ps, 55 * SLOW_PS);
    assert_int_equal(result.path.wait_ps, 0);
}

/* A byte takes a third of a picosecond. */
SMALL_NET_TEST(packets_are_not_rounded_one_by_one)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 1, {0}}};

    small->links[0] = link_of(1, 0, 0);
    small->links[0].rate_Bps = 3e12;
    small_net_finish(small, 2, 1, routes, 1);
    small->params.packet = (struct cs_packet_params){.payload_bytes = 1};
    assert_int_equal(run(small, &script, 1, 3000).at_ps[0], 1000);
}

/* ---- sharing ---- */

/* The first has put a second packet in the line when the other one comes:
 * 0 0 1 0 1 0 1 0 1 1. */
SMALL_NET_TEST(messages_of_one_source_take_queue)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(1, 0)), step_at(0, 0, send_to(2, 1)),
              step_at(1, 0, recv_from(0, 0)), step_at(2, 0, recv_from(0, 1)));
    const struct route routes[] = {{0, 1, 2, {0, 1}}, {0, 2, 2, {0, 2}}};
    struct arrivals arrivals;

    for (uint32_t i = 0; i < 3; i++)
        small->links[i] = link_of(SLOW_PS, 5, i);
    small_net_finish(small, 3, 3, routes, 2);
    small->params.packet = tens;
    arrivals = run(small, &script, 2, 50);
    assert_int_equal(arrivals.at_ps[0], 10 + 80 * SLOW_PS);
    assert_int_equal(arrivals.at_ps[1], 10 + 100 * SLOW_PS);
    assert_int_equal(arrivals.wait_ps[0], 30 * SLOW_PS);
    assert_int_equal(arrivals.wait_ps[1], 50 * SLOW_PS);
}

SMALL_NET_TEST(messages_of_one_pair_stay_in_order)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(1, 0)), step_at(0, 0, send_to(1, 1)),
              step_at(1, 0, recv_from(0, 0)), step_at(1, 0, recv_from(0, 1)));
    const struct route routes[] = {{0, 1, 1, {0}}};
    struct arrivals arrivals;

    small->links[0] = link_of(SLOW_PS, 5, 0);
    small_net_finish(small, 2, 1, routes, 1);
    small->params.packet = tens;
    arrivals = run(small, &script, 2, 50);
    assert_int_equal(arrivals.at_ps[0], 5 + 50 * SLOW_PS);
    assert_int_equal(arrivals.at_ps[1], 5 + 100 * SLOW_PS);
}

/* Ranks 0 and 1 send to ranks 2 and 3 over link 2. */
SMALL_NET_TEST(two_flows_share_a_trunk_to_within_a_packet)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(2, 0)), step_at(1, 0, send_to(3, 1)),
              step_at(2, 0, recv_from(0, 0)), step_at(3, 0, recv_from(1, 1)));
    const struct route routes[] = {{0, 2, 3, {0, 2, 3}}, {1, 3, 3, {1, 2, 4}}};
    struct arrivals arrivals;

    for (uint32_t i = 0; i < 5; i++)
        small->links[i] = link_of(i == 2 ? SLOW_PS : FAST_PS, 5, i);
    small_net_finish(small, 4, 5, routes, 2);
    small->params.packet = tens;
    arrivals = run(small, &script, 2, 5000);
    assert_int_equal(arrivals.at_ps[0], 15 + 9990 * SLOW_PS);
    assert_int_equal(arrivals.at_ps[1], 15 + 10000 * SLOW_PS);
}

/* ---- credits ---- */

/* A packet at a time: there and back again. */
SMALL_NET_TEST(a_small_buffer_sets_the_pace_of_a_long_link)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0));
    const struct route routes[] = {{0, 1, 2, {0, 1}}};
    const uint64_t latency_ps = 70000;

    small->links[0] = link_of(FAST_PS, latency_ps, 0);
    small->links[1] = link_of(FAST_PS, 3, 1);
    small_net_finish(small, 2, 2, routes, 1);
    small->params.packet = tens;
    assert_int_equal(run(small, &script, 1, 60).at_ps[0], latency_ps + 3 + 60 * FAST_PS);
    small->params.packet.buffer_bytes = 1; /* a packet at least */
    assert_int_equal(run(small, &script, 1, 60).at_ps[0],
                     5 * (2 * latency_ps + 10 * FAST_PS) + latency_ps + 10 * FAST_PS + 3);
    /* Half of it is for what passes. */
    small->params.packet.buffer_bytes = 40;
    assert_int_equal(run(small, &script, 1, 60).at_ps[0],
                     2 * (2 * latency_ps + 10 * FAST_PS) + latency_ps + 20 * FAST_PS + 3);
}

/*
 *     0 --0--+             +--3-- 2   slow
 *            o ---- 2 ---- o
 *     1 --1--+             +--4-- 3   fast
 */
static struct arrivals run_behind_a_slow_receiver(uint64_t buffer_bytes)
{
    const struct script script =
        STEPS(step_at(0, 0, send_to(2, 0)), step_at(1, 0, send_to(3, 1)),
              step_at(2, 0, recv_from(0, 0)), step_at(3, 0, recv_from(1, 1)));
    const struct route routes[] = {{0, 2, 3, {0, 2, 3}}, {1, 3, 3, {1, 2, 4}}};
    CS_AT_END(small_net_free) struct small_net small = {0};

    for (uint32_t i = 0; i < 5; i++)
        small.links[i] = link_of(i == 3 ? SLOW_PS : FAST_PS, 0, i);
    small_net_finish(&small, 4, 5, routes, 2);
    small.params.packet = tens;
    small.params.packet.buffer_bytes = buffer_bytes;
    return run(&small, &script, 2, 1000);
}

TEST(a_slow_receiver_holds_up_the_trunk_before_it)
{
    struct arrivals large = run_behind_a_slow_receiver(10000);
    struct arrivals little = run_behind_a_slow_receiver(20);

    /* Half of the trunk each: 2000 B, without the last of the other's. */
    assert_true(large.at_ps[1] <= 2000 * FAST_PS);
    /* One packet for each that the slow receiver takes; the buffers before
     * it hold six that it need not wait for. */
    assert_true(little.at_ps[1] >= (1000 - 60) * SLOW_PS);
    assert_true(little.at_ps[1] <= 1000 * SLOW_PS);
    /* The slow receiver itself loses nothing. */
    assert_int_equal(large.at_ps[0], little.at_ps[0]);
    assert_true(little.at_ps[0] <= 1000 * SLOW_PS + 10 * FAST_PS);
}

/* Links 0 and 2 are one bus; what waits for link 0's buffer lets link 2 go. */
SMALL_NET_TEST(a_link_without_credits_leaves_its_resource_to_others)
{
    const struct script script = STEPS(MESSAGE(0, 1, 0, 0), MESSAGE(2, 1, 0, 1));
    const struct route routes[] = {{0, 1, 2, {0, 1}}, {2, 1, 1, {2}}};
    struct arrivals arrivals;

    small->links[0] = link_of(FAST_PS, 50000, 0);
    small->links[1] = link_of(FAST_PS, 0, 1);
    small->links[2] = link_of(FAST_PS, 0, 0);
    small_net_finish(small, 3, 3, routes, 2);
    small->params.packet = tens;
    small->params.packet.buffer_bytes = 10;
    arrivals = run(small, &script, 2, 200);
    assert_int_equal(arrivals.at_ps[1], 210 * FAST_PS);
}

/* Every rank sends three links around a ring of four.  With room for one packet
 * all buffers fill, and none of the packets is for who is next. */
static int run_around(uint64_t buffer_bytes, struct cs_err *err)
{
    const struct route routes[] = {
        {0, 3, 3, {0, 1, 2}}, {1, 0, 3, {1, 2, 3}}, {2, 1, 3, {2, 3, 0}}, {3, 2, 3, {3, 0, 1}}};
    struct cs_program program =
        SCRIPT(4, 4000, step_at(0, 0, send_input_to(3, 0)), step_at(0, 1, recv_from(1, 1)),
               step_at(1, 0, send_input_to(0, 1)), step_at(1, 1, recv_from(2, 2)),
               step_at(2, 0, send_input_to(1, 2)), step_at(2, 1, recv_from(3, 3)),
               step_at(3, 0, send_input_to(2, 3)), step_at(3, 1, recv_from(0, 0)));
    struct cs_exec_result result;
    struct arrivals arrivals;
    CS_AT_END(small_net_free) struct small_net small = {0};

    program.blocks = 4;
    for (uint32_t i = 0; i < 4; i++)
        small.links[i] = link_of(FAST_PS, 5, i);
    small_net_finish(&small, 4, 4, routes, 4);
    small.params.packet = tens;
    small.params.packet.buffer_bytes = buffer_bytes;
    return try_run(&small, &program, &arrivals, &result, err);
}

TEST(a_circle_of_full_buffers_is_reported)
{
    assert_refused(run_around(10, &err), CS_EANSWER,
                   "deadlock: 4 messages stay in the network, whose links wait for room in "
                   "each other's buffers: link 0, which waits for link 1, which waits for "
                   "link 2, which waits for link 3, which waits for the first; larger buffers "
                   "(--buffer) may prevent it, unlimited ones (no --buffer) do");
}

/* Party 4 sends into the ring of run_around over a link of its own. */
SMALL_NET_TEST(links_that_only_stand_before_a_circle_are_not_in_it)
{
    const struct route routes[] = {{0, 3, 3, {1, 2, 3}},
                                   {1, 0, 3, {2, 3, 4}},
                                   {2, 1, 3, {3, 4, 1}},
                                   {3, 2, 3, {4, 1, 2}},
                                   {4, 2, 3, {0, 1, 2}}};
    struct cs_program program =
        SCRIPT(5, 5000, step_at(0, 0, send_input_to(3, 0)), step_at(0, 1, recv_from(1, 1)),
               step_at(1, 0, send_input_to(0, 1)), step_at(1, 1, recv_from(2, 2)),
               step_at(2, 0, send_input_to(1, 2)), step_at(2, 1, recv_from(3, 3)),
               step_at(3, 0, send_input_to(2, 3)), step_at(3, 1, recv_from(0, 0)),
               step_at(4, 0, send_input_to(2, 4)), step_at(2, 2, recv_from(4, 4)));
    struct cs_exec_result result;
    struct arrivals arrivals;

    program.blocks = 5;
    for (uint32_t i = 0; i < 5; i++)
        small->links[i] = link_of(FAST_PS, 5, i);
    small_net_finish(small, 5, 5, routes, 5);
    small->params.packet = tens;
    small->params.packet.buffer_bytes = 10;
    assert_refused_with(try_run(small, &program, &arrivals, &result, &err), CS_EANSWER,
                        ": link 1, which waits for link 2, which waits for link 3, "
                        "which waits for link 4, which waits for the first;");
}

TEST(a_ring_whose_buffers_hold_two_packets_never_stops)
{
    for (uint64_t packets = 2; packets < 40; packets++)
        assert_done(run_around(10 * packets, &err));
}

TEST(who_has_places_of_its_own_never_waits_in_a_circle)
{
    assert_done(run_around(0, &err));
}

SMALL_NET_TEST(time_that_passes_its_end_is_reported)
{
    const struct route routes[] = {{0, 1, 2, {0, 1}}};
    struct cs_program program = SCRIPT(2, 100000, MESSAGE(0, 1, 0, 0));
    struct cs_exec_result result;
    struct arrivals arrivals;

    small->links[0] = link_of(FAST_PS, 0, 0);
    small->links[1] = link_of(FAST_PS, 0, 1);
    small->links[1].rate_Bps = 0.01;
    small_net_finish(small, 2, 2, routes, 1);
    assert_int_equal(try_run(small, &program, &arrivals, &result, NULL), CS_EINPUT);
}
