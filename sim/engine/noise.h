/*
 * Noise: what makes one run differ from the next, and slow ranks.
 *
 * - at message: a message enters the network so much later.
 * - at rank: a rank comes so much late to the collective; drawn once a run.
 * - at link: a link's latency is so much longer; drawn once a run.
 *
 * A rank that is slower by a share f takes 1 + f times as long for the bytes
 * that it puts on the links of its device (what others send through that
 * device too), for every sum and every piece of work.  Latencies stay.  Where
 * a model has processors in place of links, all that its processor and ports
 * do takes 1 + f times as long.
 *
 * Noise adds time and takes none away, so that what no algorithm can beat
 * without it holds with it.  (A run as a whole may become a little faster all
 * the same: who is held back may let a more urgent message pass.)
 *
 * Draws are functions of the seed and of what is drawn for: rank, lane, round,
 * number of the op in the round, peer and block, or rank, or link.  They do not depend on the order of events,
 * so two algorithms, or two models, meet the same ranks and links.
 */
#ifndef CS_SIM_ENGINE_NOISE_H
#define CS_SIM_ENGINE_NOISE_H

#include "sim/base/distribution.h"
#include "sim/engine/model.h"

enum cs_noise_at {
    CS_NOISE_MESSAGE,
    CS_NOISE_RANK,
    CS_NOISE_LINK,
    CS_NOISE_PLACES,
};

/* "message", "rank", "link" */
extern const char *const cs_noise_places[CS_NOISE_PLACES];

struct cs_noise_term {
    struct cs_distribution distribution;
    enum cs_noise_at at;
};

struct cs_noise {
    const struct cs_noise_term *terms;
    uint32_t count;
    const double *slow; /* by party: its share f; NULL: none is slow */
    uint64_t seed;      /* of this run */
};

/* What a message waits before it enters the network. */
uint64_t cs_noise_message_ps(const struct cs_noise *noise,
                             const struct cs_message *message);

/* By how much a rank comes late. */
uint64_t cs_noise_rank_ps(const struct cs_noise *noise, uint32_t rank);

/* Lengthens latencies and slows parties: the net gets links and parties of its
 * own, in the arena. */
void cs_noise_net(const struct cs_noise *noise, struct cs_net *net,
                  struct cs_arena *arena);

/* The same noise of another run: its seed. */
uint64_t cs_noise_seed(uint64_t seed, uint64_t run);

#endif
