#include "topo/graph/tie.h"

#include "sim/base/random.h"
#include "sim/net/net.h"

/* The hash of a pair, or of a part of its messages, for all devices. */
static uint64_t tie_hash(const struct cs_graph *graph, struct cs_tie_pair pair)
{
    struct cs_route_choice choice = {.seed = graph->route_seed};

    if (graph->choice && graph->choice->by == CS_CHOOSE_HASHED)
        choice = *graph->choice;
    choice.seed = cs_mix64(choice.seed);
    return cs_route_choice_hash(&choice, (uint64_t)pair.src << 32 | pair.dst);
}

uint32_t cs_tie_choose(const struct cs_graph *graph, struct cs_tie_pair pair, uint32_t device,
                       uint32_t ties)
{
    uint32_t party = pair.src, sum = 0;

    if (graph->hashes_routes)
        return (uint32_t)(cs_mix64(tie_hash(graph, pair) + device) % ties);
    for (; party; party /= ties)
        sum = (sum + party % ties) % ties;
    return sum;
}
