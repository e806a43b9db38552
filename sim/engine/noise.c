#include "sim/engine/noise.h"

#include "sim/base/random.h"

#include <string.h>

const char *const cs_noise_places[CS_NOISE_PLACES] = {"message", "rank", "link"};

/* The sum of all terms for one subject, identified by `key`. */
static uint64_t draw_ps(const struct cs_noise *noise, enum cs_noise_at at, uint64_t key)
{
    uint64_t sum_ps = 0;

    for (uint32_t i = 0; i < noise->count; i++) {
        const struct cs_noise_term *term = &noise->terms[i];
        uint64_t bits = cs_mix64(cs_mix64(noise->seed + i + 1) ^ cs_mix64(key));

        if (term->at == at)
            sum_ps = cs_time_after(sum_ps, cs_distribution_draw_ps(&term->distribution, bits));
    }
    return sum_ps;
}

static uint64_t noise_fold(uint64_t hash, uint64_t value)
{
    return cs_mix64(cs_mix64(hash + UINT64_C(0x9e3779b97f4a7c15)) + value);
}

uint64_t cs_noise_message_ps(const struct cs_noise *noise, const struct cs_message *message)
{
    uint64_t key = noise_fold(message->src, message->dst);

    key = noise_fold(noise_fold(key, message->channel), message->round);
    key = noise_fold(noise_fold(key, message->lane),
                     (uint64_t)message->op << 32 | message->blocks.first);
    return draw_ps(noise, CS_NOISE_MESSAGE, key);
}

uint64_t cs_noise_rank_ps(const struct cs_noise *noise, uint32_t rank)
{
    return cs_time_after(noise->late_ps ? noise->late_ps[rank] : 0,
                         draw_ps(noise, CS_NOISE_RANK, rank));
}

bool cs_noise_delays(const struct cs_noise *noise)
{
    uint32_t i = 0;

    while (i < noise->count && noise->terms[i].at == CS_NOISE_LINK)
        i++;
    return i < noise->count || noise->late_ps;
}

/* All durations of the party grow by the share. */
static void slow_party(struct cs_net *net, uint32_t party, double slow)
{
    net->parties[party].slow = slow;
    for (uint32_t i = 0; i < net->link_count; i++)
        if (net->links[i].from == net->parties[party].node)
            net->links[i].rate_Bps /= 1 + slow;
}

void cs_noise_net(const struct cs_noise *noise, struct cs_net *net, struct cs_arena *arena)
{
    struct cs_net_link *links = cs_arena_alloc(arena, net->link_count, sizeof(*links));
    struct cs_net_party *parties = cs_arena_alloc(arena, net->party_count, sizeof(*parties));

    memcpy(links, net->links, net->link_count * sizeof(*links));
    memcpy(parties, net->parties, net->party_count * sizeof(*parties));
    net->links = links;
    net->parties = parties;
    for (uint32_t i = 0; i < net->link_count; i++)
        links[i].latency_ps = cs_time_after(links[i].latency_ps, draw_ps(noise, CS_NOISE_LINK, i));
    for (uint32_t i = 0; i < net->party_count && noise->slow; i++)
        if (noise->slow[i] > 0)
            slow_party(net, i, noise->slow[i]);
    cs_net_finish(net);
}

uint64_t cs_noise_seed(uint64_t seed, uint64_t run)
{
    return cs_mix64(cs_mix64(seed) + run);
}
