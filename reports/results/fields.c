#include "reports/results/fields.h"
#include "sim/base/units.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the lists ---- */

#define REQUEST                         .is_request = true
#define PART                            .is_part = true
#define PRINTED                         .is_exported = true
#define GROUP(of)                       .group = (of)
#define KNOWN(when)                     .known = CS_KNOWN_##when
#define MEMBER(member)                  .offset = offsetof(struct cs_record, member)
#define COMPUTED(by)                    .computed = (by)
#define FOOTNOTE(text)                  .footnote = offsetof(struct cs_record, text)
#define REMARK(what)                    .remark = cs_remark_##what
#define OF_LIBRARY(label)               .library_label = (label)
#define COLUMN(when, title, unit)       .column = {CS_SHOWN_##when, title, unit}
#define ROW(section, when, label, note) .row = {CS_SECTION_##section, CS_SHOWN_##when, label, note}

/* A member of an object, printed and kept. */
#define FIELD(of, kind_of, member, ...)                                              \
    {__VA_ARGS__, .kind = CS_FIELD_##kind_of, .offset = offsetof(struct of, member), \
     .is_stored = true, .is_exported = true},

#define RESULT(kind, member, ...) FIELD(cs_record, kind, member, __VA_ARGS__)
#define NOISE(kind, member, ...)  FIELD(cs_record, kind, spread.member, __VA_ARGS__, GROUP("noise"))
#define KEPT(kind_of, member, ...)                                                          \
    {__VA_ARGS__, .kind = CS_FIELD_##kind_of, .offset = offsetof(struct cs_record, member), \
     .is_stored = true},
#define VIEW(kind_of, ...) {__VA_ARGS__, .kind = CS_FIELD_##kind_of},
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
    {"slowdown", CS_FIELD_RATIO, .computed = cs_record_job_slowdown, .is_exported = true},
};

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
    {"time_s", CS_FIELD_SECONDS, .is_stored = true},
};
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

    while (!cs_same(field->name, name))
        field++;
    return field;
}

void cs_field_add_name(const struct cs_field *field, struct cs_text *out)
{
    cs_text_printf(out, "%s%s%s", field->group ? field->group : "", field->group ? "_" : "",
                   field->name);
}

/* ---- values ---- */

bool cs_field_is_text(const struct cs_field *field)
{
    return field->kind == CS_FIELD_TEXT || field->kind == CS_FIELD_MARK ||
           field->kind == CS_FIELD_DATA_FLOW;
}

bool cs_field_is_real(const struct cs_field *field)
{
    return field->kind >= CS_FIELD_SECONDS && field->kind <= CS_FIELD_RATIO;
}

bool cs_field_is_bool(const struct cs_field *field)
{
    return field->kind == CS_FIELD_BOOL || field->kind == CS_FIELD_PROVED;
}

static const void *fields_member(const struct cs_field *field, const void *object)
{
    return (const char *)object + field->offset;
}

static enum cs_verified fields_verified(const struct cs_field *field, const void *object)
{
    enum cs_verified verified;

    memcpy(&verified, fields_member(field, object), sizeof verified);
    return verified;
}

const char *cs_field_text(const struct cs_field *field, const void *object)
{
    const char *text;

    assert(cs_field_is_text(field));
    if (field->kind == CS_FIELD_DATA_FLOW)
        return cs_verified_word(fields_verified(field, object));
    memcpy(&text, fields_member(field, object), sizeof text);
    return text ? text : "";
}

uint64_t cs_field_u64(const struct cs_field *field, const void *object)
{
    uint64_t wide;
    uint32_t narrow;

    switch (field->kind) {
    case CS_FIELD_U32:
        memcpy(&narrow, fields_member(field, object), sizeof narrow);
        return narrow;
    case CS_FIELD_BOOL:
        return cs_field_bool(field, object);
    case CS_FIELD_PROVED:
    case CS_FIELD_DATA_FLOW:
        return fields_verified(field, object);
    default:
        memcpy(&wide, fields_member(field, object), sizeof wide);
        return wide;
    }
}

double cs_field_real(const struct cs_field *field, const void *object)
{
    double real;

    assert(cs_field_is_real(field));
    if (field->computed)
        return field->computed(object);
    memcpy(&real, fields_member(field, object), sizeof real);
    return real;
}

bool cs_field_bool(const struct cs_field *field, const void *object)
{
    bool flag;

    if (field->kind == CS_FIELD_PROVED)
        return fields_verified(field, object) == CS_VERIFIED_PROVED;
    memcpy(&flag, fields_member(field, object), sizeof flag);
    return flag;
}

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

bool cs_field_known(const struct cs_field *field, const void *object)
{
    if (!cs_field_due(field, object))
        return false;
    return !cs_field_is_real(field) || isfinite(cs_field_real(field, object));
}

bool cs_field_given(const struct cs_field *field, const void *object)
{
    if (!cs_field_known(field, object))
        return false;
    if (cs_field_is_text(field))
        return *cs_field_text(field, object) != '\0';
    if (cs_field_is_real(field))
        return cs_field_real(field, object) != 0;
    return cs_field_u64(field, object) != 0;
}

bool cs_field_same(const struct cs_field *field, const void *a, const void *b)
{
    if (cs_field_is_text(field))
        return cs_same(cs_field_text(field, a), cs_field_text(field, b));
    if (cs_field_is_real(field))
        return cs_field_real(field, a) == cs_field_real(field, b);
    return cs_field_u64(field, a) == cs_field_u64(field, b);
}

void cs_field_set_text(const struct cs_field *field, void *object, const char *text)
{
    memcpy((char *)object + field->offset, &text, sizeof text);
}

/* A number from a database may be outside of the enum; an unknown outcome
 * counts as not verified. */
void cs_field_set_u64(const struct cs_field *field, void *object, uint64_t number)
{
    void *member = (char *)object + field->offset;
    enum cs_verified verified =
        number <= CS_VERIFIED_LEFT_OUT ? (enum cs_verified)number : CS_VERIFIED_NOT;

    if (field->kind == CS_FIELD_U32)
        memcpy(member, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
    else if (field->kind == CS_FIELD_BOOL)
        memcpy(member, &(bool){number != 0}, sizeof(bool));
    else if (field->kind == CS_FIELD_DATA_FLOW)
        memcpy(member, &verified, sizeof verified);
    else
        memcpy(member, &number, sizeof number);
}

void cs_field_set_real(const struct cs_field *field, void *object, double number)
{
    memcpy((char *)object + field->offset, &number, sizeof number);
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

static void fields_show_real(const struct cs_field *field, double real, struct cs_text *out)
{
    switch (field->kind) {
    case CS_FIELD_RATE:
        cs_text_add(out, cs_show_rate(real).text);
        break;
    case CS_FIELD_SHARE:
        cs_field_show_share(real, out);
        break;
    case CS_FIELD_RATIO:
        cs_text_printf(out, "%.4g x", real);
        break;
    default:
        cs_text_add(out, cs_show_seconds(real).text);
        break;
    }
}

static void fields_show_u64(const struct cs_field *field, uint64_t number, struct cs_text *out)
{
    switch (field->kind) {
    case CS_FIELD_COUNT:
        cs_text_add(out, cs_show_count(number).text);
        break;
    case CS_FIELD_BYTES:
        cs_text_add(out, cs_show_bytes(number).text);
        break;
    case CS_FIELD_PS:
        cs_text_add(out, cs_show_time(number).text);
        break;
    default:
        cs_text_printf(out, "%" PRIu64, number);
        break;
    }
}

/* A bound of 0 is trivial, except for a run without duration. */
static bool fields_is_no_bound(const struct cs_field *field, const void *object)
{
    const struct cs_record *record = object;

    return field->kind == CS_FIELD_BOUND && !(record->lower_bound_s > 0) && record->time_ps != 0;
}

/* Order matters: a missing bound is a real number that must not print as 0. */
void cs_field_show(const struct cs_field *field, const void *object, struct cs_text *out)
{
    if (!cs_field_known(field, object) || fields_is_no_bound(field, object))
        cs_text_add(out, "-");
    else if (cs_field_is_text(field))
        cs_text_add(out, cs_field_text(field, object));
    else if (cs_field_is_bool(field))
        cs_text_add(out, cs_field_bool(field, object) ? "yes" : "no");
    else if (cs_field_is_real(field))
        fields_show_real(field, cs_field_real(field, object), out);
    else
        fields_show_u64(field, cs_field_u64(field, object), out);
}
