/*
 * Store: see store.h.
 *
 * The columns of scenarios and runs are two const lists of fields.  Every
 * statement is put together from them, and a value is bound and read by one
 * loop each; the schema itself is spelled out, because a migration must say
 * today what it will still say in years.
 */
#include "reports/results/store.h"
#include "reports/results/fields.h"
#include "sim/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "csim" in SQLite's header: whose database this is. */
#define APPLICATION_ID 0x6373696d

enum {
    BUSY_TIMEOUT_MS = 30000,
    WAL_WAIT_MS = 5,
};

/*
 * Step i takes a database from version i to i + 1.  A step that was released
 * is never edited; a change is a new step.  A seed uses all 64 bits, which an
 * SQLite integer does not hold, so it is kept as decimal text.
 */
static const char *const migrations[] = {
    "CREATE TABLE scenarios ("
    "  id INTEGER PRIMARY KEY,"
    "  topology TEXT NOT NULL,"
    "  topology_spec TEXT NOT NULL,"
    "  collective TEXT NOT NULL,"
    "  algorithm TEXT NOT NULL,"
    "  model TEXT NOT NULL,"
    "  dtype TEXT NOT NULL,"
    "  placement TEXT NOT NULL,"
    "  parameters TEXT NOT NULL,"
    "  ranks INTEGER NOT NULL,"
    "  agents INTEGER NOT NULL,"
    "  bytes INTEGER NOT NULL,"
    "  seed TEXT NOT NULL,"
    "  version TEXT NOT NULL,"
    "  UNIQUE (topology, topology_spec, collective, algorithm, model, dtype,"
    "          placement, parameters, ranks, agents, bytes, seed, version)"
    ") STRICT;"
    "CREATE TABLE runs ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  scenario_id INTEGER NOT NULL REFERENCES scenarios (id),"
    "  created_at_utc TEXT NOT NULL"
    "    DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
    "  time_ps INTEGER NOT NULL,"
    "  closed_form_s REAL,"
    "  lower_bound_s REAL,"
    "  bound TEXT NOT NULL,"
    "  algbw_Bps REAL,"
    "  busbw_Bps REAL,"
    "  messages INTEGER NOT NULL,"
    "  bytes_sent_total INTEGER NOT NULL,"
    "  bytes_sent_per_rank_max INTEGER NOT NULL,"
    "  has_reduce_scatter INTEGER NOT NULL,"
    "  redundant_bytes_after_reduce_scatter INTEGER NOT NULL,"
    "  redundant_bytes INTEGER NOT NULL,"
    "  peak_extra_bytes_per_rank INTEGER NOT NULL,"
    "  peak_bytes_per_agent INTEGER NOT NULL,"
    "  bottleneck TEXT NOT NULL,"
    "  bottleneck_utilisation REAL,"
    "  critical_latency_ps INTEGER NOT NULL,"
    "  critical_bandwidth_ps INTEGER NOT NULL,"
    "  critical_reduction_ps INTEGER NOT NULL,"
    "  critical_wait_ps INTEGER NOT NULL,"
    "  verified INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX runs_by_scenario ON runs (scenario_id, id);"
    "CREATE TABLE run_links ("
    "  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  name TEXT NOT NULL,"
    "  rate_Bps REAL,"
    "  latency_ps INTEGER NOT NULL,"
    "  bytes INTEGER NOT NULL,"
    "  messages INTEGER NOT NULL,"
    "  busy_ps INTEGER NOT NULL,"
    "  PRIMARY KEY (run_id, position)"
    ") STRICT, WITHOUT ROWID;",
    "ALTER TABLE runs ADD COLUMN noise_runs INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE runs ADD COLUMN noise_calm_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_mean_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_mean_low_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_mean_high_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_sd_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_least_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_p5_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_median_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_p95_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_p99_s REAL;"
    "ALTER TABLE runs ADD COLUMN noise_most_s REAL;"
    "ALTER TABLE runs ADD COLUMN healthy_s REAL;",
    "ALTER TABLE runs ADD COLUMN noise_slowdown REAL;"
    "CREATE TABLE run_times ("
    "  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  time_s REAL NOT NULL,"
    "  PRIMARY KEY (run_id, position)"
    ") STRICT, WITHOUT ROWID;",
    "ALTER TABLE runs ADD COLUMN slowdown REAL;"
    "ALTER TABLE runs ADD COLUMN healthy_bottleneck TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE runs ADD COLUMN messages_resent INTEGER NOT NULL DEFAULT 0;",
    "ALTER TABLE runs ADD COLUMN packets_dropped INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE runs ADD COLUMN packets_resent INTEGER NOT NULL DEFAULT 0;",
    "CREATE TABLE comparisons ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  created_at_utc TEXT NOT NULL"
    "    DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
    "  gpu TEXT NOT NULL,"
    "  algorithm TEXT NOT NULL,"
    "  way TEXT NOT NULL,"
    "  dtype TEXT NOT NULL,"
    "  program TEXT NOT NULL,"
    "  not_predicted TEXT NOT NULL,"
    "  version TEXT NOT NULL,"
    "  ranks INTEGER NOT NULL,"
    "  channels INTEGER NOT NULL,"
    "  bytes INTEGER NOT NULL,"
    "  slice_bytes INTEGER NOT NULL,"
    "  measured_s REAL,"
    "  predicted_s REAL,"
    "  closed_form_s REAL,"
    "  bound_s REAL,"
    "  error REAL"
    ") STRICT;",
    "ALTER TABLE runs ADD COLUMN folding TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE runs ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '0';",
    "ALTER TABLE runs ADD COLUMN detour TEXT NOT NULL DEFAULT '';",
    "ALTER TABLE runs ADD COLUMN hypothetical TEXT NOT NULL DEFAULT '';",
    "ALTER TABLE runs ADD COLUMN agent_kind TEXT NOT NULL DEFAULT '';"
    "UPDATE runs SET agent_kind = (SELECT CASE"
    "  WHEN agents = 0 THEN ''"
    "  WHEN algorithm IN ('sharp', 'sharp-tree', 'nvls', 'overhear')"
    "  THEN 'switch' ELSE 'server' END"
    "  FROM scenarios WHERE scenarios.id = runs.scenario_id);",
};

enum {
    VERSION = sizeof migrations / sizeof migrations[0]
};

#define FIELD(name, kind, member)                                       \
    {                                                                   \
        name, CS_FIELD_##kind, offsetof(struct cs_record, member), NULL \
    }

static const struct cs_field scenario_fields[] = {
    FIELD("topology", TEXT, topology),
    FIELD("topology_spec", TEXT, topology_spec),
    FIELD("collective", TEXT, collective),
    FIELD("algorithm", TEXT, algorithm),
    FIELD("model", TEXT, model),
    FIELD("dtype", TEXT, dtype),
    FIELD("placement", TEXT, placement),
    FIELD("parameters", TEXT, parameters),
    FIELD("ranks", U32, ranks),
    FIELD("agents", U32, agents),
    FIELD("bytes", U64, bytes),
    FIELD("seed", SEED, seed),
    FIELD("version", TEXT, version),
};

static const struct cs_field run_fields[] = {
    FIELD("time_ps", U64, time_ps),
    FIELD("closed_form_s", REAL, closed_form_s),
    FIELD("lower_bound_s", REAL, lower_bound_s),
    FIELD("bound", TEXT, bound),
    FIELD("algbw_Bps", REAL, algbw_Bps),
    FIELD("busbw_Bps", REAL, busbw_Bps),
    FIELD("messages", U64, messages),
    FIELD("bytes_sent_total", U64, bytes_sent_total),
    FIELD("bytes_sent_per_rank_max", U64, bytes_sent_per_rank_max),
    FIELD("has_reduce_scatter", BOOL, has_reduce_scatter),
    FIELD("redundant_bytes_after_reduce_scatter", U64,
          redundant_bytes_after_reduce_scatter),
    FIELD("redundant_bytes", U64, redundant_bytes),
    FIELD("peak_extra_bytes_per_rank", U64, peak_extra_bytes_per_rank),
    FIELD("peak_bytes_per_agent", U64, peak_bytes_per_agent),
    FIELD("bottleneck", TEXT, bottleneck),
    FIELD("bottleneck_utilisation", REAL, bottleneck_utilisation),
    FIELD("critical_latency_ps", U64, latency_ps),
    FIELD("critical_bandwidth_ps", U64, bandwidth_ps),
    FIELD("critical_reduction_ps", U64, reduction_ps),
    FIELD("critical_wait_ps", U64, wait_ps),
    FIELD("verified", VERIFIED, verified),
    FIELD("healthy_s", REAL, healthy_s),
    FIELD("slowdown", REAL, slowdown),
    FIELD("healthy_bottleneck", TEXT, healthy_bottleneck),
    FIELD("detour", TEXT, detour),
    FIELD("hypothetical", TEXT, hypothetical),
    FIELD("messages_resent", U64, messages_resent),
    FIELD("packets_dropped", U64, packets_dropped),
    FIELD("packets_resent", U64, packets_resent),
    FIELD("noise_runs", U32, spread.runs),
    FIELD("noise_calm_s", SPREAD, spread.baseline),
    FIELD("noise_mean_s", SPREAD, spread.mean),
    FIELD("noise_mean_low_s", SPREAD, spread.mean_low),
    FIELD("noise_mean_high_s", SPREAD, spread.mean_high),
    FIELD("noise_sd_s", SPREAD, spread.sd),
    FIELD("noise_least_s", SPREAD, spread.least),
    FIELD("noise_p5_s", SPREAD, spread.p5),
    FIELD("noise_median_s", SPREAD, spread.median),
    FIELD("noise_p95_s", SPREAD, spread.p95),
    FIELD("noise_p99_s", SPREAD, spread.p99),
    FIELD("noise_most_s", SPREAD, spread.most),
    FIELD("noise_slowdown", SPREAD, spread.slowdown),
    FIELD("folding", TEXT, folding),
    FIELD("fingerprint", SEED, fingerprint),
    FIELD("agent_kind", TEXT, agent_kind),
};

#undef FIELD

enum {
    SCENARIO_FIELDS = sizeof scenario_fields / sizeof scenario_fields[0],
    RUN_FIELDS = sizeof run_fields / sizeof run_fields[0],
};

struct cs_store {
    sqlite3 *db; /* NULL: there is no file yet, the first put makes it */
    char *path;
    sqlite3_stmt *add_scenario;
    sqlite3_stmt *find_scenario;
    sqlite3_stmt *add_run;
    sqlite3_stmt *add_link;
    sqlite3_stmt *add_time;
};

/* What SQLite says, as our code and sentence. */
static int store_fail(const struct cs_store *store, struct cs_err *err)
{
    switch (sqlite3_errcode(store->db)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return cs_err_set(err, CS_ECANNOT,
                          "results database '%s' is locked by another process",
                          store->path);
    case SQLITE_NOTADB:
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not a results database; it is left as it is",
                          store->path);
    case SQLITE_CORRUPT:
        return cs_err_set(err, CS_EINPUT, "results database '%s' is damaged",
                          store->path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return cs_err_set(err, CS_EINPUT,
                          "results database '%s' cannot be written",
                          store->path);
    default:
        return cs_err_set(err, CS_ECANNOT, "results database '%s': %s",
                          store->path, sqlite3_errmsg(store->db));
    }
}

static int store_exec(const struct cs_store *store, const char *sql,
                      struct cs_err *err)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return store_fail(store, err);
    return 0;
}

static int store_prepare(const struct cs_store *store, const char *sql,
                         sqlite3_stmt **statement, struct cs_err *err)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) != SQLITE_OK)
        return store_fail(store, err);
    return 0;
}

/* The one integer that a query gives. */
static int store_request(const struct cs_store *store, const char *sql,
                         int64_t *answer, struct cs_err *err)
{
    sqlite3_stmt *query;
    int rc = store_prepare(store, sql, &query, err);

    if (rc)
        return rc;
    if (sqlite3_step(query) == SQLITE_ROW)
        *answer = sqlite3_column_int64(query, 0);
    else
        rc = store_fail(store, err);
    sqlite3_finalize(query);
    return rc;
}

/* Whose database it is, before anything is changed.  An empty one is ours. */
static int check_owner(const struct cs_store *store, int64_t *version,
                       struct cs_err *err)
{
    int64_t id = 0;
    int64_t things = 0;
    int rc = store_request(store, "PRAGMA application_id", &id, err);

    if (!rc)
        rc = store_request(store, "PRAGMA user_version", version, err);
    if (!rc)
        rc = store_request(store, "SELECT count(*) FROM sqlite_schema", &things,
                           err);
    if (rc)
        return rc;
    if (id != APPLICATION_ID && (id != 0 || things != 0))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is a database of another program; it is left "
                          "as it is",
                          store->path);
    if (*version > VERSION || *version < 0)
        return cs_err_set(err, CS_EINPUT,
                          "results database '%s' has version %" PRId64
                          ", this program knows only up to %d; use a newer one",
                          store->path, *version, (int)VERSION);
    return 0;
}

/* Takes the steps that are missing.  Another process may have been faster, so
 * the version is read again once the database is ours. */
static int migrate_locked(const struct cs_store *store, struct cs_err *err)
{
    char sql[80];
    int64_t version = 0;
    int rc = check_owner(store, &version, err);

    for (int64_t i = version; !rc && i < VERSION; i++)
        rc = store_exec(store, migrations[i], err);
    if (rc)
        return rc;
    (void)snprintf(sql, sizeof sql,
                   "PRAGMA application_id = %d; PRAGMA user_version = %d",
                   APPLICATION_ID, (int)VERSION);
    return store_exec(store, sql, err);
}

/* Keeps what a transaction did if `rc` is 0.  Those that write take the lock at
 * their start (BEGIN IMMEDIATE): two writers then wait for each other instead
 * of colliding half way. */
static int end_transaction(const struct cs_store *store, int rc,
                           struct cs_err *err)
{
    if (!rc)
        rc = store_exec(store, "COMMIT", err);
    if (rc && !sqlite3_get_autocommit(store->db))
        (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

/* One transaction around the questions: another process may be migrating, and
 * half of its answers would make the database look like a stranger's. */
static int check_at_once(const struct cs_store *store, int64_t *version,
                         struct cs_err *err)
{
    int rc = store_exec(store, "BEGIN", err);

    return rc ? rc
              : end_transaction(store, check_owner(store, version, err), err);
}

static int store_migrate(const struct cs_store *store, struct cs_err *err)
{
    int64_t version = 0;
    int rc = check_at_once(store, &version, err);

    if (rc || version == VERSION)
        return rc;
    rc = store_exec(store, "BEGIN IMMEDIATE", err);
    if (rc)
        return rc;
    return end_transaction(store, migrate_locked(store, err), err);
}

/* "a.x, a.y"; `table` is "a." or "". */
static void store_add_names(struct cs_text *sql, const struct cs_field *fields,
                            size_t count, const char *table)
{
    for (size_t i = 0; i < count; i++)
        cs_text_printf(sql, "%s%s%s", i > 0 ? ", " : "", table, fields[i].name);
}

static void add_marks(struct cs_text *sql, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cs_text_add(sql, i > 0 ? ", ?" : "?");
}

static int prepare_text(const struct cs_store *store, struct cs_text *sql,
                        sqlite3_stmt **statement, struct cs_err *err)
{
    int rc = store_prepare(store, cs_text_str(sql), statement, err);

    cs_text_free(sql);
    return rc;
}

static int prepare_scenario(struct cs_store *store, struct cs_err *err)
{
    struct cs_text add = {0};
    struct cs_text find = {0};
    int rc;

    cs_text_add(&add, "INSERT INTO scenarios (");
    store_add_names(&add, scenario_fields, SCENARIO_FIELDS, "");
    cs_text_add(&add, ") VALUES (");
    add_marks(&add, SCENARIO_FIELDS);
    cs_text_add(&add, ") ON CONFLICT DO NOTHING");
    cs_text_add(&find, "SELECT id FROM scenarios WHERE (");
    store_add_names(&find, scenario_fields, SCENARIO_FIELDS, "");
    cs_text_add(&find, ") = (");
    add_marks(&find, SCENARIO_FIELDS);
    cs_text_add(&find, ")");
    rc = prepare_text(store, &add, &store->add_scenario, err);
    if (rc) {
        cs_text_free(&find);
        return rc;
    }
    return prepare_text(store, &find, &store->find_scenario, err);
}

static int prepare_run(struct cs_store *store, struct cs_err *err)
{
    struct cs_text add = {0};
    int rc;

    cs_text_add(&add, "INSERT INTO runs (");
    store_add_names(&add, run_fields, RUN_FIELDS, "");
    cs_text_add(&add, ", scenario_id) VALUES (");
    add_marks(&add, RUN_FIELDS + 1);
    cs_text_add(&add, ")");
    rc = prepare_text(store, &add, &store->add_run, err);
    if (rc)
        return rc;
    rc = store_prepare(store,
                       "INSERT INTO run_times (run_id, position, time_s)"
                       " VALUES (?, ?, ?)",
                       &store->add_time, err);
    if (rc)
        return rc;
    return store_prepare(
        store,
        "INSERT INTO run_links (run_id, position, name, rate_Bps,"
        " latency_ps, bytes, messages, busy_ps)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        &store->add_link, err);
}

/* The journal mode is kept in the file.  Changing it needs the database for
 * ourselves for a moment, and SQLite does not wait for that by itself.  A file
 * system without shared memory has no WAL: it stays with a rollback journal,
 * which is as safe. */
static int use_wal(const struct cs_store *store, struct cs_err *err)
{
    int rc = SQLITE_BUSY;

    for (int waited = 0; waited < BUSY_TIMEOUT_MS; waited += WAL_WAIT_MS) {
        rc = sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL,
                          NULL);
        if (rc != SQLITE_BUSY)
            break;
        sqlite3_sleep(WAL_WAIT_MS);
    }
    return rc == SQLITE_OK ? 0 : store_fail(store, err);
}

static int set_modes(const struct cs_store *store, struct cs_err *err)
{
    return store_exec(
        store, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err);
}

static int prepare_all(struct cs_store *store, struct cs_err *err)
{
    int rc = prepare_scenario(store, err);

    return rc ? rc : prepare_run(store, err);
}

static int store_set_up(struct cs_store *store, struct cs_err *err)
{
    int rc;

    sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
    /* Migrating comes first: of a file that is not ours nothing is changed. */
    rc = store_migrate(store, err);
    if (!rc)
        rc = use_wal(store, err);
    if (!rc)
        rc = set_modes(store, err);
    return rc ? rc : prepare_all(store, err);
}

/* Whether a file can be made beside `path`: 0, or an errno. */
static int store_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct cs_text dir = {0};
    int reason;

    cs_text_printf(&dir, "%.*s", slash ? (int)(slash - path) + 1 : 1,
                   slash ? path : ".");
    reason = access(cs_text_str(&dir), W_OK) == 0 ? 0 : errno;
    cs_text_free(&dir);
    return reason;
}

static int fail_path(const struct cs_store *store, int reason,
                     struct cs_err *err)
{
    bool full = reason == ENOSPC || reason == EDQUOT || reason == EIO;

    return cs_err_set(err, full ? CS_ECANNOT : CS_EINPUT,
                      "cannot open results database '%s': %s", store->path,
                      reason ? strerror(reason) : "not a file to be written");
}

static int fail_open(struct cs_store *store, enum cs_store_mode mode,
                     struct cs_err *err)
{
    int reason = store->db ? sqlite3_system_errno(store->db) : 0;

    /* SQLite tries to read what it cannot make, and tells of that. */
    if (mode == CS_STORE_CREATE && reason == ENOENT)
        reason = store_beside(store->path);
    if (mode == CS_STORE_EXISTING && reason == ENOENT)
        return cs_err_set(err, CS_EINPUT, "there is no results database '%s'",
                          store->path);
    return fail_path(store, reason, err);
}

/* SQLite reads "file:", ":memory:" and "" in ways of its own; a path is a
 * path here. */
static int open_file(struct cs_store *store, enum cs_store_mode mode,
                     struct cs_err *err)
{
    struct cs_text name = {0};
    int flags = SQLITE_OPEN_READWRITE;
    int rc = 0;

    if (mode == CS_STORE_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    cs_text_printf(&name, "%s%s", store->path[0] == '/' ? "" : "./",
                   store->path);
    if (sqlite3_open_v2(cs_text_str(&name), &store->db, flags, NULL) !=
        SQLITE_OK)
        rc = fail_open(store, mode, err);
    cs_text_free(&name);
    return rc;
}

/* "file:" and the path, with what means something in a URI escaped. */
static void add_uri(struct cs_text *uri, const char *path)
{
    cs_text_printf(uri, "file:%s", path[0] == '/' ? "" : "./");
    for (; *path; path++)
        if (strchr("%?#", *path))
            cs_text_printf(uri, "%%%02X", (unsigned)*path);
        else
            cs_text_printf(uri, "%c", *path);
    cs_text_add(uri, "?immutable=1");
}

/* Whether there are runs in the journal that are not in the file yet. */
static bool has_journal(const struct cs_store *store)
{
    struct cs_text name = {0};
    struct stat file;
    bool has;

    cs_text_printf(&name, "%s-wal", store->path);
    has = stat(cs_text_str(&name), &file) == 0 && file.st_size > 0;
    cs_text_free(&name);
    return has;
}

/* WAL keeps an index beside the file even for those who only read.  Where none
 * can be made nobody writes either, unless a journal was left behind, and the
 * file is read as it is. */
static int open_unchanging(struct cs_store *store, struct cs_err *err)
{
    struct cs_text uri = {0};
    int64_t version = 0;
    int rc = 0;

    sqlite3_close_v2(store->db);
    store->db = NULL;
    add_uri(&uri, store->path);
    if (sqlite3_open_v2(cs_text_str(&uri), &store->db,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                        NULL) != SQLITE_OK)
        rc = fail_open(store, CS_STORE_EXISTING, err);
    cs_text_free(&uri);
    if (!rc)
        rc = check_at_once(store, &version, err);
    if (!rc && version != VERSION)
        return cs_err_set(err, CS_EINPUT,
                          "results database '%s' is of an older version and "
                          "cannot be brought up to date: it cannot be written",
                          store->path);
    return rc;
}

/* SQLite would make a database of it. */
static bool is_empty_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_size == 0;
}

/* Nor does a link of that name lead to nowhere. */
static bool is_absent(const char *path)
{
    struct stat status;

    return lstat(path, &status) != 0 && errno == ENOENT;
}

static int open_and_set_up(struct cs_store *store, enum cs_store_mode mode,
                           struct cs_err *err)
{
    struct cs_err writing = {0};
    int rc;

    if (mode == CS_STORE_EXISTING && is_empty_file(store->path))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is empty, not a results database", store->path);
    if (mode == CS_STORE_CREATE && is_absent(store->path)) {
        rc = store_beside(store->path);
        return rc ? fail_path(store, rc, err) : 0;
    }
    rc = open_file(store, mode, err);
    if (rc)
        return rc;
    rc = store_set_up(store, &writing);
    if (rc && mode == CS_STORE_EXISTING &&
        (access(store->path, W_OK) != 0 || store_beside(store->path) != 0) &&
        !has_journal(store))
        return open_unchanging(store, err);
    return rc ? cs_err_set(err, writing.code, "%s", writing.text) : 0;
}

int cs_store_open(const char *path, enum cs_store_mode mode,
                  struct cs_store **store, struct cs_err *err)
{
    int rc;

    *store = NULL;
    if (path[0] == '\0')
        return cs_err_set(err, CS_EINPUT,
                          "the results database has an empty name");
    *store = cs_grow(NULL, 1, sizeof **store);
    **store = (struct cs_store){0};
    (*store)->path = cs_grow(NULL, strlen(path) + 1, 1);
    memcpy((*store)->path, path, strlen(path) + 1);
    rc = open_and_set_up(*store, mode, err);
    if (rc) {
        cs_store_close(*store);
        *store = NULL;
    }
    return rc;
}

/* Ends the connection; the path stays. */
static void store_disconnect(struct cs_store *store)
{
    char *path = store->path;

    sqlite3_finalize(store->add_scenario);
    sqlite3_finalize(store->find_scenario);
    sqlite3_finalize(store->add_run);
    sqlite3_finalize(store->add_link);
    sqlite3_finalize(store->add_time);
    sqlite3_close(store->db);
    *store = (struct cs_store){.path = path};
}

void cs_store_close(struct cs_store *store)
{
    if (!store)
        return;
    store_disconnect(store);
    free(store->path);
    free(store);
}

/* ---- transactions that write ---- */

/* What a put is done in.  The first one makes the file: the schema is part of
 * its transaction, so that a failure leaves no database without runs. */
struct putting {
    struct cs_store *store;
    bool makes_file;
};

static int begin_file(struct cs_store *store, struct cs_err *err)
{
    int rc = open_file(store, CS_STORE_CREATE, err);

    if (rc)
        return rc;
    sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
    rc = set_modes(store, err);
    if (!rc)
        rc = store_exec(store, "BEGIN IMMEDIATE", err);
    if (!rc)
        rc = migrate_locked(store, err);
    return rc ? rc : prepare_all(store, err);
}

/* Of what another process may have made meanwhile nothing is taken away. */
static int give_up_file(struct cs_store *store, int rc)
{
    if (store->db && !sqlite3_get_autocommit(store->db))
        (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    if (is_empty_file(store->path))
        (void)unlink(store->path);
    store_disconnect(store);
    return rc;
}

static int begin_put(struct putting *putting, struct cs_store *store,
                     struct cs_err *err)
{
    int rc;

    *putting = (struct putting){store, !store->db};
    if (store->db)
        return store_exec(store, "BEGIN IMMEDIATE", err);
    rc = begin_file(store, err);
    return rc ? give_up_file(store, rc) : 0;
}

/* Keeps what was put if `rc` is 0. */
static int end_put(const struct putting *putting, int rc, struct cs_err *err)
{
    struct cs_store *store = putting->store;

    rc = end_transaction(store, rc, err);
    if (!putting->makes_file)
        return rc;
    if (rc)
        return give_up_file(store, rc);
    if (is_absent(store->path))
        return cs_err_set(err, CS_ECANNOT,
                          "results database '%s' was taken away", store->path);
    return use_wal(store, err);
}

/* Makes a number an SQLite integer, or says which one is too large. */
static int bind_u64(sqlite3_stmt *statement, int at, const char *name,
                    uint64_t number, struct cs_err *err)
{
    if (number > INT64_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%s %" PRIu64
                          " does not fit into the results database; at most "
                          "%" PRId64,
                          name, number, INT64_MAX);
    sqlite3_bind_int64(statement, at, (int64_t)number);
    return 0;
}

static int bind_field(sqlite3_stmt *statement, int at,
                      const struct cs_field *field,
                      const struct cs_record *record, struct cs_err *err)
{
    char seed[24];

    switch (field->kind) {
    case CS_FIELD_TEXT:
        sqlite3_bind_text(statement, at, cs_field_text(field, record), -1,
                          SQLITE_TRANSIENT);
        return 0;
    case CS_FIELD_SPREAD:
        if (!cs_field_known(field, record)) {
            sqlite3_bind_null(statement, at);
            return 0;
        }
        sqlite3_bind_double(statement, at, cs_field_real(field, record));
        return 0;
    case CS_FIELD_REAL: /* NaN becomes NULL */
        sqlite3_bind_double(statement, at, cs_field_real(field, record));
        return 0;
    case CS_FIELD_SEED:
        (void)snprintf(seed, sizeof seed, "%" PRIu64,
                       cs_field_u64(field, record));
        sqlite3_bind_text(statement, at, seed, -1, SQLITE_TRANSIENT);
        return 0;
    case CS_FIELD_VERIFIED:
        sqlite3_bind_int(statement, at, (int)record->verified);
        return 0;
    case CS_FIELD_BOOL:
        sqlite3_bind_int(statement, at, cs_field_bool(field, record));
        return 0;
    default:
        return bind_u64(statement, at, field->name, cs_field_u64(field, record),
                        err);
    }
}

static int bind_fields(sqlite3_stmt *statement, const struct cs_field *fields,
                       int count, const struct cs_record *record,
                       struct cs_err *err)
{
    int rc = 0;

    sqlite3_reset(statement);
    for (int i = 0; !rc && i < count; i++)
        rc = bind_field(statement, i + 1, &fields[i], record, err);
    return rc;
}

/* Runs a statement that gives no rows. */
static int store_done(const struct cs_store *store, sqlite3_stmt *statement,
                      struct cs_err *err)
{
    int rc =
        sqlite3_step(statement) == SQLITE_DONE ? 0 : store_fail(store, err);

    sqlite3_reset(statement);
    return rc;
}

/* The scenario's number; 0: it is not there. */
static int find_scenario(const struct cs_store *store,
                         const struct cs_record *record, int64_t *id,
                         struct cs_err *err)
{
    int rc = bind_fields(store->find_scenario, scenario_fields, SCENARIO_FIELDS,
                         record, err);
    int step;

    *id = 0;
    if (rc)
        return rc;
    step = sqlite3_step(store->find_scenario);
    if (step == SQLITE_ROW)
        *id = sqlite3_column_int64(store->find_scenario, 0);
    else if (step != SQLITE_DONE)
        rc = store_fail(store, err);
    sqlite3_reset(store->find_scenario);
    return rc;
}

static int put_scenario(const struct cs_store *store,
                        const struct cs_record *record, int64_t *id,
                        struct cs_err *err)
{
    int rc = bind_fields(store->add_scenario, scenario_fields, SCENARIO_FIELDS,
                         record, err);

    if (!rc)
        rc = store_done(store, store->add_scenario, err);
    if (!rc)
        rc = find_scenario(store, record, id, err);
    return rc || *id ? rc : store_fail(store, err);
}

static int store_put_link(const struct cs_store *store, int64_t run,
                          uint32_t position, const struct cs_record_link *link,
                          struct cs_err *err)
{
    sqlite3_stmt *add = store->add_link;
    int rc;

    sqlite3_reset(add);
    sqlite3_bind_int64(add, 1, run);
    sqlite3_bind_int64(add, 2, position);
    sqlite3_bind_text(add, 3, link->name ? link->name : "", -1,
                      SQLITE_TRANSIENT);
    sqlite3_bind_double(add, 4, link->rate_Bps);
    rc = bind_u64(add, 5, "latency_ps of a link", link->latency_ps, err);
    if (!rc)
        rc = bind_u64(add, 6, "bytes of a link", link->bytes, err);
    if (!rc)
        rc = bind_u64(add, 7, "messages of a link", link->messages, err);
    if (!rc)
        rc = bind_u64(add, 8, "busy_ps of a link", link->busy_ps, err);
    return rc ? rc : store_done(store, add, err);
}

static int put_times(const struct cs_store *store, int64_t run,
                     const struct cs_record_spread *spread, struct cs_err *err)
{
    int rc = 0;

    for (uint32_t i = 0; spread->times && !rc && i < spread->runs; i++) {
        sqlite3_reset(store->add_time);
        sqlite3_bind_int64(store->add_time, 1, run);
        sqlite3_bind_int64(store->add_time, 2, i);
        sqlite3_bind_double(store->add_time, 3, spread->times[i]);
        rc = store_done(store, store->add_time, err);
    }
    return rc;
}

static int put_locked(const struct cs_store *store,
                      const struct cs_record *record, struct cs_err *err)
{
    int64_t scenario = 0;
    int64_t run;
    int rc = put_scenario(store, record, &scenario, err);

    if (!rc)
        rc = bind_fields(store->add_run, run_fields, RUN_FIELDS, record, err);
    if (rc)
        return rc;
    sqlite3_bind_int64(store->add_run, RUN_FIELDS + 1, scenario);
    rc = store_done(store, store->add_run, err);
    run = sqlite3_last_insert_rowid(store->db);
    for (uint32_t i = 0; !rc && i < record->link_count; i++)
        rc = store_put_link(store, run, i, &record->links[i], err);
    if (!rc)
        rc = put_times(store, run, &record->spread, err);
    return rc;
}

int cs_store_put(struct cs_store *store, const struct cs_record *record,
                 struct cs_err *err)
{
    struct putting putting;
    int rc = begin_put(&putting, store, err);

    return rc ? rc : end_put(&putting, put_locked(store, record, err), err);
}

/* Binds what of the comparison the statement names, in the order of the columns,
 * and does it. */
static int do_comparison(const struct cs_store *store, sqlite3_stmt *add,
                         const struct cs_store_comparison *c,
                         struct cs_err *err)
{
    const char *const texts[] = {c->gpu,   c->algorithm, c->route,  c->dtype,
                                 c->table, c->unknown,   c->version};
    const double reals[] = {c->measured_s, c->predicted_s, c->closed_form_s,
                            c->bound_s, c->error};
    int at = 0;
    int rc;

    sqlite3_reset(add);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sqlite3_bind_text(add, ++at, texts[i], -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(add, ++at, c->ranks);
    sqlite3_bind_int64(add, ++at, c->channels);
    rc = bind_u64(add, ++at, "bytes", c->bytes, err);
    if (!rc)
        rc = bind_u64(add, ++at, "slice_bytes", c->slice_bytes, err);
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        sqlite3_bind_double(add, ++at, reals[i]);
    return rc ? rc : store_done(store, add, err);
}

static int put_comparisons_locked(const struct cs_store *store,
                                  const struct cs_store_comparison *comparisons,
                                  size_t count, struct cs_err *err)
{
    sqlite3_stmt *remove = NULL;
    sqlite3_stmt *add = NULL;
    int rc = store_prepare(
        store,
        "DELETE FROM comparisons WHERE gpu = ?1 AND algorithm = ?2"
        " AND way = ?3 AND dtype = ?4 AND program = ?5"
        " AND ranks = ?8 AND channels = ?9 AND bytes = ?10"
        " AND slice_bytes = ?11 AND measured_s IS ?12",
        &remove, err);

    if (!rc)
        rc = store_prepare(
            store,
            "INSERT INTO comparisons (gpu, algorithm, way, dtype,"
            " program, not_predicted, version, ranks, channels, bytes,"
            " slice_bytes, measured_s, predicted_s, closed_form_s,"
            " bound_s, error)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            &add, err);
    for (size_t i = 0; i < count && !rc; i++)
        rc = do_comparison(store, remove, &comparisons[i], err);
    for (size_t i = 0; i < count && !rc; i++)
        rc = do_comparison(store, add, &comparisons[i], err);
    sqlite3_finalize(remove);
    sqlite3_finalize(add);
    return rc;
}

int cs_store_put_comparisons(struct cs_store *store,
                             const struct cs_store_comparison *comparisons,
                             size_t count, struct cs_err *err)
{
    struct putting putting;
    int rc = begin_put(&putting, store, err);

    if (rc)
        return rc;
    rc = put_comparisons_locked(store, comparisons, count, err);
    return end_put(&putting, rc, err);
}

static const char *column_text(sqlite3_stmt *row, int at)
{
    const char *text = (const char *)sqlite3_column_text(row, at);

    return text ? text : "";
}

static double column_real(sqlite3_stmt *row, int at)
{
    if (sqlite3_column_type(row, at) == SQLITE_NULL)
        return NAN;
    return sqlite3_column_double(row, at);
}

static void store_read_field(sqlite3_stmt *row, int at,
                             const struct cs_field *field,
                             struct cs_record *record)
{
    void *member = (char *)record + field->offset;
    uint64_t number = (uint64_t)sqlite3_column_int64(row, at);

    switch (field->kind) {
    case CS_FIELD_TEXT:
        memcpy(member, &(const char *){column_text(row, at)}, sizeof(char *));
        break;
    case CS_FIELD_REAL:
    case CS_FIELD_SPREAD:
        memcpy(member, &(double){column_real(row, at)}, sizeof(double));
        break;
    case CS_FIELD_SEED:
        number = strtoull(column_text(row, at), NULL, 10);
        memcpy(member, &number, sizeof number);
        break;
    case CS_FIELD_U32:
        memcpy(member, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        break;
    case CS_FIELD_BOOL:
        memcpy(member, &(bool){number != 0}, sizeof(bool));
        break;
    case CS_FIELD_VERIFIED:
        record->verified = number <= CS_VERIFIED_LEFT_OUT
                               ? (enum cs_verified)number
                               : CS_VERIFIED_NOT;
        break;
    default:
        memcpy(member, &number, sizeof number);
        break;
    }
}

/* What a walk asks of the database. */
struct queries {
    sqlite3_stmt *runs;
    sqlite3_stmt *links; /* of one run */
    sqlite3_stmt *times;
};

/* Reads the times of one run with noise; the caller frees spread->times. */
static int read_times(const struct cs_store *store, sqlite3_stmt *query,
                      int64_t run, struct cs_record_spread *spread,
                      struct cs_err *err)
{
    double *times = NULL;
    uint32_t count = 0;
    int step;

    sqlite3_reset(query);
    sqlite3_bind_int64(query, 1, run);
    while ((step = sqlite3_step(query)) == SQLITE_ROW) {
        if ((count & (count + 1)) == 0)
            times = cs_grow(times, 2 * (size_t)count + 1, sizeof times[0]);
        times[count++] = column_real(query, 0);
    }
    if (count != spread->runs) { /* of a database from before they were kept */
        free(times);
        times = NULL;
    }
    spread->times = times;
    return step == SQLITE_DONE ? 0 : store_fail(store, err);
}

/* Reads the links of one run; their texts live in `keep`. */
static int store_read_links(const struct cs_store *store, sqlite3_stmt *query,
                            int64_t run, struct cs_records *keep,
                            struct cs_record *record, struct cs_err *err)
{
    struct cs_record_link *links = NULL;
    uint32_t count = 0;
    int step;

    sqlite3_reset(query);
    sqlite3_bind_int64(query, 1, run);
    while ((step = sqlite3_step(query)) == SQLITE_ROW) {
        if ((count & (count + 1)) == 0)
            links = cs_grow(links, 2 * (size_t)count + 1, sizeof links[0]);
        links[count++] = (struct cs_record_link){
            .name = cs_arena_text(&keep->arena, column_text(query, 0)),
            .rate_Bps = column_real(query, 1),
            .latency_ps = (uint64_t)sqlite3_column_int64(query, 2),
            .bytes = (uint64_t)sqlite3_column_int64(query, 3),
            .messages = (uint64_t)sqlite3_column_int64(query, 4),
            .busy_ps = (uint64_t)sqlite3_column_int64(query, 5),
        };
    }
    record->links = links;
    record->link_count = count;
    if (step != SQLITE_DONE) {
        free(links);
        return store_fail(store, err);
    }
    cs_records_add(keep, record);
    free(links);
    return 0;
}

static int read_run(const struct cs_store *store, const struct queries *queries,
                    struct cs_records *keep, struct cs_err *err)
{
    struct cs_record record = {0};
    sqlite3_stmt *row = queries->runs;
    int64_t run = sqlite3_column_int64(row, SCENARIO_FIELDS + RUN_FIELDS);
    int rc;

    for (int i = 0; i < SCENARIO_FIELDS; i++)
        store_read_field(row, i, &scenario_fields[i], &record);
    for (int i = 0; i < RUN_FIELDS; i++)
        store_read_field(row, SCENARIO_FIELDS + i, &run_fields[i], &record);
    rc = read_times(store, queries->times, run, &record.spread, err);
    if (!rc)
        rc = store_read_links(store, queries->links, run, keep, &record, err);
    free((double *)record.spread.times);
    return rc;
}

/* Which runs; ? is the scenario, then the fingerprint. */
static const char all_runs[] = "";
static const char latest_runs[] =
    " WHERE runs.id IN (SELECT max(id) FROM runs GROUP BY scenario_id)";
static const char run_like_this[] =
    " WHERE runs.id = (SELECT max(id) FROM runs"
    " WHERE scenario_id = ? AND fingerprint = ? AND fingerprint <> '0')";

static int prepare_walk(const struct cs_store *store, const char *which,
                        struct queries *queries, struct cs_err *err)
{
    struct cs_text sql = {0};
    int rc;

    cs_text_add(&sql, "SELECT ");
    store_add_names(&sql, scenario_fields, SCENARIO_FIELDS, "scenarios.");
    cs_text_add(&sql, ", ");
    store_add_names(&sql, run_fields, RUN_FIELDS, "runs.");
    cs_text_add(&sql, ", runs.id FROM runs"
                      " JOIN scenarios ON scenarios.id = runs.scenario_id");
    cs_text_add(&sql, which);
    cs_text_add(&sql, " ORDER BY runs.id");
    rc = prepare_text(store, &sql, &queries->runs, err);
    if (!rc)
        rc = store_prepare(
            store,
            "SELECT name, rate_Bps, latency_ps, bytes, messages, busy_ps"
            " FROM run_links WHERE run_id = ? ORDER BY position",
            &queries->links, err);
    if (!rc)
        rc = store_prepare(store,
                           "SELECT time_s FROM run_times WHERE run_id = ?"
                           " ORDER BY position",
                           &queries->times, err);
    return rc;
}

/* One run at a time: a database may hold more than fits into memory. */
static int store_walk(struct cs_store *store, const struct queries *queries,
                      cs_store_fn *fn, void *ctx, struct cs_err *err)
{
    struct cs_records keep = {0};
    int step;
    int rc = 0;

    while (!rc && (step = sqlite3_step(queries->runs)) != SQLITE_DONE) {
        rc = step == SQLITE_ROW ? read_run(store, queries, &keep, err)
                                : store_fail(store, err);
        if (!rc)
            rc = fn(ctx, &keep.items[0]);
        cs_records_free(&keep);
    }
    return rc;
}

static void end_walk(const struct queries *queries)
{
    sqlite3_finalize(queries->times);
    sqlite3_finalize(queries->links);
    sqlite3_finalize(queries->runs);
}

int cs_store_each(struct cs_store *store, enum cs_store_pick pick,
                  cs_store_fn *fn, void *ctx, struct cs_err *err)
{
    struct queries queries = {0};
    int rc;

    if (!store->db)
        return 0;
    rc = prepare_walk(store, pick == CS_STORE_LATEST ? latest_runs : all_runs,
                      &queries, err);

    if (!rc)
        rc = store_walk(store, &queries, fn, ctx, err);
    end_walk(&queries);
    return rc;
}

static int store_collect(void *ctx, const struct cs_record *record)
{
    cs_records_add(ctx, record);
    return 0;
}

int cs_store_load(struct cs_store *store, enum cs_store_pick pick,
                  struct cs_records *records, struct cs_err *err)
{
    return cs_store_each(store, pick, store_collect, records, err);
}

static int check_integrity(const struct cs_store *store, struct cs_err *err)
{
    sqlite3_stmt *query;
    int rc = store_prepare(store, "PRAGMA integrity_check(1)", &query, err);

    if (rc)
        return rc;
    if (sqlite3_step(query) != SQLITE_ROW)
        rc = store_fail(store, err);
    else if (!cs_same(column_text(query, 0), "ok"))
        rc = cs_err_set(err, CS_EANSWER, "results database '%s' is damaged: %s",
                        store->path, column_text(query, 0));
    sqlite3_finalize(query);
    return rc;
}

static int check_references(const struct cs_store *store, struct cs_err *err)
{
    sqlite3_stmt *query;
    int rc = store_prepare(store, "PRAGMA foreign_key_check", &query, err);
    int step;

    if (rc)
        return rc;
    step = sqlite3_step(query);
    if (step == SQLITE_ROW)
        rc = cs_err_set(err, CS_EANSWER,
                        "results database '%s' is damaged: a row of %s refers "
                        "to nothing",
                        store->path, column_text(query, 0));
    else if (step != SQLITE_DONE)
        rc = store_fail(store, err);
    sqlite3_finalize(query);
    return rc;
}

int cs_store_check(struct cs_store *store, struct cs_err *err)
{
    int rc = store->db ? check_integrity(store, err) : 0;

    return rc || !store->db ? rc : check_references(store, err);
}

int cs_store_find(struct cs_store *store, const struct cs_record *query,
                  struct cs_records *records, struct cs_err *err)
{
    struct queries queries = {0};
    char fingerprint[24];
    int64_t scenario = 0;
    int rc = store->db ? find_scenario(store, query, &scenario, err) : 0;

    if (rc || scenario == 0)
        return rc;
    (void)snprintf(fingerprint, sizeof fingerprint, "%" PRIu64,
                   query->fingerprint);
    rc = prepare_walk(store, run_like_this, &queries, err);
    if (!rc) {
        sqlite3_bind_int64(queries.runs, 1, scenario);
        sqlite3_bind_text(queries.runs, 2, fingerprint, -1, SQLITE_TRANSIENT);
        rc = store_walk(store, &queries, store_collect, records, err);
    }
    end_walk(&queries);
    return rc;
}
