/*
 * Member: the process of a party of a team, and its talk with the parent.
 *
 * Orders and reports are packets on a socket pair.  The member listens, reports
 * its port, gets all ports, connects, and then prepares and runs programs until
 * the parent closes the pair.
 */
#ifndef CS_VALIDATE_TCP_MEMBER_H
#define CS_VALIDATE_TCP_MEMBER_H

#include "validate/tcp/lab.h"
#include "validate/tcp/mesh.h"
#include "validate/tcp/party.h"

/* Hosts and programs of a team, and how its processes wait and talk. */
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

enum cs_tcp_order_kind {
    CS_TCP_ORDER_PORTS,   /* connect */
    CS_TCP_ORDER_PREPARE, /* buffers of a program */
    CS_TCP_ORDER_RUN,     /* from start_ns on */
};

struct cs_tcp_order {
    enum cs_tcp_order_kind kind;
    uint32_t program;
    uint64_t start_ns, deadline_ns;
    uint16_t ports[CS_TCP_PARTIES_MAX];
};

struct cs_tcp_report {
    int code; /* of enum CS_E; 0 without an error */
    uint16_t port;
    bool realtime;
    uint64_t end_ns, cpu_ns, wrong, resent;
    char text[300]; /* of the error */
};

struct cs_tcp_member {
    const struct cs_tcp_team_spec *spec;
    uint32_t party;
    uint64_t session;
    int parent; /* end of the socket pair */
};

/* The life of the process; returns when the parent has closed the pair. */
void cs_tcp_member_live(const struct cs_tcp_member *member);

#endif
