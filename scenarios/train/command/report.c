#include "scenarios/train/command/report.h"

#include "reports/results/table.h"
#include "scenarios/train/command/calibration.h"
#include "scenarios/train/command/framework.h"
#include "scenarios/train/command/timeline.h"
#include "scenarios/train/command/unused.h"
#include "scenarios/train/memory/traffic.h"
#include "scenarios/train/search/layout_kind.h"
#include "scenarios/train/search/search.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/units_show.h"
#include "topo/formats/source.h"

#include <math.h>
#include <stdio.h>

/* ---- best configurations of a search ---- */

static void put_configuration(const struct cs_search *search, uint32_t which, struct cs_text *out)
{
    const struct cs_train_job *job = &search->best[which].job;
    const struct cs_train_step *step = &search->best[which].step;
    char expert[16] = "";
    struct cs_train_part limit = cs_train_limit(step, 2);

    if (job->model->transformer.experts)
        (void)snprintf(expert, sizeof(expert), " %3u", cs_train_expert(job));
    cs_text_printf(out, "  %2u  %-10s %3u %3u %3u %4u%s  %2u  %3.0f x %-4u  %-9s  %-12s ",
                   which + 1, cs_show_seconds(step->step_s).text, job->degrees.tensor,
                   job->degrees.context, job->degrees.pipeline, job->degrees.data, expert,
                   job->degrees.chunks, job->degrees.micro_batch, job->degrees.accumulation,
                   cs_recompute_names[job->degrees.recompute],
                   cs_data_kind_names[job->degrees.data_kind]);
    cs_text_printf(out, " %6.1f GiB  # %s %.1f %%", step->memory_bytes / (1 << 30), limit.name,
                   100 * limit.seconds / step->step_s);
    cs_layout_note(job, out);
    cs_text_add(out, "\n");
}

/* A table for people. */
static void put_search(const struct cs_search *search, struct cs_text *out)
{
    bool has_experts = search->count && search->best[0].job.model->transformer.experts;

    cs_text_printf(out,
                   "\nBest of %llu configurations: %llu exceed the memory, %llu are slower by a "
                   "closed form, %llu computed\n",
                   (unsigned long long)search->tried, (unsigned long long)search->too_large,
                   (unsigned long long)search->bounded, (unsigned long long)search->computed);
    if (search->unusual)
        cs_text_add(out,
                    "No layout fits of the kinds that publications have: these have fewer than "
                    "4,096 tokens on a context parallel rank, or all experts on each rank\n");
    cs_text_printf(out,
                   "   #  step        tp  cp  pp   dp%s   v  micro batch  recompute  states        "
                   "    memory  # largest loss\n",
                   has_experts ? "  ep" : "");
    for (uint32_t f = 0; f < search->count; ++f)
        put_configuration(search, f, out);
    cs_text_printf(out, "  states: --system; tp with --sequence-parallel%s; v: --chunks\n",
                   has_experts ? ", ep above 1 with --etp 1" : "");
}

enum {
    REPORT_NAME = 24,    /* columns of a name */
    REPORT_FIGURE = 12,  /* of a figure */
    REPORT_VARIANTS = 5, /* of each kind */
    REPORT_LINE = 120,
};

static void put_line(struct cs_text *out, const char *name, const char *figure, const char *about)
{
    if (*about)
        cs_text_printf(out, "  %-*s  %-*s  # %s\n", REPORT_NAME, name, REPORT_FIGURE, figure,
                       about);
    else
        cs_text_printf(out, "  %-*s  %s\n", REPORT_NAME, name, figure);
}

static void put_seconds(struct cs_text *out, const char *name, double seconds, const char *about)
{
    put_line(out, name, cs_show_seconds(seconds).text, about);
}

static void put_bytes(struct cs_text *out, const char *name, double bytes, const char *about)
{
    char text[CS_UNITS_TEXT];

    snprintf(text, sizeof(text), "%.2f GiB", bytes / (1 << 30));
    put_line(out, name, text, about);
}

/* "8, of a token 2; on 8 ranks x 1 part, 4 copies" */
static void put_experts(const struct cs_train_job *job, struct cs_text *out)
{
    const struct cs_transformer *dims = &job->model->transformer;
    char text[REPORT_LINE], about[REPORT_LINE];

    (void)snprintf(text, sizeof(text),
                   "%u, of a token %u: expert %u x expert tensor %u x copies %u", dims->experts,
                   dims->active, cs_train_expert(job), cs_train_expert_tensor(job),
                   cs_train_expert_copies(job));
    if (cs_train_imbalance(job) > 1)
        (void)snprintf(about, sizeof(about), "the busiest rank has %.4g times the mean of tokens",
                       cs_train_imbalance(job));
    else
        (void)snprintf(about, sizeof(about), "balanced: every expert has as many tokens");
    put_line(out, "experts", text, about);
}

static void put_parameters(const struct cs_train_job *job, struct cs_text *out)
{
    const struct cs_train_model *model = job->model;
    char about[REPORT_LINE] = "";

    if (job->degrees.adapters)
        (void)snprintf(about, sizeof(about), "frozen; what adapters hold and send is not counted");
    else if (model->transformer.experts)
        (void)snprintf(about, sizeof(about), "of a token %.4g G",
                       cs_train_active_parameters(model) / 1e9);
    put_line(out, "parameters of the model", cs_show_count((uint64_t)model->parameters).text,
             about);
}

static void put_job(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_setup *setup = result->setup;
    const struct cs_train_job *job = &setup->job;
    const struct cs_framework *entry = result->given->framework_entry;
    struct cs_text line = {0};

    cs_text_printf(out, "%s on %s, %u x %s, %s, %s\n", setup->model.name,
                   cs_topo_shown(result->given->scenario.topo), job->site->ranks, job->gpu->name,
                   cs_precision_names[job->precision], job->library->name);
    put_line(out, "system", setup->system->name, setup->system->about);
    put_line(out, "formula", setup->system->formula, "");
    if (entry) {
        cs_text_printf(&line, "%s %s", entry->name, entry->release);
        put_line(out, "framework", cs_text_str(&line), entry->options);
        cs_text_free(&line);
    }
    cs_text_printf(&line, "tensor %u x context %u x data %u x pipeline %u", job->degrees.tensor,
                   job->degrees.context, job->degrees.data, job->degrees.pipeline);
    put_line(out, "ranks", cs_text_str(&line), "");
    cs_text_free(&line);
    if (job->site->net != CS_NET_NONE)
        put_line(out, "network", cs_networks[job->site->net].name,
                 cs_networks[job->site->net].about);
    put_parameters(job, out);
    if (setup->model.transformer.experts)
        put_experts(job, out);
    cs_text_printf(&line, "%.0f = micro batch %.*g x accumulation %u x data %u",
                   cs_train_batch(job), job->degrees.micro_batch < 1000 ? 4 : 10,
                   job->degrees.micro_batch, job->degrees.accumulation, job->degrees.data);
    put_line(out, "global batch", cs_text_str(&line), "");
    cs_text_free(&line);
}

/* Four digits, and all before the point. */
static void put_rate(struct cs_text *out, const char *name, double per_s, const char *of)
{
    char text[CS_UNITS_TEXT];

    snprintf(text, sizeof(text), per_s < 1e4 ? "%.4g %s/s" : "%.0f %s/s", per_s, of);
    put_line(out, name, text, "");
}

/* "90 %: 848 ms to 1.433 s"; nothing of a measured compute time. */
static void show_interval(const struct cs_train_options *given, double step_s,
                          char about[REPORT_LINE])
{
    double times = cs_train_interval(given);

    about[0] = '\0';
    if (!(given->job.sample_s > 0))
        (void)snprintf(about, REPORT_LINE, "90 %%: %s to %s", cs_show_seconds(step_s / times).text,
                       cs_show_seconds(step_s * times).text);
}

static void put_time(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_step *step = &result->step;
    char text[CS_UNITS_TEXT], about[REPORT_LINE];

    cs_text_add(out, "\nTime\n");
    show_interval(result->given, step->step_s, about);
    put_seconds(out, "step", step->step_s, about);
    put_rate(out, "throughput", step->samples_per_s, "samples");
    if (cs_train_tokens_per_s(result) > 0)
        put_rate(out, "", cs_train_tokens_per_s(result), "tokens");
    snprintf(text, sizeof(text), "%.1f %%", 100 * cs_train_scaling_efficiency(result));
    put_line(out, "scaling efficiency", text,
             "of as many devices that compute without communication and waits");
    snprintf(text, sizeof(text), "%.1f %%", 100 * cs_train_flops_share(result));
    put_line(out, "model FLOPs", text, "of the data sheet's peak");
    put_line(out, "largest part", cs_train_bottleneck(step), "");
}

/* ---- the log of a run ---- */

/* Simulated time is whole picoseconds: what rounds to none is not a part. */
static bool has_time(double seconds)
{
    return seconds >= 0.5e-12;
}

/* Where a measured step lies among published ones. */
static const char *log_verdict(const struct cs_train_calibration *calibration)
{
    double times = calibration->steps.median / calibration->predicted_s;

    return times > CS_STEP_INTERVAL
               ? "slower than 95 % of published runs: a cause that the options do not have"
           : times < 1 / CS_STEP_INTERVAL
               ? "faster than 95 % of published runs: the options have a cause that the run had not"
               : "as 90 % of published runs";
}

static void put_log(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_calibration *log = result->given->calibration;
    char figure[CS_UNITS_TEXT], about[REPORT_LINE];
    double median_s = log->steps.median;

    cs_text_printf(out, "\nLog%s%s, '%s' from line %u on\n", *log->log.framework ? " of " : "",
                   log->log.framework, log->log.key, log->log.line);
    (void)snprintf(figure, sizeof(figure), "%u", log->log.count - log->warm_up);
    (void)snprintf(about, sizeof(about), "behind %u of warm-up", log->warm_up);
    put_line(out, "steps", figure, about);
    (void)snprintf(about, sizeof(about), "median; of four in five %s to %s",
                   cs_show_seconds(log->low_s).text, cs_show_seconds(log->high_s).text);
    put_seconds(out, "measured", median_s, about);
    (void)snprintf(figure, sizeof(figure), "%.1f %%", 100 * (log->steps.mean / median_s - 1));
    put_line(out, "slow steps", figure, "of the run, beyond as many median steps");
    (void)snprintf(figure, sizeof(figure), "%.1f %%",
                   100 * cs_train_flops_share(result) * result->step.step_s / median_s);
    put_line(out, "model FLOPs", figure, "of the data sheet's peak, as measured");
    (void)snprintf(about, sizeof(about), "%+.1f %% without the log; %s",
                   100 * (log->predicted_s / median_s - 1), log_verdict(log));
    put_seconds(out, "predicted", log->predicted_s, about);
}

static void put_share(struct cs_text *out, const char *name, double seconds, double of_s,
                      const char *about)
{
    char text[REPORT_LINE];

    (void)snprintf(text, sizeof(text), "%4.1f %%%s%s", 100 * seconds / of_s, *about ? ", " : "",
                   about);
    put_seconds(out, name, seconds, text);
}

/* The measured step by cause; parts of forward and backward passes are split. */
static void put_causes(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_step *step = &result->step;
    double all_s = result->given->calibration->steps.median;
    struct cs_train_causes causes = cs_train_causes_of(result);
    struct cs_train_part parts[CS_TRAIN_PARTS];

    cs_text_add(out, "\nWhere the measured step goes\n");
    put_share(out, "at the peak", causes.peak_s, all_s,
              "FLOPs of the model at the data sheet's rate");
    put_share(out, "slower products", causes.slower_s, all_s,
              "shapes, clocks, uneven stages: below that rate");
    put_share(out, "memory", causes.memory_s, all_s, "kernels that wait for it");
    put_share(out, "launches", causes.launches_s, all_s, "the device waits for its host");
    cs_train_list_parts(step, parts);
    for (int p = 0; p < CS_TRAIN_PARTS; ++p)
        if (parts[p].seconds != step->forward_s && parts[p].seconds != step->backward_s &&
            has_time(parts[p].seconds))
            put_share(out, parts[p].name, parts[p].seconds, all_s, parts[p].about);
    put_share(out, "not explained", causes.unknown_s, all_s, "");
}

static void put_parts(const struct cs_train_step *step, struct cs_text *out)
{
    struct cs_train_part parts[CS_TRAIN_PARTS];
    char about[96];

    cs_text_add(out, "\nParts of the slowest rank\n");
    cs_train_list_parts(step, parts);
    for (int p = 0; p < CS_TRAIN_PARTS; ++p) {
        if (!has_time(parts[p].seconds))
            continue;
        snprintf(about, sizeof(about), "%4.1f %%, %s", 100 * parts[p].seconds / step->step_s,
                 parts[p].about);
        put_seconds(out, parts[p].name, parts[p].seconds, about);
    }
    if (has_time(step->data_s - step->data_exposed_s))
        put_seconds(out, "beside compute", step->data_s - step->data_exposed_s,
                    "data parallel collectives, hidden");
}

static void put_memory(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_step *step = &result->step;
    double room = result->setup->job.gpu->memory_bytes;
    char about[96];

    cs_text_add(out, "\nMemory of the peak device\n");
    put_bytes(out, "parameters", step->parameter_bytes, "");
    put_bytes(out, "gradients", step->gradient_bytes, "");
    put_bytes(out, "optimizer", step->optimizer_bytes, "");
    put_bytes(out, "activations", step->activation_bytes, "");
    put_bytes(out, "buffers", step->buffer_bytes, "library, allocator, buckets or gathered blocks");
    snprintf(about, sizeof(about), "%.1f %% of %.0f GiB", 100 * step->memory_bytes / room,
             room / (1 << 30));
    put_bytes(out, "all", step->memory_bytes, about);
    if (step->redundant_bytes > 0)
        put_bytes(out, "redundant", step->redundant_bytes,
                  "of parameters, gradients and optimizer: other ranks have them, too");
}

static void put_sent(struct cs_text *out, const char *name, double bytes, const char *about)
{
    if (bytes > 0)
        put_line(out, name, cs_show_bytes((uint64_t)bytes).text, about);
}

static void put_traffic(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_job *job = &result->setup->job;
    struct cs_train_traffic traffic = cs_train_system_traffic(result->setup->system, job);
    char about[64], who[64] = "sent by a rank";

    if (job->site->ranks < 2)
        return;
    if (job->degrees.pipeline > 1)
        (void)snprintf(who, sizeof(who), "sent by a rank of stage %u, which sends the most",
                       traffic.stage);
    cs_text_add(out, "\nBytes of a step, a direction\n");
    put_sent(out, "tensor parallel", traffic.tensor, who);
    put_sent(out, "experts", traffic.expert, who);
    put_sent(out, "context parallel", traffic.context, who);
    put_sent(out, "data parallel", traffic.data,
             result->setup->system->traffic ? "of device 0, or of a worker" : who);
    put_sent(out, "between stages", traffic.pipeline, who);
    put_sent(out, "a GPU's links", traffic.link, "inside the node");
    (void)snprintf(about, sizeof(about), "each of %u of a node", job->site->adapters);
    put_sent(out, "a network adapter", traffic.adapter, about);
}

/* "the busiest of 8, 3.9 % of the step; all: 18.83 GB" */
static void put_link_class(const struct cs_class_use *one, double step_s, struct cs_text *out)
{
    char share[64], about[160];

    (void)snprintf(share, sizeof(share), "%.1f %% of the step", 100 * one->busy_s / step_s);
    (void)snprintf(about, sizeof(about), "the busiest of %u, %s; all: %s", one->links,
                   one->busy_s > step_s * (1 + 1e-6)
                       ? "longer than the step, which leaves this class out"
                       : share,
                   cs_show_bytes((uint64_t)one->all).text);
    put_line(out, one->name, cs_show_bytes((uint64_t)one->most).text, one->all > 0 ? about : "");
}

static void put_link_classes(const struct cs_train_result *result, struct cs_text *out)
{
    struct cs_class_use classes[CS_LINK_CLASSES_MAX];
    uint32_t count;

    if (result->setup->job.site->ranks < 2)
        return;
    count = cs_train_link_classes(result, classes);
    cs_text_add(out, "\nBytes of a step on links, collectives as rings\n");
    for (uint32_t c = 0; c < count; ++c)
        put_link_class(&classes[c], result->step.step_s, out);
}

static void show_figure(const struct cs_train_figure *figure, char *text, size_t size)
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

static void put_figures(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_train_step *step = &result->step;
    char text[CS_UNITS_TEXT];

    if (step->figure_count)
        cs_text_printf(out, "\nFigures of %s\n", result->setup->system->name);
    for (uint32_t f = 0; f < step->figure_count; ++f) {
        show_figure(&step->figures[f], text, sizeof(text));
        cs_text_printf(out, "  %-*s  %s\n", CS_TRAIN_FIGURE_NAME - 4, step->figures[f].name, text);
    }
}

/* What the framework implies, and the step without it. */
static void put_assumptions(const struct cs_train_result *result, struct cs_text *out)
{
    const struct cs_framework *entry = result->given->framework_entry;
    struct cs_assumption assumptions[CS_ASSUMPTIONS_MAX];
    uint32_t count = cs_train_assumptions(result, assumptions);
    char figure[CS_UNITS_TEXT], about[CS_UNITS_TEXT];

    if (count)
        cs_text_printf(out, "\nAssumptions of %s %s, and the step without each\n", entry->name,
                       entry->release);
    for (uint32_t a = 0; a < count; a++) {
        double change = assumptions[a].step_s / result->step.step_s - 1;

        if (isnan(change)) {
            cs_text_printf(out, "  %s\n", assumptions[a].option);
            continue;
        }
        snprintf(figure, sizeof(figure), "%+.1f %%", 100 * change);
        snprintf(about, sizeof(about), "%+.2f GiB",
                 (assumptions[a].memory_bytes - result->step.memory_bytes) / (1 << 30));
        cs_text_printf(out, "  %-32s  %-8s  # %s\n", assumptions[a].option, figure, about);
    }
}

/* After a calibration a gain has an interval, and more of them are of interest. */
static void put_gain(const struct cs_train_result *result, const struct cs_train_variant *variant,
                     const char *figure, struct cs_text *out)
{
    double times = cs_train_interval(result->given);

    cs_text_printf(out, "  %-32s  %-8s  # step %s", variant->name, figure,
                   cs_show_seconds(variant->step_s).text);
    if (result->given->calibration)
        cs_text_printf(out, ", 90 %%: %+.0f to %+.0f %%", 100 * (variant->speedup / times - 1),
                       100 * (variant->speedup * times - 1));
    cs_text_add(out, "\n");
}

static void put_variants(const struct cs_train_result *result, bool on_machine, struct cs_text *out)
{
    uint32_t shown = 0;
    char figure[CS_UNITS_TEXT];

    for (uint32_t v = 0; v < result->variant_count && shown < REPORT_VARIANTS; ++v) {
        const struct cs_train_variant *variant = &result->variants[v];

        if (variant->on_machine != on_machine || !cs_train_is_gain(result, variant))
            continue;
        if (!shown++)
            cs_text_printf(out, "\n%s\n", on_machine ? "Other machines" : "Other settings");
        snprintf(figure, sizeof(figure), "%+.1f %%", 100 * (variant->speedup - 1));
        put_gain(result, variant, figure, out);
    }
}

static void report_text(const struct cs_cli *cli, const struct cs_train_result *result)
{
    struct cs_text out = {0};

    put_job(result, &out);
    if (result->given->calibration) {
        put_log(result, &out);
        put_causes(result, &out);
    }
    put_time(result, &out);
    put_parts(&result->step, &out);
    put_memory(result, &out);
    put_traffic(result, &out);
    put_link_classes(result, &out);
    if (result->given->timeline)
        cs_train_timeline_text(result, &result->timeline, &out);
    put_figures(result, &out);
    if (result->search)
        put_search(result->search, &out);
    put_assumptions(result, &out);
    put_variants(result, false, &out);
    put_variants(result, true, &out);
    cs_cli_text(cli, &out);
}

void cs_train_report(const struct cs_cli *cli, const struct cs_train_result *result)
{
    if (result->given->scenario.format == CS_FORMAT_TEXT)
        report_text(cli, result);
    else
        cs_train_sheet(cli, result);
}
