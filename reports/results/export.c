/* CSV: see record.h. */
#include "reports/results/fields.h"
#include "reports/results/json.h"
#include "reports/results/record.h"
#include "reports/results/table.h"
#include "sim/base/mem.h"
#include "sim/base/units.h"

#include <inttypes.h>

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
        if (job && cs_same(field->name, "job"))
            cs_text_add(&name, "name");
        else
            cs_field_add_name(field, &name);
        columns[count++].title = cs_text_keep(&name, arena);
    }
    return count;
}

/* Numbers are exact and without units, for programs. */
static void csv_add_cell(struct cs_table *table, const struct cs_field *field, const void *object)
{
    char real[CS_JSON_REAL_TEXT];

    if (!object || !cs_field_known(field, object))
        cs_table_cell(table, "");
    else if (cs_field_is_text(field))
        cs_table_cell(table, cs_field_text(field, object));
    else if (cs_field_is_real(field))
        cs_table_cell(table, cs_json_show_real(real, cs_field_real(field, object)));
    else if (cs_field_is_bool(field))
        cs_table_cell(table, cs_field_bool(field, object) ? "true" : "false");
    else if (field->kind == CS_FIELD_PS)
        cs_table_cell(table, cs_show_exact(cs_field_u64(field, object)).text);
    else
        cs_table_cellf(table, "%" PRIu64, cs_field_u64(field, object));
}

/* A NULL object gives empty cells. */
static void csv_add_cells(struct cs_table *table, const struct cs_field_list *fields,
                          const void *object)
{
    for (size_t i = 0; i < fields->count; i++)
        if (fields->item[i].is_exported)
            csv_add_cell(table, &fields->item[i], object);
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
