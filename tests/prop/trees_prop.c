/*
 * Trees of random machines attain the exact rate of every cut, computed here by
 * enumeration; programs along the trees of many machines are proven and no run
 * beats the bound; what is exported takes as long when read back.
 */
#include "algorithms/shared/trees/machine_trees.h"
#include "algorithms/shared/trees/units.h"
#include "sim/base/divisor.h"

#include "tests/prop/exported.h"

enum {
    MESHES = 60,
    RANKS_MAX = 7,
    WIDEST = 3 /* lanes of a wire */
};

/* ---- random meshes ---- */

struct mesh {
    uint32_t ranks;
    uint32_t lanes[RANKS_MAX][RANKS_MAX];
};

static struct mesh draw_mesh(struct cs_random *random, bool symmetric)
{
    struct mesh mesh = {.ranks = 2 + cs_random_below(random, RANKS_MAX - 1)};

    for (uint32_t a = 0; a < mesh.ranks; a++)
        for (uint32_t b = 0; b < mesh.ranks; b++) {
            if (a == b)
                continue;
            mesh.lanes[a][b] =
                symmetric && b < a ? mesh.lanes[b][a] : cs_random_below(random, WIDEST + 1);
        }
    for (uint32_t a = 0; a < mesh.ranks; a++) { /* connected */
        uint32_t b = (a + 1) % mesh.ranks;

        mesh.lanes[a][b] += !mesh.lanes[a][b];
        mesh.lanes[b][a] += !mesh.lanes[b][a];
    }
    return mesh;
}

/* The same as a machine: lanes of 1 GB/s, and wires without lanes down. */
static void open_mesh(const struct mesh *mesh, struct machine *machine)
{
    struct cs_net *net = &machine->net;

    machine_open(machine, mesh->ranks > 2 ? "mesh:" : "mesh:ranks=2", mesh->ranks, 0);
    for (uint32_t i = 0; i < net->link_count; i++) {
        uint32_t a = 0, b = 0;

        while (net->parties[a].node != net->links[i].from)
            a++;
        while (net->parties[b].node != net->links[i].to)
            b++;
        net->links[i].rate_Bps = 1e9 * mesh->lanes[a][b];
        net->links[i].down = mesh->lanes[a][b] == 0;
    }
}

/* Lanes into a set of ranks. */
static uint32_t lanes_into(const struct mesh *mesh, uint32_t set)
{
    uint32_t sum = 0;

    for (uint32_t a = 0; a < mesh->ranks; a++)
        for (uint32_t b = 0; b < mesh->ranks; b++)
            if (!(set >> a & 1) && (set >> b & 1))
                sum += mesh->lanes[a][b];
    return sum;
}

static double rate_of(struct machine *machine, uint32_t ranks,
                      const struct cs_tree_request *request)
{
    const struct cs_trees *trees =
        cs_trees_of_machine(&machine->net, ranks, request, &machine->arena);

    assert_non_null(trees);
    return 1e-9 / cs_trees_s_per_byte(trees);
}

/* Trees attain the rate if the exact number of units of a rank, lanes / divisor,
 * is one that the search tries; else come close. */
static void expect_rate(double rate, double exact, bool is_tried)
{
    assert_true(rate <= exact * (1 + 1e-6));
    assert_true(rate >= exact * (is_tried ? 1 - 1e-6 : 0.9));
}

TEST(trees_of_all_ranks_attain_the_narrowest_cut)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("meshes");

    for (int i = 0; i < MESHES; i++) {
        struct cs_tree_request request = {.use = CS_TREES_DOWN};
        struct mesh mesh = draw_mesh(random, false);
        uint32_t all = (1u << mesh.ranks) - 1;
        double exact = 1e300;
        uint32_t units = 0;
        CS_AT_END(machine_close) struct machine machine;

        for (uint32_t set = 1; set < all; set++) {
            uint32_t lanes = lanes_into(&mesh, set);
            uint32_t outside = mesh.ranks - (uint32_t)__builtin_popcount(set);
            double rate = (double)mesh.ranks * lanes / outside;

            if (rate < exact) {
                exact = rate;
                units = lanes / (uint32_t)cs_common_divisor(lanes, outside);
            }
        }
        open_mesh(&mesh, &machine);
        expect_rate(rate_of(&machine, mesh.ranks, &request), exact, units <= 16);
    }
}

TEST(trees_of_a_root_attain_the_cut_around_a_rank)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("roots");

    for (int i = 0; i < MESHES; i++) {
        struct mesh mesh = draw_mesh(random, false);
        uint32_t root = cs_random_below(random, mesh.ranks);
        struct cs_tree_request request = {
            .roots = CS_TREES_OF_ROOT, .root = root, .use = CS_TREES_DOWN};
        double exact = 1e300;
        CS_AT_END(machine_close) struct machine machine;

        for (uint32_t set = 1; set < 1u << mesh.ranks; set++)
            if (!(set >> root & 1))
                exact = fmin(exact, lanes_into(&mesh, set));
        open_mesh(&mesh, &machine);
        expect_rate(rate_of(&machine, mesh.ranks, &request), exact, true);
    }
}

/* The next partition: the group of each rank, at most one more than the groups
 * of the ranks before. */
static bool next_partition(uint32_t *group, uint32_t ranks)
{
    for (uint32_t i = ranks; i-- > 1;) {
        uint32_t most = 0;

        for (uint32_t j = 0; j < i; j++)
            most = group[j] > most ? group[j] : most;
        if (group[i] > most)
            continue;
        group[i]++;
        for (uint32_t j = i + 1; j < ranks; j++)
            group[j] = 0;
        return true;
    }
    return false;
}

/* The least ratio of the lanes into all groups to the groups less one. */
static double least_partition(const struct mesh *mesh)
{
    uint32_t group[RANKS_MAX] = {0};
    double least = 1e300;

    while (next_partition(group, mesh->ranks)) {
        uint32_t sets[RANKS_MAX] = {0};
        uint32_t groups = 0, sum = 0;

        for (uint32_t i = 0; i < mesh->ranks; i++)
            sets[group[i]] |= 1u << i;
        while (groups < mesh->ranks && sets[groups])
            sum += lanes_into(mesh, sets[groups++]);
        least = fmin(least, (double)sum / (groups - 1));
    }
    return least;
}

/* Nash-Williams and Tutte, 1961; both directions of a wire are in use, so that
 * half the lanes go up. */
TEST(trees_up_and_down_attain_the_strength)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("sums");

    for (int i = 0; i < MESHES; i++) {
        struct cs_tree_request request = {.roots = CS_TREES_OF_ANY, .use = CS_TREES_BOTH};
        struct mesh mesh = draw_mesh(random, true);
        double exact = least_partition(&mesh) / 2;
        CS_AT_END(machine_close) struct machine machine;

        open_mesh(&mesh, &machine);
        expect_rate(rate_of(&machine, mesh.ranks, &request), exact, false);
    }
}

/* ---- mixtures ---- */

/* A mixture is as good as the narrowest cut, and its whole units are nearly so, for
 * out of each rank and of all ranks together. */
static void expect_mixture(struct machine *machine, const struct mesh *mesh, double exact)
{
    const struct cs_branches_request of = {
        .use = CS_TREES_DOWN, .ranks = mesh->ranks, .group = mesh->ranks};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_branches branches = cs_branches_of(&machine->net, &of, &arena);
    struct cs_tree_search search = cs_tree_search_of(&branches, CS_TREES_OF_ALL, 0, &arena);
    const struct cs_units_request request = {
        .search = &search, .most = 64, .copies = 1, .blocks = 1 << 24};
    struct cs_units units = cs_units_of(&request, &arena);
    uint32_t sum = 0;

    assert_true(units.count > 0);
    assert_within(1e-9 * mesh->ranks / units.limit_s, exact, 1e-3);
    assert_true(1e-9 * mesh->ranks / units.s_per_byte <= exact * (1 + 1e-6));
    assert_true(1e-9 * mesh->ranks / units.s_per_byte >= exact * 0.85);
    for (uint32_t i = 0; i < units.count; i++)
        sum += units.shape[i].units;
    assert_int_equal(sum, units.each * mesh->ranks);
}

TEST(mixtures_of_trees_attain_the_narrowest_cut)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("mixtures");

    for (int i = 0; i < MESHES; i++) {
        struct mesh mesh = draw_mesh(random, false);
        double exact = 1e300;
        CS_AT_END(machine_close) struct machine machine;

        for (uint32_t set = 1; set + 1 < 1u << mesh.ranks; set++)
            exact = fmin(exact, (double)mesh.ranks * lanes_into(&mesh, set) /
                                    (mesh.ranks - (uint32_t)__builtin_popcount(set)));
        open_mesh(&mesh, &machine);
        expect_mixture(&machine, &mesh, exact);
    }
}

/* ---- programs ---- */

/* `group`: ranks of a node, where trees of the node are an offer. */
static const struct {
    const char *spec;
    uint32_t group;
} places[] = {
    {"dgx-1", 0},
    {"mi250x", 0},
    {"ascend910", 0},
    {"hgx-a100-4", 0},
    {"pcie-4gpu", 0},
    {"ring:ranks=5", 0},
    {"mesh:ranks=4", 0},
    {"nvlink-pair", 0},
    {"dgx-h100", 0},
    {"switch:ranks=7", 0},
    {"bus:ranks=4", 0},
    {"torus:dims=3x3", 0},
    {"mesh:ranks=5,duplex=half,gamma=5GB/s", 0},
    {"cluster:node=hgx-a100-4,nodes=3", 4},
};

/* One algorithm on one machine. */
struct point {
    const char *spec;
    const struct cs_algo *algo;
    struct machine machine;
    struct cs_call call;
};

static void expect(bool holds, const struct point *point, const char *what)
{
    if (!holds)
        fail_msg("%s %s on %s, %u chunks, %" PRIu64 " elements: %s", point->algo->collective->name,
                 point->algo->name, point->spec, point->call.chunks, point->call.elements, what);
}

static struct cs_tree_request request_of(const struct cs_algo *algo)
{
    bool from = algo->collective->before == CS_EVERY_RANK;
    bool to = algo->collective->after == CS_EVERY_RANK;
    bool root = algo->collective->before == CS_ROOT || algo->collective->after == CS_ROOT;

    return (struct cs_tree_request){
        .roots = from && to ? CS_TREES_OF_ANY
                 : root     ? CS_TREES_OF_ROOT
                            : CS_TREES_OF_ALL,
        .use = from && to ? CS_TREES_BOTH
               : to       ? CS_TREES_DOWN
                          : CS_TREES_UP,
    };
}

static void for_each_point(void (*check)(struct point *point))
{
    uint32_t taken = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (size_t i = 0; i < sizeof(places) / sizeof(*places) && cs_algos[a]->takes_trees; i++) {
            struct point point = {.spec = places[i].spec, .algo = cs_algos[a]};
            struct cs_tree_request request = request_of(cs_algos[a]);

            request.group = places[i].group;
            machine_open(&point.machine, places[i].spec, 0, 0);
            point.call.ranks = point.machine.graph.rank_count;
            point.call.element_bytes = 4;
            point.call.trees = cs_trees_of_machine(&point.machine.net, point.call.ranks, &request,
                                                   &point.machine.arena);
            expect(point.call.trees, &point, "no trees");
            check(&point);
            machine_close(&point.machine);
            taken++;
        }
    assert_true(taken > 0);
}

static void check_proof(const struct point *point, const struct cs_program *program)
{
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_proof proof;
    struct cs_err err = {0};

    if (cs_proof_run(program, &options, &proof, &err))
        expect(false, point, err.text);
}

static void check_run(struct point *point, const struct cs_program *program)
{
    struct cs_bound bound = machine_bound(&point->machine, point->algo, &point->call);
    uint64_t time_ps = machine_run(&point->machine, program, "fifo").time_ps;

    expect((double)time_ps + 1e4 >= bound.time_s * 1e12, point, "beats the lower bound");
    /* The trees' own rate bounds as well. */
    expect((double)time_ps * (1 + 1e-6) + 1e4 >= 1e12 * cs_trees_s_per_byte(point->call.trees) *
                                                     (double)point->call.elements *
                                                     point->call.element_bytes ||
               point->call.elements % program->blocks,
           point, "beats the load of the trees");
}

static void check_sizes(struct point *point)
{
    static const uint64_t elements[] = {1, 1001, 0};

    for (uint32_t i = 0; i < 9; i++) {
        uint64_t count = elements[i / 3];
        struct cs_program program;

        point->call.chunks = i % 3 * 2 + 1;
        point->call.elements =
            count ? count : (uint64_t)20 * point->call.trees->units * point->call.chunks;
        cs_algo_resolve(point->algo, &point->call, &(struct cs_hockney){1e-6, 1e10, 0});
        program = cs_algo_program(point->algo, &point->call);
        check_proof(point, &program);
        check_run(point, &program);
    }
}

TEST(programs_along_trees_are_proven_and_above_the_bound)
{
    for_each_point(check_sizes);
}

/* ---- exports ---- */

/* Thread blocks of MSCCL that add to one chunk follow one another, which shows where
 * a sum takes time. */
static void check_export(struct point *point)
{
    struct exported exported = {.machine = &point->machine,
                                .algo = point->algo,
                                .tolerance = strstr(point->spec, "gamma=") ? 0.2 : 0.1};
    struct cs_err err = {0};

    point->call.chunks = 2;
    point->call.elements = (uint64_t)20000 * point->call.trees->units;
    cs_algo_resolve(point->algo, &point->call, &(struct cs_hockney){1e-6, 1e10, 0});
    exported.call = point->call;
    if (exported_check(&exported, &err))
        expect(false, point, err.text);
}

TEST(exports_along_trees_take_as_long_when_read_back)
{
    for_each_point(check_export);
}
