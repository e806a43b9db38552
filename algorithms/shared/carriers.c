#include "algorithms/shared/carriers.h"

#include "algorithms/shared/patterns/chunks.h"

#include <math.h>

enum {
    CARRIERS_OF_ADAPTER = 4 /* ranks at even distances leave no adapter without work */
};

/* ---- carriers of a machine ---- */

/* Routes of all ranks of the first node to those of the second, at the same time. */
struct carrier_routes {
    const struct cs_net *net;
    uint32_t group;
    uint32_t *links; /* of a route */
    uint32_t *uses;  /* of a link, by routes */
};

static uint32_t carrier_route(const struct carrier_routes *routes, uint32_t rank)
{
    return routes->net->route(routes->net->route_ctx, rank, rank + routes->group, routes->links);
}

static void carrier_count_uses(const struct carrier_routes *routes)
{
    for (uint32_t rank = 0; rank < routes->group; rank++) {
        uint32_t hops = carrier_route(routes, rank);

        for (uint32_t h = 0; h < hops; h++)
            routes->uses[routes->links[h]]++;
    }
}

/* Rates of a rank's route: beside all others, alone, and of its first link. */
struct carrier_rates {
    double shared_Bps, alone_Bps, port_Bps;
};

static struct carrier_rates carrier_rates_of(const struct carrier_routes *routes, uint32_t rank)
{
    struct carrier_rates rates = {INFINITY, INFINITY, INFINITY};
    uint32_t hops = carrier_route(routes, rank);

    for (uint32_t h = 0; h < hops; h++) {
        double rate_Bps = cs_net_link_at(routes->net, routes->links[h]).rate_Bps;

        rates.alone_Bps = fmin(rates.alone_Bps, rate_Bps);
        rates.shared_Bps = fmin(rates.shared_Bps, rate_Bps / routes->uses[routes->links[h]]);
        if (h == 0)
            rates.port_Bps = rate_Bps;
    }
    return rates;
}

/* All ranks carry unless fewer than half suffice. */
uint32_t cs_carriers_of_machine(const struct cs_net *net, uint32_t ranks, uint32_t group,
                                struct cs_arena *arena)
{
    struct carrier_routes routes = {net, group, NULL, NULL};
    struct carrier_rates node = {0, INFINITY, INFINITY};
    double count;

    if (group < 2 || ranks < 2 * group)
        return 0;
    routes.links = cs_arena_alloc(arena, net->max_hops + 1, sizeof(*routes.links));
    routes.uses = cs_arena_alloc(arena, net->link_count, sizeof(*routes.uses));
    carrier_count_uses(&routes);
    for (uint32_t rank = 0; rank < group; rank++) {
        struct carrier_rates rates = carrier_rates_of(&routes, rank);

        node.shared_Bps += rates.shared_Bps;
        node.alone_Bps = fmin(node.alone_Bps, rates.alone_Bps);
        node.port_Bps = fmin(node.port_Bps, rates.port_Bps);
    }
    count = fmax(CARRIERS_OF_ADAPTER * ceil(node.shared_Bps / node.alone_Bps),
                 ceil((group - 1) * node.shared_Bps / node.port_Bps));
    return count < (group - 1) / 2. ? (uint32_t)count : 0;
}

/* ---- positions ---- */

static uint32_t carrier_pieces(const struct cs_call *call)
{
    return call->carriers ? call->carriers : call->group - 1;
}

uint32_t cs_carrier_index(const struct cs_carrier *carrier, uint32_t piece)
{
    return 1 + (uint32_t)((uint64_t)piece * (carrier->group - 1) / carrier->pieces);
}

/* The last piece whose index is not above; before the first one, of the last. */
static uint32_t carrier_piece(const struct cs_carrier *carrier)
{
    if (carrier->index == 0)
        return carrier->pieces - 1;
    return (uint32_t)(((uint64_t)carrier->index * carrier->pieces - 1) / (carrier->group - 1));
}

struct cs_carrier cs_carrier_of(const struct cs_call *call, uint32_t rank)
{
    uint32_t group = call->group;
    uint32_t nodes = call->ranks / group;
    uint32_t root = call->root;
    struct cs_carrier carrier = {
        .call = call,
        .group = group,
        .nodes = nodes,
        .pieces = carrier_pieces(call),
        .level = cs_behind(rank / group, root / group, nodes),
        .index = cs_behind(rank % group, root % group, group),
    };

    carrier.piece = carrier_piece(&carrier);
    carrier.carries = cs_carrier_index(&carrier, carrier.piece) == carrier.index;
    return carrier;
}

uint32_t cs_carrier_rank(const struct cs_carrier *carrier, uint32_t level, uint32_t index)
{
    uint32_t group = carrier->group;
    uint32_t root = carrier->call->root;

    return cs_ahead(root / group, level, carrier->nodes) * group +
           cs_ahead(root % group, index, group);
}

struct cs_blocks cs_carrier_chunk(const struct cs_carrier *carrier, uint32_t piece, uint32_t j)
{
    return cs_block(piece * carrier->call->chunks + j);
}

/* The only other rank of two ranks is the root. */
bool cs_carrier_passes_on(const struct cs_carrier *carrier)
{
    return carrier->group > 2 || carrier->nodes > 1;
}

uint64_t cs_carrier_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct cs_call *call = ctx;
    struct cs_carrier carrier;

    (void)lane;
    if (call->ranks < 2)
        return 0;
    carrier = cs_carrier_of(call, rank);
    return (uint64_t)call->chunks +
           (cs_carrier_has_piece(&carrier) && cs_carrier_passes_on(&carrier));
}

int cs_carrier_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code && (uint64_t)call->chunks * call->group > UINT32_MAX)
        code = cs_err_set(err, CS_EINPUT, "%u chunks are too many for nodes of %u ranks",
                          call->chunks, call->group);
    return code;
}

/* (k + n) (alpha + t / k) is least for k = sqrt(n t / alpha), where t is the
 * time of a piece: of one message between nodes, which is the slowest, or of g
 * messages on one port in a single node. */
void cs_carrier_settle(struct cs_call *call, const struct cs_hockney *hockney)
{
    double group = call->group;
    double nodes = group > 0 ? call->ranks / group : 1;
    double piece_s;

    if (call->group < 2)
        return;
    piece_s = cs_vector_bytes(call) / carrier_pieces(call) / hockney->beta_Bps;
    if (nodes < 2)
        piece_s *= group;
    cs_settle_chunks(call, call->elements / carrier_pieces(call),
                     hockney->alpha_s > 0 ? sqrt(nodes * piece_s / hockney->alpha_s) : INFINITY);
}

uint32_t cs_carrier_blocks(const struct cs_call *call)
{
    return call->group > 1 ? carrier_pieces(call) * call->chunks : 1;
}

static struct cs_cost carrier_steps(const struct cs_call *call, double rounds, double chunks)
{
    double steps = call->chunks + (double)call->ranks / call->group;
    double chunk = cs_longest_run_bytes(call, cs_carrier_blocks(call), 1);

    return (struct cs_cost){rounds * steps, steps * chunks * chunk, 0};
}

struct cs_cost cs_carrier_cost(const struct cs_call *call)
{
    return carrier_steps(call, 1, call->group);
}

struct cs_cost cs_carrier_local_cost(const struct cs_call *call)
{
    if (call->group == call->ranks)
        return cs_carrier_cost(call);
    return carrier_steps(call, 0, call->group - 1.0);
}
