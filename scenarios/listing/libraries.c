#include "algorithms/libraries/library.h"
#include "scenarios/listing/listing.h"
#include "topo/formats/source.h"

struct library_row {
    const struct cs_library *library;
    const char *versions, *collectives;
};

#define AT(member) CS_VIA(struct library_row, library, member)
static const struct cs_sheet_column library_columns[] = {
    CS_LISTED("name", TEXT, AT(name)),
    CS_LISTED("description", TEXT, AT(about)),
    CS_LISTED("versions", TEXT, CS_AT(struct library_row, versions)),
    CS_LISTED("collectives", TEXT, CS_AT(struct library_row, collectives)),
    CS_LISTED("source", TEXT, AT(source)),
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

static const char *listing_library_versions(const struct cs_library *library,
                                            struct cs_arena *arena)
{
    if (!library->newest)
        return "all";
    return cs_arena_printf(arena, "%u.%u to %u.%u", library->oldest / 10000,
                           library->oldest / 100 % 100, library->newest / 10000,
                           library->newest / 100 % 100);
}

static const char *listing_library_collectives(const struct cs_library *library,
                                               const struct cs_site sites[SAMPLES],
                                               struct cs_arena *arena)
{
    const char *names = "";

    for (size_t i = 0; i < cs_collective_count; i++)
        if (library_serves(library, cs_collectives[i], sites))
            names = cs_arena_printf(arena, "%s%s%s", names, *names ? ", " : "",
                                    cs_collectives[i]->name);
    return names;
}

static int fill_libraries(struct cs_sheet *sheet, struct cs_err *err)
{
    struct cs_site sites[SAMPLES];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    int code = listing_library_sites(sites, &arena, err);

    for (size_t i = 0; i < cs_library_count && !code; i++)
        cs_sheet_row(sheet, &(struct library_row){
                                cs_libraries[i],
                                listing_library_versions(cs_libraries[i], &arena),
                                listing_library_collectives(cs_libraries[i], sites, &arena),
                            });
    return code;
}

const struct cs_listing cs_listing_libraries = {
    .name = "libraries",
    .about = "cost models of libraries, for --library",
    .columns = library_columns,
    .column_count = sizeof(library_columns) / sizeof(*library_columns),
    .fill = fill_libraries,
};
