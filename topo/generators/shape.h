/*
 * The shape of a generated machine: what stands after "switch:" and its like.
 *
 *     ranks=64,bandwidth=25GB/s,latency=0.5us,gamma=100GB/s,overhead=1us,
 *     duplex=half
 *
 * All generators take the same parameters, seat ranks and servers in the same
 * order, and differ in the wires only.  Seat s is device s: the machine's
 * ranks ("rank0" ...) first, then a seat for each parameter server ("server0"
 * ...).  A party is a rank or server that takes part; when fewer ranks are
 * asked for than the machine has, the last seats of ranks stay empty, so that
 * the machine keeps its size.
 */
#ifndef CS_TOPO_GENERATORS_SHAPE_H
#define CS_TOPO_GENERATORS_SHAPE_H

#include "topo/formats/source.h"
#include "topo/graph/graph.h"

/* What a generator offers; limits are checked before anything is built. */
struct cs_shape_rules {
    const char *name;   /* "switch" */
    uint32_t max_slots; /* ranks and servers */
    bool has_duplex;    /* takes duplex= */
};

struct cs_shape {
    uint32_t size;     /* seats of ranks in the machine */
    uint32_t ranks;    /* of these in use: 1 .. size */
    uint32_t agents;   /* seats of servers, behind those of ranks */
    double rate_Bps;   /* of a link, one direction */
    double reduce_Bps; /* of a rank; 0: as fast as bytes arrive */
    uint64_t latency_ps;
    uint64_t overhead_ps;
    enum cs_duplex duplex;
};

/* Reads the parameters; what is left out has a default: 8 ranks (or as many as
 * are requested), 25 GB/s, 0.5 us, full duplex, reduction for nothing. */
int cs_shape_read(const struct cs_topo_request *request,
                  const struct cs_shape_rules *rules, const char *parameters,
                  struct cs_shape *shape, struct cs_err *err);

static inline uint32_t cs_shape_places(const struct cs_shape *shape)
{
    return shape->size + shape->agents;
}

/* The seat of a party. */
static inline uint32_t cs_shape_place(const struct cs_shape *shape,
                                      uint32_t party)
{
    return party < shape->ranks ? party : shape->size + (party - shape->ranks);
}

/* Adds a device for each seat and seats the parties; makes room for `wires`
 * wires and for one device more. */
void cs_shape_place_all(const struct cs_shape *shape, struct cs_graph *graph,
                        uint32_t wires);

/* The same, told briefly, for machines without servers in which every seat has
 * one wire, to the same device: seat s has wire s to device `middle`, which
 * still is to be added. */
void cs_shape_place_replicas(const struct cs_shape *shape,
                             struct cs_graph *graph, uint32_t middle);

/* Adds a wire with the shape's numbers; its index. */
uint32_t cs_shape_wire(const struct cs_shape *shape, struct cs_graph *graph,
                       uint32_t a, uint32_t b);

/* Gives the graph its name, its route function, and a copy of the shape as the
 * function's context. */
void cs_shape_finish(const struct cs_shape *shape, struct cs_graph *graph,
                     const char *name, cs_route_fn *route, uint32_t max_hops);

#endif
