/*
 * Formulas of claims, in p, V and beta.
 *
 * A formula is bytes, or a time of as many bytes at bandwidth beta.
 */
#ifndef CS_VALIDATE_CLAIMS_FORMULA_H
#define CS_VALIDATE_CLAIMS_FORMULA_H

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

#endif
