#include "algorithms/schedules/lacks.h"

#include <math.h>

static const char *const lack_notes[CS_LACKS] = {
    [CS_LACK_MEETING] = "messages that wait for their receives leave at once",
    [CS_LACK_WAITS] = "lanes of a rank that wait for one another become others, and messages of "
                      "one moment may leave in another order",
    [CS_LACK_FORKS] = "sums beside messages become lanes, and messages of one moment may leave in "
                      "another order",
    [CS_LACK_BLOCKS] = "connections or lanes of a GPU are thread blocks, and messages of one "
                       "moment may leave in another order",
    [CS_LACK_SUMS] = "a sum into a block that is being sent waits until it has left",
    [CS_LACK_IN_PLACE] = "ranks copy their own input to the output",
    [CS_LACK_NANOSECONDS] = "sums and copies take whole nanoseconds",
    [CS_LACK_SWITCHES] = "agents are servers beside the ranks, not in switches",
    [CS_LACK_AGENTS] = "servers and switches that reduce are ranks behind the others",
    [CS_LACK_COPIES] = "messages are copied from scratch, in the time of sums",
    [CS_LACK_SIGNALS] = "a receiver of which its sender never hears signals first",
};

struct lack_search {
    const struct cs_export *what;
    struct cs_cut cut;
    /* Of the party, the first connection in each direction: its peer and channel. */
    bool connects[2];
    struct lack_connection {
        uint32_t peer, channel;
    } first[2];
    bool meets; /* messages of several connections may meet */
};

/* Whether a reduction or copy ends between nanoseconds. */
static bool is_fractional(const struct lack_search *search, const struct cs_op *op)
{
    double take_ps = (double)cs_op_bytes(&search->cut, op) * search->what->reduce_ps_per_byte +
                     (double)search->what->reduce_overhead_ps;

    return fmod(take_ps, 1000) != 0;
}

/* Whether it is of another connection than the party's first in this direction. */
static bool connects_again(struct lack_search *search, uint32_t lane, const struct cs_op *op)
{
    bool sends = op->kind == CS_OP_SEND;
    struct lack_connection *first = &search->first[sends];
    struct lack_connection own = {op->peer, cs_op_channel(search->what->program, lane, op)};

    if (!search->connects[sends])
        *first = own;
    search->connects[sends] = true;
    if (own.peer == first->peer && own.channel == first->channel)
        return false;
    search->meets = true;
    return true;
}

/* Whether a rank may send without hearing of the receiver, directly or by way of others. */
static bool hears_of_some(const struct cs_collective *collective)
{
    return collective->before == CS_ROOT || collective->after == CS_ROOT ||
           collective->after == CS_SHIFTED || collective->after == CS_NOTHING;
}

static bool sums_take_time(const struct cs_export *what)
{
    return what->reduce_ps_per_byte > 0 || what->reduce_overhead_ps > 0;
}

/* Where the output does not hold a rank's own input, copies take the time of sums. */
static bool copies_own(const struct lack_search *search, const struct cs_op *op)
{
    const struct cs_export *what = search->what;

    return sums_take_time(what) && (what->program->output_empty || op->buffer == CS_INPUT ||
                                    (cs_op_is_local(op) && op->source_buffer == CS_INPUT));
}

static unsigned lacks_of_op(struct lack_search *search, uint32_t lane, const struct cs_op *op)
{
    const struct cs_program *program = search->what->program;
    bool sums = op->kind == CS_OP_RECV_REDUCE || cs_op_is_local(op);
    bool meets = op->kind == CS_OP_SEND && (program->handshake || op->leaves == CS_LEAVES_MET);

    return (unsigned)meets << CS_LACK_MEETING |
           (unsigned)(program->agents && search->what->algo->agent_place) << CS_LACK_SWITCHES |
           (unsigned)(program->agents > 0) << CS_LACK_AGENTS |
           (unsigned)(op->kind == CS_OP_WAIT) << CS_LACK_WAITS |
           (unsigned)(cs_op_is_message(op) && connects_again(search, lane, op)) << CS_LACK_BLOCKS |
           (unsigned)copies_own(search, op) << CS_LACK_IN_PLACE |
           (unsigned)hears_of_some(search->what->algo->collective) << CS_LACK_SIGNALS |
           (unsigned)(op->kind == CS_OP_RECV && sums_take_time(search->what)) << CS_LACK_COPIES |
           (unsigned)(sums && is_fractional(search, op)) << CS_LACK_NANOSECONDS;
}

/* Whether the round adds to a block that it sends. */
static bool sums_into_sent(const struct cs_program *program, const struct cs_ops *ops)
{
    for (uint32_t i = 0; i < ops->count; i++)
        for (uint32_t k = 0; ops->op[i].kind == CS_OP_RECV_REDUCE && k < ops->count; k++)
            if (ops->op[k].kind == CS_OP_SEND && cs_ops_meet(program, &ops->op[i], &ops->op[k]))
                return true;
    return false;
}

/* Whether the round has a sum beside another op. */
static bool forks(const struct cs_ops *ops)
{
    for (uint32_t i = 0; ops->count > 1 && i < ops->count; i++)
        if (ops->op[i].kind == CS_OP_RECV_REDUCE || cs_op_is_local(&ops->op[i]))
            return true;
    return false;
}

/* Those of the program that are in the set. */
static unsigned lacks_of(const struct cs_export *what, unsigned set)
{
    const struct cs_program *program = what->program;
    struct lack_search search = {.what = what, .cut = cs_cut_of(program)};
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    unsigned lacks = 0;
    bool has_forks = false;

    for (uint32_t i = 0; i < lanes && lacks != set; i++) {
        struct cs_at at = {i / program->lanes, i % program->lanes, 0};
        uint64_t rounds = cs_program_rounds(program, at.party, at.lane);

        if (at.lane == 0)
            search.connects[0] = search.connects[1] = false;
        for (; at.round < rounds && lacks != set; at.round++) {
            cs_program_read(program, at, &ops);
            for (uint32_t k = 0; k < ops.count; k++)
                lacks |= lacks_of_op(&search, at.lane, &ops.op[k]) & set;
            if (set & ~lacks & 1U << CS_LACK_SUMS && sums_into_sent(program, &ops))
                lacks |= 1U << CS_LACK_SUMS;
            has_forks = has_forks || forks(&ops);
            lacks |= (unsigned)(has_forks && search.meets) << CS_LACK_FORKS & set;
        }
    }
    return lacks;
}

void cs_export_lacks(const struct cs_exporter *exporter, const struct cs_export *what,
                     struct cs_text *notes)
{
    unsigned lacks = lacks_of(what, exporter->lacks);

    for (unsigned i = 0; i < CS_LACKS; i++)
        if (lacks >> i & 1)
            cs_text_printf(notes, "read back, it may take another time: in %s %s\n", exporter->name,
                           lack_notes[i]);
}
