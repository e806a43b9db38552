/*
 * The shape of a simple generated machine: "switch:", "ring:", "mesh:", "bus:".
 *
 *     ranks=64,bandwidth=25GB/s,latency=0.5us,gamma=100GB/s,overhead=1us,
 *     duplex=half
 *
 * The generators take the same parameters, place ranks and servers in the same
 * order, and differ in the wires only.  Slot s is device s: first a slot per
 * rank of the machine ("rank0" ...), then a slot per parameter server
 * ("server0" ...).  A party is a rank or server in use.  With fewer ranks in
 * use than the machine has, the last slots of ranks stay empty: the size of the
 * machine does not change.
 */
#ifndef CS_TOPO_GENERATORS_SHAPE_H
#define CS_TOPO_GENERATORS_SHAPE_H

#include "topo/formats/source.h"
#include "topo/graph/graph.h"

/* Properties of a generator; limits are checked before construction. */
struct cs_shape_rules {
    const char *name;   /* "switch" */
    uint32_t max_slots; /* ranks and servers */
    bool has_duplex;    /* takes duplex= */
};

struct cs_generator_shape {
    uint32_t size;     /* slots of ranks in the machine */
    uint32_t ranks;    /* in use: 1 .. size */
    uint32_t agents;   /* slots of servers, after the ranks */
    double rate_Bps;   /* of a link, one direction */
    double reduce_Bps; /* of a rank; 0: at the rate of arrival */
    uint64_t latency_ps;
    uint64_t overhead_ps;
    enum cs_duplex duplex;
};

/* Reads the parameters.  Defaults: 8 ranks (or the requested number), 25 GB/s,
 * 0.5 us, full duplex, reduction at no cost. */
int cs_shape_read(const struct cs_topo_request *request, const struct cs_shape_rules *rules,
                  const char *parameters, struct cs_generator_shape *shape, struct cs_err *err);

static inline uint32_t cs_shape_places(const struct cs_generator_shape *shape)
{
    return shape->size + shape->agents;
}

/* The slot of a party. */
static inline uint32_t cs_shape_place(const struct cs_generator_shape *shape, uint32_t party)
{
    return party < shape->ranks ? party : shape->size + (party - shape->ranks);
}

/* Adds a device per slot and places the parties; reserves memory for `wires`
 * wires and for another device. */
void cs_shape_place_all(const struct cs_generator_shape *shape, struct cs_graph *graph,
                        uint32_t wires);

/* The same in the folded form, for machines without servers and with a single
 * wire per slot: wire s leads from slot s to device `middle`, which the caller
 * adds afterwards. */
void cs_shape_place_replicas(const struct cs_generator_shape *shape, struct cs_graph *graph,
                             uint32_t middle);

/* Adds a wire with the rates of the shape; returns the index. */
uint32_t cs_shape_wire(const struct cs_generator_shape *shape, struct cs_graph *graph, uint32_t a,
                       uint32_t b);

/* Sets the name and the route function of the graph; the context of the
 * function is a copy of the shape. */
void cs_shape_finish(const struct cs_generator_shape *shape, struct cs_graph *graph,
                     const char *name, cs_route_fn *route, uint32_t max_hops);

#endif
