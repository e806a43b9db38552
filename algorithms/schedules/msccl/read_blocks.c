#include "algorithms/schedules/msccl/read_blocks.h"

#include "algorithms/schedules/schedule.h"
#include "sim/base/text.h"

/* Far above published schedules, and low enough that a hostile file costs
 * little memory. */
enum {
    GPUS_MAX = 4096,
    CHANNELS_MAX = 1024
};

int cs_msccl_want(const struct cs_msccl *m, uint32_t node, const struct cs_msccl_number *numbers,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cs_xml_want_number(m->xml, node, &numbers[i].want, numbers[i].value, m->err))
            return CS_EINPUT;
    return 0;
}

/* ---- algo ---- */

/* The collective decides the meaning of the buffers, so an unknown name is an
 * error even if the steps are readable. */
static int msccl_read_collective(struct cs_msccl *m)
{
    const char *text;

    if (cs_xml_want_text(m->xml, 0, "coll", &text, m->err))
        return CS_EINPUT;
    m->collective = cs_msccl_collective(text);
    if (m->collective)
        return 0;
    return cs_doc_err(m->xml, 0, m->err,
                      "coll=\"%.40s\"; expected allreduce, allgather, reduce_scatter, alltoall, "
                      "broadcast, reduce or custom",
                      text);
}

/* Whether the vector consists of a piece per rank, of whole chunks. */
static bool msccl_has_pieces(const struct cs_msccl *m)
{
    return m->collective == &cs_collective_allgather ||
           m->collective == &cs_collective_reducescatter ||
           m->collective == &cs_collective_alltoall;
}

static int msccl_read_head(struct cs_msccl *m)
{
    const char *in_place = cs_doc_attribute(m->xml, 0, "inplace");
    int64_t gpus = 0;
    int64_t chunks = 0;
    int64_t channels = 0;
    const struct cs_msccl_number numbers[] = {
        {{"ngpus", 1, GPUS_MAX}, &gpus},
        {{"nchannels", 1, CHANNELS_MAX}, &channels},
        {{"nchunksperloop", 1, CS_MSCCL_CHUNKS_MAX}, &chunks},
    };

    if (cs_xml_want_name(m->xml, 0, "algo", m->err) || msccl_read_collective(m) ||
        cs_msccl_want(m, 0, numbers, sizeof(numbers) / sizeof(*numbers)))
        return CS_EINPUT;
    m->gpus = (uint32_t)gpus;
    m->channels = (uint32_t)channels;
    m->chunks = (uint32_t)chunks;
    m->in_place = !in_place || !cs_same(in_place, "0");
    if (!msccl_has_pieces(m) || m->chunks % m->gpus == 0)
        return 0;
    return cs_doc_err(m->xml, 0, m->err,
                      "nchunksperloop=\"%u\"; expected a multiple of the %u GPUs", m->chunks,
                      m->gpus);
}

/* ---- GPUs and thread blocks ---- */

/* Enters a gpu element.  A custom schedule is out of place when any GPU has
 * both an input and an output: one buffer could not hold the two. */
static int msccl_read_gpu(struct cs_msccl *m, uint32_t node)
{
    int64_t id = 0;
    int64_t scratch = 0;
    int64_t input = 0;
    int64_t output = 0;
    const struct cs_msccl_number numbers[] = {
        {{"id", 0, m->gpus - 1}, &id},
        {{"s_chunks", 0, CS_MSCCL_CHUNKS_MAX}, &scratch},
        {{"i_chunks", 0, CS_MSCCL_CHUNKS_MAX}, &input},
        {{"o_chunks", 0, CS_MSCCL_CHUNKS_MAX}, &output},
    };

    if (cs_xml_want_name(m->xml, node, "gpu", m->err) ||
        cs_msccl_want(m, node, numbers, sizeof(numbers) / sizeof(*numbers)))
        return CS_EINPUT;
    if (m->nodes[id])
        return cs_doc_err(m->xml, node, m->err, "GPU %d is defined twice", (int)id);
    m->nodes[id] = node;
    m->scratch_of[id] = (uint32_t)scratch;
    if (m->collective == &cs_collective_custom && input && output)
        m->in_place = false;
    return 0;
}

/* GPUs may stand in any order, but every id must occur. */
static int msccl_read_gpus(struct cs_msccl *m, struct cs_arena *arena)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    uint32_t found = 0;

    m->nodes = cs_arena_alloc(arena, m->gpus, sizeof(*m->nodes));
    m->scratch_of = cs_arena_alloc(arena, m->gpus, sizeof(*m->scratch_of));
    for (uint32_t node = nodes[0].first; node != CS_DOC_NONE; node = nodes[node].next, found++)
        if (msccl_read_gpu(m, node))
            return CS_EINPUT;
    if (found == m->gpus)
        return 0;
    return cs_doc_err(m->xml, 0, m->err, "ngpus=\"%u\", but the file has %u", m->gpus, found);
}

/* The program has equally many lanes on every rank, so the largest thread
 * block id of the file decides. */
static int msccl_count_lanes(struct cs_msccl *m)
{
    const struct cs_doc_node *nodes = m->xml->nodes;
    int64_t id = 0;
    const struct cs_msccl_number number = {{"id", 0, CS_MSCCL_TBS_MAX - 1}, &id};

    m->lanes = 1;
    for (uint32_t gpu = 0; gpu < m->gpus; gpu++)
        for (uint32_t node = nodes[m->nodes[gpu]].first; node != CS_DOC_NONE;
             node = nodes[node].next) {
            if (cs_doc_is(m->xml, node, "copy")) {
                m->has_copies = true;
                continue;
            }
            if (cs_xml_want_name(m->xml, node, "tb", m->err) || cs_msccl_want(m, node, &number, 1))
                return CS_EINPUT;
            if (id >= m->lanes)
                m->lanes = (uint32_t)id + 1;
        }
    m->lanes += m->has_copies;
    if ((uint64_t)m->lanes * m->gpus <= CS_SCHEDULE_LANES_MAX)
        return 0;
    return cs_doc_err(m->xml, 0, m->err, "%u GPUs of %u thread blocks; at most %d in all", m->gpus,
                      m->lanes, CS_SCHEDULE_LANES_MAX);
}

/* A GPU copies by cpy, without a message. */
static int msccl_check_peer(const struct cs_msccl *m, uint32_t node, const char *what, int64_t peer,
                            uint32_t gpu)
{
    if (peer != gpu)
        return 0;
    return cs_doc_err(m->xml, node, m->err,
                      "%s=\"%u\" is the GPU itself; expected a different GPU or -1", what, gpu);
}

/* -1 is MSCCL's value for a missing peer. */
static int msccl_read_tb(struct cs_msccl *m, uint32_t gpu, uint32_t node)
{
    int64_t id = 0;
    int64_t send = 0;
    int64_t recv = 0;
    int64_t channel = 0;
    const struct cs_msccl_number numbers[] = {
        {{"id", 0, CS_MSCCL_TBS_MAX - 1}, &id},
        {{"send", -1, m->gpus - 1}, &send},
        {{"recv", -1, m->gpus - 1}, &recv},
        {{"chan", 0, m->channels - 1}, &channel},
    };
    struct cs_msccl_tb *tb;

    if (cs_msccl_want(m, node, numbers, sizeof(numbers) / sizeof(*numbers)) ||
        msccl_check_peer(m, node, "send", send, gpu) ||
        msccl_check_peer(m, node, "recv", recv, gpu))
        return CS_EINPUT;
    tb = &m->tbs[(size_t)gpu * m->lanes + (size_t)id];
    if (tb->node)
        return cs_doc_err(m->xml, node, m->err, "thread block %d of GPU %u is defined twice",
                          (int)id, gpu);
    *tb = (struct cs_msccl_tb){.node = node,
                               .send = send < 0 ? CS_MSCCL_NONE : (uint32_t)send,
                               .recv = recv < 0 ? CS_MSCCL_NONE : (uint32_t)recv,
                               .channel = (uint32_t)channel};
    return 0;
}

static int msccl_read_tbs(struct cs_msccl *m, struct cs_arena *arena)
{
    const struct cs_doc_node *nodes = m->xml->nodes;

    if (msccl_count_lanes(m))
        return CS_EINPUT;
    m->tbs = cs_arena_alloc(arena, (size_t)m->gpus * m->lanes, sizeof(*m->tbs));
    for (uint32_t gpu = 0; gpu < m->gpus; gpu++)
        for (uint32_t node = nodes[m->nodes[gpu]].first; node != CS_DOC_NONE;
             node = nodes[node].next)
            if (!cs_doc_is(m->xml, node, "copy") && msccl_read_tb(m, gpu, node))
                return CS_EINPUT;
    return 0;
}

int cs_msccl_read_blocks(struct cs_msccl *m, struct cs_arena *arena)
{
    return msccl_read_head(m) || msccl_read_gpus(m, arena) || msccl_read_tbs(m, arena) ? CS_EINPUT
                                                                                       : 0;
}
