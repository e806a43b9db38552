/*
 * measure tcp: collectives and microbenchmarks over TCP between processes of this
 * machine, on hosts made of network namespaces.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/run/request/scenario.h"

struct cs_measure_tcp {
    uint32_t hosts; /* 0: as many as ranks */
    double rate_Bps;
    uint64_t burst_bytes;
    uint64_t delay_ps;
    const char *loss;
    const char *change; /* RATE@TIME */
    const char *congestion;
    uint64_t buffer_bytes;
    uint32_t port, runs;
    bool poll, plain, packets;
};

/* How the command line was given, and where lines go. */
struct cs_measure_tcp_call {
    const struct cs_cli *cli;
    const struct cs_measure_tcp *options;
    struct cs_scenario *scenario;
    bool calibrates;
    uint64_t deadline_ps;
    const char *command;
    const char *out; /* NULL: the output */
};

/* Measures and prints a line for each size.  CS_EANSWER for a wrong element, a
 * party that died or a missed deadline. */
int cs_measure_tcp(const struct cs_measure_tcp_call *call, struct cs_err *err);
