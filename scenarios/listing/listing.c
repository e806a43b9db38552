#include "scenarios/listing/listing.h"

#include "algorithms/algo.h"
#include "algorithms/schedules/export.h"
#include "reports/figures/report.h"
#include "scenarios/machine/topo_word.h"
#include "sim/models/models.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/transports/transport.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Links of a class at rank 0, in one direction. */
struct rank_links {
    char class_name[CS_LINK_NAME_MAX]; /* without a width */
    double payload_Bps, effective_Bps;
};

/* A link of rank 0, except to a NIC of the same node. */
static bool is_of_rank(const struct cs_graph *graph, const struct cs_wire *wire)
{
    uint32_t device = graph->rank_device[0];
    uint32_t other = wire->a == device ? wire->b : wire->a;

    return (wire->a == device || wire->b == device) && graph->devices[other].kind != CS_DEVICE_NIC;
}

static struct rank_links links_like(const struct cs_graph *graph, const struct cs_wire *like)
{
    struct rank_links links = {0};
    size_t length = strcspn(like->class_name, " ");

    snprintf(links.class_name, sizeof(links.class_name), "%.*s", (int)length, like->class_name);
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (is_of_rank(graph, wire) && strcspn(wire->class_name, " ") == length &&
            strncmp(wire->class_name, like->class_name, length) == 0) {
            links.payload_Bps += wire->rate_Bps;
            links.effective_Bps += cs_wire_effective(wire);
        }
    }
    return links;
}

/* Those of the class with the highest total rate. */
static struct rank_links links_of_a_rank(const struct cs_graph *graph)
{
    struct rank_links best = {0};

    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (is_of_rank(graph, &graph->wires[w])) {
            struct rank_links links = links_like(graph, &graph->wires[w]);

            if (links.effective_Bps > best.effective_Bps)
                best = links;
        }
    return best;
}

static uint32_t count_devices(const struct cs_graph *graph, enum cs_device_kind kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < graph->device_count; i++)
        count += graph->devices[i].kind == kind;
    return count;
}

/* A machine; a generator has no figures. */
struct topology_row {
    const char *name, *about;
    const char *ranks; /* "any" */
    bool is_machine;
    uint32_t gpus, adapters, wires;
    struct rank_links links;
    const char *network; /* of its ports */
    const char *others;
};

#define AT(member)     CS_AT(struct topology_row, member)
#define FIGURE(member) AT(member), CS_WHEN(struct topology_row, is_machine)
static const struct cs_sheet_column topology_columns[] = {
    CS_LISTED("topology", TEXT, AT(name)),
    CS_LISTED("ranks", FIGURE, AT(ranks)),
    CS_LISTED("GPUs", PLAIN, FIGURE(gpus)),
    CS_LISTED("NICs", PLAIN, FIGURE(adapters)),
    CS_LISTED("links", PLAIN, FIGURE(wires)),
    CS_LISTED("links of a rank", TEXT, AT(links.class_name)),
    CS_LISTED("payload", RATE, FIGURE(links.payload_Bps)),
    CS_LISTED("effective", RATE, FIGURE(links.effective_Bps)),
    CS_LISTED("network", TEXT, AT(network)),
    CS_LISTED("description", TEXT, AT(about)),
    CS_LISTED("other names", TEXT, AT(others)),
};

static const char *other_names(const char *name, struct cs_arena *arena)
{
    const char *names = "";

    for (size_t i = 0; i < cs_other_name_count; i++)
        if (cs_same(cs_other_names[i].name, name))
            names =
                cs_arena_printf(arena, "%s%s%s", names, *names ? " " : "", cs_other_names[i].other);
    return names;
}

/* Of the class of the machine's ports, or else of its wires. */
static const char *network_of(const struct cs_graph *graph)
{
    struct cs_wire port = {0};

    if (graph->port_class)
        (void)cs_link_kind_find(graph->port_class, &port, NULL);
    for (uint32_t w = 0; w < graph->wire_count && !port.network; w++)
        port.network = graph->wires[w].network;
    return port.network ? cs_networks[port.network].name : "";
}

static int fill_topology(struct cs_sheet *sheet, const char *name, struct cs_err *err)
{
    struct cs_topo_request request = {.spec = name};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;
    int code = cs_topo_open(&request, &graph, &arena, err);

    if (!code)
        cs_sheet_row(sheet, &(struct topology_row){
                                .name = name,
                                .about = graph.about,
                                .ranks = cs_arena_printf(&arena, "%u", graph.rank_count),
                                .is_machine = true,
                                .gpus = count_devices(&graph, CS_DEVICE_GPU),
                                .adapters = count_devices(&graph, CS_DEVICE_NIC),
                                .wires = graph.wire_count,
                                .links = links_of_a_rank(&graph),
                                .network = network_of(&graph),
                                .others = other_names(name, &arena),
                            });
    return code;
}

static int fill_topologies(struct cs_sheet *sheet, struct cs_err *err)
{
    int code = 0;

    for (size_t i = 0; i < cs_machine_file_count && !code; i++)
        code = fill_topology(sheet, cs_machine_files[i].name, err);
    for (size_t i = 0; i < cs_source_count && !code; i++)
        cs_sheet_row(sheet, &(struct topology_row){
                                .name = cs_arena_printf(&sheet->arena, "%s:", cs_sources[i]->name),
                                .ranks = "any",
                                .about = cs_sources[i]->about,
                            });
    return code;
}

struct algorithm_row {
    const struct cs_algo *algo;
    const char *libraries;
};

#define ALGO(member) CS_VIA(struct algorithm_row, algo, member)
static const struct cs_sheet_column algorithm_columns[] = {
    CS_LISTED("collective", TEXT, CS_VIA2(struct algorithm_row, algo, collective, name)),
    CS_LISTED("algorithm", TEXT, ALGO(name)),
    CS_LISTED("description", TEXT, ALGO(about)),
    CS_LISTED("closed form", TEXT, ALGO(formula)),
    CS_LISTED("libraries", TEXT, CS_AT(struct algorithm_row, libraries)),
};

static int fill_algorithms(struct cs_sheet *sheet, struct cs_err *err)
{
    (void)err;
    for (size_t i = 0; i < cs_algo_count; i++) {
        CS_AT_END(cs_text_free) struct cs_text libraries = {0};

        cs_algo_run_by_names(cs_algo_run_by(cs_algos[i]), ", ", &libraries);
        cs_sheet_row(sheet, &(struct algorithm_row){cs_algos[i], cs_text_str(&libraries)});
    }
    return 0;
}

static double link_effective(const void *row)
{
    const struct cs_link_kind *kind = row;

    return kind->rate_Bps * kind->efficiency;
}

static const char *link_network(const void *row)
{
    const struct cs_link_kind *kind = row;

    return kind->network ? cs_networks[kind->network].name : "";
}

static const char *link_option(const void *row)
{
    return cs_link_kind_option(row);
}

#define LINK(member) CS_AT(struct cs_link_kind, member)
static const struct cs_sheet_column link_columns[] = {
    CS_LISTED("link", TEXT, LINK(name)),
    CS_LISTED("of one", TEXT, LINK(unit)),
    CS_LISTED("payload", RATE, LINK(rate_Bps)),
    CS_LISTED("effective", RATE, .real = link_effective),
    CS_LISTED("efficiency", SHARE, LINK(efficiency)),
    CS_LISTED("latency", TIME, LINK(latency_ps)),
    CS_LISTED("packets", TEXT, .text = link_option),
    CS_LISTED("network", TEXT, .text = link_network),
    CS_LISTED("source", TEXT, LINK(source)),
};

enum {
    PACKET_WIDTHS = 4
};

/* A link kind with a packet size; NAN: the kind has one width. */
struct packet_row {
    const struct cs_link_kind *kind;
    const char *packets; /* "payload=256" */
    struct cs_wire wire;
    double rate_Bps[PACKET_WIDTHS];
};

#define PACKET(member) CS_AT(struct packet_row, member)
static const struct cs_sheet_column packet_columns[] = {
    CS_LISTED("link", TEXT, CS_VIA(struct packet_row, kind, name)),
    CS_LISTED("packets", TEXT, PACKET(packets)),
    CS_LISTED("efficiency", SHARE, PACKET(wire.efficiency)),
    CS_LISTED("of one", RATE, PACKET(rate_Bps[0])),
    CS_LISTED("x4", RATE, PACKET(rate_Bps[1])),
    CS_LISTED("x8", RATE, PACKET(rate_Bps[2])),
    CS_LISTED("x16", RATE, PACKET(rate_Bps[3])),
    CS_LISTED("source", TEXT, PACKET(wire.source)),
};

/* A row for a link kind and a packet size that the kind allows. */
static void fill_packets_of(struct cs_sheet *sheet, const struct cs_link_kind *kind, uint32_t bytes)
{
    static const uint32_t widths[PACKET_WIDTHS] = {1, 4, 8, 16};
    struct cs_link_class link_class = {.width = 1, .packet_bytes = bytes};
    struct packet_row row = {.kind = kind};

    snprintf(link_class.option, sizeof(link_class.option), "%s", cs_link_kind_option(kind));
    if (!link_class.option[0] || cs_link_kind_apply(kind, &link_class, &row.wire, NULL))
        return;
    row.packets = cs_arena_printf(&sheet->arena, "%s=%u", link_class.option, bytes);
    for (size_t i = 0; i < PACKET_WIDTHS; i++)
        row.rate_Bps[i] = i > 0 && kind->framing != CS_FRAMING_PCIE
                              ? (double)NAN
                              : widths[i] * kind->rate_Bps * row.wire.efficiency;
    cs_sheet_row(sheet, &row);
}

static int fill_packets(struct cs_sheet *sheet, struct cs_err *err)
{
    static const uint32_t sizes[] = {128, 256, 512, 1024, 1500, 2048, 4096, 9000};

    (void)err;
    for (size_t i = 0; i < cs_link_kind_count; i++)
        for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++)
            fill_packets_of(sheet, &cs_link_kinds[i], sizes[k]);
    return 0;
}

struct gpu_row {
    const struct cs_gpu_kind *kind;
    const char *links, *generation;
};

#define GPU(member) CS_VIA(struct gpu_row, kind, member)
static const struct cs_sheet_column gpu_columns[] = {
    CS_LISTED("GPU", TEXT, GPU(name)),
    CS_LISTED("links", TEXT, CS_AT(struct gpu_row, links)),
    CS_LISTED("PCIe", TEXT, GPU(pcie)),
    CS_LISTED("generation", TEXT, CS_AT(struct gpu_row, generation)),
    CS_LISTED("peer access", BOOL, GPU(peer_access)),
    CS_LISTED("source", TEXT, GPU(source)),
};

/* "sm 9.0" and "gfx90a", as the makers write a generation. */
static const char *gpu_generation(const struct cs_gpu_kind *kind, struct cs_arena *arena)
{
    if (kind->maker == CS_GPU_NVIDIA)
        return cs_arena_printf(arena, "sm %u.%u", kind->generation / 10, kind->generation % 10);
    if (kind->maker == CS_GPU_AMD && kind->generation == 910)
        return "gfx90a";
    return kind->maker == CS_GPU_AMD ? cs_arena_printf(arena, "gfx%u", kind->generation) : "";
}

static int fill_gpus(struct cs_sheet *sheet, struct cs_err *err)
{
    (void)err;
    for (size_t i = 0; i < cs_gpu_kind_count; i++) {
        const struct cs_gpu_kind *kind = &cs_gpu_kinds[i];
        struct gpu_row row = {kind, "none", gpu_generation(kind, &sheet->arena)};

        if (kind->links)
            row.links = cs_arena_printf(&sheet->arena, "%s x%u", kind->link, kind->links);
        cs_sheet_row(sheet, &row);
    }
    return 0;
}

#define TRANSPORT(member) CS_AT(struct cs_transport, member)
static const struct cs_sheet_column transport_columns[] = {
    CS_LISTED("name", TEXT, TRANSPORT(name)),
    CS_LISTED("description", TEXT, TRANSPORT(about)),
    CS_LISTED("payload", SHARE, TRANSPORT(payload)),
    CS_LISTED("launch", TIME, TRANSPORT(launch_ps)),
    CS_LISTED("direct", TIME, TRANSPORT(step_ps[0])),
    CS_LISTED("pcie", TIME, TRANSPORT(step_ps[1])),
    CS_LISTED("network", TIME, TRANSPORT(step_ps[2])),
    CS_LISTED("source", TEXT, TRANSPORT(source)),
};
_Static_assert(CS_HOPS == 3, "a column for each medium");

static int fill_transports(struct cs_sheet *sheet, struct cs_err *err)
{
    struct cs_transport transport;
    int code = 0;

    for (size_t i = 0; i < cs_transport_count && !code; i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

        code = cs_transport_open(cs_transports[i].name, &transport, &arena, err);
        if (!code)
            cs_sheet_row(sheet, &transport);
    }
    return code;
}

static bool is_of_another_simulator(const void *row)
{
    return ((const struct cs_link_model *)row)->is_compat;
}

struct format_row {
    const char *command, *name, *about;
};

#define FORMAT(member) CS_AT(struct format_row, member)
static const struct cs_sheet_column format_columns[] = {
    CS_LISTED("command", TEXT, FORMAT(command)),
    CS_LISTED("name", TEXT, FORMAT(name)),
    CS_LISTED("description", TEXT, FORMAT(about)),
};

static int fill_formats(struct cs_sheet *sheet, struct cs_err *err)
{
    (void)err;
    for (size_t i = 0; i < cs_exporter_count; i++)
        cs_sheet_row(sheet,
                     &(struct format_row){"export", cs_exporters[i]->name, cs_exporters[i]->about});
    for (size_t i = 0; i < cs_writer_count; i++)
        cs_sheet_row(sheet,
                     &(struct format_row){"topo", cs_writers[i]->name, cs_writers[i]->about});
    return 0;
}

static const struct cs_sheet_column dtype_columns[] = {
    CS_LISTED("name", TEXT, CS_AT(struct cs_dtype, name)),
    CS_LISTED("bytes", PLAIN, CS_AT(struct cs_dtype, bytes)),
};

/* ---- the listings ---- */

/* Name and description of each entry of a registry. */
#define NAMES_OF(object)                                          \
    .columns =                                                    \
        (const struct cs_sheet_column[]){                         \
            CS_LISTED("name", TEXT, CS_AT(object, name)),         \
            CS_LISTED("description", TEXT, CS_AT(object, about)), \
        },                                                        \
    .column_count = 2

#define COLUMNS(of) .columns = (of), .column_count = sizeof(of) / sizeof(*(of))

#define LISTING(identifier, title, description, ...)        \
    static const struct cs_listing listing_##identifier = { \
        .name = (title), .about = (description), __VA_ARGS__}

LISTING(topologies, "topologies", "machines of the library and generators",
        COLUMNS(topology_columns), .fill = fill_topologies);
LISTING(algorithms, "algorithms", "algorithms of each collective", COLUMNS(algorithm_columns),
        .fill = fill_algorithms);
LISTING(collectives, "collectives", "collective operations", NAMES_OF(struct cs_collective),
        .rows = cs_collectives, .count = &cs_collective_count);
LISTING(dtypes, "dtypes", "types of elements", COLUMNS(dtype_columns), .rows = cs_dtypes,
        .count = &cs_dtype_count, .size = sizeof(struct cs_dtype));
LISTING(models, "models", "link models", NAMES_OF(struct cs_link_model), .rows = cs_link_models,
        .count = &cs_link_model_count,
        .see = "Models that train takes: collsim list train-models\n");
LISTING(simulators, "simulators", "link models of other simulators", NAMES_OF(struct cs_link_model),
        .rows = cs_link_models, .count = &cs_link_model_count, .keeps = is_of_another_simulator);
LISTING(fabrics, "fabrics", "fabrics of clusters", NAMES_OF(struct cs_fabric_kind),
        .rows = cs_fabric_kinds, .count = &cs_fabric_kind_count);
LISTING(links, "links", "link kinds, with the source of each number", COLUMNS(link_columns),
        .rows = cs_link_kinds, .count = &cs_link_kind_count, .size = sizeof(struct cs_link_kind));
LISTING(gpus, "gpus", "GPU models for --gpu", COLUMNS(gpu_columns), .fill = fill_gpus);
LISTING(packets, "packets", "payload of links by packet size", COLUMNS(packet_columns),
        .fill = fill_packets);
LISTING(transports, "transports", "software overheads", COLUMNS(transport_columns),
        .fill = fill_transports);
LISTING(formats, "formats", "formats of 'export' and 'topo export'", COLUMNS(format_columns),
        .fill = fill_formats);
LISTING(views, "views", "views of 'topo'", NAMES_OF(struct cs_topo_view), .rows = cs_topo_views,
        .count = &cs_topo_view_count);
LISTING(reports, "reports", "figures and tables of 'report'", NAMES_OF(struct cs_report),
        .rows = cs_reports);

const struct cs_listing *const cs_listings[] = {
    &listing_topologies,    &listing_algorithms,      &listing_collectives,
    &listing_dtypes,        &listing_models,          &listing_simulators,
    &listing_fabrics,       &listing_links,           &cs_listing_networks,
    &listing_gpus,          &cs_listing_train_models, &cs_listing_train_systems,
    &cs_listing_train_gpus, &cs_listing_frameworks,   &listing_packets,
    &listing_transports,    &cs_listing_libraries,    &cs_listing_engines,
    &cs_listing_settings,   &listing_formats,         &listing_views,
    &listing_reports,
};

const size_t cs_listing_count = sizeof(cs_listings) / sizeof(*cs_listings);

/* NULL at the end. */
static const void *listing_row(const struct cs_listing *listing, size_t i)
{
    const void *row;

    if (listing->count && i >= *listing->count)
        return NULL;
    if (listing->size)
        return (const char *)listing->rows + i * listing->size;
    memcpy(&row, (const char *)listing->rows + i * sizeof row, sizeof row);
    return row;
}

int cs_listing_fill(const struct cs_listing *listing, const struct cs_listing_machine *machine,
                    struct cs_sheet *sheet, struct cs_err *err)
{
    const void *row;

    if (!machine->topo && machine->ranks)
        return cs_err_set(err, CS_EINPUT, "--ranks needs a machine; add --topo MACHINE");
    if (machine->topo && !listing->fill_machine)
        return cs_err_set(err, CS_EINPUT, "only 'list engines' takes --topo");
    if (machine->topo) {
        cs_sheet_begin(sheet, listing->name, listing->machine_columns,
                       listing->machine_column_count);
        return listing->fill_machine(sheet, machine, err);
    }
    cs_sheet_begin(sheet, listing->name, listing->columns, listing->column_count);
    if (listing->fill)
        return listing->fill(sheet, err);
    for (size_t i = 0; (row = listing_row(listing, i)); i++)
        if (!listing->keeps || listing->keeps(row))
            cs_sheet_row(sheet, row);
    return 0;
}
