#include "scenarios/commands/train_report.h"

#include "scenarios/commands/train_search_report.h"
#include "sim/base/units.h"

enum {
    REPORT_NAME = 24,    /* columns of a name */
    REPORT_FIGURE = 12,  /* of a figure */
    REPORT_VARIANTS = 5, /* of each kind */
};

struct report_part {
    const char *name;
    double seconds;
    const char *about;
};

enum {
    REPORT_PARTS = 12
};

/* The parts add up to the step. */
static void list_parts(const struct cs_train_step *step,
                       struct report_part parts[REPORT_PARTS])
{
    const struct report_part all[REPORT_PARTS] = {
        {"forward", step->forward_s, "compute"},
        {"backward", step->backward_s, "compute"},
        {"recomputation", step->recompute_s, "compute"},
        {"optimizer", step->optimizer_s, "compute"},
        {"host", step->host_s, "input, loss, calls of the optimizer"},
        {"interference", step->interference_s,
         "compute slows beside collectives"},
        {"jitter", step->jitter_s, "data parallel ranks wait for the slowest"},
        {"tensor parallel", step->tensor_s, "collectives between products"},
        {"context parallel", step->context_s, "keys and values, exposed"},
        {"sends", step->pipeline_s, "between stages"},
        {"bubble", step->bubble_s, "stages wait"},
        {"data parallel", step->data_exposed_s,
         "gradients and parameters, exposed"},
    };

    for (int p = 0; p < REPORT_PARTS; ++p)
        parts[p] = all[p];
}

const char *cs_train_bottleneck(const struct cs_train_step *step)
{
    struct report_part parts[REPORT_PARTS];
    double compute = step->forward_s + step->backward_s + step->recompute_s +
                     step->optimizer_s;
    const char *name = "compute";

    list_parts(step, parts);
    for (int p = 4; p < REPORT_PARTS; ++p)
        if (parts[p].seconds > compute) {
            compute = parts[p].seconds;
            name = parts[p].name;
        }
    return name;
}

const struct cs_train_variant *cs_train_fitting(
    const struct cs_train_result *result)
{
    double room = result->setup->job.gpu->memory_bytes;

    for (uint32_t v = 0; v < result->variant_count; ++v)
        if (!result->variants[v].on_machine &&
            result->variants[v].memory_bytes <= room)
            return &result->variants[v];
    return NULL;
}

static double scaling_efficiency(const struct cs_train_result *result)
{
    return result->step.samples_per_s /
           (result->setup->job.site->ranks * result->one_samples_per_s);
}

static double flops_share(const struct cs_train_result *result)
{
    const struct cs_train_job *job = &result->setup->job;

    return result->step.flops / result->step.step_s /
           (job->site->ranks * job->gpu->flops_per_s[job->precision]);
}

static double tokens_per_s(const struct cs_train_result *result)
{
    return result->step.samples_per_s *
           result->setup->model.transformer.sequence;
}

/* ---- text ---- */

static void put_line(struct cs_text *out, const char *name, const char *figure,
                     const char *about)
{
    if (*about)
        cs_text_printf(out, "  %-*s  %-*s  # %s\n", REPORT_NAME, name,
                       REPORT_FIGURE, figure, about);
    else
        cs_text_printf(out, "  %-*s  %s\n", REPORT_NAME, name, figure);
}

static void put_seconds(struct cs_text *out, const char *name, double seconds,
                        const char *about)
{
    char text[CS_UNITS_TEXT];

    put_line(out, name, cs_units_show_seconds(text, seconds), about);
}

static void put_bytes(struct cs_text *out, const char *name, double bytes,
                      const char *about)
{
    char text[CS_UNITS_TEXT];

    snprintf(text, sizeof(text), "%.2f GiB", bytes / (1 << 30));
    put_line(out, name, text, about);
}

static void put_job(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_setup *setup = result->setup;
    const struct cs_train_job *job = &setup->job;
    struct cs_text line = {0};

    cs_text_printf(out, "%s on %s, %u x %s, %s, %s\n", setup->model.name,
                   result->given->scenario.topo, job->site->ranks,
                   job->gpu->name, cs_precision_names[job->precision],
                   job->library->name);
    put_line(out, "system", setup->system->name, setup->system->about);
    put_line(out, "formula", setup->system->formula, "");
    cs_text_printf(&line, "tensor %u x context %u x data %u x pipeline %u",
                   job->tensor, job->context, job->data, job->pipeline);
    put_line(out, "ranks", cs_text_str(&line), "");
    cs_text_free(&line);
    cs_text_printf(&line, "%.0f = micro batch %.4g x accumulation %u x data %u",
                   job->micro_batch * job->accumulation * job->data,
                   job->micro_batch, job->accumulation, job->data);
    put_line(out, "global batch", cs_text_str(&line), "");
    cs_text_free(&line);
}

static void put_time(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_step *step = &result->step;
    char text[CS_UNITS_TEXT];

    cs_text_add(out, "\nTime\n");
    put_seconds(out, "step", step->step_s, "");
    snprintf(text, sizeof(text), "%.4g samples/s", step->samples_per_s);
    put_line(out, "throughput", text, "");
    if (tokens_per_s(result) > 0) {
        snprintf(text, sizeof(text), "%.4g tokens/s", tokens_per_s(result));
        put_line(out, "", text, "");
    }
    snprintf(text, sizeof(text), "%.1f %%", 100 * scaling_efficiency(result));
    put_line(out, "scaling efficiency", text,
             "of as many devices, each the whole model, without communication");
    snprintf(text, sizeof(text), "%.1f %%", 100 * flops_share(result));
    put_line(out, "model FLOPs", text, "of the data sheet's peak");
    put_line(out, "largest part", cs_train_bottleneck(step), "");
}

static void put_parts(const struct cs_train_step *step, struct cs_text *out)
{
    struct report_part parts[REPORT_PARTS];
    char about[96];

    cs_text_add(out, "\nParts of the slowest rank\n");
    list_parts(step, parts);
    for (int p = 0; p < REPORT_PARTS; ++p) {
        if (!(parts[p].seconds > 0))
            continue;
        snprintf(about, sizeof(about), "%4.1f %%, %s",
                 100 * parts[p].seconds / step->step_s, parts[p].about);
        put_seconds(out, parts[p].name, parts[p].seconds, about);
    }
    if (step->data_s > step->data_exposed_s)
        put_seconds(out, "beside compute", step->data_s - step->data_exposed_s,
                    "data parallel collectives, hidden");
}

static void put_memory(const struct cs_train_result *result,
                       struct cs_text *out)
{
    const struct cs_train_step *step = &result->step;
    double room = result->setup->job.gpu->memory_bytes;
    char about[96];

    cs_text_add(out, "\nMemory of the fullest device\n");
    put_bytes(out, "parameters", step->parameter_bytes, "");
    put_bytes(out, "gradients", step->gradient_bytes, "");
    put_bytes(out, "optimizer", step->optimizer_bytes, "");
    put_bytes(out, "activations", step->activation_bytes, "");
    put_bytes(out, "buffers", step->buffer_bytes,
              "library, allocator, buckets or gathered blocks");
    snprintf(about, sizeof(about), "%.1f %% of %.0f GiB",
             100 * step->memory_bytes / room, room / (1 << 30));
    put_bytes(out, "all", step->memory_bytes, about);
}

static void show_figure(const struct cs_train_figure *figure, char *text,
                        size_t size)
{
    switch (figure->unit) {
    case CS_TRAIN_SECONDS:
        cs_units_show_seconds(text, figure->value);
        break;
    case CS_TRAIN_BYTES:
        snprintf(text, size, "%.2f GiB", figure->value / (1 << 30));
        break;
    case CS_TRAIN_SHARE:
        snprintf(text, size, "%.1f %%", 100 * figure->value);
        break;
    default:
        snprintf(text, size, "%.4g", figure->value);
    }
}

static void put_figures(const struct cs_train_result *result,
                        struct cs_text *out)
{
    const struct cs_train_step *step = &result->step;
    char text[CS_UNITS_TEXT];

    if (step->figure_count)
        cs_text_printf(out, "\nFigures of %s\n", result->setup->system->name);
    for (uint32_t f = 0; f < step->figure_count; ++f) {
        show_figure(&step->figures[f], text, sizeof(text));
        cs_text_printf(out, "  %-*s  %s\n", CS_TRAIN_FIGURE_NAME - 4,
                       step->figures[f].name, text);
    }
}

static void put_variants(const struct cs_train_result *result, bool on_machine,
                         struct cs_text *out)
{
    double room = result->setup->job.gpu->memory_bytes;
    uint32_t shown = 0;
    char figure[CS_UNITS_TEXT], about[64];

    for (uint32_t v = 0; v < result->variant_count && shown < REPORT_VARIANTS;
         ++v) {
        const struct cs_train_variant *variant = &result->variants[v];

        if (variant->on_machine != on_machine || variant->speedup < 1.001 ||
            variant->memory_bytes > room)
            continue;
        if (!shown++)
            cs_text_printf(out, "\n%s\n",
                           on_machine ? "Other machines" : "Other settings");
        snprintf(figure, sizeof(figure), "%+.1f %%",
                 100 * (variant->speedup - 1));
        cs_units_show_seconds(about, variant->step_s);
        cs_text_printf(out, "  %-32s  %-*s  # step %s\n", variant->name, 8,
                       figure, about);
    }
}

static void report_text(const struct cs_cli *cli,
                        const struct cs_train_result *result)
{
    struct cs_text out = {0};

    put_job(result, &out);
    put_time(result, &out);
    put_parts(&result->step, &out);
    put_memory(result, &out);
    put_figures(result, &out);
    if (result->search)
        cs_train_put_search(result->search, &out);
    put_variants(result, false, &out);
    put_variants(result, true, &out);
    fputs(cs_text_str(&out), cli->out);
    cs_text_free(&out);
}

/* ---- for programs ---- */

static const struct cs_sheet_column report_columns[] = {
    {"model", "model", NULL, CS_SHEET_TEXT},
    {"machine", "machine", NULL, CS_SHEET_TEXT},
    {"gpu", "gpu", NULL, CS_SHEET_TEXT},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT},
    {"system", "system", NULL, CS_SHEET_TEXT},
    {"backend", "backend", NULL, CS_SHEET_TEXT},
    {"precision", "precision", NULL, CS_SHEET_TEXT},
    {"tensor", "tensor", NULL, CS_SHEET_COUNT},
    {"context", "context", NULL, CS_SHEET_COUNT},
    {"data", "data", NULL, CS_SHEET_COUNT},
    {"pipeline", "pipeline", NULL, CS_SHEET_COUNT},
    {"chunks", "chunks", NULL, CS_SHEET_COUNT},
    {"micro_batch", "micro batch", NULL, CS_SHEET_COUNT},
    {"accumulation", "accumulation", NULL, CS_SHEET_COUNT},
    {"step_s", "step", NULL, CS_SHEET_SECONDS},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL},
    {"tokens_per_s", "tokens/s", NULL, CS_SHEET_REAL},
    {"scaling_efficiency", "scaling", NULL, CS_SHEET_SHARE},
    {"flops_share_of_peak", "FLOPs", NULL, CS_SHEET_SHARE},
    {"largest_part", "largest part", NULL, CS_SHEET_TEXT},
    {"forward_s", "forward", NULL, CS_SHEET_SECONDS},
    {"backward_s", "backward", NULL, CS_SHEET_SECONDS},
    {"recompute_s", "recompute", NULL, CS_SHEET_SECONDS},
    {"optimizer_s", "optimizer", NULL, CS_SHEET_SECONDS},
    {"host_s", "host", NULL, CS_SHEET_SECONDS},
    {"interference_s", "interference", NULL, CS_SHEET_SECONDS},
    {"jitter_s", "jitter", NULL, CS_SHEET_SECONDS},
    {"tensor_s", "tensor", NULL, CS_SHEET_SECONDS},
    {"context_s", "context", NULL, CS_SHEET_SECONDS},
    {"send_s", "sends", NULL, CS_SHEET_SECONDS},
    {"bubble_s", "bubble", NULL, CS_SHEET_SECONDS},
    {"data_exposed_s", "data", NULL, CS_SHEET_SECONDS},
    {"data_s", "data, all", NULL, CS_SHEET_SECONDS},
    {"parameter_bytes", "parameters", NULL, CS_SHEET_BYTES},
    {"gradient_bytes", "gradients", NULL, CS_SHEET_BYTES},
    {"optimizer_bytes", "optimizer", NULL, CS_SHEET_BYTES},
    {"activation_bytes", "activations", NULL, CS_SHEET_BYTES},
    {"buffer_bytes", "buffers", NULL, CS_SHEET_BYTES},
    {"memory_bytes", "memory", NULL, CS_SHEET_BYTES},
    {"fits", "fits", NULL, CS_SHEET_BOOL},
    {"best_change", "best change", NULL, CS_SHEET_TEXT},
    {"best_change_speedup", "speedup", NULL, CS_SHEET_TIMES},
    {"figures", "figures", NULL, CS_SHEET_TEXT},
};

static void add_job(struct cs_sheet *sheet,
                    const struct cs_train_result *result)
{
    const struct cs_train_job *job = &result->setup->job;

    cs_sheet_text(sheet, result->setup->model.name);
    cs_sheet_text(sheet, result->given->scenario.topo);
    cs_sheet_text(sheet, job->gpu->name);
    cs_sheet_u64(sheet, job->site->ranks);
    cs_sheet_text(sheet, result->setup->system->name);
    cs_sheet_text(sheet, job->library->name);
    cs_sheet_text(sheet, cs_precision_names[job->precision]);
    cs_sheet_u64(sheet, job->tensor);
    cs_sheet_u64(sheet, job->context);
    cs_sheet_u64(sheet, job->data);
    cs_sheet_u64(sheet, job->pipeline);
    cs_sheet_u64(sheet, job->chunks);
    cs_sheet_u64(sheet, (uint64_t)job->micro_batch);
    cs_sheet_u64(sheet, job->accumulation);
}

static void add_figures(struct cs_sheet *sheet,
                        const struct cs_train_result *result)
{
    struct report_part parts[REPORT_PARTS];

    cs_sheet_real(sheet, result->step.step_s);
    cs_sheet_real(sheet, result->step.samples_per_s);
    if (tokens_per_s(result) > 0)
        cs_sheet_real(sheet, tokens_per_s(result));
    else
        cs_sheet_none(sheet);
    cs_sheet_real(sheet, scaling_efficiency(result));
    cs_sheet_real(sheet, flops_share(result));
    cs_sheet_text(sheet, cs_train_bottleneck(&result->step));
    list_parts(&result->step, parts);
    for (int p = 0; p < REPORT_PARTS; ++p)
        cs_sheet_real(sheet, parts[p].seconds);
    cs_sheet_real(sheet, result->step.data_s);
}

static void add_memory(struct cs_sheet *sheet,
                       const struct cs_train_result *result)
{
    const struct cs_train_step *step = &result->step;
    const struct cs_train_variant *best = cs_train_fitting(result);

    cs_sheet_u64(sheet, (uint64_t)step->parameter_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->gradient_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->optimizer_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->activation_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->buffer_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->memory_bytes);
    cs_sheet_bool(sheet,
                  step->memory_bytes <= result->setup->job.gpu->memory_bytes);
    if (best) {
        cs_sheet_text(sheet, best->name);
        cs_sheet_real(sheet, best->speedup);
    } else {
        cs_sheet_none(sheet);
        cs_sheet_none(sheet);
    }
}

/* "workers=8; mean staleness in updates=7": SI units, shares of 1. */
static void add_own_figures(struct cs_sheet *sheet,
                            const struct cs_train_step *step)
{
    struct cs_text text = {0};

    for (uint32_t f = 0; f < step->figure_count; ++f)
        cs_text_printf(&text, "%s%s=%.9g", f ? "; " : "", step->figures[f].name,
                       step->figures[f].value);
    if (step->figure_count)
        cs_sheet_text(sheet, cs_text_str(&text));
    else
        cs_sheet_none(sheet);
    cs_text_free(&text);
}

static void add_row(struct cs_sheet *sheet,
                    const struct cs_train_result *result)
{
    add_job(sheet, result);
    add_figures(sheet, result);
    add_memory(sheet, result);
    add_own_figures(sheet, &result->step);
}

void cs_train_report(const struct cs_cli *cli,
                     const struct cs_train_result *result, int code,
                     struct cs_err *err)
{
    enum cs_format format = result->given->scenario.format;
    struct cs_sheet sheet = {0};

    if (format == CS_FORMAT_TEXT) {
        report_text(cli, result);
        return;
    }
    cs_sheet_begin(&sheet, "training", report_columns,
                   sizeof(report_columns) / sizeof(*report_columns));
    add_row(&sheet, result);
    for (uint32_t f = 1; result->search && f < result->search->count; ++f) {
        struct cs_train_setup setup = *result->setup;
        struct cs_train_result next = *result;

        setup.job = result->search->best[f].job;
        next.setup = &setup;
        next.step = result->search->best[f].step;
        next.variant_count = 0;
        add_row(&sheet, &next);
    }
    cs_cli_sheet_until(cli, &sheet, format, code, err);
    cs_sheet_free(&sheet);
}
