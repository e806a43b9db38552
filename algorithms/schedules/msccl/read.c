/*
 * MSCCL XML, read: schedules of MSCCL, RCCL and their compilers.
 *
 * algo > gpu > tb > step.  A thread block (tb) executes steps in order, with at
 * most one destination and one source on one channel, and becomes the lane with
 * the number of the thread block.  Messages match in order per (sender,
 * receiver, channel), independent of the thread block.  A step may wait for a
 * step of a different thread block of the GPU.  Operations of a step, a round
 * for each, after the wait:
 *
 *     s     send src                    r     receive dst
 *     rcs   receive dst, send dst       cpy   dst = src
 *     re    dst += src                  nop   no operation
 *     rrc   dst = src + received: a receiving reduction where dst is src,
 *           otherwise `receive dst, dst += src`
 *     rrcs  like rrc, then send dst
 *     rrs   like rrcs with scratch of the thread block as dst
 *
 * Copies (copy) of a gpu, which SCCL and TACCL write, bring chunks of the input into the
 * output before the first step; in place they have nothing to do.
 *
 * GPUs forward a chunk in slices during reception; the simulated program stores
 * a chunk first: times of rcs, rrs and rrcs are upper bounds.
 *
 * Buffers are i, o and s (scratch); offsets count chunks, and `nchunksperloop`
 * chunks are the vector V.  In place, i and o are one buffer: the whole vector
 * (all-reduce, all-to-all), or the GPU's part of the vector is the input
 * (all-gather) or the output (reduce-scatter).  Out of place the output is
 * empty at the start.  `custom` has no specification; i and o are one buffer
 * where no GPU has both.  V must be a multiple of the chunks, as in MSCCL.
 *
 * microsoft/msccl-tools, microsoft/msccl-executor-nccl (MIT licence).
 */
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/msccl/read_blocks.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

/*
 * MSCCL reader, second part: the step elements, checked and numbered in rounds.
 *
 * A step becomes up to four rounds of a lane: a wait, a receive, a local
 * reduction and a send (msccl/read.c).  Waits refer to the last round of a
 * step; every step has at least a round.
 */

struct cs_msccl_step {
    uint32_t node; /* XML element */
    uint32_t actions;
    struct cs_msccl_range source, target;
    uint32_t count;     /* chunks */
    uint32_t wait_tb;   /* thread block of the GPU, or CS_MSCCL_NONE */
    uint32_t wait_step; /* step number in wait_tb */
    uint32_t last;      /* number of the last round, in the lane */
};

enum {
    STEPS_MAX = 1000000,
    CELLS_MAX = 1 << 24 /* chunks of all GPUs: memory of the prover */
};

/* ---- ranges ---- */

/* Maps the buffer 'i', 'o' or 's' and the offset of an attribute to a simulator buffer.
 * In place, input and output are one buffer; the input of an all-gather and the output of
 * a reduce-scatter are the GPU's own part of the vector. */
static int msccl_read_place(const struct cs_msccl *m, uint32_t gpu,
                            const struct cs_msccl_step *step, char buffer, const char *name,
                            struct cs_msccl_range *range)
{
    uint32_t each = m->chunks / m->gpus;
    bool part = buffer == 'i' ? m->collective == &cs_collective_allgather
                              : buffer == 'o' && m->collective == &cs_collective_reducescatter;
    int64_t offset = 0;
    const struct cs_msccl_number number = {{name, 0, CS_MSCCL_CHUNKS_MAX}, &offset};
    uint32_t size;

    if (cs_msccl_want(m, step->node, &number, 1))
        return CS_EINPUT;
    range->buffer = CS_OUTPUT;
    if (buffer == 's')
        range->buffer = CS_SCRATCH;
    else if (buffer == 'i' && !m->in_place)
        range->buffer = CS_INPUT;
    size = part ? each : m->chunks;
    if (range->buffer == CS_SCRATCH)
        size = m->scratch_of[gpu];
    if (offset + step->count > size)
        return cs_doc_err(m->xml, step->node, m->err,
                          "%u chunks from %lld on exceed buffer %c of %u chunks", step->count,
                          (long long)offset, buffer, size);
    range->first = (uint32_t)offset + (part ? gpu * each : 0);
    return 0;
}

/* `names`: the attributes of buffer and offset. */
static int msccl_read_range(const struct cs_msccl *m, uint32_t gpu,
                            const struct cs_msccl_step *step, const char *const names[2],
                            struct cs_msccl_range *range)
{
    const char *buffer;

    if (cs_xml_want_text(m->xml, step->node, names[0], &buffer, m->err))
        return CS_EINPUT;
    if (strlen(buffer) != 1 || !strchr("ios", *buffer))
        return cs_doc_err(m->xml, step->node, m->err, "%s=\"%.40s\"; expected i, o or s", names[0],
                          buffer);
    return msccl_read_place(m, gpu, step, *buffer, names[1], range);
}

/* Reads only the ranges that the actions use: compilers write arbitrary values
 * into unused ranges. */
static int msccl_read_ranges(const struct cs_msccl *m, uint32_t gpu, struct cs_msccl_step *step)
{
    static const char *const source[] = {"srcbuf", "srcoff"};
    static const char *const target[] = {"dstbuf", "dstoff"};
    bool reads =
        (step->actions & (CS_MSCCL_LOCAL | CS_MSCCL_REDUCES)) || step->actions == CS_MSCCL_SENDS;
    uint32_t most = m->scratch_of[gpu] > m->chunks ? m->scratch_of[gpu] : m->chunks;
    int64_t count = 0;
    const struct cs_msccl_number number = {{"cnt", 1, most}, &count};

    if (cs_msccl_want(m, step->node, &number, 1))
        return CS_EINPUT;
    step->count = (uint32_t)count;
    if (reads && msccl_read_range(m, gpu, step, source, &step->source))
        return CS_EINPUT;
    return step->actions & CS_MSCCL_STORES ? msccl_read_range(m, gpu, step, target, &step->target)
                                           : 0;
}

/* Refuses ranges that overlap in part: the result would depend on the processing
 * order of the chunks. */
static int msccl_check_overlap(const struct cs_msccl *m, const struct cs_msccl_step *step)
{
    struct cs_msccl_range a = step->source;
    struct cs_msccl_range b = step->target;
    unsigned both = CS_MSCCL_REDUCES | CS_MSCCL_STORES;

    if (((step->actions & both) != both && !(step->actions & CS_MSCCL_LOCAL)) ||
        a.buffer != b.buffer || a.first == b.first || a.first + step->count <= b.first ||
        b.first + step->count <= a.first)
        return 0;
    return cs_doc_err(m->xml, step->node, m->err,
                      "source and target overlap; expected the same chunks or disjoint chunks");
}

/* ---- types and waits ---- */

/* A type implies peers: a step that sends needs a destination. */
static int msccl_read_type(const struct cs_msccl *m, const struct cs_msccl_tb *tb,
                           struct cs_msccl_step *step)
{
    const char *text;
    size_t i = 0;

    if (cs_xml_want_text(m->xml, step->node, "type", &text, m->err))
        return CS_EINPUT;
    while (i < CS_MSCCL_TYPES && !cs_same(cs_msccl_types[i].name, text))
        i++;
    if (i == CS_MSCCL_TYPES)
        return cs_doc_err(m->xml, step->node, m->err,
                          "type=\"%.40s\"; expected s, r, rcs, rrc, rrs, rrcs, cpy, re or nop",
                          text);
    step->actions = cs_msccl_types[i].actions;
    if ((step->actions & CS_MSCCL_SENDS) && tb->send == CS_MSCCL_NONE)
        return cs_doc_err(m->xml, step->node, m->err,
                          "step %s sends, but the thread block has send=\"-1\"", text);
    if ((step->actions & CS_MSCCL_RECEIVES) && tb->recv == CS_MSCCL_NONE)
        return cs_doc_err(m->xml, step->node, m->err,
                          "step %s receives, but the thread block has recv=\"-1\"", text);
    return 0;
}

/* The first step of a thread block starts after the copies, unless it waits for a
 * different thread block, which does. */
static void msccl_wait_for_copies(const struct cs_msccl *m, uint32_t gpu,
                                  struct cs_msccl_step *step)
{
    uint32_t copies = m->lanes - 1;

    if (!m->has_copies || !m->tbs[(size_t)gpu * m->lanes + copies].node)
        return;
    step->wait_tb = copies;
    step->wait_step = m->tbs[(size_t)gpu * m->lanes + copies].steps - 1;
}

/* Reads depid and deps.  msccl_check_waits() checks the step number when the
 * thread blocks are complete.  A wait for an earlier step of the own thread block
 * is redundant and dropped. */
static int msccl_read_wait(const struct cs_msccl *m, uint32_t gpu, uint32_t lane, uint32_t number,
                           struct cs_msccl_step *step)
{
    int64_t tb = 0;
    int64_t other = 0;
    const struct cs_msccl_number numbers[] = {
        {{"depid", -1, CS_MSCCL_TBS_MAX - 1}, &tb},
        {{"deps", -1, STEPS_MAX}, &other},
    };

    if (cs_msccl_want(m, step->node, numbers, 2))
        return CS_EINPUT;
    step->wait_tb = CS_MSCCL_NONE;
    if (tb < 0 || other < 0) {
        if (number == 0)
            msccl_wait_for_copies(m, gpu, step);
        return 0;
    }
    if (tb >= m->lanes || !m->tbs[(size_t)gpu * m->lanes + (size_t)tb].node)
        return cs_doc_err(m->xml, step->node, m->err,
                          "depid=\"%lld\", but GPU %u has no such thread block", (long long)tb,
                          gpu);
    if (tb == lane && other < number)
        return 0;
    if (tb == lane)
        return cs_doc_err(m->xml, step->node, m->err,
                          "the step waits for a later step, %lld, of its own thread block",
                          (long long)other);
    step->wait_tb = (uint32_t)tb;
    step->wait_step = (uint32_t)other;
    return 0;
}

/* ---- steps ---- */

/* Rounds of a step without the wait.  A nop without a wait takes a round, for
 * the waits of dependent steps. */
static uint32_t msccl_rounds_of(const struct cs_msccl_step *step)
{
    bool same =
        step->source.buffer == step->target.buffer && step->source.first == step->target.first;
    uint32_t rounds = 0;

    if (step->actions == 0)
        return step->wait_tb == CS_MSCCL_NONE;
    if (step->actions & CS_MSCCL_LOCAL)
        return 1;
    if (step->actions & CS_MSCCL_RECEIVES)
        rounds++;
    if ((step->actions & CS_MSCCL_REDUCES) && !(same && (step->actions & CS_MSCCL_STORES)))
        rounds++;
    return rounds + ((step->actions & CS_MSCCL_SENDS) != 0);
}

/* Steps are numbered without gaps, since waits refer to the numbers. */
static int msccl_read_step(const struct cs_msccl *m, uint32_t gpu, uint32_t lane, uint32_t number,
                           struct cs_msccl_step *step)
{
    const struct cs_msccl_tb *tb = &m->tbs[(size_t)gpu * m->lanes + lane];
    int64_t s = 0;
    const struct cs_msccl_number position = {{"s", number, number}, &s};

    return cs_xml_want_name(m->xml, step->node, "step", m->err) ||
                   cs_msccl_want(m, step->node, &position, 1) || msccl_read_type(m, tb, step) ||
                   (step->actions && msccl_read_ranges(m, gpu, step)) ||
                   msccl_check_overlap(m, step) || msccl_read_wait(m, gpu, lane, number, step)
               ? CS_EINPUT
               : 0;
}

/* Reads the steps of a thread block and numbers the rounds. */
static int msccl_read_steps_of(struct cs_msccl *m, uint32_t gpu, uint32_t lane)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    struct cs_msccl_tb *tb = &m->tbs[(size_t)gpu * m->lanes + lane];
    uint32_t rounds = 0;

    tb->step = m->step_count;
    for (uint32_t node = nodes[tb->node].first; node != CS_DOC_NONE; node = nodes[node].next) {
        struct cs_msccl_step *step = &m->steps[m->step_count++];

        step->node = node;
        if (msccl_read_step(m, gpu, lane, tb->steps++, step))
            return CS_EINPUT;
        rounds += (step->wait_tb != CS_MSCCL_NONE) + msccl_rounds_of(step);
        step->last = rounds - 1;
    }
    return 0;
}

/* The copies of a GPU, as the steps of a thread block of their own. */
static int msccl_read_copies_of(struct cs_msccl *m, uint32_t gpu)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    struct cs_msccl_tb *tb = &m->tbs[(size_t)gpu * m->lanes + m->lanes - 1];

    tb->step = m->step_count;
    for (uint32_t node = nodes[m->nodes[gpu]].first; node != CS_DOC_NONE; node = nodes[node].next) {
        struct cs_msccl_step *step = &m->steps[m->step_count];

        if (!cs_doc_is(m->xml, node, "copy"))
            continue;
        *step = (struct cs_msccl_step){.node = node,
                                       .actions = cs_msccl_types[CS_MSCCL_CPY].actions,
                                       .count = 1,
                                       .wait_tb = CS_MSCCL_NONE,
                                       .last = tb->steps};
        if (msccl_read_place(m, gpu, step, 'i', "i_off", &step->source) ||
            msccl_read_place(m, gpu, step, 'o', "o_off", &step->target))
            return CS_EINPUT;
        if (m->in_place && step->source.first != step->target.first)
            return cs_doc_err(m->xml, node, m->err,
                              "a copy to a different chunk, though inplace=\"1\" has one buffer");
        m->step_count++;
        tb->steps++;
    }
    tb->node = tb->steps && !m->in_place ? m->nodes[gpu] : 0;
    if (m->in_place)
        tb->steps = 0;
    return 0;
}

/* Only after all thread blocks are read: a step may wait for a thread block
 * further down in the file. */
static int msccl_check_waits(const struct cs_msccl *m)
{
    for (uint32_t i = 0; i < m->gpus * m->lanes; i++)
        for (uint32_t k = 0; k < m->tbs[i].steps; k++) {
            const struct cs_msccl_step *step = &m->steps[m->tbs[i].step + k];
            const struct cs_msccl_tb *other = &m->tbs[i - i % m->lanes + step->wait_tb];

            if (step->wait_tb == CS_MSCCL_NONE || step->wait_step < other->steps)
                continue;
            return cs_doc_err(m->xml, step->node, m->err,
                              "deps=\"%u\", but thread block %u has %u steps", step->wait_step,
                              step->wait_tb, other->steps);
        }
    return 0;
}

/* Reserves scratch behind the s_chunks of the GPU: an rrs step stores nowhere,
 * but the simulated reduction needs a target to send from. */
static int msccl_reserve_scratch(struct cs_msccl *m)
{
    for (uint32_t i = 0; i < m->gpus * m->lanes; i++) {
        uint32_t *scratch = &m->scratch_of[i / m->lanes];
        uint32_t most = 0;

        for (uint32_t k = 0; k < m->tbs[i].steps; k++) {
            const struct cs_msccl_step *step = &m->steps[m->tbs[i].step + k];

            if ((step->actions & (CS_MSCCL_REDUCES | CS_MSCCL_STORES)) == CS_MSCCL_REDUCES &&
                step->count > most)
                most = step->count;
        }
        m->tbs[i].scratch = *scratch;
        *scratch += most;
        if (*scratch > CS_MSCCL_CHUNKS_MAX)
            return cs_doc_err(m->xml, m->nodes[i / m->lanes], m->err,
                              "GPU %u needs more than %d chunks of scratch", i / m->lanes,
                              CS_MSCCL_CHUNKS_MAX);
        if (*scratch > m->scratch)
            m->scratch = *scratch;
    }
    if ((uint64_t)m->gpus * (m->chunks + m->scratch) > CELLS_MAX)
        return cs_doc_err(m->xml, 0, m->err,
                          "%u GPUs of %u chunks and %u of scratch; at most %d chunks in all",
                          m->gpus, m->chunks, m->scratch, CELLS_MAX);
    return 0;
}

/* Reads the steps of the thread blocks and reserves scratch for rrs steps. */
static int msccl_read_steps(struct cs_msccl *m, struct cs_arena *arena)
{
    if (m->xml->count > STEPS_MAX)
        return cs_doc_err(m->xml, 0, m->err, "more than %d steps", STEPS_MAX);
    m->steps = cs_arena_alloc(arena, m->xml->count, sizeof(*m->steps));
    for (uint32_t gpu = 0; gpu < m->gpus && m->has_copies; gpu++)
        if (msccl_read_copies_of(m, gpu))
            return CS_EINPUT;
    for (uint32_t i = 0; i < m->gpus * m->lanes; i++)
        if (m->tbs[i].node && !m->tbs[i].steps &&
            msccl_read_steps_of(m, i / m->lanes, i % m->lanes))
            return CS_EINPUT;
    return msccl_check_waits(m) || msccl_reserve_scratch(m) ? CS_EINPUT : 0;
}

/* "No limit" of maxBytes in files of msccl-tools is 2^40 or less. */
#define MSCCL_ALL_BYTES (1ULL << 34)

struct msccl_table {
    const struct cs_msccl *m;
    struct cs_schedule_maker maker;
    const struct cs_msccl_tb *tb;
    const struct cs_msccl_step *step;
};

/* A round without operations, for a nop; the line is for error messages. */
static void msccl_table_round(struct msccl_table *table)
{
    cs_schedule_round(&table->maker, table->m->xml->nodes[table->step->node].line);
}

static void msccl_table_op(struct msccl_table *table, struct cs_op op)
{
    op.blocks.count = table->step->count;
    msccl_table_round(table);
    cs_ops_push(&table->maker.ops, op);
}

/* Channels of a program start at 1; 0 means the lane. */
static void msccl_table_message(struct msccl_table *table, enum cs_op_kind kind,
                                struct cs_msccl_range range)
{
    const struct cs_msccl_tb *tb = table->tb;

    msccl_table_op(table, (struct cs_op){
                              .kind = (uint8_t)kind,
                              .buffer = range.buffer,
                              .peer = kind == CS_OP_SEND ? tb->send : tb->recv,
                              .blocks = {.first = range.first},
                              .channel = tb->channel + 1,
                          });
}

static void msccl_table_local(struct msccl_table *table, enum cs_op_kind kind,
                              struct cs_msccl_range target)
{
    const struct cs_msccl_step *step = table->step;

    msccl_table_op(table, (struct cs_op){
                              .kind = (uint8_t)kind,
                              .buffer = target.buffer,
                              .blocks = {.first = target.first},
                              .source_buffer = step->source.buffer,
                              .source = step->source.first,
                          });
}

/* A reduction with distinct source and target needs two operations: the program
 * has no receive with three operands. */
static void msccl_table_receive(struct msccl_table *table, struct cs_msccl_range target)
{
    bool reduces = table->step->actions & CS_MSCCL_REDUCES;
    struct cs_msccl_range source = table->step->source;

    if (reduces && source.buffer == target.buffer && source.first == target.first) {
        msccl_table_message(table, CS_OP_RECV_REDUCE, target);
        return;
    }
    msccl_table_message(table, CS_OP_RECV, target);
    if (reduces)
        msccl_table_local(table, CS_OP_REDUCE, target);
}

/* A wait is a round alone; the end of the step is the last round of the
 * step. */
static void msccl_table_wait(struct msccl_table *table, const struct cs_msccl_tb *tbs)
{
    const struct cs_msccl_step *step = table->step;
    const struct cs_msccl_tb *other = &tbs[step->wait_tb];

    msccl_table_round(table);
    cs_ops_wait(&table->maker.ops, step->wait_tb,
                table->m->steps[other->step + step->wait_step].last);
}

/* A reduction without a store (rrs) sends from scratch; a plain send has the
 * source as the target. */
static void msccl_table_step(struct msccl_table *table, const struct cs_msccl_tb *tbs)
{
    const struct cs_msccl_step *step = table->step;
    struct cs_msccl_range target = step->target;

    if (step->wait_tb != CS_MSCCL_NONE)
        msccl_table_wait(table, tbs);
    else if (step->actions == 0)
        msccl_table_round(table);
    if (!(step->actions & CS_MSCCL_STORES))
        target = step->actions & CS_MSCCL_RECEIVES
                     ? (struct cs_msccl_range){CS_SCRATCH, table->tb->scratch}
                     : step->source;
    if (step->actions & CS_MSCCL_RECEIVES)
        msccl_table_receive(table, target);
    if (step->actions & CS_MSCCL_SENDS)
        msccl_table_message(table, CS_OP_SEND, target);
    if (step->actions & CS_MSCCL_LOCAL)
        msccl_table_local(table, step->actions & CS_MSCCL_REDUCES ? CS_OP_REDUCE : CS_OP_COPY,
                          target);
}

/* Ids without a thread block become empty lanes, so that lane numbers stay
 * thread block ids. */
static void msccl_table_write(const struct cs_msccl *m, struct cs_schedule *schedule,
                              struct cs_arena *arena)
{
    struct msccl_table table = {.m = m};

    cs_schedule_open(&table.maker, m->gpus, arena);
    for (uint32_t i = 0; i < m->gpus * m->lanes; i++) {
        if (i % m->lanes == 0)
            cs_schedule_rank(&table.maker, i / m->lanes);
        cs_schedule_lane(&table.maker);
        table.tb = &m->tbs[i];
        for (uint32_t k = 0; k < m->tbs[i].steps; k++) {
            table.step = &m->steps[m->tbs[i].step + k];
            msccl_table_step(&table, &m->tbs[i - i % m->lanes]);
        }
    }
    cs_schedule_end(&table.maker, m->gpus, schedule);
    cs_schedule_close(&table.maker);
}

/* The sizes for which MSCCL takes the schedule, and the protocol, as far as the
 * file limits or names them; NULL: neither. */
static const char *remark_of(const struct cs_doc *xml, struct cs_arena *arena)
{
    const char *proto = cs_doc_attribute(xml, 0, "proto");
    const char *least = cs_doc_attribute(xml, 0, "minBytes");
    const char *most = cs_doc_attribute(xml, 0, "maxBytes");
    bool is_limited = (least && strtoull(least, NULL, 10) > 0) ||
                      (most && strtoull(most, NULL, 10) < MSCCL_ALL_BYTES);
    bool is_other = proto && !cs_same(proto, "Simple");

    const char *sizes = "";

    if (!is_limited && !is_other)
        return NULL;
    if (is_limited)
        sizes = cs_arena_printf(arena, "%s%.24s to %.24s bytes", is_other ? ", " : "",
                                least ? least : "0", most ? most : "any number of");
    return cs_arena_printf(arena, "the file limits the schedule to %s%.12s%s, which has no effect",
                           is_other ? "protocol " : "", is_other ? proto : "", sizes);
}

static int msccl_read(struct cs_import_text text, struct cs_arena *arena, struct cs_algo *algo,
                      struct cs_err *err)
{
    struct cs_schedule *schedule = cs_arena_alloc(arena, 1, sizeof(*schedule));
    CS_AT_END(cs_arena_free) struct cs_arena work = {0};
    struct cs_doc xml;
    struct cs_msccl m = {.xml = &xml, .err = err};
    int code =
        cs_xml_read_text((struct cs_doc_text){text.file, text.text, text.length}, &xml, &work, err);

    if (!code)
        code = cs_msccl_read_blocks(&m, &work);
    if (!code)
        code = msccl_read_steps(&m, &work);
    if (!code) {
        *schedule =
            (struct cs_schedule){.file = text.file, .blocks = m.chunks, .scratch = m.scratch};
        msccl_table_write(&m, schedule, arena);
        *algo = cs_schedule_algo(schedule);
        algo->collective = m.collective;
        algo->output_empty = !m.in_place;
        algo->sums_race = true; /* a thread block loads, adds and stores */
        algo->remark = remark_of(&xml, arena);
    }
    return code;
}

const struct cs_importer cs_importer_msccl = {
    .name = "msccl",
    .about = "MSCCL XML (MSCCL, RCCL, msccl-tools)",
    .read = msccl_read,
};
