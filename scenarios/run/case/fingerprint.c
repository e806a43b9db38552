#include "scenarios/run/case/fingerprint.h"

#include "sim/base/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTIES_SEEN = 64
};

/* ---- programs ---- */

static uint64_t fingerprint_mix(uint64_t hash, uint64_t value)
{
    return cs_mix64(hash ^ cs_mix64(value));
}

static uint64_t see_ops(uint64_t hash, const struct cs_ops *ops)
{
    for (uint32_t i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];

        hash = fingerprint_mix(fingerprint_mix(hash, op->kind), op->leaves);
        hash = fingerprint_mix(fingerprint_mix(hash, op->buffer), op->source_buffer);
        hash = fingerprint_mix(hash, op->peer);
        hash = fingerprint_mix(hash, op->source);
        hash = fingerprint_mix(hash, op->channel);
        hash = fingerprint_mix(hash, op->amount);
        hash = fingerprint_mix(hash, op->blocks.first);
        hash = fingerprint_mix(hash, op->blocks.count);
    }
    return hash;
}

/* Rounds of a lane, sampled evenly. */
static uint64_t see_lane(uint64_t hash, const struct cs_program *program, uint32_t rank,
                         uint32_t lane, uint32_t most, struct cs_ops *ops)
{
    uint64_t rounds = cs_program_rounds(program, rank, lane);
    uint64_t step = rounds / most + 1;

    hash = fingerprint_mix(hash, rounds);
    if (program->start_ps)
        hash =
            fingerprint_mix(hash, program->start_ps(program->ctx, (struct cs_at){rank, lane, 0}));
    for (uint64_t k = 0; k < rounds; k += step) {
        cs_program_read(program, (struct cs_at){rank, lane, k}, ops);
        hash = see_ops(hash, ops);
    }
    return hash;
}

/* The members of the program except its rounds. */
static uint64_t see_call(const struct cs_program *program)
{
    uint64_t hash = fingerprint_mix(program->lanes, program->blocks);

    hash = fingerprint_mix(fingerprint_mix(hash, program->ranks), program->agents);
    hash = fingerprint_mix(fingerprint_mix(hash, program->parts), program->scratch_blocks);
    hash = fingerprint_mix(fingerprint_mix(hash, program->elements), program->element_bytes);
    hash = fingerprint_mix(fingerprint_mix(hash, program->before), program->after);
    hash = fingerprint_mix(fingerprint_mix(hash, program->root), program->main_lanes);
    hash = fingerprint_mix(fingerprint_mix(hash, program->handshake), program->moves_blocks);
    return fingerprint_mix(fingerprint_mix(hash, program->output_empty), program->idempotent);
}

uint64_t cs_fingerprint_program(const struct cs_program *program,
                                struct cs_fingerprint_sample sample)
{
    uint32_t parties = cs_program_parties(program);
    uint32_t step = parties / sample.ranks + 1;
    uint64_t hash = see_call(program);
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    for (uint32_t rank = 0; rank < parties; rank += step)
        for (uint32_t lane = 0; lane < program->lanes && lane < sample.lanes; lane++)
            hash = see_lane(hash, program, rank, lane, sample.rounds, &ops);
    return hash;
}

/* ---- runs ---- */

static uint64_t see_real(uint64_t hash, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return fingerprint_mix(hash, bits);
}

static uint64_t see_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = fingerprint_mix(hash, (unsigned char)*text);
    return fingerprint_mix(hash, 0);
}

static uint64_t see_links(uint64_t hash, const struct cs_net *net)
{
    hash = fingerprint_mix(fingerprint_mix(hash, net->link_count), net->resource_count);
    for (uint32_t i = 0; i < net->link_count; i = cs_net_next_link(net, i)) {
        struct cs_net_link link = cs_net_link_at(net, i);

        hash = see_real(hash, link.rate_Bps);
        hash = fingerprint_mix(hash, link.latency_ps);
        hash = fingerprint_mix(fingerprint_mix(fingerprint_mix(hash, link.resource), link.from),
                               link.to);
        hash = fingerprint_mix(hash, link.down);
    }
    return hash;
}

static uint64_t see_parties(uint64_t hash, const struct cs_net *net)
{
    for (uint32_t i = 0; i < net->party_count; i++) {
        struct cs_net_party party = cs_net_party_at(net, i);

        hash = fingerprint_mix(hash, party.node);
        hash = see_real(hash, party.reduce_ps_per_byte);
        hash = fingerprint_mix(hash, party.reduce_overhead_ps);
        hash = see_real(hash, party.slow);
    }
    return hash;
}

/* Between parties evenly spread. */
static uint64_t see_routes(uint64_t hash, const struct cs_net *net)
{
    uint32_t step = net->party_count / PARTIES_SEEN + 1;
    uint32_t *links = cs_grow(NULL, net->max_hops + 1, sizeof(*links));
    uint32_t src, dst, hops;

    for (src = 0; src < net->party_count; src += step)
        for (dst = 0; dst < net->party_count; dst += step) {
            hops = src == dst ? 0 : net->route(net->route_ctx, src, dst, links);
            hash = fingerprint_mix(hash, hops);
            while (hops-- > 0)
                hash = fingerprint_mix(hash, links[hops]);
        }
    free(links);
    return hash;
}

static uint64_t see_loggp(uint64_t hash, const struct cs_loggp_params *loggp)
{
    if (!loggp)
        return fingerprint_mix(hash, 0);
    hash = fingerprint_mix(fingerprint_mix(hash, loggp->latency_ps), loggp->overhead_ps);
    hash = fingerprint_mix(fingerprint_mix(hash, loggp->gap_ps), loggp->eager_bytes);
    hash = see_real(hash, loggp->gap_ps_per_byte);
    return see_real(hash, loggp->overhead_ps_per_byte);
}

static uint64_t see_net(uint64_t hash, const struct cs_run *run, const struct cs_net *net)
{
    const struct cs_packet_params *packets = &run->params.packet;

    hash = see_routes(see_parties(see_links(hash, net), net), net);
    hash = fingerprint_mix(hash, packets->payload_bytes);
    hash = fingerprint_mix(hash, packets->header_bytes);
    hash = fingerprint_mix(hash, packets->buffer_bytes);
    hash = fingerprint_mix(hash, packets->loss);
    hash = fingerprint_mix(hash, packets->timeout_ps);
    hash = see_real(hash, run->params.fluid.flow_cap_Bps);
    hash = see_loggp(hash, run->params.loggp);
    return fingerprint_mix(fingerprint_mix(hash, run->machine->transport.eager),
                           run->params.fifo.stores);
}

static uint64_t see_names(uint64_t hash, const struct cs_graph *graph)
{
    for (uint32_t i = 0; i < graph->device_count && graph->devices; i++)
        hash = see_text(hash, graph->devices[i].name);
    for (uint32_t i = 0; i < graph->wire_count && graph->wires; i++)
        hash = see_text(hash, graph->wires[i].class_name);
    return hash;
}

/* A cs_option_visit: options that the printed parameters do not contain. */
static void fingerprint_see_option(void *ctx, const struct cs_option *option, const char *value)
{
    uint64_t *hash = ctx;

    *hash = see_text(see_text(*hash, option->name), value);
}

uint64_t cs_fingerprint_run(const struct cs_run *run)
{
    bool imported = run->which->algo->schedule != NULL;
    uint32_t most = imported ? UINT32_MAX : PARTIES_SEEN;
    uint64_t hash =
        cs_fingerprint_program(&run->program, (struct cs_fingerprint_sample){most, most, most});

    hash = see_names(see_net(hash, run, &run->net), &run->graph);
    for (uint32_t i = 0; i < run->change_count; i++)
        hash = see_net(fingerprint_mix(hash, run->changes[i].at_ps), run, run->changes[i].net);
    hash = fingerprint_mix(hash, run->machine->transport.launch_ps);
    cs_scenario_each_of_key(run->which->scenario, CS_KEY_HIDDEN,
                            (struct cs_option_visit){fingerprint_see_option, &hash});
    return hash ? hash : 1;
}
