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
#include "algorithms/schedules/msccl/read_steps.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/text.h"

#include <stdlib.h>

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
    struct cs_arena work = {0};
    struct cs_doc xml;
    struct cs_msccl m = {.xml = &xml, .err = err};
    int code =
        cs_xml_read_text((struct cs_doc_text){text.file, text.text, text.length}, &xml, &work, err);

    if (!code)
        code = cs_msccl_read_blocks(&m, &work);
    if (!code)
        code = cs_msccl_read_steps(&m, &work);
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
    cs_arena_free(&work);
    return code;
}

const struct cs_importer cs_importer_msccl = {
    .name = "msccl",
    .about = "MSCCL XML (MSCCL, RCCL, msccl-tools)",
    .read = msccl_read,
};
