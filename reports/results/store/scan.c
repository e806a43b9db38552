/* Store scan: see store/store.h. */
#include "reports/results/store/handle.h"
#include "reports/results/store/store.h"
#include "sim/base/collections/name_index.h"
#include "sim/base/collections/vector.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCAN_NAMES = 1024, /* distinct texts expected */
};

/* A table in the order of runs; those of the lists are read beside that of the
 * runs. */
struct scan_table {
    const char *name, *id, *order;
    const struct cs_field_list *fields;
    struct sqlite3_stmt *query; /* NULL: not read */
    int64_t run;                /* of the row of the query; 0: after the last row */
    char *items;                /* the rows of a run */
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
    bool whole;   /* with links and jobs */
    bool latest;  /* the latest run of every request */
    int64_t only; /* the run to be read; 0: all */
    struct scan_table runs, lists[CS_RECORD_LISTS];
    struct scan_texts texts;
    struct cs_names parameters_index; /* by the texts of the parameters */
    struct scan_list *parameters;
    uint32_t parameters_capacity;
};

static int scan_step(const struct scan *scan, struct scan_table *table, struct cs_err *err)
{
    int rc = cs_statement_step(&scan->store->database, table->query, err);

    table->run = rc > 0 ? cs_statement_i64(table->query, 0) : 0;
    return rc > 0 ? 0 : rc;
}

static int scan_open(const struct scan *scan, struct scan_table *table, struct cs_err *err)
{
    struct cs_text sql = {0};
    int rc;

    cs_text_printf(&sql, "SELECT %s, ", table->id);
    cs_store_add_columns(&sql, table->fields, CS_STORE_ALL_COLUMNS);
    cs_text_printf(&sql, " FROM %s", table->name);
    if (scan->only)
        cs_text_printf(&sql, " WHERE %s = %" PRId64, table->id, scan->only);
    else if (scan->latest && table == &scan->runs)
        cs_text_add(&sql, " WHERE id IN (SELECT max(id) FROM runs GROUP BY request)");
    cs_text_printf(&sql, " ORDER BY %s", table->order);
    rc = cs_statement_prepare(&scan->store->database, &sql, &table->query, err);
    return rc ? rc : scan_step(scan, table, err);
}

/* The runs first: their open query keeps the state of the file for the lists. */
static int scan_begin(struct scan *scan, struct cs_err *err)
{
    int rc;

    cs_names_init(&scan->texts.index, scan->arena, scan->only ? 0 : SCAN_NAMES);
    cs_names_init(&scan->parameters_index, scan->arena, scan->only ? 0 : SCAN_NAMES);
    scan->runs =
        (struct scan_table){.name = "runs", .id = "id", .order = "id", .fields = &cs_record_fields};
    rc = scan_open(scan, &scan->runs, err);
    for (size_t i = 0; !rc && i < CS_RECORD_LISTS; i++) {
        scan->lists[i] = (struct scan_table){.name = cs_record_lists[i].table,
                                             .id = "run_id",
                                             .order = "run_id, position",
                                             .fields = cs_record_lists[i].fields};
        if (scan->whole || i == CS_RECORD_PARAMETERS || i == CS_RECORD_TIMES)
            rc = scan_open(scan, &scan->lists[i], err);
    }
    return rc;
}

static void scan_end(const struct scan *scan)
{
    cs_statement_finalize(scan->runs.query);
    for (size_t i = 0; i < CS_RECORD_LISTS; i++) {
        cs_statement_finalize(scan->lists[i].query);
        free(scan->lists[i].items);
    }
    free(scan->texts.items);
    free(scan->parameters);
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
    size_t size = table->fields->object_size;
    int rc = 0;

    table->count = 0;
    while (!rc && table->run && table->run <= run) {
        if (table->run == run) {
            table->items = cs_vector_room(table->items, table->count + 1, &table->capacity, size);
            memset(table->items + table->count * size, 0, size);
            cs_store_read(table->query, 1, table->fields, table->items + table->count++ * size,
                          scan_keep_text, &scan->texts);
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
    uint32_t number = scan->parameters_index.count, at;
    CS_AT_END(cs_text_free) struct cs_text key = {0};

    for (uint32_t i = 0; i < count; i++)
        cs_text_printf(&key, "%s\x1f%s\x1f%s\x1e", items[i].name, items[i].value,
                       items[i].chosen_by);
    at = cs_names_find(&scan->parameters_index, cs_text_str(&key));
    if (at == CS_NO_NAME) {
        struct cs_record_parameter *copy = cs_arena_alloc(scan->arena, count, sizeof *copy);

        if (count)
            memcpy(copy, items, count * sizeof *copy);
        at = number;
        scan->parameters = cs_vector_room(scan->parameters, at + 1, &scan->parameters_capacity,
                                          sizeof scan->parameters[0]);
        scan->parameters[at] = (struct scan_list){copy, cs_record_join(items, count, scan->arena)};
        (void)cs_names_add(&scan->parameters_index, cs_arena_text(scan->arena, cs_text_str(&key)),
                           at);
    }
    return &scan->parameters[at];
}

static void scan_set_rows(struct scan *scan, struct cs_record *record)
{
    const struct scan_table *parameters = &scan->lists[CS_RECORD_PARAMETERS];
    const struct scan_list *list = scan_keep_list(
        scan, (const struct cs_record_parameter *)(void *)parameters->items, parameters->count);

    for (size_t i = 0; i < CS_RECORD_LISTS; i++)
        cs_record_set_rows(&cs_record_lists[i], scan->lists[i].count ? scan->lists[i].items : NULL,
                           record);
    record->parameter = parameters->count ? list->items : NULL;
    record->parameters = list->joined;
    record->parameter_count = parameters->count;
    record->link_count = scan->lists[CS_RECORD_LINKS].count;
    record->job_count = scan->lists[CS_RECORD_JOBS].count;
}

static int scan_read_run(struct scan *scan, struct cs_record *record, struct cs_err *err)
{
    int rc = 0;

    cs_store_read(scan->runs.query, 1, &cs_record_fields, record, scan_keep_text, &scan->texts);
    for (size_t i = 0; !rc && i < CS_RECORD_LISTS; i++)
        rc = scan_read_rows(scan, &scan->lists[i], scan->runs.run, err);
    scan_set_rows(scan, record);
    return rc;
}

static int scan_walk(struct scan *scan, cs_store_fn *fn, void *ctx, struct cs_err *err)
{
    int rc = scan_begin(scan, err);

    while (!rc && scan->runs.run) {
        struct cs_record record = {0};

        rc = scan_read_run(scan, &record, err);
        if (!rc)
            rc = fn(ctx, &record);
        if (!rc)
            rc = scan_step(scan, &scan->runs, err);
    }
    scan_end(scan);
    return rc;
}

/* Databases of sweeps have one run of a request, and no run is left out.  O(runs) in
 * the index. */
static int scan_pick(struct scan *scan, enum cs_store_pick pick, struct cs_err *err)
{
    int64_t repeats = 0;
    int rc = pick == CS_STORE_LATEST
                 ? cs_database_number(
                       &scan->store->database,
                       "SELECT EXISTS (SELECT 1 FROM runs GROUP BY request HAVING count(*) > 1)",
                       &repeats, err)
                 : 0;

    scan->latest = repeats != 0;
    return rc;
}

int cs_store_scan(struct cs_store *store, enum cs_store_pick pick, cs_store_fn *fn, void *ctx,
                  struct cs_arena *arena, struct cs_err *err)
{
    struct scan scan = {.store = store, .arena = arena};
    int rc;

    if (!store->database.handle)
        return 0;
    rc = scan_pick(&scan, pick, err);
    return rc ? rc : scan_walk(&scan, fn, ctx, err);
}

/* ---- whole runs ---- */

int cs_store_each(struct cs_store *store, enum cs_store_pick pick, cs_store_fn *fn, void *ctx,
                  struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct scan scan = {.store = store, .arena = &arena, .whole = true};
    int rc;

    if (!store->database.handle)
        return 0;
    rc = scan_pick(&scan, pick, err);
    return rc ? rc : scan_walk(&scan, fn, ctx, err);
}

static int scan_collect(void *ctx, const struct cs_record *record)
{
    cs_records_add(ctx, record);
    return 0;
}

int cs_store_load(struct cs_store *store, enum cs_store_pick pick, struct cs_records *records,
                  struct cs_err *err)
{
    return cs_store_each(store, pick, scan_collect, records, err);
}

/* Sets *found to the latest run of the query's request and fingerprint; 0: none. */
static int scan_find(const struct cs_store *store, const struct cs_record *query, int64_t *found,
                     struct cs_err *err)
{
    struct sqlite3_stmt *find = NULL;
    struct cs_text sql = {0};
    int rc;

    cs_text_add(&sql, "SELECT max(id) FROM runs WHERE request = ? AND fingerprint = ? AND "
                      "fingerprint <> 0 AND (");
    cs_store_add_columns(&sql, &cs_record_fields, CS_STORE_REQUEST);
    cs_text_add(&sql, ") = (");
    cs_store_add_marks(&sql, &cs_record_fields, CS_STORE_REQUEST);
    cs_text_add(&sql, ")");
    rc = cs_statement_prepare(&store->database, &sql, &find, err);
    if (!rc) {
        cs_statement_bind_i64(find, 1, cs_store_request_of(query));
        cs_statement_bind_i64(find, 2, (int64_t)query->fingerprint);
        rc = cs_store_bind(find, 3, &cs_record_fields, CS_STORE_REQUEST, query, err);
    }
    if (!rc)
        rc = cs_statement_step(&store->database, find, err);
    *found = rc > 0 ? cs_statement_i64(find, 0) : 0;
    cs_statement_finalize(find);
    return rc > 0 ? 0 : rc;
}

int cs_store_find(struct cs_store *store, const struct cs_record *query, struct cs_records *records,
                  struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct scan scan = {.store = store, .arena = &arena, .whole = true};
    int rc = store->database.handle ? scan_find(store, query, &scan.only, err) : 0;

    if (!rc && scan.only)
        rc = scan_walk(&scan, scan_collect, records, err);
    return rc;
}
