/*
 * The table of claims: subject, quantity, claimed formula, and the derived
 * formula of every medium.
 */
#ifndef CS_VALIDATE_CLAIMS_TABLE_H
#define CS_VALIDATE_CLAIMS_TABLE_H

#include "algorithms/algo.h"
#include "validate/claims/formula.h"
#include "validate/claims/run.h"

#include <stddef.h>

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

#endif
