#include "sim/fold/walk_state.h"

#include <string.h>

/* The time of the whole, where bounds meet. */
static bool settle_time(const struct pace *pace, struct cs_exec_result *result)
{
    uint32_t lanes = pace->fold->program.ranks * pace->fold->program.lanes;
    struct cs_path most = {0};
    uint64_t high_ps = 0;
    uint64_t longest_ps = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        const struct due *due = &pace->walkers[i].start;
        struct cs_path low = cs_sum_most(&due->low, &pace->circle);
        struct cs_path high = due->apart ? cs_sum_most(&due->high, &pace->circle) : low;

        if (cs_path_ps(&low) >= cs_path_ps(&most))
            most = low;
        if (cs_path_ps(&high) > high_ps)
            high_ps = cs_path_ps(&high);
        if (due->longest_ps > longest_ps)
            longest_ps = due->longest_ps;
    }
    /* The simulation must have come to the same, of the longest blocks. */
    if (high_ps != cs_path_ps(&most) || longest_ps != result->time_ps)
        return false;
    result->time_ps = high_ps;
    result->path = most;
    return true;
}

/* Prefix sums: messages of each piece become messages of all earlier pieces. */
static void sum_counts(const struct pace *pace)
{
    uint32_t pieces = pace->circle.pieces;

    for (uint32_t i = 0; i < pace->flow_count; i++) {
        uint32_t *count = pace->flows[i].count;
        uint32_t before = 0;

        for (uint32_t piece = 0; piece <= pieces; piece++) {
            uint32_t own = piece < pieces ? count[piece] : 0;

            count[piece] = before;
            before += own;
        }
    }
}

static uint32_t flow_messages(const struct pace *pace, const struct pace_flow *flow)
{
    return flow->count[pace->circle.pieces];
}

/* Messages of the flow that are long in that copy. */
static uint32_t long_messages(const struct pace *pace, const struct pace_flow *flow, uint32_t row)
{
    const struct cs_circle_of_pieces *circle = &pace->circle;
    uint32_t by = (uint32_t)((uint64_t)row * circle->step % circle->pieces);
    uint32_t first = by ? circle->pieces - by : 0;
    uint64_t end = (uint64_t)first + circle->longer;

    if (end <= circle->pieces)
        return flow->count[end] - flow->count[first];
    return flow_messages(pace, flow) - flow->count[first] + flow->count[end - circle->pieces];
}

/* The sum over short and long messages of the flow in that copy. */
static uint64_t flow_total(const struct pace *pace, const struct pace_flow *flow, uint32_t row,
                           const uint64_t each[2])
{
    uint64_t longs = long_messages(pace, flow, row);

    return longs * each[1] + (flow_messages(pace, flow) - longs) * each[0];
}

/* Bytes of all ranks, and the maximum of a rank; false on overflow of 64 bits. */
static bool settle_bytes(struct pace *pace, struct cs_exec_result *result)
{
    uint32_t ranks = pace->fold->group.orbits;
    uint64_t *bytes = cs_arena_alloc(&pace->arena, ranks, sizeof(*bytes));

    result->bytes_sent = result->bytes_sent_max = 0;
    for (uint32_t row = 0; row < pace->fold->group.rows; row++) {
        memset(bytes, 0, ranks * sizeof(*bytes));
        for (uint32_t i = 0; i < pace->flow_count; i++) {
            const struct pace_flow *flow = &pace->flows[i];
            uint32_t rank = flow->lane / pace->fold->program.lanes;

            bytes[rank] += flow_total(pace, flow, row, flow->bytes);
            if (bytes[rank] > result->bytes_sent_max)
                result->bytes_sent_max = bytes[rank];
        }
        for (uint32_t i = 0; i < ranks; i++)
            if (__builtin_add_overflow(result->bytes_sent, bytes[i], &result->bytes_sent))
                return false;
    }
    return true;
}

/* The flows over a link of a class, with the hop of the link in each flow. */
struct pace_crossing {
    uint32_t flow, hop;
    uint32_t next; /* or CS_NONE */
};

static uint32_t *find_crossings(struct pace *pace, struct pace_crossing **crossings)
{
    uint32_t classes = pace->fold->net.link_count;
    uint32_t *first = cs_arena_alloc(&pace->arena, classes, sizeof(*first));
    uint32_t count = 0;

    for (uint32_t i = 0; i < pace->flow_count; i++)
        count += pace->flows[i].hops;
    *crossings = cs_arena_alloc(&pace->arena, count + 1, sizeof(**crossings));
    for (uint32_t i = 0; i < classes; i++)
        first[i] = CS_NONE;
    for (uint32_t i = count = 0; i < pace->flow_count; i++)
        for (uint32_t hop = 0; hop < pace->flows[i].hops; hop++, count++) {
            uint32_t class = pace->flows[i].links[hop];

            (*crossings)[count] = (struct pace_crossing){i, hop, first[class]};
            first[class] = count;
        }
    return first;
}

/* The use of one link of a class: of that copy. */
static struct cs_link_use pace_use_of(const struct pace *pace, struct shift copy,
                                      const struct pace_crossing *crossings, uint32_t number)
{
    struct cs_link_use use = {0};

    for (; number != CS_NONE; number = crossings[number].next) {
        const struct pace_crossing *crossing = &crossings[number];
        const struct pace_flow *flow = &pace->flows[crossing->flow];
        struct shift back = inverse(&pace->fold->group, flow->copies[crossing->hop]);
        uint32_t row = compose(&pace->fold->group, copy, back).row;
        const uint64_t busy_ps[2] = {flow->trip[0].busy_ps[crossing->hop],
                                     flow->trip[1].busy_ps[crossing->hop]};

        use.busy_ps += flow_total(pace, flow, row, busy_ps);
        use.bytes += flow_total(pace, flow, row, flow->bytes);
        use.messages += flow_messages(pace, flow);
    }
    return use;
}

/* Of each class of links the busiest one; of equals the machine's first. */
static void settle_links(struct pace *pace, struct cs_exec_result *result)
{
    const struct quotient *quotient = pace->quotient;
    struct pace_crossing *crossings;
    uint32_t *first = find_crossings(pace, &crossings);

    for (uint32_t i = 0; i < pace->fold->net.link_count; i++)
        if (first[i] != CS_NONE)
            result->use[i] = (struct cs_link_use){0};
    for (uint32_t i = 0; i < quotient->net->link_count; i++) {
        struct place place = place_of(&quotient->link, i);
        uint32_t class = quotient->link.class_of[place.number] - 1;
        struct cs_link_use use;

        if (class == CS_NONE || first[class] == CS_NONE)
            continue;
        use = pace_use_of(pace, copy_of(&quotient->group, &quotient->link, place), crossings,
                          first[class]);
        if (use.busy_ps <= result->use[class].busy_ps)
            continue;
        result->use[class] = use;
        pace->fold->link[class] = i;
    }
}

bool cs_pace_settle(struct pace *pace, struct cs_exec_result *result)
{
    if (!settle_time(pace, result))
        return false;
    sum_counts(pace);
    if (!settle_bytes(pace, result))
        return false;
    settle_links(pace, result);
    return true;
}
