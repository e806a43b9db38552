#include "validate/claims/claims.h"

#include "validate/claims/run.h"

#include <math.h>

/* Times are rounded up by less than a picosecond a message, at most 16 messages
 * a rank of at least 18 us: far below; the rest is the rounding of doubles. */
#define TOLERANCE 1e-6

/* Latencies of a user's machine remain in the time. */
#define TOLERANCE_ON_MACHINE 0.01

static const uint32_t sweep[] = {2, 3, 4, 5, 6, 7, 8, 12, 16};

enum {
    SWEEP = sizeof(sweep) / sizeof(*sweep)
};

/* ---- texts ---- */

const char *cs_claim_subject(size_t claim)
{
    return cs_claim_table[claim].subject;
}

const char *cs_claim_condition(size_t claim)
{
    return cs_claim_table[claim].condition;
}

static const char *claims_text(const struct cs_claim *claim, enum cs_formula formula)
{
    return claim->quantity == CS_CLAIM_TIME ? cs_formula_time(formula) : cs_formula_bytes(formula);
}

const char *cs_claim_formula(size_t claim)
{
    return claims_text(&cs_claim_table[claim], cs_claim_table[claim].claimed);
}

/* Ports differ only in the time, and only half-duplex ports need a buffer. */
static const char *claims_odd_unbuffered(const struct cs_claim *claim, enum cs_medium medium)
{
    enum cs_formula formula = cs_formula_odd_unbuffered(claim->media[medium].formula);

    if (medium != CS_MEDIUM_HALF || claim->quantity != CS_CLAIM_TIME || formula == CS_FORMULA_NONE)
        return "";
    return cs_formula_time(formula);
}

/* ---- verdicts ---- */

static double claims_pick(const struct cs_claim_measured *measured, enum cs_claim_quantity quantity)
{
    switch (quantity) {
    case CS_CLAIM_SENT_BY_ALL:
        return measured->sent_by_all;
    case CS_CLAIM_SENT:
        return measured->sent;
    case CS_CLAIM_SENT_BY_ONE:
        return measured->sent_by_one;
    case CS_CLAIM_TIME:
        return measured->time;
    case CS_CLAIM_REDUNDANT_SCATTERED:
        return measured->redundant_scattered;
    default:
        return measured->redundant;
    }
}

/* Widens the cell's ratios and error by a measurement. */
static void claims_weigh(const struct cs_claim *claim, enum cs_formula derived,
                         const struct cs_claim_measured *measured, const struct cs_claim_run *run,
                         struct cs_claim_cell *cell)
{
    double v = cs_claim_run_vector_bytes(run);
    double p = run->call.ranks;
    double k = run->call.chunks;
    double value = claims_pick(measured, claim->quantity);
    double claimed = claim->claimed == CS_FORMULA_LEAST ? measured->least
                                                        : cs_formula_value(claim->claimed, p, v, k);
    double ratio = value / claimed;
    double error = fabs(value / cs_formula_value(derived, p, v, k) - 1);

    if (ratio < cell->least_ratio)
        cell->least_ratio = ratio;
    if (ratio > cell->most_ratio)
        cell->most_ratio = ratio;
    if (error > cell->error)
        cell->error = error;
}

static bool claims_holds(const struct cs_claim_cell *cell, double tolerance)
{
    return fabs(cell->least_ratio - 1) <= tolerance && fabs(cell->most_ratio - 1) <= tolerance;
}

static enum cs_claim_verdict claims_judge(const struct cs_claim_cell *cell)
{
    if (cell->error > TOLERANCE)
        return CS_CLAIM_CONTRADICTS;
    return claims_holds(cell, TOLERANCE) ? CS_CLAIM_HOLDS : CS_CLAIM_OTHERWISE;
}

/* ---- measurement ---- */

/* A claim on a medium with p ranks. */
struct claim_case {
    const struct cs_claim *claim;
    enum cs_medium medium;
    uint32_t p;
};

/* Measures an algorithm; the caller frees the run's arena. */
static int claims_measure_case(const struct claim_case *here, const char *algorithm,
                               struct cs_claim_run *run, struct cs_claim_measured *measured,
                               struct cs_err *err)
{
    const struct cs_collective *collective = here->claim->collective;
    const struct cs_algo *algo;
    int code = cs_algo_choose(algorithm, collective, &algo, err);

    *run = (struct cs_claim_run){.elements = CS_CLAIM_ELEMENTS, .beta_Bps = CS_MEDIUM_BPS};
    if (!code)
        code = cs_claim_run_open_medium(run, algo, here->medium, here->p, err);
    if (!code)
        code = cs_claim_run_measure(run, collective, measured, err);
    return code;
}

/* The minimum time is at most that of the medium's favoured all-reduce: bounds
 * of unicasts are too high where all ranks hear, or the switch reduces. */
static int claims_race(const struct claim_case *here, struct cs_claim_measured *measured,
                       struct cs_err *err)
{
    const char *rival = cs_medium_rival(here->medium);
    struct cs_claim_measured other;
    struct cs_claim_run run;
    int code;

    if (!rival || here->claim->collective != &cs_collective_allreduce)
        return 0;
    code = claims_measure_case(here, rival, &run, &other, err);
    if (!code)
        measured->least = fmin(measured->least, other.time);
    cs_arena_free(&run.arena);
    return code;
}

int cs_claim_measure(size_t number, enum cs_medium medium, struct cs_claim_cell *cell,
                     struct cs_err *err)
{
    const struct cs_claim *claim = &cs_claim_table[number];
    const struct cs_claim_derivation *derivation = &claim->media[medium];
    struct claim_case here = {.claim = claim, .medium = medium};
    struct cs_claim_measured measured;
    int code = 0;

    *cell = (struct cs_claim_cell){
        .verdict = CS_CLAIM_SILENT,
        .algorithm = derivation->algorithm ? derivation->algorithm : claim->algorithm,
        .correct = claims_text(claim, derivation->formula),
        .odd_unbuffered = claims_odd_unbuffered(claim, medium),
        .least_ratio = (double)INFINITY,
    };
    if (derivation->formula == CS_FORMULA_NONE)
        return 0;
    for (size_t i = 0; i < SWEEP && !code; i++) {
        struct cs_claim_run run;

        here.p = sweep[i];
        code = claims_measure_case(&here, cell->algorithm, &run, &measured, err);
        if (!code)
            code = claims_race(&here, &measured, err);
        if (!code)
            claims_weigh(claim, derivation->formula, &measured, &run, cell);
        cs_arena_free(&run.arena);
    }
    if (!code)
        cell->verdict = claims_judge(cell);
    return code;
}

int cs_claim_measure_on(size_t number, const char *topo, struct cs_claim_cell *cell,
                        struct cs_err *err)
{
    const struct cs_claim *claim = &cs_claim_table[number];
    struct cs_claim_run run = {.elements = CS_CLAIM_ELEMENTS * 256ull};
    const struct cs_algo *algo;
    struct cs_claim_measured measured;
    int code;

    *cell = (struct cs_claim_cell){.algorithm = claim->algorithm,
                                   .correct = "",
                                   .odd_unbuffered = "",
                                   .least_ratio = (double)INFINITY};
    code = cs_algo_choose(claim->algorithm, claim->collective, &algo, err);
    if (!code)
        code = cs_claim_run_open(&run, algo, topo, err);
    if (!code && run.call.ranks < 2)
        code = cs_err_set(err, CS_EINPUT, "'%s' has one rank; claims need at least two", topo);
    if (!code) {
        run.beta_Bps = cs_claim_run_neighbour_Bps(&run);
        code = cs_claim_run_measure(&run, claim->collective, &measured, err);
    }
    if (!code) {
        claims_weigh(claim, claim->claimed == CS_FORMULA_LEAST ? CS_FORMULA_V : claim->claimed,
                     &measured, &run, cell);
        cell->verdict =
            claims_holds(cell, TOLERANCE_ON_MACHINE) ? CS_CLAIM_HOLDS : CS_CLAIM_OTHERWISE;
    }
    cs_arena_free(&run.arena);
    return code;
}

int cs_claim_redundancy(const struct cs_algo *algo, uint32_t ranks,
                        struct cs_redundancy *redundancy, struct cs_err *err)
{
    struct cs_claim_run run = {.elements = CS_CLAIM_ELEMENTS,
                               .group = ranks > 3 ? ranks / 2 : 0,
                               .beta_Bps = CS_MEDIUM_BPS};
    struct cs_claim_measured measured;
    int code = cs_claim_run_open_medium(&run, algo, CS_MEDIUM_FULL, ranks, err);

    if (!code)
        code = cs_claim_run_measure(&run, algo->collective, &measured, err);
    if (!code)
        *redundancy = (struct cs_redundancy){
            .sent = measured.sent / cs_claim_run_vector_bytes(&run),
            .left = measured.redundant / cs_claim_run_vector_bytes(&run),
            .has_scatter = run.program.scatters > 0,
            .scattered = measured.redundant_scattered / cs_claim_run_vector_bytes(&run),
        };
    cs_arena_free(&run.arena);
    return code;
}
