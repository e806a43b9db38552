/*
 * Summary: see summary.h.
 */
#include "reports/results/summary.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_WIDTH = 26,
    VALUE_WIDTH = 14,
    BAR_WIDTH = 20, /* characters of a bar that stands for 100 % */
    SHORT_TEXT = 64,
};

static double summary_seconds(uint64_t time_ps)
{
    return (double)time_ps * 1e-12;
}

/* "99.8 %".  Rounding to a tenth gives 100 only from 99.95 on; what is there
 * but too small for a tenth does not read as nothing. */
static char *show_percent(char text[SHORT_TEXT], double share)
{
    double percent = 100 * share;

    if (!isfinite(share))
        (void)snprintf(text, SHORT_TEXT, "-");
    else if (percent > 0 && percent < 0.05)
        (void)snprintf(text, SHORT_TEXT, "<0.1 %%");
    else if (percent == 0 || (percent >= 99.95 && percent < 100.05))
        (void)snprintf(text, SHORT_TEXT, "%.0f %%", percent);
    else
        (void)snprintf(text, SHORT_TEXT, "%.1f %%", percent);
    return text;
}

static double summary_share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static double summary_efficiency(const struct cs_record *record)
{
    if (record->time_ps == 0 || !(record->lower_bound_s > 0))
        return NAN;
    return record->lower_bound_s / summary_seconds(record->time_ps);
}

/* Title. */

typedef bool same_fn(const struct cs_record *a, const struct cs_record *b);

static bool same_topology(const struct cs_record *a, const struct cs_record *b)
{
    return cs_same(a->topology, b->topology);
}

static bool same_collective(const struct cs_record *a,
                            const struct cs_record *b)
{
    return cs_same(a->collective, b->collective);
}

static bool same_algorithm(const struct cs_record *a, const struct cs_record *b)
{
    return cs_same(a->algorithm, b->algorithm);
}

static bool same_model(const struct cs_record *a, const struct cs_record *b)
{
    return cs_same(a->model, b->model);
}

static bool same_dtype(const struct cs_record *a, const struct cs_record *b)
{
    return cs_same(a->dtype, b->dtype);
}

static bool same_parameters(const struct cs_record *a,
                            const struct cs_record *b)
{
    return cs_same(a->parameters, b->parameters);
}

static bool same_placement(const struct cs_record *a, const struct cs_record *b)
{
    return cs_same(a->placement, b->placement);
}

static bool same_bytes(const struct cs_record *a, const struct cs_record *b)
{
    return a->bytes == b->bytes;
}

static bool same_ranks(const struct cs_record *a, const struct cs_record *b)
{
    return a->ranks == b->ranks;
}

static bool same_bottleneck(const struct cs_record *a,
                            const struct cs_record *b)
{
    return cs_same(a->bottleneck, b->bottleneck);
}

static bool same_proof(const struct cs_record *a, const struct cs_record *b)
{
    return a->verified == b->verified;
}

static bool none_hypothetical(const struct cs_record *a,
                              const struct cs_record *b)
{
    return !cs_record_is_hypothetical(a) && !cs_record_is_hypothetical(b);
}

/* Nor is there any to tell of. */
static bool same_noise(const struct cs_record *a, const struct cs_record *b)
{
    return a->spread.runs == 0 && b->spread.runs == 0;
}

static bool all_same(const struct cs_record *records, size_t count,
                     same_fn *same)
{
    for (size_t i = 1; i < count; i++)
        if (!same(&records[0], &records[i]))
            return false;
    return true;
}

void cs_summary_title(const struct cs_record *records, size_t count,
                      struct cs_text *out)
{
    char size[CS_UNITS_TEXT];
    const struct cs_record *first = records;

    if (count == 0) {
        cs_text_add(out, "no runs");
        return;
    }
    if (all_same(records, count, same_collective))
        cs_text_add(out, first->collective);
    else
        cs_text_printf(out, "%zu runs", count);
    if (all_same(records, count, same_bytes))
        cs_text_printf(out, " of %s", cs_units_show_bytes(size, first->bytes));
    if (all_same(records, count, same_topology))
        cs_text_printf(out, " on %s", first->topology);
    if (all_same(records, count, same_ranks))
        cs_text_printf(out, ", %" PRIu32 " rank%s", first->ranks,
                       first->ranks == 1 ? "" : "s");
    if (all_same(records, count, same_dtype))
        cs_text_printf(out, ", %s", first->dtype);
    if (all_same(records, count, same_model))
        cs_text_printf(out, ", model %s", first->model);
    if (count > 1 && all_same(records, count, same_algorithm))
        cs_text_printf(out, ", algorithm %s", first->algorithm);
}

static void summary_add_title(const struct cs_record *records, size_t count,
                              enum cs_style style, struct cs_text *out)
{
    struct cs_text title = {0};

    cs_summary_title(records, count, &title);
    cs_style_bold(style, cs_text_str(&title), out);
    cs_text_add(out, "\n");
    cs_text_free(&title);
}

/* The listing of one run. */

struct summary_listing {
    const struct cs_record *record;
    enum cs_style style;
    struct cs_text *out;
};

static void summary_heading(const struct summary_listing *list,
                            const char *text)
{
    cs_text_add(list->out, "\n");
    cs_style_bold(list->style, text, list->out);
    cs_text_add(list->out, "\n");
}

/* "  label        value     remark"; the remark may be "". */
static void summary_row(const struct summary_listing *list, const char *label,
                        const char *value, const char *note)
{
    int pad = note[0] != '\0' ? VALUE_WIDTH : 0;

    cs_text_printf(list->out, "  %-*s", LABEL_WIDTH, label);
    cs_style_bold(CS_STYLE_PLAIN, value, list->out); /* names are user text */
    for (int width = (int)strlen(value); width < pad; width++)
        cs_text_add(list->out, " ");
    if (pad > 0 && (int)strlen(value) >= pad)
        cs_text_add(list->out, "  ");
    cs_style_dim(note[0] != '\0' ? list->style : CS_STYLE_PLAIN, note,
                 list->out);
    cs_text_add(list->out, "\n");
}

static void row_time(const struct summary_listing *list, const char *label,
                     uint64_t time_ps, const char *note)
{
    char text[CS_UNITS_TEXT];

    summary_row(list, label, cs_units_show_time(text, time_ps), note);
}

static void row_seconds(const struct summary_listing *list, const char *label,
                        double time_s, const char *note)
{
    char text[CS_UNITS_TEXT];

    summary_row(list, label, cs_units_show_seconds(text, time_s), note);
}

static void row_bytes(const struct summary_listing *list, const char *label,
                      uint64_t bytes, const char *note)
{
    char text[CS_UNITS_TEXT];

    summary_row(list, label, cs_units_show_bytes(text, bytes), note);
}

static void row_rate(const struct summary_listing *list, const char *label,
                     double rate_Bps, const char *note)
{
    char text[CS_UNITS_TEXT];

    summary_row(list, label,
                isfinite(rate_Bps) ? cs_units_show_rate(text, rate_Bps) : "-",
                note);
}

/* How far the simulation is from the formula. */
static char *summary_compare(char text[SHORT_TEXT],
                             const struct cs_record *record)
{
    double form = record->closed_form_s;
    double change = summary_seconds(record->time_ps) / form - 1;

    if (!isfinite(form) || form <= 0)
        (void)snprintf(text, SHORT_TEXT, "there is none for this run");
    else if (fabs(change) < 5e-7) /* a hundredth of what is shown */
        (void)snprintf(text, SHORT_TEXT, "the simulation agrees");
    else if (fabs(change) < 5e-5)
        (void)snprintf(text, SHORT_TEXT,
                       "the simulation is less than 0.01 %% %s",
                       change > 0 ? "above" : "below");
    else
        (void)snprintf(text, SHORT_TEXT, "the simulation is %.2f %% %s",
                       100 * fabs(change), change > 0 ? "above" : "below");
    return text;
}

static void list_faults(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;
    char note[CS_UNITS_TEXT];

    if (!(r->healthy_s > 0))
        return;
    (void)snprintf(note, sizeof note, "%.4g x slower now", r->slowdown);
    row_seconds(list, "without the faults", r->healthy_s, note);
    if (r->detour && *r->detour)
        summary_row(list, "now goes over, too", r->detour, "");
    if (r->messages_resent)
        summary_row(list, "lost and sent again",
                    cs_units_show_count(note, r->messages_resent), "messages");
}

static void list_time(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;
    char text[SHORT_TEXT];

    summary_heading(list, "Time");
    row_time(list, "simulated", r->time_ps, "");
    list_faults(list);
    row_seconds(list, "closed form", r->closed_form_s,
                summary_compare(text, r));
    summary_row(list, "lower bound",
                r->lower_bound_s > 0 || r->time_ps == 0
                    ? cs_units_show_seconds(text, r->lower_bound_s)
                    : "-",
                r->bound);
    summary_row(list, "efficiency", show_percent(text, summary_efficiency(r)),
                "lower bound / simulated");
}

static void list_rates(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;

    summary_heading(list, "Rates");
    row_rate(list, "algorithm bandwidth", r->algbw_Bps, "size / time");
    row_rate(list, "bus bandwidth", r->busbw_Bps, "as nccl-tests counts it");
}

static void list_traffic(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;
    char text[CS_UNITS_TEXT];
    char note[2 * CS_UNITS_TEXT];

    summary_heading(list, "Traffic");
    summary_row(list, "messages", cs_units_show_count(text, r->messages), "");
    row_bytes(list, "sent by all", r->bytes_sent_total, "");
    row_bytes(list, "sent by the busiest rank", r->bytes_sent_per_rank_max, "");
    if (r->packets_resent == 0)
        return;
    (void)snprintf(note, sizeof note, "packets; %s sent again",
                   cs_units_show_count(text, r->packets_resent));
    summary_row(list, "dropped", cs_units_show_count(text, r->packets_dropped),
                note);
}

static void list_memory(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;

    summary_heading(list, "Memory");
    if (r->has_reduce_scatter && r->verified == CS_VERIFIED_PROVED)
        row_bytes(list, "after the reduce-scatter",
                  r->redundant_bytes_after_reduce_scatter,
                  "redundant: beyond one copy, over all ranks");
    if (r->verified == CS_VERIFIED_PROVED)
        row_bytes(list, "at the end", r->redundant_bytes,
                  "redundant: beyond one copy, over all ranks");
    row_bytes(list, "at the peak", r->peak_extra_bytes_per_rank,
              "extra: per rank, beside input and output");
    if (r->agents)
        row_bytes(list, "at the peak of a server", r->peak_bytes_per_agent,
                  "the sum and what waits");
}

static void list_bottleneck(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;
    char text[SHORT_TEXT];

    summary_heading(list, "Bottleneck");
    if (!r->bottleneck || r->bottleneck[0] == '\0') {
        summary_row(list, "link", "none: no link carried anything", "");
        return;
    }
    summary_row(list, "link", r->bottleneck, "");
    summary_row(list, "busy", show_percent(text, r->bottleneck_utilisation),
                r->job_count ? "of the time until all jobs are done"
                             : "of the simulated time");
    if (r->healthy_bottleneck && *r->healthy_bottleneck)
        summary_row(list, "without the faults", r->healthy_bottleneck, "");
}

static void row_part(const struct summary_listing *list, const char *label,
                     uint64_t part_ps)
{
    double share = summary_share_of(part_ps, list->record->time_ps);
    char percent[SHORT_TEXT];
    char note[SHORT_TEXT + BAR_WIDTH];
    int bar = isfinite(share) ? (int)lround(share * BAR_WIDTH) : 0;

    if (bar > BAR_WIDTH)
        bar = BAR_WIDTH;
    (void)snprintf(note, sizeof note, "%7s%s%.*s", show_percent(percent, share),
                   bar > 0 ? "  " : "", bar, "####################");
    row_time(list, label, part_ps, note);
}

static void list_path(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;

    summary_heading(list, "Critical path");
    row_part(list, "latency", r->latency_ps);
    row_part(list, "bandwidth", r->bandwidth_ps);
    row_part(list, "reduction", r->reduction_ps);
    row_part(list, "waiting", r->wait_ps);
}

/* To the picosecond: for comparing. */
static void list_ranks(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;
    char label[SHORT_TEXT];
    char time[SHORT_TEXT];

    summary_heading(list, "Done at");
    for (uint32_t i = 0; i < r->ranks; i++) {
        uint64_t ps = r->rank_done_ps[i];

        (void)snprintf(label, sizeof label, "rank %" PRIu32, i);
        (void)snprintf(time, sizeof time,
                       ps % 1000 ? "%" PRIu64 ".%03" PRIu64 " ns"
                                 : "%" PRIu64 " ns",
                       ps / 1000, ps % 1000);
        summary_row(list, label, time, "");
    }
}

static const struct cs_table_column job_columns[] = {
    {"  job", NULL, CS_TABLE_LEFT},   {"start", NULL, CS_TABLE_RIGHT},
    {"takes", NULL, CS_TABLE_RIGHT},  {"alone", NULL, CS_TABLE_RIGHT},
    {"slower", NULL, CS_TABLE_RIGHT},
};

static void list_jobs(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;
    struct cs_table table = {0};
    char text[CS_UNITS_TEXT];

    if (r->job_count == 0)
        return;
    summary_heading(list,
                    "Jobs at once; all above but links is of the first job");
    cs_table_begin(&table, job_columns,
                   sizeof job_columns / sizeof job_columns[0]);
    for (uint32_t i = 0; i < r->job_count; i++) {
        const struct cs_record_job *job = &r->jobs[i];

        cs_table_cellf(&table, "  %s", job->name);
        cs_table_cell(&table, cs_units_show_time(text, job->start_ps));
        cs_table_cell(&table, cs_units_show_time(text, job->took_ps));
        cs_table_cell(&table, cs_units_show_time(text, job->alone_ps));
        cs_table_cellf(&table, "%.4g x", cs_record_job_slowdown(job));
    }
    cs_table_write(&table, list->style, list->out);
    cs_table_free(&table);
}

static void list_spread(const struct summary_listing *list)
{
    const struct cs_record_spread *s = &list->record->spread;
    struct cs_text title = {0};
    char low[CS_UNITS_TEXT];
    char high[CS_UNITS_TEXT];
    char note[3 * CS_UNITS_TEXT];

    if (s->runs == 0)
        return;
    cs_text_printf(&title, "%s, %" PRIu32 " run%s",
                   s->runs == 1 ? "Noise or slow ranks" : "Noise", s->runs,
                   s->runs == 1 ? "" : "s; all above is of the median one");
    summary_heading(list, cs_text_str(&title));
    cs_text_free(&title);
    (void)snprintf(note, sizeof note, "%s %.4g x of that",
                   s->runs == 1 ? "with it" : "the mean is", s->slowdown);
    row_seconds(list, "without it", s->baseline,
                isfinite(s->slowdown) ? note : "");
    if (s->runs == 1)
        return;
    (void)snprintf(note, sizeof note, "%s to %s with 95 %%",
                   cs_units_show_seconds(low, s->mean_low),
                   cs_units_show_seconds(high, s->mean_high));
    row_seconds(list, "mean", s->mean, note);
    row_seconds(list, "standard deviation", s->sd, "");
    row_seconds(list, "least", s->least, "");
    row_seconds(list, "5 % below", s->p5, "");
    row_seconds(list, "median", s->median, "");
    row_seconds(list, "95 % below", s->p95, "");
    row_seconds(list, "99 % below", s->p99, "");
    row_seconds(list, "most", s->most, "");
}

static void list_proof(const struct summary_listing *list)
{
    struct cs_text text = {0};

    summary_heading(list, "Data flow");
    if (list->record->verified == CS_VERIFIED_PROVED) {
        cs_text_printf(&text, "every rank ends with what %s promises",
                       list->record->collective);
        summary_row(list, "proved", cs_text_str(&text), "");
    } else if (list->record->verified == CS_VERIFIED_MATCHED) {
        summary_row(
            list, "matched",
            "every message is received; nothing is promised that could be "
            "proved",
            "");
    } else if (list->record->verified == CS_VERIFIED_LEFT_OUT) {
        summary_row(
            list, "not proved",
            "skipped, it takes longer than the run; collsim check proves it",
            "");
    } else {
        summary_row(list, "not proved", "the proof was switched off", "");
    }
    cs_text_free(&text);
}

static void list_requested(const struct summary_listing *list)
{
    const struct cs_record *r = list->record;
    struct cs_text servers = {0};

    cs_text_printf(&servers, "%" PRIu32 " beside the ranks", r->agents);
    summary_row(list, "algorithm", r->algorithm, "");
    if (cs_record_is_hypothetical(r))
        summary_row(list, "hypothetical", r->hypothetical, "");
    summary_row(list, "placement", r->placement, "");
    if (r->parameters && r->parameters[0])
        summary_row(list, "parameters", r->parameters, "");
    if (r->folding && r->folding[0])
        summary_row(list, "folded", r->folding, "");
    if (r->agents > 0)
        summary_row(list, "servers", cs_text_str(&servers), "");
    cs_text_free(&servers);
}

void cs_summary_one(const struct cs_record *record, enum cs_style style,
                    struct cs_text *out)
{
    struct summary_listing list = {record, style, out};

    summary_add_title(record, 1, style, out);
    list_requested(&list);
    list_time(&list);
    list_rates(&list);
    list_traffic(&list);
    list_memory(&list);
    list_bottleneck(&list);
    list_path(&list);
    list_spread(&list);
    list_jobs(&list);
    if (record->rank_done_ps)
        list_ranks(&list);
    list_proof(&list);
}

/* The table of several runs. */

struct table_of_runs {
    const struct cs_record *records;
    size_t count;
    struct cs_table table;
    size_t *notes; /* for each run, the number of its bottleneck */
    size_t note_count;
};

static void cell_bytes(struct cs_table *table, uint64_t bytes)
{
    char text[CS_UNITS_TEXT];

    cs_table_cell(table, cs_units_show_bytes(text, bytes));
}

static void summary_cell_seconds(struct cs_table *table, double time_s)
{
    char text[CS_UNITS_TEXT];

    cs_table_cell(table, cs_units_show_seconds(text, time_s));
}

static void cell_baseline(const struct table_of_runs *runs, size_t i,
                          struct cs_table *table)
{
    summary_cell_seconds(table, runs->records[i].spread.baseline);
}

static void cell_p95(const struct table_of_runs *runs, size_t i,
                     struct cs_table *table)
{
    summary_cell_seconds(table, runs->records[i].spread.p95);
}

static void cell_percent(struct cs_table *table, double share)
{
    char text[SHORT_TEXT];

    cs_table_cell(table, show_percent(text, share));
}

/* Rates of a column share the unit of its head, so that they compare at a
 * glance. */
static void summary_cell_rate(struct cs_table *table, double rate_Bps)
{
    double rate = rate_Bps * 1e-9;

    if (!isfinite(rate))
        cs_table_cell(table, "-");
    else if (rate > 0 && rate < 0.0005)
        cs_table_cell(table, "<0.001");
    else
        cs_table_cellf(table, "%.*f", rate < 10 ? 3 : rate < 100 ? 2 : 1, rate);
}

static void summary_cell_algorithm(const struct table_of_runs *runs, size_t i,
                                   struct cs_table *table)
{
    cs_table_cell(table, runs->records[i].algorithm);
}

static void cell_hypothetical(const struct table_of_runs *runs, size_t i,
                              struct cs_table *table)
{
    cs_table_cell(table,
                  cs_record_is_hypothetical(&runs->records[i]) ? "yes" : "");
}

static void cell_topology(const struct table_of_runs *runs, size_t i,
                          struct cs_table *table)
{
    cs_table_cell(table, runs->records[i].topology);
}

static void cell_collective(const struct table_of_runs *runs, size_t i,
                            struct cs_table *table)
{
    cs_table_cell(table, runs->records[i].collective);
}

static void cell_model(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    cs_table_cell(table, runs->records[i].model);
}

static void cell_dtype(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    cs_table_cell(table, runs->records[i].dtype);
}

static void cell_parameters(const struct table_of_runs *runs, size_t i,
                            struct cs_table *table)
{
    cs_table_cell(table, runs->records[i].parameters);
}

static void cell_placement(const struct table_of_runs *runs, size_t i,
                           struct cs_table *table)
{
    cs_table_cell(table, runs->records[i].placement);
}

static void cell_ranks(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    cs_table_cellf(table, "%" PRIu32, runs->records[i].ranks);
}

static void cell_size(const struct table_of_runs *runs, size_t i,
                      struct cs_table *table)
{
    cell_bytes(table, runs->records[i].bytes);
}

static void cell_time(const struct table_of_runs *runs, size_t i,
                      struct cs_table *table)
{
    char text[CS_UNITS_TEXT];

    cs_table_cell(table, cs_units_show_time(text, runs->records[i].time_ps));
}

static void cell_closed_form(const struct table_of_runs *runs, size_t i,
                             struct cs_table *table)
{
    summary_cell_seconds(table, runs->records[i].closed_form_s);
}

static void cell_bound(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    summary_cell_seconds(table, runs->records[i].lower_bound_s);
}

static void cell_efficiency(const struct table_of_runs *runs, size_t i,
                            struct cs_table *table)
{
    cell_percent(table, summary_efficiency(&runs->records[i]));
}

static void cell_algbw(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    summary_cell_rate(table, runs->records[i].algbw_Bps);
}

static void cell_busbw(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    summary_cell_rate(table, runs->records[i].busbw_Bps);
}

static void cell_messages(const struct table_of_runs *runs, size_t i,
                          struct cs_table *table)
{
    char text[CS_UNITS_TEXT];

    cs_table_cell(table, cs_units_show_count(text, runs->records[i].messages));
}

static void cell_sent(const struct table_of_runs *runs, size_t i,
                      struct cs_table *table)
{
    cell_bytes(table, runs->records[i].bytes_sent_total);
}

static void cell_extra(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    cell_bytes(table, runs->records[i].peak_extra_bytes_per_rank);
}

static void cell_proof(const struct table_of_runs *runs, size_t i,
                       struct cs_table *table)
{
    cs_table_cell(table, cs_verified_word(runs->records[i].verified));
}

static bool has_bottleneck(const struct cs_record *record)
{
    return record->bottleneck && record->bottleneck[0] != '\0';
}

/* Numbers the different bottlenecks in the order they appear: notes[i] is
 * that of run i, 0 if it has none.  O(runs x different ones). */
static void number_bottlenecks(struct table_of_runs *runs)
{
    size_t *firsts = cs_grow(NULL, runs->count, sizeof firsts[0]);

    runs->notes = cs_grow(NULL, runs->count, sizeof runs->notes[0]);
    for (size_t i = 0; i < runs->count; i++) {
        size_t n = 0;

        runs->notes[i] = 0;
        if (!has_bottleneck(&runs->records[i]))
            continue;
        while (n < runs->note_count &&
               !same_bottleneck(&runs->records[firsts[n]], &runs->records[i]))
            n++;
        if (n == runs->note_count)
            firsts[runs->note_count++] = i;
        runs->notes[i] = n + 1;
    }
    free(firsts);
}

/* Names of links are long: the cell says how busy, and which as a number
 * that the lines below the table explain. */
static void cell_bottleneck(const struct table_of_runs *runs, size_t i,
                            struct cs_table *table)
{
    const struct cs_record *record = &runs->records[i];
    char text[SHORT_TEXT];

    if (!has_bottleneck(record))
        cs_table_cell(table, "-");
    else if (all_same(runs->records, runs->count, same_bottleneck))
        cell_percent(table, record->bottleneck_utilisation);
    else
        cs_table_cellf(table, "%s [%zu]",
                       show_percent(text, record->bottleneck_utilisation),
                       runs->notes[i]);
}

/* A column of the table; one with `same` is left out when all runs are. */
struct summary_column {
    struct cs_table_column head;
    void (*cell)(const struct table_of_runs *runs, size_t i,
                 struct cs_table *table);
    same_fn *same;
};

#define L CS_TABLE_LEFT
#define R CS_TABLE_RIGHT

static const struct summary_column columns[] = {
    {{"machine", NULL, L}, cell_topology, same_topology},
    {{"collective", NULL, L}, cell_collective, same_collective},
    {{"algorithm", NULL, L}, summary_cell_algorithm, same_algorithm},
    {{"hypo-", "thetical", L}, cell_hypothetical, none_hypothetical},
    {{"model", NULL, L}, cell_model, same_model},
    {{"type", NULL, L}, cell_dtype, same_dtype},
    {{"placement", NULL, L}, cell_placement, same_placement},
    {{"parameters", NULL, L}, cell_parameters, same_parameters},
    {{"ranks", NULL, R}, cell_ranks, same_ranks},
    {{"size", NULL, R}, cell_size, same_bytes},
    {{"time", NULL, R}, cell_time, NULL},
    {{"without", "noise", R}, cell_baseline, same_noise},
    {{"95 %", "below", R}, cell_p95, same_noise},
    {{"closed", "form", R}, cell_closed_form, NULL},
    {{"lower", "bound", R}, cell_bound, NULL},
    {{"effi-", "ciency", R}, cell_efficiency, NULL},
    {{"algbw", "GB/s", R}, cell_algbw, NULL},
    {{"busbw", "GB/s", R}, cell_busbw, NULL},
    {{"messages", NULL, R}, cell_messages, NULL},
    {{"sent", "by all", R}, cell_sent, NULL},
    {{"extra", "per rank", R}, cell_extra, NULL},
    {{"bottleneck", "busy", R}, cell_bottleneck, NULL},
    {{"data flow", NULL, L}, cell_proof, same_proof},
};

#undef L
#undef R

enum {
    COLUMNS = sizeof columns / sizeof columns[0]
};

static bool summary_is_shown(const struct summary_column *column,
                             const struct table_of_runs *runs)
{
    if (column->cell == summary_cell_algorithm && runs->count == 1)
        return true;
    return !column->same || !all_same(runs->records, runs->count, column->same);
}

static void add_notes(const struct table_of_runs *runs, struct cs_text *out)
{
    bool alone = all_same(runs->records, runs->count, same_bottleneck);
    size_t next = 1;

    for (size_t i = 0; i < runs->count; i++) {
        if (runs->notes[i] != next)
            continue;
        cs_text_add(out, "bottleneck");
        if (!alone)
            cs_text_printf(out, " [%zu]", next);
        cs_text_add(out, ": ");
        cs_style_bold(CS_STYLE_PLAIN, runs->records[i].bottleneck, out);
        cs_text_add(out, "\n");
        next++;
    }
    if (!all_same(runs->records, runs->count, same_proof))
        return;
    if (runs->records[0].verified == CS_VERIFIED_PROVED)
        cs_text_add(out, "data flow: proved; every rank ends with what the "
                         "collective promises\n");
    else if (runs->records[0].verified == CS_VERIFIED_MATCHED)
        cs_text_add(out, "data flow: every message is received; nothing is "
                         "promised that could be proved\n");
    else if (runs->records[0].verified == CS_VERIFIED_LEFT_OUT)
        cs_text_add(out,
                    "data flow: the proof is skipped, it takes longer than "
                    "the runs; collsim check proves it\n");
    else
        cs_text_add(out, "data flow: not proved, the proof was switched off\n");
}

static void add_table(struct table_of_runs *runs, enum cs_style style,
                      struct cs_text *out)
{
    struct cs_table_column heads[COLUMNS];
    const struct summary_column *shown[COLUMNS];
    size_t count = 0;

    for (size_t c = 0; c < COLUMNS; c++) {
        if (!summary_is_shown(&columns[c], runs))
            continue;
        heads[count] = columns[c].head;
        shown[count++] = &columns[c];
    }
    cs_table_begin(&runs->table, heads, count);
    for (size_t i = 0; i < runs->count; i++)
        for (size_t c = 0; c < count; c++)
            shown[c]->cell(runs, i, &runs->table);
    cs_table_write(&runs->table, style, out);
    cs_table_free(&runs->table);
}

void cs_summary_many(const struct cs_record *records, size_t count,
                     enum cs_style style, struct cs_text *out)
{
    struct table_of_runs runs = {.records = records, .count = count};

    summary_add_title(records, count, style, out);
    if (count == 0)
        return;
    number_bottlenecks(&runs);
    cs_text_add(out, "\n");
    add_table(&runs, style, out);
    cs_text_add(out, "\n");
    add_notes(&runs, out);
    free(runs.notes);
}
