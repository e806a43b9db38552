#include "validate/published/files.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

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
    COLUMN_NO_ESTIMATE,
    COLUMN_SOURCE,
    COLUMN_NOTE,
    COLUMN_SETTINGS, /* this and the next may be missing */
    COLUMN_HOST,
    TABLE_COLUMNS,
};

static const char *const table_columns[TABLE_COLUMNS] = {
    "id",      "site",        "class",  "library",    "version",  "collective", "ranks",
    "nodes",   "gpu",         "topo",   "topo_ranks", "launch",   "engine",     "protocol",
    "healthy", "no_estimate", "source", "note",       "settings", "host"};

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

/* Index of the word among the names; CS_EINPUT with the nearest name. */
static int published_word(const char *what, const char *word, const char *const *names,
                          size_t count, struct cs_err *err)
{
    for (size_t i = 0; i < count; i++)
        if (cs_same(word, names[i]))
            return (int)i;
    return cs_err_set(err, CS_EINPUT, "no %s '%.40s'%s", what, word,
                      cs_hint_all(word, names, count).text);
}

int cs_machine_class_find(const char *name, enum cs_machine_class *found, struct cs_err *err)
{
    int index = published_word("class", name, cs_machine_class_names, CS_CLASSES, err);

    if (index < 0)
        return index;
    *found = (enum cs_machine_class)index;
    return 0;
}

/* ---- tables ---- */

/* A count, 0 for an empty cell. */
static int published_count(const char *cell, const char *name, uint32_t *number, struct cs_err *err)
{
    uint64_t value = 0;
    int code = cell[0] ? cs_units_count(cell, 1, TABLE_RANKS_MAX, &value, err) : 0;

    *number = (uint32_t)value;
    return code ? cs_err_prefix(err, "%s", name) : 0;
}

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

static int published_words(const struct cs_csv_rows *csv, struct cs_published_table *table,
                           struct cs_err *err)
{
    int health = published_word("value of healthy", csv->cells[COLUMN_HEALTHY],
                                cs_published_health_names, CS_HEALTHS, err);
    int launch =
        published_word("launch", csv->cells[COLUMN_LAUNCH], launch_names, CS_LAUNCHES, err);

    if (health < 0 || launch < 0)
        return CS_EINPUT;
    table->health = (enum cs_published_health)health;
    table->launch = (enum cs_published_launch)launch;
    return cs_machine_class_find(csv->cells[COLUMN_CLASS], &table->machine_class, err);
}

/* "NCCL_P2P_DISABLE=1;acs=on" */
static int published_settings(const struct cs_csv_rows *csv, struct cs_published_table *table,
                              struct cs_err *err)
{
    const char *at = csv->count > COLUMN_SETTINGS ? csv->cells[COLUMN_SETTINGS] : "";
    struct cs_settings *settings;
    int code = 0;

    if (!*at)
        return 0;
    table->settings = settings = cs_arena_alloc(csv->arena, 1, sizeof(*settings));
    while (*at && !code) {
        size_t length = strcspn(at, ";");

        code = cs_settings_add(settings, cs_arena_text_n(csv->arena, at, length), err);
        at += length + (at[length] == ';');
    }
    return code;
}

static int published_table(const struct cs_csv_rows *csv, struct cs_published_table *table,
                           struct cs_err *err)
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
        .no_estimate = cells[COLUMN_NO_ESTIMATE],
        .source = cells[COLUMN_SOURCE],
        .note = cells[COLUMN_NOTE],
        .host = "",
    };
    code = published_count(cells[COLUMN_RANKS], "ranks", &table->size.ranks, err);
    if (!code)
        code = published_count(cells[COLUMN_NODES], "nodes", &table->size.nodes, err);
    if (!code)
        code =
            published_count(cells[COLUMN_TOPO_RANKS], "topo_ranks", &table->size.topo_ranks, err);
    if (!code && table->size.ranks < 2)
        code = cs_err_set(err, CS_EINPUT, "ranks missing; expected at least 2");
    if (!code && table->size.nodes > table->size.ranks)
        code = cs_err_set(err, CS_EINPUT, "%u nodes of %u ranks; expected a rank on each node",
                          table->size.nodes, table->size.ranks);
    if (!code && !table->id[0])
        code = cs_err_set(err, CS_EINPUT, "id missing; expected a name");
    if (!code)
        code = published_version(cells[COLUMN_VERSION], &table->version, err);
    if (csv->count > COLUMN_HOST)
        table->host = cells[COLUMN_HOST];
    if (!code)
        code = published_settings(csv, table, err);
    return code ? code : published_words(csv, table, err);
}

int cs_table_lines_read(struct cs_csv_rows *csv, struct cs_published_table *tables, uint32_t *count,
                        struct cs_names *names, struct cs_err *err)
{
    int code = cs_csv_rows_header(csv, table_columns, TABLE_COLUMNS, 2, err);
    size_t columns = csv->count;

    while (!code) {
        code = cs_csv_rows_next(csv, err);
        if (code || csv->count == 0)
            break;
        if (*count == CS_PUBLISHED_TABLES_MAX)
            return cs_err_at(err, CS_EINPUT, csv->file, csv->line, "more than %d tables",
                             CS_PUBLISHED_TABLES_MAX);
        code = cs_csv_rows_width(csv, columns, err);
        if (!code)
            code = cs_csv_rows_at(csv, published_table(csv, &tables[*count], err), err);
        if (!code && cs_names_add(names, tables[*count].id, *count) != CS_NO_NAME)
            code = cs_err_at(err, CS_EINPUT, csv->file, csv->line, "a second table '%.60s'",
                             tables[*count].id);
        (*count)++;
    }
    return code;
}
