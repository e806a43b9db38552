#include "algorithms/libraries/nccl/interval.h"

#include "algorithms/libraries/nccl/rates.h"

#include <math.h>

const struct cs_nccl_intervals cs_nccl_intervals = {{
#define INTERVAL(identifier, name, w0, w1, w2, w3) {w0, w1, w2, w3},
#include "algorithms/libraries/nccl/intervals.def"
#undef INTERVAL
}};

static const char *const class_names[CS_NCCL_INTERVAL_CLASSES] = {
#define INTERVAL(identifier, name, w0, w1, w2, w3) name,
#include "algorithms/libraries/nccl/intervals.def"
#undef INTERVAL
};

static const char *const size_names[CS_NCCL_INTERVAL_SIZES] = {"below 64 KiB", "64 KiB-1 MiB",
                                                               "1-64 MiB", "from 64 MiB"};

const char *cs_nccl_interval_class_name(unsigned interval_class)
{
    return class_names[interval_class];
}

const char *cs_nccl_interval_size_name(unsigned size)
{
    return size_names[size];
}

enum cs_nccl_interval_class cs_nccl_interval_class(const struct cs_site *site)
{
    if (site->nodes > 1 && cs_network_is_tcp(site->net))
        return CS_NCCL_INTERVAL_SOCKETS;
    if (site->nodes > 1)
        return site->gdr && cs_network_is_verbs(site->net) ? CS_NCCL_INTERVAL_VERBS
                                                           : CS_NCCL_INTERVAL_PLUGINS;
    if (cs_nccl_by_links(site))
        return CS_NCCL_INTERVAL_LINKS;
    return cs_nccl_staged(site) ? CS_NCCL_INTERVAL_STAGED : CS_NCCL_INTERVAL_PEERS;
}

unsigned cs_nccl_interval_size(uint64_t bytes)
{
    return bytes < 64 << 10 ? 0 : bytes < 1 << 20 ? 1 : bytes < 64 << 20 ? 2 : 3;
}

bool cs_nccl_slow_end(const struct cs_library_request *request, struct cs_site *site)
{
    bool copies = site->nodes == 1 && cs_nccl_staged(site) && site->iommu == CS_SITE_UNSPECIFIED;
    bool early = site->nodes > 1 && site->net == CS_NET_TCPXO &&
                 site->tcpxo == CS_SITE_UNSPECIFIED && !request->protocol;
    /* A user sets the level to SYS for adapters on another socket, or, where GPUs have NVSwitches,
     * for virtual machines, whose paths are not those of the board. */
    bool far = site->nodes > 1 && site->gdr_anywhere && site->gdr && !site->has_switch &&
               site->far == CS_SITE_UNSPECIFIED;

    if (copies)
        site->iommu = CS_SITE_SLOW;
    if (early)
        site->tcpxo = CS_SITE_SLOW;
    if (far)
        site->far = CS_SITE_SLOW;
    return copies || early || far;
}

void cs_nccl_set_interval(const struct cs_library_request *request,
                          const struct cs_nccl_intervals *intervals, struct cs_library_time *time)
{
    double width =
        intervals
            ->half[cs_nccl_interval_class(request->site)][cs_nccl_interval_size(request->bytes)];

    time->low_s = time->total_s * exp(-width);
    time->high_s = fmax(time->total_s, time->open_s) * exp(width);
}
