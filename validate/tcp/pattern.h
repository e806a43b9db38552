/*
 * Patterns: what a calibration measures, as programs of a few messages.
 *
 * No pattern is a collective, so predictions of collectives are made from other
 * measurements than the ones they are compared with.
 *
 *     pingpong   0 -> 1, then 1 -> 0, k times
 *     pingpongs  k disjoint pairs, CS_TCP_TRIPS times there and back
 *     one        0 -> 1
 *     both       0 <-> 1 over one connection
 *     in         1 .. k -> 0
 *     out        0 -> 1 .. k
 *     pairs      k disjoint pairs, i -> i + k
 *     pairs-both k disjoint pairs, i <-> i + k
 *     sum        each of k parties adds a vector to another
 */
#pragma once

#include "sim/program/program.h"

enum {
    CS_TCP_TRIPS = 16,
};

enum cs_tcp_pattern_kind {
    CS_TCP_PINGPONG,
    CS_TCP_PINGPONGS,
    CS_TCP_ONE,
    CS_TCP_BOTH,
    CS_TCP_IN,
    CS_TCP_OUT,
    CS_TCP_PAIRS,
    CS_TCP_PAIRS_BOTH,
    CS_TCP_SUM,
    CS_TCP_PATTERNS,
};

extern const char *const cs_tcp_pattern_names[CS_TCP_PATTERNS];

struct cs_tcp_pattern {
    enum cs_tcp_pattern_kind kind;
    uint32_t k; /* at least 1 */
    uint64_t bytes;
};

/* Parties of a pattern. */
uint32_t cs_tcp_pattern_parties(const struct cs_tcp_pattern *pattern);

/* The program of a pattern, which must outlive it; `bytes` is a multiple of 4,
 * and at least 4. */
struct cs_program cs_tcp_pattern_program(const struct cs_tcp_pattern *pattern);
