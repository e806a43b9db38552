/*
 * Copies of records: as bytes for another process, and in lists; see record.h.
 */
#include "reports/results/record.h"

#include "reports/results/fields.h"
#include "sim/base/collections/vector.h"

#include <stdlib.h>
#include <string.h>

static bool field_has_text(const struct cs_field *field)
{
    return field->kind == CS_FIELD_TEXT || field->kind == CS_FIELD_MARK;
}

/* ---- pack ---- */

static void pack_texts(const struct cs_field_list *fields, const void *object, struct cs_text *out)
{
    for (size_t i = 0; i < fields->count; i++)
        if (field_has_text(&fields->item[i])) {
            const char *text = cs_field_text(&fields->item[i], object);

            cs_text_add_n(out, text, strlen(text) + 1);
        }
}

/* NULL stays NULL: unknown is distinct from empty. */
static void pack_array(const void *items, size_t count, size_t size, struct cs_text *out)
{
    cs_text_add_n(out, items ? "1" : "0", 1);
    if (items && count)
        cs_text_add_n(out, items, count * size);
}

static void pack_rows(const struct cs_field_list *fields, const void *rows, size_t count,
                      struct cs_text *out)
{
    const char *row = rows;

    pack_array(rows, count, fields->object_size, out);
    for (size_t i = 0; i < count; i++, row += fields->object_size)
        pack_texts(fields, row, out);
}

void cs_record_pack(const struct cs_record *record, struct cs_text *out)
{
    cs_text_add_n(out, (const char *)record, sizeof(*record));
    pack_texts(&cs_record_fields, record, out);
    pack_array(record->spread.times, record->spread.runs, sizeof(*record->spread.times), out);
    pack_array(record->rank_done_ps, record->ranks, sizeof(*record->rank_done_ps), out);
    pack_rows(&cs_parameter_fields, record->parameter, record->parameter_count, out);
    pack_rows(&cs_link_fields, record->links, record->link_count, out);
    pack_rows(&cs_job_fields, record->jobs, record->job_count, out);
}

/* ---- unpack ---- */

static const char *unpack_texts(const struct cs_field_list *fields, const char *bytes,
                                struct cs_arena *arena, void *object)
{
    for (size_t i = 0; i < fields->count; i++)
        if (field_has_text(&fields->item[i])) {
            cs_field_set_text(&fields->item[i], object, cs_arena_text(arena, bytes));
            bytes += strlen(bytes) + 1;
        }
    return bytes;
}

static const char *unpack_array(const char *bytes, size_t count, size_t size,
                                struct cs_arena *arena, void **items)
{
    *items = NULL;
    if (*bytes++ == '0')
        return bytes;
    *items = cs_arena_alloc(arena, count, size);
    if (count)
        memcpy(*items, bytes, count * size);
    return bytes + count * size;
}

static const char *unpack_rows(const struct cs_field_list *fields, const char *bytes, size_t count,
                               struct cs_arena *arena, void **rows)
{
    char *row;

    bytes = unpack_array(bytes, count, fields->object_size, arena, rows);
    row = *rows;
    for (size_t i = 0; i < count; i++, row += fields->object_size)
        bytes = unpack_texts(fields, bytes, arena, row);
    return bytes;
}

const char *cs_record_unpack(const char *bytes, struct cs_arena *arena, struct cs_record *record)
{
    void *items;

    memcpy(record, bytes, sizeof(*record));
    bytes = unpack_texts(&cs_record_fields, bytes + sizeof(*record), arena, record);
    bytes = unpack_array(bytes, record->spread.runs, sizeof(*record->spread.times), arena, &items);
    record->spread.times = items;
    bytes = unpack_array(bytes, record->ranks, sizeof(*record->rank_done_ps), arena, &items);
    record->rank_done_ps = items;
    bytes = unpack_rows(&cs_parameter_fields, bytes, record->parameter_count, arena, &items);
    record->parameter = items;
    bytes = unpack_rows(&cs_link_fields, bytes, record->link_count, arena, &items);
    record->links = items;
    bytes = unpack_rows(&cs_job_fields, bytes, record->job_count, arena, &items);
    record->jobs = items;
    return bytes;
}

/* ---- lists of copies ---- */

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
