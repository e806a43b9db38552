/*
 * Specification of a team: hosts, programs, and how processes wait and talk.
 */
#ifndef CS_VALIDATE_TCP_TEAM_SPEC_H
#define CS_VALIDATE_TCP_TEAM_SPEC_H

#include "validate/tcp/lab.h"
#include "validate/tcp/mesh.h"
#include "validate/tcp/party.h"

struct cs_tcp_team_spec {
    const struct cs_tcp_lab *lab; /* a host for each party */
    uint32_t parties;             /* those beyond the parties of a program look on */
    /* Programs of the runs; they must outlive the team. */
    const struct cs_program *const *programs;
    uint32_t program_count;
    uint16_t port; /* of party 0, and so on; 0: any */
    const char *congestion;
    uint32_t buffer_bytes;
    enum cs_tcp_waiting waiting; /* with CS_TCP_POLL between runs, too */
    bool plain;                  /* without the real-time class of the scheduler */
    double loss;                 /* probability that a party drops an arriving packet */
    uint64_t deadline_ns;        /* of a run */
};

#endif
