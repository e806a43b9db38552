/*
 * Path: the time of a chain of events by cause; the four parts add up to the time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cs_path {
    uint64_t latency_ps;
    uint64_t bandwidth_ps;
    uint64_t reduction_ps;
    uint64_t wait_ps;
};

static inline uint64_t cs_path_ps(const struct cs_path *path)
{
    return path->latency_ps + path->bandwidth_ps + path->reduction_ps + path->wait_ps;
}

/* path + times x growth, part by part. */
static inline struct cs_path cs_path_after(struct cs_path path, const struct cs_path *growth,
                                           uint64_t times)
{
    return (struct cs_path){path.latency_ps + times * growth->latency_ps,
                            path.bandwidth_ps + times * growth->bandwidth_ps,
                            path.reduction_ps + times * growth->reduction_ps,
                            path.wait_ps + times * growth->wait_ps};
}

/* path - other, part by part, modulo 2^64. */
static inline struct cs_path cs_path_since(const struct cs_path *path, const struct cs_path *other)
{
    return (struct cs_path){
        path->latency_ps - other->latency_ps, path->bandwidth_ps - other->bandwidth_ps,
        path->reduction_ps - other->reduction_ps, path->wait_ps - other->wait_ps};
}

static inline bool cs_path_equals(const struct cs_path *a, const struct cs_path *b)
{
    return a->latency_ps == b->latency_ps && a->bandwidth_ps == b->bandwidth_ps &&
           a->reduction_ps == b->reduction_ps && a->wait_ps == b->wait_ps;
}
