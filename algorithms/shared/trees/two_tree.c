#include "algorithms/shared/trees/two_tree.h"

#include "algorithms/shared/patterns/pattern.h"

#include <assert.h>
#include <math.h>

enum {
    LINE = 3 /* ranks: both trees are a line */
};

/* Slots in order in one tree and in reverse in the other. */
static uint32_t even_slots(uint32_t p)
{
    return (p - 1) / 2 * 2;
}

/* The slot of tree 0 at the position of `slot` in a tree; the inverse is the
 * same function. */
static uint32_t two_tree_turned(uint32_t p, uint32_t tree, uint32_t slot)
{
    uint32_t even = even_slots(p);

    return tree == 1 && slot > 0 && slot <= even ? even + 1 - slot : slot;
}

/* Neighbours in tree 0; with odd p - 1 the extra slot is a child of the top. */
static struct cs_tree_place place_in_order(uint32_t p, uint32_t slot)
{
    uint32_t even = even_slots(p);
    uint32_t extra = p - 1 > even ? p - 1 : CS_TREE_NONE;
    struct cs_tree_place place = {.parent = even};

    if (slot != extra)
        place = cs_tree_of_pair(0, even + 1, slot);
    if (slot == even && extra != CS_TREE_NONE)
        place.child[place.child_count++] = extra;
    return place;
}

struct cs_tree_place cs_two_tree_place(uint32_t p, uint32_t tree, uint32_t slot)
{
    struct cs_tree_place place = place_in_order(p, two_tree_turned(p, tree, slot));

    if (p == LINE)
        return cs_tree_line(p, slot);
    if (place.parent != CS_TREE_NONE)
        place.parent = two_tree_turned(p, tree, place.parent);
    for (uint32_t i = 0; i < place.child_count; i++)
        place.child[i] = two_tree_turned(p, tree, place.child[i]);
    return place;
}

static uint32_t parent_in_order(uint32_t p, uint32_t slot)
{
    return place_in_order(p, slot).parent;
}

/* Whether the edge into a slot with children has another colour than the edge into
 * the parent `above`; p has `even` slots in the scheme. */
static uint32_t two_tree_changes(uint32_t even, uint32_t slot, uint32_t above)
{
    return (even / 2 % 2) ^ (above > slot);
}

/* Colour of the edge into a slot of tree 0; the colour of the top slot is 0. */
static uint32_t two_tree_colour(uint32_t p, uint32_t slot)
{
    uint32_t even = even_slots(p);
    uint32_t changed = 0;

    if (slot > even && even > 0) { /* differs from the only sibling */
        slot = place_in_order(p, even).child[0];
        changed = 1;
    }
    if (slot % 2 && even > 0)
        slot = even + 1 - slot;
    for (uint32_t above = parent_in_order(p, slot); above != 0; above = parent_in_order(p, slot)) {
        changed ^= two_tree_changes(even, slot, above);
        slot = above;
    }
    return changed;
}

/* A step for each edge from the slot up to the top, and one more where two edges
 * have one colour. Only the first slot can be a leaf. */
uint32_t cs_two_tree_first_step(uint32_t p, uint32_t tree, uint32_t slot)
{
    uint32_t even = even_slots(p);
    uint32_t at = two_tree_turned(p, tree, slot);
    uint32_t above = parent_in_order(p, at);
    uint32_t step = tree;

    if (p == LINE)
        return tree + slot - 1;
    if (above != 0 && (at % 2 || at > even)) {
        step += two_tree_colour(p, at) == two_tree_colour(p, above) ? 2 : 1;
        at = above;
        above = parent_in_order(p, at);
    }
    for (; above != 0; above = parent_in_order(p, at)) {
        step += two_tree_changes(even, at, above) ? 1 : 2;
        at = above;
    }
    return step;
}

/* Even chunks pass by tree 0, odd ones by tree 1. */
static uint32_t two_tree_chunks(const struct cs_call *call, uint32_t tree)
{
    return (call->chunks + 1 - tree) / 2;
}

/* 2 L steps for the first chunk, in either tree, and 2 for each further chunk of
 * tree 0, which has as many chunks as tree 1 or one more. */
uint64_t cs_two_tree_steps(const struct cs_call *call)
{
    if (call->ranks < 2)
        return 0;
    return 2 * ((uint64_t)cs_log2_up(call->ranks) + two_tree_chunks(call, 0) - 1);
}

uint64_t cs_two_tree_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    return cs_two_tree_steps(ctx);
}

/* Whether the edge into `slot` is in use in the step, and the chunk. */
static bool is_due(const struct cs_call *call, uint32_t tree, uint32_t slot, uint64_t step,
                   struct cs_blocks *chunk)
{
    uint64_t first = cs_two_tree_first_step(call->ranks, tree, slot);
    uint64_t past = step - first;

    if (step < first || past % 2 || past / 2 >= two_tree_chunks(call, tree))
        return false;
    *chunk = cs_block((uint32_t)past + tree);
    return true;
}

uint32_t cs_two_tree_transfers(const struct cs_call *call, uint32_t slot, uint64_t step,
                               struct cs_two_tree_transfer transfers[2])
{
    struct cs_blocks chunk;
    uint32_t count = 0;

    for (uint32_t tree = 0; tree < 2; tree++) {
        struct cs_tree_place place = cs_two_tree_place(call->ranks, tree, slot);

        if (slot > 0 && is_due(call, tree, slot, step, &chunk)) {
            assert(count < 2);
            transfers[count++] = (struct cs_two_tree_transfer){place.parent, slot, chunk};
        }
        for (uint32_t i = 0; i < place.child_count; i++)
            if (is_due(call, tree, place.child[i], step, &chunk)) {
                assert(count < 2);
                transfers[count++] = (struct cs_two_tree_transfer){slot, place.child[i], chunk};
            }
    }
    return count;
}

void cs_two_tree_settle(struct cs_call *call, double gamma_s_per_byte)
{
    double byte_s = 1 / call->hockney.beta_Bps + gamma_s_per_byte;
    double levels = call->ranks < 2 ? 0 : cs_log2_up(call->ranks) - 1.0; /* after the first */
    double each = sqrt(levels * cs_vector_bytes(call) * byte_s / (2 * call->hockney.alpha_s));

    cs_settle_chunks(call, call->elements, 2 * fmax(round(each), 1));
}

struct cs_cost cs_two_tree_cost(const struct cs_call *call)
{
    double steps = (double)cs_two_tree_steps(call);
    double chunk = cs_largest_chunk_bytes(call);

    return (struct cs_cost){steps, steps * chunk, steps * chunk};
}
