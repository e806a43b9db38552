#include "validate/published/files.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const cs_machine_class_names[CS_CLASSES] = {
#define MACHINE_CLASS(identifier, name, about) name,
#include "validate/published/machine_classes.def"
#undef MACHINE_CLASS
};

static const char *const launch_names[CS_LAUNCHES] = {"ranks", "threads", "process", "graph"};
const char *const cs_published_health_names[CS_HEALTHS] = {"yes", "doubtful", "no"};

enum {
    TABLE_RANKS_MAX = 1 << 20,
};

int cs_machine_class_find(const char *name, enum cs_machine_class *found, struct cs_err *err)
{
    for (int i = 0; i < CS_CLASSES; i++)
        if (cs_same(name, cs_machine_class_names[i])) {
            *found = (enum cs_machine_class)i;
            return 0;
        }
    return cs_err_set(err, CS_EINPUT, "no class '%.40s'%s", name,
                      cs_hint_all(name, cs_machine_class_names, CS_CLASSES).text);
}

/* ---- tables ---- */

#define TABLE(kind, column, ...) CS_CSV(struct cs_published_table, kind, column, __VA_ARGS__)
#define ROW(kind, column, ...)   CS_CSV(struct cs_published_row, kind, column, __VA_ARGS__)

/* "2.30.7" is 23007, "2.8.3" is 20803; an empty cell is 0. */
static int published_version(const char *cell, uint32_t *version, struct cs_err *err)
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
                          "version '%.20s'; expected three numbers up to 99, such as 2.30.7", cell);
    *version = 10000 * part[0] + 100 * part[1] + part[2];
    return 0;
}

/* "NCCL_P2P_DISABLE=1;acs=on" */
static int published_settings(struct cs_published_table *table, struct cs_arena *arena,
                              struct cs_err *err)
{
    const char *at = table->settings_text ? table->settings_text : "";
    struct cs_settings *settings;
    int code = 0;

    if (!*at)
        return 0;
    table->settings = settings = cs_arena_alloc(arena, 1, sizeof(*settings));
    while (*at && !code) {
        size_t length = strcspn(at, ";");

        code = cs_settings_add(settings, cs_arena_text_n(arena, at, length), err);
        at += length + (at[length] == ';');
    }
    return code;
}

static int published_check_table(const struct cs_csv_lines *lines, uint32_t index,
                                 struct cs_err *err)
{
    struct cs_published_table *table = (struct cs_published_table *)(void *)lines->base + index;
    int code;

    table->collective = cs_collective_find(table->collective_name);
    table->host = table->host ? table->host : "";
    if (table->size.ranks < 2 || table->size.ranks > TABLE_RANKS_MAX)
        return cs_err_set(err, CS_EINPUT, "ranks missing; expected at least 2, at most %d",
                          TABLE_RANKS_MAX);
    if (table->size.nodes > table->size.ranks)
        return cs_err_set(err, CS_EINPUT, "%u nodes of %u ranks; expected a rank on each node",
                          table->size.nodes, table->size.ranks);
    code = published_version(table->version_text, &table->version, err);
    return code ? code : published_settings(table, lines->names.arena, err);
}

int cs_published_tables_read(struct cs_doc_text text, struct cs_arena *arena,
                             struct cs_csv_lines *lines, struct cs_err *err)
{
    static const struct cs_csv_column columns[] = {
        TABLE(NAME, "id", id),
        TABLE(TEXT, "site", site),
        TABLE(CHOICE, "class", machine_class, CS_CSV_WORDS(cs_machine_class_names)),
        TABLE(TEXT, "library", library),
        TABLE(TEXT, "version", version_text),
        TABLE(TEXT, "collective", collective_name),
        TABLE(COUNT, "ranks", size.ranks),
        TABLE(COUNT, "nodes", size.nodes),
        TABLE(TEXT, "gpu", gpu),
        TABLE(TEXT, "topo", topo),
        TABLE(COUNT, "topo_ranks", size.topo_ranks),
        TABLE(CHOICE, "launch", launch, CS_CSV_WORDS(launch_names)),
        TABLE(TEXT, "engine", engine),
        TABLE(TEXT, "protocol", protocol),
        TABLE(CHOICE, "healthy", health, CS_CSV_WORDS(cs_published_health_names)),
        TABLE(TEXT, "no_estimate", no_estimate),
        TABLE(TEXT, "source", source),
        TABLE(TEXT, "note", note),
        TABLE(TEXT, "settings", settings_text),
        TABLE(TEXT, "host", host),
    };

    *lines = (struct cs_csv_lines){.what = "table",
                                   .size = sizeof(struct cs_published_table),
                                   .optional = 2,
                                   .check = published_check_table};
    return cs_csv_lines_read(text, columns, sizeof(columns) / sizeof(*columns), arena, lines, err);
}

/* ---- rows ---- */

/* Adds a row to its table: the table of the previous row, or one that has no
 * row yet. */
static int published_check_row(const struct cs_csv_lines *lines, uint32_t index, struct cs_err *err)
{
    struct cs_published_row *row = (struct cs_published_row *)(void *)lines->base + index;
    struct cs_published_table *table = row->table;
    bool begins = index == 0 || row[-1].table != table;

    row->time_s /= 1e6;
    if (!(row->time_s > 0))
        return cs_err_set(err, CS_EINPUT, "time_us missing; expected a number above 0");
    if (begins && table->row_count > 0)
        return cs_err_set(err, CS_EINPUT,
                          "rows of '%.60s' again; the rows of a table must be consecutive",
                          table->id);
    if (begins)
        table->rows = row;
    else if (row[-1].bytes >= row->bytes)
        return cs_err_set(err, CS_EINPUT, "%llu bytes after %llu; sizes of a table must ascend",
                          (unsigned long long)row->bytes, (unsigned long long)row[-1].bytes);
    table->row_count++;
    return 0;
}

int cs_published_rows_read(struct cs_doc_text text, const struct cs_csv_lines *tables,
                           struct cs_arena *arena, struct cs_csv_lines *lines, struct cs_err *err)
{
    const struct cs_csv_column columns[] = {
        ROW(POINTER, "id", table, .target = tables),
        ROW(BYTES, "bytes", bytes),
        ROW(NUMBER, "time_us", time_s, .unit = 1),
    };

    *lines = (struct cs_csv_lines){
        .what = "row", .size = sizeof(struct cs_published_row), .check = published_check_row};
    return cs_csv_lines_read(text, columns, sizeof(columns) / sizeof(*columns), arena, lines, err);
}
