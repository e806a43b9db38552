#include "scenarios/run/case/memory_limit.h"

#include "sim/base/units.h"

#include <unistd.h>

enum {
    RANKS_SEEN = 3,
    FEW = 1 << 24 /* messages: less than folding takes on (sim/fold/fold.c) */
};

/* Messages that a rank sends in the first or last round of each lane. */
static uint64_t sends_of(const struct cs_program *program, uint32_t rank, bool last,
                         struct cs_ops *ops)
{
    uint64_t sends = 0;
    uint32_t lane, i;

    for (lane = 0; lane < program->lanes; lane++) {
        uint64_t rounds = program->rounds(program->ctx, rank, lane);

        if (rounds == 0)
            continue;
        ops->count = 0;
        program->round(program->ctx, rank, lane, last ? rounds - 1 : 0, ops);
        for (i = 0; i < ops->count; i++)
            sends += ops->op[i].kind == CS_OP_SEND;
    }
    return sends;
}

/* A lower estimate of the messages in flight at the start or the end: the fewest
 * of a few sampled ranks, times the ranks.  Large machines sample no root (rank
 * 0). */
static uint64_t messages_at_once(const struct cs_program *program, bool last)
{
    struct cs_ops ops = {0};
    uint64_t fewest = UINT64_MAX;
    uint32_t i;

    for (i = 1; i <= RANKS_SEEN; i++) {
        uint32_t rank = (uint32_t)((uint64_t)program->ranks * i / RANKS_SEEN);
        uint64_t sends = sends_of(program, rank ? rank - 1 : 0, last, &ops);

        if (sends < fewest)
            fewest = sends;
    }
    cs_ops_free(&ops);
    return fewest * program->ranks;
}

double cs_host_memory_bytes(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* In the first or the last round. */
static uint64_t most_messages(const struct cs_program *program)
{
    uint64_t messages = messages_at_once(program, false);
    uint64_t at_end = messages_at_once(program, true);

    return at_end > messages ? at_end : messages;
}

double cs_room_bytes(const struct cs_program *program)
{
    return (double)most_messages(program) * CS_EXEC_MESSAGE_BYTES;
}

int cs_room_check(const struct cs_run *run)
{
    uint64_t messages = most_messages(&run->program);
    double needed = (double)messages * CS_EXEC_MESSAGE_BYTES;
    char count[CS_UNITS_TEXT];
    char takes[CS_UNITS_TEXT];
    char has[CS_UNITS_TEXT];

    if (messages <= FEW || needed <= cs_host_memory_bytes())
        return 0;
    return cs_err_set(run->err, CS_ECANNOT,
                      "%s over %u ranks has %s messages in flight at once, which take %s of "
                      "memory; this host has %s",
                      run->which->algo->name, run->program.ranks,
                      cs_units_show_count(count, messages),
                      cs_units_show_bytes(takes, (uint64_t)needed),
                      cs_units_show_bytes(has, (uint64_t)cs_host_memory_bytes()));
}
