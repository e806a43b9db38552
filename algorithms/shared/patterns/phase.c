#include "algorithms/shared/patterns/phase.h"

/* Where a rank is on the circle. */
static inline uint32_t phase_position(const struct cs_circle *ring, uint32_t rank)
{
    return ring->step ? rank : ring->place[rank];
}

/* The rank `k` positions behind `position`, k <= p: without a division, which takes
 * longer than the rest. */
static inline uint32_t phase_behind(const struct cs_circle *ring, uint32_t position, uint64_t k)
{
    uint32_t back = (uint32_t)(ring->step ? k * ring->step % ring->p : k);
    uint32_t at = cs_behind(position, back, ring->p);

    return ring->step ? at : ring->order[at];
}

uint32_t cs_circle_behind(const struct cs_circle *ring, uint32_t rank, uint64_t k)
{
    return phase_behind(ring, phase_position(ring, rank), k < ring->p ? k : k % ring->p);
}

uint32_t cs_circle_distance(const struct cs_circle *ring, uint32_t from, uint32_t to)
{
    if (ring->step)
        return (uint32_t)((uint64_t)cs_behind(to, from, ring->p) *
                          cs_stride_inverse(ring->p, ring->step) % ring->p);
    return cs_behind(ring->place[to], ring->place[from], ring->p);
}

static struct cs_blocks phase_part_of(const struct cs_circle *ring, uint32_t owner)
{
    return cs_block(owner * ring->parts + ring->part);
}

void cs_circle_scatter_step(const struct cs_circle *ring, uint32_t rank, uint64_t k,
                            struct cs_ops *ops)
{
    uint32_t position = phase_position(ring, rank);

    cs_ops_send(ops, phase_behind(ring, position, ring->p - 1),
                phase_part_of(ring, phase_behind(ring, position, k + 1)));
    cs_ops_recv_reduce(ops, phase_behind(ring, position, 1),
                       phase_part_of(ring, phase_behind(ring, position, k + 2)));
}

void cs_circle_gather_step(const struct cs_circle *ring, uint32_t rank, uint64_t k,
                           struct cs_ops *ops)
{
    uint32_t position = phase_position(ring, rank);

    cs_ops_send(ops, phase_behind(ring, position, ring->p - 1),
                phase_part_of(ring, phase_behind(ring, position, k)));
    cs_ops_recv(ops, phase_behind(ring, position, 1),
                phase_part_of(ring, phase_behind(ring, position, k + 1)));
}

void cs_circle_step(const struct cs_circle *ring, uint32_t rank, uint64_t k, struct cs_ops *ops)
{
    if (k < ring->p - 1)
        cs_circle_scatter_step(ring, rank, k, ops);
    else
        cs_circle_gather_step(ring, rank, k - (ring->p - 1), ops);
}

/* The rotation by k + 1 gives every port one message out and one in per round. */
void cs_direct_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t owner = cs_ahead(rank, k + 1, p);

    cs_ops_send(ops, owner, cs_block(owner));
    cs_ops_recv_reduce(ops, cs_behind(rank, k + 1, p), cs_block(rank));
}

void cs_direct_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t owner = cs_behind(rank, k + 1, p);

    cs_ops_send(ops, cs_ahead(rank, k + 1, p), cs_block(rank));
    cs_ops_recv(ops, owner, cs_block(owner));
}

void cs_direct_scatter_all(uint32_t p, uint32_t rank, struct cs_ops *ops)
{
    for (uint32_t k = 0; k + 1 < p; k++)
        cs_direct_scatter_step(p, rank, k, ops);
}

void cs_direct_gather_all(uint32_t p, uint32_t rank, struct cs_ops *ops)
{
    for (uint32_t k = 0; k + 1 < p; k++)
        cs_direct_gather_step(p, rank, k, ops);
}

static uint32_t phase_member(const struct cs_members *members, uint32_t i)
{
    return members->at ? members->at(members->ctx, i) : i;
}

/* The aligned run of `count` (a power of two) blocks around block i. */
static struct cs_blocks phase_around(uint32_t i, uint32_t count)
{
    return (struct cs_blocks){i & ~(count - 1), count};
}

void cs_halving_scatter_step(const struct cs_members *members, uint32_t i, uint32_t k,
                             struct cs_ops *ops)
{
    uint32_t half = members->q >> (k + 1);
    uint32_t partner = i ^ half;

    cs_ops_send(ops, phase_member(members, partner), phase_around(partner, half));
    cs_ops_recv_reduce(ops, phase_member(members, partner), phase_around(i, half));
}

void cs_doubling_gather_step(const struct cs_members *members, uint32_t i, uint32_t k,
                             struct cs_ops *ops)
{
    uint32_t half = (uint32_t)1 << k;
    uint32_t partner = i ^ half;

    cs_ops_send(ops, phase_member(members, partner), phase_around(i, half));
    cs_ops_recv(ops, phase_member(members, partner), phase_around(partner, half));
}

/* s(k) of phase.h. */
static uint32_t circulant_span(uint32_t p, uint32_t k)
{
    return (uint32_t)(((uint64_t)p + ((uint64_t)1 << k) - 1) >> k);
}

void cs_circulant_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t kept = circulant_span(p, k + 1);
    uint32_t sent = circulant_span(p, k) - kept;
    uint32_t to = cs_ahead(rank, kept, p);

    cs_ops_send(ops, to, (struct cs_blocks){to, sent});
    cs_ops_recv_reduce(ops, cs_behind(rank, kept, p), (struct cs_blocks){rank, sent});
}

void cs_circulant_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t level = cs_log2_up(p) - 1 - k; /* the reverse order */
    uint32_t had = circulant_span(p, level + 1);
    uint32_t got = circulant_span(p, level) - had;
    uint32_t from = cs_ahead(rank, had, p);

    cs_ops_send(ops, cs_behind(rank, had, p), (struct cs_blocks){rank, got});
    cs_ops_recv(ops, from, (struct cs_blocks){from, got});
}

double cs_circulant_bytes(const struct cs_call *call)
{
    uint32_t p = call->ranks;
    double bytes = 0;

    for (uint32_t k = 0; k < cs_log2_up(p); k++)
        bytes += cs_longest_run_bytes(call, p, circulant_span(p, k) - circulant_span(p, k + 1));
    return bytes;
}

double cs_halving_bytes(const struct cs_call *call, uint32_t q)
{
    double bytes = 0;

    for (uint32_t count = q / 2; count > 0; count /= 2)
        bytes += cs_longest_run_bytes(call, q, count);
    return bytes;
}
