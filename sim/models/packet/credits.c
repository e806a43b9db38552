#include "sim/models/packet/credits.h"

#include "sim/base/mem.h"

#include <assert.h>
#include <stdlib.h>

void cs_credits_open(struct cs_credits *credits)
{
    *credits = (struct cs_credits){.unused = CS_CREDIT_NONE};
}

void cs_credits_close(struct cs_credits *credits)
{
    free(credits->links);
    free(credits->pool);
}

uint32_t cs_credits_add(struct cs_credits *credits, uint32_t links)
{
    uint32_t first = credits->link_count;

    credits->link_count += links;
    assert(credits->link_count >= first);
    if (credits->link_count > credits->link_capacity) {
        credits->link_capacity =
            credits->link_count < UINT32_MAX / 2 ? 2 * credits->link_count : UINT32_MAX;
        credits->links = cs_grow(credits->links, credits->link_capacity, sizeof(*credits->links));
    }
    for (uint32_t i = first; i < credits->link_count; i++)
        credits->links[i] =
            (struct cs_credit_link){.first = CS_CREDIT_NONE, .last = CS_CREDIT_NONE};
    return first;
}

void cs_credits_resize(struct cs_credits *credits, uint32_t link, uint64_t size_bytes)
{
    struct cs_credit_link *at = &credits->links[link];

    (void)cs_credits_fit(credits, link, 0, UINT64_MAX);
    assert(at->room_bytes == at->size_bytes);
    at->room_bytes = at->size_bytes = size_bytes;
}

static uint32_t new_credit(struct cs_credits *credits)
{
    uint32_t i = credits->unused;

    if (i != CS_CREDIT_NONE) {
        credits->unused = credits->pool[i].after;
        return i;
    }
    if (credits->pool_count == credits->pool_capacity) {
        credits->pool_capacity = credits->pool_capacity ? 2 * credits->pool_capacity : 64;
        credits->pool = cs_grow(credits->pool, credits->pool_capacity, sizeof(*credits->pool));
    }
    return credits->pool_count++;
}

/* The first entry of the link has returned. */
static void credits_collect(struct cs_credits *credits, struct cs_credit_link *link)
{
    uint32_t number = link->first;
    struct cs_credit *credit = &credits->pool[number];

    link->room_bytes += credit->bytes;
    assert(link->room_bytes <= link->size_bytes);
    link->first = credit->after;
    if (link->first == CS_CREDIT_NONE)
        link->last = CS_CREDIT_NONE;
    else
        credits->pool[link->first].before = CS_CREDIT_NONE;
    credit->after = credits->unused;
    credits->unused = number;
}

bool cs_credits_fit(struct cs_credits *credits, uint32_t link, uint32_t bytes, uint64_t now_ps)
{
    struct cs_credit_link *at = &credits->links[link];

    while (at->first != CS_CREDIT_NONE && credits->pool[at->first].at_ps <= now_ps)
        credits_collect(credits, at);
    return bytes <= at->room_bytes;
}

void cs_credits_take(struct cs_credits *credits, uint32_t link, uint32_t bytes)
{
    assert(bytes <= credits->links[link].room_bytes);
    credits->links[link].room_bytes -= bytes;
}

void cs_credits_give(struct cs_credits *credits, uint32_t link, uint32_t bytes, uint64_t at_ps)
{
    struct cs_credit_link *at = &credits->links[link];
    uint32_t number = new_credit(credits);
    uint32_t before = at->last;
    uint32_t after = CS_CREDIT_NONE;

    while (before != CS_CREDIT_NONE && credits->pool[before].at_ps > at_ps) {
        after = before;
        before = credits->pool[before].before;
    }
    credits->pool[number] = (struct cs_credit){at_ps, bytes, before, after};
    if (before == CS_CREDIT_NONE)
        at->first = number;
    else
        credits->pool[before].after = number;
    if (after == CS_CREDIT_NONE)
        at->last = number;
    else
        credits->pool[after].before = number;
}

uint64_t cs_credits_next_ps(const struct cs_credits *credits, uint32_t link)
{
    uint32_t first = credits->links[link].first;

    return first == CS_CREDIT_NONE ? UINT64_MAX : credits->pool[first].at_ps;
}
