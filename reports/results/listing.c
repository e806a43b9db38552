/* Listing: see runs_table.h. */
#include "reports/results/fields.h"
#include "reports/results/runs_table.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LABEL_WIDTH = 26,
    VALUE_WIDTH = 14,
    BAR_WIDTH = 20, /* characters of the bar for 100 % */
    LABEL_TEXT = 64,
};

struct listing {
    const struct cs_record *record;
    enum cs_style style;
    struct cs_text *out;
};

static void listing_heading(const struct listing *list, const char *text)
{
    cs_text_add(list->out, "\n");
    cs_style_bold(list->style, text, list->out);
    cs_text_add(list->out, "\n");
}

/* "  label        value     note"; the note may be "". */
static void listing_row(const struct listing *list, const char *label, const char *value,
                        const char *note)
{
    int pad = note[0] != '\0' ? VALUE_WIDTH : 0;

    cs_text_printf(list->out, "  %-*s", LABEL_WIDTH, label);
    cs_style_bold(CS_STYLE_PLAIN, value, list->out); /* names are user text */
    for (int width = (int)strlen(value); width < pad; width++)
        cs_text_add(list->out, " ");
    if (pad > 0 && (int)strlen(value) >= pad)
        cs_text_add(list->out, "  ");
    cs_style_dim(note[0] != '\0' ? list->style : CS_STYLE_PLAIN, note, list->out);
    cs_text_add(list->out, "\n");
}

/* ---- rows of fields ---- */

/* " 93.1 %  ###################": the share of the run's time. */
static void listing_add_bar(const struct cs_record *record, uint64_t part_ps, struct cs_text *out)
{
    double share = record->time_ps > 0 ? (double)part_ps / (double)record->time_ps : (double)NAN;
    int bar = isfinite(share) ? (int)lround(share * BAR_WIDTH) : 0;
    CS_AT_END(cs_text_free) struct cs_text percent = {0};

    if (bar > BAR_WIDTH)
        bar = BAR_WIDTH;
    cs_field_show_share(share, &percent);
    cs_text_printf(out, "%7s%s%.*s", cs_text_str(&percent), bar > 0 ? "  " : "", bar,
                   "####################");
}

/* Unknown real values are shown as "-", since the row is expected; unknown
 * counts are omitted. */
static bool listing_is_shown(const struct cs_field *field, const struct cs_record *record)
{
    switch (field->row.when) {
    case CS_SHOWN_ALWAYS:
        return cs_field_due(field, record) &&
               (cs_sheet_is_real(field->value.kind) || cs_field_cell(field, record).known);
    case CS_SHOWN_KNOWN:
        return cs_field_given(field, record);
    case CS_SHOWN_NARROWS:
        return cs_field_cell(field, record).known && cs_record_is_narrowed(record);
    case CS_SHOWN_REPEATED:
        return record->spread.runs > 1;
    default:
        return false;
    }
}

static void listing_field(const struct listing *list, const struct cs_field *field)
{
    const struct cs_record *record = list->record;
    CS_AT_END(cs_text_free) struct cs_text value = {0};
    CS_AT_END(cs_text_free) struct cs_text note = {0};

    cs_field_show(field, record, &value);
    if (value.length == 0)
        cs_text_add(&value, "-");
    if (field->is_part)
        listing_add_bar(record, cs_column_number(&field->value, record), &note);
    else if (field->remark)
        field->remark(record, &note);
    else
        cs_text_add(&note, field->row.note);
    listing_row(list,
                field->library_label && cs_record_is_predicted(record) ? field->library_label
                                                                       : field->row.label,
                cs_text_str(&value), cs_text_str(&note));
}

/* Whether the runs differ by more than their draws of routes. */
static bool listing_has_noise(const struct listing *list)
{
    return isfinite(list->record->spread.baseline);
}

/* The figures above are those of a single run, which needs a statement. */
static void listing_noise_heading(const struct listing *list)
{
    uint32_t runs = list->record->spread.runs;
    CS_AT_END(cs_text_free) struct cs_text title = {0};

    if (runs == 1)
        cs_text_add(&title, "Noise or slow ranks, 1 run");
    else
        cs_text_printf(&title, "%s, %" PRIu32 " runs; figures above are for the median run",
                       listing_has_noise(list) ? "Noise" : "Hashes of routes", runs);
    listing_heading(list, cs_text_str(&title));
}

/* A library's call has no traffic, no memory and no critical path. */
static bool listing_has_rows(const struct listing *list, enum cs_section section)
{
    for (size_t i = 0; i < cs_record_fields.count; i++)
        if (cs_record_fields.item[i].row.section == section &&
            listing_is_shown(&cs_record_fields.item[i], list->record))
            return true;
    return false;
}

static void listing_section(const struct listing *list, enum cs_section section)
{
    static const char *const headings[CS_SECTIONS] = {
        [CS_SECTION_NONE] = NULL,
        [CS_SECTION_REQUEST] = NULL,
        [CS_SECTION_TIME] = "Time",
        [CS_SECTION_RATES] = "Rates",
        [CS_SECTION_TRAFFIC] = "Traffic",
        [CS_SECTION_MEMORY] = "Memory",
        [CS_SECTION_BOTTLENECK] = "Bottleneck",
        [CS_SECTION_PATH] = "Critical path",
        [CS_SECTION_PARTS] = "Parts",
        [CS_SECTION_NOISE] = NULL,
    };

    if (section == CS_SECTION_NOISE &&
        (list->record->spread.runs == 0 ||
         (list->record->spread.runs == 1 && !listing_has_noise(list))))
        return;
    if (section == CS_SECTION_NOISE)
        listing_noise_heading(list);
    else if (headings[section] && listing_has_rows(list, section))
        listing_heading(list, headings[section]);
    for (size_t i = 0; i < cs_record_fields.count; i++) {
        const struct cs_field *field = &cs_record_fields.item[i];

        if (field->row.section == section && listing_is_shown(field, list->record))
            listing_field(list, field);
    }
}

/* ---- the other groups ---- */

/* The first column is indented by hand to align with the rows of the
 * listing. */
static void listing_jobs(const struct listing *list)
{
    static const struct cs_table_column columns[] = {
        {"  job", NULL, CS_TABLE_LEFT},     {"start", NULL, CS_TABLE_RIGHT},
        {"time", NULL, CS_TABLE_RIGHT},     {"alone", NULL, CS_TABLE_RIGHT},
        {"slowdown", NULL, CS_TABLE_RIGHT},
    };
    CS_AT_END(cs_table_free) struct cs_table table = {0};

    if (list->record->job_count == 0)
        return;
    listing_heading(list,
                    "Concurrent jobs; figures above, except those of links, are for the first job");
    cs_table_begin(&table, columns, sizeof columns / sizeof columns[0]);
    for (uint32_t i = 0; i < list->record->job_count; i++)
        for (size_t c = 0; c < cs_job_fields.count; c++) {
            CS_AT_END(cs_text_free) struct cs_text text = {0};

            cs_text_add(&text, c == 0 ? "  " : "");
            cs_field_show(&cs_job_fields.item[c], &list->record->jobs[i], &text);
            cs_table_cell(&table, cs_text_str(&text));
        }
    cs_table_write(&table, list->style, list->out);
}

/* To the picosecond, to compare runs. */
static void listing_ranks(const struct listing *list)
{
    char label[LABEL_TEXT];
    char time[LABEL_TEXT];

    if (!list->record->rank_done_ps)
        return;
    listing_heading(list, "Completion");
    for (uint32_t i = 0; i < list->record->ranks; i++) {
        uint64_t ps = list->record->rank_done_ps[i];

        (void)snprintf(label, sizeof label, "rank %" PRIu32, i);
        (void)snprintf(time, sizeof time,
                       ps % 1000 ? "%" PRIu64 ".%03" PRIu64 " ns" : "%" PRIu64 " ns", ps / 1000,
                       ps % 1000);
        listing_row(list, label, time, "");
    }
}

static void listing_data_flow(const struct listing *list)
{
    enum cs_verified verified = list->record->verified;
    CS_AT_END(cs_text_free) struct cs_text reason = {0};

    cs_runs_table_reason(verified, list->record->collective, &reason);
    listing_heading(list, "Data flow");
    listing_row(list, cs_verified_words[verified], cs_text_str(&reason), "");
}

void cs_listing_write(const struct cs_record *record, enum cs_style style, struct cs_text *out)
{
    struct listing list = {record, style, out};

    cs_runs_table_title_line(record, 1, style, out);
    for (int section = CS_SECTION_REQUEST; section < CS_SECTIONS; section++)
        listing_section(&list, (enum cs_section)section);
    listing_jobs(&list);
    listing_ranks(&list);
    if (!cs_record_is_predicted(record))
        listing_data_flow(&list);
}
