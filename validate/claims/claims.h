/*
 * Claims: what the textbooks say of all-reduce, measured medium by medium.
 *
 * A claim is a formula in p, V and beta; a medium is a machine on which the
 * simulator can measure it (alpha = gamma = 0, p from 2 to 16, V divisible by
 * all of them).  Where the claim does not hold on a medium there is a derived
 * formula that does.  A cell of the table is one claim on one medium:
 *
 *     holds        measured = claimed, for every p of the sweep
 *     otherwise    measured = derived, for every p
 *     contradicts  measured is neither: the derivation, or the simulator, is
 *                  wrong
 *
 * The derivations are those of Hockney's model with the ports of the medium;
 * for the bounds see algorithms/bounds/bound.h.
 */
#ifndef CS_VALIDATE_CLAIMS_CLAIMS_H
#define CS_VALIDATE_CLAIMS_CLAIMS_H

#include "algorithms/algo.h"

#include <stddef.h>
#include <stdint.h>

enum cs_medium {
    CS_MEDIUM_BUS,
    CS_MEDIUM_HALF,
    CS_MEDIUM_FULL,
    CS_MEDIUM_MESH,
    CS_MEDIUM_BROADCAST,
    CS_MEDIUM_SUMS,
    CS_MEDIA,
};

/* The title of a column, "one-port full duplex", and what it means. */
const char *cs_medium_name(enum cs_medium medium);
const char *cs_medium_about(enum cs_medium medium);

enum cs_verdict {
    CS_CLAIM_HOLDS,
    CS_CLAIM_OTHERWISE,
    CS_CLAIM_CONTRADICTS,
    CS_CLAIM_SILENT, /* the claim is not about this medium */
};

struct cs_claim_cell {
    enum cs_verdict verdict;
    const char *algorithm; /* that was measured */
    const char *correct;   /* the formula that holds: "(p-1)V/beta" */
    /* Derived, not measured: the formula for odd p where half-duplex ports are
     * joined without a buffer, "2V/beta"; "" where that makes no difference. */
    const char *odd_unbuffered;
    /* Over the sweep of p: measured / claimed, least and most, and by how
     * much measured / derived is off 1 at most. */
    double least_ratio;
    double most_ratio;
    double error;
};

extern const size_t cs_claim_count;

/* "naive all-reduce sends", "p(p-1)V", and the condition for it in words. */
const char *cs_claim_subject(size_t claim);
const char *cs_claim_formula(size_t claim);
const char *cs_claim_condition(size_t claim);

/* Measures the claim on a machine of the user's (--topo) with all its ranks and
 * V = 720720 KiB, so that latencies hardly count; beta is the slowest route from
 * a rank to the next.  There is no derivation: the verdict is HOLDS (to 1 %) or
 * OTHERWISE, and the ratio tells. */
int cs_claim_measure_on(size_t number, const char *topo,
                        struct cs_claim_cell *cell, struct cs_err *err);

/* Measures one cell.  CS_CLAIM_CONTRADICTS is a verdict, not an error. */
int cs_claim_measure(size_t number, enum cs_medium medium,
                     struct cs_claim_cell *cell, struct cs_err *err);

/*
 * "Redundancy equals traffic": what one algorithm sends and what it leaves
 * redundant, in multiples of V, on a switch.  The two are equal where every
 * block that is sent makes one stale sum or one copy and is sent no more than
 * once: in the phases of least volume, not in what is made of two of them.
 * Algorithms that do not take so many ranks are CS_EINPUT.
 */
struct cs_redundancy {
    double sent; /* by all */
    double left; /* held by all ranks beyond one copy of the result */
    bool has_scatter;
    double scattered; /* the same after the reduce-scatter, if there is one */
};
int cs_claim_redundancy(const struct cs_algo *algo, uint32_t ranks,
                        struct cs_redundancy *redundancy, struct cs_err *err);

#endif
