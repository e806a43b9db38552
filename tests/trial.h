/*
 * Trials: one algorithm on one call, on a textbook's machine.
 *
 * A trial is settled, proven and simulated.  trial_sweep tries an algorithm for
 * many numbers of ranks, sizes and machines and holds each trial against what
 * its closed form promises, against the lower bound, and proof and simulation
 * against each other.
 */
#pragma once

#include "tests/fixture.h"

#include <math.h>

/* alpha is twice the latency: a route over a switch has two links. */
struct textbook {
    const char *spec;
    struct cs_hockney hockney;
};

/* The first is that of the numbers worked out by hand: 5 us, 10 GB/s and
 * 10^-11 s/B.  Reducing takes less, more, no and as much time as moving. */
static const struct textbook textbooks[] = {
    {"switch:latency=2.5us,bandwidth=10GB/s,gamma=100GB/s", {5e-6, 10e9, 1e-11}},
    {"switch:latency=1.5us,bandwidth=12.5GB/s,gamma=1GB/s", {3e-6, 12.5e9, 1e-9}},
    {"switch:latency=0.5us,bandwidth=25GB/s", {1e-6, 25e9, 0}},
    {"switch:latency=0ps,bandwidth=7GB/s,gamma=7GB/s", {0, 7e9, 1 / 7e9}},
};

/* Calls whose times are known: even, no power of two, blocks that differ. */
static const struct cs_call trial_calls[] = {
    {.ranks = 8, .elements = 8000000, .element_bytes = 1},
    {.ranks = 6, .elements = 6000000, .element_bytes = 1},
    {.ranks = 7, .elements = 1000003, .element_bytes = 1},
};

struct trial {
    const struct cs_algo *algo;
    struct cs_call call; /* settled */
    const struct textbook *textbook;
    struct cs_exec_result result;
    struct cs_proof proof;
    double closed_ps;
    double bound_ps;
};

static inline const struct cs_algo *trial_algo(const char *collective, const char *name)
{
    const struct cs_algo *algo = cs_algo_find(name, cs_collective_find(collective));

    assert_non_null(algo);
    return algo;
}

static inline void trial_fail(const struct trial *trial, const char *what)
{
    const struct cs_call *call = &trial->call;

    fail_msg("%s %s, p = %u, root %u, chunks %u, radix %u, group %u, %" PRIu64
             " elements of %u B, %s: %s (%" PRIu64 " ps; closed form %.0f, bound %.0f)",
             trial->algo->collective->name, trial->algo->name, call->ranks, call->root,
             call->chunks, call->radix, call->group, call->elements, call->element_bytes,
             trial->textbook->spec, what, trial->result.time_ps, trial->closed_ps, trial->bound_ps);
}

/* False, with the sentence in err, when the algorithm does not take it. */
static inline bool trial_settle(struct trial *trial, struct cs_err *err)
{
    *err = (struct cs_err){0};
    cs_algo_resolve(trial->algo, &trial->call, &trial->textbook->hockney);
    return cs_algo_check(trial->algo, &trial->call, err) == 0;
}

/* The route to an agent in the switch is one link. */
static inline struct cs_hockney trial_hockney(const struct trial *trial)
{
    struct cs_hockney hockney = trial->textbook->hockney;

    if (trial->algo->agent_place == CS_AGENT_SWITCH)
        hockney.alpha_s /= 2;
    return hockney;
}

/* Proves and simulates a settled trial. */
static inline void trial_run(struct trial *trial, const char *model)
{
    struct cs_proof_options options = {.seed = fixture_seed()};
    const struct cs_hockney hockney = trial_hockney(trial);
    struct cs_program program;
    CS_AT_END(machine_close) struct machine machine;
    struct cs_err err = {0};

    trial->call.collective = trial->algo->collective;
    program = cs_algo_program(trial->algo, &trial->call);
    if (cs_proof_run(&program, &options, &trial->proof, &err))
        trial_fail(trial, err.text);
    machine_open_at(&machine, trial->textbook->spec, trial->call.ranks, program.agents,
                    trial->algo->agent_place);
    trial->result = machine_run(&machine, &program, model);
    trial->closed_ps = 1e12 * cs_algo_closed_form_s(trial->algo, &trial->call, &hockney);
    trial->bound_ps = 1e12 * machine_bound(&machine, trial->algo, &trial->call).time_s;
}

/* A picosecond for each rounding on the route: at most one a message and sum. */
static inline void trial_keeps(const struct trial *trial, enum cs_exactness promise)
{
    double over_ps = (double)trial->result.time_ps - trial->closed_ps;
    double slack_ps = 2 + 2 * (double)trial->result.messages;

    if (promise == CS_COST_EXACT && !(fabs(over_ps) <= slack_ps))
        trial_fail(trial, "the closed form is not met");
    if (promise == CS_COST_AT_MOST && over_ps > slack_ps)
        trial_fail(trial, "it takes longer than the closed form");
    if ((double)trial->result.time_ps + slack_ps < trial->bound_ps)
        trial_fail(trial, "it beats the lower bound");
    if (!trial->algo->collective->is_signal && trial->proof.messages != trial->result.messages)
        trial_fail(trial, "proof and simulation count other messages");
}

static inline void trial_check(const struct trial *trial)
{
    trial_keeps(trial, cs_algo_exactness(trial->algo, &trial->call));
}

/* Exact for uneven blocks as well, where latency keeps ranks with shorter ones in step. */
static inline void trial_check_exact(const struct trial *trial)
{
    trial_keeps(trial, CS_COST_EXACT);
}

/* One trial, settled and run on a textbook's machine. */
static inline struct trial trial_on(const char *collective, const char *name, struct cs_call call,
                                    const struct textbook *textbook)
{
    struct trial trial = {.algo = trial_algo(collective, name), .call = call, .textbook = textbook};
    struct cs_err err;

    if (!trial_settle(&trial, &err))
        trial_fail(&trial, err.text);
    trial_run(&trial, "fifo");
    return trial;
}

/* One trial on the first textbook, which keeps its promises. */
static inline struct trial trial_of(const char *collective, const char *name, struct cs_call call)
{
    struct trial trial = trial_on(collective, name, call, textbooks);

    trial_check(&trial);
    return trial;
}

/* All textbooks and, for up to 33 ranks, all sizes; not what is refused. */
static inline void trial_sizes(const char *collective, const char *name, struct cs_call call,
                               void (*check)(const struct trial *))
{
    const uint64_t elements[] = {5040 * (uint64_t)call.ranks, 77777, call.ranks - 1, 1};
    int sizes = call.ranks <= 33 ? 4 : 2;
    struct cs_err err;

    for (int size = 0; size < sizes; size++)
        for (int t = 0; t < COUNT(textbooks); t++) {
            struct trial trial = {
                .algo = trial_algo(collective, name), .call = call, .textbook = &textbooks[t]};

            trial.call.elements = elements[size];
            trial.call.element_bytes = size % 2 ? 2 : 4;
            if (check == trial_check_exact && textbooks[t].hockney.alpha_s == 0)
                continue;
            if (trial.call.elements == 0 || !trial_settle(&trial, &err))
                continue;
            trial_run(&trial, "fifo");
            check(&trial);
        }
}

/* 1 to 33 ranks, 64, 70 and 100; the call gives the rest, and its root counts
 * from the last rank backwards. */
static inline void trial_sweep(const char *collective, const char *name, struct cs_call call)
{
    const uint32_t many[] = {64, 70, 100};
    uint32_t back = call.root;

    for (uint32_t i = 1; i <= 33 + 3; i++) {
        call.ranks = i <= 33 ? i : many[i - 34];
        call.root = back ? call.ranks - 1 - (back - 1) % call.ranks : 0;
        trial_sizes(collective, name, call, trial_check);
    }
}

/* The same with each of the last ranks as root, where runs of blocks wrap. */
static inline void trial_roots(const char *collective, const char *name, uint32_t chunks)
{
    for (uint32_t back = 0; back < 3; back++)
        trial_sweep(collective, name, (struct cs_call){.root = back, .chunks = chunks});
}

/* The closed form is this, to half a picosecond, and is met. */
static inline void trial_vector(const char *collective, const char *name, struct cs_call call,
                                double time_us)
{
    struct trial trial = trial_of(collective, name, call);

    if (!(fabs(trial.closed_ps - 1e6 * time_us) <= 0.75))
        trial_fail(&trial, "another closed form");
}

/* Messages, bytes sent by all and by the busiest rank. */
static inline void trial_traffic(const struct trial *trial, uint64_t messages, uint64_t all,
                                 uint64_t most)
{
    if (trial->result.messages != messages)
        trial_fail(trial, "another number of messages");
    if (trial->result.bytes_sent != all)
        trial_fail(trial, "another number of bytes");
    if (trial->result.bytes_sent_max != most)
        trial_fail(trial, "the busiest rank sends another number of bytes");
}

/* What the algorithm says to a call that it does not take. */
static inline void trial_refused(const char *collective, const char *name, struct cs_call call,
                                 const char *sentence)
{
    struct trial trial = {
        .algo = trial_algo(collective, name), .call = call, .textbook = textbooks};
    struct cs_err err;

    assert_false(trial_settle(&trial, &err));
    assert_string_equal(err.text, sentence);
}
