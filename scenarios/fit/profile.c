/* The profile of a fit, as algorithms/libraries/profile.c reads it. */
#include "algorithms/libraries/library.h"
#include "scenarios/fit/inputs.h"
#include "sim/base/text.h"
#include "topo/formats/source.h"

#include <inttypes.h>
#include <math.h>

/* A text of YAML in double quotes. */
static void profile_put_text(const char *text, struct cs_text *out)
{
    cs_text_add(out, "\"");
    for (const char *at = text; *at; at++) {
        if (*at == '"' || *at == '\\')
            cs_text_add(out, "\\");
        cs_text_add_n(out, (unsigned char)*at < ' ' ? "?" : at, 1);
    }
    cs_text_add(out, "\"");
}

static void profile_put_inputs(const struct cs_fit_inputs *inputs, struct cs_text *out)
{
    cs_text_add(out, "inputs:\n");
    for (uint32_t i = 0; i < inputs->file_count; i++) {
        cs_text_add(out, "  - {file: ");
        profile_put_text(inputs->files[i].path, out);
        cs_text_printf(out, ", rows: %u, hash: \"%016" PRIx64 "\"}\n", inputs->files[i].rows,
                       inputs->files[i].hash);
    }
}

uint32_t cs_fit_calls(const struct cs_fit *fit, struct cs_profile_calls *calls)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < fit->row_count; i++) {
        const struct cs_library_request *request = &fit->rows[i].request;
        const struct cs_profile_calls call = {request->collective, request->site->nodes,
                                              request->bytes, request->bytes};

        cs_profile_add_call(calls, &count, &call);
    }
    return count;
}

static void profile_put_calls(const struct cs_fit *fit, struct cs_text *out)
{
    struct cs_profile_calls calls[CS_PROFILE_CALLS_MAX];
    uint32_t count = cs_fit_calls(fit, calls);

    cs_text_add(out, "calls: # behind the values; others have a note\n");
    for (uint32_t i = 0; i < count; i++)
        cs_text_printf(
            out, "  - {collective: %s, nodes: %u, least: %" PRIu64 " B, most: %" PRIu64 " B}\n",
            calls[i].collective->name, calls[i].nodes, calls[i].least, calls[i].most);
}

static void profile_put_parameters(const struct cs_fit *fit, struct cs_text *out)
{
    cs_text_add(out, "parameters:\n");
    for (uint32_t i = 0; i < fit->count; i++) {
        const struct cs_fit_parameter *is = &fit->parameters[i];
        const struct cs_parameter *info = &fit->library->parameters->items[is->parameter];
        const char *unit = cs_same(info->unit, "1") ? "" : info->unit;

        cs_text_printf(out,
                       "  %s: {value: %.9g%s%s, standard_error: %.9g, prior: %.9g%s%s, spread: "
                       "%.9g, verdict: %s}\n",
                       info->name, is->value, *unit ? " " : "", unit, fmin(1, is->error), is->prior,
                       *unit ? " " : "", unit, is->spread, cs_fit_verdict(is));
    }
}

/* The lower triangle, in the order of the parameters. */
static void profile_put_correlations(const struct cs_fit *fit, struct cs_text *out)
{
    cs_text_add(out, "correlations: # of ln(value), in the order above\n");
    for (uint32_t i = 0; i < fit->count; i++) {
        cs_text_add(out, "  - [");
        for (uint32_t j = 0; j <= i; j++)
            cs_text_printf(out, "%s%.3g", j ? ", " : "",
                           fit->correlations[(size_t)i * fit->count + j]);
        cs_text_add(out, "]\n");
    }
}

static void profile_put_errors(const struct cs_fit *fit, struct cs_text *out)
{
    cs_text_printf(out, "noise: {size: %.6g, neighbours: %.6g, outliers: %u, in_sample: %.6g}\n",
                   fit->noise, fit->neighbours, fit->outliers, fit->after);
    cs_text_printf(out,
                   "cross_validation: {folds: %u, error: %.6g, without_fit: %.6g, prior_weight: ",
                   fit->folds, fit->held_out, fit->held_out_before);
    if (isfinite(fit->kappa))
        cs_text_printf(out, "%g}\n", fit->kappa);
    else
        cs_text_add(out, "all}\n");
}

static void profile_put_library(const struct cs_scenario *scenario, struct cs_text *out)
{
    uint32_t version = scenario->by.version;

    cs_text_printf(out, "library: %s", scenario->by.library->name);
    if (version)
        cs_text_printf(out, "=%u.%u.%u", version / 10000, version / 100 % 100, version % 100);
    cs_text_add(out, "\nmachine: ");
    profile_put_text(cs_topo_shown(scenario->topo), out);
    cs_text_add(out, "\n");
}

void cs_fit_put_profile(const struct cs_fit_report *report, struct cs_text *out)
{
    const struct cs_fit_inputs *inputs = report->inputs;

    cs_text_add(out,
                "# Parameters of a cost model, by collsim fit; read by --library.\nprofile: 1\n");
    profile_put_library(report->inputs->scenario, out);
    profile_put_inputs(inputs, out);
    profile_put_parameters(report->fit, out);
    profile_put_correlations(report->fit, out);
    profile_put_errors(report->fit, out);
    profile_put_calls(report->fit, out);
    cs_text_add(out, "rows: # hashes, so that no score is in sample\n");
    for (uint32_t i = 0; i < inputs->row_count; i++)
        cs_text_printf(out, "  - \"%016" PRIx64 "\"\n", inputs->hashes[i]);
}
