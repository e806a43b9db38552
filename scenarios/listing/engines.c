#include "algorithms/libraries/engines.h"
#include "scenarios/listing/listing.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"

/* With the sizes of a machine. */
struct engine_row {
    const struct cs_engine *engine;
    const char *sizes;
};

#define HEAD(AT)                                                                  \
    CS_LISTED("library", TEXT, AT(library)), CS_LISTED("engine", TEXT, AT(name)), \
        CS_LISTED("since", TEXT, AT(since)),                                      \
        CS_LISTED("modelled", TEXT, AT(model), .words = cs_engine_model_names)
#define TEXTS(AT)                                                                                 \
    CS_LISTED("collectives", TEXT, AT(collectives)), CS_LISTED("protocols", TEXT, AT(protocols)), \
        CS_LISTED("GPUs", TEXT, AT(gpus)), CS_LISTED("when", TEXT, AT(when)),                     \
        CS_LISTED("source", TEXT, AT(source))
#define OF_ENGINE(member) CS_AT(struct cs_engine, member)
#define OF_ROW(member)    CS_VIA(struct engine_row, engine, member)
static const struct cs_sheet_column engine_columns[] = {HEAD(OF_ENGINE), TEXTS(OF_ENGINE)};
static const struct cs_sheet_column size_columns[] = {
    HEAD(OF_ROW), CS_LISTED("default sizes here", TEXT, CS_AT(struct engine_row, sizes)),
    TEXTS(OF_ROW)};

/* "to 1 MiB", "from 2 MiB", "4 KiB to 1 MiB", "all sizes". */
static void span_text(const struct cs_engine_span *span, struct cs_text *out)
{
    uint64_t last = (uint64_t)CS_ENGINE_LEAST_BYTES << (CS_ENGINE_SIZES - 1);
    bool first = span->least == CS_ENGINE_LEAST_BYTES;
    struct cs_shown least = cs_show_bytes(span->least), most = cs_show_bytes(span->most);

    if (first && span->most == last)
        cs_text_add(out, "all sizes");
    else if (first)
        cs_text_printf(out, "to %s", most.text);
    else if (span->most == last)
        cs_text_printf(out, "from %s", least.text);
    else
        cs_text_printf(out, "%s to %s", least.text, most.text);
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
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;
    int code = cs_topo_open(&request, &graph, &arena, err);

    if (!code)
        code = cs_site_read(&graph, &arena, site, err);
    return code;
}

static int fill_engines(struct cs_sheet *sheet, const struct cs_listing_machine *machine,
                        struct cs_err *err)
{
    struct cs_site site;
    int code = read_site(machine, &site, err);

    for (size_t i = 0; i < cs_engine_count && !code; i++) {
        CS_AT_END(cs_text_free) struct cs_text sizes = {0};

        code = engine_sizes(&cs_engines[i], &site, &sizes, err);
        cs_sheet_row(sheet, &(struct engine_row){&cs_engines[i],
                                                 sizes.length ? cs_text_str(&sizes) : "none"});
    }
    return code;
}

const struct cs_listing cs_listing_engines = {
    .name = "engines",
    .about = "engines of communication libraries, also those not modelled",
    .columns = engine_columns,
    .column_count = sizeof(engine_columns) / sizeof(*engine_columns),
    .rows = cs_engines,
    .count = &cs_engine_count,
    .size = sizeof(struct cs_engine),
    .machine_columns = size_columns,
    .machine_column_count = sizeof(size_columns) / sizeof(*size_columns),
    .fill_machine = fill_engines,
};
