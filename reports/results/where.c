#include "reports/results/where.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* The names are those of the CSV header. */
static const struct cs_field *where_find(const char *name, struct cs_err *err)
{
    const struct cs_field *found = NULL;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const char **names = cs_arena_alloc(&arena, cs_record_fields.count, sizeof names[0]);
    size_t count = 0;

    for (size_t i = 0; i < cs_record_fields.count && !found; i++) {
        const struct cs_field *field = &cs_record_fields.item[i];
        struct cs_text text = {0};

        if (!field->is_exported)
            continue;
        cs_field_add_name(field, &text); /* as in CSV */
        names[count] = cs_text_keep(&text, &arena);
        if (cs_same(names[count++], name))
            found = field;
    }
    if (!found)
        (void)cs_err_set(
            err, CS_EINPUT, "no column called '%s'%s", name,
            cs_hint(name, names, count,
                    "columns are those of --csv: topology, ranks, algorithm, bytes, ...")
                .text);
    return found;
}

/* ---- values ---- */

/* A column with "bytes" in the name is a size, with an optional unit. */
static bool where_read_number(struct cs_where_term *term)
{
    struct cs_err ignored = {0};
    char *end;

    term->number = strtoull(term->value, &end, 10);
    if (*end == '\0' && term->value[0] != '-')
        return true;
    return strstr(term->field->value.name, "bytes") &&
           cs_units_nccl_bytes(term->value, &term->number, &ignored) == 0;
}

/* "0.0000015" (seconds, as in CSV) or "1.5us". */
static bool where_read_time(struct cs_where_term *term)
{
    CS_AT_END(cs_text_free) struct cs_text seconds = {0};
    struct cs_err ignored = {0};

    cs_text_printf(&seconds, "%ss", term->value);
    return cs_units_time(term->value, &term->number, &ignored) == 0 ||
           cs_units_time(cs_text_str(&seconds), &term->number, &ignored) == 0;
}

/* An empty value is valid for every column: the condition for unknown. */
static bool where_read_value(struct cs_where_term *term)
{
    enum cs_sheet_kind kind = term->field->value.kind;
    char *end;

    if (term->value[0] == '\0' || cs_sheet_is_text(kind))
        return true;
    if (kind == CS_SHEET_BOOL)
        return cs_same(term->value, "true") || cs_same(term->value, "false");
    if (kind == CS_SHEET_TIME)
        return where_read_time(term);
    if (!cs_sheet_is_real(kind))
        return where_read_number(term);
    term->real = strtod(term->value, &end);
    return *end == '\0';
}

static int where_refuse_value(const struct cs_where_term *term, struct cs_err *err)
{
    enum cs_sheet_kind kind = term->field->value.kind;
    const char *expected = "a number";

    if (kind == CS_SHEET_BOOL)
        expected = "true or false";
    else if (kind == CS_SHEET_TIME)
        expected = "a time, such as 1.5us";
    else if (strstr(term->field->value.name, "bytes"))
        expected = "a size, such as 64MiB";
    return cs_err_set(err, CS_EINPUT, "'%s': expected %s", term->text, expected);
}

int cs_where_add(struct cs_where *where, const char *text, struct cs_err *err)
{
    const char *equals = strchr(text, '=');
    struct cs_where_term term = {.text = text};
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    if (!equals || equals == text)
        return cs_err_set(err, CS_EINPUT, "'%s': expected COLUMN=VALUE or COLUMN!=VALUE", text);
    if (where->count == CS_WHERE_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d conditions", CS_WHERE_MAX);
    term.value = equals + 1;
    term.is_not = equals[-1] == '!';
    cs_text_add_n(&name, text, (size_t)(equals - text) - term.is_not);
    term.field = where_find(cs_text_str(&name), err);
    if (!term.field)
        return CS_EINPUT;
    if (!where_read_value(&term))
        return where_refuse_value(&term, err);
    where->terms[where->count++] = term;
    return 0;
}

/* ---- runs ---- */

/* Numbers compare as numbers: 64MiB and 67108864 select the same runs. */
static bool where_matches(const struct cs_where_term *term, const struct cs_record *record)
{
    struct cs_sheet_cell cell = cs_field_cell(term->field, record);
    enum cs_sheet_kind kind = term->field->value.kind;

    if (cs_sheet_is_text(kind))
        return cs_same(cell.is.text, term->value);
    if (term->value[0] == '\0' || !cell.known)
        return term->value[0] == '\0' && !cell.known;
    if (kind == CS_SHEET_BOOL)
        return cell.is.boolean == cs_same(term->value, "true");
    if (cs_sheet_is_real(kind))
        return cell.is.real == term->real;
    return cell.is.u64 == term->number;
}

/* Alternatives: a failed = holds if another = for the column holds. */
static bool where_keeps(const struct cs_where *where, const struct cs_record *record)
{
    for (size_t i = 0; i < where->count; i++) {
        const struct cs_where_term *term = &where->terms[i];
        bool holds = where_matches(term, record) != term->is_not;

        for (size_t k = 0; k < where->count && !holds && !term->is_not; k++)
            holds = where->terms[k].field == term->field && !where->terms[k].is_not &&
                    where_matches(&where->terms[k], record);
        if (!holds)
            return false;
    }
    return true;
}

/* Whether no run meets the condition; the likely error is a typing error in the
 * value. */
static bool where_is_hopeless(const struct cs_where_term *term, const struct cs_records *records)
{
    for (size_t i = 0; i < records->count; i++)
        if (where_matches(term, &records->items[i]) != term->is_not)
            return false;
    return true;
}

/* Suggests the nearest value that occurs in the runs. */
static int where_refuse_all(const struct cs_where_term *term, const struct cs_records *records,
                            struct cs_err *err)
{
    const char **values = cs_grow(NULL, records->count, sizeof values[0]);
    size_t count = cs_sheet_is_text(term->field->value.kind) ? records->count : 0;
    struct cs_hint hint;

    for (size_t i = 0; i < count; i++)
        values[i] = cs_column_cell(&term->field->value, &records->items[i]).is.text;
    hint = cs_hint(term->value, values, count, NULL);
    free(values);
    return cs_err_set(err, CS_EINPUT, "none of the %zu runs has %s%s", records->count, term->text,
                      hint.text);
}

bool cs_where_keeps(const struct cs_where *where, const struct cs_record *record, bool *met)
{
    for (size_t i = 0; met && i < where->count; i++)
        met[i] |= where_matches(&where->terms[i], record) != where->terms[i].is_not;
    return where_keeps(where, record);
}

int cs_where_filter(const struct cs_where *where, struct cs_records *records, struct cs_err *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < where->count; i++)
        if (where_is_hopeless(&where->terms[i], records))
            return where_refuse_all(&where->terms[i], records, err);
    for (size_t i = 0; i < records->count; i++)
        kept += where_keeps(where, &records->items[i]);
    if (kept == 0)
        return cs_err_set(err, CS_EINPUT, "none of the %zu runs meets all conditions",
                          records->count);
    kept = 0;
    for (size_t i = 0; i < records->count; i++)
        if (where_keeps(where, &records->items[i]))
            records->items[kept++] = records->items[i];
    records->count = kept;
    return 0;
}
