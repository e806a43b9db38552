/*
 * Predictions of published rows: the cost model of the library on the described
 * machine alone, and two baselines.
 *
 *     ring    the ring of datasheets: 5 us a step, and the bytes of the busiest
 *             rank at the datasheet rate of its slowest port
 *     tuner   the library's own estimate (cs_library_time.tuner_s); the ring of
 *             datasheets where the library has none
 *
 *     predict   an evaluation of a cost model per row
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "algorithms/libraries/profile.h"
#include "algorithms/libraries/site/site.h"
#include "validate/published/published.h"

/*
 * Machines of published tables, read once for each description.
 *
 * Beside the site of a cost model (algorithms/libraries/site/site.h) a machine has
 * the datasheet rate of a rank's slowest port, for the ring of datasheets.
 *
 *     read    an opening of the machine per description
 */

struct cs_published_machine {
    const char *topo;
    uint32_t topo_ranks;
    struct cs_site site;
    /* Bytes per second in one direction, without efficiency: the links of a GPU
     * together, or the PCIe slot without links; between nodes at most the
     * adapters of the ranks in use.  Infinite for a machine without wires. */
    double port_Bps;
    const char *unknown; /* the reason that no site is known; NULL: read */
};

/* The machine of each table, in the order of the tables.  A machine that cannot
 * be opened is not an error, but has `unknown`. */
const struct cs_published_machine *const *cs_published_machines(
    const struct cs_published *published, struct cs_arena *arena);

enum cs_predictor {
    CS_PREDICTOR_MODEL,    /* with the shipped parameters */
    CS_PREDICTOR_LEFT_OUT, /* with parameters without the site: left_out.h */
    CS_PREDICTOR_RING,
    CS_PREDICTOR_TUNER,
    CS_PREDICTORS,
};

struct cs_published_point {
    double time_s[CS_PREDICTORS];           /* NAN: not predicted */
    double launch_s, latency_s, transfer_s; /* of the model */
    double left_s[3];                       /* parts of CS_PREDICTOR_LEFT_OUT */
    double low_s, high_s;                   /* 90 % interval; NAN: none */
    double open_s;                          /* as of struct cs_library_time */
    const char *engine, *protocol;
    uint32_t channels;
};

struct cs_published_answer {
    const struct cs_published_table *table;
    const struct cs_published_machine *machine;
    const struct cs_library *library;  /* NULL: the table names none */
    const char *unknown;               /* the first reason; NULL: predicted */
    struct cs_published_point *points; /* a point per row of the table */
    const struct cs_profile *profile;  /* NULL: the library's own parameters */
};

/* Predicts the rows of `count` tables with the given effects of the cost model
 * (CS_EFFECTS_ALL).  A table that a library refuses is not an error, but has
 * `unknown`.  Memory is in the arena. */
struct cs_published_answer *cs_published_predict(const struct cs_published *published,
                                                 const struct cs_published_machine *const *machines,
                                                 unsigned effects, struct cs_arena *arena);

/* Predicts the tables of the profile's library again, by its values.  CS_EINPUT
 * for a table with rows of the fit, unless `in_sample`. */
int cs_published_use_profile(struct cs_published_answer *answers, uint32_t count,
                             const struct cs_profile *profile, bool in_sample,
                             struct cs_arena *arena, struct cs_err *err);

/* The site of a table: several processes of MPI share a device of the machine,
 * and the settings of the table hold, as far as their effects count. */
struct cs_site cs_published_site_of(const struct cs_published_answer *answer, unsigned effects);

/* The request of a row; `site` must outlive the request. */
struct cs_library_request cs_published_request_of(const struct cs_published_answer *answer,
                                                  const struct cs_site *site, uint32_t row,
                                                  unsigned effects);

/* The formula of the ring of datasheets; NAN for a collective without one. */
double cs_datasheet_ring_s(const struct cs_collective *collective, uint32_t ranks, uint64_t bytes,
                           double port_Bps);
