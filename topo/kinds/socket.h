/*
 * What joins two sockets of a computer, by who made the CPU.
 *
 * NCCL's choice (src/graph/topo.cc); its rates stand in link_kinds.def.
 */
#ifndef CS_TOPO_KINDS_SOCKET_H
#define CS_TOPO_KINDS_SOCKET_H

/* As CPUID or /proc/cpuinfo say it; NULL what is not known. */
struct cs_socket {
    const char *arch;   /* "x86_64", "arm64", "aarch64", "ppc64", "ppc64le" */
    const char *vendor; /* "GenuineIntel", "AuthenticAMD", ... */
    const char *family; /* decimal */
    const char *model;  /* decimal */
};

/* The name of a link kind, or NULL where nothing says which. */
const char *cs_socket_kind(const struct cs_socket *socket);

#endif
