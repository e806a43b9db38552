/*
 * Every algorithm that takes rings, with those of many machines: the rings are
 * circuits that share no lane, the program is proven and moves what a ring does,
 * no run beats the bound or is slower than what the closed form promises, and
 * what is exported takes as long when read back.
 */
#include "algorithms/shared/rings/machine_rings.h"

#include "tests/prop/exported.h"

struct place {
    const char *spec;
    uint32_t group;
    uint32_t rings; /* expected; 0: none */
    uint32_t share; /* rings on each lane; 0: through switches */
};

static const struct place places[] = {
    {"dgx-1", 8, 6, 1},
    {"dgx-1-p100", 8, 4, 1},
    {"mi250x", 8, 4, 1},
    {"mi300x", 8, 7, 1},
    {"nvlink-pair", 2, 1, 1},
    {"ring:ranks=5", 1, 2, 1},
    {"mesh:ranks=4", 1, 6, 2},
    {"hgx-a100-4", 4, 6, 2},
    {"mesh:ranks=6", 1, 10, 2},
    {"mesh:ranks=9", 1, 8, 1},
    {"torus:dims=4x4", 1, 4, 1},
    {"torus:dims=3x3,gamma=5GB/s", 1, 4, 1},
    {"torus:dims=5x7", 1, 4, 1},
    {"hypercube:ranks=8", 1, 6, 2},
    {"cluster:node=dgx-1,nodes=2,fabric=star", 8, 12, 0},
    {"cluster:node=dgx-h100,nodes=2,fabric=star", 8, 8, 0},
    {"cluster:node=mi300x,nodes=2,fabric=star", 8, 7, 0},
    {"dgx-h100", 8, 0, 0},
    {"switch:ranks=8", 1, 0, 0},
    {"mesh:ranks=5,duplex=half", 1, 0, 0},
};

enum {
    CHUNKS = 7, /* of chains */
};

/* One algorithm on one machine. */
struct point {
    const struct place *place;
    const struct cs_algo *algo;
    struct machine machine;
    struct cs_call call;
};

static void expect(bool holds, const struct point *point, const char *what)
{
    if (!holds)
        fail_msg("%s on %s, %u channels, %" PRIu64 " elements: %s", point->algo->name,
                 point->place->spec, point->call.channels, point->call.elements, what);
}

/* The worst route of those that are used. */
static struct cs_hockney textbook_of(const struct point *point)
{
    const struct cs_rings *rings = point->call.rings;
    const struct cs_net *net = &point->machine.net;
    uint32_t *links = cs_grow(NULL, net->max_hops, sizeof(*links));
    struct cs_hockney hockney = {0, 1e300, 0};

    for (uint32_t c = 0; c < rings->count && c < point->call.channels; c++)
        for (uint32_t i = 0; i < rings->ranks; i++) {
            const uint32_t *order = &rings->order[(size_t)c * rings->ranks];
            uint32_t hops =
                net->route(net->route_ctx, order[i], order[(i + 1) % rings->ranks], links);
            double alpha_s = 0;

            while (hops--) {
                const struct cs_net_link *link = &net->links[links[hops]];

                alpha_s += (double)link->latency_ps * 1e-12;
                hockney.beta_Bps = fmin(hockney.beta_Bps, link->rate_Bps);
            }
            hockney.alpha_s = fmax(hockney.alpha_s, alpha_s);
        }
    hockney.gamma_s_per_byte = net->parties[0].reduce_ps_per_byte * 1e-12;
    free(links);
    return hockney;
}

static void check_proof(const struct point *point, const struct cs_program *program)
{
    struct cs_proof_options options = {.seed = fixture_seed()};
    struct cs_proof proof;
    struct cs_err err = {0};

    if (cs_proof_run(program, &options, &proof, &err))
        expect(false, point, err.text);
}

static void check_bound(struct point *point, uint64_t time_ps)
{
    struct cs_bound bound = machine_bound(&point->machine, point->algo, &point->call);

    expect((double)time_ps + 1e4 >= bound.time_s * 1e12, point, "beats the lower bound");
}

static void check_run(struct point *point, const struct cs_program *program)
{
    struct cs_hockney hockney = textbook_of(point);
    struct cs_exec_result result = machine_run(&point->machine, program, "fifo");
    double closed_ps = 1e12 * cs_algo_closed_form_s(point->algo, &point->call, &hockney);
    uint64_t vector = point->call.elements * point->call.element_bytes;
    uint32_t phases = point->algo->collective == &cs_collective_allreduce ? 2 : 1;

    expect(result.bytes_sent == (uint64_t)phases * (point->call.ranks - 1) * vector, point,
           "bytes sent");
    if (cs_algo_exactness(point->algo, &point->call) == CS_COST_AT_MOST &&
        point->call.elements % program->blocks == 0)
        expect((double)result.time_ps <= closed_ps * (1 + 1e-6) + 1e4, point,
               "takes longer than the closed form promises");
    /* Rings of their own in step, and nothing to add up: it is exact. */
    if (point->place->share == 1 && hockney.gamma_s_per_byte <= 0 &&
        cs_algo_exactness(point->algo, &point->call) != CS_COST_ROUGHLY &&
        point->call.elements % program->blocks == 0 &&
        point->call.channels == point->place->rings && point->call.slices == 1 &&
        strcmp(point->place->spec, "mi250x") != 0)
        expect(fabs((double)result.time_ps - closed_ps) <= 1e4, point,
               "differs from the closed form");
    check_bound(point, result.time_ps);
}

static void check_program(struct point *point)
{
    struct cs_program program;

    cs_algo_resolve(point->algo, &point->call, &(struct cs_hockney){1, 1, 0});
    if (cs_algo_check(point->algo, &point->call, NULL)) /* needs nodes */
        return;
    program = cs_algo_program(point->algo, &point->call);
    check_proof(point, &program);
    check_run(point, &program);
}

static void for_each_point(void (*check)(struct point *point))
{
    uint32_t taken = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (size_t i = 0; i < COUNT(places) && cs_algos[a]->takes_rings && !cs_algos[a]->agents;
             i++) {
            struct point point = {.place = &places[i], .algo = cs_algos[a], .call.chunks = CHUNKS};

            if (cs_algos[a]->rings_of_nodes && places[i].group < 2)
                continue;
            machine_open(&point.machine, places[i].spec, 0, 0);
            point.call.ranks = point.machine.graph.rank_count;
            point.call.root = point.call.ranks / 2;
            point.call.group = places[i].group;
            point.call.rings = cs_rings_of_machine(&point.machine.net, point.call.ranks,
                                                   places[i].group, &point.machine.arena);
            check(&point);
            machine_close(&point.machine);
            taken++;
        }
    assert_true(taken >= COUNT(places));
}

/* ---- rings ---- */

/* What goes over each server, as a share of what the slowest link takes. */
static void check_lanes(struct point *point)
{
    const struct cs_rings *rings = point->call.rings;

    expect(fabs(cs_rings_contention(rings, rings->count) - point->place->share) < 1e-6, point,
           "a lane has another number of rings");
    expect(cs_rings_contention(rings, 2 * rings->count) >
               2 * (1 - 1e-6) * cs_rings_contention(rings, rings->count),
           point, "rings that are used twice take no more");
}

static void check_rings(struct point *point)
{
    const struct cs_rings *rings = point->call.rings;
    uint32_t p = point->call.ranks;

    expect((rings ? rings->count : 0) == point->place->rings, point, "another number of rings");
    if (!rings)
        return;
    expect(rings->direct == (point->place->share > 0), point, "direct or not");
    for (uint32_t c = 0; c < rings->count; c++)
        for (uint32_t i = 0; i < p; i++) {
            expect(rings->order[c * p + i] < p, point, "no such rank");
            expect(rings->place[c * p + rings->order[c * p + i]] == i, point,
                   "a rank is missing in a ring");
        }
    if (rings->direct)
        check_lanes(point);
}

TEST(rings_are_circuits_that_share_no_lane)
{
    for_each_point(check_rings);
}

/* ---- programs ---- */

static void check_sizes(struct point *point)
{
    enum {
        CHANNELS = 7,
        SIZES = 3
    };
    const uint32_t channels[CHANNELS] = {0, 1, 2, 3, 5, 8, 17};
    const uint64_t elements[SIZES] = {1, 1001, 0};

    for (uint32_t i = 0; i < CHANNELS * SIZES && point->call.rings; i++) {
        uint64_t count = elements[i / CHANNELS];

        point->call.channels = channels[i % CHANNELS];
        point->call.slices = i % 3 == 2 ? 3 : 0;
        cs_algo_resolve(point->algo, &point->call, &(struct cs_hockney){1, 1, 0});
        point->call.elements =
            count ? count : (uint64_t)420 * point->call.channels * point->call.ranks;
        point->call.element_bytes = 4;
        check_program(point);
    }
}

TEST(runs_are_proven_and_between_bound_and_closed_form)
{
    for_each_point(check_sizes);
}

/* ---- exports ---- */

/* In a pipeline each chunk may lose by the order of messages.  MSCCL has no other root. */
static void check_export(struct point *point)
{
    struct exported exported = {.machine = &point->machine,
                                .algo = point->algo,
                                .tolerance = point->algo->parts ? 0.02 : 0.1};
    struct cs_err err = {0};

    if (!point->call.rings || point->call.ranks > 9)
        return;
    point->call.root = 0;
    cs_algo_resolve(point->algo, &point->call, &(struct cs_hockney){1, 1, 0});
    if (cs_algo_check(point->algo, &point->call, NULL))
        return;
    point->call.elements = (uint64_t)100000 * point->call.channels * point->call.ranks;
    point->call.element_bytes = 4;
    exported.call = point->call;
    if (exported_check(&exported, &err))
        expect(false, point, err.text);
}

TEST(exports_take_as_long_when_read_back)
{
    for_each_point(check_export);
}
