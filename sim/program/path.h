/*
 * Path: the time of a chain of events by cause; the four parts add up to the time.
 */
#ifndef CS_SIM_PROGRAM_PATH_H
#define CS_SIM_PROGRAM_PATH_H

#include <stdint.h>

struct cs_path {
    uint64_t latency_ps;
    uint64_t bandwidth_ps;
    uint64_t reduction_ps;
    uint64_t wait_ps;
};

static inline uint64_t cs_path_ps(const struct cs_path *path)
{
    return path->latency_ps + path->bandwidth_ps + path->reduction_ps +
           path->wait_ps;
}

#endif
