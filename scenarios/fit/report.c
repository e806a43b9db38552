#include "scenarios/fit/report.h"

#include "algorithms/libraries/library.h"
#include "reports/results/json.h"
#include "sim/base/text.h"

#include <math.h>

/* Shares of the prior's variance that the rows remove. */
static const double identified = .75; /* the error is half of the spread */
static const double barely = .19;     /* the error is .9 of the spread */

static const struct cs_sheet_column fit_columns[] = {
    {"parameter", "parameter", NULL, CS_SHEET_TEXT},
    {"unit", "unit", NULL, CS_SHEET_TEXT},
    {"prior", "prior", NULL, CS_SHEET_REAL},
    {"spread", "spread", "of ln", CS_SHEET_SHARE},
    {"value", "value", NULL, CS_SHEET_REAL},
    {"standard_error", "standard", "error", CS_SHEET_SHARE},
    {"learned", "learned", NULL, CS_SHEET_SHARE},
    {"verdict", "verdict", NULL, CS_SHEET_TEXT},
    {"cause", "cause", NULL, CS_SHEET_TEXT},
};

const char *cs_fit_verdict(const struct cs_fit_parameter *parameter)
{
    if (parameter->learned >= identified)
        return "identified";
    return parameter->learned >= barely ? "partly" : "not identified";
}

static const struct cs_parameter *fit_info(const struct cs_fit *fit,
                                           const struct cs_fit_parameter *parameter)
{
    return &fit->library->parameters->items[parameter->parameter];
}

static void fit_sheet(const struct cs_fit *fit, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "parameters", fit_columns, sizeof(fit_columns) / sizeof(*fit_columns));
    for (uint32_t i = 0; i < fit->count; i++) {
        const struct cs_fit_parameter *is = &fit->parameters[i];

        cs_sheet_text(sheet, fit_info(fit, is)->name);
        cs_sheet_text(sheet, fit_info(fit, is)->unit);
        cs_sheet_real(sheet, is->prior);
        cs_sheet_real(sheet, is->spread);
        cs_sheet_real(sheet, is->value);
        cs_sheet_real(sheet, is->error);
        cs_sheet_real(sheet, is->learned);
        cs_sheet_text(sheet, cs_fit_verdict(is));
        cs_sheet_text(sheet, fit_info(fit, is)->cause);
    }
}

/* ---- text ---- */

/* The pairs that the rows cannot separate. */
static void fit_put_pairs(const struct cs_fit *fit, struct cs_text *out)
{
    const double strong = .9;

    for (uint32_t i = 0; i < fit->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            double r = fit->correlations[(size_t)i * fit->count + j];

            if (fabs(r) >= strong)
                cs_text_printf(out, "%s and %s have correlation %.2f\n",
                               fit_info(fit, &fit->parameters[j])->name,
                               fit_info(fit, &fit->parameters[i])->name, r);
        }
}

static void fit_put_summary(const struct cs_fit_report *report, struct cs_text *out)
{
    const struct cs_fit *fit = report->fit;
    uint32_t open = 0;

    for (uint32_t i = 0; i < fit->count; i++)
        open += fit->parameters[i].learned < barely;
    cs_text_printf(out,
                   "mean |ln(measured / predicted)|: %.1f %% before, %.1f %% fitted (in "
                   "sample)\nheld out, %u folds: %.1f %% before, %.1f %% fitted\n",
                   100 * fit->before, 100 * fit->after, fit->folds, 100 * fit->held_out_before,
                   100 * fit->held_out);
    cs_text_printf(
        out,
        "noise of a size %.1f %%, correlation of neighbours %.2f, %u of %u sizes are outliers\n%u "
        "of %u parameters are not identified: the error is that of the prior\n",
        100 * fit->noise, fit->neighbours, fit->outliers, fit->row_count, open, fit->count);
    fit_put_pairs(fit, out);
    if (!isfinite(fit->kappa))
        cs_text_add(
            out,
            "no fit predicts held-out sizes better than the prior: the values are the prior\n");
    else if (fit->kappa > 1)
        cs_text_printf(
            out,
            "the prior counts %g times, so that held-out sizes are no worse than by the prior\n",
            fit->kappa);
}

/* "fitted to all-reduce of 1 KiB to 8 GiB on 1 node". */
static void fit_put_calls(const struct cs_fit *fit, struct cs_text *out)
{
    struct cs_profile_calls calls[CS_PROFILE_CALLS_MAX];
    uint32_t count = cs_fit_calls(fit, calls);

    cs_text_add(out, "fitted to ");
    cs_profile_put_calls(calls, count, out);
    cs_text_add(out, "\n\n");
}

static void fit_print_text(const struct cs_cli *cli, const struct cs_fit_report *report)
{
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};

    cs_text_printf(&text, "%s on %s: %u sizes, %u table%s, %u file%s\n",
                   report->scenario->by.library->name, report->scenario->topo,
                   report->fit->row_count, report->inputs->table_count,
                   report->inputs->table_count == 1 ? "" : "s", report->inputs->file_count,
                   report->inputs->file_count == 1 ? "" : "s");
    fit_put_calls(report->fit, &text);
    fit_sheet(report->fit, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_TEXT, cli->style, &text);
    cs_sheet_free(&sheet);
    cs_text_add(&text, "\n");
    fit_put_summary(report, &text);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

/* ---- JSON ---- */

static void fit_json_calls(struct cs_json *json, const struct cs_fit *fit)
{
    struct cs_profile_calls calls[CS_PROFILE_CALLS_MAX];
    uint32_t count = cs_fit_calls(fit, calls);

    cs_json_key(json, "calls");
    cs_json_array(json);
    for (uint32_t i = 0; i < count; i++) {
        cs_json_object(json);
        cs_json_key_text(json, "collective", calls[i].collective->name);
        cs_json_key_u64(json, "nodes", calls[i].nodes);
        cs_json_key_u64(json, "least_bytes", calls[i].least);
        cs_json_key_u64(json, "most_bytes", calls[i].most);
        cs_json_end(json);
    }
    cs_json_end(json);
}

static void fit_json_parameters(struct cs_json *json, const struct cs_fit *fit)
{
    cs_json_key(json, "parameters");
    cs_json_array(json);
    for (uint32_t i = 0; i < fit->count; i++) {
        const struct cs_fit_parameter *is = &fit->parameters[i];

        cs_json_object(json);
        cs_json_key_text(json, "parameter", fit_info(fit, is)->name);
        cs_json_key_text(json, "unit", fit_info(fit, is)->unit);
        cs_json_key_text(json, "cause", fit_info(fit, is)->cause);
        cs_json_key_real(json, "prior", is->prior);
        cs_json_key_real(json, "spread", is->spread);
        cs_json_key_real(json, "value", is->value);
        cs_json_key_real(json, "standard_error", is->error);
        cs_json_key_real(json, "learned", is->learned);
        cs_json_key_text(json, "verdict", cs_fit_verdict(is));
        cs_json_end(json);
    }
    cs_json_end(json);
    cs_json_key(json, "correlations");
    cs_json_array(json);
    for (uint32_t i = 0; i < fit->count; i++) {
        cs_json_array(json);
        for (uint32_t j = 0; j < fit->count; j++)
            cs_json_real(json, fit->correlations[(size_t)i * fit->count + j]);
        cs_json_end(json);
    }
    cs_json_end(json);
}

static void fit_json_rows(struct cs_json *json, const struct cs_fit *fit)
{
    cs_json_key(json, "rows");
    cs_json_array(json);
    for (uint32_t i = 0; i < fit->row_count; i++) {
        const struct cs_fit_row *row = &fit->rows[i];

        cs_json_object(json);
        cs_json_key_u64(json, "table", row->table + 1);
        cs_json_key_text(json, "collective", row->request.collective->name);
        cs_json_key_u64(json, "bytes", row->request.bytes);
        cs_json_key_real(json, "measured_s", row->measured_s);
        cs_json_key_real(json, "before_s", row->before_s);
        cs_json_key_real(json, "fitted_s", row->after_s);
        cs_json_key_real(json, "held_out_s", row->held_out_s);
        cs_json_key_u64(json, "fold", row->fold + 1);
        cs_json_key_real(json, "weight", row->weight);
        cs_json_end(json);
    }
    cs_json_end(json);
}

static void fit_print_json(const struct cs_cli *cli, const struct cs_fit_report *report)
{
    const struct cs_fit *fit = report->fit;
    struct cs_text text = {0};
    struct cs_json json = {.out = &text};

    cs_json_object(&json);
    cs_json_key_text(&json, "library", report->scenario->by.library->name);
    cs_json_key_text(&json, "machine", report->scenario->topo);
    cs_json_key_text(&json, "profile", report->out);
    cs_json_key_real(&json, "before", fit->before);
    cs_json_key_real(&json, "fitted", fit->after);
    cs_json_key_real(&json, "held_out_before", fit->held_out_before);
    cs_json_key_real(&json, "held_out", fit->held_out);
    cs_json_key_u64(&json, "folds", fit->folds);
    cs_json_key_real(&json, "prior_weight", fit->kappa);
    cs_json_key_real(&json, "noise", fit->noise);
    cs_json_key_real(&json, "neighbours", fit->neighbours);
    cs_json_key_u64(&json, "outliers", fit->outliers);
    fit_json_calls(&json, fit);
    fit_json_parameters(&json, fit);
    fit_json_rows(&json, fit);
    cs_json_end(&json);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

void cs_fit_print(const struct cs_cli *cli, const struct cs_fit_report *report)
{
    enum cs_format format = report->scenario->format;
    struct cs_sheet sheet = {0};

    if (format == CS_FORMAT_JSON) {
        fit_print_json(cli, report);
    } else if (format == CS_FORMAT_TEXT) {
        fit_print_text(cli, report);
    } else {
        fit_sheet(report->fit, &sheet);
        cs_cli_sheet(cli, &sheet, format);
        cs_sheet_free(&sheet);
    }
}
