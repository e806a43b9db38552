#include "reports/results/runs_table.h"

#include "reports/results/fields.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table with numbered notes, such as bottlenecks shared by several runs. */
struct runs_table {
    const struct cs_record *records;
    size_t count;
    const struct cs_field *footnoted; /* the column with numbers, or NULL */
    size_t *notes;                    /* by run: number of the note; 0: no note */
    size_t note_count;                /* distinct notes */
};

/* ---- the title ---- */

static bool runs_differ_in(const struct cs_record *records, size_t count,
                           const struct cs_field *field)
{
    for (size_t i = 1; i < count; i++)
        if (!cs_field_same(field, &records[0], &records[i]))
            return true;
    return false;
}

/* Whether the runs have a common value of the member at `offset`. */
static bool runs_share(const struct cs_record *records, size_t count, size_t offset)
{
    const struct cs_field *field = cs_record_fields.item;

    while (field->value.member.at[0] != offset)
        field++;
    return !runs_differ_in(records, count, field);
}

#define SHARE(member) runs_share(records, count, offsetof(struct cs_record, member))

/* Only common properties: a property in which runs differ is a column. */
void cs_runs_table_title(const struct cs_record *records, size_t count, struct cs_text *out)
{
    cs_runs_table_title_of(records, count, count, out);
}

void cs_runs_table_title_of(const struct cs_record *records, size_t count, size_t runs,
                            struct cs_text *out)
{
    const struct cs_record *first = records;

    if (count == 0) {
        cs_text_add(out, "no runs");
        return;
    }
    if (SHARE(collective))
        cs_text_add(out, first->collective);
    else
        cs_text_printf(out, "%zu runs", runs);
    if (SHARE(bytes))
        cs_text_printf(out, " of %s", cs_show_bytes(first->bytes).text);
    if (SHARE(topology))
        cs_text_printf(out, " on %s", first->topology);
    if (SHARE(ranks))
        cs_text_printf(out, ", %" PRIu32 " rank%s", first->ranks, first->ranks == 1 ? "" : "s");
    if (SHARE(dtype))
        cs_text_printf(out, ", %s", first->dtype);
    if (SHARE(library) && cs_record_is_predicted(first))
        cs_text_printf(out, ", library %s", first->library);
    else if (SHARE(model))
        cs_text_printf(out, ", model %s", first->model);
    if (SHARE(network) && first->network && *first->network)
        cs_text_printf(out, ", network %.*s", (int)strcspn(first->network, ":"), first->network);
    if (runs > 1 && SHARE(algorithm))
        cs_text_printf(out, ", algorithm %s", first->algorithm);
}

void cs_runs_table_title_line(const struct cs_record *records, size_t count, enum cs_style style,
                              struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text title = {0};

    cs_runs_table_title(records, count, &title);
    cs_style_bold(style, cs_text_str(&title), out);
    cs_text_add(out, "\n");
}

/* ---- footnotes ---- */

static const char *runs_text_at(const struct cs_record *record, size_t offset)
{
    const char *text;

    memcpy(&text, (const char *)record + offset, sizeof text);
    return text ? text : "";
}

static const char *runs_note_of(const struct runs_table *runs, size_t i)
{
    return runs->footnoted ? runs_text_at(&runs->records[i], runs->footnoted->footnote) : "";
}

/* Numbers the different texts in the order of the runs.
 * O(runs x different texts). */
static void runs_number_notes(struct runs_table *runs)
{
    size_t *firsts = cs_grow(NULL, runs->count, sizeof firsts[0]);

    runs->notes = cs_grow(NULL, runs->count, sizeof runs->notes[0]);
    for (size_t i = 0; i < runs->count; i++) {
        size_t n = 0;

        runs->notes[i] = 0;
        if (*runs_note_of(runs, i) == '\0')
            continue;
        while (n < runs->note_count &&
               !cs_same(runs_note_of(runs, firsts[n]), runs_note_of(runs, i)))
            n++;
        if (n == runs->note_count)
            firsts[runs->note_count++] = i;
        runs->notes[i] = n + 1;
    }
    free(firsts);
}

/* Without numbers, the single note holds for every run. */
static bool runs_need_numbers(const struct runs_table *runs)
{
    return runs->footnoted && !runs_share(runs->records, runs->count, runs->footnoted->footnote);
}

/* Each note once, at the first run with the note. */
static void runs_add_notes(const struct runs_table *runs, struct cs_text *out)
{
    bool numbered = runs_need_numbers(runs);
    size_t next = 1;

    for (size_t i = 0; i < runs->count; i++) {
        if (runs->notes[i] != next)
            continue;
        cs_text_add(out, runs->footnoted->column.title);
        if (numbered)
            cs_text_printf(out, " [%zu]", next);
        cs_text_add(out, ": ");
        cs_style_bold(CS_STYLE_PLAIN, runs_note_of(runs, i), out);
        cs_text_add(out, "\n");
        next++;
    }
}

void cs_runs_table_reason(enum cs_verified verified, const char *collective, struct cs_text *out)
{
    switch (verified) {
    case CS_VERIFIED_PROVED:
        cs_text_printf(out, "every rank ends with the result that %s specifies", collective);
        break;
    case CS_VERIFIED_MATCHED:
        cs_text_add(out,
                    "every message is received; a custom schedule has no specification to prove");
        break;
    case CS_VERIFIED_LEFT_OUT:
        cs_text_add(out, "the proof takes longer than the run");
        break;
    default:
        cs_text_add(out, "the proof was switched off");
        break;
    }
}

/* Without a common outcome, the column "data flow" shows the outcomes
 * instead. */
static void runs_add_data_flow(const struct runs_table *runs, struct cs_text *out)
{
    const struct cs_record *first = runs->records;
    bool shared = runs_share(runs->records, runs->count, offsetof(struct cs_record, collective));

    if (!runs_share(runs->records, runs->count, offsetof(struct cs_record, verified)) ||
        cs_record_is_predicted(first))
        return;
    cs_text_printf(out, "data flow: %s; ", cs_verified_words[first->verified]);
    cs_runs_table_reason(first->verified, shared ? first->collective : "the collective", out);
    cs_text_add(out, "\n");
}

/* ---- cells ---- */

/* Rates share the unit in the title of the column, for comparison at a glance. */
static void runs_show_rate(double rate_Bps, struct cs_text *out)
{
    double rate = rate_Bps * 1e-9;

    if (!isfinite(rate))
        cs_text_add(out, "-");
    else if (rate > 0 && rate < 0.0005)
        cs_text_add(out, "<0.001");
    else
        cs_text_printf(out, "%.*f", rate < 10 ? 3 : rate < 100 ? 2 : 1, rate);
}

/* Names of links are long: the cell has the number of a note below the
 * table. */
static void runs_show_footnoted(const struct runs_table *runs, size_t i, struct cs_text *out)
{
    if (!runs->notes[i]) {
        cs_text_add(out, "-");
        return;
    }
    cs_field_show(runs->footnoted, &runs->records[i], out);
    if (runs_need_numbers(runs))
        cs_text_printf(out, " [%zu]", runs->notes[i]);
}

/* A mark is "yes" or empty: the text of the mark is too long for a cell. */
static void runs_add_cell(const struct runs_table *runs, const struct cs_field *field, size_t i,
                          struct cs_table *table)
{
    const struct cs_record *record = &runs->records[i];
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (field->footnote)
        runs_show_footnoted(runs, i, &text);
    else if (field->is_mark)
        cs_text_add(&text, cs_field_given(field, record) ? "yes" : "");
    else if (field->value.kind == CS_SHEET_RATE)
        runs_show_rate(cs_field_cell(field, record).is.real, &text);
    else
        cs_field_show(field, record, &text);
    cs_table_cell(table, cs_text_str(&text));
}

/* ---- the table ---- */

/* A column appears only if the values say more than the title. */
static bool runs_show_column(const struct runs_table *runs, const struct cs_field *field)
{
    switch (field->column.when) {
    case CS_SHOWN_ALWAYS:
        for (size_t i = 0; i < runs->count; i++)
            if (cs_field_due(field, &runs->records[i]))
                return true;
        return false;
    case CS_SHOWN_DIFFERS:
        return runs_differ_in(runs->records, runs->count, field);
    case CS_SHOWN_NAMES:
        return runs->count == 1 || runs_differ_in(runs->records, runs->count, field);
    case CS_SHOWN_KNOWN:
        for (size_t i = 0; i < runs->count; i++)
            if (cs_field_given(field, &runs->records[i]))
                return true;
        return false;
    case CS_SHOWN_NARROWS:
        for (size_t i = 0; i < runs->count; i++)
            if (cs_field_cell(field, &runs->records[i]).known &&
                cs_record_is_narrowed(&runs->records[i]))
                return true;
        return false;
    default:
        return false;
    }
}

/* Appends the columns of the request, or of results; returns the new count. */
static size_t runs_pick_columns(const struct runs_table *runs, bool is_request,
                                const struct cs_field **shown, size_t count)
{
    for (size_t c = 0; c < cs_record_fields.count; c++) {
        const struct cs_field *field = &cs_record_fields.item[c];

        if (field->is_request == is_request && runs_show_column(runs, field))
            shown[count++] = field;
    }
    return count;
}

/* Columns of the request come first, whatever the order of record.def. */
static void runs_add_table(const struct runs_table *runs, enum cs_style style, struct cs_text *out)
{
    uint32_t jobs = cs_job_columns_jobs(runs->records, runs->count);
    struct cs_table_column *heads =
        cs_grow(NULL, cs_record_fields.count + (size_t)jobs * CS_JOB_COLUMNS, sizeof heads[0]);
    const struct cs_field **shown = cs_grow(NULL, cs_record_fields.count, sizeof shown[0]);
    CS_AT_END(cs_table_free) struct cs_table table = {0};
    size_t count;

    /* The request, then the results. */
    count = runs_pick_columns(runs, true, shown, 0);
    count = runs_pick_columns(runs, false, shown, count);
    for (size_t c = 0; c < count; c++)
        heads[c] = (struct cs_table_column){
            shown[c]->column.title, shown[c]->column.unit,
            cs_sheet_is_text(shown[c]->value.kind) ? CS_TABLE_LEFT : CS_TABLE_RIGHT};
    cs_job_columns_heads(jobs, &heads[count]);
    cs_table_begin(&table, heads, count + (size_t)jobs * CS_JOB_COLUMNS);
    for (size_t i = 0; i < runs->count; i++) {
        for (size_t c = 0; c < count; c++)
            runs_add_cell(runs, shown[c], i, &table);
        cs_job_columns_cells(&runs->records[i], jobs, &table);
    }
    cs_table_write(&table, style, out);
    free(shown);
    free(heads);
}

void cs_runs_table_write(const struct cs_record *records, size_t count, enum cs_style style,
                         struct cs_text *out)
{
    struct runs_table runs = {.records = records, .count = count};

    cs_runs_table_title_line(records, count, style, out);
    if (count == 0)
        return;
    for (size_t c = 0; c < cs_record_fields.count; c++)
        if (cs_record_fields.item[c].footnote)
            runs.footnoted = &cs_record_fields.item[c];
    runs_number_notes(&runs);
    cs_text_add(out, "\n");
    runs_add_table(&runs, style, out);
    cs_text_add(out, "\n");
    cs_job_columns_names(records, count, out);
    runs_add_notes(&runs, out);
    runs_add_data_flow(&runs, out);
    free(runs.notes);
}

/* The line below the titles names the quantity.  Titles are static because a
 * table borrows the titles of columns. */
static const char *const job_titles[] = {"job 1", "job 2", "job 3", "job 4", "job 5",
                                         "job 6", "job 7", "job 8", "job 9"};
static const char *const job_parts[CS_JOB_COLUMNS] = {"time", "alone", "slower"};

enum {
    JOBS_MAX = sizeof job_titles / sizeof job_titles[0]
};

uint32_t cs_job_columns_jobs(const struct cs_record *records, size_t count)
{
    uint32_t jobs = cs_record_max_jobs(records, count);

    return jobs < JOBS_MAX ? jobs : JOBS_MAX;
}

void cs_job_columns_heads(uint32_t jobs, struct cs_table_column *heads)
{
    for (uint32_t i = 0; i < jobs * CS_JOB_COLUMNS; i++)
        heads[i] = (struct cs_table_column){job_titles[i / CS_JOB_COLUMNS],
                                            job_parts[i % CS_JOB_COLUMNS], CS_TABLE_RIGHT};
}

void cs_job_columns_cells(const struct cs_record *record, uint32_t jobs, struct cs_table *table)
{
    for (uint32_t i = 0; i < jobs; i++) {
        const struct cs_record_job *job = &record->jobs[i];

        if (i >= record->job_count) {
            for (int c = 0; c < CS_JOB_COLUMNS; c++)
                cs_table_cell(table, "-");
            continue;
        }
        cs_table_cell(table, cs_show_time(job->took_ps).text);
        cs_table_cell(table, cs_show_time(job->alone_ps).text);
        if (job->alone_ps)
            cs_table_cellf(table, "%.4g x", cs_record_job_slowdown(job));
        else
            cs_table_cell(table, "-");
    }
}

void cs_job_columns_names(const struct cs_record *records, size_t count, struct cs_text *out)
{
    for (uint32_t j = 0; count && j < records[0].job_count; j++) {
        const char *name = records[0].jobs[j].name;
        bool same = true;

        for (size_t i = 1; i < count && same; i++)
            same = j < records[i].job_count && strcmp(records[i].jobs[j].name, name) == 0;
        if (same)
            cs_text_printf(out, "job %u: %s\n", j + 1, name);
    }
}
