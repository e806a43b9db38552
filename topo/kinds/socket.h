/*
 * The link between two sockets of a host, from the CPU's manufacturer and
 * model.
 *
 * NCCL's choice (src/graph/topo.cc); the rates are in link_kinds.def.
 */
#pragma once

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

/*
 * Joins the CPUs of a host by links of a kind: pairwise, as NCCL does, but more than
 * two CPUs of AMD or of an unknown vendor through a device of that name, so that the
 * link of a CPU carries all that leaves it.  More than two CPUs are most often NUMA
 * nodes of AMD's sockets.  NCCL there keeps one order of GPUs for all rings
 * (src/graph/search.cc), as eight RTX 4090 without peer access, each on a NUMA node
 * of its own, reach 14.5 GB/s of bus bandwidth (validate/data/published), where
 * separate links of 16 GB/s between all nodes would give 23.  `line` is that of the
 * file, or 0.  O(CPUs^2).
 */
void cs_sockets_join(struct cs_graph *graph, const uint32_t *cpus, uint32_t count, const char *kind,
                     const char *name, uint32_t line);
