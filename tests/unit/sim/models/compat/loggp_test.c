/* Model loggp: what LogGOPSim answers, and what follows from its rules.  Times
 * in the comments are nanoseconds. */
#include "sim/models/params/loggp.h"

#include "algorithms/schedules/import.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

enum {
    RANKS_MAX = 8
};

#define NS ((uint64_t)1000) /* picoseconds */

static const struct cs_importer *goal(void)
{
    size_t i = 0;

    while (!cs_same(cs_importers[i]->name, "goal"))
        i++;
    return cs_importers[i];
}

struct times {
    uint64_t all_ns;
    uint64_t rank_ns[RANKS_MAX];
};

static struct times run(const char *text, uint32_t ranks, const struct cs_loggp_params *loggp)
{
    CS_AT_END(machine_close) struct machine machine;
    struct cs_algo algo;
    struct cs_call call = {.ranks = ranks, .element_bytes = 1};
    struct cs_exec_result result;
    struct cs_program program;
    struct times times = {0};
    const struct cs_path *path = &result.path;

    machine_open(&machine, "switch:latency=1us", ranks, 0);
    machine.params.loggp = loggp;
    assert_done(goal()->read((struct cs_import_text){"x.goal", text, strlen(text)}, &machine.arena,
                             &algo, &err));
    call.elements = algo.vector_bytes;
    call.schedule = algo.schedule;
    program = cs_algo_program(&algo, &call);
    result = machine_run(&machine, &program, "loggp");
    assert_int_equal(cs_path_ps(path), result.time_ps);
    times.all_ns = result.time_ps / NS;
    for (uint32_t i = 0; i < ranks; i++)
        times.rank_ns[i] = result.done_ps[i] / NS;
    return times;
}

TEST(a_binomial_reduction_takes_as_long_as_in_loggopsim)
{
    const char *text = "num_ranks 8\n"
                       "rank 0 { recv 1024b from 1 recv 1024b from 2 recv 1024b from 4 }\n"
                       "rank 1 { a: recv 1024b from 3 b: recv 1024b from 5\n"
                       "         s: send 1024b to 0 s requires a s requires b }\n"
                       "rank 2 { a: recv 1024b from 6 s: send 1024b to 0 s requires a }\n"
                       "rank 3 { a: recv 1024b from 7 s: send 1024b to 1 s requires a }\n"
                       "rank 4 { send 1024b to 0 } rank 5 { send 1024b to 1 }\n"
                       "rank 6 { send 1024b to 2 } rank 7 { send 1024b to 3 }\n";
    const uint64_t done_ns[] = {34914, 24776, 13138, 13138, 1500, 1500, 1500, 1500};
    struct times times = run(text, 8, NULL);

    for (int i = 0; i < 8; i++)
        assert_int_equal(times.rank_ns[i], done_ns[i]);
    assert_int_equal(times.all_ns, 34914);
}

/* R. Karp et al., SPAA 1993: 24 is the least that 8 ranks need. */
TEST(the_best_broadcast_of_logp_takes_24)
{
    const struct cs_loggp_params logp = {
        .latency_ps = 6 * NS, .overhead_ps = 2 * NS, .gap_ps = 4 * NS, .eager_bytes = 1};
    const char *text = "num_ranks 8\n"
                       "rank 0 { a: send 1b to 1 b: send 1b to 2 c: send 1b to 3\n"
                       "         d: send 1b to 5 b requires a c requires b d requires c }\n"
                       "rank 1 { a: recv 1b from 0 b: send 1b to 4 c: send 1b to 6\n"
                       "         b requires a c requires b }\n"
                       "rank 2 { a: recv 1b from 0 b: send 1b to 7 b requires a }\n"
                       "rank 3 { recv 1b from 0 } rank 4 { recv 1b from 1 }\n"
                       "rank 5 { recv 1b from 0 } rank 6 { recv 1b from 1 }\n"
                       "rank 7 { recv 1b from 2 }\n";
    struct times times = run(text, 8, &logp);

    assert_int_equal(times.rank_ns[3], 18);
    assert_int_equal(times.rank_ns[4], 20);
    assert_int_equal(times.rank_ns[5], 22);
    assert_int_equal(times.all_ns, 24);
}

static const char *const late_receiver =
    "num_ranks 2\n"
    "rank 0 { a: send 70000b to 1 b: calc 10 b requires a }\n"
    "rank 1 { a: calc 100000 b: recv 70000b from 0 b requires a }\n";

/* Both: 1500 of the processor for the last of it, 69999 G, from 100000 on. */
TEST(a_long_message_holds_its_sender_until_it_is_received)
{
    struct times times = run(late_receiver, 2, NULL);

    assert_int_equal(times.rank_ns[0], 100010);
    assert_int_equal(times.rank_ns[1], 100000 + 1500 + 69999 * 6);
}

TEST(a_short_one_does_not)
{
    struct cs_loggp_params loggp = cs_loggp_typical;
    struct times times;

    loggp.eager_bytes = 70000;
    times = run(late_receiver, 2, &loggp);
    assert_int_equal(times.rank_ns[0], 1510);
    assert_int_equal(times.rank_ns[1], 100000 + 1500 + 69999 * 6);
}

/* 1 takes in what 0 sent at 4000 and then first what 2 sent at 9000, which it
 * waits for, until 9000 + 1500; what it then waits for is there already. */
TEST(a_message_is_taken_in_before_its_receive_is_posted)
{
    const char *text = "num_ranks 3\n"
                       "rank 0 { send 1b to 1 }\n"
                       "rank 1 { a: recv 1b from 2 b: recv 1b from 0 b requires a }\n"
                       "rank 2 { a: calc 5000 b: send 1b to 1 b requires a }\n";
    struct times times = run(text, 3, NULL);

    assert_int_equal(times.rank_ns[1], 10500);
}

/* The second begins g + 99 G after the first. */
TEST(sends_keep_their_gap)
{
    const struct cs_loggp_params loggp = {.latency_ps = 50 * NS,
                                          .overhead_ps = 5 * NS,
                                          .gap_ps = 30 * NS,
                                          .gap_ps_per_byte = 2000,
                                          .eager_bytes = 1000};
    const char *text = "num_ranks 2\n"
                       "rank 0 { a: send 100b to 1 b: send 100b to 1\n"
                       "         b requires a }\n"
                       "rank 1 { recv 100b from 0 recv 100b from 0 }\n";
    struct times times = run(text, 2, &loggp);

    assert_int_equal(times.rank_ns[0], 30 + 198 + 5);
    assert_int_equal(times.rank_ns[1], 30 + 198 + 5 + 50 + 5 + 198);
}

TEST(bytes_occupy_the_processor)
{
    const struct cs_loggp_params loggp = {.latency_ps = 50 * NS,
                                          .overhead_ps = 5 * NS,
                                          .gap_ps_per_byte = 2000,
                                          .overhead_ps_per_byte = 3000,
                                          .eager_bytes = 1000};
    const char *text = "num_ranks 2\n"
                       "rank 0 { a: send 11b to 1 b: calc 7 b requires a }\n"
                       "rank 1 { recv 11b from 0 }\n";
    struct times times = run(text, 2, &loggp);

    assert_int_equal(times.rank_ns[0], 5 + 30 + 7);
    assert_int_equal(times.rank_ns[1], 5 + 50 + 5 + 30);
}

/* The message is there at 4000, the processor free at 10000. */
TEST(a_message_on_its_route_comes_before_what_follows)
{
    const char *text = "num_ranks 2\n"
                       "rank 0 { send 1b to 1 }\n"
                       "rank 1 { a: calc 10000 b: calc 5000 b requires a\n"
                       "         c: recv 1b from 0 d: calc 1 d requires c }\n";
    const char *later = "num_ranks 2\n"
                        "rank 0 { a: calc 5000 b: send 1b to 1 b requires a }\n"
                        "rank 1 { a: calc 10000 b: calc 5000 b requires a\n"
                        "         c: recv 1b from 0 }\n";

    /* recv 10000 - 11500, b - 16500, d - 16501 */
    assert_int_equal(run(text, 2, NULL).rank_ns[1], 16501);
    /* sent after a began: b 10000 - 15000, recv - 16500 */
    assert_int_equal(run(later, 2, NULL).rank_ns[1], 16500);
}

TEST(an_empty_message_costs_as_much_as_one_byte)
{
    const char *text = "num_ranks 2 rank 0 { send 0b to 1 }\n"
                       "rank 1 { recv 0b from 0 }\n";

    assert_int_equal(run(text, 2, NULL).all_ns, 5500);
}

TEST(a_message_alone_takes_fixed_and_per_byte)
{
    struct cs_model_line line = cs_loggp_line(&cs_loggp_typical);

    assert_true(line.fixed_ps == 5494e3);
    assert_true(line.ps_per_byte == 6e3);
}

/* Waiting for each other is reported, not waited for. */
MACHINE_TEST(long_messages_that_cross_are_a_deadlock)
{
    const char *text = "num_ranks 2\n"
                       "rank 0 { a: send 70000b to 1 b: recv 70000b from 1 b requires a }\n"
                       "rank 1 { a: send 70000b to 0 b: recv 70000b from 0 b requires a }\n";
    struct cs_algo algo;
    struct cs_call call = {.ranks = 2, .elements = 70000, .element_bytes = 1};
    struct cs_exec_result result;
    struct cs_program program;

    machine_open(machine, "switch:latency=1us", 2, 0);
    assert_done(goal()->read((struct cs_import_text){"x.goal", text, strlen(text)}, &machine->arena,
                             &algo, &err));
    call.schedule = algo.schedule;
    program = cs_algo_program(&algo, &call);
    assert_refused_with(cs_exec_run(&program, &machine->net, cs_link_model_find("loggp"),
                                    &machine->arena, &result, &err),
                        CS_EANSWER, "never receives");
}
