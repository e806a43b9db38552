#include "topo/formats/infragraph/reader.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The letters and digits of two texts in lower case. */
static const char *squeeze(const struct cs_infragraph_reader *reader, const char *a, const char *b)
{
    const char *both = cs_arena_printf(reader->graph->arena, "%s %s", a, b);
    char *out = cs_arena_alloc(reader->graph->arena, strlen(both) + 1, 1);
    size_t length = 0;

    for (; *both; both++)
        if (isalnum((unsigned char)*both))
            out[length++] = (char)tolower((unsigned char)*both);
    return out;
}

/* ---- GPUs ---- */

const struct cs_gpu_kind *cs_infragraph_gpu(const struct cs_infragraph_reader *reader,
                                            const struct cs_infragraph_component *component)
{
    const struct cs_gpu_kind *kind = NULL;
    const char *texts[] = {component->about, component->name};
    const char *kept = cs_infragraph_kept(reader, component->about, "model");

    if (reader->gpu || component->choice != CS_INFRAGRAPH_XPU)
        return reader->gpu;
    if (kept)
        return cs_gpu_kind_find(kept, &kind, NULL) ? NULL : kind;
    for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++)
        for (const char *at = texts[t]; *at;) {
            size_t length = 0;

            while (isalnum((unsigned char)at[length]))
                length++;
            if (length &&
                !cs_gpu_kind_find(cs_arena_text_n(reader->graph->arena, at, length), &kind, NULL))
                return kind;
            at += length + (at[length] != '\0');
        }
    return NULL;
}

static const struct cs_gpu_kind *gpu_of(const struct cs_infragraph_reader *reader,
                                        const struct cs_infragraph_edge *edge)
{
    const struct cs_infragraph_component *a = cs_infragraph_component_of(reader, edge->a);

    return cs_infragraph_gpu(
        reader, a->choice == CS_INFRAGRAPH_XPU ? a : cs_infragraph_component_of(reader, edge->b));
}

static bool leads_to(const struct cs_infragraph_reader *reader,
                     const struct cs_infragraph_edge *edge, enum cs_infragraph_choice choice)
{
    return cs_infragraph_component_of(reader, edge->a)->choice == choice ||
           cs_infragraph_component_of(reader, edge->b)->choice == choice;
}

static bool joins(const struct cs_infragraph_reader *reader, const struct cs_infragraph_edge *edge,
                  enum cs_infragraph_choice choice)
{
    return cs_infragraph_component_of(reader, edge->a)->choice == choice &&
           cs_infragraph_component_of(reader, edge->b)->choice == choice;
}

/* ---- names of links ---- */

/* The first note of a link. */
static bool is_first_note(struct cs_infragraph_reader *reader, uint32_t node)
{
    bool first = !reader->noted[node];

    reader->noted[node] = true;
    return first;
}

/* Digits behind a word: 5 of "pciegen5x16", with `width` 16. */
static uint32_t number_behind(const char *text, const char *word, const char *prefix)
{
    const char *at = strstr(text, word);

    if (!at)
        return 0;
    at += strlen(word);
    if (strncmp(at, prefix, strlen(prefix)) == 0)
        at += strlen(prefix);
    return isdigit((unsigned char)*at) ? (uint32_t)(*at - '0') : 0;
}

static const char *pcie_class(struct cs_infragraph_reader *reader,
                              const struct cs_infragraph_edge *edge, const char *words)
{
    static const char *const spellings[] = {"pciegen", "pciexpressgen", "pcie", "pciexpress"};
    static const uint32_t lanes[] = {16, 8, 4};
    const struct cs_gpu_kind *gpu = gpu_of(reader, edge);
    uint32_t generation = 0, width = 16;

    for (size_t i = 0; i < 4 && !generation; i++)
        generation = number_behind(words, spellings[i], "");
    for (size_t i = 3; i-- > 0;)
        if (strstr(words, cs_arena_printf(reader->graph->arena, "x%u", lanes[i])))
            width = lanes[i];
    if (generation < 1 || generation > 6) {
        generation =
            gpu && isdigit((unsigned char)gpu->pcie[4]) ? (uint32_t)(gpu->pcie[4] - '0') : 4;
        if (is_first_note(reader, edge->link))
            cs_graph_note(reader->graph,
                          "link in line %u: PCIe of an unknown generation, pcie%u x%u is assumed",
                          reader->doc->nodes[edge->link].line, generation, width);
    }
    return cs_arena_printf(reader->graph->arena, "pcie%u x%u", generation, width);
}

/* Links of a GPU, of which each edge has a share. */
static const char *gpu_class(struct cs_infragraph_reader *reader,
                             const struct cs_infragraph_edge *edge, const char *link,
                             uint32_t shares, uint32_t *divisor)
{
    const struct cs_gpu_kind *gpu = gpu_of(reader, edge);

    if (!gpu)
        gpu = link ? cs_gpu_kind_of_link(link) : NULL;
    if (!gpu || !*gpu->link)
        return NULL;
    *divisor = shares ? shares : 1;
    if (is_first_note(reader, edge->link))
        cs_graph_note(reader->graph,
                      "link in line %u has no bandwidth: the %u links of %s, divided among the "
                      "edges of a GPU",
                      reader->doc->nodes[edge->link].line, gpu->links, gpu->name);
    return cs_arena_printf(reader->graph->arena, "%s x%u", link ? link : gpu->link, gpu->links);
}

static const char *nvlink_class(struct cs_infragraph_reader *reader,
                                const struct cs_infragraph_edge *edge, const char *words,
                                uint32_t shares, uint32_t *divisor)
{
    uint32_t generation = number_behind(words, "nvlink", "gen");

    if (!generation)
        return gpu_class(reader, edge, NULL, shares, divisor);
    return gpu_class(reader, edge, cs_arena_printf(reader->graph->arena, "nvlink%u", generation),
                     shares, divisor);
}

static const char *socket_class(struct cs_infragraph_reader *reader,
                                const struct cs_infragraph_edge *edge, const char *words)
{
    if (strstr(words, "infinityfabric") || strstr(words, "xgmi"))
        return "xgmi-socket";
    if (strstr(words, "qpi"))
        return "qpi";
    if (strstr(words, "upi"))
        return "upi";
    if (is_first_note(reader, edge->link))
        cs_graph_note(reader->graph,
                      "link in line %u joins CPUs and has no bandwidth: upi2 is assumed",
                      reader->doc->nodes[edge->link].line);
    return "upi2";
}

static bool is_internal(const char *name, const char *words)
{
    static const char *const inside[] = {"integratedcircuit", "serdes", "electrical", "internal",
                                         "backplane"};

    for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++)
        if (strstr(words, inside[i]))
            return true;
    return cs_same(name, "ic") || cs_same(name, "int");
}

/* The class that name and description state, or NULL. */
static const char *class_in(struct cs_infragraph_reader *reader,
                            const struct cs_infragraph_edge *edge, const char *name,
                            uint32_t shares, uint32_t *divisor)
{
    const char *about = cs_infragraph_about(reader, edge->link);
    const char *words = squeeze(reader, name, about);
    struct cs_wire wire;

    if (!cs_link_kind_find(about, &wire, NULL))
        return about;
    if (strstr(words, "c2c") && leads_to(reader, edge, CS_INFRAGRAPH_CPU))
        return "nvlink-c2c";
    if (strstr(words, "nvlink"))
        return nvlink_class(reader, edge, words, shares, divisor);
    if (strstr(words, "pcie"))
        return pcie_class(reader, edge, words);
    if (joins(reader, edge, CS_INFRAGRAPH_CPU) && cs_infragraph_in_host(reader, edge->a))
        return socket_class(reader, edge, words);
    if (strstr(words, "xgmi") || strstr(words, "infinityfabric"))
        return gpu_class(reader, edge, NULL, shares, divisor);
    return cs_link_kind_find(name, &wire, NULL) ? NULL : name;
}

/* ---- numbers ---- */

static const char *with_unit(const struct cs_infragraph_reader *reader, uint32_t node,
                             const char *unit)
{
    const char *text = reader->doc->nodes[node].text;

    return cs_arena_printf(reader->graph->arena, "%.60s %s", text ? text : "", unit);
}

/* The first of the keys that a map has. */
static uint32_t first_of(const struct cs_infragraph_reader *reader, uint32_t map,
                         const char *const (*units)[2], size_t count, const char **unit)
{
    for (size_t i = 0; map != CS_DOC_NONE && i < count; i++) {
        uint32_t value = cs_doc_get(reader->doc, map, units[i][0]);

        *unit = units[i][1];
        if (value != CS_DOC_NONE)
            return value;
    }
    return CS_DOC_NONE;
}

/* Lanes at GT/s: PCI Express of a generation, 16 lanes unless it says. */
static int read_transfers(struct cs_infragraph_reader *reader,
                          const struct cs_infragraph_edge *edge, uint32_t node,
                          struct cs_wire *wire)
{
    static const double rates[] = {2.5, 5, 8, 16, 32, 64};
    const char *text = reader->doc->nodes[node].text;
    double giga = text ? strtod(text, NULL) : 0;

    for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
        if (rates[i] == giga)
            return cs_link_kind_find(
                pcie_class(
                    reader, edge,
                    cs_arena_printf(reader->graph->arena, "pcie%zu%s", i + 1,
                                    squeeze(reader, cs_infragraph_about(reader, edge->link), ""))),
                wire, reader->err);
    return cs_doc_err(reader->doc, node, reader->err,
                      "'gigatransfers_per_second' is '%.40s'; expected the rate of a lane of PCIe: "
                      "2.5, 5, 8, 16, 32 or 64",
                      text ? text : "");
}

/* A port at that rate: efficiency and latency of RDMA over Ethernet. */
static void assume_network(struct cs_infragraph_reader *reader,
                           const struct cs_infragraph_edge *edge, struct cs_wire *wire)
{
    const struct cs_link_kind *as = cs_link_kind_get("400gbe-roce");

    wire->efficiency = as->efficiency;
    wire->latency_ps = as->latency_ps;
    wire->family = as->family;
    wire->network = as->network;
    if (is_first_note(reader, edge->link))
        cs_graph_note(reader->graph, "link in line %u: efficiency and latency as of %s are assumed",
                      reader->doc->nodes[edge->link].line, as->name);
}

/* Sets the rate of the wire from `bandwidth`; *found: there is one. */
static int read_bandwidth(struct cs_infragraph_reader *reader,
                          const struct cs_infragraph_edge *edge, uint32_t physical,
                          struct cs_wire *wire, bool *found)
{
    static const char *const units[][2] = {{"gigabits_per_second", "Gb/s"},
                                           {"gigabytes_per_second", "GB/s"},
                                           {"gigatransfers_per_second", ""}};
    uint32_t map =
        physical == CS_DOC_NONE ? CS_DOC_NONE : cs_doc_get(reader->doc, physical, "bandwidth");
    struct cs_err why = {0};
    const char *unit;
    uint32_t value = first_of(reader, map, units, 3, &unit);

    *found = value != CS_DOC_NONE;
    if (!*found)
        return 0;
    if (!*unit)
        return read_transfers(reader, edge, value, wire);
    if (cs_units_rate(with_unit(reader, value, unit), &wire->rate_Bps, &why))
        return cs_doc_err(reader->doc, value, reader->err, "'bandwidth': %s", why.text);
    return 0;
}

static int read_latency(struct cs_infragraph_reader *reader, uint32_t physical,
                        struct cs_wire *wire)
{
    static const char *const units[][2] = {{"ns", "ns"}, {"us", "us"}, {"ms", "ms"}};
    uint32_t map =
        physical == CS_DOC_NONE ? CS_DOC_NONE : cs_doc_get(reader->doc, physical, "latency");
    struct cs_err why = {0};
    const char *unit;
    uint32_t value = first_of(reader, map, units, 3, &unit);

    if (value == CS_DOC_NONE)
        return 0;
    if (cs_units_time(with_unit(reader, value, unit), &wire->latency_ps, &why))
        return cs_doc_err(reader->doc, value, reader->err, "'latency': %s", why.text);
    return 0;
}

/* What the writer keeps in a description. */
static int read_kept(struct cs_infragraph_reader *reader, uint32_t node, const char *about,
                     struct cs_wire *wire)
{
    const char *class_name = cs_infragraph_kept(reader, about, "class");
    const char *efficiency = cs_infragraph_kept(reader, about, "efficiency");
    const char *duplex = cs_infragraph_kept(reader, about, "duplex");
    const char *direction = cs_infragraph_kept(reader, about, "direction");
    const char *source = cs_infragraph_kept(reader, about, "source");
    struct cs_err why = {0};

    wire->efficiency = 1;
    if (efficiency && cs_units_fraction(efficiency, &wire->efficiency, &why))
        return cs_doc_err(reader->doc, node, reader->err, "'efficiency': %s", why.text);
    wire->duplex = CS_DUPLEX_FULL;
    for (int i = 0; duplex && i < CS_DUPLEX_KINDS; i++)
        if (cs_same(duplex, cs_duplex_name((enum cs_duplex)i)))
            wire->duplex = (enum cs_duplex)i;
    wire->backwards = direction && cs_same(direction, "back");
    wire->source = source;
    cs_link_kind_belong(class_name, wire);
    return 0;
}

static int no_rate(const struct cs_infragraph_reader *reader, const struct cs_infragraph_edge *edge,
                   const char *name)
{
    return cs_doc_err(
        reader->doc, edge->link, reader->err,
        "link '%.40s' has no bandwidth, and its name and description name no link%s; expected "
        "physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 400}}",
        name,
        joins(reader, edge, CS_INFRAGRAPH_XPU) ||
                strstr(squeeze(reader, name, cs_infragraph_about(reader, edge->link)), "nvlink")
            ? " of a known GPU (--gpu h100 names the model)"
            : "");
}

/* The numbers of a link that the file or a name has. */
static int read_numbers(struct cs_infragraph_reader *reader, const struct cs_infragraph_edge *edge,
                        uint32_t shares, struct cs_infragraph_wire *link)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t physical = cs_doc_get(doc, edge->link, "physical");
    const char *name = doc->nodes[cs_doc_get(doc, edge->link, "name")].text;
    const char *about = cs_infragraph_about(reader, edge->link);
    bool is_kept = cs_infragraph_kept(reader, about, "class");
    uint32_t divisor = 1;
    bool inside = is_internal(name, squeeze(reader, name, about)) ||
                  leads_to(reader, edge, CS_INFRAGRAPH_MEMORY);
    const char *class_name =
        is_kept || inside ? NULL : class_in(reader, edge, name, shares, &divisor);
    bool found = false;
    int rc = 0;

    if (class_name)
        rc = cs_link_kind_find(class_name, &link->wire, reader->err);
    link->wire.rate_Bps /= divisor;
    if (!rc && is_kept)
        rc = read_kept(reader, edge->link, about, &link->wire);
    if (!rc)
        rc = read_bandwidth(reader, edge, physical, &link->wire, &found);
    link->is_internal = !found && !is_kept && inside;
    if (!rc && link->is_internal)
        rc = cs_link_kind_find("local", &link->wire, reader->err);
    if (rc)
        return rc;
    if (!found && !class_name && !link->is_internal)
        return no_rate(reader, edge, name);
    if (!link->wire.class_name)
        link->wire.class_name = name;
    if (found && !class_name && !is_kept && link->wire.efficiency == 0)
        assume_network(reader, edge, &link->wire);
    if (class_name && !found)
        link->wire.class_name = class_name;
    return read_latency(reader, physical, &link->wire);
}

int cs_infragraph_link(struct cs_infragraph_reader *reader, const struct cs_infragraph_edge *edge,
                       uint32_t shares, struct cs_infragraph_wire *link)
{
    int rc;

    *link = (struct cs_infragraph_wire){.wire = {.duplex = CS_DUPLEX_FULL}};
    rc = read_numbers(reader, edge, shares, link);
    link->wire.line = reader->doc->nodes[edge->node].line;
    if (!link->wire.source)
        link->wire.source = reader->graph->file;
    return rc;
}
