/*
 * InfiniBand: switches, adapters and speeds as files of a subnet name them.
 *
 * A host is the first word of an adapter's description, the adapter the last.
 * Aggregation nodes of switches are left out.
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "topo/generators/cables/cables.h"

struct cs_ib_reader {
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_cables *cables;
    struct cs_names ids, switches; /* the end by its ID; names */
    uint32_t left_out;
};

struct cs_ib_speed {
    const char *name; /* "NDR", `length` letters */
    size_t length;
    unsigned long lanes;
};

struct cs_ib_reader cs_ib_reader_open(const char *file, struct cs_graph *graph, struct cs_err *err);

/* Adds a switch or an adapter. */
int cs_ib_add_end(struct cs_ib_reader *reader, const char *id, const char *description,
                  unsigned line, bool is_switch);

/* Sets the link of a speed; false for a name or a width that is none. */
bool cs_ib_set_speed(const struct cs_ib_reader *reader, struct cs_ib_speed speed,
                     struct cs_wire *wire);

/* The machine, once all cables are added. */
int cs_ib_build(struct cs_ib_reader *reader, const struct cs_topo_request *request);
