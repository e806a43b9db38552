#include "sim/models/fluid/state.h"

#include <math.h>
#include <stdlib.h>

/* ---- room ---- */

void cs_ends_make_room(struct fluid *fluid, uint32_t number)
{
    uint32_t room = fluid->flow_room ? fluid->flow_room : 64;

    if (number < fluid->flow_room)
        return;
    while (room <= number)
        room *= 2;
    fluid->flows = cs_grow(fluid->flows, room, sizeof(*fluid->flows));
    fluid->ends.items = cs_grow(fluid->ends.items, room, sizeof(*fluid->ends.items));
    fluid->ends.place = cs_grow(fluid->ends.place, room, sizeof(*fluid->ends.place));
    for (uint32_t i = fluid->flow_room; i < room; i++)
        fluid->ends.place[i] = CS_HEAP_NOWHERE;
    for (uint32_t i = fluid->flow_room; i < room; i++)
        fluid->flows[i].flows = false;
    fluid->through.items = cs_grow(fluid->through.items, room, sizeof(*fluid->through.items));
    fluid->flow_room = room;
}

void cs_ends_make_holders(struct fluid *fluid, uint32_t count)
{
    uint32_t i = fluid->holder_count;

    if (count <= i)
        return;
    fluid->holders = cs_grow(fluid->holders, count, sizeof(*fluid->holders));
    fluid->touched = cs_grow(fluid->touched, count, sizeof(uint32_t));
    fluid->holder_ends.items =
        cs_grow(fluid->holder_ends.items, count, sizeof(struct cs_heap_item));
    fluid->holder_ends.place = cs_grow(fluid->holder_ends.place, count, sizeof(uint32_t));
    for (; i < count; i++) {
        fluid->holders[i] = (struct holder){0};
        fluid->holder_ends.place[i] = CS_HEAP_NOWHERE;
    }
    fluid->holder_count = count;
}

void cs_ends_free(struct fluid *fluid)
{
    for (uint32_t i = 0; i < fluid->holder_count; i++)
        free(fluid->holders[i].ends.items);
    free(fluid->holders);
    free(fluid->holder_ends.items);
    free(fluid->holder_ends.place);
    free(fluid->touched);
    free(fluid->through.items);
    free(fluid->ends.items);
    free(fluid->ends.place);
}

/* ---- free flows ---- */

static uint64_t ends_top_ps(const struct cs_heap *ends)
{
    return ends->count ? ends->items[0].key : UINT64_MAX;
}

uint64_t cs_ends_next_ps(const struct fluid *fluid)
{
    uint64_t free_ps = ends_top_ps(&fluid->ends);
    uint64_t held_ps = ends_top_ps(&fluid->holder_ends);

    return free_ps < held_ps ? free_ps : held_ps;
}

static uint64_t ends_flow_ps(const struct fluid_flow *flow)
{
    return cs_time_after(flow->since_ps, fluid_take_ps(flow->left_bytes, flow->rate_Bps));
}

static struct cs_heap_item ends_item_of(const struct fluid *fluid, uint32_t number)
{
    const struct fluid_flow *flow = &fluid->flows[number];

    return (struct cs_heap_item){.key = ends_flow_ps(flow), .tie = flow->age, .number = number};
}

void cs_ends_add(struct fluid *fluid, uint32_t number)
{
    cs_heap_add(&fluid->ends, ends_item_of(fluid, number));
}

/* ---- held flows ---- */

/* The bytes, over its scale, that the first flow to end still needs. */
static double ends_first_left(const struct holder *holder)
{
    return fmax(cs_heap_number(holder->ends.items[0].key) - holder->served_bytes, 0);
}

static uint64_t ends_first_ps(const struct holder *holder)
{
    return cs_time_after(holder->since_ps,
                         fluid_take_ps(ends_first_left(holder), holder->rate_Bps));
}

/* Updates served_bytes, before the rate or the flows of the holder change. */
static struct holder *ends_touch(struct fluid *fluid, uint32_t id, uint64_t now_ps)
{
    struct holder *holder = &fluid->holders[id];

    if (holder->ends.count == 0)
        holder->served_bytes = 0;
    else
        holder->served_bytes += holder->rate_Bps * ((double)(now_ps - holder->since_ps) / PS_PER_S);
    holder->since_ps = now_ps;
    if (!holder->touched)
        fluid->touched[fluid->touched_count++] = id;
    holder->touched = true;
    return holder;
}

void cs_ends_touch(struct fluid *fluid, uint32_t holder, uint64_t now_ps)
{
    (void)ends_touch(fluid, holder, now_ps);
}

void cs_ends_plan(struct fluid *fluid)
{
    struct cs_heap *ends = &fluid->holder_ends;

    for (uint32_t i = 0; i < fluid->touched_count; i++) {
        uint32_t id = fluid->touched[i];
        struct holder *holder = &fluid->holders[id];
        uint32_t at = ends->place[id];

        holder->touched = false;
        holder->rate_Bps = cs_maxmin_level_Bps(&fluid->maxmin, id);
        if (holder->ends.count == 0) {
            if (at != CS_HEAP_NOWHERE)
                cs_heap_remove(ends, at);
        } else if (at == CS_HEAP_NOWHERE) {
            cs_heap_add(
                ends, (struct cs_heap_item){.key = ends_first_ps(holder), .tie = id, .number = id});
        } else {
            cs_heap_change(ends, at, ends_first_ps(holder));
        }
    }
    fluid->touched_count = 0;
}

void cs_ends_remove(struct fluid *fluid, uint32_t number, uint64_t now_ps)
{
    struct fluid_flow *flow = &fluid->flows[number];
    uint32_t at = fluid->ends.place[number];

    if (flow->holder != CS_MAXMIN_FREE) {
        struct holder *holder = ends_touch(fluid, flow->holder, now_ps);

        flow->left_bytes =
            (cs_heap_number(holder->ends.items[at].key) - holder->served_bytes) * flow->scale;
        holder->ends.place = fluid->ends.place;
        cs_heap_remove(&holder->ends, at);
    } else if (at != CS_HEAP_NOWHERE) {
        flow->left_bytes -= flow->rate_Bps * ((double)(now_ps - flow->since_ps) / PS_PER_S);
        cs_heap_remove(&fluid->ends, at);
    }
    flow->left_bytes = fmax(flow->left_bytes, 0);
    flow->since_ps = now_ps;
}

/* The flow joins the flows of a holder. */
static void ends_enter(struct fluid *fluid, uint32_t id, uint32_t number, uint64_t now_ps)
{
    struct fluid_flow *flow = &fluid->flows[number];
    struct holder *holder = ends_touch(fluid, id, now_ps);

    if (holder->ends.count == holder->room) {
        holder->room = holder->room ? 2 * holder->room : 16;
        holder->ends.items = cs_grow(holder->ends.items, holder->room, sizeof(*holder->ends.items));
    }
    holder->ends.place = fluid->ends.place;
    cs_heap_add(&holder->ends,
                (struct cs_heap_item){
                    .key = cs_heap_key(holder->served_bytes + flow->left_bytes / flow->scale),
                    .tie = flow->age,
                    .number = number});
}

void cs_ends_move(struct fluid *fluid, uint32_t number, uint64_t now_ps)
{
    struct fluid_flow *flow = &fluid->flows[number];

    cs_ends_remove(fluid, number, now_ps);
    flow->holder = cs_maxmin_holder(&fluid->maxmin, number);
    if (flow->holder != CS_MAXMIN_FREE) {
        ends_enter(fluid, flow->holder, number, now_ps);
        return;
    }
    flow->rate_Bps = cs_maxmin_rate_Bps(&fluid->maxmin, number) * flow->scale;
    cs_heap_add(&fluid->ends, ends_item_of(fluid, number));
}

/* ---- ends at this time ---- */

/* Whether the first end is due: now, or by what rounding of served_bytes hides.
 * Flows that end at once by arithmetic end at once, however slowly they flow. */
static bool ends_is_through(const struct holder *holder, uint64_t now_ps)
{
    return ends_first_ps(holder) <= now_ps ||
           ends_first_left(holder) <= 0x1p-40 * holder->served_bytes;
}

/* Collects the flows of a holder that end now. */
static void ends_collect_holder(struct fluid *fluid, uint32_t id, uint64_t now_ps)
{
    struct holder *holder = ends_touch(fluid, id, now_ps);
    struct cs_heap *ends = &holder->ends;

    ends->place = fluid->ends.place;
    while (ends->count && ends_is_through(holder, now_ps)) {
        struct cs_heap_item item = ends->items[0];

        cs_heap_remove(ends, 0);
        cs_heap_add(&fluid->through, (struct cs_heap_item){.key = item.tie, .number = item.number});
    }
    cs_heap_remove(&fluid->holder_ends, 0);
}

void cs_ends_collect(struct fluid *fluid, uint64_t now_ps)
{
    while (ends_top_ps(&fluid->holder_ends) <= now_ps)
        ends_collect_holder(fluid, fluid->holder_ends.items[0].number, now_ps);
}

bool cs_ends_take(struct fluid *fluid, uint64_t now_ps, uint32_t *number)
{
    struct cs_heap *ends = &fluid->ends;
    struct cs_heap *through = &fluid->through;
    struct cs_heap *from = through;

    if (ends_top_ps(ends) <= now_ps &&
        (!through->count || ends->items[0].tie < through->items[0].key))
        from = ends;
    if (!from->count)
        return false;
    *number = from->items[0].number;
    cs_heap_remove(from, 0);
    return true;
}
