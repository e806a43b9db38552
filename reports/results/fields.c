#include "reports/results/fields.h"

#include <math.h>
#include <string.h>

/* ---- the lists ---- */

#define REQUEST                         .is_request = true
#define PART                            .is_part = true
#define PRINTED                         .is_exported = true
#define GROUP(of)                       .group = (of)
#define KNOWN(when)                     .known = CS_KNOWN_##when
#define MEMBER(to)                      .value.member = CS_MEMBER_OF(struct cs_record, to)
#define COMPUTED(by)                    .value.real = (by)
#define FOOTNOTE(text)                  .footnote = offsetof(struct cs_record, text)
#define REMARK(what)                    .remark = cs_remark_##what
#define OF_LIBRARY(label)               .library_label = (label)
#define COLUMN(when, title, unit)       .column = {CS_SHOWN_##when, title, unit}
#define ROW(section, when, label, note) .row = {CS_SECTION_##section, CS_SHOWN_##when, label, note}

/* The kinds of record.def. */
#define AS_TEXT      .value.kind = CS_SHEET_TEXT
#define AS_MARK      AS_TEXT, .is_mark = true
#define AS_DATA_FLOW AS_TEXT, .value.words = cs_verified_words
#define AS_U32       .value.kind = CS_SHEET_PLAIN
#define AS_SEED      AS_U32, .is_seed = true
#define AS_HASH      AS_U32, .is_hash = true
#define AS_COUNT     .value.kind = CS_SHEET_COUNT
#define AS_BYTES     .value.kind = CS_SHEET_BYTES
#define AS_PS        .value.kind = CS_SHEET_TIME
#define AS_SECONDS   .value.kind = CS_SHEET_SECONDS
#define AS_BOUND     AS_SECONDS, .is_bound = true
#define AS_RATE      .value.kind = CS_SHEET_RATE
#define AS_SHARE     .value.kind = CS_SHEET_SHARE
#define AS_RATIO     .value.kind = CS_SHEET_TIMES
#define AS_BOOL      .value.kind = CS_SHEET_BOOL

#define ENTRY(kind_of, of_name, ...) \
    {.value.name = (of_name), .value.known = CS_OR_EMPTY, AS_##kind_of, __VA_ARGS__},
/* A member of an object that is kept; and printed. */
#define HELD(of, kind_of, to, ...) \
    ENTRY(kind_of, __VA_ARGS__, .value.member = CS_MEMBER_OF(struct of, to), .is_stored = true)
#define FIELD(...) HELD(__VA_ARGS__, .is_exported = true)

#define RESULT(kind, member, ...) FIELD(cs_record, kind, member, __VA_ARGS__)
#define NOISE(kind, member, ...)  FIELD(cs_record, kind, spread.member, __VA_ARGS__, GROUP("noise"))
#define VIEW                      ENTRY
#define KEPT(kind, member, ...)   HELD(cs_record, kind, member, __VA_ARGS__)
static const struct cs_field of_record[] = {
#include "reports/results/record.def"
};

#define PARAMETER(kind, member, ...) FIELD(cs_record_parameter, kind, member, __VA_ARGS__)
static const struct cs_field of_parameter[] = {
#include "reports/results/record.def"
};

#define LINK(kind, member, ...) FIELD(cs_record_link, kind, member, __VA_ARGS__)
static const struct cs_field of_link[] = {
#include "reports/results/record.def"
};

#define JOB(kind, member, ...) FIELD(cs_record_job, kind, member, __VA_ARGS__)
static const struct cs_field of_job[] = {
#include "reports/results/record.def"
    ENTRY(RATIO, "slowdown", COMPUTED(cs_record_job_slowdown), .is_exported = true)};

#define LIST(fields, object)                                         \
    {                                                                \
        (fields), sizeof(fields) / sizeof(*(fields)), sizeof(object) \
    }

const struct cs_field_list cs_record_fields = LIST(of_record, struct cs_record);
static const struct cs_field_list parameter_fields = LIST(of_parameter, struct cs_record_parameter);
static const struct cs_field_list link_fields = LIST(of_link, struct cs_record_link);
const struct cs_field_list cs_job_fields = LIST(of_job, struct cs_record_job);

/* The times of repeated runs: the object is the time. */
static const struct cs_field of_time[] = {
    ENTRY(SECONDS, "time_s", .value.member.type = CS_MEMBER_REAL, .is_stored = true)};
static const struct cs_field_list time_fields = LIST(of_time, double);

#define ROWS(array, length) offsetof(struct cs_record, array), offsetof(struct cs_record, length)

const struct cs_record_list cs_record_lists[CS_RECORD_LISTS] = {
    [CS_RECORD_PARAMETERS] = {"run_parameters", &parameter_fields,
                              ROWS(parameter, parameter_count)},
    [CS_RECORD_LINKS] = {"run_links", &link_fields, ROWS(links, link_count)},
    [CS_RECORD_JOBS] = {"run_jobs", &cs_job_fields, ROWS(jobs, job_count)},
    [CS_RECORD_TIMES] = {"run_times", &time_fields, ROWS(spread.times, spread.runs)},
};

const char *cs_record_rows(const struct cs_record_list *list, const struct cs_record *record,
                           uint32_t *count)
{
    const char *rows;

    memcpy(&rows, (const char *)record + list->rows, sizeof rows);
    memcpy(count, (const char *)record + list->count, sizeof *count);
    return rows;
}

void cs_record_set_rows(const struct cs_record_list *list, const void *rows,
                        struct cs_record *record)
{
    memcpy((char *)record + list->rows, &rows, sizeof rows);
}

const struct cs_field *cs_record_field(const char *name)
{
    const struct cs_field *field = cs_record_fields.item;

    while (!cs_same(field->value.name, name))
        field++;
    return field;
}

void cs_field_add_name(const struct cs_field *field, struct cs_text *out)
{
    cs_text_printf(out, "%s%s%s", field->group ? field->group : "", field->group ? "_" : "",
                   field->value.name);
}

/* ---- values ---- */

/* An object other than a record has no conditions. */
bool cs_field_due(const struct cs_field *field, const void *object)
{
    const struct cs_record *record = object;

    switch (field->known) {
    case CS_KNOWN_ALWAYS:
        return true;
    case CS_KNOWN_PROVED:
        return record->verified == CS_VERIFIED_PROVED;
    case CS_KNOWN_SCATTER:
        return record->verified == CS_VERIFIED_PROVED && record->has_reduce_scatter;
    case CS_KNOWN_SIMULATED:
        return !cs_record_is_predicted(record);
    case CS_KNOWN_LIBRARY:
        return cs_record_is_predicted(record);
    default:
        return record->spread.runs > 0;
    }
}

struct cs_sheet_cell cs_field_cell(const struct cs_field *field, const void *object)
{
    struct cs_sheet_cell cell = cs_column_cell(&field->value, object);

    /* An integer of a record has no value for unknown. */
    cell.known = cs_field_due(field, object) &&
                 (!cs_sheet_is_real(field->value.kind) || isfinite(cell.is.real));
    return cell;
}

bool cs_field_given(const struct cs_field *field, const void *object)
{
    struct cs_sheet_cell cell = cs_field_cell(field, object);

    if (cs_sheet_is_text(field->value.kind))
        return cell.known && *cell.is.text;
    if (cs_sheet_is_real(field->value.kind))
        return cell.known && cell.is.real != 0;
    return cell.known && cs_column_number(&field->value, object) != 0;
}

bool cs_field_same(const struct cs_field *field, const void *a, const void *b)
{
    struct cs_sheet_cell one = cs_column_cell(&field->value, a);
    struct cs_sheet_cell other = cs_column_cell(&field->value, b);

    if (cs_sheet_is_text(field->value.kind))
        return cs_same(one.is.text, other.is.text);
    if (cs_sheet_is_real(field->value.kind))
        return one.is.real == other.is.real;
    return cs_column_number(&field->value, a) == cs_column_number(&field->value, b);
}

void cs_field_set_text(const struct cs_field *field, void *object, const char *text)
{
    cs_column_set(&field->value, (struct cs_sheet_cell){true, {.text = text}}, object);
}

void cs_field_set_real(const struct cs_field *field, void *object, double number)
{
    cs_column_set(&field->value, (struct cs_sheet_cell){true, {.real = number}}, object);
}

/* A number from a database may be outside of the enum; an unknown outcome
 * counts as not verified. */
void cs_field_set_u64(const struct cs_field *field, void *object, uint64_t number)
{
    struct cs_sheet_cell cell = {true, {.u64 = number}};

    if (field->value.words && number > CS_VERIFIED_LEFT_OUT)
        cell.is.u64 = CS_VERIFIED_NOT;
    if (field->value.kind == CS_SHEET_BOOL)
        cell.is.boolean = number != 0;
    cs_column_set(&field->value, cell, object);
}

/* ---- for people ---- */

void cs_field_show_share(double share, struct cs_text *out)
{
    double percent = 100 * share;

    if (!isfinite(share))
        cs_text_add(out, "-");
    else if (percent > 0 && percent < 0.05)
        cs_text_add(out, "<0.1 %");
    else if (percent == 0 || (percent >= 99.95 && percent < 100.05))
        cs_text_printf(out, "%.0f %%", percent);
    else
        cs_text_printf(out, "%.1f %%", percent);
}

void cs_field_show(const struct cs_field *field, const void *object, struct cs_text *out)
{
    const struct cs_record *record = object;
    struct cs_sheet_cell cell = cs_field_cell(field, object);
    char text[CS_SHEET_SHOWN];

    /* A bound of 0 is trivial, except for a run without duration. */
    if (field->is_bound && !(record->lower_bound_s > 0) && record->time_ps != 0)
        cell.known = false;
    if (cell.known && field->value.kind == CS_SHEET_SHARE)
        cs_field_show_share(cell.is.real, out);
    else
        cs_text_add(out, cell.known ? cs_sheet_show_cell(&cell, field->value.kind, text) : "-");
}
