/*
 * Records: see records.h.
 */
#include "reports/records.h"

#include <stdlib.h>

static const char *copy(struct cs_records *records, const char *text)
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
        links[i].name = copy(records, record->links[i].name);
    }
    return links;
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
    to->version = copy(records, record->version);
    to->topology = copy(records, record->topology);
    to->topology_spec = copy(records, record->topology_spec);
    to->collective = copy(records, record->collective);
    to->algorithm = copy(records, record->algorithm);
    to->model = copy(records, record->model);
    to->dtype = copy(records, record->dtype);
    to->placement = copy(records, record->placement);
    to->parameters = copy(records, record->parameters);
    to->bound = copy(records, record->bound);
    to->bottleneck = copy(records, record->bottleneck);
    to->links = copy_links(records, record);
}

void cs_records_free(struct cs_records *records)
{
    free(records->items);
    cs_arena_free(&records->arena);
    *records = (struct cs_records){0};
}
