#include "scenarios/listing/libraries.h"

#include "algorithms/libraries/library.h"
#include "topo/formats/source.h"

const struct cs_table_column cs_library_columns[CS_LIBRARY_COLUMNS] = {
    {"name", NULL, CS_TABLE_LEFT},     {"description", NULL, CS_TABLE_LEFT},
    {"versions", NULL, CS_TABLE_LEFT}, {"collectives", NULL, CS_TABLE_LEFT},
    {"source", NULL, CS_TABLE_LEFT},
};

/* GPUs of NVIDIA, GPUs of AMD, NPUs, and hosts. */
static const char *const sample_machines[] = {
    "cluster:node=dgx-h100,nodes=2",
    "cluster:node=mi300x,nodes=2",
    "cluster:node=ascend910,nodes=2",
    "100gbe-8",
};

enum {
    SAMPLES = sizeof(sample_machines) / sizeof(*sample_machines),
    SAMPLE_BYTES = 1 << 20,
};

static int listing_library_sites(struct cs_site sites[SAMPLES], struct cs_arena *arena,
                                 struct cs_err *err)
{
    struct cs_graph graph;
    int code = 0;

    for (size_t i = 0; i < SAMPLES && !code; i++) {
        struct cs_topo_request request = {.spec = sample_machines[i]};

        code = cs_topo_open(&request, &graph, arena, err);
        if (!code)
            code = cs_site_read(&graph, arena, &sites[i], err);
    }
    return code;
}

static bool library_serves(const struct cs_library *library, const struct cs_collective *collective,
                           const struct cs_site sites[SAMPLES])
{
    for (size_t i = 0; i < SAMPLES; i++) {
        const struct cs_library_request request = {
            .site = &sites[i],
            .collective = collective,
            .bytes = collective->is_signal ? 0 : SAMPLE_BYTES,
            .effects = CS_EFFECTS_ALL,
        };
        struct cs_library_time time;
        struct cs_err err = {0};

        if (!library->time(&request, &time, &err))
            return true;
    }
    return false;
}

static void listing_library_versions(const struct cs_library *library, struct cs_table *table)
{
    if (library->newest)
        cs_table_cellf(table, "%u.%u to %u.%u", library->oldest / 10000,
                       library->oldest / 100 % 100, library->newest / 10000,
                       library->newest / 100 % 100);
    else
        cs_table_cell(table, "all");
}

static void listing_library_collectives(const struct cs_library *library,
                                        const struct cs_site sites[SAMPLES], struct cs_table *table)
{
    struct cs_text names = {0};

    for (size_t i = 0; i < cs_collective_count; i++)
        if (library_serves(library, cs_collectives[i], sites))
            cs_text_printf(&names, "%s%s", names.length ? ", " : "", cs_collectives[i]->name);
    cs_table_cell(table, cs_text_str(&names));
    cs_text_free(&names);
}

int cs_library_fill(struct cs_table *table, struct cs_err *err)
{
    struct cs_site sites[SAMPLES];
    struct cs_arena arena = {0};
    int code = listing_library_sites(sites, &arena, err);

    for (size_t i = 0; i < cs_library_count && !code; i++) {
        cs_table_cell(table, cs_libraries[i]->name);
        cs_table_cell(table, cs_libraries[i]->about);
        listing_library_versions(cs_libraries[i], table);
        listing_library_collectives(cs_libraries[i], sites, table);
        cs_table_cell(table, cs_libraries[i]->source);
    }
    cs_arena_free(&arena);
    return code;
}
