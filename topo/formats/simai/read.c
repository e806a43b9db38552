/*
 * simai: topology files of SimAI (aliyun/SimAI, docs/Tutorial.md, and the
 * generator gen_Topo_Template.py), which its ns-3 backend reads.
 *
 *     nodes gpus-per-server nvswitches switches links gpu-type
 *     the nvswitches, then the switches, as numbers of nodes
 *     src dst 400Gbps 0.0005ms 0            a line a link: rate, delay, errors
 *
 * The other nodes are GPUs, by number; each `gpus-per-server` are a server.  A
 * GPU has links to NVSwitches of its server and, without an adapter between, to
 * switches.  Rates are of one direction; ns-3's headers are no part of a file.
 */
#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES_MAX = 1 << 18,
    LINKS_MAX = 1 << 20,
    WORD_MAX = 40,
};

struct simai_reader {
    struct cs_graph *graph;
    struct cs_err *err;
    const char *at, *end;
    unsigned line;
    char word[WORD_MAX + 1];
    uint32_t nodes, per_server, nvswitches, switches, links;
    const struct cs_gpu_kind *gpu;
    bool *is_switch, *is_nvswitch; /* by node */
    uint32_t *device;              /* by node */
    bool has_errors;
};

/* ---- words ---- */

static int simai_err(const struct simai_reader *reader, const char *what, const char *expected)
{
    return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->line,
                     "%s is '%.40s'; expected %s", what, reader->word, expected);
}

/* The next word of the file, "" at the end; a long one is cut. */
static void next_word(struct simai_reader *reader)
{
    size_t length = 0;

    for (; reader->at < reader->end && isspace((unsigned char)*reader->at); reader->at++)
        reader->line += *reader->at == '\n';
    for (; reader->at < reader->end && !isspace((unsigned char)*reader->at); reader->at++)
        if (length < WORD_MAX)
            reader->word[length++] = *reader->at;
    reader->word[length] = '\0';
}

static int simai_number(struct simai_reader *reader, const char *what, uint32_t least,
                        uint32_t most, uint32_t *number)
{
    uint64_t value = 0;
    struct cs_err why = {0};

    next_word(reader);
    if (!*reader->word)
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->line,
                         "the file ends before %s", what);
    if (cs_units_count(reader->word, least, most, &value, &why))
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->line, "%s: %s", what,
                         why.text);
    *number = (uint32_t)value;
    return 0;
}

/* ---- the first lines ---- */

static int simai_read_head(struct simai_reader *reader)
{
    if (simai_number(reader, "the number of nodes", 1, NODES_MAX, &reader->nodes) ||
        simai_number(reader, "the number of GPUs of a server", 1, NODES_MAX, &reader->per_server) ||
        simai_number(reader, "the number of NVSwitches", 0, NODES_MAX, &reader->nvswitches) ||
        simai_number(reader, "the number of switches", 0, NODES_MAX, &reader->switches) ||
        simai_number(reader, "the number of links", 1, LINKS_MAX, &reader->links))
        return CS_EINPUT;
    if (reader->nvswitches + reader->switches >= reader->nodes)
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->line,
                         "%u NVSwitches and %u switches of %u nodes: no node is a GPU",
                         reader->nvswitches, reader->switches, reader->nodes);
    next_word(reader);
    if (cs_gpu_kind_find(reader->word, &reader->gpu, NULL))
        cs_graph_note(reader->graph, "no GPU called '%s': the model is left open", reader->word);
    return 0;
}

static int simai_read_switches(struct simai_reader *reader)
{
    uint32_t node = 0;
    int rc = 0;

    reader->is_switch = cs_arena_alloc(reader->graph->arena, reader->nodes, sizeof(bool));
    reader->is_nvswitch = cs_arena_alloc(reader->graph->arena, reader->nodes, sizeof(bool));
    for (uint32_t i = 0; i < reader->nvswitches + reader->switches && !rc; i++) {
        rc = simai_number(reader, "a switch", 0, reader->nodes - 1, &node);
        if (!rc && (reader->is_switch[node] || reader->is_nvswitch[node]))
            rc = simai_err(reader, "a switch", "each number once");
        if (rc)
            return rc;
        reader->is_nvswitch[node] = i < reader->nvswitches;
        reader->is_switch[node] = i >= reader->nvswitches;
    }
    return rc;
}

/* ---- devices and links ---- */

static void simai_add_devices(struct simai_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    uint32_t gpus = 0, nvswitches = 0, switches = 0;

    reader->device = cs_arena_alloc(graph->arena, reader->nodes, sizeof(uint32_t));
    for (uint32_t n = 0; n < reader->nodes; n++) {
        struct cs_device device = {.kind = CS_DEVICE_SWITCH, .host = CS_NO_HOST};

        if (reader->is_nvswitch[n]) {
            device.name = cs_arena_printf(graph->arena, "nvswitch%u", nvswitches++);
        } else if (reader->is_switch[n]) {
            device.name = cs_arena_printf(graph->arena, "switch%u", switches++);
        } else {
            device.kind = CS_DEVICE_GPU;
            device.model = reader->gpu;
            device.host = gpus / reader->per_server;
            device.name = cs_arena_printf(graph->arena, "gpu%u", gpus++);
        }
        reader->device[n] = cs_graph_add_device(graph, device);
    }
}

/* An NVSwitch belongs to the server of its first GPU. */
static void place_nvswitch(const struct simai_reader *reader, uint32_t a, uint32_t b)
{
    struct cs_device *devices = reader->graph->devices;

    if (reader->is_nvswitch[a] && devices[reader->device[a]].host == CS_NO_HOST)
        devices[reader->device[a]].host = devices[reader->device[b]].host;
}

static int simai_read_rate(struct simai_reader *reader, struct cs_wire *wire)
{
    struct cs_err why = {0};
    double errors;
    char *end;

    next_word(reader);
    if (cs_units_rate(reader->word, &wire->rate_Bps, &why))
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->line,
                         "the rate of a link: %s", why.text);
    next_word(reader);
    if (cs_units_time(reader->word, &wire->latency_ps, &why))
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->line,
                         "the delay of a link: %s", why.text);
    next_word(reader);
    errors = strtod(reader->word, &end);
    if (end == reader->word || *end || !(errors >= 0 && errors < 1))
        return simai_err(reader, "the error rate of a link", "a number from 0 to 1, 0 mostly");
    reader->has_errors |= errors > 0;
    return 0;
}

/* The links of the GPU model that make the rate: "nvlink4 x18". */
static void name_nvlink(const struct simai_reader *reader, struct cs_wire *wire)
{
    const struct cs_link_kind *kind = reader->gpu ? cs_link_kind_get(reader->gpu->link) : NULL;
    uint32_t width = kind ? (uint32_t)fmin(wire->rate_Bps / kind->rate_Bps, CS_LINK_WIDTH_MAX) : 0;

    wire->class_name =
        width ? cs_arena_printf(reader->graph->arena, "%s x%u", kind->name, width) : "nvlink";
    wire->family = cs_link_family_of(wire->class_name);
}

static int simai_read_link(struct simai_reader *reader)
{
    struct cs_wire wire = {
        .efficiency = 1, .duplex = CS_DUPLEX_FULL, .source = reader->graph->file};
    uint32_t a = 0, b = 0;
    int rc = simai_number(reader, "the source of a link", 0, reader->nodes - 1, &a);

    if (!rc)
        rc = simai_number(reader, "the destination of a link", 0, reader->nodes - 1, &b);
    if (!rc && a == b)
        rc = simai_err(reader, "the destination of a link", "another node");
    wire.line = reader->line;
    if (!rc)
        rc = simai_read_rate(reader, &wire);
    if (rc)
        return rc;
    wire.a = reader->device[a];
    wire.b = reader->device[b];
    if (reader->is_nvswitch[a] || reader->is_nvswitch[b]) {
        name_nvlink(reader, &wire);
        place_nvswitch(reader, a, b);
        place_nvswitch(reader, b, a);
    } else {
        wire.class_name = "port";
        wire.family = CS_LINK_NETWORK;
    }
    cs_graph_add_wire(reader->graph, wire);
    return 0;
}

static int simai_read_links(struct simai_reader *reader)
{
    int rc = 0;

    for (uint32_t i = 0; i < reader->links && !rc; i++)
        rc = simai_read_link(reader);
    if (rc)
        return rc;
    next_word(reader);
    if (*reader->word)
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->line,
                         "'%.40s' behind the last of %u links", reader->word, reader->links);
    return 0;
}

static int simai_read(const struct cs_topo_request *request, struct cs_doc_text text,
                      struct cs_graph *graph, struct cs_err *err)
{
    struct simai_reader reader = {
        .graph = graph, .err = err, .at = text.text, .end = text.text + text.length, .line = 1};
    int rc = simai_read_head(&reader);

    (void)request;
    if (!rc)
        rc = simai_read_switches(&reader);
    if (rc)
        return rc;
    simai_add_devices(&reader);
    rc = simai_read_links(&reader);
    if (rc)
        return rc;
    if (reader.has_errors)
        cs_graph_note(graph, "error rates of links are left out");
    cs_graph_note(graph,
                  "links have the whole rate of the file: ns-3's packet headers are left out");
    graph->about = "a topology of SimAI";
    return 0;
}

/* Five numbers and a word in the first line, and a rate in bits. */
static bool simai_recognises(struct cs_doc_text text)
{
    const char *end = memchr(text.text, '\n', text.length);
    const char *at = text.text;

    if (!end || !memmem(text.text, text.length, "bps ", 4))
        return false;
    for (int i = 0; i < 5; i++) {
        const char *digits;

        while (at < end && isblank((unsigned char)*at))
            at++;
        digits = at;
        while (at < end && isdigit((unsigned char)*at))
            at++;
        if (at == digits || at == end || !isblank((unsigned char)*at))
            return false;
    }
    while (at < end && isblank((unsigned char)*at))
        at++;
    return at < end && isalpha((unsigned char)*at);
}

const struct cs_source cs_source_simai = {
    .name = "simai",
    .usage = "simai:FILE",
    .about = "a topology file of SimAI: GPUs, NVSwitches, switches, links",
    .read = simai_read,
    .recognises = simai_recognises,
};
