/*
 * Tori of random sides: the machine's wires show the sides, the rings by construction
 * share no wire, and the algorithms of grids are proven, move what they should and beat
 * no bound, on the torus and on a switch.
 */
#include "algorithms/shared/rings/machine_rings.h"
#include "algorithms/shared/rings/torus.h"

#include "tests/fixture.h"

enum {
    TRIALS = 40,
    RANKS_MAX = 160, /* of a proof */
    RINGED_MAX = 2000,
    DIMS_MAX = 4
};

struct drawn {
    uint32_t count, ranks;
    uint32_t sides[DIMS_MAX];
    char spec[64];
};

/* Sides from `least` on, of at most `most` ranks together; a side of 1 now and then. */
static struct drawn draw(struct cs_random *random, uint32_t least, uint32_t most)
{
    struct drawn drawn = {.ranks = 1};
    uint32_t count = 1 + (uint32_t)cs_random_below(random, DIMS_MAX);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t side = least + (uint32_t)cs_random_below(random, 9);

        if (drawn.ranks * side > most)
            break;
        drawn.ranks *= side;
        drawn.sides[drawn.count++] = side;
    }
    (void)snprintf(drawn.spec, sizeof(drawn.spec), "torus:dims=");
    for (uint32_t i = 0; i < drawn.count; i++)
        (void)snprintf(drawn.spec + strlen(drawn.spec), 12, "%s%u", i ? "x" : "", drawn.sides[i]);
    return drawn;
}

/* ---- rings ---- */

static void check_circuits(const struct drawn *drawn, const struct cs_rings *rings)
{
    uint32_t p = drawn->ranks;
    bool *used = cs_grow(NULL, (size_t)p * p, sizeof(*used));

    memset(used, 0, (size_t)p * p);
    for (uint32_t c = 0; c < rings->count; c++)
        for (uint32_t i = 0; i < p; i++) {
            uint32_t from = rings->order[(size_t)c * p + i];
            uint32_t to = rings->order[(size_t)c * p + (i + 1) % p];

            if (rings->place[(size_t)c * p + from] != i)
                fail_msg("%s: ring %u is no circuit", drawn->spec, c);
            if (used[(size_t)from * p + to])
                fail_msg("%s: two rings from %u to %u", drawn->spec, from, to);
            used[(size_t)from * p + to] = true;
        }
    free(used);
}

static void expect_all_rings(const struct drawn *drawn)
{
    const struct cs_rings *rings;
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, drawn->spec, 0, 0);
    rings = cs_rings_of_machine(&machine.net, drawn->ranks, 0, &machine.arena);
    if (rings && rings->count == 2 * drawn->count && rings->direct)
        check_circuits(drawn, rings);
    else
        fail_msg("%s: %u rings, seed %" PRIu64, drawn->spec, rings ? rings->count : 0,
                 fixture_seed());
}

/* Far longer than wide, and more ranks than a search takes. */
TEST(long_and_large_tori_have_all_rings)
{
    static const struct drawn tori[] = {
        {2, 1024, {256, 4}, "torus:dims=256x4"},        {2, 1024, {4, 256}, "torus:dims=4x256"},
        {2, 2048, {16, 128}, "torus:dims=16x128"},      {2, 4096, {64, 64}, "torus:dims=64x64"},
        {3, 1728, {12, 12, 12}, "torus:dims=12x12x12"}, {3, 1024, {4, 4, 64}, "torus:dims=4x4x64"},
        {3, 4096, {16, 16, 16}, "torus:dims=16x16x16"},
    };

    for (size_t i = 0; i < sizeof(tori) / sizeof(*tori); i++)
        expect_all_rings(&tori[i]);
}

/* Two rings for each dimension, over wires of their own. */
TEST(tori_have_two_rings_for_each_dimension)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("tori");

    for (int trial = 0; trial < TRIALS; trial++) {
        struct drawn drawn = draw(random, 3, RINGED_MAX);

        if (drawn.count > 1)
            expect_all_rings(&drawn);
    }
}

/* ---- sides ---- */

static void expect_sides(const struct drawn *drawn, const struct cs_torus *torus)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < drawn->count; i++)
        if (drawn->sides[i] > 1 &&
            (found == torus->count || torus->sides[found++] != drawn->sides[i]))
            fail_msg("%s: side %u is not %u", drawn->spec, found - 1, drawn->sides[i]);
    assert_int_equal(found, torus->count);
}

/* And without any one wire, or with a wire of another rate, the machine is no torus. */
TEST(wires_show_the_sides)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("sides");

    for (int trial = 0; trial < 3 * TRIALS; trial++) {
        struct drawn drawn = draw(random, 1, RINGED_MAX);
        CS_AT_END(machine_close) struct machine machine = {0};
        struct cs_torus torus;
        struct cs_net_link *link;

        if (drawn.ranks < 2)
            continue;
        machine_open(&machine, drawn.spec, 0, 0);
        torus = cs_torus_of_net(&machine.net, drawn.ranks);
        expect_sides(&drawn, &torus);
        link = &machine.net.links[cs_random_below(random, machine.net.link_count)];
        if (trial % 2)
            link->down = true;
        else
            link->rate_Bps /= 2;
        torus = cs_torus_of_net(&machine.net, drawn.ranks);
        if (torus.count && machine.net.link_count > 1)
            fail_msg("%s: a torus without a wire", drawn.spec);
    }
}

TEST(a_torus_without_sides_is_near_a_cube)
{
    static const struct drawn tori[] = {
        {3, 64, {4, 4, 4}, "torus:ranks=64"}, {3, 128, {4, 4, 8}, "torus:ranks=128"},
        {3, 36, {3, 3, 4}, "torus:ranks=36"}, {2, 25, {5, 5}, "torus:ranks=25"},
        {1, 17, {17}, "torus:ranks=17"},
    };

    for (size_t i = 0; i < sizeof(tori) / sizeof(*tori); i++) {
        CS_AT_END(machine_close) struct machine machine;
        struct cs_torus torus;

        machine_open(&machine, tori[i].spec, 0, 0);
        torus = cs_torus_of_net(&machine.net, tori[i].ranks);
        expect_sides(&tori[i], &torus);
    }
}

/* ---- algorithms ---- */

struct tori_point {
    const struct drawn *drawn;
    const struct cs_algo *algo;
    struct cs_call call;
};

static void check_proof(const struct tori_point *point, const struct cs_program *program)
{
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_proof proof;
    struct cs_err err = {0};

    if (cs_proof_run(program, &options, &proof, &err))
        fail_msg("%s of %s on %s, %u channels: %s", point->algo->name,
                 point->algo->collective->name, point->drawn->spec, point->call.channels, err.text);
}

/* The minimum of every all-reduce, all-gather and reduce-scatter; an all-to-all of a
 * torus moves each block over the wires of a shortest route. */
static uint64_t bytes_to_send(const struct tori_point *point)
{
    const struct cs_collective *collective = point->algo->collective;
    uint64_t vector = point->call.elements * point->call.element_bytes;
    uint64_t hops = 0;

    if (collective == &cs_collective_allreduce)
        return 2 * (uint64_t)(point->call.ranks - 1) * vector;
    if (collective != &cs_collective_alltoall)
        return (uint64_t)(point->call.ranks - 1) * vector;
    for (uint32_t i = 0; i < point->drawn->count; i++) {
        uint64_t side = point->drawn->sides[i];

        hops += side * side / 4 * (point->call.ranks / side);
    }
    return hops * vector;
}

static void check_run(const struct tori_point *point, const struct cs_program *program,
                      struct machine *machine)
{
    struct cs_exec_result result = machine_run(machine, program, "fifo");
    struct cs_bound bound = machine_bound(machine, point->algo, &point->call);

    if (result.bytes_sent != bytes_to_send(point))
        fail_msg("%s of %s on %s: %" PRIu64 " bytes sent, not %" PRIu64, point->algo->name,
                 point->algo->collective->name, point->drawn->spec, result.bytes_sent,
                 bytes_to_send(point));
    if ((double)result.time_ps + 1e4 < bound.time_s * 1e12)
        fail_msg("%s of %s on %s beats the bound", point->algo->name, point->algo->collective->name,
                 point->drawn->spec);
}

static void check_algorithm(struct tori_point *point, struct machine *machine)
{
    struct cs_program program;

    point->call.elements = (uint64_t)point->call.ranks * 1680;
    point->call.element_bytes = 4;
    cs_algo_resolve(point->algo, &point->call, &(struct cs_hockney){1, 1, 0});
    if (cs_algo_check(point->algo, &point->call, NULL)) /* not a power of two */
        return;
    point->call.elements = point->algo->blocks(&point->call);
    program = cs_algo_program(point->algo, &point->call);
    check_proof(point, &program);
    check_run(point, &program, machine);
}

TEST(algorithms_of_grids_are_proven)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("grids");
    uint32_t checked = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct drawn drawn = draw(random, 1, RANKS_MAX);
        CS_AT_END(machine_close) struct machine machine;

        machine_open(&machine, drawn.spec, 0, 0);
        for (size_t a = 0; a < cs_algo_count && drawn.ranks > 1; a++) {
            struct tori_point point = {
                &drawn,
                cs_algos[a],
                {.ranks = drawn.ranks,
                 .dims = drawn.sides,
                 .dim_count = drawn.count,
                 .dims_are_wires = trial % 2,
                 .channels = trial % 4 ? 0 : 1 + (uint32_t)cs_random_below(random, 7)}};

            if (!cs_algos[a]->takes_dims)
                continue;
            check_algorithm(&point, &machine);
            checked++;
        }
    }
    assert_true(checked >= TRIALS);
}

/* Of a cube, the time of a long vector is that of the bound. */
TEST(cubes_reach_the_bound)
{
    static const char *const specs[] = {"torus:dims=4x4", "torus:dims=4x4x4", "torus:dims=6x6"};

    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++)
        for (size_t a = 0; a < cs_algo_count; a++) {
            CS_AT_END(machine_close) struct machine machine = {0};
            struct cs_call call = {.elements = 1 << 28, .element_bytes = 4, .dims_are_wires = true};
            struct cs_torus torus;
            struct cs_program program;
            struct cs_bound bound;
            uint64_t blocks, time_ps;

            if (!cs_algos[a]->takes_dims || (i == 2 && !strcmp(cs_algos[a]->name, "swing")))
                continue;
            machine_open(&machine, specs[i], 0, 0);
            torus = cs_torus_of_net(&machine.net, machine.graph.rank_count);
            call.ranks = torus.ranks;
            call.dims = torus.sides;
            call.dim_count = torus.count;
            cs_algo_resolve(cs_algos[a], &call, &(struct cs_hockney){1, 1, 0});
            blocks = cs_algos[a]->blocks(&call);
            call.elements = (call.elements + blocks - 1) / blocks * blocks;
            program = cs_algo_program(cs_algos[a], &call);
            time_ps = machine_run(&machine, &program, "fifo").time_ps;
            bound =
                cs_bound_of(&machine.graph, &machine.net,
                            &(struct cs_bound_request){.collective = cs_algos[a]->collective,
                                                       .vector_bytes = 4.0 * (double)call.elements,
                                                       .element_bytes = 4},
                            &machine.arena);
            if (bound.time_s * 1e12 < .99 * (double)time_ps)
                fail_msg("%s of %s on %s: %.1f %% of the bound", cs_algos[a]->name,
                         cs_algos[a]->collective->name, specs[i],
                         100 * bound.time_s * 1e12 / (double)time_ps);
        }
}
