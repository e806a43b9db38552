/*
 * Switches, adapters and the cables between them, as a reader of a file collects them.
 */
#pragma once

#include "topo/graph/graph.h"

/* A switch, or an adapter of a host. */
struct cs_cable_end {
    const char *name;    /* of the switch, or of the host */
    const char *adapter; /* of a host; NULL: a switch */
    unsigned line;
    uint32_t number; /* of the switch; of the host, once sorted */
    uint32_t rail;   /* of an adapter, once sorted; UINT32_MAX: in none */
};

struct cs_cable {
    uint32_t a, b; /* ends */
    struct cs_wire wire;
    uint32_t width; /* of each rail: links in one that never blocks, as ports but for a rate */
};

struct cs_cables {
    const char *file;
    struct cs_cable_end *ends;
    struct cs_cable *cables;
    uint32_t end_count, end_room, cable_count, cable_room;
};

/* Adds an end, a cable; the arena is that of the graph. */
void cs_cables_add_end(struct cs_cables *cables, struct cs_cable_end end, struct cs_arena *arena);
void cs_cables_add(struct cs_cables *cables, struct cs_cable cable, struct cs_arena *arena);
