/*
 * Model `packet` where buffers have no credits: PFC and drop.
 */
#include "tests/fixture.h"

/* What a byte takes: exact, so that times can be worked out by hand. */
#define SLOW_PS    UINT64_C(1000)
#define FAST_PS    UINT64_C(100)
#define LATENCY_PS UINT64_C(5000)

#define SWITCH "switch:ranks=9,bandwidth=1.25GB/s,latency=5us"

enum {
    PAYLOAD = 1460,
    HEADER = 78,
    INCASTS = 41,
};

/* ---- a switch ---- */

struct query {
    const char *collective, *algo;
    uint64_t bytes;
    enum cs_packet_loss loss;
    uint64_t buffer_bytes;
};

static struct cs_exec_result request(const struct query *query, const char *model)
{
    struct cs_call call = {.ranks = 9, .elements = query->bytes, .element_bytes = 1};
    struct cs_program program = fixture_program(query->algo, query->collective, &call);
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, SWITCH, 9, 0);
    machine.params.packet = (struct cs_packet_params){.payload_bytes = PAYLOAD,
                                                      .header_bytes = HEADER,
                                                      .buffer_bytes = query->buffer_bytes,
                                                      .loss = query->loss};
    return machine_run(&machine, &program, model);
}

/* What the same bytes take in model fluid, with headers. */
static double fluid_ps(const struct query *query)
{
    return (double)request(query, "fluid").time_ps * (PAYLOAD + HEADER) / PAYLOAD;
}

TEST(where_nothing_fills_up_all_are_identical)
{
    struct query query = {"allreduce", "ring", 900000, CS_PACKET_CREDITS, 1 << 20};
    uint64_t credits_ps = request(&query, "packet").time_ps;

    query.loss = CS_PACKET_PFC;
    assert_int_equal(request(&query, "packet").time_ps, credits_ps);
    /* 69 packets a message; 10 + 20 + 40 make three round trips' rounds. */
    query.loss = CS_PACKET_DROP;
    assert_true(request(&query, "packet").time_ps >= credits_ps);
    assert_int_equal(request(&query, "packet").packets_dropped, 0);
}

TEST(slow_start_costs_its_round_trips)
{
    struct query query = {"sendrecv", "ring", 9000000, CS_PACKET_CREDITS, 1 << 20};
    double packet_ps = (PAYLOAD + HEADER) * 1e12 / 1.25e9;
    double trip_ps = 4 * 5e6 + 2 * packet_ps;
    double rounds = ceil(log2(trip_ps / packet_ps / 10));
    uint64_t credits_ps = request(&query, "packet").time_ps;
    struct cs_exec_result dropped;

    query.loss = CS_PACKET_DROP;
    dropped = request(&query, "packet");
    assert_int_equal(dropped.packets_dropped, 0);
    assert_int_equal(dropped.packets_resent, 0);
    assert_true(dropped.time_ps >= credits_ps);
    if ((double)dropped.time_ps > (double)credits_ps + rounds * trip_ps + 1)
        fail_msg("%" PRIu64 " ps with credits, %" PRIu64
                 " ps with a window; %g round trips of %g ps are expected",
                 credits_ps, dropped.time_ps, rounds, trip_ps);
}

TEST(many_to_one_loses_packets_and_takes_longer)
{
    struct query query = {"gather", "flat", 9 << 20, CS_PACKET_DROP, 65536};
    struct cs_exec_result result = request(&query, "packet");

    assert_true(result.packets_dropped > 0);
    assert_true(result.packets_resent >= result.packets_dropped);
    assert_true((double)result.time_ps > fluid_ps(&query));
}

TEST(pauses_lose_nothing_and_keep_the_link_busy)
{
    struct query query = {"gather", "flat", 9 << 20, CS_PACKET_PFC, 65536};
    struct cs_exec_result result = request(&query, "packet");

    assert_int_equal(result.packets_dropped, 0);
    assert_true((double)result.time_ps >= fluid_ps(&query) * 0.999);
    assert_true((double)result.time_ps < fluid_ps(&query) * 1.05);
}

TEST(all_answers_are_the_same_again)
{
    struct query query = {"gather", "flat", 1 << 20, CS_PACKET_DROP, 30000};

    assert_int_equal(request(&query, "packet").time_ps, request(&query, "packet").time_ps);
}

/* ---- what is known of TCP ---- */

/* Goodput of `senders` that each send 256 KiB at once to one receiver, as
 * synchronized reads do: ports of 1 Gb/s with 64 KiB each, a round trip of
 * 100 us, a timeout of 200 ms at least. */
static double incast_Bps(struct machine *machine, uint32_t senders, uint64_t run)
{
    struct cs_call call = {
        .ranks = senders + 1, .elements = (uint64_t)(senders + 1) << 18, .element_bytes = 1};
    struct cs_program program = fixture_program("flat", "gather", &call);
    struct cs_noise_term term = {.at = CS_NOISE_MESSAGE};
    struct cs_noise noise = {&term, 1, NULL, cs_noise_seed(fixture_seed(), run), NULL};
    struct cs_exec_request request = {.program = &program,
                                      .net = &machine->net,
                                      .model = cs_link_model_find("packet"),
                                      .params = &machine->params,
                                      .noise = &noise};
    struct cs_exec_result result = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    assert_done(cs_distribution_read("exponential,mean=20us", &term.distribution, &err) ||
                cs_exec_run_watched(&request, &arena, &result, &err));
    return (double)((uint64_t)senders << 18) * 1e12 / (double)result.time_ps;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_incast_Bps(uint32_t senders)
{
    double goodput[INCASTS];
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, "switch:ranks=9,bandwidth=125MB/s,latency=25us", senders + 1, 0);
    machine.params.packet = (struct cs_packet_params){.payload_bytes = 1460,
                                                      .header_bytes = 40,
                                                      .buffer_bytes = 65536,
                                                      .timeout_ps = UINT64_C(200000000000),
                                                      .loss = CS_PACKET_DROP};
    for (uint64_t run = 0; run < INCASTS; run++)
        goodput[run] = incast_Bps(&machine, senders, run);
    qsort(goodput, INCASTS, sizeof(*goodput), compare);
    return goodput[INCASTS / 2];
}

/* A. Phanishayee et al., "Measurement and Analysis of TCP Throughput Collapse
 * in Cluster-based Storage Systems", FAST 2008: from 4 to 8 senders at 64 KiB a
 * port goodput falls by an order of magnitude; here by 11.9, whatever the seed. */
TEST(incast_collapses_with_the_number_of_senders)
{
    double four_Bps = median_incast_Bps(4);
    double eight_Bps = median_incast_Bps(8);

    if (four_Bps < 100e6 || four_Bps / eight_Bps < 10 || four_Bps / eight_Bps > 14)
        fail_msg("4 senders: %g B/s, 8 senders: %g B/s", four_Bps, eight_Bps);
}

/* ---- small nets ---- */

static struct cs_net_link link_of(uint64_t byte_ps, uint64_t latency_ps, uint32_t resource)
{
    return (struct cs_net_link){.rate_Bps = 1e12 / (double)byte_ps,
                                .latency_ps = latency_ps,
                                .resource = resource,
                                .from = SMALL_NET_PARTIES,
                                .to = SMALL_NET_PARTIES + 1};
}

static struct cs_exec_result run(struct small_net *small, const struct cs_program *program)
{
    return small_net_run(small, program, "packet");
}

/* ---- one message over some links ---- */

struct path {
    uint32_t hops;
    uint64_t byte_ps[ROUTE_HOPS];
    uint64_t latency_ps[ROUTE_HOPS];
    uint64_t bytes;
    struct cs_packet_params packets;
};

static uint64_t alone_ps(const struct path *path, enum cs_packet_loss loss)
{
    const struct route routes[] = {{0, 1, path->hops, {0, 1, 2, 3, 4}}};
    struct cs_program program = SCRIPT(2, path->bytes, MESSAGE(0, 1, 0, 0));
    CS_AT_END(small_net_free) struct small_net small = {0};
    struct cs_exec_result result;

    for (uint32_t i = 0; i < path->hops; i++)
        small.links[i] = link_of(path->byte_ps[i], path->latency_ps[i], i);
    small_net_finish(&small, 2, path->hops, routes, 1);
    small.params.packet = path->packets;
    small.params.packet.loss = loss;
    result = run(&small, &program);
    assert_int_equal(result.packets_dropped, 0);
    assert_int_equal(result.packets_resent, 0);
    return result.time_ps;
}

/* With buffers that do not fill. */
static struct path draw_path(struct cs_random *random)
{
    const uint64_t rates[] = {100, 200, 250, 500, 1000};
    struct path path = {
        .hops = 1 + (uint32_t)cs_random_below(random, ROUTE_HOPS),
        .bytes = cs_random_below(random, 100000),
        .packets = {.payload_bytes = 100, .header_bytes = 10, .buffer_bytes = 1000000}};
    uint64_t most_ps = cs_random_below(random, 2) ? 2000000 : 50000;

    for (uint32_t i = 0; i < path.hops; i++) {
        path.byte_ps[i] = rates[cs_random_below(random, 5)];
        path.latency_ps[i] = cs_random_below(random, most_ps);
    }
    return path;
}

/* Round trips of slow start until the window covers the route. */
static uint64_t slow_start_ps(const struct path *path)
{
    uint64_t trip_ps = 0;
    uint64_t slowest_ps = 0;
    uint64_t start_ps = 0;
    uint64_t window;

    for (uint32_t i = 0; i < path->hops; i++) {
        uint64_t packet_ps = 110 * path->byte_ps[i];

        trip_ps += 2 * path->latency_ps[i] + packet_ps;
        slowest_ps = packet_ps > slowest_ps ? packet_ps : slowest_ps;
    }
    for (window = 10; window * slowest_ps < trip_ps; window *= 2)
        start_ps += trip_ps;
    return start_ps;
}

TEST(a_message_alone_pays_for_slow_start_and_no_more)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("loss");
    uint32_t equal = 0;

    for (int i = 0; i < 300; i++) {
        struct path path = draw_path(random);
        uint64_t credits_ps = alone_ps(&path, CS_PACKET_CREDITS);
        uint64_t drop_ps = alone_ps(&path, CS_PACKET_DROP);

        assert_true(drop_ps >= credits_ps);
        assert_true(drop_ps <= credits_ps + slow_start_ps(&path));
        equal += drop_ps == credits_ps;
    }
    assert_true(equal > 10 && equal < 290);
}

TEST(pauses_cost_nothing_while_no_buffer_fills_up)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("pfc");

    for (int i = 0; i < 300; i++) {
        struct path path = draw_path(random);

        assert_int_equal(alone_ps(&path, CS_PACKET_PFC), alone_ps(&path, CS_PACKET_CREDITS));
    }
}

/* A slow link behind a fast one: the buffer between them holds three packets
 * and what comes until its pause is heard, and is never empty. */
TEST(a_link_that_is_paused_keeps_the_slow_one_busy)
{
    struct path path = {2,
                        {FAST_PS, SLOW_PS},
                        {LATENCY_PS, LATENCY_PS},
                        10000,
                        {.payload_bytes = 10, .buffer_bytes = 60}};

    assert_int_equal(alone_ps(&path, CS_PACKET_PFC), 2 * LATENCY_PS + 10000 * SLOW_PS);
}

/* ---- windows ---- */

/* The next message of a pair starts when the one before is acknowledged. */
SMALL_NET_TEST(messages_of_one_pair_wait_for_acknowledgements)
{
    const struct route routes[] = {{0, 1, 1, {0}}};
    struct cs_program program =
        SCRIPT(2, 20, step_at(0, 0, send_to(1, 0)), step_at(0, 0, send_to(1, 1)),
               step_at(1, 0, recv_from(0, 0)), step_at(1, 0, recv_from(0, 1)));

    program.blocks = 2;
    small->links[0] = link_of(FAST_PS, LATENCY_PS, 0);
    small_net_finish(small, 2, 1, routes, 1);
    small->params.packet = (struct cs_packet_params){.payload_bytes = 10};
    assert_int_equal(run(small, &program).time_ps, 20 * FAST_PS + LATENCY_PS);
    small->params.packet.loss = CS_PACKET_DROP;
    assert_int_equal(run(small, &program).time_ps, 20 * FAST_PS + 3 * LATENCY_PS);
}

/* A fast link, then one of a tenth of its rate with the buffer before it. */
static struct cs_exec_result neck(uint64_t bytes, uint64_t buffer_bytes, uint64_t timeout_ps)
{
    const struct route routes[] = {{0, 1, 2, {0, 1}}};
    struct cs_program program = SCRIPT(2, bytes, MESSAGE(0, 1, 0, 0));
    CS_AT_END(small_net_free) struct small_net small = {0};

    small.links[0] = link_of(FAST_PS, 10000000, 0);
    small.links[1] = link_of(SLOW_PS, 10000000, 1);
    small_net_finish(&small, 2, 2, routes, 1);
    small.params.packet = (struct cs_packet_params){.payload_bytes = 1000,
                                                    .buffer_bytes = buffer_bytes,
                                                    .timeout_ps = timeout_ps,
                                                    .loss = CS_PACKET_DROP};
    return run(&small, &program);
}

/* 1 GB/s x 40 us, and the packets in flight. */
TEST(a_buffer_of_one_product_keeps_the_link_full)
{
    const uint64_t product_bytes = 41100;
    const uint64_t bytes = 50000000;

    for (uint64_t times = 1; times <= 4; times *= 2) {
        struct cs_exec_result result = neck(bytes, times * product_bytes, 0);
        double share = (double)(bytes * SLOW_PS) / (double)result.time_ps;

        assert_true(result.packets_dropped > 0);
        if (share < 0.95)
            fail_msg("%" PRIu64 " products: %.3f", times, share);
    }
    assert_true(neck(bytes, product_bytes / 8, 0).time_ps > bytes * SLOW_PS / 100 * 105);
}

/* Losses of one flow whose message goes on are found without a timeout. */
TEST(losses_end_in_fast_retransmit)
{
    const uint64_t timeout_ps = UINT64_C(200000000000);
    struct cs_exec_result result = neck(50000000, 41100, timeout_ps);

    assert_true(result.packets_dropped > 10);
    assert_int_equal(result.packets_resent, result.packets_dropped);
    assert_true(result.time_ps < 50000000 * SLOW_PS + timeout_ps / 10);
}

/*
 * Two packets of rank 0 and two of rank 1 go to rank 2, and the buffer before
 * link 2 has room for one: those of rank 1 come a moment too late.
 *
 *     0 --0--+
 *            o --2-- 2
 *     1 --1--+
 */
static struct cs_exec_result run_meeting(enum cs_packet_loss loss, uint64_t timeout_ps)
{
    const struct route routes[] = {{0, 2, 2, {0, 2}}, {1, 2, 2, {1, 2}}};
    struct cs_program program =
        SCRIPT(3, 40, step_at(0, 0, send_to(2, 0)), step_at(1, 0, send_to(2, 1)),
               step_at(2, 0, recv_from(0, 0)), step_at(2, 0, recv_from(1, 1)));
    CS_AT_END(small_net_free) struct small_net small = {0};
    struct cs_exec_result result;

    program.blocks = 2;
    for (uint32_t i = 0; i < 3; i++)
        small.links[i] = link_of(FAST_PS, LATENCY_PS, i);
    small_net_finish(&small, 3, 3, routes, 2);
    small.params.packet = (struct cs_packet_params){
        .payload_bytes = 10, .buffer_bytes = 10, .loss = loss, .timeout_ps = timeout_ps};
    result = run(&small, &program);
    assert_int_equal(result.messages, 2);
    return result;
}

TEST(a_last_packet_waits_for_its_timeout)
{
    const uint64_t timeout_ps = 1000000;
    struct cs_exec_result sooner = run_meeting(CS_PACKET_DROP, timeout_ps);
    struct cs_exec_result later = run_meeting(CS_PACKET_DROP, 3 * timeout_ps);

    assert_int_equal(sooner.packets_dropped, 2);
    assert_int_equal(sooner.packets_resent, 2);
    assert_int_equal(later.time_ps - sooner.time_ps, 2 * timeout_ps);
    assert_true(sooner.time_ps > timeout_ps);
    assert_true(sooner.time_ps < timeout_ps + 10 * LATENCY_PS);
    assert_int_equal(run_meeting(CS_PACKET_DROP, 0).time_ps,
                     sooner.time_ps - timeout_ps + 1000 * timeout_ps);
    assert_int_equal(run_meeting(CS_PACKET_PFC, 0).packets_dropped, 0);
    assert_int_equal(run_meeting(CS_PACKET_PFC, 0).time_ps, 2 * LATENCY_PS + 40 * FAST_PS);
}
