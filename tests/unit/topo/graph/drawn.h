/*
 * A graph that a test draws, device by device and wire by wire.
 */
#pragma once

#include "tests/test.h"
#include "topo/graph/graph.h"

#include <string.h>

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_err err;
};

static inline void drawn_close(struct fixture *f)
{
    cs_arena_free(&f->arena);
}

#define DRAWN_TEST(name) TEST_OF(struct fixture, f, drawn_close, name)

static inline void open_graph(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    cs_graph_init(&f->graph, &f->arena);
    f->graph.file = "m.yaml";
}

static inline uint32_t device(struct fixture *f, const char *name, enum cs_device_kind kind)
{
    return cs_graph_add_device(
        &f->graph,
        (struct cs_device){.name = name, .kind = kind, .line = f->graph.device_count + 1});
}

static inline uint32_t wire(struct fixture *f, uint32_t a, uint32_t b, enum cs_duplex duplex)
{
    return cs_graph_add_wire(&f->graph, (struct cs_wire){.a = a,
                                                         .b = b,
                                                         .class_name = "cable",
                                                         .rate_Bps = 25e9,
                                                         .efficiency = 0.8,
                                                         .duplex = duplex,
                                                         .line = 100});
}

/* gpu0 and gpu1 on a switch. */
static inline void open_pair(struct fixture *f)
{
    open_graph(f);
    device(f, "gpu0", CS_DEVICE_GPU);
    device(f, "gpu1", CS_DEVICE_GPU);
    device(f, "plx", CS_DEVICE_SWITCH);
    wire(f, 0, 2, CS_DUPLEX_FULL);
    wire(f, 2, 1, CS_DUPLEX_FULL);
    cs_graph_place_all(&f->graph);
}
