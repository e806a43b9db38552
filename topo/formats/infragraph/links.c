#include "topo/formats/infragraph/reader.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *about_of(const struct cs_infra_reader *reader, uint32_t link)
{
    return cs_doc_text_or(reader->doc, link, "description", "");
}

/* The letters and digits of a name and of the link's description, in lower case. */
static const char *words_of(const struct cs_infra_reader *reader, const char *name, uint32_t link)
{
    char *words = cs_arena_printf(reader->graph->arena, "%s %s", name, about_of(reader, link));
    size_t length = 0;

    for (const char *at = words; *at; at++)
        if (isalnum((unsigned char)*at))
            words[length++] = (char)tolower((unsigned char)*at);
    words[length] = '\0';
    return words;
}

/* ---- GPUs ---- */

const struct cs_gpu_kind *cs_infra_gpu(const struct cs_infra_reader *reader,
                                       const struct cs_infra_component *component)
{
    const struct cs_gpu_kind *kind = NULL;
    const char *texts[] = {component->about, component->name};

    if (reader->gpu || component->choice != CS_INFRA_XPU)
        return reader->gpu;
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

static const struct cs_gpu_kind *gpu_of(const struct cs_infra_reader *reader,
                                        const struct cs_infra_edge *edge)
{
    const struct cs_infra_component *a = cs_infra_component_of(reader, edge->a);

    return cs_infra_gpu(reader,
                        a->choice == CS_INFRA_XPU ? a : cs_infra_component_of(reader, edge->b));
}

/* The number of ends of an edge that are such components. */
static int ends_at(const struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                   enum cs_infra_choice choice)
{
    return (cs_infra_component_of(reader, edge->a)->choice == choice) +
           (cs_infra_component_of(reader, edge->b)->choice == choice);
}

/* ---- names of links ---- */

/* The first note of a link. */
static bool is_first_note(struct cs_infra_reader *reader, uint32_t node)
{
    bool first = !reader->noted[node];

    reader->noted[node] = true;
    return first;
}

/* The digit behind a word and, where it is there, a prefix: 5 of "pciegen5x16". */
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

static const char *pcie_class(struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                              const char *words)
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
static const char *gpu_class(struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                             const char *link, uint32_t shares, uint32_t *divisor)
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

static const char *socket_class(struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                                const char *words)
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
static const char *class_in(struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                            const char *name, uint32_t shares, uint32_t *divisor)
{
    const char *about = about_of(reader, edge->link);
    const char *words = words_of(reader, name, edge->link);
    struct cs_wire wire;

    if (!cs_link_kind_find(about, &wire, NULL))
        return about;
    if (strstr(words, "c2c") && ends_at(reader, edge, CS_INFRA_CPU))
        return "nvlink-c2c";
    if (strstr(words, "nvlink")) {
        uint32_t generation = number_behind(words, "nvlink", "gen");
        const char *link =
            generation ? cs_arena_printf(reader->graph->arena, "nvlink%u", generation) : NULL;

        return gpu_class(reader, edge, link, shares, divisor);
    }
    if (strstr(words, "pcie"))
        return pcie_class(reader, edge, words);
    if (ends_at(reader, edge, CS_INFRA_CPU) == 2 && cs_infra_in_host(reader, edge->a))
        return socket_class(reader, edge, words);
    if (strstr(words, "xgmi") || strstr(words, "infinityfabric"))
        return gpu_class(reader, edge, NULL, shares, divisor);
    return cs_link_kind_find(name, &wire, NULL) ? NULL : name;
}

/* ---- numbers ---- */

struct quantity {
    uint32_t node;
    const char *number, *unit, *text;
};

/* The number of a quantity, with the first of the units whose key it has; false without.  */
static bool quantity(const struct cs_infra_reader *reader, uint32_t link, const char *key,
                     const char *const units[3][2], struct quantity *of)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t physical = cs_doc_get(doc, link, "physical");
    uint32_t map = physical == CS_DOC_NONE ? physical : cs_doc_get(doc, physical, key);

    for (size_t i = 0; map != CS_DOC_NONE && i < 3; i++) {
        of->node = cs_doc_get(doc, map, units[i][0]);
        of->unit = units[i][1];
        if (of->node != CS_DOC_NONE) {
            const char *text = doc->nodes[of->node].text;

            of->number = text ? text : "";
            of->text = cs_arena_printf(reader->graph->arena, "%.60s %s", of->number, of->unit);
            return true;
        }
    }
    return false;
}

/* Lanes at GT/s: PCI Express of a generation, 16 lanes unless it says. */
static int read_transfers(struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                          const struct quantity *of, struct cs_wire *wire)
{
    static const double rates[] = {2.5, 5, 8, 16, 32, 64};

    for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
        if (rates[i] == strtod(of->number, NULL)) {
            const char *pcie = cs_arena_printf(reader->graph->arena, "pcie%zu", i + 1);

            return cs_link_kind_find(pcie_class(reader, edge, words_of(reader, pcie, edge->link)),
                                     wire, reader->err);
        }
    return cs_doc_err(reader->doc, of->node, reader->err,
                      "'gigatransfers_per_second' is '%.40s'; expected the rate of a lane of PCIe: "
                      "2.5, 5, 8, 16, 32 or 64",
                      of->number);
}

/* A port at that rate: efficiency and latency of RDMA over Ethernet. */
static void assume_network(struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                           struct cs_wire *wire)
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
static int read_bandwidth(struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                          struct cs_wire *wire, bool *found)
{
    static const char *const units[3][2] = {{"gigabits_per_second", "Gb/s"},
                                            {"gigabytes_per_second", "GB/s"},
                                            {"gigatransfers_per_second", ""}};
    struct cs_err why = {0};
    struct quantity of;

    *found = quantity(reader, edge->link, "bandwidth", units, &of);
    if (*found && !*of.unit)
        return read_transfers(reader, edge, &of, wire);
    return *found && cs_units_rate(of.text, &wire->rate_Bps, &why)
               ? cs_doc_err(reader->doc, of.node, reader->err, "'bandwidth': %s", why.text)
               : 0;
}

static int read_latency(struct cs_infra_reader *reader, uint32_t link, struct cs_wire *wire)
{
    static const char *const units[3][2] = {{"ns", "ns"}, {"us", "us"}, {"ms", "ms"}};
    struct cs_err why = {0};
    struct quantity of;

    return quantity(reader, link, "latency", units, &of) &&
                   cs_units_time(of.text, &wire->latency_ps, &why)
               ? cs_doc_err(reader->doc, of.node, reader->err, "'latency': %s", why.text)
               : 0;
}

static int no_rate(const struct cs_infra_reader *reader, const struct cs_infra_edge *edge,
                   const char *name)
{
    return cs_doc_err(
        reader->doc, edge->link, reader->err,
        "link '%.40s' has no bandwidth, and its name and description name no link%s; expected "
        "physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 400}}",
        name,
        ends_at(reader, edge, CS_INFRA_XPU) == 2 ||
                strstr(words_of(reader, name, edge->link), "nvlink")
            ? " of a known GPU (--gpu h100 names the model)"
            : "");
}

int cs_infra_link(struct cs_infra_reader *reader, const struct cs_infra_edge *edge, uint32_t shares,
                  struct cs_infra_wire *link)
{
    const struct cs_doc *doc = reader->doc;
    const char *name = doc->nodes[cs_doc_get(doc, edge->link, "name")].text;
    bool inside = is_internal(name, words_of(reader, name, edge->link)) ||
                  ends_at(reader, edge, CS_INFRA_MEMORY);
    struct cs_wire *wire = &link->wire;
    uint32_t divisor = 1;
    const char *class_name = inside ? NULL : class_in(reader, edge, name, shares, &divisor);
    bool found = false;

    *link = (struct cs_infra_wire){.wire = {.duplex = CS_DUPLEX_FULL}};
    if (class_name && cs_link_kind_find(class_name, wire, reader->err))
        return CS_EINPUT;
    wire->rate_Bps /= divisor;
    if (read_bandwidth(reader, edge, wire, &found))
        return CS_EINPUT;
    link->is_internal = inside && !found;
    if (link->is_internal && cs_link_kind_find("local", wire, reader->err))
        return CS_EINPUT;
    if (!found && !class_name && !inside)
        return no_rate(reader, edge, name);
    if (!wire->class_name)
        wire->class_name = name;
    if (found && !class_name && wire->efficiency == 0)
        assume_network(reader, edge, wire);
    if (class_name && !found)
        wire->class_name = class_name;
    wire->line = doc->nodes[edge->node].line;
    if (!wire->source)
        wire->source = reader->graph->file;
    return read_latency(reader, edge->link, wire);
}
