#include "algorithms/shared/rings/node_rings.h"
#include "sim/base/order.h"

#include <stdlib.h>

/* Two slots; a < b. */
struct near_pair {
    double s_per_byte;
    uint32_t a, b;
};

/* Chains of slots: each slot's chain, and the next slot of the chain. */
struct near_chains {
    uint32_t *head, *tail, *next; /* `head` of a slot; `tail` of a head */
};

enum {
    NEAR_END = UINT32_MAX
};

double cs_near_route_s(const struct cs_ring_nodes *nodes, uint32_t a, uint32_t b)
{
    const struct cs_net *net = nodes->net;
    uint32_t hops = net->route(net->route_ctx, nodes->rank[a], nodes->rank[b], nodes->links);
    double sum_s = 0;

    for (uint32_t i = 0; i < hops; i++)
        sum_s += 1 / cs_net_link_at(net, nodes->links[i]).rate_Bps;
    return sum_s;
}

/* Sums of equal rates in another order differ in the last bits; whole attoseconds
 * remove the difference. */
static uint64_t near_attoseconds(double s_per_byte)
{
    return (uint64_t)(s_per_byte * 1e18 + 0.5);
}

static int compare_pairs(const void *left, const void *right)
{
    const struct near_pair *x = left;
    const struct near_pair *y = right;
    uint64_t xs = near_attoseconds(x->s_per_byte);
    uint64_t ys = near_attoseconds(y->s_per_byte);

    return CS_ORDER({xs, ys}, {x->a, y->a}, {x->b, y->b});
}

/* Appends the chain with the larger head. */
static void join_chains(struct near_chains *chains, uint32_t first, uint32_t second)
{
    if (second < first) {
        uint32_t head = first;

        first = second;
        second = head;
    }
    chains->next[chains->tail[first]] = second;
    chains->tail[first] = chains->tail[second];
    for (uint32_t i = second; i != NEAR_END; i = chains->next[i])
        chains->head[i] = first;
}

static struct near_pair *sorted_pairs(const struct cs_ring_nodes *nodes, size_t *count,
                                      struct cs_arena *scratch)
{
    uint32_t n = nodes->group;
    struct near_pair *pairs = cs_arena_alloc(scratch, (size_t)n * n / 2, sizeof(*pairs));

    *count = 0;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            pairs[(*count)++] = (struct near_pair){
                cs_near_route_s(nodes, a, b) + cs_near_route_s(nodes, b, a), a, b};
    qsort(pairs, *count, sizeof(*pairs), compare_pairs);
    return pairs;
}

void cs_near_order(const struct cs_ring_nodes *nodes, uint32_t *order, struct cs_arena *scratch)
{
    uint32_t n = nodes->group;
    struct near_chains chains = {.head = cs_arena_alloc(scratch, n, sizeof(uint32_t)),
                                 .tail = cs_arena_alloc(scratch, n, sizeof(uint32_t)),
                                 .next = cs_arena_alloc(scratch, n, sizeof(uint32_t))};
    size_t count, k;
    const struct near_pair *pairs = sorted_pairs(nodes, &count, scratch);

    for (uint32_t i = 0; i < n; i++) {
        chains.head[i] = chains.tail[i] = i;
        chains.next[i] = NEAR_END;
    }
    for (k = 0; k < count; k++)
        if (chains.head[pairs[k].a] != chains.head[pairs[k].b])
            join_chains(&chains, chains.head[pairs[k].a], chains.head[pairs[k].b]);
    for (uint32_t i = 0; i != NEAR_END; i = chains.next[i])
        *order++ = i;
}
