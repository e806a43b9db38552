#include "sim/engine/progress.h"
#include "sim/proof/algebra.h"

#include "tests/fixture.h"

/* Counts the beats, and stops at one of them. */
struct listener {
    uint64_t updates;
    uint64_t stop_at; /* 0: never */
    bool fell;        /* the share done became less */
    struct cs_progress last;
};

static bool listen(void *ctx, const struct cs_progress *progress)
{
    struct listener *listener = ctx;

    listener->fell |= progress->rounds_begun < listener->last.rounds_begun ||
                      progress->events < listener->last.events;
    listener->last = *progress;
    return ++listener->updates != listener->stop_at;
}

static struct cs_program ring(struct cs_call *call, uint32_t ranks)
{
    *call = (struct cs_call){.ranks = ranks, .elements = 6400, .element_bytes = 4};
    return fixture_program("ring", "allreduce", call);
}

static int run_with(struct listener *listener, struct cs_exec_result *result, struct cs_err *err)
{
    struct cs_call call;
    struct cs_program program = ring(&call, 64);
    CS_AT_END(machine_close) struct machine machine = {0};
    struct cs_monitor monitor = {listen, listener};
    struct cs_exec_request request = {.program = &program,
                                      .model = cs_link_model_find("fifo"),
                                      .monitor = listener ? &monitor : NULL};

    machine_open(&machine, "switch:latency=1us", 64, 0);
    request.net = &machine.net;
    return cs_exec_run_watched(&request, &machine.arena, result, err);
}

TEST(a_run_is_the_same_with_a_monitor_and_without)
{
    struct listener listener = {0};
    struct cs_exec_result with, without;

    assert_int_equal(run_with(&listener, &with, NULL), 0);
    assert_int_equal(run_with(NULL, &without, NULL), 0);
    assert_int_equal(with.time_ps, without.time_ps);
    assert_int_equal(with.messages, without.messages);
    assert_int_equal(with.events, without.events);
    assert_in_range(listener.updates, with.events / CS_MONITOR_STEPS,
                    with.events / CS_MONITOR_STEPS + 1);
    assert_int_equal(listener.last.rounds, 64 * 2 * 63);
    assert_in_range(listener.last.rounds_begun, 64, 64 * 2 * 63);
    assert_false(listener.fell);
}

TEST(a_run_that_is_stopped_says_how_far_it_came)
{
    struct listener listener = {.stop_at = 2};
    struct cs_exec_result result;
    struct cs_err err = {0};

    assert_int_equal(run_with(&listener, &result, &err), CS_ESTOPPED);
    assert_int_equal(listener.updates, 2);
    assert_non_null(strstr(err.text, "stopped at "));
    assert_non_null(strstr(err.text, " messages delivered"));
    assert_int_equal(result.time_ps, listener.last.time_ps);
    assert_in_range(result.messages, 1, 64 * 2 * 63 - 1);
}

/* An all-to-all of 48 ranks on a torus, whose 2,256 flows share all links. */
static int share_with(struct listener *listener, struct cs_exec_result *result, struct cs_err *err)
{
    struct cs_call call = {.ranks = 48, .elements = 48UL * 4800, .element_bytes = 4, .peers = 47};
    struct cs_program program = fixture_program("direct", "all-to-all", &call);
    CS_AT_END(machine_close) struct machine machine = {0};
    struct cs_monitor monitor = {listen, listener};
    struct cs_exec_request request = {
        .program = &program, .model = cs_link_model_find("fluid"), .monitor = &monitor};

    machine_open(&machine, "torus:dims=6x8", 48, 0);
    request.net = &machine.net;
    return cs_exec_run_watched(&request, &machine.arena, result, err);
}

/* Rates of many flows take long to find: half a second for an all-to-all of 256 ranks,
 * in which Ctrl-C was not heard. */
TEST(rates_that_take_long_are_stopped_early)
{
    struct listener whole = {0};
    struct cs_exec_result result;
    uint64_t at;

    assert_int_equal(share_with(&whole, &result, NULL), 0);
    assert_true(whole.updates > 20 * (result.events / CS_MONITOR_STEPS + 1));
    assert_false(whole.fell);
    for (at = 1; at < whole.updates; at += whole.updates / 7) {
        struct listener listener = {.stop_at = at};
        struct cs_err err = {0};

        assert_int_equal(share_with(&listener, &result, &err), CS_ESTOPPED);
        assert_int_equal(listener.updates, at);
        assert_non_null(strstr(err.text, "stopped at "));
    }
}

static int prove_ring(uint32_t ranks, struct listener *listener, struct cs_err *err)
{
    struct cs_call call;
    struct cs_program program = ring(&call, ranks);
    struct cs_monitor monitor = {listen, listener};
    /* Nine blocks at a time: eight replays. */
    struct cs_proof_options options = {.budget_bytes = (size_t)70 * 8 * 9, .monitor = &monitor};
    struct cs_proof proof;

    return cs_proof_run(&program, &options, &proof, err);
}

static int prove_with(struct listener *listener, struct cs_err *err)
{
    return prove_ring(70, listener, err);
}

/* With sets, up to 64 ranks, before the windows are counted. */
TEST(an_exact_proof_can_be_stopped_from_its_start)
{
    struct listener listener = {.stop_at = 2};

    assert_int_equal(prove_ring(64, &listener, NULL), CS_ESTOPPED);
    assert_int_equal(listener.updates, 2);
    assert_int_equal(listener.last.rounds, 0);
}

TEST(a_proof_reports_of_all_its_replays)
{
    const uint64_t rounds = (uint64_t)70 * 2 * 69;
    struct listener listener = {0};

    assert_int_equal(prove_with(&listener, NULL), 0);
    assert_int_equal(listener.last.rounds, 8 * rounds);
    assert_in_range(listener.last.rounds_begun, 7 * rounds, 8 * rounds);
    assert_in_range(listener.updates, 8 * (rounds / CS_PROOF_STEPS),
                    8 * (rounds / CS_PROOF_STEPS + 11));
    assert_false(listener.fell);
}

TEST(a_proof_can_be_stopped_in_any_replay)
{
    uint64_t at;

    for (at = 1; at <= 17; at += 8) {
        struct listener listener = {.stop_at = at};

        assert_int_equal(prove_with(&listener, NULL), CS_ESTOPPED);
        assert_int_equal(listener.updates, at);
    }
}

TEST(events_of_the_parts_add_up)
{
    struct listener listener = {0};
    struct cs_monitor whole = {listen, &listener};
    struct cs_monitor_part part = {.whole = &whole, .parts = 2};
    struct cs_progress progress = {.rounds = 10};

    progress.events = 7;
    assert_true(cs_monitor_part_update(&part, &progress));
    part.part = 1;
    progress.events = 5;
    assert_true(cs_monitor_part_update(&part, &progress));
    assert_int_equal(listener.last.events, 12);
    assert_int_equal(listener.last.rounds, 20);
    assert_int_equal(listener.last.rounds_begun, 10);
}

/* The first third is over, and half of the other two. */
TEST(a_part_may_be_longer)
{
    struct listener listener = {0};
    struct cs_monitor whole = {listen, &listener};
    struct cs_monitor_part part = {.whole = &whole, .part = 1, .parts = 3, .longer = 1};
    struct cs_progress progress = {.rounds = 10, .rounds_begun = 5};

    assert_true(cs_monitor_part_update(&part, &progress));
    assert_int_equal(listener.last.rounds, 30);
    assert_int_equal(listener.last.rounds_begun, 20);
}

TEST(counts_of_computations_are_reported)
{
    struct listener listener = {.stop_at = 2};
    struct cs_monitor monitor = {listen, &listener};

    assert_true(cs_monitor_count(NULL, 3, 8));
    assert_true(cs_monitor_count(&monitor, 3, 8));
    assert_int_equal(listener.last.rounds_begun, 3);
    assert_int_equal(listener.last.rounds, 8);
    assert_false(cs_monitor_count(&monitor, 4, 8));
}
