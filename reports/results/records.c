/*
 * Copies of records: as bytes for another process, and in lists; see record.h.
 */
#include "reports/results/record.h"

#include "reports/results/fields.h"
#include "sim/base/collections/vector.h"

#include <stdlib.h>
#include <string.h>

/* ---- pack ---- */

static void pack_texts(const struct cs_field_list *fields, const void *object, struct cs_text *out)
{
    for (size_t i = 0; i < fields->count; i++)
        if (cs_field_has_text(&fields->item[i])) {
            const char *text = cs_column_cell(&fields->item[i].value, object).is.text;

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

void cs_record_pack(const struct cs_record *record, struct cs_text *out)
{
    cs_text_add_n(out, (const char *)record, sizeof(*record));
    pack_texts(&cs_record_fields, record, out);
    pack_array(record->rank_done_ps, record->ranks, sizeof(*record->rank_done_ps), out);
    for (size_t i = 0; i < CS_RECORD_LISTS; i++) {
        const struct cs_field_list *fields = cs_record_lists[i].fields;
        uint32_t count;
        const char *row = cs_record_rows(&cs_record_lists[i], record, &count);

        pack_array(row, count, fields->object_size, out);
        for (; row && count > 0; count--, row += fields->object_size)
            pack_texts(fields, row, out);
    }
}

/* ---- unpack ---- */

static const char *unpack_texts(const struct cs_field_list *fields, const char *bytes,
                                struct cs_arena *arena, void *object)
{
    for (size_t i = 0; i < fields->count; i++)
        if (cs_field_has_text(&fields->item[i])) {
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

const char *cs_record_unpack(const char *bytes, struct cs_arena *arena, struct cs_record *record)
{
    void *items;

    memcpy(record, bytes, sizeof(*record));
    bytes = unpack_texts(&cs_record_fields, bytes + sizeof(*record), arena, record);
    bytes = unpack_array(bytes, record->ranks, sizeof(*record->rank_done_ps), arena, &items);
    record->rank_done_ps = items;
    for (size_t i = 0; i < CS_RECORD_LISTS; i++) {
        const struct cs_field_list *fields = cs_record_lists[i].fields;
        uint32_t count;
        char *row;

        (void)cs_record_rows(&cs_record_lists[i], record, &count);
        bytes = unpack_array(bytes, count, fields->object_size, arena, &items);
        cs_record_set_rows(&cs_record_lists[i], items, record);
        for (row = items; row && count > 0; count--, row += fields->object_size)
            bytes = unpack_texts(fields, bytes, arena, row);
    }
    return bytes;
}

/* ---- lists of copies ---- */

/* Packed and unpacked: one walk over texts and rows makes every copy. */
void cs_records_add(struct cs_records *records, const struct cs_record *record)
{
    CS_AT_END(cs_text_free) struct cs_text bytes = {0};

    cs_record_pack(record, &bytes);
    records->items = cs_vector_room(records->items, (uint32_t)records->count + 1,
                                    &records->capacity, sizeof records->items[0]);
    (void)cs_record_unpack(bytes.data, &records->arena, &records->items[records->count++]);
}

void cs_records_free(struct cs_records *records)
{
    free(records->items);
    cs_arena_free(&records->arena);
    *records = (struct cs_records){0};
}
