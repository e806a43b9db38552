#include "validate/gpu/machine.h"

#include "validate/cuda/slot.h"

#include <math.h>

/* One pass over a program. */
struct tally_counter {
    const struct cs_program *program;
    struct cs_cut cut;
    struct cs_slot_cut slots; /* slices as the kernels cut them */
    struct cs_ops ops;        /* of the round being counted */
    struct cs_gpu_tally tally;
};

/* Passes of one channel's thread block over a round, beyond the first: a pass
 * moves one slice of each ready op, so the op with most slices decides. */
static uint64_t passes_of_channel(const struct cs_slot_cut *cut, uint32_t channel,
                                  const struct cs_ops *ops)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        uint64_t slices = op->kind == CS_OP_WAIT
                              ? 0
                              : cs_slot_slices(cut, channel, op->blocks.first, op->blocks.count);

        most = slices > most ? slices : most;
    }
    return most > 0 ? most - 1 : 0;
}

static bool has_sends(const struct cs_ops *ops)
{
    bool sends = false;

    for (uint32_t i = 0; i < ops->count; i++)
        sends |= ops->op[i].kind == CS_OP_SEND;
    return sends;
}

static void count_op(struct cs_gpu_tally *tally, const struct cs_op *op, double bytes, bool sends)
{
    bool adds = op->kind == CS_OP_RECV_REDUCE;

    tally->adds += adds;
    tally->moved += bytes;
    tally->touched += bytes * (adds ? 2 : 1);
    tally->largest = fmax(tally->largest, bytes);
    if (op->kind != CS_OP_SEND)
        *(sends ? &tally->received : &tally->received_alone) += bytes;
}

/* Passes of a round: channels run side by side, and the last channel to finish
 * ends the round. */
static double passes_of_round(const struct cs_slot_cut *slots, const struct cs_ops *ops)
{
    uint64_t passes = 0;

    for (uint32_t i = 0; i < slots->channels; i++) {
        uint64_t here = passes_of_channel(slots, i, ops);

        passes = here > passes ? here : passes;
    }
    return (double)passes;
}

/* Counts a message of round k.  A port moves the messages of a round one after
 * the other, so each message behind the first one queues, at both ends. */
static void count_message(struct cs_gpu_tally *tally, uint64_t k, uint32_t from, uint32_t to)
{
    struct cs_gpu_port_work *sender = &tally->ports[from];
    struct cs_gpu_port_work *receiver = &tally->ports[to];

    sender->queued += sender->sent == k + 1;
    sender->sent = k + 1;
    receiver->queued += receiver->arrived == k + 1;
    receiver->arrived = k + 1;
    tally->sends++;
}

static uint64_t slices_of(const struct cs_slot_cut *slots, const struct cs_op *op)
{
    uint64_t slices = 0;

    for (uint32_t i = 0; i < slots->channels; i++)
        slices += cs_slot_slices(slots, i, op->blocks.first, op->blocks.count);
    return slices;
}

static void count_round(struct tally_counter *counter, uint32_t party, uint64_t k)
{
    struct cs_gpu_tally *tally = &counter->tally;
    struct cs_gpu_port_work *port = &tally->ports[party];
    const struct cs_ops *ops = &counter->ops;
    bool sends = has_sends(ops);

    for (uint32_t i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];
        double bytes = (double)cs_op_bytes(&counter->cut, op);

        if (op->kind == CS_OP_WAIT)
            continue;
        count_op(tally, op, bytes, sends);
        port->bytes += bytes;
        if (op->kind != CS_OP_SEND)
            continue;
        tally->slices += (double)slices_of(&counter->slots, op);
        count_message(tally, k, party, op->peer);
    }
    port->passes += passes_of_round(&counter->slots, ops);
}

/* Counts round k of every lane; false when no lane has a round k. */
static bool tally_count_rounds(struct tally_counter *counter, uint64_t k)
{
    const struct cs_program *program = counter->program;
    struct cs_gpu_tally *tally = &counter->tally;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    double adds = tally->adds;
    double sends = tally->sends;
    bool any = false;

    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t party = i / program->lanes;
        uint32_t lane = i % program->lanes;

        if (k >= cs_program_rounds(program, party, lane))
            continue;
        any = true;
        cs_program_read(program, (struct cs_at){party, lane, k}, &counter->ops);
        count_round(counter, party, k);
    }
    tally->adding_rounds += tally->adds > adds;
    tally->sending_rounds += tally->sends > sends;
    return any;
}

struct cs_gpu_tally cs_gpu_tally_of(const struct cs_gpu_query *query,
                                    const struct cs_program *program, struct cs_arena *arena)
{
    struct tally_counter counter = {.program = program, .cut = cs_cut_of(program)};
    struct cs_gpu_tally *tally = &counter.tally;
    uint32_t blocks = counter.cut.blocks;
    uint64_t *starts = cs_arena_alloc(arena, (size_t)blocks + 1, sizeof(*starts));

    for (uint64_t k = 0; k <= blocks; k++)
        starts[k] = cs_cut_start(&counter.cut, (uint32_t)k);
    counter.slots = (struct cs_slot_cut){
        .starts = starts,
        .blocks = blocks,
        .channels = query->channels,
        .slice_bytes = (uint32_t)query->slice_bytes,
    };
    tally->ports = cs_arena_alloc(arena, cs_program_parties(program), sizeof(*tally->ports));
    for (uint64_t k = 0; tally_count_rounds(&counter, k); k++)
        continue;
    if (tally->adding_rounds > 0)
        tally->reducers = tally->adds / tally->adding_rounds;
    cs_ops_free(&counter.ops);
    return *tally;
}
