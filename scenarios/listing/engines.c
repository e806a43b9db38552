#include "scenarios/listing/engines.h"

#include "algorithms/libraries/engines.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"

#include <string.h>

const struct cs_table_column cs_engine_columns[CS_ENGINE_COLUMNS] = {
    {"library", NULL, CS_TABLE_LEFT},     {"engine", NULL, CS_TABLE_LEFT},
    {"since", NULL, CS_TABLE_LEFT},       {"modelled", NULL, CS_TABLE_LEFT},
    {"collectives", NULL, CS_TABLE_LEFT}, {"protocols", NULL, CS_TABLE_LEFT},
    {"GPUs", NULL, CS_TABLE_LEFT},        {"when", NULL, CS_TABLE_LEFT},
    {"source", NULL, CS_TABLE_LEFT},
};

const struct cs_table_column cs_engine_size_columns[CS_ENGINE_SIZE_COLUMNS] = {
    {"library", NULL, CS_TABLE_LEFT},
    {"engine", NULL, CS_TABLE_LEFT},
    {"since", NULL, CS_TABLE_LEFT},
    {"modelled", NULL, CS_TABLE_LEFT},
    {"default sizes here", NULL, CS_TABLE_LEFT},
    {"collectives", NULL, CS_TABLE_LEFT},
    {"protocols", NULL, CS_TABLE_LEFT},
    {"GPUs", NULL, CS_TABLE_LEFT},
    {"when", NULL, CS_TABLE_LEFT},
    {"source", NULL, CS_TABLE_LEFT},
};

static void engine_head(struct cs_table *table, const struct cs_engine *engine)
{
    cs_table_cell(table, engine->library);
    cs_table_cell(table, engine->name);
    cs_table_cell(table, engine->since);
    cs_table_cell(table, cs_engine_model_name(engine->model));
}

static void engine_texts(struct cs_table *table, const struct cs_engine *engine)
{
    cs_table_cell(table, engine->collectives);
    cs_table_cell(table, engine->protocols);
    cs_table_cell(table, engine->gpus);
    cs_table_cell(table, engine->when);
    cs_table_cell(table, engine->source);
}

int cs_engine_fill(struct cs_table *table, struct cs_err *err)
{
    (void)err;
    for (size_t i = 0; i < cs_engine_count; i++) {
        engine_head(table, &cs_engines[i]);
        engine_texts(table, &cs_engines[i]);
    }
    return 0;
}

/* "to 1 MiB", "from 2 MiB", "4 KiB to 1 MiB", "all sizes". */
static void span_text(const struct cs_engine_span *span, struct cs_text *out)
{
    uint64_t last = (uint64_t)CS_ENGINE_LEAST_BYTES << (CS_ENGINE_SIZES - 1);
    bool first = span->least == CS_ENGINE_LEAST_BYTES;
    char least[CS_UNITS_TEXT], most[CS_UNITS_TEXT];

    cs_units_show_bytes(least, span->least);
    cs_units_show_bytes(most, span->most);
    if (first && span->most == last)
        cs_text_add(out, "all sizes");
    else if (first)
        cs_text_printf(out, "to %s", most);
    else if (span->most == last)
        cs_text_printf(out, "from %s", least);
    else
        cs_text_printf(out, "%s to %s", least, most);
}

/* The spans of one collective that belong to the engine. */
static void engine_spans(const struct cs_engine *engine, const struct cs_library *library,
                         const struct cs_site *site, const struct cs_collective *collective,
                         struct cs_text *out)
{
    struct cs_engine_span spans[CS_ENGINE_SIZES];
    size_t count = cs_engine_spans(library, site, collective, spans);
    bool named = false;

    for (size_t i = 0; i < count; i++) {
        if (!cs_same(spans[i].engine, engine->name))
            continue;
        if (named)
            cs_text_add(out, " and ");
        else
            cs_text_printf(out, "%s%s ", *cs_text_str(out) ? "; " : "", collective->name);
        span_text(&spans[i], out);
        named = true;
    }
}

/* RCCL runs on GPUs of AMD, NCCL on those of NVIDIA. */
static bool engine_fits(const struct cs_engine *engine, const struct cs_site *site)
{
    bool rccl = cs_same(engine->library, "rccl");

    if (site->maker == CS_MAKER_AMD)
        return !cs_same(engine->library, "nccl");
    return !rccl;
}

static int engine_sizes(const struct cs_engine *engine, const struct cs_site *site,
                        struct cs_text *out, struct cs_err *err)
{
    const struct cs_library *library;
    uint32_t version;
    int code = cs_library_find(engine->library, &library, &version, err);

    for (size_t c = 0; c < cs_collective_count && !code; c++)
        if (!cs_collectives[c]->is_signal && engine_fits(engine, site))
            engine_spans(engine, library, site, cs_collectives[c], out);
    return code;
}

static int read_site(const struct cs_listing_machine *machine, struct cs_site *site,
                     struct cs_err *err)
{
    struct cs_topo_request request = {.spec = machine->topo, .ranks = machine->ranks};
    struct cs_arena arena = {0};
    struct cs_graph graph;
    int code = cs_topo_open(&request, &graph, &arena, err);

    if (!code)
        code = cs_site_read(&graph, &arena, site, err);
    cs_arena_free(&arena);
    return code;
}

int cs_engine_fill_machine(struct cs_table *table, const struct cs_listing_machine *machine,
                           struct cs_err *err)
{
    struct cs_site site;
    int code = read_site(machine, &site, err);

    for (size_t i = 0; i < cs_engine_count && !code; i++) {
        struct cs_text sizes = {0};

        code = engine_sizes(&cs_engines[i], &site, &sizes, err);
        engine_head(table, &cs_engines[i]);
        cs_table_cell(table, *cs_text_str(&sizes) ? cs_text_str(&sizes) : "none");
        engine_texts(table, &cs_engines[i]);
        cs_text_free(&sizes);
    }
    return code;
}
