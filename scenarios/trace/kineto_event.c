#include "scenarios/trace/kineto_event.h"

#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scalars ---- */

void cs_kineto_copy(char *to, size_t room, const char *from)
{
    size_t length = strnlen(from, room - 1);

    memcpy(to, from, length);
    to[length] = '\0';
}

/* A number, also as a string: writers differ on "stream" and "tid". */
double cs_kineto_number(const struct cs_json_reader *json, enum cs_json_token token)
{
    const char *text = cs_json_reader_text(json);
    char *end;
    double number;

    if (token == CS_JSON_NUMBER)
        return cs_json_reader_number(json);
    if (token != CS_JSON_STRING || !isdigit((unsigned char)*text))
        return (double)NAN;
    number = strtod(text, &end);
    return *end ? (double)NAN : number;
}

static enum cs_kineto_category kineto_category_of(const char *text)
{
    static const struct {
        const char *name;
        enum cs_kineto_category category;
    } names[] = {
        {"kernel", CS_KINETO_KERNEL},
        {"Kernel", CS_KINETO_KERNEL},
        {"gpu_memcpy", CS_KINETO_COPY},
        {"gpu_memset", CS_KINETO_COPY},
        {"Memcpy", CS_KINETO_COPY},
        {"Memset", CS_KINETO_COPY},
        {"cuda_sync", CS_KINETO_SYNC},
        {"cpu_op", CS_KINETO_HOST},
        {"user_annotation", CS_KINETO_ANNOTATION},
        {"gpu_user_annotation", CS_KINETO_RANGE},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (cs_same(names[i].name, text))
            return names[i].category;
    return CS_KINETO_OTHER;
}

/* ---- members of "args" ---- */

/* The place of a text member of a record, or NULL. */
static char *kineto_text_place(struct cs_kineto_event *event, const char *key, size_t *room)
{
    struct cs_kineto_record *record = &event->record;
    const struct {
        const char *key;
        char *place;
        size_t room;
    } places[] = {
        {"Collective name", record->collective, sizeof(record->collective)},
        {"dtype", record->dtype, sizeof(record->dtype)},
        {"Process Group Ranks", record->ranks, sizeof(record->ranks)},
        {"Process Group Name", record->group, sizeof(record->group)},
        {"In split size", record->in_split, sizeof(record->in_split)},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if (*places[i].key == *key && cs_same(places[i].key, key)) {
            *room = places[i].room;
            return places[i].place;
        }
    return NULL;
}

/* The place of a number of an event, or NULL. */
static double *kineto_number_place(struct cs_kineto_event *event, const char *key)
{
    const struct {
        const char *key;
        double *place;
    } places[] = {
        {"stream", &event->stream},
        {"correlation", &event->correlation},
        {"In msg nelems", &event->record.in_elements},
        {"Out msg nelems", &event->record.out_elements},
        {"Group size", &event->record.group_size},
        {"Rank", &event->record.rank},
        {"Src Rank", &event->record.source},
        {"Dst Rank", &event->record.destination},
        {"wait_on_stream", &event->wait_stream},
        {"wait_on_cuda_event_record_corr_id", &event->wait_correlation},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if (*places[i].key == *key && cs_same(places[i].key, key))
            return places[i].place;
    return NULL;
}

/* A list of numbers that is a list of JSON, where others write a string. */
static enum cs_json_token kineto_read_list(struct cs_json_reader *json, char *place, size_t room)
{
    struct cs_text text = {0};
    uint32_t outside = cs_json_reader_depth(json) - 1;
    enum cs_json_token token;

    while ((token = cs_json_reader_next(json)) > CS_JSON_STOPS &&
           cs_json_reader_depth(json) > outside)
        if (token == CS_JSON_NUMBER && text.length < room)
            cs_text_printf(&text, "%s, ", cs_json_reader_text(json));
    cs_kineto_copy(place, room, cs_text_str(&text));
    cs_text_free(&text);
    return token;
}

static enum cs_json_token kineto_read_argument(struct cs_json_reader *json,
                                               struct cs_kineto_event *event)
{
    const char *key = cs_json_reader_text(json);
    size_t room;
    char *place = kineto_text_place(event, key, &room);
    double *number = place ? NULL : kineto_number_place(event, key);
    enum cs_json_token token;

    if (!place && !number)
        return cs_json_reader_skip(json);
    token = cs_json_reader_next(json);
    if (token == CS_JSON_LIST && place)
        return kineto_read_list(json, place, room);
    if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
        return cs_json_reader_skip(json);
    if (token == CS_JSON_STRING && place)
        cs_kineto_copy(place, room, cs_json_reader_text(json));
    else if (token > CS_JSON_STOPS && number)
        *number = cs_kineto_number(json, token);
    return token;
}

static enum cs_json_token kineto_read_arguments(struct cs_json_reader *json,
                                                struct cs_kineto_event *event)
{
    enum cs_json_token token;

    if (event->category == CS_KINETO_OTHER)
        return cs_json_reader_skip(json);
    token = cs_json_reader_next(json);
    if (token != CS_JSON_OBJECT)
        return token == CS_JSON_LIST ? cs_json_reader_skip(json) : token;
    while ((token = cs_json_reader_next(json)) == CS_JSON_KEY)
        if (kineto_read_argument(json, event) <= CS_JSON_STOPS)
            return cs_json_reader_next(json);
    return token;
}

/* ---- events ---- */

static void kineto_clear(struct cs_kineto_event *event)
{
    event->category = CS_KINETO_UNKNOWN;
    event->name[0] = '\0';
    event->is_complete_kind = false;
    event->ts_us = event->dur_us = event->stream = event->tid = event->correlation =
        event->wait_stream = event->wait_correlation = (double)NAN;
    cs_kineto_record_clear(&event->record);
}

static void kineto_set_member(struct cs_kineto_event *event, const char *key,
                              const struct cs_json_reader *json, enum cs_json_token token)
{
    const char *text = token == CS_JSON_STRING ? cs_json_reader_text(json) : "";

    if (cs_same(key, "ph"))
        event->is_complete_kind = cs_same(text, "X");
    else if (cs_same(key, "cat"))
        event->category = kineto_category_of(text);
    else if (cs_same(key, "name"))
        cs_kineto_copy(event->name, sizeof(event->name), text);
    else if (cs_same(key, "ts"))
        event->ts_us = cs_kineto_number(json, token);
    else if (cs_same(key, "dur"))
        event->dur_us = cs_kineto_number(json, token);
    else if (cs_same(key, "tid"))
        event->tid = cs_kineto_number(json, token);
}

enum cs_json_token cs_kineto_event_read(struct cs_json_reader *json, struct cs_kineto_event *event)
{
    enum cs_json_token token;
    char key[16];

    kineto_clear(event);
    while ((token = cs_json_reader_next(json)) == CS_JSON_KEY) {
        cs_kineto_copy(key, sizeof(key), cs_json_reader_text(json));
        if (cs_same(key, "args"))
            token = kineto_read_arguments(json, event);
        else {
            token = cs_json_reader_next(json);
            if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
                token = cs_json_reader_skip(json);
            else if (token > CS_JSON_STOPS)
                kineto_set_member(event, key, json, token);
        }
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token;
}
