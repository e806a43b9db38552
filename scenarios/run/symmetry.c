#include "scenarios/run/symmetry.h"

#include <stdlib.h>
#include <string.h>

enum {
    RANKS_MAX = 1 << 12
};

/* A shift of the ranks, and the resulting maps. A map is kept with the inverse,
 * and so remains one-to-one. */
struct rank_shift {
    const struct cs_run *run;
    uint32_t by;
    struct map {
        uint32_t *to, *from;
    } devices, links, resources;
    uint32_t *route[2];
};

/* A map without pairs. */
static struct map new_map(uint32_t count, struct cs_arena *arena)
{
    struct map map = {cs_arena_alloc(arena, count, sizeof(uint32_t)),
                      cs_arena_alloc(arena, count, sizeof(uint32_t))};

    memset(map.to, 0xff, count * sizeof(uint32_t));
    memset(map.from, 0xff, count * sizeof(uint32_t));
    return map;
}

/* Maps `one` to `other`; false where a map exists with a different image. */
static bool symmetry_becomes(struct map *map, uint32_t one, uint32_t other)
{
    if (map->to[one] == CS_IDENTICAL_NONE &&
        map->from[other] == CS_IDENTICAL_NONE) {
        map->to[one] = other;
        map->from[other] = one;
    }
    return map->to[one] == other && map->from[other] == one;
}

/* Devices with equal effect on a run. */
static bool are_equal(const struct cs_device *a, const struct cs_device *b)
{
    return a->kind == b->kind && a->reduce_Bps == b->reduce_Bps &&
           a->reduce_overhead_ps == b->reduce_overhead_ps &&
           a->reduces == b->reduces;
}

/* Links of ports have no device of the graph at an end; such a link maps to
 * itself only. */
static bool link_becomes(struct rank_shift *shift, uint32_t one, uint32_t other)
{
    const struct cs_net_link *a = &shift->run->net.links[one];
    const struct cs_net_link *b = &shift->run->net.links[other];
    const struct cs_device *devices = shift->run->graph.devices;
    uint32_t count = shift->run->graph.device_count;

    if (shift->links.to[one] == other)
        return true;
    if (a->from >= count || a->to >= count || b->from >= count ||
        b->to >= count)
        return a->from >= count || a->to >= count ? one == other : false;
    return symmetry_becomes(&shift->links, one, other) &&
           symmetry_becomes(&shift->resources, a->resource, b->resource) &&
           symmetry_becomes(&shift->devices, a->from, b->from) &&
           symmetry_becomes(&shift->devices, a->to, b->to) &&
           a->rate_Bps == b->rate_Bps && a->latency_ps == b->latency_ps &&
           are_equal(&devices[a->from], &devices[b->from]) &&
           are_equal(&devices[a->to], &devices[b->to]);
}

static uint32_t symmetry_shifted(const struct rank_shift *shift, uint32_t rank)
{
    return (rank + shift->by) % shift->run->program.ranks;
}

static bool route_becomes(struct rank_shift *shift, uint32_t src, uint32_t dst)
{
    const struct cs_net *net = &shift->run->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, shift->route[0]);
    uint32_t other = net->route(net->route_ctx, symmetry_shifted(shift, src),
                                symmetry_shifted(shift, dst), shift->route[1]);
    uint32_t i;

    if (hops != other)
        return false;
    for (i = 0; i < hops; i++)
        if (!link_becomes(shift, shift->route[0][i], shift->route[1][i]))
            return false;
    return true;
}

/* Whether an op of a rank equals the op of the shifted rank, with the peer
 * shifted as well; a send also compares the routes. */
static bool op_becomes(struct rank_shift *shift, uint32_t rank,
                       const struct cs_op *a, const struct cs_op *b)
{
    bool has_peer = cs_op_is_message(a);

    if (a->kind != b->kind || a->leaves != b->leaves ||
        a->channel != b->channel || a->amount != b->amount ||
        a->blocks.count != b->blocks.count)
        return false;
    if (a->kind == CS_OP_WAIT && a->source != b->source)
        return false;
    if ((has_peer ? symmetry_shifted(shift, a->peer) : a->peer) != b->peer)
        return false;
    return a->kind != CS_OP_SEND || route_becomes(shift, rank, a->peer);
}

static bool round_becomes(struct rank_shift *shift, uint32_t rank,
                          uint32_t lane, uint64_t k, struct cs_ops ops[2])
{
    const struct cs_program *program = &shift->run->program;
    uint32_t i;

    ops[0].count = ops[1].count = 0;
    program->round(program->ctx, rank, lane, k, &ops[0]);
    program->round(program->ctx, symmetry_shifted(shift, rank), lane, k,
                   &ops[1]);
    if (ops[0].count != ops[1].count)
        return false;
    for (i = 0; i < ops[0].count; i++)
        if (!op_becomes(shift, rank, &ops[0].op[i], &ops[1].op[i]))
            return false;
    return true;
}

static bool lane_becomes(struct rank_shift *shift, uint32_t rank, uint32_t lane,
                         struct cs_ops ops[2])
{
    const struct cs_program *program = &shift->run->program;
    uint64_t rounds = program->rounds(program->ctx, rank, lane);
    uint64_t k;

    if (program->rounds(program->ctx, symmetry_shifted(shift, rank), lane) !=
        rounds)
        return false;
    for (k = 0; k < rounds; k++)
        if (!round_becomes(shift, rank, lane, k, ops))
            return false;
    return true;
}

static bool all_becomes(struct rank_shift *shift)
{
    const struct cs_program *program = &shift->run->program;
    struct cs_ops ops[2] = {{0}};
    bool holds = true;
    uint32_t rank, lane;

    for (rank = 0; rank < program->ranks && holds; rank++)
        for (lane = 0; lane < program->lanes && holds; lane++)
            holds = lane_becomes(shift, rank, lane, ops);
    free(ops[0].op);
    free(ops[1].op);
    return holds;
}

/* ---- devices in use by detours only ---- */

/* Devices of consecutive nodes map to the next node; devices outside nodes map
 * to themselves, unless the routes already map them. */
static bool place_rest(struct rank_shift *shift)
{
    const struct cs_graph *graph = &shift->run->graph;
    uint32_t each = graph->rank_device[shift->by] - graph->rank_device[0];
    uint32_t nodes = shift->run->program.ranks / shift->by;
    uint64_t all = shift->by > 1 ? (uint64_t)nodes * each : 0;
    uint32_t d;

    if (all > graph->device_count)
        return false;

    for (d = 0; d < graph->device_count; d++) {
        uint32_t image = d;

        if (d < all)
            image = (uint32_t)((d + each) % all);
        if (shift->devices.to[d] != CS_IDENTICAL_NONE)
            image = shift->devices.to[d];
        if (!symmetry_becomes(&shift->devices, d, image) ||
            !are_equal(&graph->devices[d], &graph->devices[image]))
            return false;
    }
    return true;
}

/* A total order of wires by ends, effective rate, latency and direction. */
static int symmetry_compare_wires(const void *one, const void *other)
{
    const struct cs_wire *a = one;
    const struct cs_wire *b = other;

    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    if (a->rate_Bps * a->efficiency != b->rate_Bps * b->efficiency)
        return a->rate_Bps * a->efficiency < b->rate_Bps * b->efficiency ? -1
                                                                         : 1;
    if (a->latency_ps != b->latency_ps)
        return a->latency_ps < b->latency_ps ? -1 : 1;
    return (int)a->duplex * 2 + a->backwards - (int)b->duplex * 2 -
           b->backwards;
}

/* The wires of the graph, or their images, sorted for comparison. */
static struct cs_wire *sorted_wires(const struct cs_graph *graph,
                                    const uint32_t *image,
                                    struct cs_arena *arena)
{
    struct cs_wire *wires =
        cs_arena_alloc(arena, graph->wire_count, sizeof(*wires));
    uint32_t w;

    for (w = 0; w < graph->wire_count; w++) {
        struct cs_wire *wire = &wires[w];

        *wire = graph->wires[w];
        wire->a = image ? image[wire->a] : wire->a;
        wire->b = image ? image[wire->b] : wire->b;
        if (wire->a > wire->b) {
            uint32_t a = wire->a;

            wire->a = wire->b;
            wire->b = a;
            wire->backwards = !wire->backwards;
        }
    }
    qsort(wires, graph->wire_count, sizeof(*wires), symmetry_compare_wires);
    return wires;
}

/* Whether the map of devices turns the set of wires into the same set: wires
 * without a route of the program may carry detours. */
static bool wires_become(const struct rank_shift *shift, struct cs_arena *arena)
{
    const struct cs_graph *graph = &shift->run->graph;
    const struct cs_wire *before = sorted_wires(graph, NULL, arena);
    const struct cs_wire *after = sorted_wires(graph, shift->devices.to, arena);
    uint32_t w = 0;

    while (w < graph->wire_count &&
           symmetry_compare_wires(&before[w], &after[w]) == 0)
        w++;
    return w == graph->wire_count;
}

static bool symmetry_try(struct rank_shift *shift, uint32_t by,
                         struct cs_arena *arena)
{
    const struct cs_net *net = &shift->run->net;

    shift->by = by;
    shift->devices = new_map(shift->run->graph.device_count, arena);
    shift->links = new_map(net->link_count, arena);
    shift->resources = new_map(net->resource_count, arena);
    return all_becomes(shift) && place_rest(shift) &&
           wires_become(shift, arena);
}

/* Whether a shift can be a symmetry: blocks have equal size, and no option
 * refers to single ranks. */
static bool symmetry_is_possible(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_program *program = &run->program;

    return program->ranks > 1 && program->ranks <= RANKS_MAX &&
           program->agents == 0 && !program->folded && !program->start_ps &&
           run->graph.replicated.count == 0 && !run->machine->transport.name &&
           program->elements % program->blocks == 0 &&
           scenario->faults.count == 0 && scenario->other_jobs.count == 0 &&
           !cs_run_is_noisy(run) && !run->draws_routes;
}

const uint32_t *cs_identical_devices(const struct cs_run *run,
                                     struct cs_arena *arena)
{
    uint32_t hops = run->net.max_hops + 1;
    uint32_t node = run->call.group;
    struct rank_shift shift = {
        .run = run,
        .route = {cs_arena_alloc(arena, hops, sizeof(uint32_t)),
                  cs_arena_alloc(arena, hops, sizeof(uint32_t))}};

    if (!symmetry_is_possible(run))
        return NULL;
    if (symmetry_try(&shift, 1, arena))
        return shift.devices.to;
    if (node > 1 && node < run->program.ranks &&
        run->program.ranks % node == 0 && symmetry_try(&shift, node, arena))
        return shift.devices.to;
    return NULL;
}
