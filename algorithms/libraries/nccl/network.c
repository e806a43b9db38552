#include "algorithms/libraries/nccl/network.h"

#include "algorithms/libraries/nccl/constants.h"
#include "algorithms/libraries/nccl/parameters.h"

/* Names in the entries. */
enum {
    RING = 1 << CS_NCCL_RING,
    TREE = 1 << CS_NCCL_TREE,
    SIMPLE = 1 << CS_NCCL_SIMPLE,
    LL128 = 1 << CS_NCCL_LL128,
};
#define P(parameter)    CS_NCCL_P_##parameter
#define TUNER(instance) CS_NCCL_TUNER_##instance
#define MEMBERS_OF(...) __VA_ARGS__

static const struct cs_nccl_network networks[CS_NETWORKS] = {
    [CS_NET_NONE] = {.rate = P(VERBS_RATE)},
#define NETWORK(identifier, name, stem, carrier, plugin, bare, tcp, nccl, about, source) \
    [CS_NET_##identifier] = {MEMBERS_OF nccl},
#include "topo/kinds/networks.def"
#undef NETWORK
};

const struct cs_nccl_network *cs_nccl_network_of(const struct cs_site *site)
{
    return &networks[site->net];
}
