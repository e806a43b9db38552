#include "scenarios/run/case/memory_limit.h"

#include "sim/base/cores.h"
#include "sim/base/units.h"

#include <unistd.h>

enum {
    RANKS_SEEN = 3,
    FEW = 1 << 24 /* messages: less than folding takes on (sim/fold/fold.c) */
};

struct in_flight {
    uint64_t messages;
    double bytes; /* at least */
};

/* Messages that a rank sends in the first or last round of each lane. */
static struct in_flight sends_of(const struct cs_program *program, uint32_t rank, bool last,
                                 bool packs, struct cs_ops *ops)
{
    struct in_flight all = {0};

    for (uint32_t lane = 0; lane < program->lanes; lane++) {
        uint64_t rounds = cs_program_rounds(program, rank, lane);
        uint64_t sends = 0;

        if (rounds == 0)
            continue;
        cs_program_read(program, (struct cs_at){rank, lane, last ? rounds - 1 : 0}, ops);
        for (uint32_t i = 0; i < ops->count; i++)
            sends += ops->op[i].kind == CS_OP_SEND;
        all.messages += sends;
        all.bytes += (double)sends * (packs && sends >= CS_EXEC_FAN_IN ? CS_EXEC_PACKED_BYTES
                                                                       : CS_EXEC_MESSAGE_BYTES);
    }
    return all;
}

/* A lower estimate of the messages in flight at the start or the end: the fewest
 * of a few sampled ranks, times the ranks.  Large machines sample no root (rank
 * 0). */
static struct in_flight in_flight_at(const struct cs_program *program, bool last, bool packs)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    struct in_flight fewest = {UINT64_MAX, 0};

    for (uint32_t i = 1; i <= RANKS_SEEN; i++) {
        uint32_t rank = (uint32_t)((uint64_t)program->ranks * i / RANKS_SEEN);
        struct in_flight sends = sends_of(program, rank ? rank - 1 : 0, last, packs, &ops);

        if (sends.messages < fewest.messages)
            fewest = sends;
    }
    return (struct in_flight){fewest.messages * program->ranks, fewest.bytes * program->ranks};
}

double cs_host_memory_bytes(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* In the first or the last round. */
static struct in_flight most_in_flight(const struct cs_program *program,
                                       const struct cs_link_model *model)
{
    struct in_flight first = in_flight_at(program, false, model->packs_messages);
    struct in_flight last = in_flight_at(program, true, model->packs_messages);

    return last.bytes > first.bytes ? last : first;
}

double cs_room_bytes(const struct cs_program *program, const struct cs_net *net,
                     const struct cs_link_model *model)
{
    return cs_process_bytes() + most_in_flight(program, model).bytes +
           (double)program->ranks * program->lanes * CS_EXEC_LANE_BYTES +
           (double)net->link_count * CS_EXEC_LINK_BYTES;
}

int cs_room_check(const struct cs_run *run)
{
    struct in_flight most = most_in_flight(&run->program, run->which->scenario->model);

    if (most.messages <= FEW || most.bytes <= cs_host_memory_bytes())
        return 0;
    return cs_err_set(run->err, CS_ECANNOT,
                      "%s over %u ranks has %s messages in flight at once, which take %s of "
                      "memory or more; this host has %s",
                      run->which->algo->name, run->program.ranks, cs_show_count(most.messages).text,
                      cs_show_bytes((uint64_t)most.bytes).text,
                      cs_show_bytes((uint64_t)cs_host_memory_bytes()).text);
}
