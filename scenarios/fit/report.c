#include "scenarios/fit/inputs.h"

#include "algorithms/libraries/library.h"
#include "reports/results/json.h"
#include "sim/base/text.h"
#include "topo/formats/source.h"

#include <math.h>

/* Shares of the prior's variance that the rows remove. */
static const double identified = .75; /* the error is half of the spread */
static const double barely = .19;     /* the error is .9 of the spread */

struct parameter_row {
    const struct cs_parameter *info;
    const struct cs_fit_parameter *is;
    const char *verdict;
};

#define INFO(member) CS_VIA(struct parameter_row, info, member)
#define IS(member)   CS_VIA(struct parameter_row, is, member)
static const struct cs_sheet_column fit_columns[] = {
    {"parameter", "parameter", NULL, CS_SHEET_TEXT, INFO(name)},
    {"unit", "unit", NULL, CS_SHEET_TEXT, INFO(unit)},
    {"prior", "prior", NULL, CS_SHEET_REAL, IS(prior)},
    {"spread", "spread", "of ln", CS_SHEET_SHARE, IS(spread)},
    {"value", "value", NULL, CS_SHEET_REAL, IS(value)},
    {"standard_error", "standard", "error", CS_SHEET_SHARE, IS(error)},
    {"learned", "learned", NULL, CS_SHEET_SHARE, IS(learned)},
    {"verdict", "verdict", NULL, CS_SHEET_TEXT, CS_AT(struct parameter_row, verdict)},
    {"cause", "cause", NULL, CS_SHEET_TEXT, INFO(cause)},
};

enum {
    NAME_COLUMNS = 2,
    CAUSE_COLUMN = sizeof(fit_columns) / sizeof(*fit_columns) - 1,
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

static struct parameter_row fit_row(const struct cs_fit *fit, uint32_t i)
{
    const struct cs_fit_parameter *is = &fit->parameters[i];

    return (struct parameter_row){fit_info(fit, is), is, cs_fit_verdict(is)};
}

static void fit_sheet(const struct cs_fit *fit, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "parameters", CS_COLUMNS(fit_columns));
    for (uint32_t i = 0; i < fit->count; i++) {
        struct parameter_row row = fit_row(fit, i);

        cs_sheet_row(sheet, &row);
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
static void fit_put_calls(const struct cs_fit_report *report, struct cs_text *out)
{
    struct cs_profile_calls calls[CS_PROFILE_CALLS_MAX];
    uint32_t count = cs_fit_calls(report->fit, calls);
    const char *taken = report->inputs->taken;

    cs_text_add(out, "fitted to ");
    cs_profile_put_calls(calls, count, out);
    cs_text_printf(out, "\n%s%s%s\n", taken ? "taken from the log: " : "", taken ? taken : "",
                   taken ? "\n" : "");
}

static void fit_print_text(const struct cs_cli *cli, const struct cs_fit_report *report)
{
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};

    cs_text_printf(&text, "%s on %s: %u sizes, %u table%s, %u file%s\n",
                   report->inputs->scenario->by.library->name,
                   cs_topo_shown(report->inputs->scenario->topo), report->fit->row_count,
                   report->inputs->table_count, report->inputs->table_count == 1 ? "" : "s",
                   report->inputs->file_count, report->inputs->file_count == 1 ? "" : "s");
    fit_put_calls(report, &text);
    fit_sheet(report->fit, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_TEXT, cli->style, &text);
    cs_sheet_free(&sheet);
    cs_text_add(&text, "\n");
    fit_put_summary(report, &text);
    cs_cli_text(cli, &text);
}

/* ---- JSON ---- */

#define CALL(member) CS_AT(struct cs_profile_calls, member)
static const struct cs_sheet_column call_columns[] = {
    {"collective", NULL, NULL, CS_SHEET_TEXT, CS_VIA(struct cs_profile_calls, collective, name)},
    {"nodes", NULL, NULL, CS_SHEET_COUNT, CALL(nodes)},
    {"least_bytes", NULL, NULL, CS_SHEET_BYTES, CALL(least)},
    {"most_bytes", NULL, NULL, CS_SHEET_BYTES, CALL(most)},
};

static void fit_json_calls(struct cs_json *json, const struct cs_fit *fit)
{
    struct cs_profile_calls calls[CS_PROFILE_CALLS_MAX];

    cs_sheet_json_rows(CS_ROWS("calls", call_columns, calls, cs_fit_calls(fit, calls)), json);
}

static void fit_json_parameters(struct cs_json *json, const struct cs_fit *fit)
{
    cs_json_key(json, "parameters");
    cs_json_array(json);
    for (uint32_t i = 0; i < fit->count; i++) {
        struct parameter_row row = fit_row(fit, i);

        /* The cause is the third in JSON, and the last in a table. */
        cs_json_object(json);
        cs_sheet_json_row(fit_columns, NAME_COLUMNS, &row, json);
        cs_sheet_json_row(fit_columns + CAUSE_COLUMN, 1, &row, json);
        cs_sheet_json_row(fit_columns + NAME_COLUMNS, CAUSE_COLUMN - NAME_COLUMNS, &row, json);
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

struct size_row {
    const struct cs_fit_row *is;
    const struct cs_collective *collective;
    uint32_t table, fold; /* from 1 */
};

#define SIZE(member) CS_VIA(struct size_row, is, member)
static const struct cs_sheet_column size_columns[] = {
    {"table", NULL, NULL, CS_SHEET_COUNT, CS_AT(struct size_row, table)},
    {"collective", NULL, NULL, CS_SHEET_TEXT, CS_VIA(struct size_row, collective, name)},
    {"bytes", NULL, NULL, CS_SHEET_BYTES, SIZE(request.bytes)},
    {"measured_s", NULL, NULL, CS_SHEET_SECONDS, SIZE(measured_s)},
    {"before_s", NULL, NULL, CS_SHEET_SECONDS, SIZE(before_s)},
    {"fitted_s", NULL, NULL, CS_SHEET_SECONDS, SIZE(after_s)},
    {"held_out_s", NULL, NULL, CS_SHEET_SECONDS, SIZE(held_out_s)},
    {"fold", NULL, NULL, CS_SHEET_COUNT, CS_AT(struct size_row, fold)},
    {"weight", NULL, NULL, CS_SHEET_REAL, SIZE(weight)},
};

static void fit_json_rows(struct cs_json *json, const struct cs_fit *fit)
{
    cs_json_key(json, "rows");
    cs_json_array(json);
    for (uint32_t i = 0; i < fit->row_count; i++) {
        const struct cs_fit_row *is = &fit->rows[i];
        struct size_row row = {is, is->request.collective, is->table + 1, is->fold + 1};

        cs_json_object(json);
        cs_sheet_json_row(CS_COLUMNS(size_columns), &row, json);
        cs_json_end(json);
    }
    cs_json_end(json);
}

#define FIT(member) CS_AT(struct cs_fit, member)
static const struct cs_sheet_column figure_columns[] = {
    {"before", NULL, NULL, CS_SHEET_REAL, FIT(before)},
    {"fitted", NULL, NULL, CS_SHEET_REAL, FIT(after)},
    {"held_out_before", NULL, NULL, CS_SHEET_REAL, FIT(held_out_before)},
    {"held_out", NULL, NULL, CS_SHEET_REAL, FIT(held_out)},
    {"folds", NULL, NULL, CS_SHEET_COUNT, FIT(folds)},
    {"prior_weight", NULL, NULL, CS_SHEET_REAL, FIT(kappa)},
    {"noise", NULL, NULL, CS_SHEET_REAL, FIT(noise)},
    {"neighbours", NULL, NULL, CS_SHEET_REAL, FIT(neighbours)},
    {"outliers", NULL, NULL, CS_SHEET_COUNT, FIT(outliers)},
};

static void fit_print_json(const struct cs_cli *cli, const struct cs_fit_report *report)
{
    const struct cs_fit *fit = report->fit;
    struct cs_text text = {0};
    struct cs_json json = {.out = &text};

    cs_json_object(&json);
    cs_json_key_text(&json, "library", report->inputs->scenario->by.library->name);
    cs_json_key_text(&json, "machine", cs_topo_shown(report->inputs->scenario->topo));
    cs_json_key_text(&json, "taken", report->inputs->taken);
    cs_json_key_text(&json, "profile", report->out);
    cs_sheet_json_row(CS_COLUMNS(figure_columns), fit, &json);
    fit_json_calls(&json, fit);
    fit_json_parameters(&json, fit);
    fit_json_rows(&json, fit);
    cs_json_end(&json);
    cs_cli_text(cli, &text);
}

void cs_fit_print(const struct cs_cli *cli, const struct cs_fit_report *report)
{
    enum cs_format format = report->inputs->scenario->format;
    struct cs_sheet sheet = {0};

    if (format == CS_FORMAT_JSON) {
        fit_print_json(cli, report);
    } else if (format == CS_FORMAT_TEXT) {
        fit_print_text(cli, report);
    } else {
        fit_sheet(report->fit, &sheet);
        cs_cli_sheet_end(cli, &sheet, format);
    }
}
