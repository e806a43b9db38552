#include "validate/published/published.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "validate/published/csv_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of tables.csv, in this order. */
enum table_column {
    COLUMN_ID,
    COLUMN_SITE,
    COLUMN_CLASS,
    COLUMN_LIBRARY,
    COLUMN_VERSION,
    COLUMN_COLLECTIVE,
    COLUMN_RANKS,
    COLUMN_NODES,
    COLUMN_GPU,
    COLUMN_TOPO,
    COLUMN_TOPO_RANKS,
    COLUMN_LAUNCH,
    COLUMN_ENGINE,
    COLUMN_PROTOCOL,
    COLUMN_HEALTHY,
    COLUMN_SOURCE,
    COLUMN_NOTE,
    TABLE_COLUMNS,
};

static const char *const table_columns[TABLE_COLUMNS] = {
    "id",     "site",     "class",   "library", "version",    "collective",
    "ranks",  "nodes",    "gpu",     "topo",    "topo_ranks", "launch",
    "engine", "protocol", "healthy", "source",  "note"};

static const char *const row_columns[] = {"id", "bytes", "time_us"};

static const char *const class_names[CS_CLASSES] = {
#define MACHINE_CLASS(identifier, name, about) name,
#include "validate/published/machine_classes.def"
#undef MACHINE_CLASS
};

static const char *const class_abouts[CS_CLASSES] = {
#define MACHINE_CLASS(identifier, name, about) about,
#include "validate/published/machine_classes.def"
#undef MACHINE_CLASS
};

static const char *const launch_names[CS_LAUNCHES] = {"ranks", "threads",
                                                      "process", "graph"};
static const char *const health_names[CS_HEALTHS] = {"yes", "doubtful", "no"};

enum {
    TABLE_RANKS_MAX = 1 << 20,
};

const char *cs_machine_class_name(enum cs_machine_class machine_class)
{
    return class_names[machine_class];
}

const char *cs_machine_class_about(enum cs_machine_class machine_class)
{
    return class_abouts[machine_class];
}

const char *cs_published_health_name(enum cs_published_health health)
{
    return health_names[health];
}

/* Index of the word among the names; CS_EINPUT with the nearest name. */
static int published_word(const char *what, const char *word,
                          const char *const *names, size_t count,
                          struct cs_err *err)
{
    const char *nearest;
    size_t i;

    for (i = 0; i < count; i++)
        if (cs_same(word, names[i]))
            return (int)i;
    nearest = cs_nearest(word, names, count);
    return cs_err_set(err, CS_EINPUT, "no %s '%.40s'; the nearest is '%s'",
                      what, word, nearest ? nearest : names[0]);
}

int cs_machine_class_find(const char *name, enum cs_machine_class *found,
                          struct cs_err *err)
{
    int index = published_word("class", name, class_names, CS_CLASSES, err);

    if (index < 0)
        return index;
    *found = (enum cs_machine_class)index;
    return 0;
}

/* ---- tables ---- */

/* A count, 0 for an empty cell. */
static int published_count(const char *cell, const char *name, uint32_t *number,
                           struct cs_err *err)
{
    uint64_t value = 0;
    int code =
        cell[0] ? cs_units_count(cell, 1, TABLE_RANKS_MAX, &value, err) : 0;

    *number = (uint32_t)value;
    return code ? cs_err_prefix(err, "%s", name) : 0;
}

/* "2.30.7" is 23007, "2.8.3" is 20803; an empty cell is 0. */
static int published_version(const char *cell, uint32_t *version,
                             struct cs_err *err)
{
    unsigned part[3] = {0};
    const char *at = cell;
    int i;

    *version = 0;
    if (!cell[0])
        return 0;
    for (i = 0; i < 3; i++) {
        char *end;

        if (*at < '0' || *at > '9')
            break;
        part[i] = (unsigned)strtoul(at, &end, 10);
        at = *end == '.' && i < 2 ? end + 1 : end;
        if (part[i] > 99)
            break;
    }
    if (i < 3 || *at)
        return cs_err_set(err, CS_EINPUT,
                          "version '%.20s'; expected three numbers up to 99, "
                          "such as 2.30.7",
                          cell);
    *version = 10000 * part[0] + 100 * part[1] + part[2];
    return 0;
}

static int published_words(const struct cs_csv_rows *csv,
                           struct cs_published_table *table, struct cs_err *err)
{
    int health = published_word("value of healthy", csv->cells[COLUMN_HEALTHY],
                                health_names, CS_HEALTHS, err);
    int launch = published_word("launch", csv->cells[COLUMN_LAUNCH],
                                launch_names, CS_LAUNCHES, err);

    if (health < 0 || launch < 0)
        return CS_EINPUT;
    table->health = (enum cs_published_health)health;
    table->launch = (enum cs_published_launch)launch;
    return cs_machine_class_find(csv->cells[COLUMN_CLASS],
                                 &table->machine_class, err);
}

static int published_table(const struct cs_csv_rows *csv,
                           struct cs_published_table *table, struct cs_err *err)
{
    const char *const *cells = csv->cells;
    int code;

    *table = (struct cs_published_table){
        .id = cells[COLUMN_ID],
        .site = cells[COLUMN_SITE],
        .library = cells[COLUMN_LIBRARY],
        .collective_name = cells[COLUMN_COLLECTIVE],
        .collective = cs_collective_find(cells[COLUMN_COLLECTIVE]),
        .gpu = cells[COLUMN_GPU],
        .topo = cells[COLUMN_TOPO],
        .engine = cells[COLUMN_ENGINE],
        .protocol = cells[COLUMN_PROTOCOL],
        .source = cells[COLUMN_SOURCE],
        .note = cells[COLUMN_NOTE],
    };
    code = published_count(cells[COLUMN_RANKS], "ranks", &table->ranks, err);
    if (!code)
        code =
            published_count(cells[COLUMN_NODES], "nodes", &table->nodes, err);
    if (!code)
        code = published_count(cells[COLUMN_TOPO_RANKS], "topo_ranks",
                               &table->topo_ranks, err);
    if (!code && table->ranks < 2)
        code = cs_err_set(err, CS_EINPUT, "ranks missing; expected at least 2");
    if (!code && !table->id[0])
        code = cs_err_set(err, CS_EINPUT, "id missing; expected a name");
    if (!code)
        code = published_version(cells[COLUMN_VERSION], &table->version, err);
    return code ? code : published_words(csv, table, err);
}

/* Prefixes an error of a cell with file and line. */
static int published_at(const struct cs_csv_rows *csv, int code,
                        struct cs_err *err)
{
    return code ? cs_err_prefix(err, "%s:%u", csv->file, csv->line) : 0;
}

static int published_width(const struct cs_csv_rows *csv, size_t columns,
                           struct cs_err *err)
{
    return csv->count == columns
               ? 0
               : cs_err_at(err, CS_EINPUT, csv->file, csv->line,
                           "%zu cells; expected %zu", csv->count, columns);
}

/* A line per table at most, so lines bound the memory. */
static uint32_t published_lines(struct cs_published_text text)
{
    uint32_t lines = 1;
    size_t i;

    for (i = 0; i < text.length; i++)
        lines += text.text[i] == '\n';
    return lines;
}

static int published_read_tables(struct cs_csv_rows *csv,
                                 struct cs_published_table *tables,
                                 uint32_t *count, struct cs_names *names,
                                 struct cs_err *err)
{
    int code = cs_csv_rows_header(csv, table_columns, TABLE_COLUMNS, err);

    while (!code) {
        code = cs_csv_rows_next(csv, err);
        if (code || csv->count == 0)
            break;
        if (*count == CS_PUBLISHED_TABLES_MAX)
            return cs_err_at(err, CS_EINPUT, csv->file, csv->line,
                             "more than %d tables", CS_PUBLISHED_TABLES_MAX);
        code = published_width(csv, TABLE_COLUMNS, err);
        if (!code)
            code = published_at(csv, published_table(csv, &tables[*count], err),
                                err);
        if (!code &&
            cs_names_add(names, tables[*count].id, *count) != CS_NO_NAME)
            code = cs_err_at(err, CS_EINPUT, csv->file, csv->line,
                             "a second table '%.60s'", tables[*count].id);
        (*count)++;
    }
    return code;
}

/* ---- rows ---- */

static int published_row(const struct cs_csv_rows *csv,
                         struct cs_published_row *row, struct cs_err *err)
{
    const char *text = csv->cells[2];
    char *end;
    double time_us = strtod(text, &end);

    if (end == text || *end || !isfinite(time_us) || time_us <= 0)
        return cs_err_set(err, CS_EINPUT,
                          "time_us '%.40s'; expected a number above 0", text);
    row->time_s = time_us / 1e6;
    return cs_units_count(csv->cells[1], 1, UINT64_C(1) << 50, &row->bytes,
                          err);
}

/* Adds a row to its table: the table of the previous row, or one that has no
 * row yet. */
static int published_add_row(const struct cs_csv_rows *csv,
                             struct cs_published_table *table, bool begins,
                             struct cs_published_row *row, struct cs_err *err)
{
    int code = published_row(csv, row, err);

    if (code)
        return code;
    if (begins && table->row_count > 0)
        return cs_err_set(err, CS_EINPUT,
                          "rows of '%.60s' again; the rows of a table must be "
                          "consecutive",
                          table->id);
    if (begins)
        table->rows = row;
    else if (row[-1].bytes >= row->bytes)
        return cs_err_set(err, CS_EINPUT,
                          "%s bytes after %llu; sizes of a table must ascend",
                          csv->cells[1], (unsigned long long)row[-1].bytes);
    table->row_count++;
    return 0;
}

static int published_read_rows(struct cs_csv_rows *csv,
                               struct cs_published_table *tables,
                               const struct cs_names *names,
                               struct cs_published_row *rows,
                               uint64_t *row_count, struct cs_err *err)
{
    uint32_t previous = CS_NO_NAME;
    int code = cs_csv_rows_header(csv, row_columns, 3, err);

    while (!code) {
        uint32_t index;

        code = cs_csv_rows_next(csv, err);
        if (code || csv->count == 0)
            break;
        code = published_width(csv, 3, err);
        if (code)
            break;
        index = cs_names_find(names, csv->cells[0]);
        if (index == CS_NO_NAME)
            return cs_err_at(err, CS_EINPUT, csv->file, csv->line,
                             "no table '%.60s'; expected an id of the tables",
                             csv->cells[0]);
        code = published_at(csv,
                            published_add_row(csv, &tables[index],
                                              index != previous,
                                              &rows[*row_count], err),
                            err);
        previous = index;
        (*row_count)++;
    }
    return code;
}

/* ---- texts ---- */

static struct cs_csv_rows published_csv(struct cs_published_text text,
                                        struct cs_arena *arena)
{
    return (struct cs_csv_rows){.file = text.file,
                                .at = text.text,
                                .end = text.text + text.length,
                                .arena = arena};
}

int cs_published_read(struct cs_published_text tables_text,
                      struct cs_published_text rows_text,
                      struct cs_arena *arena, struct cs_published *published,
                      struct cs_err *err)
{
    struct cs_csv_rows csv = published_csv(tables_text, arena);
    uint32_t lines = published_lines(tables_text);
    uint32_t row_lines = published_lines(rows_text);
    struct cs_published_table *tables;
    struct cs_published_row *rows;
    struct cs_names names;
    int code;

    *published = (struct cs_published){0};
    if (row_lines > CS_PUBLISHED_ROWS_MAX)
        return cs_err_at(err, CS_EINPUT, rows_text.file, 0,
                         "more than %d lines", CS_PUBLISHED_ROWS_MAX);
    if (lines > CS_PUBLISHED_TABLES_MAX)
        lines = CS_PUBLISHED_TABLES_MAX;
    tables = cs_arena_alloc(arena, lines, sizeof(*tables));
    rows = cs_arena_alloc(arena, row_lines, sizeof(*rows));
    cs_names_init(&names, arena, lines);
    code = published_read_tables(&csv, tables, &published->count, &names, err);
    csv = published_csv(rows_text, arena);
    if (!code)
        code = published_read_rows(&csv, tables, &names, rows,
                                   &published->row_count, err);
    published->tables = tables;
    return code;
}

int cs_published_open(const char *directory, struct cs_arena *arena,
                      struct cs_published *published, struct cs_err *err)
{
    const char *tables_file =
        cs_arena_printf(arena, "%s/tables.csv", directory);
    const char *rows_file = cs_arena_printf(arena, "%s/rows.csv", directory);
    struct cs_text tables = {0};
    struct cs_text rows = {0};
    int code = cs_file_read(tables_file, CS_PUBLISHED_BYTES_MAX, &tables, err);

    if (!code)
        code = cs_file_read(rows_file, CS_PUBLISHED_BYTES_MAX, &rows, err);
    if (!code)
        code = cs_published_read(
            (struct cs_published_text){tables_file, cs_text_str(&tables),
                                       tables.length},
            (struct cs_published_text){rows_file, cs_text_str(&rows),
                                       rows.length},
            arena, published, err);
    cs_text_free(&tables);
    cs_text_free(&rows);
    return code;
}

/* Files of validate/data/published, by the Makefile. */
extern const char cs_published_tables_text[];
extern const char cs_published_rows_text[];

int cs_published_builtin(struct cs_arena *arena, struct cs_published *published,
                         struct cs_err *err)
{
    return cs_published_read(
        (struct cs_published_text){"validate/data/published/tables.csv",
                                   cs_published_tables_text,
                                   strlen(cs_published_tables_text)},
        (struct cs_published_text){"validate/data/published/rows.csv",
                                   cs_published_rows_text,
                                   strlen(cs_published_rows_text)},
        arena, published, err);
}
