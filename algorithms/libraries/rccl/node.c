#include "algorithms/libraries/rccl/node.h"

#include "algorithms/libraries/nccl/call.h"
#include "algorithms/libraries/nccl/rates.h"

#include <strings.h>

static const char direct_name[] = "direct";
static const char ring_name[] = "ring";

/* Of the two schedules: name, protocol, and parameters. */
struct schedule {
    const char *engine, *protocol;
    unsigned base, rate;
};

static const struct schedule schedules[] = {
    {ring_name, "simple", CS_NCCL_P_RCCL_RING_BASE, CS_NCCL_P_RCCL_RING_RATE},
    {direct_name, "ll", CS_NCCL_P_RCCL_BASE, CS_NCCL_P_RCCL_DIRECT_RATE},
};

bool cs_rccl_is_direct(const char *engine)
{
    return engine && !strcasecmp(engine, direct_name);
}

static bool schedule_fits(const struct schedule *schedule, const struct cs_library_request *request)
{
    return (!request->engine || !strcasecmp(request->engine, schedule->engine)) &&
           (!request->protocol || !strcasecmp(request->protocol, schedule->protocol));
}

bool cs_rccl_node_serves(const struct cs_library_request *request)
{
    const struct cs_site *site = request->site;

    return site->maker == CS_MAKER_AMD && site->nodes == 1 && cs_nccl_by_links(site) &&
           site->ring_Bps > 0 &&
           (schedule_fits(&schedules[0], request) || schedule_fits(&schedules[1], request));
}

static struct cs_nccl_parts schedule_parts(const struct cs_nccl_case *at,
                                           const struct cs_site *site,
                                           const struct schedule *schedule)
{
    const struct cs_library_request *request = at->request;
    double factor = cs_collective_bus_factor(request->collective, site->ranks);
    double rate =
        cs_nccl_by_channels(at, site->ring_Bps / 1e9) * cs_nccl_value(at, CS_NCCL_P_NODE_WIRES);
    double bus_us = (double)request->bytes * factor / (1e3 * rate);

    return (struct cs_nccl_parts){.base = cs_nccl_value(at, schedule->base),
                                  .transfer = bus_us / cs_nccl_value(at, schedule->rate)};
}

static double schedule_us(const struct cs_nccl_case *at, const struct schedule *schedule)
{
    struct cs_nccl_parts parts = schedule_parts(at, cs_library_plan(at->request), schedule);

    return parts.base + parts.transfer;
}

void cs_rccl_node_time(const struct cs_nccl_case *at, struct cs_library_time *time)
{
    const struct cs_library_request *request = at->request;
    const struct schedule *best = &schedules[0];

    if (!schedule_fits(best, request) || (schedule_fits(&schedules[1], request) &&
                                          schedule_us(at, &schedules[1]) < schedule_us(at, best)))
        best = &schedules[1];
    time->engine = best->engine;
    time->protocol = best->protocol;
    cs_nccl_set_time(at, schedule_parts(at, request->site, best),
                     cs_nccl_value(at, CS_NCCL_P_LAUNCH_GPU), time);
}
