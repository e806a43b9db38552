/*
 * A small linear program by columns: mixtures of routings of least congestion.
 *
 *     minimise theta
 *     subject to  sum of share x load(r) <= theta x capacity(r)  for every r
 *                 sum of share = 1                           for every source
 *                 shares >= 0
 *
 * A column is a routing of a source, as the load by resource.  The
 * caller proposes columns, guided by the prices of resources and sources; a
 * column with load x price below the source's price improves the mixture
 * (column generation, Ford and Fulkerson 1958).  Revised simplex with a dense
 * inverse: O(rows^2) a pivot, rows = resources + sources.
 *
 * Rounding may stop the iteration early but cannot harm: prices are used by
 * callers only through quantities valid for arbitrary prices.
 */
#pragma once

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_MASTER_NONE = UINT32_MAX
};

struct cs_master {
    uint32_t resources, sources;
    const double *capacity;
    double *inverse;  /* of the basis, row by row */
    double *value;    /* of the basic variables */
    double *column;   /* of the entering variable, in terms of the basis */
    uint32_t *filled; /* entries of a row, while pivoting */
    uint32_t *basis;  /* the routing in each row, or CS_MASTER_NONE */
    uint32_t routings;
    uint32_t theta_row;
};

/* Begins with a routing for every source: loads[s * resources + r].
 * Capacities are positive and outlive the program, as does the arena. */
void cs_master_begin(struct cs_master *master, uint32_t resources, uint32_t sources,
                     const double *capacity, const double *loads, struct cs_arena *arena);

/* The least congestion of mixtures up to now. */
double cs_master_theta(const struct cs_master *master);

/* Prices of resources are >= 0 up to rounding, with 1 as the sum weighted by
 * capacity. */
double cs_master_price(const struct cs_master *master, uint32_t resource);

/* The share of each routing in the mixture: of the first ones by source, and then of
 * those that entered, in their order; master->routings of them. */
void cs_master_shares(const struct cs_master *master, double *share);

/* Adds a routing of the source; false when the mixture does not improve. */
bool cs_master_enter(struct cs_master *master, uint32_t source, const double *loads);

/* Adds small, different amounts to the basic variables: a change of the
 * right-hand sides, at which prices stay, and pivots that improved nothing do
 * (Charnes, Econometrica 20(2), 1952).  Of no effect on cs_master_theta but by
 * the pivots that follow. */
void cs_master_perturb(struct cs_master *master);

/* Lets unused capacity back in until no price is negative; false after too many
 * pivots. */
bool cs_master_settle(struct cs_master *master);
