#include "algorithms/shared/rings/torus.h"

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/load.h"

static uint32_t torus_up(uint32_t rank, uint32_t side, uint32_t stride)
{
    uint32_t place = rank / stride % side;

    return rank + cs_ahead(place, 1, side) * stride - place * stride;
}

static uint32_t torus_down(uint32_t rank, uint32_t side, uint32_t stride)
{
    uint32_t place = rank / stride % side;

    return rank + cs_behind(place, 1, side) * stride - place * stride;
}

/* ---- the machine's torus ---- */

/* Wires of a machine of as many devices as ranks. */
struct torus_wires {
    const struct cs_net *net;
    uint32_t *rank;    /* of a device */
    uint32_t *reached; /* by a wire from a rank: a bit for each dimension and direction */
};

/* A rank on every device of a wire, or false. */
static bool torus_place_ranks(const struct torus_wires *wires, uint32_t ranks)
{
    for (uint32_t i = 0; i < ranks; i++)
        wires->rank[i] = ranks;
    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t device = cs_net_party_at(wires->net, i).node;

        if (device >= ranks || wires->rank[device] < ranks)
            return false;
        wires->rank[device] = i;
    }
    for (uint32_t i = 0; i < wires->net->link_count; i++) {
        struct cs_net_link link = cs_net_link_at(wires->net, i);

        if (link.from >= ranks || link.to >= ranks)
            return false;
    }
    return true;
}

/* Marks the ranks with a wire from rank 0. */
static bool *torus_near(const struct torus_wires *wires, uint32_t ranks, struct cs_arena *arena)
{
    bool *near = cs_arena_alloc(arena, (size_t)ranks + 1, sizeof(*near));
    uint32_t device = cs_net_party_at(wires->net, 0).node;

    for (uint32_t i = 0; i < wires->net->link_count; i++) {
        struct cs_net_link link = cs_net_link_at(wires->net, i);

        if (link.from == device)
            near[wires->rank[link.to]] = true;
    }
    near[ranks] = true; /* the end of the last dimension */
    return near;
}

/* The side of the dimension with neighbours `stride` apart: the last rank of the line
 * and the first of the next one are near, which holds for one side only; 0: none. */
static uint32_t torus_side(const bool *near, size_t stride, uint32_t ranks)
{
    if (!near[stride])
        return 0;
    for (uint32_t side = 3; side <= ranks / stride; side++)
        if (near[(side - 1) * stride] && near[side * stride])
            return side;
    return ranks / stride >= 2 && near[2 * stride] ? 2 : 0;
}

static void torus_measure(struct cs_torus *torus, const bool *near)
{
    uint32_t stride = 1;

    while (stride < torus->ranks) {
        uint32_t side = torus_side(near, stride, torus->ranks);

        if (!side || torus->ranks / stride % side || torus->count == CS_TORUS_DIMS_MAX) {
            torus->count = 0;
            return;
        }
        torus->sides[torus->count++] = side;
        stride *= side;
    }
}

/* The bit of a wire to a neighbour; 0: the ranks are no neighbours. */
static uint32_t torus_wire_bit(const struct cs_torus *torus, uint32_t from, uint32_t to)
{
    uint32_t stride = 1;

    for (uint32_t i = 0; i < torus->count; stride *= torus->sides[i++]) {
        if (to == torus_up(from, torus->sides[i], stride))
            return 1U << 2 * i;
        if (to == torus_down(from, torus->sides[i], stride))
            return 2U << 2 * i;
    }
    return 0;
}

/* Whether every wire is one of the torus, with a server of its own, and none is missing. */
static bool torus_has_all_wires(struct cs_torus *torus, const struct torus_wires *wires,
                                struct cs_arena *arena)
{
    const struct cs_net *net = wires->net;
    bool *taken = cs_arena_alloc(arena, net->resource_count, sizeof(*taken));
    uint64_t found = 0, wanted = 0;

    for (uint32_t i = 0; i < net->link_count; i++) {
        struct cs_net_link link = cs_net_link_at(net, i);
        uint32_t from = wires->rank[link.from];
        uint32_t bit;

        if (link.from == link.to)
            continue;
        bit = torus_wire_bit(torus, from, wires->rank[link.to]);
        if (found == 0)
            torus->rate_Bps = link.rate_Bps;
        if (!bit || wires->reached[from] & bit || taken[link.resource] || link.down ||
            link.rate_Bps * CS_RING_ROUNDING < torus->rate_Bps ||
            torus->rate_Bps * CS_RING_ROUNDING < link.rate_Bps)
            return false;
        wires->reached[from] |= bit;
        taken[link.resource] = true;
        found++;
    }
    for (uint32_t i = 0; i < torus->count; i++)
        wanted += (uint64_t)torus->ranks * (torus->sides[i] > 2 ? 2 : 1);
    return found == wanted;
}

struct cs_torus cs_torus_of_net(const struct cs_net *net, uint32_t ranks)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_torus torus = {.ranks = ranks};
    struct torus_wires wires = {.net = net};

    if (net->party_count < ranks || ranks < 2)
        return torus;
    wires.rank = cs_arena_alloc(&arena, ranks, sizeof(*wires.rank));
    wires.reached = cs_arena_alloc(&arena, ranks, sizeof(*wires.reached));
    if (torus_place_ranks(&wires, ranks)) {
        torus_measure(&torus, torus_near(&wires, ranks, &arena));
        if (torus.count && !torus_has_all_wires(&torus, &wires, &arena))
            torus.count = 0;
    }
    return torus;
}

/* ---- lines ---- */

uint32_t cs_torus_lanes(const struct cs_torus *torus)
{
    for (uint32_t i = 0; i < torus->count; i++)
        if (torus->sides[i] == 2)
            return 2;
    return 1;
}

/* Edge `first` + rank leads up from the rank. */
static void torus_add_lines(struct cs_two_factors *lines, uint32_t side, uint32_t stride)
{
    uint32_t factor = lines->edge_count / lines->nodes;
    uint32_t first = lines->edge_count;

    for (uint32_t i = 0; i < lines->nodes; i++) {
        uint32_t *at = cs_factor_at(lines, i, factor);

        at[0] = first + i;
        at[1] = first + torus_down(i, side, stride);
        lines->edges[lines->edge_count++] =
            (struct cs_factor_edge){{i, torus_up(i, side, stride)}, factor};
    }
}

struct cs_two_factors cs_torus_lines(const struct cs_torus *torus, struct cs_arena *arena)
{
    uint32_t lanes = cs_torus_lanes(torus);
    struct cs_two_factors lines = {.nodes = torus->ranks};
    uint32_t stride = 1;

    for (uint32_t i = 0; i < torus->count; i++)
        lines.factors += torus->sides[i] > 2 ? lanes : 1;
    lines.edges = cs_arena_alloc(arena, (size_t)lines.nodes * lines.factors, sizeof(*lines.edges));
    lines.at = cs_arena_alloc(arena, (size_t)lines.nodes * lines.factors * 2, sizeof(*lines.at));
    for (uint32_t i = 0; i < torus->count; stride *= torus->sides[i++])
        for (uint32_t lane = torus->sides[i] > 2 ? 0 : lanes - 1; lane < lanes; lane++)
            torus_add_lines(&lines, torus->sides[i], stride);
    return lines;
}

/* ---- helices ---- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The ring against the direction of another. */
static void torus_reverse(const uint32_t *ring, uint32_t ranks, uint32_t *reverse)
{
    for (uint32_t i = 0; i < ranks; i++)
        reverse[i] = ring[(ranks - i) % ranks];
}

bool cs_torus_helices(const struct cs_torus *torus, uint32_t *order)
{
    bool first_is_long = torus->count == 2 && torus->sides[0] >= torus->sides[1];
    uint32_t rows = torus->sides[first_is_long ? 0 : 1];
    uint32_t columns = torus->sides[first_is_long ? 1 : 0];
    uint32_t down = first_is_long ? 1 : columns; /* from row to row */
    uint32_t right = first_is_long ? rows : 1;
    uint32_t n = torus->ranks;
    uint32_t row = 0, column = 0;

    if (torus->count != 2 || columns < 3 || rows % columns ||
        common_divisor(rows, columns - 1) != 1)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        /* The first row of the ring begins in column 0, each further one a column before. */
        uint32_t place = (i % columns + columns - i / columns % columns) % columns;

        order[i] = i / columns * down + place * right;
    }
    for (uint32_t i = 0; i < n; i++) {
        order[2 * (size_t)n + i] = row * down + column * right;
        if ((row + column + 1) % columns == 0)
            column = cs_ahead(column, 1, columns);
        else
            row = cs_ahead(row, 1, rows);
    }
    torus_reverse(order, n, order + n);
    torus_reverse(order + 2 * (size_t)n, n, order + 3 * (size_t)n);
    return true;
}
