/*
 * What tests of the simulator share: machines, small nets and small programs.
 *
 * A machine comes from a spec ("switch:ranks=4"); a net is written down link
 * by link and route by route; a script is a program written down op by op.  All
 * of them end the test with the message when they cannot be made.
 */
#pragma once

#include "algorithms/algo.h"
#include "algorithms/bounds/bound.h"
#include "sim/base/random.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "sim/models/params/params.h"
#include "sim/proof/proof.h"
#include "tests/near.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- seeds ---- */

/* COLLSIM_SEED repeats a failure. */
static inline uint64_t fixture_seed(void)
{
    const char *text = getenv("COLLSIM_SEED");

    return text ? strtoull(text, NULL, 10) : 20261121;
}

/* A stream of that name, which every run of the seed repeats. */
static inline struct cs_random *fixture_random(const char *stream)
{
    return cs_random_open(fixture_seed(), stream);
}

/* At the end of a scope. */
static inline void fixture_random_end(struct cs_random **random)
{
    cs_random_close(*random);
}

/* ---- shares ---- */

/* Long walks and drawn trials take a third of their cases, with COLLSIM_WHOLE (set by
 * `make check-all`) all of them. */
enum {
    FIXTURE_SHARE = 3
};

static inline bool fixture_is_whole(void)
{
    return getenv("COLLSIM_WHOLE") != NULL;
}

/* Whether a walk takes its case of that number: the seed decides. */
static inline bool fixture_takes(uint64_t number)
{
    return fixture_is_whole() || cs_mix64(fixture_seed() + number) % FIXTURE_SHARE == 0;
}

/* How many of `whole` trials are drawn, and of their outcomes expected. */
static inline uint32_t fixture_trials(uint32_t whole)
{
    return fixture_is_whole() ? whole : whole / FIXTURE_SHARE;
}

/* ---- machines ---- */

struct machine {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    struct cs_model_params params;
    bool eager;
};

static inline void machine_open_at(struct machine *machine, const char *spec, uint32_t ranks,
                                   uint32_t agents, enum cs_agent_place place)
{
    struct cs_topo_request request = {
        .spec = spec, .ranks = ranks, .agents = agents, .agent_place = place};

    *machine = (struct machine){0};
    assert_done_of(spec, cs_topo_open(&request, &machine->graph, &machine->arena, &err));
    cs_lower(&machine->graph, &machine->net, &machine->arena);
}

static inline void machine_open(struct machine *machine, const char *spec, uint32_t ranks,
                                uint32_t agents)
{
    machine_open_at(machine, spec, ranks, agents, CS_AGENT_SERVER);
}

static inline void machine_close(struct machine *machine)
{
    cs_arena_free(&machine->arena);
}

#define MACHINE_TEST(name) TEST_OF(struct machine, machine, machine_close, name)

/* Runs the program, which must come to its end. */
static inline struct cs_exec_result machine_run(struct machine *machine,
                                                const struct cs_program *program, const char *model)
{
    const struct cs_exec_request request = {.program = program,
                                            .net = &machine->net,
                                            .model = cs_link_model_find(model),
                                            .params = &machine->params,
                                            .eager = machine->eager};
    struct cs_exec_result result;

    assert_done(cs_exec_run_watched(&request, &machine->arena, &result, &err));
    return result;
}

/* The least time of a settled call on the machine. */
static inline struct cs_bound machine_bound(struct machine *machine, const struct cs_algo *algo,
                                            const struct cs_call *call)
{
    const struct cs_bound_request request = {.collective = algo->collective,
                                             .vector_bytes =
                                                 (double)call->elements * call->element_bytes,
                                             .root = call->root,
                                             .element_bytes = call->element_bytes};

    return cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena);
}

/* The program of a call that is settled here, for a switch. */
static inline struct cs_program fixture_program(const char *algo, const char *collective,
                                                struct cs_call *call)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    const struct cs_algo *found = cs_algo_find(algo, cs_collective_find(collective));

    if (!found)
        fail_msg("no algorithm '%s' for %s", algo, collective);
    assert_done(cs_algo_check(found, call, &err));
    cs_algo_resolve(found, call, &hockney);
    return cs_algo_program(found, call);
}

/* ---- nets, written down ---- */

enum {
    ROUTE_HOPS = 5,
    SMALL_NET_LINKS = 16,
    SMALL_NET_PARTIES = 8,
};

/* The links from one party to another. */
struct route {
    uint32_t src, dst, hops;
    uint32_t links[ROUTE_HOPS];
};

/* Party i sits on node i; other nodes have the numbers from there on. */
struct small_net {
    struct cs_arena arena;
    struct cs_net net;
    struct cs_model_params params;
    struct cs_net_link links[SMALL_NET_LINKS];
    struct cs_net_party parties[SMALL_NET_PARTIES];
    const struct route *routes;
    size_t route_count;
};

/* A link between the first two nodes without a party. */
static inline struct cs_net_link small_net_link(double rate_Bps, uint64_t latency_ps,
                                                uint32_t resource)
{
    return (struct cs_net_link){.rate_Bps = rate_Bps,
                                .latency_ps = latency_ps,
                                .resource = resource,
                                .from = SMALL_NET_PARTIES,
                                .to = SMALL_NET_PARTIES + 1};
}

static inline uint32_t small_net_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct small_net *small = ctx;

    for (size_t i = 0; i < small->route_count; i++) {
        const struct route *route = &small->routes[i];

        if (route->src != src || route->dst != dst)
            continue;
        memcpy(links, route->links, route->hops * sizeof(*links));
        return route->hops;
    }
    return 0;
}

/* Takes over the links that are set; fill parties' rates in before. */
static inline void small_net_finish(struct small_net *small, uint32_t parties, uint32_t links,
                                    const struct route *routes, size_t route_count)
{
    small->routes = routes;
    small->route_count = route_count;
    small->net = (struct cs_net){
        .links = small->links,
        .link_count = links,
        .resource_count = SMALL_NET_LINKS,
        .parties = small->parties,
        .party_count = parties,
        .node_count = SMALL_NET_LINKS,
        .route = small_net_route,
        .route_ctx = small,
        .max_hops = ROUTE_HOPS,
    };
    for (uint32_t i = 0; i < parties; i++)
        small->parties[i].node = i;
    cs_net_finish(&small->net);
}

/* Runs the program, which must come to its end. */
static inline struct cs_exec_result small_net_run(struct small_net *small,
                                                  const struct cs_program *program,
                                                  const char *model)
{
    const struct cs_exec_request request = {.program = program,
                                            .net = &small->net,
                                            .model = cs_link_model_find(model),
                                            .params = &small->params};
    struct cs_exec_result result;

    assert_done(cs_exec_run_watched(&request, &small->arena, &result, &err));
    return result;
}

static inline void small_net_free(struct small_net *small)
{
    cs_arena_free(&small->arena);
}

#define SMALL_NET_TEST(name) TEST_OF(struct small_net, small, small_net_free, name)

/* ---- programs, written down ---- */

struct step {
    uint32_t party, lane, round;
    struct cs_op op;
};

struct script {
    const struct step *steps;
    size_t count;
};

static inline uint64_t script_rounds(const void *ctx, struct cs_at at)
{
    const struct script *script = ctx;
    uint64_t rounds = 0;

    for (size_t i = 0; i < script->count; i++)
        if (script->steps[i].party == at.party && script->steps[i].lane == at.lane &&
            script->steps[i].round >= rounds)
            rounds = script->steps[i].round + 1;
    return rounds;
}

static inline void script_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct script *script = ctx;

    for (size_t i = 0; i < script->count; i++)
        if (script->steps[i].party == at.party && script->steps[i].lane == at.lane &&
            script->steps[i].round == at.round)
            cs_ops_push(ops, script->steps[i].op);
}

/* An all-reduce of `bytes` single bytes in one block, unless changed. */
static inline struct cs_program script_program(const struct script *script, uint32_t ranks,
                                               uint64_t bytes)
{
    return (struct cs_program){
        .ranks = ranks,
        .lanes = 1,
        .blocks = 1,
        .elements = bytes,
        .element_bytes = 1,
        .before = CS_EVERY_RANK,
        .after = CS_EVERY_RANK,
        .ctx = script,
        .rounds = script_rounds,
        .round = script_round,
    };
}

static inline struct step step_at(uint32_t party, uint32_t round, struct cs_op op)
{
    return (struct step){.party = party, .round = round, .op = op};
}

static inline struct step step_in_lane(uint32_t party, uint32_t lane, uint32_t round,
                                       struct cs_op op)
{
    return (struct step){party, lane, round, op};
}

static inline struct cs_op op_of(enum cs_op_kind kind, uint32_t peer, uint32_t block)
{
    return (struct cs_op){
        .kind = (uint8_t)kind, .buffer = CS_OUTPUT, .peer = peer, .blocks = {block, 1}};
}

static inline struct cs_op send_to(uint32_t peer, uint32_t block)
{
    return op_of(CS_OP_SEND, peer, block);
}

static inline struct cs_op send_input_to(uint32_t peer, uint32_t block)
{
    struct cs_op op = op_of(CS_OP_SEND, peer, block);

    op.buffer = CS_INPUT;
    return op;
}

static inline struct cs_op recv_from(uint32_t peer, uint32_t block)
{
    return op_of(CS_OP_RECV, peer, block);
}

static inline struct cs_op reduce_from(uint32_t peer, uint32_t block)
{
    return op_of(CS_OP_RECV_REDUCE, peer, block);
}

#define SCRIPT_OF(steps)                          \
    {                                             \
        (steps), sizeof(steps) / sizeof(*(steps)) \
    }

/* A block sent and received in one round, for a list of steps. */
#define MESSAGE(src, dst, round, block) \
    step_at(src, round, send_to(dst, block)), step_at(dst, round, recv_from(src, block))

/* Of these steps, and their program; they live as long as the block around them. */
#define STEPS(...)                                                           \
    {                                                                        \
        (const struct step[]){__VA_ARGS__},                                  \
            sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step) \
    }
#define SCRIPT(ranks, bytes, ...) script_program(&(struct script)STEPS(__VA_ARGS__), ranks, bytes)
