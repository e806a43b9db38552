#include "scenarios/compare/report.h"

#include "reports/results/json.h"

#include <math.h>

struct compare_row {
    uint32_t number; /* of the table, from 1 */
    const struct cs_diagnosis_point *point;
    double ratio, measured_Bps, expected_Bps;
    bool inside;
};

#define ROW(member)   CS_AT(struct compare_row, member)
#define POINT(member) CS_VIA(struct compare_row, point, member)
static const struct cs_sheet_column row_columns[] = {
    {"table", NULL, NULL, CS_SHEET_COUNT, ROW(number)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, POINT(bytes)},
    {"measured_s", "time", "measured", CS_SHEET_SECONDS, POINT(measured_s)},
    {"expected_s", "time", "expected", CS_SHEET_SECONDS, POINT(expected.total_s)},
    {"low_s", "90 %", "low", CS_SHEET_SECONDS, POINT(expected.low_s)},
    {"high_s", "90 %", "high", CS_SHEET_SECONDS, POINT(expected.high_s)},
    {"ratio", "measured /", "expected", CS_SHEET_TIMES, ROW(ratio)},
    {"measured_busbw_Bps", "busbw", "measured", CS_SHEET_RATE, ROW(measured_Bps)},
    {"expected_busbw_Bps", "busbw", "expected", CS_SHEET_RATE, ROW(expected_Bps)},
    {"inside", "inside", "90 %", CS_SHEET_BOOL, ROW(inside)},
    {"algorithm", "algorithm", "expected", CS_SHEET_TEXT, POINT(expected.engine)},
    {"protocol", "protocol", "expected", CS_SHEET_TEXT, POINT(expected.protocol)},
};

static struct compare_row compare_row_of(const struct cs_compared_table *table, uint32_t i,
                                         uint32_t number)
{
    const struct cs_diagnosis_point *point = &table->diagnosis.points[i];

    return (struct compare_row){
        .number = number,
        .point = point,
        .ratio = cs_diagnosis_ratio(point),
        .measured_Bps = cs_compare_busbw(table, point->bytes, point->measured_s),
        .expected_Bps = cs_compare_busbw(table, point->bytes, point->expected.total_s),
        .inside = cs_diagnosis_is_inside(point),
    };
}

static void compare_sheet(const struct cs_compare_report *report, uint32_t first, uint32_t end,
                          struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "rows", CS_COLUMNS(row_columns));
    for (uint32_t t = first; t < end; t++)
        for (uint32_t i = 0; i < report->tables[t].diagnosis.point_count; i++) {
            struct compare_row row = compare_row_of(&report->tables[t], i, t + 1);

            cs_sheet_row(sheet, &row);
        }
}

/* ---- text ---- */

static void compare_put_version(const struct cs_compared_table *table, struct cs_text *out)
{
    cs_text_add(out, table->library);
    if (table->version)
        cs_text_printf(out, " %u.%u.%u", table->version / 10000, table->version / 100 % 100,
                       table->version % 100);
}

/* What messages of the library say, in a line; nothing without messages. */
static void compare_put_facts(const struct cs_log_facts *facts, struct cs_text *out)
{
    size_t start = out->length;

    if (facts->channels)
        cs_text_printf(out, ", %u channels", facts->channels);
    if (facts->network)
        cs_text_printf(out, ", network %s", facts->network);
    if (facts->adapter_path)
        cs_text_printf(out, ", adapters by %s", facts->adapter_path);
    if (facts->gdr || facts->staged)
        cs_text_printf(out, ", GPUDirect RDMA %s",
                       !facts->staged ? "on"
                       : facts->gdr   ? "on a part of the channels"
                                      : "off");
    if (facts->nvls || facts->no_nvls)
        cs_text_printf(out, ", NVLS %s", facts->nvls ? "on" : "off");
    if (facts->settings)
        cs_text_printf(out, ", %s", facts->settings);
    if (out->length > start)
        out->data[start] = ':';
}

static void compare_print_text(const struct cs_cli *cli, const struct cs_compare_report *report)
{
    struct cs_text text = {0};

    for (uint32_t t = 0; t < report->count; t++) {
        const struct cs_compared_table *table = &report->tables[t];
        struct cs_sheet sheet = {0};

        cs_text_printf(&text, "%s%s on %s, %u ranks, library ", t ? "\n" : "",
                       table->collective->name, report->machine, table->ranks);
        compare_put_version(table, &text);
        cs_text_printf(&text, "; %s, line %u\n\n", report->path, table->table->line);
        compare_sheet(report, t, t + 1, &sheet);
        cs_sheet_write(&sheet, CS_FORMAT_TEXT, cli->style, &text);
        cs_sheet_free(&sheet);
        cs_text_add(&text, "\n");
        for (uint32_t i = 0; i < table->word_count; i++)
            cs_text_printf(&text, "%s\n", table->words[i]);
    }
    if (report->taken)
        cs_text_printf(&text, "taken from the log: %s\n", report->taken);
    if (report->count && (report->log->facts.channels || report->log->facts.network ||
                          report->log->facts.settings)) {
        cs_text_add(&text, "the log");
        compare_put_facts(&report->log->facts, &text);
        cs_text_add(&text, "\n");
    }
    cs_cli_text(cli, &text);
}

/* ---- JSON ---- */

struct cause_row {
    const struct cs_explanation *is;
    const char *cause;
    char words[CS_CAUSE_WORDS];
    double now, of;
    const char *word, *fact, *check; /* NULL: none */
};

#define CAUSE(member) CS_AT(struct cause_row, member)
#define IS(member)    CS_VIA(struct cause_row, is, member)
static const struct cs_sheet_column cause_columns[] = {
    {"cause", NULL, NULL, CS_SHEET_TEXT, CAUSE(cause)},
    {"words", NULL, NULL, CS_SHEET_TEXT, CAUSE(words)},
    {"probability", NULL, NULL, CS_SHEET_REAL, IS(probability)},
    {"similar", NULL, NULL, CS_SHEET_BOOL, IS(is_similar)},
    {"check", NULL, NULL, CS_SHEET_TEXT, CAUSE(check)},
    {"log_likelihood", NULL, NULL, CS_SHEET_REAL, IS(log_likelihood)},
    {"error", NULL, NULL, CS_SHEET_REAL, IS(error)},
    {"evidence", NULL, NULL, CS_SHEET_REAL, IS(evidence.factor)},
    {"fact", NULL, NULL, CS_SHEET_TEXT, CAUSE(fact)},
    {"now", NULL, NULL, CS_SHEET_REAL, CAUSE(now)},
    {"of", NULL, NULL, CS_SHEET_REAL, CAUSE(of)},
    {"word", NULL, NULL, CS_SHEET_TEXT, CAUSE(word)},
};

static void compare_json_cause(struct cs_json *json, const struct cs_explanation *explanation)
{
    const struct cs_cause *cause = explanation->cause;
    struct cause_row row = {.is = explanation,
                            .cause = "none",
                            .words = "the machine is as described",
                            .now = (double)NAN,
                            .of = (double)NAN};

    if (explanation->evidence.fact[0])
        row.fact = explanation->evidence.fact;
    if (cause) {
        row.cause = cause->name;
        row.check = cause->check;
        cs_cause_words(cause, &explanation->changed, row.words);
        row.now = explanation->changed.now;
        row.of = explanation->changed.of;
        row.word = explanation->changed.word;
    }
    cs_json_object(json);
    cs_sheet_json_row(CS_COLUMNS(cause_columns), &row, json);
    cs_json_end(json);
}

/* A table, and the figures of the sentences. */
struct table_row {
    const struct cs_compared_table *is;
    const struct cs_log_table *log;
    const struct cs_collective *collective;
    const struct cs_diagnosis_point *worst;
    const struct cs_diagnosis_point *short_from; /* NULL: no size is short */
    const char *verdict;
};

#define TABLE(member) CS_VIA(struct table_row, is, member)
#define LOG(member)   CS_VIA(struct table_row, log, member)
#define WORST(member) CS_VIA(struct table_row, worst, member)
static const struct cs_sheet_column table_columns[] = {
    {"collective", NULL, NULL, CS_SHEET_TEXT, CS_VIA(struct table_row, collective, name)},
    {"library", NULL, NULL, CS_SHEET_TEXT, TABLE(library)},
    {"version", NULL, NULL, CS_SHEET_COUNT, TABLE(version)},
    {"line", NULL, NULL, CS_SHEET_COUNT, LOG(line)},
    {"ranks", NULL, NULL, CS_SHEET_COUNT, TABLE(ranks)},
    {"nodes", NULL, NULL, CS_SHEET_COUNT, TABLE(site.nodes)},
    {"ranks_from", NULL, NULL, CS_SHEET_TEXT, LOG(ranks_from)},
    {"broken", NULL, NULL, CS_SHEET_COUNT, LOG(broken)},
    {"expected_Bps", NULL, NULL, CS_SHEET_RATE, TABLE(expected_Bps)},
    {"measured_Bps", NULL, NULL, CS_SHEET_RATE, TABLE(measured_Bps)},
    {"wire_Bps", NULL, NULL, CS_SHEET_RATE, TABLE(wire_Bps)},
    {"short_from_bytes", NULL, NULL, CS_SHEET_BYTES, CS_VIA(struct table_row, short_from, bytes)},
    {"worst_bytes", NULL, NULL, CS_SHEET_BYTES, WORST(bytes)},
    {"worst_measured_s", NULL, NULL, CS_SHEET_SECONDS, WORST(measured_s)},
    {"worst_expected_s", NULL, NULL, CS_SHEET_SECONDS, WORST(expected.total_s)},
    {"inside", NULL, NULL, CS_SHEET_COUNT, TABLE(diagnosis.inside)},
    {"verdict", NULL, NULL, CS_SHEET_TEXT, CS_AT(struct table_row, verdict)},
    {"group_probability", NULL, NULL, CS_SHEET_REAL, TABLE(diagnosis.group)},
    {"group_causes", NULL, NULL, CS_SHEET_COUNT, TABLE(diagnosis.similar)},
    {"odd", NULL, NULL, CS_SHEET_COUNT, TABLE(diagnosis.odd)},
    {"sizes", NULL, NULL, CS_SHEET_COUNT, TABLE(diagnosis.point_count)},
    {"choices", NULL, NULL, CS_SHEET_COUNT, TABLE(choices)},
    {"same_choices", NULL, NULL, CS_SHEET_COUNT, TABLE(same_choices)},
    {"in_sample", NULL, NULL, CS_SHEET_COUNT, TABLE(in_sample)},
};

static void compare_json_table(struct cs_json *json, const struct cs_compared_table *table)
{
    const struct cs_diagnosis *diagnosis = &table->diagnosis;
    const struct table_row row = {
        .is = table,
        .log = table->table,
        .collective = table->collective,
        .worst = &diagnosis->points[table->worst],
        .verdict = cs_verdict_name(diagnosis->verdict),
        .short_from = diagnosis->short_from < diagnosis->point_count
                          ? &diagnosis->points[diagnosis->short_from]
                          : NULL,
    };

    cs_json_object(json);
    cs_sheet_json_row(CS_COLUMNS(table_columns), &row, json);
    cs_json_key(json, "words");
    cs_json_array(json);
    for (uint32_t i = 0; i < table->word_count; i++)
        cs_json_text(json, table->words[i]);
    cs_json_end(json);
    cs_json_key(json, "causes");
    cs_json_array(json);
    for (uint32_t i = 0; i < diagnosis->explanation_count; i++)
        compare_json_cause(json, &diagnosis->explanations[i]);
    cs_json_end(json);
    cs_json_key(json, "rows");
    cs_json_array(json);
    for (uint32_t i = 0; i < diagnosis->point_count; i++) {
        struct compare_row point = compare_row_of(table, i, 0);

        cs_json_object(json); /* the rows are in their table, without its number */
        cs_sheet_json_row(row_columns + 1, sizeof(row_columns) / sizeof(*row_columns) - 1, &point,
                          json);
        cs_json_end(json);
    }
    cs_json_end(json);
    cs_json_end(json);
}

#define LOGGED(member) CS_VIA(struct cs_compare_report, log, member)
static const struct cs_sheet_column log_columns[] = {
    {"file", NULL, NULL, CS_SHEET_TEXT, CS_AT(struct cs_compare_report, path)},
    {"format", NULL, NULL, CS_SHEET_TEXT, LOGGED(format)},
    {"taken", NULL, NULL, CS_SHEET_TEXT, CS_AT(struct cs_compare_report, taken)},
    {"lines", NULL, NULL, CS_SHEET_COUNT, LOGGED(lines)},
    {"library", NULL, NULL, CS_SHEET_TEXT, LOGGED(facts.library)},
    {"version", NULL, NULL, CS_SHEET_COUNT, LOGGED(facts.version)},
    {"channels", NULL, NULL, CS_SHEET_COUNT, LOGGED(facts.channels)},
    {"nvls_channels", NULL, NULL, CS_SHEET_COUNT, LOGGED(facts.nvls_channels)},
    {"network", NULL, NULL, CS_SHEET_TEXT, LOGGED(facts.network)},
    {"adapters", NULL, NULL, CS_SHEET_COUNT, LOGGED(facts.adapters)},
    {"gdr", NULL, NULL, CS_SHEET_BOOL, LOGGED(facts.gdr)},
    {"staged", NULL, NULL, CS_SHEET_BOOL, LOGGED(facts.staged)},
    {"nvls", NULL, NULL, CS_SHEET_BOOL, LOGGED(facts.nvls)},
    {"no_nvls", NULL, NULL, CS_SHEET_BOOL, LOGGED(facts.no_nvls)},
    {"ranks", NULL, NULL, CS_SHEET_COUNT, LOGGED(facts.ranks)},
    {"nodes", NULL, NULL, CS_SHEET_COUNT, LOGGED(facts.nodes)},
    {"adapter_path", NULL, NULL, CS_SHEET_TEXT, LOGGED(facts.adapter_path)},
    {"gpu_path", NULL, NULL, CS_SHEET_TEXT, LOGGED(facts.gpu_path)},
    {"settings", NULL, NULL, CS_SHEET_TEXT, LOGGED(facts.settings)},
};

static void compare_json_log(struct cs_json *json, const struct cs_compare_report *report)
{
    cs_json_key(json, "log");
    cs_json_object(json);
    cs_sheet_json_row(CS_COLUMNS(log_columns), report, json);
    cs_json_end(json);
}

static void compare_print_json(const struct cs_cli *cli, const struct cs_compare_report *report)
{
    struct cs_text text = {0};
    struct cs_json json = {.out = &text};

    cs_json_object(&json);
    cs_json_key(&json, "comparisons");
    cs_json_array(&json);
    for (uint32_t t = 0; t < report->count; t++)
        compare_json_table(&json, &report->tables[t]);
    cs_json_end(&json);
    compare_json_log(&json, report);
    cs_json_end(&json);
    cs_cli_text(cli, &text);
}

void cs_compare_print(const struct cs_cli *cli, const struct cs_compare_report *report,
                      enum cs_format format)
{
    struct cs_sheet sheet = {0};

    if (format == CS_FORMAT_JSON) {
        compare_print_json(cli, report);
    } else if (format == CS_FORMAT_TEXT) {
        compare_print_text(cli, report);
    } else {
        compare_sheet(report, 0, report->count, &sheet);
        cs_cli_sheet_end(cli, &sheet, CS_FORMAT_CSV);
    }
}
