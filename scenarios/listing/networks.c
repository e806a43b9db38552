#include "algorithms/libraries/nccl/constants.h"
#include "algorithms/libraries/nccl/network.h"
#include "algorithms/libraries/nccl/parameters.h"
#include "scenarios/listing/listing.h"
#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"

struct network_row {
    const struct cs_network_kind *kind;
    const char *bare, *tcp, *links, *protocols, *source;
    double step_s, full_s, share, stated_s;
};

#define KIND(member) CS_VIA(struct network_row, kind, member)
#define ROW(member)  CS_AT(struct network_row, member)
static const struct cs_sheet_column network_columns[] = {
    CS_LISTED("network", TEXT, KIND(name)),
    CS_LISTED("description", TEXT, KIND(about)),
    CS_LISTED("links", TEXT, ROW(links)),
    CS_LISTED("NCCL plugin", TEXT, KIND(plugin)),
    CS_LISTED("without it", TEXT, ROW(bare)),
    CS_LISTED("NCCL_NET=Socket", TEXT, ROW(tcp)),
    CS_LISTED("step beyond verbs", SECONDS, ROW(step_s)),
    CS_LISTED("growth of a full step", SECONDS, ROW(full_s)),
    CS_LISTED("rate of payload", SHARE, ROW(share)),
    CS_LISTED("stated to NCCL", SECONDS, ROW(stated_s)),
    CS_LISTED("protocols", TEXT, ROW(protocols)),
    CS_LISTED("source", TEXT, ROW(source)),
};

static const char *network_links(enum cs_network_id id, struct cs_arena *arena)
{
    const char *links = "";

    for (size_t k = 0; k < cs_link_kind_count; k++)
        if (cs_link_kinds[k].network == id)
            links =
                cs_arena_printf(arena, "%s%s%s", links, *links ? " " : "", cs_link_kinds[k].name);
    return links;
}

static const char *network_protocols(unsigned set, struct cs_arena *arena)
{
    const char *names = "";

    for (int p = 0; p < CS_NCCL_PROTOCOLS; p++)
        if (!set || set & 1u << p)
            names = cs_arena_printf(arena, "%s%s%s", names, *names ? " " : "",
                                    cs_nccl_protocol_name((enum cs_nccl_protocol)p));
    return names;
}

/* Microseconds as seconds. */
static double network_cost_s(unsigned parameter)
{
    return parameter ? cs_nccl_parameters[parameter] * 1e-6 : 0;
}

static int fill_networks(struct cs_sheet *sheet, struct cs_err *err)
{
    struct cs_arena *arena = &sheet->arena;

    (void)err;
    for (int id = CS_NET_NONE + 1; id < CS_NETWORKS; id++) {
        const struct cs_network_kind *kind = &cs_networks[id];
        const struct cs_nccl_network *nccl =
            cs_nccl_network_of(&(struct cs_site){.net = (enum cs_network_id)id});
        double step_s = network_cost_s(nccl->step);

        cs_sheet_row(sheet,
                     &(struct network_row){
                         .kind = kind,
                         .bare = *kind->plugin ? cs_networks[kind->bare].name : "",
                         .tcp = cs_networks[kind->tcp].name,
                         .links = network_links((enum cs_network_id)id, arena),
                         .protocols = network_protocols(nccl->protocols, arena),
                         .step_s = step_s,
                         .full_s = nccl->data ? network_cost_s(nccl->data)
                                              : step_s * cs_nccl_parameters[CS_NCCL_P_PLUGIN_DATA],
                         .share = cs_nccl_parameters[nccl->rate],
                         .stated_s = nccl->stated_us * 1e-6,
                         .source = cs_arena_printf(
                             arena, "%s%s%s; rate: %s", kind->source, nccl->step ? "; step: " : "",
                             nccl->step ? cs_nccl_parameter_set.items[nccl->step].cause : "",
                             cs_nccl_parameter_set.items[nccl->rate].cause),
                     });
    }
    return 0;
}

const struct cs_listing cs_listing_networks = {
    .name = "networks",
    .about = "networks between nodes, their costs in NCCL and RCCL",
    .columns = network_columns,
    .column_count = sizeof(network_columns) / sizeof(*network_columns),
    .fill = fill_networks,
};
