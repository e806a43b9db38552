#include "algorithms/libraries/nccl_library.h"
#include "algorithms/libraries/nccl_rates.h"

#include <math.h>

/* Classes of machines with a common spread. */
enum interval_class {
    INTERVAL_LINKS,   /* a node with NVLink or xGMI */
    INTERVAL_PEERS,   /* a node with PCIe peers */
    INTERVAL_STAGED,  /* a node with copies through host memory */
    INTERVAL_VERBS,   /* nodes with GPUDirect over InfiniBand or RoCE */
    INTERVAL_PLUGINS, /* nodes with other networks or without GPUDirect */
    INTERVAL_CLASSES,
};

enum {
    INTERVAL_SIZES = 4, /* below 64 KiB, below 1 MiB, below 64 MiB, above */
};

/* Half widths of ln(time): 90 % of the rows of sites left out of the estimate,
 * tables weighing the same, healthy tables of validate/data/published. */
static const double half_widths[INTERVAL_CLASSES][INTERVAL_SIZES] = {
    [INTERVAL_LINKS] = {.38, .45, .43, .45},
    [INTERVAL_PEERS] = {.53, .70, .40, .40},
    [INTERVAL_STAGED] = {.64, .87, 1, 1},
    [INTERVAL_VERBS] = {.80, .61, .80, .43},
    [INTERVAL_PLUGINS] = {1.5, 1.3, .8, .72},
};

static enum interval_class interval_class_of(const struct cs_site *site)
{
    if (site->nodes > 1)
        return site->gdr && (site->net == CS_NET_IB || site->net == CS_NET_ROCE)
                   ? INTERVAL_VERBS
                   : INTERVAL_PLUGINS;
    if (cs_nccl_by_links(site))
        return INTERVAL_LINKS;
    return cs_nccl_staged(site) ? INTERVAL_STAGED : INTERVAL_PEERS;
}

static unsigned interval_size_of(uint64_t bytes)
{
    return bytes < 64 << 10   ? 0
           : bytes < 1 << 20  ? 1
           : bytes < 64 << 20 ? 2
                              : 3;
}

void cs_nccl_set_interval(const struct cs_library_request *request,
                          struct cs_library_time *time)
{
    double width = half_widths[interval_class_of(request->site)]
                              [interval_size_of(request->bytes)];

    time->low_s = time->total_s * exp(-width);
    time->high_s = time->total_s * exp(width);
}
