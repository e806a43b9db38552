/*
 * The link between two sockets of a host, from the CPU's manufacturer and
 * model.
 *
 * NCCL's choice (src/graph/topo.cc); the rates are in link_kinds.def.
 */
#ifndef CS_TOPO_KINDS_SOCKET_H
#define CS_TOPO_KINDS_SOCKET_H

#include "topo/graph/graph.h"

/* From CPUID or /proc/cpuinfo; NULL: unknown. */
struct cs_socket {
    const char *arch;   /* "x86_64", "arm64", "aarch64", "ppc64", "ppc64le" */
    const char *vendor; /* "GenuineIntel", "AuthenticAMD", ... */
    const char *family; /* decimal */
    const char *model;  /* decimal */
};

/* The name of a link kind, or NULL for an unknown CPU. */
const char *cs_socket_kind(const struct cs_socket *socket);

/* The vendor; CS_CPU_UNKNOWN for any other. */
enum cs_cpu_vendor cs_socket_vendor(const struct cs_socket *socket);

#endif
