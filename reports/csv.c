/*
 * CSV: see csv.h.
 */
#include "reports/csv.h"
#include "reports/fields.h"
#include "reports/json.h"
#include "reports/table.h"
#include "sim/base/mem.h"
#include "sim/base/units.h"

#include <inttypes.h>

static struct cs_table_column *make_columns(struct cs_arena *arena)
{
    struct cs_table_column *columns =
        cs_arena_alloc(arena, cs_fields_export_count, sizeof columns[0]);

    for (size_t i = 0; i < cs_fields_export_count; i++) {
        const struct cs_field *field = &cs_fields_export[i];

        columns[i].title = field->name;
        if (field->group)
            columns[i].title =
                cs_arena_printf(arena, "%s_%s", field->group, field->name);
    }
    return columns;
}

static void add_cell(struct cs_table *table, const struct cs_field *field,
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

void cs_csv_records(const struct cs_record *records, size_t count,
                    struct cs_text *out)
{
    struct cs_arena arena = {0};
    struct cs_table table = {0};

    cs_table_begin(&table, make_columns(&arena), cs_fields_export_count);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < cs_fields_export_count; i++)
            add_cell(&table, &cs_fields_export[i], &records[r]);
    cs_table_csv(&table, out);
    cs_table_free(&table);
    cs_arena_free(&arena);
}
