/*
 * Progress: reports of a long computation, and its cancellation.
 *
 * The monitor is called at the start and then every CS_MONITOR_STEPS events of a
 * simulation or CS_PROOF_STEPS rounds of a proof; results do not depend on it.  A cancelled
 * computation fails with CS_ESTOPPED and returns its partial result.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_MONITOR_STEPS = 4096
};

struct cs_link_use;

/* Rounds of all lanes measure the total work. */
struct cs_progress {
    uint64_t rounds_begun;
    uint64_t rounds;
    uint64_t events;               /* of a simulation; else 0 */
    uint64_t time_ps;              /* simulated; else 0 */
    const struct cs_link_use *use; /* by link, so far; NULL: no simulation */
};

struct cs_monitor {
    /* Returns false to stop. */
    bool (*update)(void *ctx, const struct cs_progress *progress);
    void *ctx;
};

/* Reports that `done` of `all` computations are over; true without a monitor
 * (NULL). */
bool cs_monitor_count(const struct cs_monitor *monitor, uint64_t done, uint64_t all);

/* The `update` of a monitor of work that is not counted, which may be stopped; ctx is
 * the address of a pointer to the monitor of the whole, or to NULL. */
bool cs_monitor_ask(void *ctx, const struct cs_progress *progress);

/* The monitor of one of several computations of equal length, which reports the
 * progress of the whole. */
struct cs_monitor_part {
    const struct cs_monitor *whole; /* not NULL */
    uint64_t part, parts;           /* 0 <= part < parts; the caller counts */
    uint64_t events, events_before;
    uint64_t longer; /* further parts that this one takes as long as */
};

/* The `update` of a struct cs_monitor; ctx is a struct cs_monitor_part. */
bool cs_monitor_part_update(void *ctx, const struct cs_progress *progress);
