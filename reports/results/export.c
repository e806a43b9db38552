/* Records as JSON and CSV: see record.h. */
#include "reports/results/fields.h"
#include "reports/results/json.h"

#include <inttypes.h>

/* ---- JSON ---- */

static bool json_same_group(const char *a, const char *b)
{
    return a && b ? cs_same(a, b) : a == b;
}

/* Adds the exported fields, with a nested object per group.  Unknown values are null rather
 * than absent, so the keys of all runs agree. */
static void json_add_fields(struct cs_json *json, const struct cs_field_list *fields,
                            const void *object)
{
    const char *group = NULL;

    for (size_t i = 0; i < fields->count; i++) {
        const struct cs_field *field = &fields->item[i];
        struct cs_sheet_cell cell;

        if (!field->is_exported)
            continue;
        if (!json_same_group(group, field->group)) {
            if (group)
                cs_json_end(json);
            if (field->group) {
                cs_json_key(json, field->group);
                cs_json_object(json);
            }
            group = field->group;
        }
        cell = cs_field_cell(field, object);
        cs_json_key(json, field->value.name);
        cs_sheet_json_cell(&cell, field->value.kind, json);
    }
    if (group)
        cs_json_end(json);
}

static void json_add_ranks(struct cs_json *json, const struct cs_record *record)
{
    cs_json_key(json, "rank_time_s");
    cs_json_array(json);
    for (uint32_t i = 0; i < record->ranks; i++)
        cs_json_exact(json, record->rank_done_ps[i]);
    cs_json_end(json);
}

static void json_add_jobs(struct cs_json *json, const struct cs_record *record)
{
    cs_json_key(json, "jobs");
    cs_json_array(json);
    for (uint32_t i = 0; i < record->job_count; i++) {
        cs_json_object(json);
        json_add_fields(json, &cs_job_fields, &record->jobs[i]);
        cs_json_end(json);
    }
    cs_json_end(json);
}

static void json_add_record(struct cs_json *json, const struct cs_record *record)
{
    cs_json_object(json);
    json_add_fields(json, &cs_record_fields, record);
    if (record->rank_done_ps)
        json_add_ranks(json, record);
    if (record->job_count)
        json_add_jobs(json, record);
    cs_json_end(json);
}

static void json_add_runs(struct cs_json *json, const struct cs_record *records, size_t count)
{
    cs_json_key(json, "runs");
    cs_json_array(json);
    for (size_t i = 0; i < count; i++)
        json_add_record(json, &records[i]);
    cs_json_end(json);
}

void cs_json_records(const struct cs_record *records, size_t count, struct cs_text *out)
{
    struct cs_json json = {.out = out};

    cs_json_object(&json);
    json_add_runs(&json, records, count);
    cs_json_end(&json);
}

/* ---- CSV ---- */

/* Adds the names of the exported fields, with the prefix "job1_" for a job; the
 * name of a job is job1_name, where JSON has "job". */
static size_t csv_add_titles(const struct cs_field_list *fields, uint32_t job,
                             struct cs_table_column *columns, struct cs_arena *arena)
{
    struct cs_text name = {0};
    size_t count = 0;

    for (size_t i = 0; i < fields->count; i++) {
        const struct cs_field *field = &fields->item[i];

        if (!field->is_exported)
            continue;
        if (job)
            cs_text_printf(&name, "job%" PRIu32 "_", job);
        if (job && cs_same(field->value.name, "job"))
            cs_text_add(&name, "name");
        else
            cs_field_add_name(field, &name);
        columns[count++].title = cs_text_keep(&name, arena);
    }
    return count;
}

/* A NULL object gives empty cells. */
static void csv_add_cells(struct cs_table *table, const struct cs_field_list *fields,
                          const void *object)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct cs_field *field = &fields->item[i];
        struct cs_sheet_cell cell = {0};

        if (!field->is_exported)
            continue;
        if (object)
            cell = cs_field_cell(field, object);
        cs_sheet_csv_cell(&cell, field->value.kind, table);
    }
}

void cs_csv_records(const struct cs_record *records, size_t count, struct cs_text *out)
{
    uint32_t jobs = cs_record_max_jobs(records, count);
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_table_free) struct cs_table table = {0};
    struct cs_table_column *columns = cs_arena_alloc(
        &arena, cs_record_fields.count + (size_t)jobs * cs_job_fields.count, sizeof columns[0]);
    size_t width = csv_add_titles(&cs_record_fields, 0, columns, &arena);

    for (uint32_t i = 0; i < jobs; i++)
        width += csv_add_titles(&cs_job_fields, i + 1, &columns[width], &arena);
    cs_table_begin(&table, columns, width);
    for (size_t r = 0; r < count; r++) {
        csv_add_cells(&table, &cs_record_fields, &records[r]);
        for (uint32_t i = 0; i < jobs; i++)
            csv_add_cells(&table, &cs_job_fields,
                          i < records[r].job_count ? &records[r].jobs[i] : NULL);
    }
    cs_table_csv(&table, out);
}
