/*
 * Records: see records.h.
 */
#include "reports/results/records.h"

#include "reports/results/fields.h"

#include <stdlib.h>
#include <string.h>

static const char *records_copy(struct cs_records *records, const char *text)
{
    return cs_arena_text(&records->arena, text ? text : "");
}

static const struct cs_record_link *copy_links(struct cs_records *records,
                                               const struct cs_record *record)
{
    struct cs_record_link *links =
        cs_arena_alloc(&records->arena, record->link_count, sizeof links[0]);

    for (uint32_t i = 0; i < record->link_count; i++) {
        links[i] = record->links[i];
        links[i].name = records_copy(records, record->links[i].name);
    }
    return links;
}

static const struct cs_record_job *copy_jobs(struct cs_records *records,
                                             const struct cs_record *record)
{
    struct cs_record_job *jobs =
        cs_arena_alloc(&records->arena, record->job_count, sizeof jobs[0]);

    for (uint32_t i = 0; i < record->job_count; i++) {
        jobs[i] = record->jobs[i];
        jobs[i].name = records_copy(records, record->jobs[i].name);
    }
    return jobs;
}

static const uint64_t *copy_times(struct cs_records *records,
                                  const struct cs_record *record)
{
    size_t size = record->ranks * sizeof(*record->rank_done_ps);

    if (!record->rank_done_ps)
        return NULL;
    return memcpy(cs_arena_alloc(&records->arena, record->ranks,
                                 sizeof(*record->rank_done_ps)),
                  record->rank_done_ps, size);
}

static const double *copy_spread(struct cs_records *records,
                                 const struct cs_record_spread *spread)
{
    double *times;

    if (!spread->times)
        return NULL;
    times = cs_arena_alloc(&records->arena, spread->runs, sizeof *times);
    return memcpy(times, spread->times, spread->runs * sizeof *times);
}

static void copy_texts(struct cs_records *records, struct cs_record *record)
{
    size_t i;

    for (i = 0; i < cs_fields_export_count; i++) {
        const struct cs_field *field = &cs_fields_export[i];
        const char *text;

        if (field->kind != CS_FIELD_TEXT)
            continue;
        text = records_copy(records, cs_field_text(field, record));
        memcpy((char *)record + field->offset, &text, sizeof text);
    }
}

void cs_records_add(struct cs_records *records, const struct cs_record *record)
{
    struct cs_record *to;

    if (records->count == records->capacity) {
        records->capacity = records->capacity ? 2 * records->capacity : 16;
        records->items = cs_grow(records->items, records->capacity,
                                 sizeof records->items[0]);
    }
    to = &records->items[records->count++];
    *to = *record;
    copy_texts(records, to);
    to->spread.times = copy_spread(records, &record->spread);
    to->links = copy_links(records, record);
    to->jobs = copy_jobs(records, record);
    to->rank_done_ps = copy_times(records, record);
}

void cs_records_free(struct cs_records *records)
{
    free(records->items);
    cs_arena_free(&records->arena);
    *records = (struct cs_records){0};
}
