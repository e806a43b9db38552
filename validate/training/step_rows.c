#include "validate/training/step_rows.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "validate/lines/csv.h"

#include <stddef.h>
#include <string.h>

static const char *const step_kinds[CS_STEP_KINDS] = {"configurations", "scaling", "systems",
                                                      "models"};
const char *const cs_step_deciders[CS_STEP_DECIDERS] = {"compute", "network", "both"};
const char *const cs_step_families[CS_STEP_FAMILIES] = {"",    "gpt",      "llama",
                                                        "mpt", "nemotron", "bloom"};
const char *const cs_step_recomputes[CS_STEP_RECOMPUTES] = {"none", "selective", "full", "ops"};

const char *const cs_step_option_names[CS_STEP_OPTIONS] = {
#define STEP_OPTION(name) name,
#include "validate/training/step_options.def"
#undef STEP_OPTION
};

const char *cs_step_option(const struct cs_step_series *series, const char *name)
{
    int i = 0;

    while (!cs_same(cs_step_option_names[i], name))
        i++;
    return series->options[i] ? series->options[i] : "";
}

/* ---- columns ---- */

#define AS(type, kind, column, ...) CS_CSV(struct cs_step_##type, kind, column, __VA_ARGS__)
#define OF(type, kind, member)      AS(type, kind, #member, member)
#define GB                          1e9
#define GIB                         1073741824.0

/* A file, and where its lines go. */
struct step_file {
    struct cs_doc_text text;
    struct cs_arena *arena;
    struct cs_csv_lines *lines; /* behind those of earlier files */
    struct cs_err *err;
};

/* Reads lines of the file's form. */
static int steps_lines(const struct step_file *file, const struct cs_csv_column *columns,
                       size_t width, struct cs_csv_lines form)
{
    *file->lines = form;
    return cs_csv_lines_read(file->text, columns, width, file->arena, file->lines, file->err);
}

#define LINES(file, type, columns, judge)                                \
    steps_lines((file), (columns), sizeof(columns) / sizeof(*(columns)), \
                (struct cs_csv_lines){                                   \
                    .what = #type, .size = sizeof(struct cs_step_##type), .check = (judge)})

static int steps_machines(const struct step_file *file)
{
    static const struct cs_csv_column columns[] = {
        OF(machine, NAME, name),
        OF(machine, TEXT, gpu),
        OF(machine, TEXT, peak),
        OF(machine, COUNT, node_gpus),
        OF(machine, TEXT, node),
        OF(machine, TEXT, link),
        AS(machine, NUMBER, "inside_gb_s", inside_Bps, .unit = GB),
        AS(machine, NUMBER, "network_gb_s", network_Bps, .unit = GB),
        OF(machine, TEXT, stated_by),
        OF(machine, TEXT, note),
    };

    return LINES(file, machine, columns, NULL);
}

static int steps_tables(const struct step_file *file)
{
    static const struct cs_csv_column columns[] = {
        OF(table, NAME, id),
        OF(table, TEXT, publisher),
        AS(table, WORD, "kind", kind, CS_CSV_WORDS(step_kinds)),
        AS(table, WORD, "decided_by", decided_by, CS_CSV_WORDS(cs_step_deciders)),
        OF(table, TEXT, about),
        OF(table, TEXT, fitted),
    };

    return LINES(file, table, columns, NULL);
}

static int steps_series(const struct step_file *file)
{
    const struct cs_csv_lines *before = file->lines - 2;
    const struct cs_csv_column facts[] = {
        OF(series, NAME, id),
        AS(series, POINTER, "table", table, .target = &before[1]),
        AS(series, POINTER, "machine", machine, .target = &before[0]),
        OF(series, TEXT, framework),
        OF(series, TEXT, method),
        OF(series, TEXT, model),
        OF(series, TEXT, library_model),
        AS(series, WORD, "family", family, CS_CSV_WORDS(cs_step_families)),
        AS(series, NUMBER, "parameters", parameters, .unit = 1),
        AS(series, COUNT, "layers", shape.layers),
        AS(series, COUNT, "hidden", shape.hidden),
        AS(series, COUNT, "heads", shape.heads),
        AS(series, COUNT, "kv_heads", shape.kv_heads),
        AS(series, COUNT, "ffn", shape.ffn),
        AS(series, COUNT, "vocabulary", shape.vocabulary),
        AS(series, COUNT, "sequence", shape.sequence),
        AS(series, WORD, "precision", precision, CS_CSV_WORDS(cs_precision_names)),
        AS(series, WORD, "recompute", recompute, CS_CSV_WORDS(cs_step_recomputes)),
        OF(series, TEXT, unserved),
        OF(series, TEXT, source),
        OF(series, TEXT, note),
    };
    struct cs_csv_column columns[sizeof(facts) / sizeof(*facts) + CS_STEP_OPTIONS];
    size_t count = sizeof(facts) / sizeof(*facts);

    memcpy(columns, facts, sizeof(facts));
    for (size_t i = 0; i < CS_STEP_OPTIONS; i++)
        columns[count++] = (struct cs_csv_column){
            .name = cs_step_option_names[i],
            .cell = CS_CSV_CELL_TEXT,
            .offset = offsetof(struct cs_step_series, options) + i * sizeof(const char *),
        };
    return LINES(file, series, columns, NULL);
}

/* A series that appears again would hide that its rows are apart. */
static int steps_check_row(const struct cs_csv_lines *lines, uint32_t index, struct cs_err *err)
{
    const struct cs_step_row *row = (const void *)lines->base;

    row += index;
    if (row->gpus == 0 || (row->step_s == 0) == (row->samples_per_s == 0))
        return cs_err_set(err, CS_EINPUT, "expected gpus, and either step_s or samples_per_s");
    if (index > 0 && row->series < row[-1].series)
        return cs_err_set(err, CS_EINPUT,
                          "series '%.40s' behind a later one; expected the order of the series",
                          row->series->id);
    return 0;
}

static int steps_rows(const struct step_file *file)
{
    const struct cs_csv_column columns[] = {
        AS(row, POINTER, "series", series, .target = file->lines - 1),
        OF(row, COUNT, gpus),
        OF(row, COUNT, tensor),
        OF(row, COUNT, pipeline),
        OF(row, COUNT, chunks),
        OF(row, COUNT, context),
        OF(row, COUNT, data),
        OF(row, COUNT, micro_batch),
        OF(row, COUNT, accumulation),
        OF(row, COUNT, global_batch),
        AS(row, NUMBER, "step_s", step_s, .unit = 1),
        AS(row, NUMBER, "samples_per_s", samples_per_s, .unit = 1),
        AS(row, NUMBER, "memory_gib", memory_bytes, .unit = GIB),
    };

    return LINES(file, row, columns, steps_check_row);
}

int cs_steps_read(const struct cs_doc_text texts[CS_STEP_TEXTS], struct cs_arena *arena,
                  struct cs_step_data *steps, struct cs_err *err)
{
    static int (*const readers[CS_STEP_TEXTS])(const struct step_file *) = {
        steps_machines, steps_tables, steps_series, steps_rows};
    struct cs_csv_lines lines[CS_STEP_TEXTS];
    int code = 0;

    *steps = (struct cs_step_data){0};
    for (int i = 0; i < CS_STEP_TEXTS && !code; i++)
        code = readers[i](&(struct step_file){texts[i], arena, &lines[i], err});
    if (code)
        return code;
    *steps = (struct cs_step_data){
        .machines = (const void *)lines[0].base,
        .machine_count = lines[0].count,
        .tables = (const void *)lines[1].base,
        .table_count = lines[1].count,
        .series = (const void *)lines[2].base,
        .series_count = lines[2].count,
        .rows = (const void *)lines[3].base,
        .row_count = lines[3].count,
    };
    return 0;
}

/* ---- files ---- */

/* Files of validate/data/training, by the Makefile. */
extern const unsigned char cs_training_machines_packed[];
extern const unsigned char cs_training_tables_packed[];
extern const unsigned char cs_training_series_packed[];
extern const unsigned char cs_training_rows_packed[];

static const char *const step_files[CS_STEP_TEXTS] = {"machines.csv", "tables.csv", "series.csv",
                                                      "rows.csv"};

int cs_steps_open(const char *directory, struct cs_arena *arena, struct cs_step_data *steps,
                  struct cs_err *err)
{
    static const unsigned char *const packed[CS_STEP_TEXTS] = {
        cs_training_machines_packed, cs_training_tables_packed, cs_training_series_packed,
        cs_training_rows_packed};
    struct cs_doc_text texts[CS_STEP_TEXTS];
    struct cs_text contents[CS_STEP_TEXTS] = {{0}};
    int code = 0;

    for (int i = 0; i < CS_STEP_TEXTS && !code; i++) {
        const char *file = cs_arena_printf(
            arena, "%s/%s", directory ? directory : "validate/data/training", step_files[i]);

        code = directory ? cs_file_read(file, CS_STEPS_BYTES_MAX, &contents[i], err)
                         : cs_file_unpack(packed[i], file, &contents[i], err);
        texts[i] = (struct cs_doc_text){file, cs_text_str(&contents[i]), contents[i].length};
    }
    if (!code)
        code = cs_steps_read(texts, arena, steps, err);
    for (int i = 0; i < CS_STEP_TEXTS; i++)
        cs_text_free(&contents[i]);
    return code;
}
