/*
 * Noise: what makes one run differ from the next, and slow ranks.
 *
 * - at message: a message enters the network so much later.
 * - at rank: a rank comes so much late to the collective; drawn once a run.
 * - at link: a link's latency is so much longer; drawn once a run.
 *
 * A rank that is slower by a share f takes 1 + f times as long for every
 * message that it sends, as if its way were free (the extra time is spent
 * before it enters the network), and for every sum and every piece of work.
 *
 * Draws are functions of the seed and of what is drawn for: rank, lane, round,
 * peer and block, or rank, or link.  They do not depend on the order of events,
 * so two algorithms, or two models, meet the same ranks and links.
 */
#ifndef CS_SIM_NOISE_H
#define CS_SIM_NOISE_H

#include "sim/base/law.h"
#include "sim/traffic.h"

enum cs_noise_at {
    CS_NOISE_MESSAGE,
    CS_NOISE_RANK,
    CS_NOISE_LINK,
    CS_NOISE_PLACES,
};

/* "message", "rank", "link" */
extern const char *const cs_noise_places[CS_NOISE_PLACES];

struct cs_noise_term {
    struct cs_law law;
    enum cs_noise_at at;
};

struct cs_noise {
    const struct cs_noise_term *terms;
    uint32_t count;
    const double *slow; /* by party: its share f; NULL: none is slow */
    uint64_t seed;      /* of this run */
};

/* What a message waits before it enters the network; `alone_ps` is what its
 * transfer takes on a free way. */
uint64_t cs_noise_message_ps(const struct cs_noise *noise,
                             const struct cs_message *message,
                             uint64_t alone_ps);

/* By how much a rank comes late. */
uint64_t cs_noise_rank_ps(const struct cs_noise *noise, uint32_t rank);

/* What work of that length takes on that party. */
uint64_t cs_noise_work_ps(const struct cs_noise *noise, uint32_t party,
                          uint64_t work_ps);

/* Lengthens the latencies: the net gets links of its own, in the arena. */
void cs_noise_links(const struct cs_noise *noise, struct cs_net *net,
                    struct cs_arena *arena);

#endif
