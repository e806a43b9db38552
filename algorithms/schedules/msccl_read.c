/*
 * MSCCL XML: the schedules that MSCCL, RCCL and their compilers exchange.
 *
 * algo > gpu > tb > step.  A thread block (tb) does its steps in order; it has
 * at most one peer to send to and one to receive from, on one channel.  It is
 * a lane here, of the same number.  Messages match in order per (sender,
 * receiver, channel), whichever thread blocks they come from; a step may wait
 * until another thread block of its GPU has done a step.  What a step becomes, a round each, behind a wait:
 *
 *     s     send src                    r     receive dst
 *     rcs   receive dst, send dst       cpy   dst = src
 *     re    dst += src                  nop   nothing
 *     rrc   dst = src + received, which is `receive and add` where dst is
 *           src, and otherwise `receive dst, dst += src`
 *     rrcs  the same, then send dst
 *     rrs   the same in scratch of the thread block, then send that
 *
 * Real ones send a chunk on while it still arrives, in slices; here a chunk
 * is stored first, so rcs, rrs and rrcs are as slow as they can be.
 *
 * Buffers are i, o and s (scratch), offsets count chunks, `nchunksperloop` of
 * which make up the vector V.  In place i and o are one buffer: the whole one
 * (all-reduce, all-to-all), or the GPU's own part of it is the input
 * (all-gather) or the output (reduce-scatter).  Out of place the output holds
 * nothing at first.  `custom` promises nothing; its i and o are one buffer
 * where no GPU has both.  A chunk is V over their
 * number and has to be whole, as MSCCL itself wants it.
 *
 * microsoft/msccl-tools, microsoft/msccl-executor-nccl (MIT licence).
 */
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/text.h"
#include "topo/documents/xml.h"

#include <string.h>

enum {
    GPUS_MAX = 4096,
    TBS_MAX = 4096, /* of one GPU */
    CHANNELS_MAX = 1024,
    CHUNKS_MAX = 1 << 20,
    STEPS_MAX = 1000000,
    CELLS_MAX = 1 << 24, /* chunks of all GPUs */
    NONE = UINT32_MAX
};

enum step_kind {
    STEP_S = 1, /* sends */
    STEP_R = 2, /* receives */
    STEP_REDUCES = 4,
    STEP_STORES = 8,
    STEP_LOCAL = 16,
};

static const struct step_type {
    const char *name;
    unsigned does;
} step_types[] = {
    {"s", STEP_S},
    {"r", STEP_R | STEP_STORES},
    {"rcs", STEP_R | STEP_S | STEP_STORES},
    {"rrc", STEP_R | STEP_REDUCES | STEP_STORES},
    {"rrs", STEP_R | STEP_REDUCES | STEP_S},
    {"rrcs", STEP_R | STEP_REDUCES | STEP_STORES | STEP_S},
    {"cpy", STEP_LOCAL | STEP_STORES},
    {"re", STEP_LOCAL | STEP_STORES | STEP_REDUCES},
    {"nop", 0},
};

enum {
    STEP_TYPES = sizeof(step_types) / sizeof(*step_types)
};

/* A run of chunks of one of the simulator's buffers. */
struct msccl_reader_range {
    uint8_t buffer;
    uint32_t first;
};

struct msccl_reader_step {
    uint32_t node;
    uint32_t does;
    struct msccl_reader_range source, target;
    uint32_t count;
    uint32_t wait_tb; /* or NONE */
    uint32_t wait_step;
    uint32_t last; /* round, in its lane */
};

struct msccl_reader_tb {
    uint32_t node; /* 0: there is none of that number */
    uint32_t send, recv, channel;
    uint32_t step, steps; /* its first, and how many */
    uint32_t scratch;     /* the first chunk of its own, for rrs */
};

struct msccl {
    const struct cs_doc *xml;
    struct cs_err *err;
    const struct cs_collective *collective;
    uint32_t gpus, channels, chunks, lanes, scratch;
    bool in_place;
    uint32_t *nodes;             /* by gpu */
    uint32_t *scratch_of;        /* by gpu: s_chunks */
    struct msccl_reader_tb *tbs; /* gpu x lanes */
    struct msccl_reader_step *steps;
    uint32_t step_count;
};

static int msccl_reader_want(const struct msccl *m, uint32_t node,
                             struct cs_xml_number number, int64_t *value)
{
    return cs_xml_want_number(m->xml, node, &number, value, m->err);
}

/* ---- the head ---- */

static int read_collective(struct msccl *m)
{
    static const struct {
        const char *name;
        const struct cs_collective *collective;
    } names[] = {
        {"allreduce", &cs_collective_allreduce},
        {"allgather", &cs_collective_allgather},
        {"reduce_scatter", &cs_collective_reducescatter},
        {"reducescatter", &cs_collective_reducescatter},
        {"alltoall", &cs_collective_alltoall},
        {"broadcast", &cs_collective_broadcast},
        {"reduce", &cs_collective_reduce},
        {"custom", &cs_collective_custom},
    };
    const char *text;
    size_t i;
    int code = cs_xml_want_text(m->xml, 0, "coll", &text, m->err);

    for (i = 0; i < sizeof(names) / sizeof(*names) && !code; i++)
        if (cs_same(names[i].name, text))
            m->collective = names[i].collective;
    if (!code && !m->collective)
        code = cs_doc_err(m->xml, 0, m->err,
                          "coll=\"%.40s\"; expected allreduce, allgather, "
                          "reduce_scatter, alltoall, broadcast, reduce or "
                          "custom",
                          text);
    return code;
}

static bool msccl_reader_has_pieces(const struct msccl *m)
{
    return m->collective == &cs_collective_allgather ||
           m->collective == &cs_collective_reducescatter ||
           m->collective == &cs_collective_alltoall;
}

static int msccl_reader_read_head(struct msccl *m)
{
    const char *in_place = cs_doc_attribute(m->xml, 0, "inplace");
    int64_t gpus = 0;
    int64_t chunks = 0;
    int64_t channels = 0;
    int code = cs_xml_want_name(m->xml, 0, "algo", m->err);

    if (!code)
        code = read_collective(m);
    if (!code)
        code = msccl_reader_want(
            m, 0, (struct cs_xml_number){"ngpus", 1, GPUS_MAX}, &gpus);
    if (!code)
        code = msccl_reader_want(
            m, 0, (struct cs_xml_number){"nchannels", 1, CHANNELS_MAX},
            &channels);
    if (!code)
        code = msccl_reader_want(
            m, 0, (struct cs_xml_number){"nchunksperloop", 1, CHUNKS_MAX},
            &chunks);
    m->gpus = (uint32_t)gpus;
    m->channels = (uint32_t)channels;
    m->chunks = (uint32_t)chunks;
    m->in_place = !in_place || !cs_same(in_place, "0");
    if (!code && msccl_reader_has_pieces(m) && m->chunks % m->gpus)
        code = cs_doc_err(m->xml, 0, m->err,
                          "nchunksperloop=\"%u\"; expected a multiple of the "
                          "%u GPUs",
                          m->chunks, m->gpus);
    return code;
}

/* ---- GPUs and thread blocks ---- */

/* Finds every GPU by its id and the most thread blocks that one has. */
static int find_gpus(struct msccl *m, struct cs_arena *arena)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    int64_t id = 0;
    int64_t scratch = 0;
    int64_t input = 0;
    int64_t output = 0;
    uint32_t node;
    uint32_t found = 0;
    int code = 0;

    m->nodes = cs_arena_alloc(arena, m->gpus, sizeof(*m->nodes));
    m->scratch_of = cs_arena_alloc(arena, m->gpus, sizeof(*m->scratch_of));
    for (node = nodes[0].first; node != CS_DOC_NONE; node = nodes[node].next) {
        code = cs_xml_want_name(m->xml, node, "gpu", m->err);
        if (!code)
            code = msccl_reader_want(
                m, node, (struct cs_xml_number){"id", 0, m->gpus - 1}, &id);
        if (!code)
            code = msccl_reader_want(
                m, node, (struct cs_xml_number){"s_chunks", 0, CHUNKS_MAX},
                &scratch);
        if (!code)
            code = msccl_reader_want(
                m, node, (struct cs_xml_number){"i_chunks", 0, CHUNKS_MAX},
                &input);
        if (!code)
            code = msccl_reader_want(
                m, node, (struct cs_xml_number){"o_chunks", 0, CHUNKS_MAX},
                &output);
        if (!code && m->nodes[id])
            code = cs_doc_err(m->xml, node, m->err,
                              "GPU %d is there a second time", (int)id);
        if (code)
            return code;
        m->nodes[id] = node;
        m->scratch_of[id] = (uint32_t)scratch;
        found++;
        if (m->collective == &cs_collective_custom && input && output)
            m->in_place = false;
    }
    if (found == m->gpus)
        return 0;
    return cs_doc_err(m->xml, 0, m->err, "ngpus=\"%u\", but there are %u",
                      m->gpus, found);
}

static int count_lanes(struct msccl *m)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    int64_t id = 0;
    uint32_t gpu;
    uint32_t node;
    int code;

    m->lanes = 1;
    for (gpu = 0; gpu < m->gpus; gpu++)
        for (node = nodes[m->nodes[gpu]].first; node != CS_DOC_NONE;
             node = nodes[node].next) {
            code = cs_xml_want_name(m->xml, node, "tb", m->err);
            if (!code)
                code = msccl_reader_want(
                    m, node, (struct cs_xml_number){"id", 0, TBS_MAX - 1}, &id);
            if (code)
                return code;
            if (id >= m->lanes)
                m->lanes = (uint32_t)id + 1;
        }
    if ((uint64_t)m->lanes * m->gpus <= CS_SCHEDULE_LANES_MAX)
        return 0;
    return cs_doc_err(m->xml, 0, m->err,
                      "%u GPUs of %u thread blocks; at most %d in all", m->gpus,
                      m->lanes, CS_SCHEDULE_LANES_MAX);
}

static int check_peer(const struct msccl *m, uint32_t node, const char *what,
                      int64_t peer, uint32_t gpu)
{
    if (peer != gpu)
        return 0;
    return cs_doc_err(m->xml, node, m->err,
                      "%s=\"%u\" is the GPU itself; expected another or -1",
                      what, gpu);
}

static int read_tb(struct msccl *m, uint32_t gpu, uint32_t node)
{
    int64_t id = 0;
    int64_t send = 0;
    int64_t recv = 0;
    int64_t channel = 0;
    struct msccl_reader_tb *tb;
    int code = msccl_reader_want(
        m, node, (struct cs_xml_number){"id", 0, TBS_MAX - 1}, &id);

    if (!code)
        code = msccl_reader_want(
            m, node, (struct cs_xml_number){"send", -1, m->gpus - 1}, &send);
    if (!code)
        code = msccl_reader_want(
            m, node, (struct cs_xml_number){"recv", -1, m->gpus - 1}, &recv);
    if (!code)
        code = msccl_reader_want(
            m, node, (struct cs_xml_number){"chan", 0, m->channels - 1},
            &channel);
    if (!code)
        code = check_peer(m, node, "send", send, gpu);
    if (!code)
        code = check_peer(m, node, "recv", recv, gpu);
    if (code)
        return code;
    tb = &m->tbs[(size_t)gpu * m->lanes + (size_t)id];
    if (tb->node)
        return cs_doc_err(m->xml, node, m->err,
                          "thread block %d of GPU %u is there a second time",
                          (int)id, gpu);
    *tb = (struct msccl_reader_tb){.node = node,
                                   .send = send < 0 ? NONE : (uint32_t)send,
                                   .recv = recv < 0 ? NONE : (uint32_t)recv,
                                   .channel = (uint32_t)channel};
    return 0;
}

static int read_tbs(struct msccl *m, struct cs_arena *arena)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    uint32_t gpu;
    uint32_t node;
    int code = count_lanes(m);

    if (code)
        return code;
    m->tbs = cs_arena_alloc(arena, (size_t)m->gpus * m->lanes, sizeof(*m->tbs));
    for (gpu = 0; gpu < m->gpus; gpu++)
        for (node = nodes[m->nodes[gpu]].first; node != CS_DOC_NONE && !code;
             node = nodes[node].next)
            code = read_tb(m, gpu, node);
    return code;
}

/* ---- steps ---- */

/* The place of chunk `offset` of a buffer, as the collective has it. */
static int msccl_reader_read_range(const struct msccl *m, uint32_t gpu,
                                   uint32_t node, const char *const names[2],
                                   struct msccl_reader_range *range,
                                   uint32_t count)
{
    uint32_t each = m->chunks / m->gpus;
    bool part = false;
    const char *buffer;
    int64_t offset = 0;
    uint32_t size;
    int code = cs_xml_want_text(m->xml, node, names[0], &buffer, m->err);

    if (!code)
        code = msccl_reader_want(
            m, node, (struct cs_xml_number){names[1], 0, CHUNKS_MAX}, &offset);
    if (code)
        return code;
    range->buffer = CS_OUTPUT;
    if (cs_same(buffer, "s"))
        range->buffer = CS_SCRATCH;
    else if (cs_same(buffer, "i")) {
        range->buffer = m->in_place ? CS_OUTPUT : CS_INPUT;
        part = m->collective == &cs_collective_allgather;
    } else if (cs_same(buffer, "o"))
        part = m->collective == &cs_collective_reducescatter;
    else
        return cs_doc_err(m->xml, node, m->err,
                          "%s=\"%.40s\"; expected i, o or s", names[0], buffer);
    size = part ? each : m->chunks;
    if (range->buffer == CS_SCRATCH)
        size = m->scratch_of[gpu];
    if (offset + count > size)
        return cs_doc_err(m->xml, node, m->err,
                          "%u chunks from %lld on are beyond the end of "
                          "buffer %s, which has %u",
                          count, (long long)offset, buffer, size);
    range->first = (uint32_t)offset + (part ? gpu * each : 0);
    return 0;
}

static int msccl_reader_read_ranges(const struct msccl *m, uint32_t gpu,
                                    struct msccl_reader_step *step)
{
    static const char *const source[] = {"srcbuf", "srcoff"};
    static const char *const target[] = {"dstbuf", "dstoff"};
    bool reads =
        (step->does & (STEP_LOCAL | STEP_REDUCES)) || step->does == STEP_S;
    int64_t count = 0;
    int code = msccl_reader_want(
        m, step->node, (struct cs_xml_number){"cnt", 1, m->chunks}, &count);

    step->count = (uint32_t)count;
    if (!code && reads)
        code = msccl_reader_read_range(m, gpu, step->node, source,
                                       &step->source, step->count);
    if (!code && (step->does & STEP_STORES))
        code = msccl_reader_read_range(m, gpu, step->node, target,
                                       &step->target, step->count);
    return code;
}

static int check_overlap(const struct msccl *m,
                         const struct msccl_reader_step *step)
{
    struct msccl_reader_range a = step->source;
    struct msccl_reader_range b = step->target;
    unsigned both = STEP_REDUCES | STEP_STORES;

    if (((step->does & both) != both && !(step->does & STEP_LOCAL)) ||
        a.buffer != b.buffer || a.first == b.first ||
        a.first + step->count <= b.first || b.first + step->count <= a.first)
        return 0;
    return cs_doc_err(m->xml, step->node, m->err,
                      "source and target overlap; expected the same chunks or "
                      "others");
}

static int read_type(const struct msccl *m, const struct msccl_reader_tb *tb,
                     struct msccl_reader_step *step)
{
    const char *text;
    size_t i = 0;
    int code = cs_xml_want_text(m->xml, step->node, "type", &text, m->err);

    if (code)
        return code;
    while (i < STEP_TYPES && !cs_same(step_types[i].name, text))
        i++;
    if (i == STEP_TYPES)
        return cs_doc_err(m->xml, step->node, m->err,
                          "type=\"%.40s\"; expected s, r, rcs, rrc, rrs, "
                          "rrcs, cpy, re or nop",
                          text);
    step->does = step_types[i].does;
    if ((step->does & STEP_S) && tb->send == NONE)
        return cs_doc_err(m->xml, step->node, m->err,
                          "step %s sends, but the thread block sends to "
                          "nobody",
                          text);
    if ((step->does & STEP_R) && tb->recv == NONE)
        return cs_doc_err(m->xml, step->node, m->err,
                          "step %s receives, but the thread block receives "
                          "from nobody",
                          text);
    return 0;
}

/* What the step waits for; whether there is such a step is seen later. */
static int msccl_reader_read_wait(const struct msccl *m, uint32_t gpu,
                                  uint32_t lane, uint32_t number,
                                  struct msccl_reader_step *step)
{
    int64_t tb = 0;
    int64_t other = 0;
    int code = msccl_reader_want(
        m, step->node, (struct cs_xml_number){"depid", -1, TBS_MAX - 1}, &tb);

    if (!code)
        code = msccl_reader_want(m, step->node,
                                 (struct cs_xml_number){"deps", -1, STEPS_MAX},
                                 &other);
    if (code)
        return code;
    step->wait_tb = NONE;
    if (tb < 0 || other < 0)
        return 0;
    if (tb >= m->lanes || !m->tbs[(size_t)gpu * m->lanes + (size_t)tb].node)
        return cs_doc_err(m->xml, step->node, m->err,
                          "depid=\"%lld\", but GPU %u has no such thread block",
                          (long long)tb, gpu);
    if (tb == lane && other < number)
        return 0; /* done already */
    if (tb == lane)
        return cs_doc_err(m->xml, step->node, m->err,
                          "the step waits for step %lld of its own thread "
                          "block, which comes later",
                          (long long)other);
    step->wait_tb = (uint32_t)tb;
    step->wait_step = (uint32_t)other;
    return 0;
}

/* Rounds that a step becomes, without its wait. */
static uint32_t msccl_reader_rounds_of(const struct msccl_reader_step *step)
{
    bool same = step->source.buffer == step->target.buffer &&
                step->source.first == step->target.first;
    uint32_t rounds = 0;

    if (step->does == 0)
        return step->wait_tb == NONE; /* at least one, so that it has a last */
    if (step->does & STEP_LOCAL)
        return 1;
    if (step->does & STEP_R)
        rounds++;
    if ((step->does & STEP_REDUCES) && !(same && (step->does & STEP_STORES)))
        rounds++;
    return rounds + ((step->does & STEP_S) != 0);
}

static int read_step(const struct msccl *m, uint32_t gpu, uint32_t lane,
                     uint32_t number, struct msccl_reader_step *step)
{
    const struct msccl_reader_tb *tb = &m->tbs[(size_t)gpu * m->lanes + lane];
    int64_t s = 0;
    int code = cs_xml_want_name(m->xml, step->node, "step", m->err);

    if (!code)
        code = msccl_reader_want(
            m, step->node, (struct cs_xml_number){"s", number, number}, &s);
    if (!code)
        code = read_type(m, tb, step);
    if (!code && step->does)
        code = msccl_reader_read_ranges(m, gpu, step);
    if (!code)
        code = check_overlap(m, step);
    return code ? code : msccl_reader_read_wait(m, gpu, lane, number, step);
}

/* The steps of one thread block, and the round that each ends with. */
static int read_steps_of(struct msccl *m, uint32_t gpu, uint32_t lane)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    struct msccl_reader_tb *tb = &m->tbs[(size_t)gpu * m->lanes + lane];
    uint32_t rounds = 0;
    uint32_t node;
    int code = 0;

    tb->step = m->step_count;
    for (node = nodes[tb->node].first; node != CS_DOC_NONE && !code;
         node = nodes[node].next) {
        struct msccl_reader_step *step = &m->steps[m->step_count++];

        step->node = node;
        code = read_step(m, gpu, lane, tb->steps++, step);
        rounds += (step->wait_tb != NONE) + msccl_reader_rounds_of(step);
        step->last = rounds - 1;
    }
    return code;
}

static int msccl_reader_check_waits(const struct msccl *m)
{
    uint32_t i;
    uint32_t k;

    for (i = 0; i < m->gpus * m->lanes; i++)
        for (k = 0; k < m->tbs[i].steps; k++) {
            const struct msccl_reader_step *step =
                &m->steps[m->tbs[i].step + k];
            const struct msccl_reader_tb *other =
                &m->tbs[i - i % m->lanes + step->wait_tb];

            if (step->wait_tb == NONE || step->wait_step < other->steps)
                continue;
            return cs_doc_err(m->xml, step->node, m->err,
                              "deps=\"%u\", but thread block %u has %u steps",
                              step->wait_step, step->wait_tb, other->steps);
        }
    return 0;
}

static int msccl_reader_read_steps(struct msccl *m, struct cs_arena *arena)
{
    uint32_t i;
    int code = 0;

    if (m->xml->count > STEPS_MAX)
        return cs_doc_err(m->xml, 0, m->err, "more than %d steps", STEPS_MAX);
    m->steps = cs_arena_alloc(arena, m->xml->count, sizeof(*m->steps));
    for (i = 0; i < m->gpus * m->lanes && !code; i++)
        if (m->tbs[i].node)
            code = read_steps_of(m, i / m->lanes, i % m->lanes);
    return code ? code : msccl_reader_check_waits(m);
}

/* Thread blocks with rrs steps get scratch behind what the GPU has. */
static int place_scratch(struct msccl *m)
{
    uint32_t i;
    uint32_t k;

    for (i = 0; i < m->gpus * m->lanes; i++) {
        uint32_t *scratch = &m->scratch_of[i / m->lanes];
        uint32_t most = 0;

        for (k = 0; k < m->tbs[i].steps; k++) {
            const struct msccl_reader_step *step =
                &m->steps[m->tbs[i].step + k];

            if ((step->does & (STEP_REDUCES | STEP_STORES)) == STEP_REDUCES &&
                step->count > most)
                most = step->count;
        }
        m->tbs[i].scratch = *scratch;
        *scratch += most;
        if (*scratch > CHUNKS_MAX)
            return cs_doc_err(m->xml, m->nodes[i / m->lanes], m->err,
                              "GPU %u needs more than %d chunks of scratch",
                              i / m->lanes, CHUNKS_MAX);
        if (*scratch > m->scratch)
            m->scratch = *scratch;
    }
    if ((uint64_t)m->gpus * (m->chunks + m->scratch) > CELLS_MAX)
        return cs_doc_err(m->xml, 0, m->err,
                          "%u GPUs of %u chunks and %u of scratch; at most %d "
                          "chunks in all",
                          m->gpus, m->chunks, m->scratch, CELLS_MAX);
    return 0;
}

/* ---- the table ---- */

struct msccl_reader_writer {
    const struct msccl *m;
    struct cs_schedule_maker maker;
    const struct msccl_reader_tb *tb;
    const struct msccl_reader_step *step;
};

static void msccl_text_op(struct msccl_reader_writer *writer, struct cs_op op)
{
    op.blocks.count = writer->step->count;
    cs_schedule_round(&writer->maker,
                      writer->m->xml->nodes[writer->step->node].line);
    cs_ops_push(&writer->maker.ops, op);
}

static void write_message(struct msccl_reader_writer *writer,
                          enum cs_op_kind kind, struct msccl_reader_range range)
{
    const struct msccl_reader_tb *tb = writer->tb;

    msccl_text_op(writer, (struct cs_op){
                              .kind = (uint8_t)kind,
                              .buffer = range.buffer,
                              .peer = kind == CS_OP_SEND ? tb->send : tb->recv,
                              .blocks = {.first = range.first},
                              .channel = tb->channel + 1,
                          });
}

static void write_local(struct msccl_reader_writer *writer,
                        enum cs_op_kind kind, struct msccl_reader_range target)
{
    const struct msccl_reader_step *step = writer->step;

    msccl_text_op(writer, (struct cs_op){
                              .kind = (uint8_t)kind,
                              .buffer = target.buffer,
                              .blocks = {.first = target.first},
                              .source_buffer = step->source.buffer,
                              .source = step->source.first,
                          });
}

static void write_receive(struct msccl_reader_writer *writer,
                          struct msccl_reader_range target)
{
    bool reduces = writer->step->does & STEP_REDUCES;
    struct msccl_reader_range source = writer->step->source;

    if (reduces && source.buffer == target.buffer &&
        source.first == target.first) {
        write_message(writer, CS_OP_RECV_REDUCE, target);
        return;
    }
    write_message(writer, CS_OP_RECV, target);
    if (reduces)
        write_local(writer, CS_OP_REDUCE, target);
}

static void write_nothing(struct msccl_reader_writer *writer)
{
    cs_schedule_round(&writer->maker,
                      writer->m->xml->nodes[writer->step->node].line);
}

static void write_wait(struct msccl_reader_writer *writer,
                       const struct msccl_reader_tb *tbs)
{
    const struct msccl_reader_step *step = writer->step;
    const struct msccl_reader_tb *other = &tbs[step->wait_tb];

    write_nothing(writer);
    cs_ops_wait(&writer->maker.ops, step->wait_tb,
                writer->m->steps[other->step + step->wait_step].last);
}

static void msccl_text_step(struct msccl_reader_writer *writer,
                            const struct msccl_reader_tb *tbs)
{
    const struct msccl_reader_step *step = writer->step;
    struct msccl_reader_range target = step->target;

    if (step->wait_tb != NONE)
        write_wait(writer, tbs);
    else if (step->does == 0)
        write_nothing(writer);
    if (!(step->does & STEP_STORES))
        target =
            step->does & STEP_R
                ? (struct msccl_reader_range){CS_SCRATCH, writer->tb->scratch}
                : step->source;
    if (step->does & STEP_R)
        write_receive(writer, target);
    if (step->does & STEP_S)
        write_message(writer, CS_OP_SEND, target);
    if (step->does & STEP_LOCAL)
        write_local(writer,
                    step->does & STEP_REDUCES ? CS_OP_REDUCE : CS_OP_COPY,
                    target);
}

static void msccl_reader_write_table(const struct msccl *m,
                                     struct cs_schedule *schedule,
                                     struct cs_arena *arena)
{
    struct msccl_reader_writer writer = {.m = m};
    uint32_t i;
    uint32_t k;

    for (i = 0; i < m->gpus * m->lanes; i++) {
        cs_schedule_lane(&writer.maker);
        writer.tb = &m->tbs[i];
        for (k = 0; k < m->tbs[i].steps; k++) {
            writer.step = &m->steps[m->tbs[i].step + k];
            msccl_text_step(&writer, &m->tbs[i - i % m->lanes]);
        }
    }
    cs_schedule_end(&writer.maker, schedule, arena);
}

/* ---- all together ---- */

static int msccl_reader_read_all(struct msccl *m, struct cs_arena *arena)
{
    int code = msccl_reader_read_head(m);

    if (!code)
        code = find_gpus(m, arena);
    if (!code)
        code = read_tbs(m, arena);
    if (!code)
        code = msccl_reader_read_steps(m, arena);
    return code ? code : place_scratch(m);
}

static int msccl_read(struct cs_import_text text, struct cs_arena *arena,
                      struct cs_algo *algo, struct cs_err *err)
{
    struct cs_schedule *schedule = cs_arena_alloc(arena, 1, sizeof(*schedule));
    struct cs_arena work = {0};
    struct cs_doc xml;
    struct msccl m = {.xml = &xml, .err = err};
    int code = cs_xml_read_text(
        (struct cs_doc_text){text.file, text.text, text.length}, &xml, &work,
        err);

    if (!code)
        code = msccl_reader_read_all(&m, &work);
    if (!code) {
        *schedule = (struct cs_schedule){.file = text.file,
                                         .ranks = m.gpus,
                                         .lanes = m.lanes,
                                         .blocks = m.chunks,
                                         .scratch = m.scratch};
        msccl_reader_write_table(&m, schedule, arena);
        *algo = cs_schedule_algo(schedule);
        algo->collective = m.collective;
        algo->output_empty = !m.in_place;
    }
    cs_arena_free(&work);
    return code;
}

const struct cs_importer cs_importer_msccl = {
    .name = "msccl",
    .about = "MSCCL XML (MSCCL, RCCL, msccl-tools)",
    .read = msccl_read,
};
