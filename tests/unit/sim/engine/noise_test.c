#include "sim/engine/noise.h"

#include "tests/fixture.h"

/* ---- a ring of as many steps as one likes, of t = 2 us each ---- */

struct ring {
    uint32_t ranks;
    uint64_t steps;
};

static uint64_t ring_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct ring *ring = ctx;

    return ring->steps;
}

static void ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct ring *ring = ctx;
    struct cs_op send = {.kind = CS_OP_SEND, .peer = (at.party + 1) % ring->ranks, .amount = 1};
    struct cs_op recv = {
        .kind = CS_OP_RECV, .peer = (at.party + ring->ranks - 1) % ring->ranks, .amount = 1};

    cs_ops_push(ops, send);
    cs_ops_push(ops, recv);
}

static struct cs_exec_result run_ring(struct machine *machine, const struct ring *ring,
                                      const struct cs_noise *noise)
{
    struct cs_program program = {.ranks = ring->ranks,
                                 .lanes = 1,
                                 .blocks = 1,
                                 .elements = 1,
                                 .element_bytes = 1,
                                 .after = CS_NOTHING,
                                 .ctx = ring,
                                 .rounds = ring_rounds,
                                 .round = ring_round};
    struct cs_exec_request request = {
        .program = &program, .net = &machine->net, .model = cs_link_models[0], .noise = noise};
    struct cs_exec_result result;

    machine_open(machine, "switch:latency=1us,bandwidth=1000TB/s", ring->ranks, 0);
    assert_done(cs_exec_run_watched(&request, &machine->arena, &result, &err));
    return result;
}

static double ring_us(const struct ring *ring, const struct cs_noise *noise)
{
    CS_AT_END(machine_close) struct machine machine;
    struct cs_exec_result result = run_ring(&machine, ring, noise);

    return (double)result.time_ps / 1e6;
}

static struct cs_noise_term term_of(const char *distribution, enum cs_noise_at at)
{
    struct cs_noise_term term = {.at = at};

    assert_done(cs_distribution_read(distribution, &term.distribution, &err));
    return term;
}

/* ---- what is known exactly ---- */

/* Last-passage percolation on a cylinder: t + mu (2 - 1/p) a step. */
TEST(exponential_noise_slows_a_ring_by_two_means_less_a_pth)
{
    const uint32_t ranks[] = {2, 3, 4, 8, 16};
    struct cs_noise_term term = term_of("exponential,mean=1us", CS_NOISE_MESSAGE);
    struct cs_noise noise = {&term, 1, NULL, fixture_seed(), NULL};

    for (size_t i = 0; i < 5; i++) {
        double p = ranks[i];
        struct ring ring = {ranks[i], 40000};
        double step_us = ring_us(&ring, &noise) / (double)ring.steps;

        if (!(fabs(step_us / (2 + 2 - 1 / p) - 1) <= 0.01))
            fail_msg("p = %u: %g us a step, expected %g", ranks[i], step_us, 2 + 2 - 1 / p);
    }
}

/* E[T]/S of an all-reduce, S = 2(p-1), from a flat start, mu = 1: T(i,s) =
 * max(T(i,s-1), T(i-1,s-1)) + X, averaged over 10^6 runs by a program of its
 * own, which is right to 0.002.  The runs here are as many as keep three
 * standard errors of their mean (sd 0.435, 0.252, 0.149, 0.089) within 0.009. */
TEST(a_short_ring_takes_its_mean_time)
{
    const struct {
        uint32_t ranks, runs;
        double expected_us;
    } cases[] = {{4, 20000, 1.808}, {8, 8000, 1.953}, {16, 3000, 2.010}, {32, 1000, 2.033}};
    struct cs_noise_term term = term_of("exponential,mean=1us", CS_NOISE_MESSAGE);

    for (size_t i = 0; i < 4; i++) {
        struct ring ring = {cases[i].ranks, 2 * ((uint64_t)cases[i].ranks - 1)};
        double mean_us = 0;

        for (uint64_t run = 0; run < cases[i].runs; run++) {
            struct cs_noise noise = {&term, 1, NULL, cs_mix64(run), NULL};

            mean_us += (ring_us(&ring, &noise) / (double)ring.steps - 2) / cases[i].runs;
        }
        if (!(fabs(mean_us - cases[i].expected_us) <= 0.011))
            fail_msg("p = %u: %g us a step, expected %g", ring.ranks, mean_us,
                     cases[i].expected_us);
    }
}

/* Normal noise of sd 1 far from 0: what a step takes above its mean, by Monte
 * Carlo to two digits, and far below that of a barrier (m_8 = 1.42). */
TEST(normal_noise_slows_a_ring_less_than_a_barrier)
{
    const struct {
        uint32_t ranks;
        double more_us;
    } cases[] = {{2, .56}, {4, .72}, {8, .81}, {16, .83}};
    struct cs_noise_term term = term_of("normal,mean=10us,sd=1us", CS_NOISE_MESSAGE);
    struct cs_noise noise = {&term, 1, NULL, fixture_seed(), NULL};

    for (size_t i = 0; i < 4; i++) {
        struct ring ring = {cases[i].ranks, 20000};
        double more_us = ring_us(&ring, &noise) / (double)ring.steps - 12;

        if (!(fabs(more_us - cases[i].more_us) <= 0.03))
            fail_msg("p = %u: %g us, expected %g", ring.ranks, more_us, cases[i].more_us);
    }
}

/* The mean of many runs of an algorithm above its time without noise, in microseconds;
 * mean 1 us of exponential noise at each message. */
static double mean_more_us(const char *collective, const char *algo, uint32_t ranks, uint64_t runs)
{
    struct cs_noise_term term = term_of("exponential,mean=1us", CS_NOISE_MESSAGE);
    struct cs_noise noise = {&term, 1, NULL, 0, NULL};
    struct cs_call call = {.ranks = ranks, .elements = 64, .element_bytes = 1};
    struct cs_program program = fixture_program(algo, collective, &call);
    struct cs_exec_request request = {
        .program = &program, .model = cs_link_models[0], .noise = &noise};
    struct cs_exec_result result;
    CS_AT_END(machine_close) struct machine machine;
    uint64_t baseline_ps;
    double sum_us = 0;

    machine_open(&machine, "switch:latency=1us,bandwidth=1000TB/s", ranks, program.agents);
    request.net = &machine.net;
    baseline_ps = machine_run(&machine, &program, "fifo").time_ps;
    for (uint64_t run = 0; run < runs; run++) {
        noise.seed = cs_noise_seed(fixture_seed(), run);
        assert_int_equal(cs_exec_run_watched(&request, &machine.arena, &result, NULL), 0);
        sum_us += (double)result.time_ps / 1e6 - (double)baseline_ps / 1e6;
    }
    return sum_us / (double)runs;
}

/* Both partners of a step wait for both messages: 1.96 us a step at p = 4,
 * 2.45 at 16, 2.76 at 64, by Monte Carlo. */
TEST(noise_slows_recursive_doubling_as_it_is_known)
{
    const struct {
        uint32_t ranks, steps;
        double step_us;
    } cases[] = {{4, 2, 1.96}, {16, 4, 2.45}, {64, 6, 2.76}};

    for (size_t i = 0; i < 3; i++) {
        double step_us =
            mean_more_us("allreduce", "recursive-doubling", cases[i].ranks, i == 2 ? 400 : 2000) /
            cases[i].steps;

        if (!(fabs(step_us / cases[i].step_us - 1) <= 0.03))
            fail_msg("p = %u: %g us a step, expected %g", cases[i].ranks, step_us,
                     cases[i].step_us);
    }
}

/* One step that ends when all p - 1 messages are there: mu H_(p-1). */
TEST(a_gather_waits_for_the_most_of_its_draws)
{
    const struct {
        uint32_t ranks;
        double most_us;
    } cases[] = {{2, 1}, {5, 25. / 12}, {9, 761. / 280}};

    for (size_t i = 0; i < 3; i++) {
        double more_us = mean_more_us("gather", "flat", cases[i].ranks, 4000);

        if (!(fabs(more_us / cases[i].most_us - 1) <= 0.05))
            fail_msg("p = %u: %g us, expected %g", cases[i].ranks, more_us, cases[i].most_us);
    }
}

/* Two messages of one block to one peer in one round: the later of two draws is
 * mu (1 + 1/2) on average, and mu alone were they one draw. */
TEST(two_messages_to_one_peer_in_one_round_draw_for_themselves)
{
    struct cs_program program = SCRIPT(2, 1, step_at(0, 0, send_to(1, 0)), MESSAGE(0, 1, 0, 0),
                                       step_at(1, 0, recv_from(0, 0)));
    struct cs_noise_term term = term_of("exponential,mean=1us", CS_NOISE_MESSAGE);
    double sum_us = 0;

    for (uint64_t run = 0; run < 4000; run++) {
        struct cs_noise noise = {&term, 1, NULL, cs_mix64(run), NULL};
        struct cs_exec_result result;
        CS_AT_END(machine_close) struct machine machine;
        struct cs_exec_request request = {
            .program = &program, .net = &machine.net, .model = cs_link_models[0], .noise = &noise};

        machine_open(&machine, "switch:latency=1us,bandwidth=1000TB/s", 2, 0);
        assert_done(cs_exec_run_watched(&request, &machine.arena, &result, &err));
        sum_us += (double)result.time_ps / 1e6 - 2;
    }
    assert_true(fabs(sum_us / 4000 - 1.5) < 0.06);
}

/* No absorption: max A + S t. */
TEST(a_ring_waits_for_the_last_to_come)
{
    struct cs_noise_term term = term_of("weibull,scale=9us,shape=2", CS_NOISE_RANK);
    struct cs_noise noise = {&term, 1, NULL, 7, NULL};
    struct ring ring = {8, 14};
    uint64_t last_ps = 0;

    for (uint32_t r = 0; r < 8; r++)
        if (cs_noise_rank_ps(&noise, r) > last_ps)
            last_ps = cs_noise_rank_ps(&noise, r);
    assert_true(last_ps > 0);
    /* A picosecond a message. */
    assert_true(fabs(ring_us(&ring, &noise) - (double)last_ps / 1e6 - 28) < 2e-5);
}

/* All of the delay: no rank of a ring has slack. */
TEST(a_ring_waits_for_a_late_rank)
{
    const uint64_t late_ps[] = {0, 0, 0, 7000000, 0, 0, 0, 0};
    struct cs_noise none = {.count = 0};
    struct cs_noise noise = {.late_ps = late_ps};
    struct ring ring = {8, 14};

    assert_true(cs_noise_rank_ps(&noise, 3) == 7000000);
    assert_true(cs_noise_rank_ps(&noise, 2) == 0);
    assert_true(fabs(ring_us(&ring, &noise) - ring_us(&ring, &none) - 7) < 2e-5);
}

/* A message of 1000 bytes at 1 ns a byte and no latency: S t (1 + f). */
TEST(a_ring_runs_at_its_slowest_rank)
{
    const double slow[] = {0, 0, 0.25, 0, 0, 0};
    struct cs_noise noise = {NULL, 0, slow, 1, NULL};
    const char *const models[] = {"fifo", "fluid", "packet", "postal"};
    struct cs_call call = {.ranks = 6, .elements = 6000, .element_bytes = 1};
    struct cs_program program = fixture_program("ring", "allreduce", &call);

    for (size_t m = 0; m < 4; m++) {
        CS_AT_END(machine_close) struct machine machine;

        machine_open(&machine, "switch:latency=0ps,bandwidth=1GB/s", 6, 0);
        cs_noise_net(&noise, &machine.net, &machine.arena);
        assert_true(llabs((int64_t)machine_run(&machine, &program, models[m]).time_ps -
                          INT64_C(12500000)) <= 20);
    }
}

/* One rank sends everything: its port is what takes longer, however many
 * messages stand before it.  p - 1 messages at once, then the sums of the
 * others at full speed. */
MACHINE_TEST(a_slow_rank_sends_each_byte_slower)
{
    const double slow[] = {1, 0, 0, 0, 0};
    struct cs_noise noise = {NULL, 0, slow, 1, NULL};
    struct cs_call call = {.ranks = 5, .elements = 1000, .element_bytes = 1};
    struct cs_program program = fixture_program("flat", "broadcast", &call);

    machine_open(machine, "switch:latency=0ps,bandwidth=1GB/s", 5, 0);
    assert_int_equal(machine_run(machine, &program, "fifo").time_ps, 4000000);
    cs_noise_net(&noise, &machine->net, &machine->arena);
    assert_int_equal(machine_run(machine, &program, "fifo").time_ps, 8000000);
}

MACHINE_TEST(a_slow_rank_adds_up_and_works_slower)
{
    struct step steps[] = {
        step_at(1, 0, (struct cs_op){.kind = CS_OP_WORK, .amount = 1000}),
    };
    struct script script = {steps, 1};
    struct cs_program program = script_program(&script, 2, 1);
    const double slow[] = {0, 0.25};
    struct cs_noise noise = {NULL, 0, slow, 1, NULL};
    struct cs_net_party party = {.slow = 0.25};

    program.after = CS_NOTHING;
    machine_open(machine, "switch:latency=0ps,bandwidth=1GB/s", 2, 0);
    cs_noise_net(&noise, &machine->net, &machine->arena);
    assert_int_equal(machine_run(machine, &program, "fifo").time_ps, 1250);
    assert_int_equal(machine_run(machine, &program, "loggp").time_ps, 1250);
    assert_int_equal(cs_slowed_ps(&party, 1000), 1250);
}

MACHINE_TEST(constant_noise_is_latency)
{
    struct cs_noise_term terms[] = {term_of("constant,value=1us", CS_NOISE_MESSAGE),
                                    term_of("constant,value=0.5us", CS_NOISE_LINK)};
    struct cs_noise noise = {terms, 2, NULL, 1, NULL};
    struct ring ring = {4, 6};

    assert_true(fabs(ring_us(&ring, &noise) - 6 * 3) < 1e-5);
    machine_open(machine, "switch:latency=1us,bandwidth=1GB/s", 4, 0);
    cs_noise_net(&noise, &machine->net, &machine->arena);
    assert_int_equal(machine->net.links[0].latency_ps, 1500000);
}

MACHINE_TEST(the_parts_of_the_path_still_add_up)
{
    struct cs_noise_term terms[] = {term_of("lognormal,median=1us,sigma=1", CS_NOISE_MESSAGE),
                                    term_of("exponential,mean=5us", CS_NOISE_RANK)};
    struct cs_noise noise = {terms, 2, NULL, 3, NULL};
    struct ring ring = {5, 50};
    struct cs_exec_result result = run_ring(machine, &ring, &noise);

    assert_int_equal(result.path.latency_ps + result.path.bandwidth_ps + result.path.reduction_ps +
                         result.path.wait_ps,
                     result.time_ps);
}

/* A ring of two steps: the second waits for a processor when it is held back,
 * and the noise comes on top. */
MACHINE_TEST(noise_before_a_processor_lengthens_every_step)
{
    struct cs_noise_term term = term_of("constant,value=3us", CS_NOISE_MESSAGE);
    struct cs_noise noise = {&term, 1, NULL, 1, NULL};
    struct cs_call call = {.ranks = 3, .elements = 3000, .element_bytes = 1};
    struct cs_program program = fixture_program("ring", "allreduce", &call);
    struct cs_exec_request request = {
        .program = &program, .model = cs_link_model_find("loggp"), .noise = &noise};
    struct cs_exec_result baseline;
    struct cs_exec_result result;

    machine_open(machine, "switch:latency=1us,bandwidth=1GB/s", 3, 0);
    request.net = &machine->net;
    baseline = machine_run(machine, &program, "loggp");
    assert_int_equal(cs_exec_run_watched(&request, &machine->arena, &result, NULL), 0);
    assert_int_equal(result.time_ps, baseline.time_ps + 4 * UINT64_C(3000000));
    assert_int_equal(cs_path_ps(&result.path), result.time_ps);
}

TEST(noise_of_links_and_slow_ranks_delays_nothing_in_a_run)
{
    static const double slow[1] = {0.5};
    static const uint64_t late_ps[1] = {1000};
    struct cs_noise_term term = {.at = CS_NOISE_LINK};
    struct cs_noise noise = {.terms = &term, .count = 1, .slow = slow};

    assert_false(cs_noise_delays(&noise));
    term.at = CS_NOISE_MESSAGE;
    assert_true(cs_noise_delays(&noise));
    term.at = CS_NOISE_RANK;
    assert_true(cs_noise_delays(&noise));
    noise.count = 0;
    assert_false(cs_noise_delays(&noise));
    noise.late_ps = late_ps;
    assert_true(cs_noise_delays(&noise));
}

TEST(the_same_seed_is_the_same_run)
{
    struct cs_noise_term term = term_of("gumbel,mode=1us,scale=1us", CS_NOISE_MESSAGE);
    struct cs_noise one = {&term, 1, NULL, 1, NULL};
    struct cs_noise two = {&term, 1, NULL, 2, NULL};
    struct ring ring = {4, 20};

    assert_true(ring_us(&ring, &one) == ring_us(&ring, &one));
    assert_true(ring_us(&ring, &one) != ring_us(&ring, &two));
}
