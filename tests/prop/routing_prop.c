/*
 * Messages on several shortest routes: on trees, dragonflies and tori of random
 * size nothing is faster than the lower bound, every byte arrives over the links
 * of its receiver, one queue pair is the hash by flow, and the shortest routes of
 * a pair are different, connected and of one cost.
 */
#include "sim/engine/routing.h"

#include "tests/fixture.h"

enum {
    MACHINES = 24,
    ROUTES_SEEN = 64,
};

/* ---- machines ---- */

struct drawn {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    char spec[128];
    uint64_t seed;
    enum cs_routing routing;
};

static void write_spec(struct drawn *drawn, struct cs_random *random)
{
    uint32_t ranks = 4 + (uint32_t)cs_random_below(random, 13);

    switch (cs_random_below(random, 4)) {
    case 0:
        snprintf(drawn->spec, sizeof(drawn->spec), "dragonfly:ranks=%u,hosts=2,routers=4", ranks);
        break;
    case 1:
        snprintf(drawn->spec, sizeof(drawn->spec), "torus:dims=4x%u", 1 + ranks / 4);
        break;
    default:
        snprintf(drawn->spec, sizeof(drawn->spec), "fat-tree:ranks=%u,radix=%u,oversubscription=%u",
                 ranks, cs_random_below(random, 2) ? 4 : 8,
                 1 + (uint32_t)cs_random_below(random, 2));
    }
}

static void open_drawn(struct drawn *drawn)
{
    struct cs_topo_request request = {
        .spec = drawn->spec, .routing = drawn->routing, .seed = drawn->seed};

    assert_done_of(drawn->spec, cs_topo_open(&request, &drawn->graph, &drawn->arena, &err));
    cs_lower(&drawn->graph, &drawn->net, &drawn->arena);
}

static void draw_machine(struct drawn *drawn, struct cs_random *random)
{
    static const enum cs_routing routings[] = {CS_ROUTING_ECMP, CS_ROUTING_SPRAY,
                                               CS_ROUTING_ADAPTIVE};

    *drawn = (struct drawn){.seed = cs_random_bits(random) >> 12,
                            .routing = routings[cs_random_below(random, 3)]};
    write_spec(drawn, random);
    open_drawn(drawn);
}

static void fail_at(const struct drawn *drawn, const char *what)
{
    fail_msg("COLLSIM_SEED=%" PRIu64 ": %s, seed %" PRIu64 ": %s", fixture_seed(), drawn->spec,
             drawn->seed, what);
}

/* ---- runs ---- */

static struct cs_paths paths_of(const struct drawn *drawn, uint32_t pairs, bool by_pair)
{
    return (struct cs_paths){.how = drawn->routing == CS_ROUTING_SPRAY      ? CS_PATHS_SPRAYED
                                    : drawn->routing == CS_ROUTING_ADAPTIVE ? CS_PATHS_LEAST_LOADED
                                                                            : CS_PATHS_HASHED,
                             .queue_pairs = pairs,
                             .by_pair = by_pair,
                             .seed = drawn->seed};
}

static struct cs_exec_result run_with(struct drawn *drawn, const struct cs_program *program,
                                      const char *model, const struct cs_paths *paths)
{
    const struct cs_exec_request request = {.program = program,
                                            .net = &drawn->net,
                                            .model = cs_link_model_find(model),
                                            .routing = paths};
    struct cs_exec_result result;
    struct cs_err err = {0};

    if (cs_exec_run_watched(&request, &drawn->arena, &result, &err))
        fail_at(drawn, err.text);
    return result;
}

/* The hosts of a torus forward, so that their links carry more. */
static void check_bytes(struct drawn *drawn, const struct cs_exec_result *result)
{
    uint64_t arrived = 0;

    for (uint32_t i = 0; i < drawn->net.link_count; i++) {
        struct cs_device to = drawn->graph.devices[drawn->net.links[i].to];

        if (to.kind == CS_DEVICE_HOST)
            arrived += result->use[i].bytes;
    }
    if (drawn->graph.direct ? arrived < result->bytes_sent : arrived != result->bytes_sent)
        fail_at(drawn, "bytes were lost or doubled");
}

static void check_call(struct drawn *drawn, const struct cs_algo *algo, struct cs_random *random)
{
    static const char *const models[] = {"fifo", "fluid", "packet"};
    struct cs_call call = {.ranks = drawn->net.party_count,
                           .elements = 1 + cs_random_below(random, 300000),
                           .element_bytes = 4};
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    const char *model = models[cs_random_below(random, 3)];
    struct cs_paths paths = paths_of(drawn, 1 + (uint32_t)cs_random_below(random, 9), true);
    struct cs_bound_request bounded = {.collective = algo->collective, .element_bytes = 4};
    struct cs_exec_result result, plain;
    struct cs_program program;
    struct cs_bound bound;

    if (algo->agents || cs_algo_check(algo, &call, NULL))
        return;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    bounded.vector_bytes = (double)call.elements * 4;
    bound = cs_bound_of(&drawn->graph, &drawn->net, &bounded, &drawn->arena);
    result = run_with(drawn, &program, model, &paths);
    if ((double)(result.time_ps + 1) < bound.time_s * 1e12 * (1 - 1e-14))
        fail_at(drawn, cs_arena_printf(&drawn->arena,
                                       "%s of %s in model %s: %" PRIu64
                                       " ps is below the bound of %.0f ps: %s",
                                       algo->name, algo->collective->name, model, result.time_ps,
                                       bound.time_s * 1e12, bound.why));
    check_bytes(drawn, &result);
    plain = run_with(drawn, &program, model, NULL);
    if (plain.bytes_sent != result.bytes_sent || plain.messages != result.messages)
        fail_at(drawn, "the routes change the messages");
}

TEST(nothing_is_faster_than_the_bound)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("routing");
    struct drawn drawn;

    for (uint32_t i = 0; i < MACHINES; i++) {
        draw_machine(&drawn, random);
        for (size_t a = 0; a < cs_algo_count; a++)
            check_call(&drawn, cs_algos[a], random);
        cs_arena_free(&drawn.arena);
    }
}

/* ---- one queue pair ---- */

static void check_hash(struct drawn *drawn, const char *model, uint32_t pairs, bool by_pair)
{
    struct cs_call call = {.ranks = drawn->net.party_count,
                           .elements = UINT64_C(9240) * drawn->net.party_count,
                           .element_bytes = 4};
    struct cs_program program = fixture_program("direct", "all-to-all", &call);
    struct cs_paths paths = paths_of(drawn, pairs, by_pair);
    struct cs_exec_result hashed = run_with(drawn, &program, model, &paths);
    struct cs_exec_result own = run_with(drawn, &program, model, NULL);

    if (hashed.time_ps != own.time_ps)
        fail_at(drawn, "the hash of flows depends on queue pairs");
}

TEST(one_queue_pair_is_the_hash_by_flow)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("pair");
    struct drawn drawn;

    for (uint32_t i = 0; i < MACHINES; i++) {
        drawn = (struct drawn){.seed = cs_random_bits(random) >> 12, .routing = CS_ROUTING_ECMP};
        write_spec(&drawn, random);
        open_drawn(&drawn);
        check_hash(&drawn, "fifo", 1, true);
        check_hash(&drawn, "fluid", 1, true);
        check_hash(&drawn, "fifo", 1 + i, false);
        cs_arena_free(&drawn.arena);
    }
}

/* ---- routes by number ---- */

static double cost_ps(const struct drawn *drawn, const uint32_t *links, uint32_t hops)
{
    double sum = 0;

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &drawn->net.links[links[i]];

        if (i > 0 && drawn->net.links[links[i - 1]].to != link->from)
            fail_at(drawn, "a route is torn");
        sum += (double)link->latency_ps + 1e6 * link->ps_per_byte;
    }
    return sum;
}

static uint32_t numbered(const struct drawn *drawn, uint32_t src, uint32_t dst, uint64_t number,
                         uint32_t *links)
{
    const struct cs_net *net = &drawn->net;
    uint32_t hops;

    *net->choice = (struct cs_route_choice){.by = CS_CHOOSE_NUMBER, .number = number, .paths = 1};
    hops = net->route(net->route_ctx, src, dst, links);
    net->choice->by = CS_CHOOSE_NOTHING;
    return hops;
}

static void check_pair(const struct drawn *drawn, uint32_t src, uint32_t dst)
{
    uint32_t hops_max = drawn->net.max_hops;
    uint32_t *links = cs_grow(NULL, (size_t)hops_max * (ROUTES_SEEN + 1), sizeof(*links));
    uint32_t hops = numbered(drawn, src, dst, 0, links);
    uint32_t paths = drawn->net.choice->paths;

    for (uint32_t i = 0; i < paths && i < ROUTES_SEEN; i++) {
        uint32_t *here = links + (size_t)i * hops_max;

        if (numbered(drawn, src, dst, i, here) != hops ||
            cost_ps(drawn, here, hops) != cost_ps(drawn, links, hops))
            fail_at(drawn, "routes of unequal length");
        for (uint32_t k = 0; k < i; k++)
            if (!memcmp(here, links + (size_t)k * hops_max, hops * sizeof(*links)))
                fail_at(drawn, "two numbers of one route");
    }
    (void)numbered(drawn, src, dst, paths, links + (size_t)hops_max);
    if (memcmp(links, links + (size_t)hops_max, hops * sizeof(*links)) != 0)
        fail_at(drawn, "the number is not taken modulo the count");
    free(links);
}

TEST(numbered_routes_are_different_and_shortest)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("numbered");
    struct drawn drawn;

    for (uint32_t i = 0; i < MACHINES; i++) {
        draw_machine(&drawn, random);
        for (uint32_t src = 0; src < drawn.net.party_count; src++)
            for (uint32_t dst = 0; dst < drawn.net.party_count; dst++)
                if (src != dst)
                    check_pair(&drawn, src, dst);
        cs_arena_free(&drawn.arena);
    }
}
