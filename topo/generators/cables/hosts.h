/*
 * Hosts of a network of cables: their order, which is that of ranks, and their rails.
 *
 * Adapter r of every host is on rail r, in order of name (numbers in names by value).
 * There are as many rails as most hosts have adapters; a host with fewer is left out, with
 * a note.  Hosts are in order of name, or in that of a list, which may leave hosts out.
 *
 *     number   O(adapters log adapters)
 */
#pragma once

#include "topo/generators/cables/ends.h"

enum {
    CS_HOST_NAMES_MAX = 1 << 16, /* of all lists of a file */
};

struct cs_host_names_to {
    int (*each)(void *context, const char *name); /* the name is the arena's */
    void *context;
    uint32_t *listed; /* counts names, against CS_HOST_NAMES_MAX */
};

/* Calls `each` for every name of a list such as "a,node[01-16]" until one is not 0. */
int cs_host_names(const char *list, struct cs_host_names_to to, struct cs_arena *arena,
                  struct cs_err *err);

struct cs_cable_hosts {
    uint32_t hosts, rails;
};

/* Sets rail and number of the adapters in use.  `list`: a hostfile of MPI, or names as
 * Slurm lists them; NULL: all hosts.  CS_EINPUT for a name that is no host. */
int cs_cable_hosts_number(struct cs_cables *cables, const char *list, struct cs_graph *graph,
                          struct cs_cable_hosts *numbered, struct cs_err *err);
