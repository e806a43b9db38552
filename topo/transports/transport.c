#include "topo/transports/transport.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/net/net.h"
#include "topo/documents/values.h"
#include "topo/documents/yaml.h"
#include "topo/graph/link_family.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SLICES_MAX = 1024 /* as of --slices */
};

/* ---- reading ---- */

#define VALUE(name, form, member, ...) \
    CS_VALUE(name, form, struct cs_transport, member, __VA_ARGS__)

/* "'wires' is 'included' or 'added', not 'x'" */
static int read_either(const struct cs_value *as, const char *text, void *member,
                       struct cs_err *err)
{
    if (!cs_value_either(as, text, member, NULL))
        return 0;
    return cs_err_set(err, CS_EINPUT, "'%s' is '%s' or '%s', not '%.40s'", as->name, as->words[1],
                      as->words[0], text);
}

static const struct cs_value transport_values[] = {
    VALUE("name", cs_value_text, name),
    VALUE("about", cs_value_text, about),
    VALUE("source", cs_value_text, source),
    VALUE("payload", cs_value_fraction, payload),
    VALUE("launch", cs_value_time, launch_ps),
    VALUE("sends", read_either, eager, .words = {"delivered", "eager"}, .is_complete = true),
    VALUE("wires", read_either, includes_wires, .words = {"added", "included"},
          .is_complete = true),
    {.name = "steps"},
    VALUE("inject", cs_value_rate, inject_Bps),
    VALUE("reduce", cs_value_rate, reduce_Bps),
    VALUE("reduce-overhead", cs_value_time, reduce_overhead_ps),
    VALUE("slices", cs_value_count, slices, .most = SLICES_MAX),
};

static const struct cs_value step_values[CS_HOPS] = {
    [CS_HOP_DIRECT] = VALUE("direct", cs_value_time, step_ps[CS_HOP_DIRECT]),
    [CS_HOP_PCIE] = VALUE("pcie", cs_value_time, step_ps[CS_HOP_PCIE]),
    [CS_HOP_NETWORK] = VALUE("network", cs_value_time, step_ps[CS_HOP_NETWORK]),
};

int cs_transport_read(const struct cs_doc *doc, struct cs_transport *transport, struct cs_err *err)
{
    uint32_t steps = CS_DOC_NONE;

    *transport = (struct cs_transport){.about = "", .payload = 1, .slices = 1};
    if (cs_doc_read_values(doc, 0, "a transport", CS_VALUES(transport_values), transport, err))
        return CS_EINPUT;
    if (!transport->name || !transport->source)
        return cs_doc_err(doc, 0, err, "a transport requires '%s:'",
                          transport->name ? "source" : "name");
    steps = cs_doc_get(doc, 0, "steps");
    return steps == CS_DOC_NONE
               ? 0
               : cs_doc_read_values(doc, steps, "'steps'", (struct cs_values){step_values, CS_HOPS},
                                    transport, err);
}

static const struct cs_library_file *built_in(const char *name)
{
    for (size_t i = 0; i < cs_transport_count; i++)
        if (cs_same(cs_transports[i].name, name))
            return &cs_transports[i];
    return NULL;
}

static int transport_refuse(const char *name, struct cs_err *err)
{
    const char *names[64];
    size_t count = cs_transport_count < 64 ? cs_transport_count : 64;

    for (size_t i = 0; i < count; i++)
        names[i] = cs_transports[i].name;
    return cs_err_set(
        err, CS_EINPUT, "no transport called '%.40s'%s", name,
        cs_hint(name, names, count,
                "'collsim list transports' shows all; the name of a file has a '.' or '/'")
            .text);
}

int cs_transport_open(const char *name, struct cs_transport *transport, struct cs_arena *arena,
                      struct cs_err *err)
{
    const struct cs_library_file *file = built_in(name);
    struct cs_doc doc;
    int code;

    if (file)
        code = cs_yaml_read_text((struct cs_doc_text){file->name, file->text, file->length}, &doc,
                                 arena, err);
    else if (strpbrk(name, "./"))
        code = cs_yaml_read_file(name, &doc, arena, err);
    else
        code = transport_refuse(name, err);
    return code ? code : cs_transport_read(&doc, transport, err);
}

/* ---- the machine ---- */

void cs_transport_fit(const struct cs_transport *transport, struct cs_graph *graph)
{
    for (uint32_t i = 0; i < graph->wire_count; i++) {
        graph->wires[i].efficiency *= transport->payload;
        if (transport->includes_wires)
            graph->wires[i].latency_ps = 0;
    }
    for (uint32_t i = 0; i < graph->device_count; i++) {
        if (transport->reduce_Bps > 0)
            graph->devices[i].reduce_Bps = transport->reduce_Bps;
        if (transport->reduce_overhead_ps > 0)
            graph->devices[i].reduce_overhead_ps = transport->reduce_overhead_ps;
    }
}

/* ---- routes ---- */

struct extended {
    cs_route_fn *route;
    void *route_ctx;
    const uint8_t *medium; /* by link of the machine */
    uint32_t machine_links;
    uint32_t parties;
    bool limited;
};

static enum cs_hop medium_of(const struct cs_graph *graph, const struct cs_wire *wire)
{
    enum cs_device_kind a = graph->devices[wire->a].kind, b = graph->devices[wire->b].kind;

    if (wire->family == CS_LINK_PCIE || a == CS_DEVICE_CPU || b == CS_DEVICE_CPU)
        return CS_HOP_PCIE;
    if (a == CS_DEVICE_NIC || b == CS_DEVICE_NIC || a == CS_DEVICE_HOST || b == CS_DEVICE_HOST)
        return CS_HOP_NETWORK;
    return CS_HOP_DIRECT;
}

/* [out] port step wires... [in] */
static uint32_t extended_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct extended *extended = ctx;
    uint32_t own = extended->machine_links + CS_HOPS;
    uint32_t *route = extended->limited ? links + 1 : links;
    uint32_t hops = extended->route(extended->route_ctx, src, dst, route + 1);
    uint8_t medium = 0;

    if (hops == 0)
        return 0;
    for (uint32_t i = 1; i <= hops; i++)
        if (extended->medium[route[i]] > medium)
            medium = extended->medium[route[i]];
    route[0] = route[1];
    route[1] = extended->machine_links + medium;
    if (!extended->limited)
        return hops + 1;
    links[0] = own + 2 * src;
    route[hops + 1] = own + 2 * dst + 1;
    return hops + 3;
}

/* A link that models software has no place in the machine, so party 0 is
 * the start. */
static void transport_add_link(struct cs_net *net, double rate_Bps, uint64_t latency_ps)
{
    uint32_t at = net->parties[0].node;

    net->links[net->link_count++] = (struct cs_net_link){
        .rate_Bps = rate_Bps,
        .latency_ps = latency_ps,
        .resource = net->resource_count++,
        .from = at,
        .to = at,
    };
}

void cs_transport_extend(const struct cs_transport *transport, const struct cs_graph *graph,
                         struct cs_net *net, struct cs_arena *arena)
{
    struct extended *extended = cs_arena_alloc(arena, 1, sizeof(*extended));
    uint8_t *medium = cs_arena_alloc(arena, net->link_count, 1);
    struct cs_net_link *links = net->links;

    for (uint32_t i = 0; i < net->link_count; i++)
        medium[i] = (uint8_t)medium_of(graph, &graph->wires[i / 2]);
    *extended = (struct extended){net->route,      net->route_ctx,   medium,
                                  net->link_count, net->party_count, transport->inject_Bps > 0};
    net->links = cs_arena_alloc(arena, net->link_count + CS_HOPS + 2 * (size_t)net->party_count,
                                sizeof(*links));
    memcpy(net->links, links, net->link_count * sizeof(*links));
    for (uint32_t i = 0; i < CS_HOPS; i++)
        transport_add_link(net, (double)INFINITY, transport->step_ps[i]);
    for (uint32_t i = 0; i < 2 * net->party_count && extended->limited; i++)
        transport_add_link(net, transport->inject_Bps, 0);
    net->route = extended_route;
    net->route_ctx = extended;
    net->max_hops += extended->limited ? 3 : 1;
    cs_net_finish(net);
}

const char *cs_transport_link_name(uint32_t number, struct cs_arena *arena)
{
    char text[40];
    uint32_t party;

    if (number < CS_HOPS)
        return "software";
    party = (number - CS_HOPS) / 2;
    snprintf(text, sizeof(text), "%s of party %u",
             number % 2 == CS_HOPS % 2 ? "injection" : "reception", party);
    return cs_arena_text(arena, text);
}
