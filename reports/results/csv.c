/*
 * CSV: see csv.h.
 */
#include "reports/results/csv.h"
#include "reports/results/fields.h"
#include "reports/results/json.h"
#include "reports/results/table.h"
#include "sim/base/mem.h"
#include "sim/base/units.h"

#include <inttypes.h>

/* What is told of each job, "job1_took_s". */
static const char *const job_columns[] = {"name", "start_s", "took_s",
                                          "alone_s", "slowdown"};

enum {
    JOB_COLUMNS = sizeof job_columns / sizeof job_columns[0]
};

/* The most jobs that ran at once. */
static uint32_t most_jobs(const struct cs_record *records, size_t count)
{
    uint32_t most = 0;

    for (size_t r = 0; r < count; r++)
        if (records[r].job_count > most)
            most = records[r].job_count;
    return most;
}

static struct cs_table_column *make_columns(uint32_t jobs,
                                            struct cs_arena *arena)
{
    struct cs_table_column *columns = cs_arena_alloc(
        arena, cs_fields_export_count + (size_t)jobs * JOB_COLUMNS,
        sizeof columns[0]);

    for (size_t i = 0; i < cs_fields_export_count; i++) {
        const struct cs_field *field = &cs_fields_export[i];

        columns[i].title = field->name;
        if (field->group)
            columns[i].title =
                cs_arena_printf(arena, "%s_%s", field->group, field->name);
    }
    for (uint32_t i = 0; i < jobs * JOB_COLUMNS; i++)
        columns[cs_fields_export_count + i].title =
            cs_arena_printf(arena, "job%u_%s", 1 + i / JOB_COLUMNS,
                            job_columns[i % JOB_COLUMNS]);
    return columns;
}

static void csv_add_cell(struct cs_table *table, const struct cs_field *field,
                         const struct cs_record *record)
{
    char time[CS_UNITS_TEXT];
    char real[CS_JSON_REAL_TEXT];

    if (!cs_field_known(field, record)) {
        cs_table_cell(table, "");
        return;
    }
    switch (field->kind) {
    case CS_FIELD_TEXT:
    case CS_FIELD_DATA_FLOW:
        cs_table_cell(table, cs_field_text(field, record));
        break;
    case CS_FIELD_REAL:
    case CS_FIELD_SPREAD:
        cs_table_cell(table,
                      cs_json_show_real(real, cs_field_real(field, record)));
        break;
    case CS_FIELD_PS:
        cs_table_cell(table,
                      cs_units_show_exact(time, cs_field_u64(field, record)));
        break;
    case CS_FIELD_BOOL:
    case CS_FIELD_VERIFIED:
        cs_table_cell(table, cs_field_bool(field, record) ? "true" : "false");
        break;
    default:
        cs_table_cellf(table, "%" PRIu64, cs_field_u64(field, record));
        break;
    }
}

static void add_job(struct cs_table *table, const struct cs_record_job *job)
{
    char text[CS_UNITS_TEXT];
    char real[CS_JSON_REAL_TEXT];

    cs_table_cell(table, job->name);
    cs_table_cell(table, cs_units_show_exact(text, job->start_ps));
    cs_table_cell(table, cs_units_show_exact(text, job->took_ps));
    cs_table_cell(table, cs_units_show_exact(text, job->alone_ps));
    cs_table_cell(table, job->alone_ps ? cs_json_show_real(
                                             real, cs_record_job_slowdown(job))
                                       : "");
}

/* Empty cells for those that the run does not have. */
static void csv_add_jobs(struct cs_table *table, const struct cs_record *record,
                         uint32_t jobs)
{
    for (uint32_t i = 0; i < jobs; i++)
        if (i < record->job_count)
            add_job(table, &record->jobs[i]);
        else
            for (int k = 0; k < JOB_COLUMNS; k++)
                cs_table_cell(table, "");
}

void cs_csv_records(const struct cs_record *records, size_t count,
                    struct cs_text *out)
{
    struct cs_arena arena = {0};
    struct cs_table table = {0};
    uint32_t jobs = most_jobs(records, count);

    cs_table_begin(&table, make_columns(jobs, &arena),
                   cs_fields_export_count + (size_t)jobs * JOB_COLUMNS);
    for (size_t r = 0; r < count; r++) {
        for (size_t i = 0; i < cs_fields_export_count; i++)
            csv_add_cell(&table, &cs_fields_export[i], &records[r]);
        csv_add_jobs(&table, &records[r], jobs);
    }
    cs_table_csv(&table, out);
    cs_table_free(&table);
    cs_arena_free(&arena);
}
