#include "topo/transports/transport.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SLICES_MAX = 1024 /* as of --slices */
};

static const char *const media[CS_HOPS] = {"direct", "pcie", "network"};

/* ---- reading ---- */

/* The document, and the transport under construction. */
struct transport_reader {
    const struct cs_doc *doc;
    struct cs_transport *transport;
    struct cs_err *err;
};

static int transport_read_text(struct transport_reader *reader, const char *key, const char **text)
{
    uint32_t node = cs_doc_get(reader->doc, 0, key);

    if (node == CS_DOC_NONE)
        return cs_doc_err(reader->doc, 0, reader->err, "a transport requires '%s:'", key);
    return cs_doc_want_text(reader->doc, node, key, text, reader->err);
}

static int transport_read_time(struct transport_reader *reader, uint32_t map, const char *key,
                               uint64_t *time_ps)
{
    uint32_t node = cs_doc_get(reader->doc, map, key);

    return node == CS_DOC_NONE ? 0 : cs_doc_want_time(reader->doc, node, key, time_ps, reader->err);
}

static int transport_read_rate(struct transport_reader *reader, const char *key, double *rate_Bps)
{
    uint32_t node = cs_doc_get(reader->doc, 0, key);

    return node == CS_DOC_NONE ? 0
                               : cs_doc_want_rate(reader->doc, node, key, rate_Bps, reader->err);
}

static int transport_read_steps(struct transport_reader *reader)
{
    static const char *const keys[] = {"direct", "pcie", "network", NULL};
    uint32_t node = cs_doc_get(reader->doc, 0, "steps");
    int code;
    size_t i;

    if (node == CS_DOC_NONE)
        return 0;
    code = cs_doc_want_map(reader->doc, node, "'steps'", reader->err);
    if (!code)
        code = cs_doc_want_keys(reader->doc, node, "'steps'", keys, reader->err);
    for (i = 0; i < CS_HOPS && !code; i++)
        code = transport_read_time(reader, node, media[i], &reader->transport->step_ps[i]);
    return code;
}

static int read_wires(struct transport_reader *reader)
{
    uint32_t node = cs_doc_get(reader->doc, 0, "wires");
    const char *text;
    int code;

    if (node == CS_DOC_NONE)
        return 0;
    code = cs_doc_want_text(reader->doc, node, "'wires'", &text, reader->err);
    if (code)
        return code;
    reader->transport->includes_wires = strcmp(text, "included") == 0;
    if (!reader->transport->includes_wires && strcmp(text, "added") != 0)
        return cs_doc_err(reader->doc, node, reader->err,
                          "'wires' is 'included' or 'added', not '%.40s'", text);
    return 0;
}

static int read_sends(struct transport_reader *reader)
{
    uint32_t node = cs_doc_get(reader->doc, 0, "sends");
    const char *text;
    int code;

    if (node == CS_DOC_NONE)
        return 0;
    code = cs_doc_want_text(reader->doc, node, "'sends'", &text, reader->err);
    if (code)
        return code;
    reader->transport->eager = strcmp(text, "eager") == 0;
    if (!reader->transport->eager && strcmp(text, "delivered") != 0)
        return cs_doc_err(reader->doc, node, reader->err,
                          "'sends' is 'eager' or 'delivered', not '%.40s'", text);
    return 0;
}

static int transport_read_slices(struct transport_reader *reader)
{
    uint32_t node = cs_doc_get(reader->doc, 0, "slices");

    reader->transport->slices = 1;
    return node == CS_DOC_NONE ? 0
                               : cs_doc_want_count(reader->doc, node, "'slices'", SLICES_MAX,
                                                   &reader->transport->slices, reader->err);
}

static int read_payload(struct transport_reader *reader)
{
    uint32_t node = cs_doc_get(reader->doc, 0, "payload");

    reader->transport->payload = 1;
    return node == CS_DOC_NONE ? 0
                               : cs_doc_want_fraction(reader->doc, node, "'payload'",
                                                      &reader->transport->payload, reader->err);
}

static int read_keys(struct transport_reader *reader)
{
    static const char *const keys[] = {
        "name",  "about",  "source", "payload",         "launch", "sends", "wires",
        "steps", "inject", "reduce", "reduce-overhead", "slices", NULL};
    struct cs_transport *transport = reader->transport;
    int code = cs_doc_want_map(reader->doc, 0, "a transport", reader->err);

    transport->about = "";
    if (!code)
        code = cs_doc_want_keys(reader->doc, 0, "a transport", keys, reader->err);
    if (!code)
        code = transport_read_text(reader, "name", &transport->name);
    if (!code)
        code = transport_read_text(reader, "source", &transport->source);
    if (!code && cs_doc_get(reader->doc, 0, "about") != CS_DOC_NONE)
        code = transport_read_text(reader, "about", &transport->about);
    if (!code)
        code = read_payload(reader);
    if (!code)
        code = transport_read_time(reader, 0, "launch", &transport->launch_ps);
    if (!code)
        code = read_sends(reader);
    if (!code)
        code = read_wires(reader);
    if (!code)
        code = transport_read_steps(reader);
    if (!code)
        code = transport_read_rate(reader, "inject", &transport->inject_Bps);
    if (!code)
        code = transport_read_rate(reader, "reduce", &transport->reduce_Bps);
    if (!code)
        code = transport_read_time(reader, 0, "reduce-overhead", &transport->reduce_overhead_ps);
    if (!code)
        code = transport_read_slices(reader);
    return code;
}

int cs_transport_read(const struct cs_doc *doc, struct cs_transport *transport, struct cs_err *err)
{
    struct transport_reader reader = {doc, transport, err};

    *transport = (struct cs_transport){.about = ""};
    return read_keys(&reader);
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
    enum cs_device_kind a = graph->devices[wire->a].kind;
    enum cs_device_kind b = graph->devices[wire->b].kind;

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
    uint32_t i;

    if (hops == 0)
        return 0;
    for (i = 1; i <= hops; i++)
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
    uint32_t i;

    for (i = 0; i < net->link_count; i++)
        medium[i] = (uint8_t)medium_of(graph, &graph->wires[i / 2]);
    *extended = (struct extended){net->route,      net->route_ctx,   medium,
                                  net->link_count, net->party_count, transport->inject_Bps > 0};
    net->links = cs_arena_alloc(arena, net->link_count + CS_HOPS + 2 * (size_t)net->party_count,
                                sizeof(*links));
    memcpy(net->links, links, net->link_count * sizeof(*links));
    for (i = 0; i < CS_HOPS; i++)
        transport_add_link(net, (double)INFINITY, transport->step_ps[i]);
    for (i = 0; i < 2 * net->party_count && extended->limited; i++)
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
