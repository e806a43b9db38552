/*
 * Model `packet` where buffers have no credits: PFC and drop.
 */
#include "tests/fixture.h"

#include <math.h>

#define SWITCH "switch:ranks=9,bandwidth=1.25GB/s,latency=5us"

enum {
    PAYLOAD = 1460,
    HEADER = 78,
};

struct question {
    const char *collective, *algo;
    uint64_t bytes;
    enum cs_net_loss loss;
    uint64_t buffer_bytes;
};

static struct cs_exec_result ask(const struct question *question,
                                 const char *model)
{
    struct cs_call call = {
        .ranks = 9, .elements = question->bytes, .element_bytes = 1};
    struct cs_program program =
        fixture_program(question->algo, question->collective, &call);
    struct cs_exec_result result;
    struct machine machine;

    machine_open(&machine, SWITCH, 9, 0);
    machine.net.packets =
        (struct cs_net_packets){.payload_bytes = PAYLOAD,
                                .header_bytes = HEADER,
                                .buffer_bytes = question->buffer_bytes,
                                .loss = question->loss};
    result = machine_run(&machine, &program, model);
    machine_close(&machine);
    return result;
}

/* What the same bytes take in model fluid, with headers. */
static double fluid_ps(const struct question *question)
{
    return (double)ask(question, "fluid").time_ps * (PAYLOAD + HEADER) /
           PAYLOAD;
}

static void where_nothing_fills_up_all_are_alike(void **state)
{
    struct question question = {"allreduce", "ring", 900000, CS_NET_CREDITS,
                                1 << 20};
    uint64_t credits_ps = ask(&question, "packet").time_ps;

    (void)state;
    question.loss = CS_NET_PFC;
    assert_int_equal(ask(&question, "packet").time_ps, credits_ps);
    /* 69 packets a message; 10 + 20 + 40 make three round trips' rounds. */
    question.loss = CS_NET_DROP;
    assert_true(ask(&question, "packet").time_ps >= credits_ps);
    assert_int_equal(ask(&question, "packet").packets_dropped, 0);
}

static void slow_start_costs_its_round_trips(void **state)
{
    struct question question = {"sendrecv", "ring", 9000000, CS_NET_CREDITS,
                                1 << 20};
    double packet_ps = (PAYLOAD + HEADER) * 1e12 / 1.25e9;
    double trip_ps = 4 * 5e6 + 2 * packet_ps;
    double rounds = ceil(log2(trip_ps / packet_ps / 10));
    uint64_t credits_ps = ask(&question, "packet").time_ps;
    struct cs_exec_result dropped;

    (void)state;
    question.loss = CS_NET_DROP;
    dropped = ask(&question, "packet");
    assert_int_equal(dropped.packets_dropped, 0);
    assert_int_equal(dropped.packets_resent, 0);
    assert_true(dropped.time_ps >= credits_ps);
    if ((double)dropped.time_ps > (double)credits_ps + rounds * trip_ps + 1)
        fail_msg("%" PRIu64 " ps with credits, %" PRIu64
                 " ps with a window; %g round trips of %g ps are expected",
                 credits_ps, dropped.time_ps, rounds, trip_ps);
}

static void many_to_one_loses_packets_and_takes_longer(void **state)
{
    struct question question = {"gather", "flat", 9 << 20, CS_NET_DROP, 65536};
    struct cs_exec_result result = ask(&question, "packet");

    (void)state;
    assert_true(result.packets_dropped > 0);
    assert_true(result.packets_resent >= result.packets_dropped);
    assert_true((double)result.time_ps > fluid_ps(&question));
}

static void pauses_lose_nothing_and_keep_the_link_busy(void **state)
{
    struct question question = {"gather", "flat", 9 << 20, CS_NET_PFC, 65536};
    struct cs_exec_result result = ask(&question, "packet");

    (void)state;
    assert_int_equal(result.packets_dropped, 0);
    assert_true((double)result.time_ps >= fluid_ps(&question) * 0.999);
    assert_true((double)result.time_ps < fluid_ps(&question) * 1.05);
}

static void all_answers_are_the_same_again(void **state)
{
    struct question question = {"gather", "flat", 1 << 20, CS_NET_DROP, 30000};

    (void)state;
    assert_int_equal(ask(&question, "packet").time_ps,
                     ask(&question, "packet").time_ps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nothing_fills_up_all_are_alike),
        cmocka_unit_test(slow_start_costs_its_round_trips),
        cmocka_unit_test(many_to_one_loses_packets_and_takes_longer),
        cmocka_unit_test(pauses_lose_nothing_and_keep_the_link_busy),
        cmocka_unit_test(all_answers_are_the_same_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
