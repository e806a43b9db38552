#include "algorithms/schedules/msccl/read_steps.h"

#include "sim/base/text.h"

enum {
    STEPS_MAX = 1000000,
    CELLS_MAX = 1 << 24 /* chunks of all GPUs: memory of the prover */
};

/* ---- ranges ---- */

/* Maps a buffer name and offset to a simulator buffer.  In place, input and
 * output are one buffer; the input of an all-gather and the output of a
 * reduce-scatter are the GPU's own part of the vector.  `names`: the attributes
 * of buffer and offset. */
static int msccl_read_range(const struct cs_msccl *m, uint32_t gpu, uint32_t node,
                            const char *const names[2], struct cs_msccl_range *range,
                            uint32_t count)
{
    uint32_t each = m->chunks / m->gpus;
    bool part = false;
    const char *buffer;
    int64_t offset = 0;
    const struct cs_msccl_number number = {{names[1], 0, CS_MSCCL_CHUNKS_MAX}, &offset};
    uint32_t size;

    if (cs_xml_want_text(m->xml, node, names[0], &buffer, m->err) ||
        cs_msccl_want(m, node, &number, 1))
        return CS_EINPUT;
    range->buffer = CS_OUTPUT;
    if (cs_same(buffer, "s"))
        range->buffer = CS_SCRATCH;
    else if (cs_same(buffer, "i")) {
        range->buffer = m->in_place ? CS_OUTPUT : CS_INPUT;
        part = m->collective == &cs_collective_allgather;
    } else if (cs_same(buffer, "o"))
        part = m->collective == &cs_collective_reducescatter;
    else
        return cs_doc_err(m->xml, node, m->err, "%s=\"%.40s\"; expected i, o or s", names[0],
                          buffer);
    size = part ? each : m->chunks;
    if (range->buffer == CS_SCRATCH)
        size = m->scratch_of[gpu];
    if (offset + count > size)
        return cs_doc_err(m->xml, node, m->err,
                          "%u chunks from %lld on exceed buffer %s of %u chunks", count,
                          (long long)offset, buffer, size);
    range->first = (uint32_t)offset + (part ? gpu * each : 0);
    return 0;
}

/* Reads only the ranges that the actions use: compilers write arbitrary values
 * into unused ranges. */
static int msccl_read_ranges(const struct cs_msccl *m, uint32_t gpu, struct cs_msccl_step *step)
{
    static const char *const source[] = {"srcbuf", "srcoff"};
    static const char *const target[] = {"dstbuf", "dstoff"};
    bool reads =
        (step->actions & (CS_MSCCL_LOCAL | CS_MSCCL_REDUCES)) || step->actions == CS_MSCCL_SENDS;
    int64_t count = 0;
    const struct cs_msccl_number number = {{"cnt", 1, m->chunks}, &count};

    if (cs_msccl_want(m, step->node, &number, 1))
        return CS_EINPUT;
    step->count = (uint32_t)count;
    if (reads && msccl_read_range(m, gpu, step->node, source, &step->source, step->count))
        return CS_EINPUT;
    return step->actions & CS_MSCCL_STORES
               ? msccl_read_range(m, gpu, step->node, target, &step->target, step->count)
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
    if (tb < 0 || other < 0)
        return 0;
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

int cs_msccl_read_steps(struct cs_msccl *m, struct cs_arena *arena)
{
    if (m->xml->count > STEPS_MAX)
        return cs_doc_err(m->xml, 0, m->err, "more than %d steps", STEPS_MAX);
    m->steps = cs_arena_alloc(arena, m->xml->count, sizeof(*m->steps));
    for (uint32_t i = 0; i < m->gpus * m->lanes; i++)
        if (m->tbs[i].node && msccl_read_steps_of(m, i / m->lanes, i % m->lanes))
            return CS_EINPUT;
    return msccl_check_waits(m) || msccl_reserve_scratch(m) ? CS_EINPUT : 0;
}
