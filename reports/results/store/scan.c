/*
 * Store scan: see store/store.h.
 */
#include "reports/results/store/handle.h"
#include "reports/results/store/store.h"
#include "sim/base/collections/name_index.h"
#include "sim/base/collections/vector.h"

#include <stdlib.h>
#include <string.h>

enum {
    SCAN_TABLES = 2,
    SCAN_NAMES = 1024, /* distinct texts expected */
};

/* The tables of a scan, as numbers in cs_store_children. */
static const size_t scan_children[SCAN_TABLES] = {CS_STORE_PARAMETERS, CS_STORE_TIMES};

/* A table in the order of runs, read beside the table of runs. */
struct scan_table {
    const struct cs_store_child *child;
    struct sqlite3_stmt *query;
    int64_t run; /* of the row of the query; 0: after the last row */
    char *items; /* the rows of a run */
    uint32_t count, capacity;
};

/* The distinct texts, in the order of the first occurrence. */
struct scan_texts {
    struct cs_names index;
    const char **items;
    uint32_t capacity;
};

/* A distinct list of parameters. */
struct scan_list {
    const struct cs_record_parameter *items;
    const char *joined;
};

struct scan {
    const struct cs_store *store;
    struct cs_arena *arena;
    struct sqlite3_stmt *runs;
    struct scan_table tables[SCAN_TABLES];
    struct scan_texts texts;
    struct cs_names list_index; /* by the texts of the parameters */
    struct scan_list *lists;
    uint32_t list_capacity;
};

static int scan_step(const struct scan *scan, struct scan_table *table, struct cs_err *err)
{
    int rc = cs_statement_step(&scan->store->database, table->query, err);

    table->run = rc > 0 ? cs_statement_i64(table->query, 0) : 0;
    return rc > 0 ? 0 : rc;
}

static int scan_begin_table(const struct scan *scan, struct scan_table *table, struct cs_err *err)
{
    struct cs_text sql = {0};
    int rc;

    cs_text_add(&sql, "SELECT run_id, ");
    cs_store_add_columns(&sql, table->child->fields, CS_STORE_ALL_COLUMNS);
    cs_text_printf(&sql, " FROM %s ORDER BY run_id, position", table->child->table);
    rc = cs_statement_prepare(&scan->store->database, &sql, &table->query, err);
    return rc ? rc : scan_step(scan, table, err);
}

/* Databases of sweeps have one run of a request, and no run is left out. */
static int scan_begin(struct scan *scan, enum cs_store_pick pick, struct cs_err *err)
{
    bool is_part = pick == CS_STORE_LATEST;
    struct cs_text sql = {0};
    int rc = is_part ? cs_store_repeats(scan->store, &is_part, err) : 0;

    for (size_t i = 0; !rc && i < SCAN_TABLES; i++) {
        scan->tables[i].child = &cs_store_children[scan_children[i]];
        rc = scan_begin_table(scan, &scan->tables[i], err);
    }
    if (rc)
        return rc;
    cs_names_init(&scan->texts.index, scan->arena, SCAN_NAMES);
    cs_names_init(&scan->list_index, scan->arena, SCAN_NAMES);
    cs_text_add(&sql, "SELECT id, ");
    cs_store_add_columns(&sql, &cs_record_fields, CS_STORE_ALL_COLUMNS);
    cs_text_printf(&sql, " FROM runs%s ORDER BY id", is_part ? CS_STORE_LATEST_RUNS : "");
    return cs_statement_prepare(&scan->store->database, &sql, &scan->runs, err);
}

static void scan_end(const struct scan *scan)
{
    cs_statement_finalize(scan->runs);
    for (size_t i = 0; i < SCAN_TABLES; i++) {
        cs_statement_finalize(scan->tables[i].query);
        free(scan->tables[i].items);
    }
    free(scan->texts.items);
    free(scan->lists);
}

/* The only copy of the text. */
static const char *scan_keep_text(void *ctx, const char *text)
{
    struct scan_texts *texts = ctx;
    uint32_t number = texts->index.count;
    uint32_t at = cs_names_find(&texts->index, text);

    if (at != CS_NO_NAME)
        return texts->items[at];
    texts->items =
        cs_vector_room(texts->items, number + 1, &texts->capacity, sizeof texts->items[0]);
    texts->items[number] = cs_arena_text(texts->index.arena, text);
    (void)cs_names_add(&texts->index, texts->items[number], number);
    return texts->items[number];
}

/* Reads the rows of the run; rows of runs before it, which are left out, are
 * skipped. */
static int scan_read_rows(struct scan *scan, struct scan_table *table, int64_t run,
                          struct cs_err *err)
{
    size_t size = table->child->fields->object_size;
    int rc = 0;

    table->count = 0;
    while (!rc && table->run && table->run <= run) {
        if (table->run == run) {
            table->items = cs_vector_room(table->items, table->count + 1, &table->capacity, size);
            memset(table->items + table->count * size, 0, size);
            cs_store_read_keeping(table->query, 1, table->child->fields,
                                  table->items + table->count++ * size, scan_keep_text,
                                  &scan->texts);
        }
        rc = scan_step(scan, table, err);
    }
    return rc;
}

/* The only copy of the list. */
static const struct scan_list *scan_keep_list(struct scan *scan,
                                              const struct cs_record_parameter *items,
                                              uint32_t count)
{
    uint32_t number = scan->list_index.count, at;
    struct cs_text key = {0};

    for (uint32_t i = 0; i < count; i++)
        cs_text_printf(&key, "%s\x1f%s\x1f%s\x1e", items[i].name, items[i].value,
                       items[i].chosen_by);
    at = cs_names_find(&scan->list_index, cs_text_str(&key));
    if (at == CS_NO_NAME) {
        struct cs_record_parameter *copy = cs_arena_alloc(scan->arena, count, sizeof *copy);

        if (count)
            memcpy(copy, items, count * sizeof *copy);
        at = number;
        scan->lists =
            cs_vector_room(scan->lists, at + 1, &scan->list_capacity, sizeof scan->lists[0]);
        scan->lists[at] = (struct scan_list){copy, cs_record_join(items, count, scan->arena)};
        (void)cs_names_add(&scan->list_index, cs_arena_text(scan->arena, cs_text_str(&key)), at);
    }
    cs_text_free(&key);
    return &scan->lists[at];
}

static int scan_read_run(struct scan *scan, struct cs_record *record, struct cs_err *err)
{
    int64_t run = cs_statement_i64(scan->runs, 0);
    struct scan_table *parameters = &scan->tables[0];
    struct scan_table *times = &scan->tables[1];
    const struct scan_list *list;
    int rc;

    cs_store_read_keeping(scan->runs, 1, &cs_record_fields, record, scan_keep_text, &scan->texts);
    rc = scan_read_rows(scan, parameters, run, err);
    if (!rc)
        rc = scan_read_rows(scan, times, run, err);
    list = scan_keep_list(scan, (const struct cs_record_parameter *)(void *)parameters->items,
                          parameters->count);
    record->parameter = parameters->count ? list->items : NULL;
    record->parameter_count = parameters->count;
    record->parameters = list->joined;
    record->spread.times = times->count ? (const double *)(void *)times->items : NULL;
    return rc;
}

static int scan_walk(struct scan *scan, cs_store_fn *fn, void *ctx, struct cs_err *err)
{
    int rc;

    while ((rc = cs_statement_step(&scan->store->database, scan->runs, err)) > 0) {
        struct cs_record record = {0};

        rc = scan_read_run(scan, &record, err);
        if (!rc)
            rc = fn(ctx, &record);
        if (rc)
            break;
    }
    return rc;
}

int cs_store_scan(struct cs_store *store, enum cs_store_pick pick, cs_store_fn *fn, void *ctx,
                  struct cs_arena *arena, struct cs_err *err)
{
    struct scan scan = {.store = store, .arena = arena};
    int rc;

    if (!store->database.handle)
        return 0;
    rc = scan_begin(&scan, pick, err);
    if (!rc)
        rc = scan_walk(&scan, fn, ctx, err);
    scan_end(&scan);
    return rc;
}
