/*
 * Pulse: how a long computation says how far it is, and is asked to stop.
 *
 * It beats at the start and then every CS_MONITOR_STEPS events of a simulation
 * or rounds of a proof; what is computed does not depend on it.  Asked to
 * stop, the computation fails with CS_ESTOPPED and tells what it knows.
 */
#ifndef CS_SIM_ENGINE_PROGRESS_H
#define CS_SIM_ENGINE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_MONITOR_STEPS = 4096
};

/* Rounds of all lanes are the measure of the whole. */
struct cs_progress {
    uint64_t rounds_begun;
    uint64_t rounds;
    uint64_t events;  /* of a simulation; else 0 */
    uint64_t time_ps; /* simulated; else 0 */
};

struct cs_monitor {
    /* Returns false to stop. */
    bool (*update)(void *ctx, const struct cs_progress *progress);
    void *ctx;
};

/* The pulse of one of several computations of equal length, which tells the
 * whole's how far all of them are. */
struct cs_monitor_part {
    const struct cs_monitor *whole; /* not NULL */
    uint64_t part, parts;           /* 0 <= part < parts; the caller counts */
    uint64_t events, events_before;
};

/* A beat for struct cs_monitor; ctx is a struct cs_monitor_part. */
bool cs_monitor_part_update(void *ctx, const struct cs_progress *progress);

#endif
