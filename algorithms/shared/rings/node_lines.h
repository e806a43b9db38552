/*
 * Node lines: the ranks of each node in the order of a channel.
 *
 * n nodes of g ranks each, with consecutive numbers.  A line is the part of a
 * ring of the machine (call.rings) in the node, from the rank where the ring
 * enters the node to the rank where the ring leaves: the ring search has given
 * each ring an adapter.  Without rings, and with rings that enter a node several
 * times, line i starts at rank i of the node and goes up, modulo g.
 *
 *     g = 4, no rings:   line 0:  0 1 2 3      line 1:  1 2 3 0
 *
 * A line closes to a ring of the node where the ring was cut: between the last
 * rank and the first.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/rings.h"

struct cs_node_line {
    const struct cs_rings *rings; /* NULL: by number */
    uint32_t group;               /* g */
    uint32_t ring;                /* of the table, or the first rank */
    uint32_t shift;               /* slots by which the line is rotated */
    bool repeats;                 /* read in the first node: a table that stays in the cache */
};

/* `settle`: the group of a call without nodes is 1; and whether rings pass node
 * after node, all in one order.  O(rings x ranks). */
void cs_node_lines_settle(struct cs_call *call);

/* Different lines: the number of rings, or g. */
static inline uint32_t cs_node_lines_count(const struct cs_call *call)
{
    return call->rings_by_node ? call->rings->count : call->group;
}

/* `settle`: without a number of channels one for each line, up to 32. */
void cs_node_lines_settle_channels(struct cs_call *call);

/* Whether the steps of the lines are single wires. */
bool cs_node_lines_are_wired(const struct cs_call *call);

/* Whether a line starts at the same rank, counted from the first, of every
 * node. */
bool cs_node_lines_start_equal(const struct cs_call *call);

/* Lines of the first `channels` channels through the narrowest wire, the one
 * with the fewest; `channels` without wires, through a port.  O(g channels^2). */
uint32_t cs_node_lines_contention(const struct cs_call *call);

/* Trees and chains look up their line in every round, hence in the header.
 *
 * A line by number, modulo the number of lines.  In a single node all rings of
 * the machine start at the same rank: line i is rotated by i slots. */
static inline struct cs_node_line cs_node_line_of(const struct cs_call *call, uint32_t number)
{
    uint32_t lines = cs_node_lines_count(call);
    uint32_t ring = lines > 0 && number >= lines ? number % lines : number;
    bool is_rotated = call->rings_by_node && call->ranks == call->group;

    return (struct cs_node_line){
        .rings = call->rings_by_node ? call->rings : NULL,
        .group = call->group,
        .ring = ring,
        .shift = is_rotated ? ring % call->group : 0,
        .repeats = call->rings_repeat,
    };
}

/* The slot of a rank, 0 <= slot < g, and the rank of a slot in a node. */
uint32_t cs_node_line_slot(const struct cs_node_line *line, uint32_t rank);
uint32_t cs_node_line_rank(const struct cs_node_line *line, uint32_t node, uint32_t slot);

/* The ops of an agent between the nodes, which adds a chunk of the first rank of the line in every
 * node, or sends one to each of them. */
void cs_node_lines_agent(const struct cs_node_line *line, uint32_t nodes, bool sends,
                         struct cs_blocks chunk, struct cs_ops *ops);
