/*
 * Where machines come from: one struct for each way to get one.
 *
 *     --topo dgx.yaml          a file; else of that name in the library
 *     --topo dgx               the same, ".yaml" may be left out
 *     --topo switch:ranks=64,bandwidth=25GB/s,latency=0.5us
 *
 * A source that generates has a name that is followed by ':'; the YAML reader
 * takes the rest.  A new one is a file with a const struct and a line in
 * sources.def.
 */
#ifndef CS_TOPO_SOURCE_H
#define CS_TOPO_SOURCE_H

#include "topo/graph.h"

#include <stddef.h>

/* Where agents sit. */
enum cs_agent_place {
    CS_AGENT_SERVER, /* a parameter server: a port of its own, or a CPU */
    CS_AGENT_SWITCH, /* inside the ranks' switch, see inside.h */
};

struct cs_topo_request {
    const char *spec; /* what the user wrote after --topo */
    /* --ranks; 0: as many as the machine has.  A generator makes as many. */
    uint32_t ranks;
    uint32_t agents; /* that need a place */
    enum cs_agent_place agent_place;
};

struct cs_source {
    const char *name;  /* "switch" */
    const char *usage; /* "switch:ranks=N,bandwidth=RATE,latency=TIME" */
    const char *about; /* what it is and what latency means, one line */
    /* Builds the graph from what follows "name:". */
    int (*build)(const struct cs_topo_request *request, const char *parameters,
                 struct cs_graph *graph, struct cs_err *err);
};

extern const struct cs_source *const cs_sources[];
extern const size_t cs_source_count;

/*
 * Opens the machine: finds the source, builds, keeps the first
 * `request->ranks` ranks, seats the agents, checks.  On success the graph holds
 * exactly request->ranks (or all) ranks and request->agents agents.  More
 * ranks than the machine has, or no place for an agent, is CS_EINPUT.
 */
int cs_topo_open(const struct cs_topo_request *request, struct cs_graph *graph,
                 struct cs_arena *arena, struct cs_err *err);

/* The machines of the library, by name without ".yaml", in order of name. */
struct cs_library_file {
    const char *name;
    const char *text;
    size_t length;
};
extern const struct cs_library_file cs_library[];
extern const size_t cs_library_count;

#endif
