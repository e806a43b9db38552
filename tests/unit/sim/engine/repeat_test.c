/*
 * Rounds that repeat are counted, and all others are simulated.
 */
#include "sim/engine/repeat.h"

#include "tests/fixture.h"

enum {
    RANKS = 64,
};

struct trial {
    struct machine machine;
    struct cs_call call;
    struct cs_program program;
    struct cs_exec_request request;
    struct cs_exec_result result;
};

static void trial_free(struct trial *trial)
{
    machine_close(&trial->machine);
}

/* A ring of equal blocks, or with `more` elements. */
static void trial_open(struct trial *trial, const char *spec, uint64_t more)
{
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    const struct cs_algo *algo = NULL;

    *trial = (struct trial){
        .call = {.ranks = RANKS, .elements = UINT64_C(1000) * RANKS + more, .element_bytes = 4}};
    for (size_t a = 0; a < cs_algo_count && !algo; a++)
        if (strcmp(cs_algos[a]->name, "ring") == 0)
            algo = cs_algos[a];
    assert_non_null(algo);
    machine_open(&trial->machine, spec, RANKS, 0);
    cs_algo_resolve(algo, &trial->call, &hockney);
    trial->program = cs_algo_program(algo, &trial->call);
    trial->request = (struct cs_exec_request){.program = &trial->program,
                                              .net = &trial->machine.net,
                                              .model = cs_link_model_find("fifo"),
                                              .params = &trial->machine.params,
                                              .jumps_from = 1};
}

static const struct cs_exec_result *trial_run(struct trial *trial)
{
    assert_done(cs_exec_run_watched(&trial->request, &trial->machine.arena, &trial->result, &err));
    return &trial->result;
}

#define TRIAL_TEST(name) TEST_OF(struct trial, trial, trial_free, name)

TRIAL_TEST(a_ring_of_equal_blocks_jumps)
{
    uint64_t time_ps;

    trial_open(trial, "switch:latency=1us,gamma=9GB/s", 0);
    time_ps = trial_run(trial)->time_ps;
    assert_true(trial->result.jumped > trial->result.messages / 2);
    trial->request.jumps_from = 0;
    assert_int_equal(trial_run(trial)->time_ps, time_ps);
    assert_int_equal(trial->result.jumped, 0);
}

TRIAL_TEST(a_slow_link_leaves_rounds_that_repeat)
{
    uint64_t time_ps;

    trial_open(trial, "switch:latency=1us", 0);
    trial->machine.net.links[5].rate_Bps /= 3;
    cs_net_finish(&trial->machine.net);
    time_ps = trial_run(trial)->time_ps;
    assert_true(trial->result.jumped > 0);
    trial->request.jumps_from = 0;
    assert_int_equal(trial_run(trial)->time_ps, time_ps);
}

TRIAL_TEST(few_rounds_are_simulated)
{
    trial_open(trial, "switch:latency=1us", 0);
    trial->request.jumps_from = 1 << 20;
    assert_int_equal(trial_run(trial)->jumped, 0);
}

TRIAL_TEST(unequal_blocks_are_simulated)
{
    trial_open(trial, "switch:latency=1us", RANKS / 2);
    assert_int_equal(trial_run(trial)->jumped, 0);
}

TRIAL_TEST(models_with_further_state_are_simulated)
{
    trial_open(trial, "switch:latency=1us", 0);
    trial->request.model = cs_link_model_find("fluid");
    assert_int_equal(trial_run(trial)->jumped, 0);
}

static void trial_delivered(void *ctx, const struct cs_message *message, uint64_t at_ps)
{
    (void)message;
    (void)at_ps;
    ++*(uint64_t *)ctx;
}

TRIAL_TEST(a_watch_sees_every_message)
{
    uint64_t seen = 0;
    const struct cs_exec_watch watch = {.delivered = trial_delivered, .ctx = &seen};

    trial_open(trial, "switch:latency=1us", 0);
    trial->request.watch = &watch;
    (void)trial_run(trial);
    assert_int_equal(trial->result.messages, seen);
    assert_int_equal(trial->result.jumped, 0);
}

static bool no_time(void *ctx, const struct cs_progress *progress)
{
    (void)ctx;
    (void)progress;
    return false;
}

TRIAL_TEST(a_stop_is_heard_at_a_jump)
{
    const struct cs_monitor monitor = {no_time, NULL};

    trial_open(trial, "switch:latency=1us", 0);
    trial->request.monitor = &monitor;
    assert_int_equal(
        cs_exec_run_watched(&trial->request, &trial->machine.arena, &trial->result, NULL),
        CS_ESTOPPED);
}
