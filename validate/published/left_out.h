/*
 * Predictions of published tables by parameters without the site.
 *
 * For each publisher in turn the parameters of a set are estimated from the tables
 * of the other sites (estimate.h) and predict the tables of the site: the error
 * on a new machine, as far as formulas and priors were chosen without these
 * tables in view.
 *
 * The half width of an interval is the 90 % quantile of |ln(predicted /
 * measured)| over the rows of its class and size, healthy tables of a site and
 * sites weighing the same.  A class and size with fewer than LEFT_OUT_TABLES tables
 * takes the rows of the class of any size.  The interval of a row comes from the rows of the other
 * sites, so a coverage is not a coverage of the rows behind the widths.
 *
 *     make     an estimate for each site
 */
#pragma once

#include "algorithms/libraries/nccl/interval.h"
#include "validate/published/estimate.h"

struct cs_monitor;

enum {
    LEFT_OUT_TABLES = 4, /* fewest of a class and size */
};

/* The values of a set that were estimated without a site. */
struct cs_left_out_values {
    const char *site;
    const struct cs_parameters *set;
    double values[CS_PARAMETERS_MAX];
};

struct cs_left_out {
    uint32_t sites;
    struct cs_left_out_values *items;   /* `sites` of them */
    struct cs_nccl_intervals intervals; /* NAN: no table */
};

/* Sets CS_PREDICTOR_LEFT_OUT and its parts of the points of the rows, and of NCCL
 * and RCCL the interval; those of MPI and Gloo come from the spreads of
 * parameters.  Points of other libraries stay unchanged.  Memory is in the
 * arena; `left` counts over all sets, zero before the first. */
int cs_left_out_make(const struct cs_estimate_rows *rows, const struct cs_monitor *monitor,
                     struct cs_arena *arena, struct cs_left_out *left, struct cs_err *err);

/* The values without the site; NULL where it has no table of the set. */
const double *cs_left_out_find(const struct cs_left_out *left, const char *site,
                               const struct cs_parameters *set);
