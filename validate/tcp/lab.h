/*
 * Lab: hosts on one switch, as network namespaces of this machine.
 *
 *     host 0 [10.77.0.1]--veth--+
 *     host 1 [10.77.0.2]--veth--+-- bridge, in a namespace of its own
 *     ...                       |
 *
 * Both ends of each wire have a token bucket (tc-tbf): the host's end shapes what
 * the host sends, the bridge's end what the host receives.  Namespaces have no
 * names and no mounts: descriptors of this process hold them, and the kernel
 * removes them, with wires and bridge, when the process and its children have
 * ended, for whatever reason.  Addresses exist in these namespaces only.
 *
 * Without the privilege to make and configure namespaces, in the user's own user
 * namespace either, the parties share loopback, unshaped (`why` is the reason).
 *
 *     open   about 20 ms a host, by ip and tc of iproute2
 */
#pragma once

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_TCP_HOSTS_MAX = 32,
};

struct cs_tcp_lab_spec {
    uint32_t hosts;
    double rate_Bps;      /* of a wire, each direction; 0: unshaped */
    uint64_t burst_bytes; /* of the token buckets */
    uint64_t queue_ps;    /* longest wait in a bucket's queue */
    uint64_t delay_ps;    /* of each packet, host to host, by netem; 0: none */
    bool packets;         /* packets of the wire's size instead of large ones
                             that the receiving kernel never splits */
};

struct cs_tcp_lab {
    struct cs_tcp_lab_spec spec;
    bool loopback;
    char why[200]; /* reason of loopback */
    int own;       /* descriptors of namespaces; -1: none */
    int bridge;
    int host[CS_TCP_HOSTS_MAX];
};

/* Makes the lab; CS_ECANNOT where ip or tc fail, or the kernel lacks tbf (netem).
 * The lack of privilege is no error: lab->loopback is set. */
int cs_tcp_lab_open(const struct cs_tcp_lab_spec *spec, struct cs_tcp_lab *lab, struct cs_err *err);
void cs_tcp_lab_close(struct cs_tcp_lab *lab);

/* The IPv4 address of a host, in host byte order. */
uint32_t cs_tcp_lab_address(const struct cs_tcp_lab *lab, uint32_t host);

/* Moves this process into the namespace of a host. */
int cs_tcp_lab_enter(const struct cs_tcp_lab *lab, uint32_t host, struct cs_err *err);

/* Changes the rate of both ends of a host's wire while the lab runs. */
int cs_tcp_lab_set_rate(const struct cs_tcp_lab *lab, uint32_t host, double rate_Bps,
                        struct cs_err *err);
