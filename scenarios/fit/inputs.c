#include "scenarios/fit/inputs.h"

#include "algorithms/libraries/profile.h"
#include "scenarios/compare/table.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/request/library_choice.h"
#include "sim/base/order.h"
#include "sim/base/random.h"
#include "sim/base/text.h"
#include "validate/logs/log.h"

#include <stdlib.h>
#include <string.h>

/* One file of the inputs. */
struct inputs_reader {
    const struct cs_cli *cli;
    struct cs_scenario *scenario;
    struct cs_fit_inputs *inputs;
    struct cs_fit_file *file;
    struct cs_log log;
    uint32_t room; /* rows */
};

static void inputs_notes(const struct inputs_reader *reader)
{
    for (uint32_t i = 0; i < reader->log.note_count; i++)
        fprintf(reader->cli->messages, "collsim: %s: %s\n", reader->file->path,
                reader->log.notes[i]);
}

/* ---- the machine ---- */

static void inputs_say_taken(struct cs_fit_inputs *inputs, const char *taken,
                             struct cs_arena *arena)
{
    static const char between[] = "; ";
    const char *before = inputs->taken;

    if (!taken || (before && strstr(before, taken)))
        return;
    inputs->taken = before ? cs_arena_printf(arena, "%s%s%s", before, between, taken) : taken;
}

/* Machine and library of a log: each has its own, by the options and by what it states. */
static int inputs_open(struct inputs_reader *reader, const struct cs_scenario *given,
                       struct cs_err *err)
{
    struct cs_fit_inputs *inputs = reader->inputs;
    struct cs_scenario *own = cs_arena_alloc(given->arena, 1, sizeof(*own));
    const char *taken;
    int code;

    *own = *given;
    reader->scenario = own;
    code = cs_log_stated_take(&reader->log, own, &taken, err);
    if (code)
        return code;
    inputs_say_taken(inputs, taken, own->arena);
    cs_cluster_finish(own);
    own->machines = cs_machines_of_run(own, own->arena);
    code = cs_log_stated_library(&reader->log, own, reader->cli->messages, err);
    if (code)
        return code;
    if (!own->by.library->parameters)
        return cs_err_set(
            err, CS_EINPUT,
            "the model of %s has no parameters to fit; expected logs of nccl, rccl, mpi or gloo",
            own->by.library->name);
    if (!inputs->scenario)
        inputs->scenario = own;
    if (own->by.library != inputs->scenario->by.library)
        return cs_err_set(err, CS_EINPUT, "%s is a log of %s, %s one of %s; expected one library",
                          inputs->files[0].path, inputs->scenario->by.library->name,
                          reader->file->path, own->by.library->name);
    return 0;
}

/* ---- rows ---- */

/* Algorithm and protocol of a size, where messages of the library name them. */
static const struct cs_log_choice *inputs_choice(const struct cs_log *log, uint64_t bytes)
{
    const struct cs_log_choice *found = NULL;

    if (log->table_count != 1)
        return NULL;
    for (uint32_t i = 0; i < log->facts.choice_count; i++)
        if (log->facts.choices[i].bytes == bytes) {
            if (found)
                return NULL; /* the size has several choices */
            found = &log->facts.choices[i];
        }
    return found;
}

static int inputs_prepare(const struct inputs_reader *reader, struct cs_fit_row *row,
                          struct cs_err *err)
{
    const struct cs_log_choice *choice = inputs_choice(&reader->log, row->request.bytes);
    const struct cs_library *library = reader->scenario->by.library;
    struct cs_arena *arena = reader->scenario->arena;
    struct cs_library_time time;
    struct cs_err refusal = {0};
    int code = library->time(&row->request, &time, err);

    if (code)
        return code;
    if (choice) {
        row->request.engine = choice->engine;
        row->request.protocol = choice->protocol;
        if (!cs_fit_prepare(library, arena, row, &refusal))
            return 0;
        row->request.engine = cs_library_engine(reader->scenario);
        row->request.protocol = reader->scenario->protocol;
    }
    return cs_fit_prepare(library, arena, row, err);
}

static void inputs_add(struct inputs_reader *reader, const struct cs_fit_row *row, uint64_t hash)
{
    struct cs_fit_inputs *inputs = reader->inputs;

    inputs->hashes[inputs->row_count] = hash;
    inputs->rows[inputs->row_count++] = *row;
    reader->file->hash = cs_mix64(reader->file->hash ^ hash);
    reader->file->rows++;
}

static int inputs_row(struct inputs_reader *reader, const struct cs_library_calls *calls,
                      const struct cs_log_table *table, const struct cs_log_row *row,
                      struct cs_err *err)
{
    struct cs_fit_inputs *inputs = reader->inputs;
    uint64_t bytes = cs_log_table_bytes(table, row, calls->site.ranks);
    struct cs_fit_row wanted = {
        .request = cs_library_calls_request(calls, bytes, cs_library_engine(reader->scenario)),
        .measured_s = row->time_s,
        .table = inputs->table_count,
    };
    uint64_t hash =
        cs_profile_row_hash(wanted.request.collective, calls->site.ranks, bytes, row->time_s);
    struct cs_err refusal = {0};

    if (cs_profile_has_row(reader->scenario->by.profile, hash))
        return cs_err_set(err, CS_EINPUT,
                          "line %u: the profile of --library was fitted to this row; expected "
                          "other logs, or --library %s",
                          row->line, reader->scenario->by.library->name);
    if (!inputs_prepare(reader, &wanted, &refusal)) {
        inputs_add(reader, &wanted, hash);
    } else if (!inputs->refused++) {
        inputs->refusal = cs_arena_text(reader->scenario->arena, refusal.text);
    }
    return 0;
}

static int inputs_table(struct inputs_reader *reader, const struct cs_log_table *table,
                        struct cs_err *err)
{
    struct cs_scenario *scenario = reader->scenario;
    const struct cs_log_table_request request = {
        .log = &reader->log,
        .table = table,
        .scenario = scenario,
        .arena = scenario->arena,
    };
    struct cs_library_calls *calls = cs_arena_alloc(scenario->arena, 1, sizeof(*calls));
    const struct cs_collective *collective;
    int code = cs_log_table_open(&request, &collective, calls, err);

    if (!code && !reader->inputs->any_machine)
        code = cs_log_stated_check(table, &calls->site, err);
    if (code)
        return code;
    qsort(table->rows, table->row_count, sizeof(*table->rows), cs_order_of_wide_numbers);
    for (uint32_t i = 0; i < table->row_count && !code; i++)
        code = inputs_row(reader, calls, table, &table->rows[i], err);
    reader->inputs->table_count++;
    reader->file->tables++;
    return code;
}

/* ---- files ---- */

static int inputs_grow(struct inputs_reader *reader, struct cs_err *err)
{
    struct cs_fit_inputs *inputs = reader->inputs;
    struct cs_arena *arena = reader->scenario->arena;
    uint32_t room = inputs->row_count;
    struct cs_fit_row *rows;
    uint64_t *hashes;

    for (uint32_t t = 0; t < reader->log.table_count; t++)
        room += reader->log.tables[t].row_count;
    if (room > CS_FIT_ROWS_MAX)
        return cs_err_set(err, CS_EINPUT, "%s: more than %d sizes in all; expected fewer tables",
                          reader->file->path, CS_FIT_ROWS_MAX);
    rows = cs_arena_alloc(arena, room + 1, sizeof(*rows));
    hashes = cs_arena_alloc(arena, room + 1, sizeof(*hashes));
    for (uint32_t i = 0; i < inputs->row_count; i++) {
        rows[i] = inputs->rows[i];
        hashes[i] = inputs->hashes[i];
    }
    inputs->rows = rows;
    inputs->hashes = hashes;
    return 0;
}

/* Rows that count twice would look more certain than they are. */
static int inputs_check_file(const struct cs_fit_inputs *inputs, uint32_t last, struct cs_err *err)
{
    for (uint32_t i = 0; i < last; i++)
        if (inputs->files[last].rows && inputs->files[i].hash == inputs->files[last].hash)
            return cs_err_set(err, CS_EINPUT, "%s has the rows of %s; expected each log once",
                              inputs->files[last].path, inputs->files[i].path);
    return 0;
}

static int inputs_file(struct inputs_reader *reader, const struct cs_scenario *given,
                       struct cs_err *err)
{
    int code = cs_log_read_file(reader->file->path, given->arena, &reader->log, err);

    if (code)
        return code;
    reader->file->bytes = reader->log.bytes;
    inputs_notes(reader);
    code = inputs_open(reader, given, err);
    if (!code)
        code = inputs_grow(reader, err);
    for (uint32_t t = 0; t < reader->log.table_count && !code; t++)
        if (reader->log.tables[t].row_count) {
            code = inputs_table(reader, &reader->log.tables[t], err);
            if (code)
                cs_err_prefix(err, "%s", reader->file->path);
        }
    return code;
}

int cs_fit_inputs_read(const struct cs_cli *cli, const struct cs_scenario *given,
                       struct cs_fit_inputs *inputs, struct cs_err *err)
{
    struct inputs_reader reader = {.cli = cli, .inputs = inputs};
    int code = 0;

    for (uint32_t i = 0; i < inputs->file_count && !code; i++) {
        reader.file = &inputs->files[i];
        code = inputs_file(&reader, given, err);
        if (!code)
            code = inputs_check_file(inputs, i, err);
    }
    if (code)
        return code;
    if (inputs->refused && !inputs->row_count)
        return cs_err_set(err, CS_EINPUT, "%s", inputs->refusal);
    if (inputs->refused)
        fprintf(cli->messages, "collsim: %u of %u rows do not count: %s\n", inputs->refused,
                inputs->refused + inputs->row_count, inputs->refusal);
    /* The rows, and so the requests behind their calls, have moved. */
    for (uint32_t i = 0; i < inputs->row_count && !code; i++)
        code = cs_fit_prepare(inputs->scenario->by.library, given->arena, &inputs->rows[i], err);
    return code;
}
