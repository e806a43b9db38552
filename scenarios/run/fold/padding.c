#include "scenarios/run/fold/padding.h"

#include "sim/base/units.h"

enum {
    PAD_FROM = 15000000,  /* messages: ten seconds in full, model fifo */
    PAD_PARTS_FROM = 2000 /* elements of a part */
};

#define NO_PEER UINT32_MAX

uint64_t cs_padding_pieces(const struct cs_run *run)
{
    return run->program.blocks / cs_program_parts(&run->program);
}

/* Whether the parts of a block become equal, too: rounds of regions repeat where
 * lanes have messages of one size (sim/fold/regions.h). */
static bool padding_is_of_parts(const struct cs_run *run)
{
    const struct cs_program *program = &run->program;

    return program->ring_lanes && run->which->scenario->model->queues_messages &&
           program->elements / program->blocks >= PAD_PARTS_FROM;
}

uint64_t cs_padding_elements(const struct cs_run *run)
{
    uint64_t pieces = cs_padding_pieces(run);
    uint64_t elements = run->program.elements;

    if (elements % pieces == 0)
        return 0;
    if (padding_is_of_parts(run))
        pieces = run->program.blocks;
    return pieces - elements % pieces;
}

/* The rank of the only send of the round, or NO_PEER. */
static uint32_t only_peer(const struct cs_program *program, uint32_t rank, uint32_t lane,
                          uint64_t round, struct cs_ops *ops)
{
    uint32_t peer = NO_PEER;
    uint32_t sends = 0;
    uint32_t i;

    ops->count = 0;
    program->round(program->ctx, rank, lane, round, ops);
    for (i = 0; i < ops->count; i++)
        if (ops->op[i].kind == CS_OP_SEND) {
            peer = ops->op[i].peer;
            sends++;
        }
    return sends == 1 ? peer : NO_PEER;
}

/* Whether the lane sends to the same neighbour always, by some of its rounds. */
static bool lane_is_of_a_ring(const struct cs_program *program, uint32_t rank, uint32_t lane,
                              struct cs_ops *ops)
{
    uint64_t rounds = program->rounds(program->ctx, rank, lane);
    const uint64_t looks[] = {rounds / 2, rounds / 3, rounds - 1};
    uint32_t peer, i;

    if (rounds == 0)
        return false;
    peer = only_peer(program, rank, lane, 0, ops);
    for (i = 0; i < 3 && peer != NO_PEER; i++)
        if (only_peer(program, rank, lane, looks[i], ops) != peer)
            return false;
    return peer != NO_PEER;
}

/* The last rank represents all. */
static bool padding_has_rings(const struct cs_program *program)
{
    struct cs_ops ops = {0};
    uint32_t lane = 0;

    while (lane < program->lanes && lane_is_of_a_ring(program, program->ranks - 1, lane, &ops))
        lane++;
    cs_ops_free(&ops);
    return lane == program->lanes;
}

bool cs_padding_fits(const struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;

    return !algo->schedule && !algo->moves_blocks && !run->program.agents &&
           cs_padding_elements(run) > 0 && padding_has_rings(&run->program);
}

/* Faults, noise and further jobs are compared with the run alone, which is exact. */
bool cs_padding_is_due(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_proof_options options = {0};
    double cost = scenario->model->op_cost > 0 ? scenario->model->op_cost : 1;

    if (scenario->fold != CS_FOLD_AUTO || run->main || run->healthy ||
        (!run->which->notes && !run->which->known) || cs_run_is_noisy(run) ||
        scenario->faults.count || scenario->other_jobs.count)
        return false;
    return (double)cs_proof_estimate(&run->program, &options).ops / 2 * cost >= PAD_FROM;
}

void cs_padding_add(struct cs_run *run, int64_t elements)
{
    run->call.elements += (uint64_t)elements;
    run->program = cs_algo_program(run->which->algo, &run->call);
}

bool cs_padding_is_slight(const struct cs_exec_result *result, uint64_t elements, uint64_t all)
{
    const struct cs_path *path = &result->path;
    double all_ps = (double)result->time_ps;
    double moving_ps = (double)(path->bandwidth_ps + path->reduction_ps);

    return moving_ps * (double)elements / (double)all <= 0.001 * all_ps &&
           (double)path->wait_ps <= 0.005 * all_ps;
}

void cs_padding_note(const struct cs_run *run)
{
    uint64_t bytes = run->call.elements * run->call.element_bytes;
    uint64_t padded = bytes + run->padded_bytes;
    char size[CS_UNITS_TEXT];

    if (run->which->notes)
        cs_text_printf(
            run->which->notes,
            "the %llu blocks of %s are unequal: simulated with a vector of %llu B, longer by %llu "
            "B (%.2g %%), whose equal blocks fold; --fold off simulates %s\n",
            (unsigned long long)cs_padding_pieces(run), run->which->algo->name,
            (unsigned long long)padded, (unsigned long long)run->padded_bytes,
            100 * (double)run->padded_bytes / (double)bytes, cs_units_show_bytes(size, bytes));
}
