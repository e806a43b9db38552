/*
 * Records: see records.h.
 */
#include "reports/results/records.h"

#include "reports/results/fields.h"
#include "sim/base/collections/vector.h"

#include <stdlib.h>
#include <string.h>

/* Replaces the texts of the object by copies. */
static void records_own_texts(const struct cs_field_list *fields, void *object,
                              struct cs_arena *arena)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct cs_field *field = &fields->item[i];

        if (field->kind == CS_FIELD_TEXT || field->kind == CS_FIELD_MARK)
            cs_field_set_text(field, object, cs_arena_text(arena, cs_field_text(field, object)));
    }
}

/* NULL stays NULL: unknown is distinct from empty. */
static void *records_copy_array(const void *items, size_t count, size_t size,
                                struct cs_arena *arena)
{
    return items ? cs_arena_copy(arena, items, count, size) : NULL;
}

/* Copies rows with the texts. */
static void *records_copy_rows(const struct cs_field_list *fields, const void *rows, size_t count,
                               struct cs_arena *arena)
{
    char *copy = records_copy_array(rows, count, fields->object_size, arena);

    for (size_t i = 0; i < count; i++)
        records_own_texts(fields, copy + i * fields->object_size, arena);
    return copy;
}

/* Texts are copied by the lists of fields, so a new text in record.def needs no
 * line here. */
void cs_records_add(struct cs_records *records, const struct cs_record *record)
{
    struct cs_arena *arena = &records->arena;
    struct cs_record *to;

    records->items = cs_vector_room(records->items, (uint32_t)records->count + 1,
                                    &records->capacity, sizeof records->items[0]);
    to = &records->items[records->count++];
    *to = *record;
    records_own_texts(&cs_record_fields, to, arena);
    to->spread.times = records_copy_array(record->spread.times, record->spread.runs,
                                          sizeof *record->spread.times, arena);
    to->rank_done_ps = records_copy_array(record->rank_done_ps, record->ranks,
                                          sizeof *record->rank_done_ps, arena);
    to->parameter =
        records_copy_rows(&cs_parameter_fields, record->parameter, record->parameter_count, arena);
    to->links = records_copy_rows(&cs_link_fields, record->links, record->link_count, arena);
    to->jobs = records_copy_rows(&cs_job_fields, record->jobs, record->job_count, arena);
}

void cs_records_free(struct cs_records *records)
{
    free(records->items);
    cs_arena_free(&records->arena);
    *records = (struct cs_records){0};
}
