/*
 * Credits: how much room is left in the buffer at the far end of each link.
 *
 * A sender takes credits for what it puts on the link, and they are given back
 * some time after the bytes have left the buffer.  Coming back is no event:
 * what is on its way back is a list for each link, in order of time, which is
 * looked through when somebody asks.
 *
 *     take   O(1 + what has come back)
 *     give   O(1), O(what is on its way back) if it overtakes others
 *
 * Invariant: room + taken + on the way back is the buffer's size; room is never
 * more than that and never less than nothing.  Entries come from a pool, which
 * grows to the most that were ever on their way at once.  A link is any buffer
 * with one who sends to it.
 */
#ifndef CS_SIM_MODELS_PACKET_CREDITS_H
#define CS_SIM_MODELS_PACKET_CREDITS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_CREDIT_NONE = UINT32_MAX
};

/* Bytes on their way back. */
struct cs_credit {
    uint64_t at_ps;
    uint32_t bytes;
    uint32_t before, after; /* it, in the list of its link */
};

struct cs_credit_link {
    uint64_t room_bytes;
    uint64_t size_bytes;
    uint32_t first, last; /* on their way back */
};

struct cs_credits {
    struct cs_credit_link *links;
    uint32_t link_count, link_capacity;
    struct cs_credit *pool;
    uint32_t pool_count, pool_capacity;
    uint32_t unused; /* list of free entries */
};

/* No links; one that is zeroed can be closed too. */
void cs_credits_open(struct cs_credits *credits);
void cs_credits_close(struct cs_credits *credits);

/* `links` more, of no size; the number of the first.  O(1) each. */
uint32_t cs_credits_add(struct cs_credits *credits, uint32_t links);

/* A buffer of that size, empty: nothing is taken.  What is on its way back is
 * there at once. */
void cs_credits_resize(struct cs_credits *credits, uint32_t link,
                       uint64_t size_bytes);

/* Is there room for `bytes` at `now_ps`?  Times must not go backwards. */
bool cs_credits_fit(struct cs_credits *credits, uint32_t link, uint32_t bytes,
                    uint64_t now_ps);

/* Takes room that was found to be there. */
void cs_credits_take(struct cs_credits *credits, uint32_t link, uint32_t bytes);

/* What was taken will be there again at `at_ps`. */
void cs_credits_give(struct cs_credits *credits, uint32_t link, uint32_t bytes,
                     uint64_t at_ps);

/* When more will be there, or UINT64_MAX while nothing is on its way. */
uint64_t cs_credits_next_ps(const struct cs_credits *credits, uint32_t link);

#endif
