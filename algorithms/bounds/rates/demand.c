#include "algorithms/bounds/rates/demand.h"

#include <string.h>

/* The number of hosts with an equal source. */
static double demand_images(const struct cs_demand *demand, uint32_t source)
{
    const struct cs_cells *cells = &demand->lengths->cells;
    uint32_t twin = cells->twin[demand->sources[source]];

    return 1 + (twin == CS_NO_CELL ? 0 : (double)cells->weight[twin]);
}

struct cs_demand cs_demand_of_all(const struct cs_lengths *lengths, struct cs_arena *arena)
{
    struct cs_demand demand = {.lengths = lengths,
                               .sources =
                                   cs_arena_alloc(arena, lengths->target_count, sizeof(uint32_t)),
                               .is_all = true};

    for (uint32_t i = 0; i < lengths->target_count; i++)
        if (!cs_cells_is_merged(&lengths->cells, lengths->targets[i]))
            demand.sources[demand.source_count++] = lengths->targets[i];
    return demand;
}

/* ---- a block to the next rank ---- */

struct demand_shift {
    const struct cs_graph *graph;
    const struct cs_net *net;
    const struct cs_cells *cells;
    uint32_t *origin; /* cell -> the equal cell of the first host */
    uint32_t *source; /* cell -> source, of origins */
};

/* The cells of the pair, exchanged with the first host where the sender is in
 * a merged host. */
struct demand_pair {
    uint32_t from, to;
};

static struct demand_pair demand_pair_of(const struct demand_shift *shift, uint32_t rank)
{
    const struct cs_cells *cells = shift->cells;
    uint32_t ranks = shift->graph->rank_count;
    uint32_t a = cs_net_party_at(shift->net, (rank + ranks - 1) % ranks).node;
    uint32_t b = cs_net_party_at(shift->net, rank).node;
    struct demand_pair pair = {cells->of[a], cells->of[b]};
    uint32_t origin = shift->origin[pair.to];
    bool in_group =
        cells->group[pair.from] != CS_NO_CELL && cells->group[pair.from] == cells->group[pair.to];
    bool in_host = cs_graph_device(shift->graph, a).host == cs_graph_device(shift->graph, b).host;

    if (in_group && cells->twin[origin] != CS_NO_CELL)
        pair.to = in_host ? origin : cells->twin[origin];
    pair.from = shift->origin[pair.from];
    return pair;
}

static struct demand_shift demand_begin_shift(const struct cs_lengths *lengths,
                                              const struct cs_graph *graph,
                                              const struct cs_net *net, struct cs_arena *arena)
{
    uint32_t cells = lengths->cells.count;
    struct demand_shift shift = {.graph = graph,
                                 .net = net,
                                 .cells = &lengths->cells,
                                 .origin = cs_arena_alloc(arena, cells, sizeof(uint32_t)),
                                 .source = cs_arena_alloc(arena, cells, sizeof(uint32_t))};

    for (uint32_t c = 0; c < cells; c++)
        shift.origin[c] = c;
    for (uint32_t c = 0; c < cells; c++)
        if (lengths->cells.twin[c] != CS_NO_CELL)
            shift.origin[lengths->cells.twin[c]] = c;
    return shift;
}

struct cs_demand cs_demand_of_shift(const struct cs_lengths *lengths, const struct cs_graph *graph,
                                    const struct cs_net *net, struct cs_arena *arena)
{
    struct cs_demand demand = cs_demand_of_all(lengths, arena);
    struct demand_shift shift = demand_begin_shift(lengths, graph, net, arena);
    uint32_t *fill;

    demand.is_all = false;
    demand.first = cs_arena_alloc(arena, (size_t)demand.source_count + 2, sizeof(uint32_t));
    demand.parts = cs_arena_alloc(arena, graph->rank_count, sizeof(*demand.parts));
    for (uint32_t i = 0; i < demand.source_count; i++)
        shift.source[demand.sources[i]] = i;
    fill = demand.first + 1; /* one place on, until the parts are filled in */
    for (uint32_t r = 0; r < graph->rank_count; r++)
        fill[shift.source[demand_pair_of(&shift, r).from] + 1]++;
    for (uint32_t i = 0; i < demand.source_count; i++)
        fill[i + 1] += fill[i];
    for (uint32_t r = 0; r < graph->rank_count; r++) {
        struct demand_pair pair = demand_pair_of(&shift, r);

        demand.parts[fill[shift.source[pair.from]]++] = (struct cs_demand_part){pair.to, 1};
    }
    return demand;
}

/* ---- readers ---- */

double cs_demand_distances(const struct cs_demand *demand, uint32_t source, const double *distances)
{
    const struct cs_lengths *lengths = demand->lengths;
    double sum = 0;

    if (demand->is_all) {
        for (uint32_t i = 0; i < lengths->target_count; i++)
            sum += distances[lengths->targets[i]] * lengths->cells.weight[lengths->targets[i]];
        return sum * demand_images(demand, source);
    }
    for (uint32_t k = demand->first[source]; k < demand->first[source + 1]; k++)
        sum += demand->parts[k].blocks * distances[demand->parts[k].to];
    return sum;
}

void cs_demand_amounts(const struct cs_demand *demand, uint32_t source, double *amounts)
{
    const struct cs_lengths *lengths = demand->lengths;
    double images = demand_images(demand, source);

    memset(amounts, 0, lengths->cells.count * sizeof(*amounts));
    if (demand->is_all) {
        for (uint32_t i = 0; i < lengths->target_count; i++)
            amounts[lengths->targets[i]] = images * lengths->cells.weight[lengths->targets[i]];
        return;
    }
    for (uint32_t k = demand->first[source]; k < demand->first[source + 1]; k++)
        amounts[demand->parts[k].to] += demand->parts[k].blocks;
}
