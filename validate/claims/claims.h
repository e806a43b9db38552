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
#pragma once

#include "algorithms/algo.h"
#include "validate/claims/run.h"

#include <stddef.h>

/*
 * The table of claims: subject, quantity, claimed formula, and the derived
 * formula of every medium.
 */

/*
 * Formulas of claims, in p, V and beta.
 *
 * A formula is bytes, or a time of as many bytes at bandwidth beta.
 */

enum cs_formula {
    CS_FORMULA_NONE, /* the claim is silent */
    CS_FORMULA_V,
    CS_FORMULA_PV,
    CS_FORMULA_TWO_PV,
    CS_FORMULA_P1V,        /* (p-1)V */
    CS_FORMULA_PP1V,       /* p(p-1)V */
    CS_FORMULA_TWO_P1V,    /* 2(p-1)V */
    CS_FORMULA_P1V_P,      /* (p-1)V/p */
    CS_FORMULA_TWO_P1V_P,  /* 2(p-1)V/p */
    CS_FORMULA_FOUR_P1V_P, /* 4(p-1)V/p */
    CS_FORMULA_TWO_V_P,    /* 2V/p */
    CS_FORMULA_TWO_V,      /* text only, as CS_FORMULA_FOUR_V */
    CS_FORMULA_FOUR_V,
    CS_FORMULA_V_CHUNK, /* V and the first of k chunks, which fills a pipeline */
    CS_FORMULA_LEAST,   /* the lower bound of the machine */
    CS_FORMULAS
};

/* "(p-1)V", "(p-1)V/beta". */
const char *cs_formula_bytes(enum cs_formula formula);
const char *cs_formula_time(enum cs_formula formula);

/* The value for p ranks, V bytes and k chunks, in bytes; NaN for text only. */
double cs_formula_value(enum cs_formula formula, double p, double v, double chunks);

/*
 * The formula of a time for odd p on half-duplex ports without a buffer, or
 * CS_FORMULA_NONE without a difference.  A message occupies both ranks at once,
 * so that an odd p keeps (p-1)/2 pairs busy instead of p/2: a schedule with all
 * ports busy takes p/(p-1) times as long.
 */
enum cs_formula cs_formula_odd_unbuffered(enum cs_formula formula);

enum cs_claim_quantity {
    CS_CLAIM_SENT_BY_ALL, /* bytes of a rank times ranks: ranks send equally */
    CS_CLAIM_SENT,        /* bytes of all parties, with agents */
    CS_CLAIM_SENT_BY_ONE, /* bytes of a rank */
    CS_CLAIM_TIME,
    CS_CLAIM_REDUNDANT_SCATTERED, /* bytes after the reduce-scatter */
    CS_CLAIM_REDUNDANT,           /* bytes at the end */
};

/* The measurement on a medium. */
struct cs_claim_derivation {
    const char *algorithm;   /* NULL: the claim's */
    enum cs_formula formula; /* expected; CS_FORMULA_NONE: silent */
};

struct cs_claim {
    const char *subject;
    const char *condition;
    const struct cs_collective *collective;
    const char *algorithm;
    enum cs_claim_quantity quantity;
    enum cs_formula claimed;
    struct cs_claim_derivation media[CS_MEDIA];
};

extern const struct cs_claim cs_claim_table[];

extern const size_t cs_claim_count;

enum cs_claim_verdict {
    CS_CLAIM_HOLDS,
    CS_CLAIM_OTHERWISE,
    CS_CLAIM_CONTRADICTS,
    CS_CLAIM_SILENT, /* the claim does not cover the medium */
    CS_VERDICTS
};

struct cs_claim_cell {
    enum cs_claim_verdict verdict;
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
