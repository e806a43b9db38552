/*
 * Noise: random delays that differ between runs, and slow ranks.
 *
 * - at message: delay of a message before it enters the network.
 * - at rank: late arrival of a rank at the collective; drawn once a run.
 * - at link: additional latency of a link; drawn once a run.
 *
 * A late rank arrives at the collective after a given time, in addition to the
 * terms at rank.
 *
 * A rank slowed by a share f takes 1 + f times as long for the bytes on the links
 * of its device (including bytes that pass through the device), for every sum and
 * every piece of work.  Latencies are unchanged.  Where a model has processors in
 * place of links, all work of the rank's processor and ports takes 1 + f times as
 * long.
 *
 * Noise adds time and never removes time, so lower bounds without noise hold with
 * noise.  (A run as a whole may still become slightly faster: a delayed message
 * may let a more urgent message pass.)
 *
 * Draws are functions of the seed and of the subject: rank, lane, round, number
 * of the op in the round, peer and block; or rank; or link.  Draws do not depend
 * on the order of events, so two algorithms, or two models, meet the same slow
 * ranks and links.
 */
#pragma once

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
    const double *slow;      /* by party: the share f; NULL: no slow party */
    uint64_t seed;           /* of this run */
    const uint64_t *late_ps; /* by rank: late arrival; NULL: no late rank */
};

/* Delay of a message before it enters the network. */
uint64_t cs_noise_message_ps(const struct cs_noise *noise, const struct cs_message *message);

/* Delay of a rank at the start of the collective. */
uint64_t cs_noise_rank_ps(const struct cs_noise *noise, uint32_t rank);

/* Whether messages or ranks are delayed in a run; else the noise is that of the net
 * (cs_noise_net) alone. */
bool cs_noise_delays(const struct cs_noise *noise);

/* Adds the noise to latencies and rates of parties: the net gets new arrays of
 * links and parties, in the arena. */
void cs_noise_net(const struct cs_noise *noise, struct cs_net *net, struct cs_arena *arena);

/* The seed of run `run`. */
uint64_t cs_noise_seed(uint64_t seed, uint64_t run);
