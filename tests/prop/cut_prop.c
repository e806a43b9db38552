/*
 * Cuts found by maximum flow are those found by trying all sets of ranks:
 * random machines with switches, buses, half-duplex and one-way wires, and all
 * machines of the library; merging identical hosts changes no bound.
 */
#include "algorithms/bounds/cuts.h"
#include "algorithms/bounds/rates/pairs.h"
#include "algorithms/bounds/strength.h"
#include "tests/prop/exhaustive.h"

#include "tests/fixture.h"

enum {
    MACHINES = 150,
    RANKS_MAX = 10,
    NODES_MAX = 6, /* hosts of a cluster */
};

static const enum cs_cut_direction directions[] = {CS_CUT_INTO, CS_CUT_OUT_OF, CS_CUT_BOTH};

struct draw {
    struct cs_random *random;
    struct cs_arena arena;
    struct cs_graph graph;
    const char *what;
};

static uint32_t below(struct draw *draw, uint32_t limit)
{
    return (uint32_t)cs_random_below(draw->random, limit);
}

static void expect_near(const struct draw *draw, const char *what, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("COLLSIM_SEED=%" PRIu64 ": %s, %u ranks: %s is %.12g, not %.12g", fixture_seed(),
                 draw->what, draw->graph.rank_count, what, found, expected);
}

/* ---- random machines ---- */

static void begin(struct draw *draw, struct cs_random *random, const char *what)
{
    *draw = (struct draw){.random = random, .what = what};
    cs_graph_init(&draw->graph, &draw->arena);
    draw->graph.name = what;
    draw->graph.file = "";
}

static uint32_t add_device(struct draw *draw, enum cs_device_kind kind, uint32_t host)
{
    return cs_graph_add_device(
        &draw->graph,
        (struct cs_device){.name = cs_arena_printf(&draw->arena, "d%u", draw->graph.device_count),
                           .kind = kind,
                           .host = host});
}

static struct cs_wire draw_wire(struct draw *draw)
{
    static const double typical_Bps[] = {1e9, 3e9, 10e9, 12.5e9};

    return (struct cs_wire){.class_name = "wire",
                            .rate_Bps = below(draw, 3) ? typical_Bps[below(draw, 4)]
                                                       : 1e9 * (1 + below(draw, 1000) * 0.017),
                            .efficiency = below(draw, 3) ? 1 : 0.83,
                            .duplex = below(draw, 4) ? CS_DUPLEX_FULL : CS_DUPLEX_HALF,
                            .source = "drawn"};
}

static bool is_bus(const struct draw *draw, uint32_t device)
{
    return draw->graph.devices[device].kind == CS_DEVICE_BUS;
}

static void add_wire(struct draw *draw, struct cs_wire wire)
{
    if (is_bus(draw, wire.a) && is_bus(draw, wire.b))
        return;
    if (is_bus(draw, wire.a) || is_bus(draw, wire.b))
        wire.duplex = CS_DUPLEX_BUS;
    cs_graph_add_wire(&draw->graph, wire);
}

/* A wire, or one for each direction with rates of their own. */
static void join(struct draw *draw, uint32_t a, uint32_t b)
{
    struct cs_wire wire = draw_wire(draw);
    bool bus = is_bus(draw, a) || is_bus(draw, b);

    wire.a = a;
    wire.b = b;
    wire.backwards = !bus && below(draw, 5) == 0;
    add_wire(draw, wire);
    if (!wire.backwards)
        return;
    wire = draw_wire(draw);
    wire.a = b;
    wire.b = a;
    wire.backwards = true;
    add_wire(draw, wire);
}

static void draw_machine(struct draw *draw, struct cs_random *random)
{
    uint32_t forwarders, ranks;

    begin(draw, random, "a drawn machine");
    forwarders = 1 + below(draw, 4);
    ranks = 2 + below(draw, RANKS_MAX - 1);
    for (uint32_t i = 0; i < forwarders; i++) {
        bool bus = i > 0 && below(draw, 4) == 0;

        add_device(draw, bus ? CS_DEVICE_BUS : CS_DEVICE_SWITCH, CS_NO_HOST);
        if (i > 0)
            join(draw, i, bus ? 0 : below(draw, i));
        if (i > 0)
            join(draw, i, 0);
    }
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t device = add_device(draw, CS_DEVICE_HOST, CS_NO_HOST);

        for (uint32_t wires = 1 + below(draw, 2); wires > 0; wires--)
            join(draw, device, below(draw, forwarders));
        for (uint32_t wires = below(draw, 3); wires > 0 && r > 0; wires--)
            join(draw, device, forwarders + below(draw, r));
    }
    cs_graph_place_all(&draw->graph);
}

/* ---- cut and strength of one machine ---- */

static double ratio_of(const struct draw *draw, const struct cs_flow_cut *cut)
{
    return cut->rate_Bps / (draw->graph.rank_count - cut->ranks);
}

static double strength_ratio(const struct cs_strength *strength)
{
    return strength->rate_Bps / (strength->groups - 1);
}

static void check_direction(struct draw *draw, enum cs_cut_direction direction, uint32_t root)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_graph *graph = &draw->graph;
    uint32_t device = graph->rank_device[root];
    struct exhaustive all = exhaustive_of(graph, direction, &arena);
    struct cs_cells cells = cs_cells_of(graph, device, &arena);
    struct cs_network network = cs_network_of(graph, &cells, direction, &arena);
    struct cs_flow_cut cut = cs_cuts_densest(&network, 0, &arena);
    struct cs_strength strength;

    expect_near(draw, "densest", ratio_of(draw, &cut), exhaustive_densest(&all));
    cut = cs_cuts_towards(&network, device, &arena);
    expect_near(draw, "towards", ratio_of(draw, &cut), exhaustive_towards(&all, root));
    cut = cs_cuts_narrowest(&network, device, &arena);
    expect_near(draw, "narrowest", cut.rate_Bps, exhaustive_narrowest(&all, root));
    strength = cs_strength_of(&network, &arena);
    expect_near(draw, "strength", strength_ratio(&strength), exhaustive_strength(&all, &arena));
}

/* A mixture of routes attains the best prices, and no cut binds more. */
static void expect_best_pairs(const struct draw *draw, const char *what,
                              const struct cs_demand *demand, double by_cuts,
                              struct cs_arena *arena)
{
    struct cs_pairs pairs = cs_pairs_of(demand, arena);

    if (!pairs.is_exact)
        fail_msg("COLLSIM_SEED=%" PRIu64 ": %s, %s: no best prices", fixture_seed(), draw->what,
                 what);
    if (pairs.seconds_per_byte < by_cuts * (1 - 1e-9))
        fail_msg("COLLSIM_SEED=%" PRIu64 ": %s, %s: %.12g s/B, but a cut %.12g", fixture_seed(),
                 draw->what, what, pairs.seconds_per_byte, by_cuts);
}

static void check_pairs(struct draw *draw)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_cells cells = cs_cells_of(&draw->graph, CS_NO_CELL, &arena);
    struct cs_lengths lengths = cs_lengths_of(&draw->graph, &cells, &arena);
    struct cs_demand demand = cs_demand_of_all(&lengths, &arena);
    struct exhaustive all = exhaustive_of(&draw->graph, CS_CUT_INTO, &arena);

    expect_best_pairs(draw, "all-to-all", &demand, exhaustive_sparsest(&all), &arena);
}

/* Blocks to the next rank, of ranks placed in this order. */
static struct cs_demand shift_of(const struct draw *draw, const struct cs_lengths *lengths,
                                 const uint32_t *order, struct cs_arena *arena)
{
    struct cs_net net;

    cs_lower(&draw->graph, &net, arena);
    cs_net_reorder(&net, order, arena);
    return cs_demand_of_shift(lengths, &draw->graph, &net, arena);
}

static uint32_t *draw_order(struct draw *draw, struct cs_arena *arena)
{
    uint32_t ranks = draw->graph.rank_count;
    uint32_t *order = cs_arena_alloc(arena, ranks, sizeof(*order));

    for (uint32_t i = 0; i < ranks; i++)
        order[i] = i;
    cs_random_shuffle(draw->random, order, ranks);
    return order;
}

static void check_shift(struct draw *draw)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    uint32_t *order = draw_order(draw, &arena);
    struct cs_cells cells = cs_cells_single(&draw->graph, &arena);
    struct cs_lengths lengths = cs_lengths_of(&draw->graph, &cells, &arena);
    struct cs_demand demand = shift_of(draw, &lengths, order, &arena);
    struct exhaustive all = exhaustive_of(&draw->graph, CS_CUT_INTO, &arena);

    expect_best_pairs(draw, "send-receive", &demand, exhaustive_shift(&all, order), &arena);
}

static void check_machine(struct draw *draw)
{
    for (size_t d = 0; d < 3; d++)
        check_direction(draw, directions[d], below(draw, draw->graph.rank_count));
    check_pairs(draw);
    check_shift(draw);
}

TEST(cuts_are_those_of_the_exhaustive_search)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("cuts");
    struct draw draw;

    for (uint32_t i = 0; i < MACHINES; i++) {
        draw_machine(&draw, random);
        check_machine(&draw);
        cs_arena_free(&draw.arena);
    }
}

TEST(cuts_of_the_library_are_those_of_the_exhaustive_search)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("library");

    for (size_t i = 0; i < cs_machine_file_count; i++) {
        struct cs_topo_request request = {.spec = cs_machine_files[i].name};
        struct draw draw = {.random = random, .what = cs_machine_files[i].name};
        struct cs_err err;

        assert_ok(cs_topo_open(&request, &draw.graph, &draw.arena, &err), &err);
        if (draw.graph.rank_count > 1 && draw.graph.rank_count <= EXHAUSTIVE_RANKS_MAX)
            check_machine(&draw);
        cs_arena_free(&draw.arena);
    }
}

/* ---- clusters, merged and in full ---- */

/* A host of some ranks and switches, wired at random; the same for all
 * hosts that are drawn from an equal stream. */
static uint32_t add_host(struct draw *draw, uint32_t host, uint32_t fabric, uint64_t seed)
{
    struct cs_random *outer = draw->random;
    uint32_t first = draw->graph.device_count;
    uint32_t ranks, switches;

    draw->random = cs_random_open(seed, "host");
    ranks = 1 + below(draw, 3);
    switches = 1 + below(draw, 2);
    for (uint32_t i = 0; i < switches; i++) {
        add_device(draw, CS_DEVICE_SWITCH, host);
        if (i > 0)
            join(draw, first + i, first);
        join(draw, first + i, below(draw, fabric));
    }
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t device = add_device(draw, CS_DEVICE_GPU, host);

        join(draw, device, first + below(draw, switches));
        if (below(draw, 2))
            join(draw, device, below(draw, fabric));
        if (r > 0 && below(draw, 2))
            join(draw, device, device - 1);
    }
    cs_random_close(draw->random);
    draw->random = outer;
    return ranks;
}

/* Hosts of one or two sorts around a fabric. */
static void draw_cluster(struct draw *draw, struct cs_random *random)
{
    uint64_t sorts[2];
    uint32_t fabric, nodes;

    begin(draw, random, "a drawn cluster");
    sorts[0] = cs_random_below(random, 1u << 30);
    sorts[1] = cs_random_below(random, 1u << 30);
    fabric = 1 + below(draw, 3);
    nodes = 2 + below(draw, NODES_MAX - 1);
    for (uint32_t i = 0; i < fabric; i++) {
        add_device(draw, CS_DEVICE_SWITCH, CS_NO_HOST);
        if (i > 0)
            join(draw, i, below(draw, i));
    }
    for (uint32_t i = 0; i < nodes; i++)
        add_host(draw, i, fabric, sorts[below(draw, 4) == 0]);
    cs_graph_place_all(&draw->graph);
}

/* What the searches find on a network. */
struct found {
    double densest, towards, narrowest, strength, pairs;
    uint32_t cells;
};

static struct found find(struct draw *draw, const struct cs_cells *cells,
                         enum cs_cut_direction direction, uint32_t root)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_network network = cs_network_of(&draw->graph, cells, direction, &arena);
    struct cs_flow_cut densest = cs_cuts_densest(&network, 0, &arena);
    struct cs_flow_cut towards = cs_cuts_towards(&network, root, &arena);
    struct cs_flow_cut narrowest = cs_cuts_narrowest(&network, root, &arena);
    struct cs_strength strength = cs_strength_of(&network, &arena);
    struct cs_lengths lengths = cs_lengths_of(&draw->graph, cells, &arena);
    struct cs_demand demand = cs_demand_of_all(&lengths, &arena);
    struct found found = {
        .densest = ratio_of(draw, &densest),
        .towards = ratio_of(draw, &towards),
        .narrowest = narrowest.rate_Bps,
        .strength = strength_ratio(&strength),
        .pairs = cs_pairs_of(&demand, &arena).seconds_per_byte,
        .cells = cells->count,
    };

    return found;
}

/* Equal prices in merged hosts bound a shift from below. */
static void check_merged_shift(struct draw *draw, const struct cs_cells *single,
                               const struct cs_cells *merged)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    uint32_t *order = draw_order(draw, &arena);
    struct cs_lengths full = cs_lengths_of(&draw->graph, single, &arena);
    struct cs_lengths few = cs_lengths_of(&draw->graph, merged, &arena);
    struct cs_demand of_full = shift_of(draw, &full, order, &arena);
    struct cs_demand of_few = shift_of(draw, &few, order, &arena);
    double best = cs_pairs_of(&of_full, &arena).seconds_per_byte;
    double found = cs_pairs_of(&of_few, &arena).seconds_per_byte;

    if (!(found > 0) || found > best * (1 + 1e-9))
        fail_msg("COLLSIM_SEED=%" PRIu64
                 ": %s, %u ranks: send-receive with merged hosts %.12g s/B, best %.12g",
                 fixture_seed(), draw->what, draw->graph.rank_count, found, best);
}

/* True when hosts were merged. */
static bool check_merged(struct draw *draw, enum cs_cut_direction direction)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    uint32_t root = draw->graph.rank_device[below(draw, draw->graph.rank_count)];
    struct cs_cells single = cs_cells_single(&draw->graph, &arena);
    struct cs_cells merged = cs_cells_of(&draw->graph, root, &arena);
    struct found full = find(draw, &single, direction, root);
    struct found few = find(draw, &merged, direction, root);

    expect_near(draw, "merged densest", few.densest, full.densest);
    expect_near(draw, "merged towards", few.towards, full.towards);
    expect_near(draw, "merged narrowest", few.narrowest, full.narrowest);
    expect_near(draw, "merged strength", few.strength, full.strength);
    expect_near(draw, "merged pairs", few.pairs, full.pairs);
    check_merged_shift(draw, &single, &merged);
    return few.cells < full.cells;
}

TEST(merging_identical_hosts_changes_no_bound)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("clusters");
    uint32_t merged = 0;
    struct draw draw;

    for (uint32_t i = 0; i < MACHINES; i++) {
        draw_cluster(&draw, random);
        if (draw.graph.rank_count > 1)
            for (size_t d = 0; d < 3; d++)
                merged += check_merged(&draw, directions[d]);
        cs_arena_free(&draw.arena);
    }
    assert_true(merged > MACHINES / 2);
}
