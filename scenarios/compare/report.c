#include "scenarios/compare/report.h"

#include "reports/results/json.h"
#include "sim/base/units_show.h"

#include <math.h>

static const struct cs_sheet_column row_columns[] = {
    {"table", "table", NULL, CS_SHEET_COUNT},
    {"bytes", "size", NULL, CS_SHEET_BYTES},
    {"measured_s", "time", "measured", CS_SHEET_SECONDS},
    {"expected_s", "time", "expected", CS_SHEET_SECONDS},
    {"low_s", "90 %", "low", CS_SHEET_SECONDS},
    {"high_s", "90 %", "high", CS_SHEET_SECONDS},
    {"ratio", "measured /", "expected", CS_SHEET_TIMES},
    {"measured_busbw_Bps", "busbw", "measured", CS_SHEET_RATE},
    {"expected_busbw_Bps", "busbw", "expected", CS_SHEET_RATE},
    {"inside", "inside", "90 %", CS_SHEET_BOOL},
    {"algorithm", "algorithm", "expected", CS_SHEET_TEXT},
    {"protocol", "protocol", "expected", CS_SHEET_TEXT},
};

static void compare_add_row(const struct cs_compare_report *report, uint32_t t, uint32_t i,
                            struct cs_sheet *sheet)
{
    const struct cs_compared_table *table = &report->tables[t];
    const struct cs_diagnosis_point *point = &table->diagnosis.points[i];
    const struct cs_library_time *expected = &point->expected;

    cs_sheet_u64(sheet, t + 1);
    cs_sheet_u64(sheet, point->bytes);
    cs_sheet_real(sheet, point->measured_s);
    cs_sheet_real(sheet, expected->total_s);
    cs_sheet_real(sheet, expected->low_s);
    cs_sheet_real(sheet, expected->high_s);
    cs_sheet_real(sheet, cs_diagnosis_ratio(point));
    cs_sheet_real(sheet, cs_compare_busbw(table, point->bytes, point->measured_s));
    cs_sheet_real(sheet, cs_compare_busbw(table, point->bytes, expected->total_s));
    cs_sheet_bool(sheet, cs_diagnosis_is_inside(point));
    cs_sheet_text(sheet, expected->engine);
    cs_sheet_text(sheet, expected->protocol);
}

static void compare_sheet(const struct cs_compare_report *report, uint32_t first, uint32_t end,
                          struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "rows", row_columns, sizeof(row_columns) / sizeof(*row_columns));
    for (uint32_t t = first; t < end; t++)
        for (uint32_t i = 0; i < report->tables[t].diagnosis.point_count; i++)
            compare_add_row(report, t, i, sheet);
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
    if (report->count && (report->log->facts.channels || report->log->facts.network ||
                          report->log->facts.settings)) {
        cs_text_add(&text, "the log");
        compare_put_facts(&report->log->facts, &text);
        cs_text_add(&text, "\n");
    }
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

/* ---- JSON ---- */

static void compare_json_row(struct cs_json *json, const struct cs_compared_table *table,
                             uint32_t i)
{
    const struct cs_diagnosis_point *point = &table->diagnosis.points[i];

    cs_json_object(json);
    cs_json_key_u64(json, "bytes", point->bytes);
    cs_json_key_real(json, "measured_s", point->measured_s);
    cs_json_key_real(json, "expected_s", point->expected.total_s);
    cs_json_key_real(json, "low_s", point->expected.low_s);
    cs_json_key_real(json, "high_s", point->expected.high_s);
    cs_json_key_real(json, "ratio", cs_diagnosis_ratio(point));
    cs_json_key_real(json, "measured_busbw_Bps",
                     cs_compare_busbw(table, point->bytes, point->measured_s));
    cs_json_key_real(json, "expected_busbw_Bps",
                     cs_compare_busbw(table, point->bytes, point->expected.total_s));
    cs_json_key(json, "inside");
    cs_json_bool(json, cs_diagnosis_is_inside(point));
    cs_json_key_text(json, "algorithm", point->expected.engine);
    cs_json_key_text(json, "protocol", point->expected.protocol);
    cs_json_end(json);
}

static void compare_json_cause(struct cs_json *json, const struct cs_explanation *explanation)
{
    char words[CS_CAUSE_WORDS];

    cs_json_object(json);
    cs_json_key_text(json, "cause", explanation->cause ? explanation->cause->name : "none");
    cs_json_key_text(json, "words",
                     explanation->cause
                         ? cs_cause_words(explanation->cause, &explanation->changed, words)
                         : "the machine is as described");
    cs_json_key_real(json, "probability", explanation->probability);
    cs_json_key_real(json, "log_likelihood", explanation->log_likelihood);
    cs_json_key_real(json, "error", explanation->error);
    cs_json_key_real(json, "evidence", explanation->evidence.factor);
    cs_json_key_text(json, "fact",
                     explanation->evidence.fact[0] ? explanation->evidence.fact : NULL);
    cs_json_key_real(json, "now", explanation->cause ? explanation->changed.now : (double)NAN);
    cs_json_key_real(json, "of", explanation->cause ? explanation->changed.of : (double)NAN);
    cs_json_key_text(json, "word", explanation->cause ? explanation->changed.word : NULL);
    cs_json_end(json);
}

/* The figures of the sentences. */
static void compare_json_figures(struct cs_json *json, const struct cs_compared_table *table)
{
    const struct cs_diagnosis *diagnosis = &table->diagnosis;
    const struct cs_diagnosis_point *worst = &diagnosis->points[table->worst];

    cs_json_key_real(json, "expected_Bps", table->expected_Bps);
    cs_json_key_real(json, "measured_Bps", table->measured_Bps);
    cs_json_key_real(json, "wire_Bps", table->wire_Bps);
    cs_json_key(json, "short_from_bytes");
    if (diagnosis->short_from < diagnosis->point_count)
        cs_json_u64(json, diagnosis->points[diagnosis->short_from].bytes);
    else
        cs_json_null(json);
    cs_json_key_u64(json, "worst_bytes", worst->bytes);
    cs_json_key_real(json, "worst_measured_s", worst->measured_s);
    cs_json_key_real(json, "worst_expected_s", worst->expected.total_s);
    cs_json_key_u64(json, "inside", diagnosis->inside);
    cs_json_key_u64(json, "sizes", diagnosis->point_count);
    cs_json_key_u64(json, "choices", table->choices);
    cs_json_key_u64(json, "same_choices", table->same_choices);
    cs_json_key_u64(json, "in_sample", table->in_sample);
}

static void compare_json_table(struct cs_json *json, const struct cs_compared_table *table)
{
    cs_json_object(json);
    cs_json_key_text(json, "collective", table->collective->name);
    cs_json_key_text(json, "library", table->library);
    cs_json_key_u64(json, "version", table->version);
    cs_json_key_u64(json, "line", table->table->line);
    cs_json_key_u64(json, "ranks", table->ranks);
    cs_json_key_u64(json, "nodes", table->site.nodes);
    cs_json_key_text(json, "ranks_from", table->table->ranks_from);
    cs_json_key_u64(json, "broken", table->table->broken);
    compare_json_figures(json, table);
    cs_json_key(json, "words");
    cs_json_array(json);
    for (uint32_t i = 0; i < table->word_count; i++)
        cs_json_text(json, table->words[i]);
    cs_json_end(json);
    cs_json_key(json, "causes");
    cs_json_array(json);
    for (uint32_t i = 0; i < table->diagnosis.explanation_count; i++)
        compare_json_cause(json, &table->diagnosis.explanations[i]);
    cs_json_end(json);
    cs_json_key(json, "rows");
    cs_json_array(json);
    for (uint32_t i = 0; i < table->diagnosis.point_count; i++)
        compare_json_row(json, table, i);
    cs_json_end(json);
    cs_json_end(json);
}

static void compare_json_log(struct cs_json *json, const struct cs_compare_report *report)
{
    const struct cs_log_facts *facts = &report->log->facts;

    cs_json_key(json, "log");
    cs_json_object(json);
    cs_json_key_text(json, "file", report->path);
    cs_json_key_text(json, "format", report->log->format);
    cs_json_key_u64(json, "lines", report->log->lines);
    cs_json_key_text(json, "library", facts->library);
    cs_json_key_u64(json, "version", facts->version);
    cs_json_key_u64(json, "channels", facts->channels);
    cs_json_key_u64(json, "nvls_channels", facts->nvls_channels);
    cs_json_key_text(json, "network", facts->network);
    cs_json_key_u64(json, "adapters", facts->adapters);
    cs_json_key(json, "gdr");
    cs_json_bool(json, facts->gdr);
    cs_json_key(json, "staged");
    cs_json_bool(json, facts->staged);
    cs_json_key(json, "nvls");
    cs_json_bool(json, facts->nvls);
    cs_json_key(json, "no_nvls");
    cs_json_bool(json, facts->no_nvls);
    cs_json_key_u64(json, "ranks", facts->ranks);
    cs_json_key_u64(json, "nodes", facts->nodes);
    cs_json_key_text(json, "adapter_path", facts->adapter_path);
    cs_json_key_text(json, "gpu_path", facts->gpu_path);
    cs_json_key_text(json, "settings", facts->settings);
    cs_json_end(json);
}

static void compare_print_json(const struct cs_cli *cli, const struct cs_compare_report *report,
                               struct cs_err *err)
{
    struct cs_text text = {0};
    struct cs_json json = {.out = &text};

    if (err->code) {
        cs_json_begin_error(&json, err->text, -err->code);
        err->text[0] = '\0';
    } else {
        cs_json_object(&json);
    }
    cs_json_key(&json, "comparisons");
    cs_json_array(&json);
    for (uint32_t t = 0; t < report->count; t++)
        compare_json_table(&json, &report->tables[t]);
    cs_json_end(&json);
    compare_json_log(&json, report);
    cs_json_end(&json);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

void cs_compare_print(const struct cs_cli *cli, const struct cs_compare_report *report,
                      enum cs_format format, struct cs_err *err)
{
    struct cs_sheet sheet = {0};

    if (format == CS_FORMAT_JSON) {
        compare_print_json(cli, report, err);
    } else if (format == CS_FORMAT_TEXT) {
        compare_print_text(cli, report);
    } else {
        compare_sheet(report, 0, report->count, &sheet);
        cs_cli_sheet(cli, &sheet, CS_FORMAT_CSV);
        cs_sheet_free(&sheet);
    }
}
