#include "validate/claims/run.h"

#include "algorithms/bounds/bound.h"
#include "sim/engine/exec.h"
#include "sim/models/models.h"
#include "sim/proof/proof.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum {
    ELEMENT_BYTES = 4
};

/* The machine is opened again when the algorithm has agents: their number is
 * known only for the ranks of the first opening. */
int cs_claim_run_open(struct cs_claim_run *run, const struct cs_algo *algo, const char *spec,
                      struct cs_err *err)
{
    struct cs_hockney hockney = {0, CS_MEDIUM_BPS, 0};
    struct cs_topo_request request = {.spec = spec, .agent_place = algo->agent_place};
    int code = cs_topo_open(&request, &run->graph, &run->arena, err);

    if (code)
        return code;
    run->call = (struct cs_call){.ranks = run->graph.rank_count,
                                 .group = run->group,
                                 .elements = run->elements,
                                 .element_bytes = ELEMENT_BYTES};
    cs_algo_resolve(algo, &run->call, &hockney);
    code = cs_algo_check(algo, &run->call, err);
    if (code)
        return code;
    run->program = cs_algo_program(algo, &run->call);
    request.agents = run->program.agents;
    if (request.agents)
        code = cs_topo_open(&request, &run->graph, &run->arena, err);
    if (!code)
        cs_lower(&run->graph, &run->net, &run->arena);
    return code;
}

int cs_claim_run_open_medium(struct cs_claim_run *run, const struct cs_algo *algo,
                             enum cs_medium medium, uint32_t p, struct cs_err *err)
{
    char spec[128];

    snprintf(spec, sizeof(spec), cs_medium_spec(medium), p);
    return cs_claim_run_open(run, algo, spec, err);
}

double cs_claim_run_vector_bytes(const struct cs_claim_run *run)
{
    return (double)run->elements * ELEMENT_BYTES;
}

double cs_claim_run_neighbour_Bps(struct cs_claim_run *run)
{
    const struct cs_net *net = &run->net;
    uint32_t *links = cs_arena_alloc(&run->arena, net->max_hops, sizeof(*links));
    double least_Bps = (double)INFINITY;

    for (uint32_t r = 0; r < run->graph.rank_count; r++) {
        uint32_t next = (r + 1) % run->graph.rank_count;
        uint32_t hops = net->route(net->route_ctx, r, next, links);

        for (uint32_t i = 0; i < hops; i++)
            if (net->links[links[i]].rate_Bps < least_Bps)
                least_Bps = net->links[links[i]].rate_Bps;
    }
    return least_Bps;
}

int cs_claim_run_measure(struct cs_claim_run *run, const struct cs_collective *collective,
                         struct cs_claim_measured *measured, struct cs_err *err)
{
    struct cs_bound_request request = {.collective = collective,
                                       .vector_bytes = cs_claim_run_vector_bytes(run)};
    struct cs_proof_options options = {.seed = 1};
    struct cs_exec_result result;
    struct cs_proof proof;
    int code = cs_proof_run(&run->program, &options, &proof, err);

    if (!code)
        code = cs_exec_run(&run->program, &run->net, cs_link_model_find("fifo"), &run->arena,
                           &result, err);
    if (code)
        return code;
    measured->sent = (double)result.bytes_sent;
    measured->sent_by_one = (double)result.bytes_sent_max;
    measured->sent_by_all = (double)result.bytes_sent_max * run->program.ranks;
    measured->time = (double)result.time_ps * 1e-12 * run->beta_Bps;
    measured->redundant_scattered = (double)proof.redundant_after_scatter_bytes;
    measured->redundant = (double)proof.redundant_bytes;
    measured->least =
        cs_bound_of(&run->graph, &run->net, &request, &run->arena).time_s * run->beta_Bps;
    return 0;
}

struct medium {
    const char *name;
    const char *about;
    const char *spec;
    const char *rival;
};

static const struct medium media[CS_MEDIA] = {
    {"shared bus", "one transfer at a time in the whole system, at beta",
     "bus:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"half duplex", "a port that sends or receives, at beta; a switch with buffers between",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us,duplex=half", NULL},
    {"one-port full duplex", "a port that sends and receives at beta at once",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"mesh", "a link of beta in each direction between every two ranks: p-1 ports",
     "mesh:ranks=%u,bandwidth=10GB/s,latency=0us", NULL},
    {"broadcast medium", "one transmission at a time, heard by all",
     "bus:ranks=%u,bandwidth=10GB/s,latency=0us", "overhear"},
    {"in-network reduction", "full-duplex ports, and a switch that reduces",
     "switch:ranks=%u,bandwidth=10GB/s,latency=0us", "sharp"},
};

const char *cs_medium_name(enum cs_medium medium)
{
    return media[medium].name;
}

const char *cs_medium_about(enum cs_medium medium)
{
    return media[medium].about;
}

const char *cs_medium_spec(enum cs_medium medium)
{
    return media[medium].spec;
}

const char *cs_medium_rival(enum cs_medium medium)
{
    return media[medium].rival;
}
