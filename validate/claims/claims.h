/*
 * Claims: textbook statements about all-reduce, measured medium by medium.
 *
 * A claim is a formula in p, V and beta; a medium is a machine on which the
 * simulator measures the claim (alpha = gamma = 0, p from 2 to 16, V divisible
 * by every p).  Where a claim does not hold on a medium, the table of claims has
 * a derived formula.  A cell is one claim on one medium:
 *
 *     holds        measured = claimed, for every p of the sweep
 *     otherwise    measured = derived, for every p
 *     contradicts  measured is neither: derivation or simulator is wrong
 *
 * The derivations use Hockney's model with the ports of the medium; for the
 * bounds see algorithms/bounds/bound.h.
 *
 *     measure   a simulation and a proof for every p of the sweep
 */
#ifndef CS_VALIDATE_CLAIMS_CLAIMS_H
#define CS_VALIDATE_CLAIMS_CLAIMS_H

#include "validate/claims/table.h"

enum cs_verdict {
    CS_CLAIM_HOLDS,
    CS_CLAIM_OTHERWISE,
    CS_CLAIM_CONTRADICTS,
    CS_CLAIM_SILENT, /* the claim does not cover the medium */
    CS_VERDICTS
};

struct cs_claim_cell {
    enum cs_verdict verdict;
    const char *algorithm; /* measured */
    const char *correct;   /* the derived formula: "(p-1)V/beta" */
    /* Derived, not measured: cs_formula_odd_unbuffered, "2V/beta"; "" without
     * a difference. */
    const char *odd_unbuffered;
    /* Over the sweep of p: least and most of measured / claimed, and the largest
     * deviation of measured / derived from 1. */
    double least_ratio;
    double most_ratio;
    double error;
};

/* "naive all-reduce sends", "p(p-1)V", and the condition in words. */
const char *cs_claim_subject(size_t claim);
const char *cs_claim_formula(size_t claim);
const char *cs_claim_condition(size_t claim);

/* Measures one cell.  CS_CLAIM_CONTRADICTS is a verdict, not an error. */
int cs_claim_measure(size_t number, enum cs_medium medium, struct cs_claim_cell *cell,
                     struct cs_err *err);

/* Measures a claim on a user's machine (--topo) with all ranks and
 * V = 720720 KiB, which makes latencies negligible; beta is the slowest link of a
 * route from a rank to the next.  Without a derivation the verdict is HOLDS (to
 * 1 %) or OTHERWISE, and the ratio shows the difference. */
int cs_claim_measure_on(size_t number, const char *topo, struct cs_claim_cell *cell,
                        struct cs_err *err);

/*
 * "Redundancy equals traffic": the bytes that an algorithm sends and leaves
 * redundant, in multiples of V, on a switch.  The two are equal where every sent
 * block makes one stale sum or one copy and is sent at most once: in the phases
 * of least volume, not in a sequence of two phases.  CS_EINPUT for an algorithm
 * that refuses the number of ranks.
 */
struct cs_redundancy {
    double sent; /* by all parties */
    double left; /* at all ranks, beyond one copy of the result */
    bool has_scatter;
    double scattered; /* redundant after the reduce-scatter phase, if any */
};
int cs_claim_redundancy(const struct cs_algo *algo, uint32_t ranks,
                        struct cs_redundancy *redundancy, struct cs_err *err);

#endif
