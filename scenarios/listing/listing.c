#include "scenarios/listing/listing.h"

#include "algorithms/algo.h"
#include "algorithms/schedules/export.h"
#include "reports/figures/report.h"
#include "scenarios/listing/engines.h"
#include "scenarios/listing/libraries.h"
#include "scenarios/listing/settings.h"
#include "scenarios/listing/train.h"
#include "scenarios/machine/topo_word.h"
#include "sim/base/units.h"
#include "sim/models/models.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/transports/transport.h"

#include <stdio.h>
#include <string.h>

static const struct cs_table_column topology_columns[] = {
    {"topology", NULL, CS_TABLE_LEFT},    {"ranks", NULL, CS_TABLE_RIGHT},
    {"GPUs", NULL, CS_TABLE_RIGHT},       {"NICs", NULL, CS_TABLE_RIGHT},
    {"links", NULL, CS_TABLE_RIGHT},      {"links of a rank", NULL, CS_TABLE_LEFT},
    {"payload", NULL, CS_TABLE_RIGHT},    {"effective", NULL, CS_TABLE_RIGHT},
    {"description", NULL, CS_TABLE_LEFT}, {"other names", NULL, CS_TABLE_LEFT},
};

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
    uint32_t w;

    snprintf(links.class_name, sizeof(links.class_name), "%.*s", (int)length, like->class_name);
    for (w = 0; w < graph->wire_count; w++) {
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
    uint32_t w;

    for (w = 0; w < graph->wire_count; w++)
        if (is_of_rank(graph, &graph->wires[w])) {
            struct rank_links links = links_like(graph, &graph->wires[w]);

            if (links.effective_Bps > best.effective_Bps)
                best = links;
        }
    return best;
}

static uint32_t cmd_list_count_devices(const struct cs_graph *graph, enum cs_device_kind kind)
{
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < graph->device_count; i++)
        count += graph->devices[i].kind == kind;
    return count;
}

static void fill_machine(struct cs_table *table, const struct cs_graph *graph)
{
    struct rank_links links = links_of_a_rank(graph);
    char text[CS_UNITS_TEXT];

    cs_table_cellf(table, "%u", graph->rank_count);
    cs_table_cellf(table, "%u", cmd_list_count_devices(graph, CS_DEVICE_GPU));
    cs_table_cellf(table, "%u", cmd_list_count_devices(graph, CS_DEVICE_NIC));
    cs_table_cellf(table, "%u", graph->wire_count);
    cs_table_cell(table, links.class_name);
    cs_table_cell(table, cs_units_show_rate(text, links.payload_Bps));
    cs_table_cell(table, cs_units_show_rate(text, links.effective_Bps));
    cs_table_cell(table, graph->about);
}

static void fill_other_names(struct cs_table *table, const char *name)
{
    struct cs_text names = {0};
    size_t i;

    for (i = 0; i < cs_other_name_count; i++)
        if (cs_same(cs_other_names[i].name, name))
            cs_text_printf(&names, "%s%s", names.length ? " " : "", cs_other_names[i].other);
    cs_table_cell(table, cs_text_str(&names));
    cs_text_free(&names);
}

static int fill_topology(struct cs_table *table, const char *name, struct cs_err *err)
{
    struct cs_topo_request request = {.spec = name};
    struct cs_arena arena = {0};
    struct cs_graph graph;
    int code = cs_topo_open(&request, &graph, &arena, err);

    if (!code) {
        cs_table_cell(table, name);
        fill_machine(table, &graph);
        fill_other_names(table, name);
    }
    cs_arena_free(&arena);
    return code;
}

enum {
    MACHINE_FIGURES = 6 /* columns without a value */
};

static int fill_topologies(struct cs_table *table, struct cs_err *err)
{
    size_t i;
    int blank;
    int code = 0;

    for (i = 0; i < cs_machine_file_count && !code; i++)
        code = fill_topology(table, cs_machine_files[i].name, err);
    for (i = 0; i < cs_source_count && !code; i++) {
        cs_table_cellf(table, "%s:", cs_sources[i]->name);
        cs_table_cell(table, "any");
        for (blank = 0; blank < MACHINE_FIGURES; blank++)
            cs_table_cell(table, "");
        cs_table_cell(table, cs_sources[i]->about);
        cs_table_cell(table, "");
    }
    return code;
}

static const struct cs_table_column algorithm_columns[] = {
    {"collective", NULL, CS_TABLE_LEFT},  {"algorithm", NULL, CS_TABLE_LEFT},
    {"description", NULL, CS_TABLE_LEFT}, {"closed form", NULL, CS_TABLE_LEFT},
    {"libraries", NULL, CS_TABLE_LEFT},
};

static int fill_algorithms(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_algo_count; i++) {
        struct cs_text libraries = {0};

        cs_algo_run_by_names(cs_algo_run_by(cs_algos[i]), ", ", &libraries);
        cs_table_cell(table, cs_algos[i]->collective->name);
        cs_table_cell(table, cs_algos[i]->name);
        cs_table_cell(table, cs_algos[i]->about);
        cs_table_cell(table, cs_algos[i]->formula);
        cs_table_cell(table, cs_text_str(&libraries));
        cs_text_free(&libraries);
    }
    return 0;
}

static const struct cs_table_column link_columns[] = {
    {"link", NULL, CS_TABLE_LEFT},        {"of one", NULL, CS_TABLE_LEFT},
    {"payload", NULL, CS_TABLE_RIGHT},    {"effective", NULL, CS_TABLE_RIGHT},
    {"efficiency", NULL, CS_TABLE_RIGHT}, {"latency", NULL, CS_TABLE_RIGHT},
    {"packets", NULL, CS_TABLE_LEFT},     {"source", NULL, CS_TABLE_LEFT},
};

static int fill_links(struct cs_table *table, struct cs_err *err)
{
    char text[CS_UNITS_TEXT];
    size_t i;

    (void)err;
    for (i = 0; i < cs_link_kind_count; i++) {
        const struct cs_link_kind *kind = &cs_link_kinds[i];

        cs_table_cell(table, kind->name);
        cs_table_cell(table, kind->unit);
        cs_table_cell(table, cs_units_show_rate(text, kind->rate_Bps));
        cs_table_cell(table, cs_units_show_rate(text, kind->rate_Bps * kind->efficiency));
        cs_table_cellf(table, "%.1f %%", 100 * kind->efficiency);
        cs_table_cell(table, cs_units_show_time(text, kind->latency_ps));
        cs_table_cell(table, cs_link_kind_option(kind));
        cs_table_cell(table, kind->source);
    }
    return 0;
}

static const struct cs_table_column packet_columns[] = {
    {"link", NULL, CS_TABLE_LEFT},        {"packets", NULL, CS_TABLE_LEFT},
    {"efficiency", NULL, CS_TABLE_RIGHT}, {"of one", NULL, CS_TABLE_RIGHT},
    {"x4", NULL, CS_TABLE_RIGHT},         {"x8", NULL, CS_TABLE_RIGHT},
    {"x16", NULL, CS_TABLE_RIGHT},        {"source", NULL, CS_TABLE_LEFT},
};

/* A row for a link kind and a packet size that the kind allows. */
static void fill_packets_of(struct cs_table *table, const struct cs_link_kind *kind, uint32_t bytes)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    struct cs_link_class link_class = {.width = 1, .packet_bytes = bytes};
    char text[CS_UNITS_TEXT];
    struct cs_wire wire = {0};

    snprintf(link_class.option, sizeof(link_class.option), "%s", cs_link_kind_option(kind));
    if (!link_class.option[0] || cs_link_kind_apply(kind, &link_class, &wire, NULL))
        return;
    cs_table_cell(table, kind->name);
    cs_table_cellf(table, "%s=%u", link_class.option, bytes);
    cs_table_cellf(table, "%.1f %%", 100 * wire.efficiency);
    for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++)
        cs_table_cell(table,
                      i > 0 && kind->framing != CS_FRAMING_PCIE
                          ? ""
                          : cs_units_show_rate(text, widths[i] * kind->rate_Bps * wire.efficiency));
    cs_table_cell(table, wire.source);
}

static int fill_packets(struct cs_table *table, struct cs_err *err)
{
    static const uint32_t sizes[] = {128, 256, 512, 1024, 1500, 2048, 4096, 9000};

    (void)err;
    for (size_t i = 0; i < cs_link_kind_count; i++)
        for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++)
            fill_packets_of(table, &cs_link_kinds[i], sizes[k]);
    return 0;
}

static const struct cs_table_column gpu_columns[] = {
    {"GPU", NULL, CS_TABLE_LEFT},         {"links", NULL, CS_TABLE_LEFT},
    {"PCIe", NULL, CS_TABLE_LEFT},        {"generation", NULL, CS_TABLE_LEFT},
    {"peer access", NULL, CS_TABLE_LEFT}, {"source", NULL, CS_TABLE_LEFT},
};

/* "sm 9.0" and "gfx90a", as the makers write a generation. */
static void fill_generation(struct cs_table *table, const struct cs_gpu_kind *kind)
{
    if (kind->maker == CS_GPU_NVIDIA)
        cs_table_cellf(table, "sm %u.%u", kind->generation / 10, kind->generation % 10);
    else if (kind->maker == CS_GPU_AMD && kind->generation == 910)
        cs_table_cell(table, "gfx90a");
    else if (kind->maker == CS_GPU_AMD)
        cs_table_cellf(table, "gfx%u", kind->generation);
    else
        cs_table_cell(table, "");
}

static int fill_gpus(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_gpu_kind_count; i++) {
        const struct cs_gpu_kind *kind = &cs_gpu_kinds[i];

        cs_table_cell(table, kind->name);
        if (kind->links)
            cs_table_cellf(table, "%s x%u", kind->link, kind->links);
        else
            cs_table_cell(table, "none");
        cs_table_cell(table, kind->pcie);
        fill_generation(table, kind);
        cs_table_cell(table, kind->peer_access ? "yes" : "no");
        cs_table_cell(table, kind->source);
    }
    return 0;
}

static const struct cs_table_column name_columns[] = {
    {"name", NULL, CS_TABLE_LEFT},
    {"description", NULL, CS_TABLE_LEFT},
};

static int fill_collectives(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_collective_count; i++) {
        cs_table_cell(table, cs_collectives[i]->name);
        cs_table_cell(table, cs_collectives[i]->about);
    }
    return 0;
}

static int fill_models(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_link_model_count; i++) {
        cs_table_cell(table, cs_link_models[i]->name);
        cs_table_cell(table, cs_link_models[i]->about);
    }
    return 0;
}

static const struct cs_table_column transport_columns[] = {
    {"name", NULL, CS_TABLE_LEFT},     {"description", NULL, CS_TABLE_LEFT},
    {"payload", NULL, CS_TABLE_RIGHT}, {"launch", NULL, CS_TABLE_RIGHT},
    {"direct", NULL, CS_TABLE_RIGHT},  {"pcie", NULL, CS_TABLE_RIGHT},
    {"network", NULL, CS_TABLE_RIGHT}, {"source", NULL, CS_TABLE_LEFT},
};

static int fill_transports(struct cs_table *table, struct cs_err *err)
{
    struct cs_transport transport;
    char text[CS_UNITS_TEXT];
    size_t i;
    int medium;
    int code = 0;

    for (i = 0; i < cs_transport_count && !code; i++) {
        struct cs_arena arena = {0};

        code = cs_transport_open(cs_transports[i].name, &transport, &arena, err);
        if (!code) {
            cs_table_cell(table, transport.name);
            cs_table_cell(table, transport.about);
            cs_table_cellf(table, "%.1f %%", 100 * transport.payload);
            cs_table_cell(table, cs_units_show_time(text, transport.launch_ps));
            for (medium = 0; medium < CS_HOPS; medium++)
                cs_table_cell(table, cs_units_show_time(text, transport.step_ps[medium]));
            cs_table_cell(table, transport.source);
        }
        cs_arena_free(&arena);
    }
    return code;
}

static int fill_simulators(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_link_model_count; i++)
        if (cs_link_models[i]->is_compat) {
            cs_table_cell(table, cs_link_models[i]->name);
            cs_table_cell(table, cs_link_models[i]->about);
        }
    return 0;
}

static int fill_fabrics(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_fabric_kind_count; i++) {
        cs_table_cell(table, cs_fabric_kinds[i]->name);
        cs_table_cell(table, cs_fabric_kinds[i]->about);
    }
    return 0;
}

static const struct cs_table_column dtype_columns[] = {
    {"name", NULL, CS_TABLE_LEFT},
    {"bytes", NULL, CS_TABLE_RIGHT},
};

static int fill_dtypes(struct cs_table *table, struct cs_err *err)
{
    const struct cs_dtype *dtype;

    (void)err;
    for (dtype = cs_dtypes; dtype < cs_dtypes + cs_dtype_count; dtype++) {
        cs_table_cell(table, dtype->name);
        cs_table_cellf(table, "%u", dtype->bytes);
    }
    return 0;
}

static const struct cs_table_column format_columns[] = {
    {"command", NULL, CS_TABLE_LEFT},
    {"name", NULL, CS_TABLE_LEFT},
    {"description", NULL, CS_TABLE_LEFT},
};

static int fill_formats(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_exporter_count; i++) {
        cs_table_cell(table, "export");
        cs_table_cell(table, cs_exporters[i]->name);
        cs_table_cell(table, cs_exporters[i]->about);
    }
    for (i = 0; i < cs_writer_count; i++) {
        cs_table_cell(table, "topo");
        cs_table_cell(table, cs_writers[i]->name);
        cs_table_cell(table, cs_writers[i]->about);
    }
    return 0;
}

static int fill_views(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; i < cs_topo_view_count; i++) {
        cs_table_cell(table, cs_topo_views[i]->name);
        cs_table_cell(table, cs_topo_views[i]->about);
    }
    return 0;
}

static int fill_reports(struct cs_table *table, struct cs_err *err)
{
    size_t i;

    (void)err;
    for (i = 0; cs_reports[i]; i++) {
        cs_table_cell(table, cs_reports[i]->name);
        cs_table_cell(table, cs_reports[i]->about);
    }
    return 0;
}

#define COLUMNS(columns) columns, sizeof(columns) / sizeof(*(columns))

#define NO_MACHINE NULL, 0, NULL

const struct cs_listing cs_listings[] = {
    {"topologies", "machines of the library and generators", COLUMNS(topology_columns),
     fill_topologies, NO_MACHINE},
    {"algorithms", "algorithms of each collective", COLUMNS(algorithm_columns), fill_algorithms,
     NO_MACHINE},
    {"collectives", "collective operations", COLUMNS(name_columns), fill_collectives, NO_MACHINE},
    {"dtypes", "types of elements", COLUMNS(dtype_columns), fill_dtypes, NO_MACHINE},
    {"models", "link models", COLUMNS(name_columns), fill_models, NO_MACHINE},
    {"simulators", "link models of other simulators", COLUMNS(name_columns), fill_simulators,
     NO_MACHINE},
    {"fabrics", "fabrics of clusters", COLUMNS(name_columns), fill_fabrics, NO_MACHINE},
    {"links", "link kinds, with the source of each number", COLUMNS(link_columns), fill_links,
     NO_MACHINE},
    {"gpus", "GPU models for --gpu", COLUMNS(gpu_columns), fill_gpus, NO_MACHINE},
    {"train-models", "models of 'collsim train'", COLUMNS(cs_train_model_columns),
     cs_train_fill_models, NO_MACHINE},
    {"train-systems", "systems of 'collsim train'", COLUMNS(name_columns), cs_train_fill_systems,
     NO_MACHINE},
    {"train-gpus", "peaks of GPUs, for 'collsim train --device'", COLUMNS(cs_train_gpu_columns),
     cs_train_fill_gpus, NO_MACHINE},
    {"packets", "payload of links by packet size", COLUMNS(packet_columns), fill_packets,
     NO_MACHINE},
    {"transports", "software overheads", COLUMNS(transport_columns), fill_transports, NO_MACHINE},
    {"libraries", "cost models of libraries, for --library", COLUMNS(cs_library_columns),
     cs_library_fill, NO_MACHINE},
    {"engines", "engines of communication libraries, also those not modelled",
     COLUMNS(cs_engine_columns), cs_engine_fill, COLUMNS(cs_engine_size_columns),
     cs_engine_fill_machine},
    {"settings", "variables of NCCL and RCCL, conditions of a node", COLUMNS(cs_setting_columns),
     cs_setting_fill, NO_MACHINE},
    {"formats", "formats of 'export' and 'topo export'", COLUMNS(format_columns), fill_formats,
     NO_MACHINE},
    {"views", "views of 'topo'", COLUMNS(name_columns), fill_views, NO_MACHINE},
    {"reports", "figures and tables of 'report'", COLUMNS(name_columns), fill_reports, NO_MACHINE},
};

const size_t cs_listing_count = sizeof(cs_listings) / sizeof(*cs_listings);
