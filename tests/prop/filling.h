/*
 * Progressive filling as the textbooks have it, over everything: what the
 * simulator's solver is held against.
 */
#pragma once

#include "tests/fixture.h"

#include <math.h>

enum {
    FILLING_FLOWS = 64,
    FILLING_RESOURCES = 144,
};

struct filling {
    uint32_t flows, resources;
    double capacity_Bps[FILLING_RESOURCES];
    double weight[FILLING_FLOWS][FILLING_RESOURCES]; /* 0: not on the route */
    double limit_Bps[FILLING_FLOWS];
    bool display[FILLING_FLOWS];
    double rate_Bps[FILLING_FLOWS]; /* the answer */
};

/* The rate at which open flows fill the server; INFINITY if it has none. */
static inline double filling_level(const struct filling *filling, const bool *open,
                                   uint32_t resource)
{
    double taken_Bps = 0;
    double weight = 0;

    for (uint32_t f = 0; f < filling->flows; f++) {
        if (open[f])
            weight += filling->weight[f][resource];
        else if (filling->display[f])
            taken_Bps += filling->weight[f][resource] * filling->rate_Bps[f];
    }
    return weight > 0 ? (filling->capacity_Bps[resource] - taken_Bps) / weight : (double)INFINITY;
}

/* The server that is full first, and at which rate. */
static inline uint32_t filling_next(const struct filling *filling, const bool *open,
                                    double *level_Bps)
{
    uint32_t full = UINT32_MAX;

    *level_Bps = (double)INFINITY;
    for (uint32_t s = 0; s < filling->resources; s++) {
        double at_Bps = filling_level(filling, open, s);

        if (at_Bps < *level_Bps) {
            *level_Bps = at_Bps;
            full = s;
        }
    }
    return full;
}

/* An open flow whose limit is below the level, the lowest; or UINT32_MAX. */
static inline uint32_t filling_limited(const struct filling *filling, const bool *open,
                                       double level_Bps)
{
    uint32_t limited = UINT32_MAX;

    for (uint32_t f = 0; f < filling->flows; f++)
        if (open[f] && filling->limit_Bps[f] < level_Bps) {
            level_Bps = filling->limit_Bps[f];
            limited = f;
        }
    return limited;
}

static inline void filling_solve(struct filling *filling)
{
    bool open[FILLING_FLOWS];
    double level_Bps;

    memcpy(open, filling->display, sizeof(open));
    for (;;) {
        uint32_t full = filling_next(filling, open, &level_Bps);
        uint32_t limited = filling_limited(filling, open, level_Bps);

        if (limited != UINT32_MAX) {
            filling->rate_Bps[limited] = filling->limit_Bps[limited];
            open[limited] = false;
            continue;
        }
        if (full == UINT32_MAX)
            return;
        for (uint32_t f = 0; f < filling->flows; f++)
            if (open[f] && filling->weight[f][full] > 0) {
                filling->rate_Bps[f] = level_Bps;
                open[f] = false;
            }
    }
}
