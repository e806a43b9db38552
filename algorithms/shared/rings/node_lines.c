#include "algorithms/shared/rings/node_lines.h"

enum {
    CHANNELS_BEST = 32 /* NCCL's MAXCHANNELS before version 2.26 */
};

/* Whether each ring passes all ranks of a node before the next node. */
static bool rings_pass_nodes(const struct cs_rings *rings, uint32_t group)
{
    size_t all = (size_t)rings->count * rings->ranks;

    for (size_t i = 0; i < all; i++)
        if (rings->order[i] / group != rings->order[i - i % group] / group)
            return false;
    return true;
}

/* Whether each ring begins in the first node, and has all nodes in its order. */
static bool rings_repeat(const struct cs_rings *rings, uint32_t group)
{
    size_t all = (size_t)rings->count * rings->ranks;

    for (size_t i = 0; i < all; i++) {
        size_t first = i - i % rings->ranks;

        if (rings->order[first] >= group ||
            rings->order[i] % group != rings->order[first + i % group])
            return false;
    }
    return true;
}

void cs_node_lines_settle_channels(struct cs_call *call)
{
    uint32_t lines = cs_node_lines_count(call);

    if (!call->channels)
        call->channels = lines < CHANNELS_BEST ? lines : CHANNELS_BEST;
}

void cs_node_lines_agent(const struct cs_node_line *line, uint32_t nodes, bool sends,
                         struct cs_blocks chunk, struct cs_ops *ops)
{
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t head = cs_node_line_rank(line, node, 0);

        if (sends)
            cs_ops_send(ops, head, chunk);
        else
            cs_ops_recv_reduce(ops, head, chunk);
    }
    cs_ops_in_order(ops);
}

void cs_node_lines_settle(struct cs_call *call)
{
    if (call->group < 1)
        call->group = 1;
    call->rings_by_node = call->rings && call->group > 1 && call->ranks % call->group == 0 &&
                          rings_pass_nodes(call->rings, call->group);
    call->rings_repeat = call->rings_by_node && rings_repeat(call->rings, call->group);
}

/* A ring has one step out of each node. */
bool cs_node_lines_are_wired(const struct cs_call *call)
{
    uint32_t nodes = call->ranks / call->group;

    return call->rings_by_node && call->rings->switched <= (uint64_t)nodes * call->rings->count;
}

bool cs_node_lines_start_equal(const struct cs_call *call)
{
    uint32_t lines = call->rings_by_node ? call->rings->count : 0;
    uint32_t g = call->group;

    for (uint32_t i = 0; i < lines; i++) {
        struct cs_node_line line = cs_node_line_of(call, i);
        uint32_t first = cs_node_line_rank(&line, 0, 0);

        for (uint32_t node = 1; node < call->ranks / g; node++)
            if (cs_node_line_rank(&line, node, 0) % g != first)
                return false;
    }
    return true;
}

uint32_t cs_node_line_slot(const struct cs_node_line *line, uint32_t rank)
{
    const struct cs_rings *rings = line->rings;
    uint32_t g = line->group;

    if (!rings)
        return cs_behind(rank % g, line->ring, g);
    if (line->repeats)
        return cs_behind(rings->place[(size_t)line->ring * rings->ranks + rank % g], line->shift,
                         g);
    return cs_behind(rings->place[(size_t)line->ring * rings->ranks + rank] % g, line->shift, g);
}

uint32_t cs_node_line_rank(const struct cs_node_line *line, uint32_t node, uint32_t slot)
{
    const struct cs_rings *rings = line->rings;
    uint32_t first = node * line->group;
    uint32_t g = line->group;
    size_t ring;

    if (!rings)
        return first + cs_ahead(slot, line->ring, g);
    ring = (size_t)line->ring * rings->ranks;
    slot = cs_ahead(slot, line->shift, g);
    if (line->repeats)
        return first + rings->order[ring + slot];
    first = rings->place[ring + first];
    return rings->order[ring + first - first % g + slot];
}

/* Channels with the step from a slot of a line to the next slot. */
static uint32_t lines_of_step(const struct cs_call *call, const struct cs_node_line *of,
                              uint32_t slot)
{
    uint32_t from = cs_node_line_rank(of, 0, slot);
    uint32_t to = cs_node_line_rank(of, 0, slot + 1);
    uint32_t count = 0;

    for (uint32_t c = 0; c < call->channels; c++) {
        struct cs_node_line line = cs_node_line_of(call, c);
        uint32_t at = cs_node_line_slot(&line, from);

        count += cs_node_line_slot(&line, to) == cs_ahead(at, 1, call->group);
    }
    return count;
}

uint32_t cs_node_lines_contention(const struct cs_call *call)
{
    uint32_t least = call->channels;

    if (!cs_node_lines_are_wired(call))
        return call->channels;
    for (uint32_t c = 0; c < call->channels; c++) {
        struct cs_node_line line = cs_node_line_of(call, c);

        for (uint32_t slot = 0; slot + 1 < call->group; slot++) {
            uint32_t count = lines_of_step(call, &line, slot);

            least = count < least ? count : least;
        }
    }
    return least;
}
