/*
 * Credits: the free space in the buffer at the far end of each link.
 *
 * A sender takes credits for the bytes that it puts on the link; credits return
 * some time after the bytes have left the buffer.  The return is no event:
 * returning credits are a list for each link, in order of time, which is scanned
 * when the sender asks for space.
 *
 *     take   O(1 + returned credits)
 *     give   O(1), O(returning credits) if the credit overtakes others
 *
 * Invariant: space + taken + returning is the size of the buffer; space is never
 * above the size and never negative.  Entries come from a pool, which grows to
 * the largest number of credits that returned at once.  A link is any buffer
 * with one sender.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_CREDIT_NONE = UINT32_MAX
};

/* Returning bytes. */
struct cs_credit {
    uint64_t at_ps;
    uint32_t bytes;
    uint32_t before, after; /* in the list of the link */
};

struct cs_credit_link {
    uint64_t room_bytes;
    uint64_t size_bytes;
    uint32_t first, last; /* returning credits */
};

struct cs_credits {
    struct cs_credit_link *links;
    uint32_t link_count, link_capacity;
    struct cs_credit *pool;
    uint32_t pool_count, pool_capacity;
    uint32_t unused; /* list of free entries */
};

/* No links; zeroed credits can be closed, too. */
void cs_credits_open(struct cs_credits *credits);
void cs_credits_close(struct cs_credits *credits);

/* Adds `links` of size 0; returns the number of the first.  O(1) each. */
uint32_t cs_credits_add(struct cs_credits *credits, uint32_t links);

/* An empty buffer of that size: no credit may be taken.  Returning credits return
 * at once. */
void cs_credits_resize(struct cs_credits *credits, uint32_t link, uint64_t size_bytes);

/* Is there room for `bytes` at `now_ps`?  Times must not go backwards. */
bool cs_credits_fit(struct cs_credits *credits, uint32_t link, uint32_t bytes, uint64_t now_ps);

/* Takes space after a successful cs_credits_fit(). */
void cs_credits_take(struct cs_credits *credits, uint32_t link, uint32_t bytes);

/* Taken bytes return at `at_ps`. */
void cs_credits_give(struct cs_credits *credits, uint32_t link, uint32_t bytes, uint64_t at_ps);

/* The time of the next return, or UINT64_MAX if no credit returns. */
uint64_t cs_credits_next_ps(const struct cs_credits *credits, uint32_t link);
