/*
 * Node runs: one algorithm on a machine of several nodes, with the rings of the
 * machine, proven and simulated.
 */
#pragma once

#include "algorithms/shared/rings/machine_rings.h"
#include "tests/fixture.h"

struct node_run {
    struct cs_call call; /* settled */
    uint64_t time_ps;
    uint64_t bytes_sent;
    double bound_ps;
};

/* Proves the program, and runs the program on the machine with the program's
 * agents. */
static inline void node_run_program(struct node_run *run, const char *spec,
                                    const struct cs_algo *algo)
{
    struct cs_program program = cs_algo_program(algo, &run->call);
    struct cs_topo_request topo = {
        .spec = spec, .agents = program.agents, .agent_place = algo->agent_place};
    struct cs_proof_options options = {.seed = fixture_seed()};
    CS_AT_END(machine_close) struct machine machine = {0};
    struct cs_exec_result result;
    struct cs_proof proof;
    struct cs_err err = {0};

    if (cs_proof_run(&program, &options, &proof, &err) ||
        cs_topo_open(&topo, &machine.graph, &machine.arena, &err))
        fail_msg("%s on %s: %s", algo->name, spec, err.text);
    cs_lower(&machine.graph, &machine.net, &machine.arena);
    result = machine_run(&machine, &program, "fifo");
    run->time_ps = result.time_ps;
    run->bytes_sent = result.bytes_sent;
    run->bound_ps = 1e12 * machine_bound(&machine, algo, &run->call).time_s;
}

/* The rings are those of the machine without agents. */
static inline struct node_run node_run_of(const char *spec, const char *name, struct cs_call call)
{
    const struct cs_algo *algo = cs_algo_find(name, cs_collective_find("allreduce"));
    struct node_run run = {.call = call};
    CS_AT_END(machine_close) struct machine machine;
    struct cs_err err = {0};

    machine_open(&machine, spec, 0, 0);
    run.call.ranks = machine.graph.rank_count;
    if (algo->takes_rings)
        run.call.rings =
            cs_rings_of_machine(&machine.net, run.call.ranks, run.call.group, &machine.arena);
    cs_algo_resolve(algo, &run.call, &(struct cs_hockney){4e-6, 50e9, 0});
    if (cs_algo_check(algo, &run.call, &err))
        fail_msg("%s on %s: %s", name, spec, err.text);
    node_run_program(&run, spec, algo);
    run.call.rings = NULL;
    if ((double)run.time_ps < run.bound_ps * (1 - 1e-9))
        fail_msg("%s on %s beats the bound", name, spec);
    return run;
}

static inline struct node_run node_run_chunks(const char *spec, const char *name, uint32_t group,
                                              uint32_t chunks)
{
    return node_run_of(
        spec, name,
        (struct cs_call){
            .group = group, .elements = 1 << 26, .element_bytes = 4, .chunks = chunks});
}

/* The algorithm on each machine, with each number of channels, chunks and slices. */
static inline void node_run_counts(const char *const *specs, size_t machines, const char *name,
                                   const uint32_t (*counts)[3], size_t count)
{
    for (size_t n = 0; n < machines; n++)
        for (size_t i = 0; i < count; i++)
            node_run_of(specs[n], name,
                        (struct cs_call){.group = 8,
                                         .elements = 77777,
                                         .element_bytes = 4,
                                         .channels = counts[i][0],
                                         .chunks = counts[i][1],
                                         .slices = counts[i][2]});
}
