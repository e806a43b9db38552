#include "scenarios/train/command/sheet.h"

#include "reports/results/json.h"
#include "scenarios/train/command/timeline.h"
#include "scenarios/train/memory/traffic.h"

#include <math.h>

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
    {"expert", "expert", NULL, CS_SHEET_COUNT},
    {"expert_tensor", "expert tensor", NULL, CS_SHEET_COUNT},
    {"imbalance", "imbalance", NULL, CS_SHEET_REAL},
    {"chunks", "chunks", NULL, CS_SHEET_COUNT},
    {"micro_batch", "micro batch", NULL, CS_SHEET_COUNT},
    {"accumulation", "accumulation", NULL, CS_SHEET_COUNT},
    {"states", "states", NULL, CS_SHEET_TEXT},
    {"recompute", "recompute", NULL, CS_SHEET_TEXT},
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
    {"expert_s", "experts", NULL, CS_SHEET_SECONDS},
    {"context_s", "context", NULL, CS_SHEET_SECONDS},
    {"send_s", "sends", NULL, CS_SHEET_SECONDS},
    {"bubble_s", "bubble", NULL, CS_SHEET_SECONDS},
    {"data_exposed_s", "data", NULL, CS_SHEET_SECONDS},
    {"input_s", "input", NULL, CS_SHEET_SECONDS},
    {"data_s", "data, all", NULL, CS_SHEET_SECONDS},
    {"parameter_bytes", "parameters", NULL, CS_SHEET_BYTES},
    {"gradient_bytes", "gradients", NULL, CS_SHEET_BYTES},
    {"optimizer_bytes", "optimizer", NULL, CS_SHEET_BYTES},
    {"activation_bytes", "activations", NULL, CS_SHEET_BYTES},
    {"buffer_bytes", "buffers", NULL, CS_SHEET_BYTES},
    {"memory_bytes", "memory", NULL, CS_SHEET_BYTES},
    {"redundant_bytes", "redundant", NULL, CS_SHEET_BYTES},
    {"fits", "fits", NULL, CS_SHEET_BOOL},
    {"best_change", "best change", NULL, CS_SHEET_TEXT},
    {"best_change_speedup", "speedup", NULL, CS_SHEET_TIMES},
    {"changes", "changes", NULL, CS_SHEET_NAMED},
    {"figures", "figures", NULL, CS_SHEET_NAMED},
    {"tensor_sent_bytes", "tensor sent", NULL, CS_SHEET_BYTES},
    {"expert_sent_bytes", "experts sent", NULL, CS_SHEET_BYTES},
    {"context_sent_bytes", "context sent", NULL, CS_SHEET_BYTES},
    {"data_sent_bytes", "data sent", NULL, CS_SHEET_BYTES},
    {"pipeline_sent_bytes", "stages sent", NULL, CS_SHEET_BYTES},
    {"link_bytes", "GPU link", NULL, CS_SHEET_BYTES},
    {"adapter_bytes", "adapter", NULL, CS_SHEET_BYTES},
    {"busiest_link_bytes", "busiest links", NULL, CS_SHEET_NAMED},
    {"all_link_bytes", "all links", NULL, CS_SHEET_NAMED},
};

/* None of a model without experts. */
static void add_experts(struct cs_sheet *sheet, const struct cs_train_job *job)
{
    if (job->model->transformer.experts) {
        cs_sheet_u64(sheet, cs_train_expert(job));
        cs_sheet_u64(sheet, cs_train_expert_tensor(job));
        cs_sheet_real(sheet, cs_train_imbalance(job));
        return;
    }
    for (int column = 0; column < 3; ++column)
        cs_sheet_none(sheet);
}

static void add_job(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    const struct cs_train_job *job = &result->setup->job;

    cs_sheet_text(sheet, result->setup->model.name);
    cs_sheet_text(sheet, result->given->scenario.topo);
    cs_sheet_text(sheet, job->gpu->name);
    cs_sheet_u64(sheet, job->site->ranks);
    cs_sheet_text(sheet, result->setup->system->name);
    cs_sheet_text(sheet, job->library->name);
    cs_sheet_text(sheet, cs_precision_names[job->precision]);
    cs_sheet_u64(sheet, job->degrees.tensor);
    cs_sheet_u64(sheet, job->degrees.context);
    cs_sheet_u64(sheet, job->degrees.data);
    cs_sheet_u64(sheet, job->degrees.pipeline);
    add_experts(sheet, job);
    cs_sheet_u64(sheet, job->degrees.chunks);
    cs_sheet_u64(sheet, (uint64_t)job->degrees.micro_batch);
    cs_sheet_u64(sheet, job->degrees.accumulation);
    cs_sheet_text(sheet, cs_data_kind_names[job->degrees.data_kind]);
    cs_sheet_text(sheet, cs_recompute_names[job->degrees.recompute]);
}

static void add_figures(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    struct cs_train_part parts[CS_TRAIN_PARTS];

    cs_sheet_real(sheet, result->step.step_s);
    cs_sheet_real(sheet, result->step.samples_per_s);
    if (cs_train_tokens_per_s(result) > 0)
        cs_sheet_real(sheet, cs_train_tokens_per_s(result));
    else
        cs_sheet_none(sheet);
    cs_sheet_real(sheet, cs_train_scaling_efficiency(result));
    cs_sheet_real(sheet, cs_train_flops_share(result));
    cs_sheet_text(sheet, cs_train_bottleneck(&result->step));
    cs_train_list_parts(&result->step, parts);
    for (int p = 0; p < CS_TRAIN_PARTS; ++p)
        cs_sheet_real(sheet, parts[p].seconds);
    cs_sheet_real(sheet, result->step.data_s);
}

static void add_memory(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    const struct cs_train_step *step = &result->step;
    const struct cs_train_variant *best = cs_train_fitting(result);

    cs_sheet_u64(sheet, (uint64_t)step->parameter_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->gradient_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->optimizer_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->activation_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->buffer_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->memory_bytes);
    cs_sheet_u64(sheet, (uint64_t)step->redundant_bytes);
    cs_sheet_bool(sheet, step->memory_bytes <= result->setup->job.gpu->memory_bytes);
    if (best) {
        cs_sheet_text(sheet, best->name);
        cs_sheet_real(sheet, best->speedup);
    } else {
        cs_sheet_none(sheet);
        cs_sheet_none(sheet);
    }
}

/* A cell of named numbers; none without them.  Frees the text. */
static void add_named(struct cs_sheet *sheet, struct cs_text *text)
{
    if (text->length)
        cs_sheet_text(sheet, cs_text_str(text));
    else
        cs_sheet_none(sheet);
    cs_text_free(text);
}

static void name_number(struct cs_text *text, const char *name, double number)
{
    char shown[CS_JSON_REAL_TEXT];

    cs_text_printf(text, "%s%s=%s", text->length ? "; " : "", name,
                   cs_json_show_real(shown, number));
}

/* Speedups of the settings and machines that the report lists. */
static void add_changes(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    struct cs_text text = {0};

    for (uint32_t v = 0; v < result->variant_count; ++v)
        if (cs_train_is_gain(result, &result->variants[v]))
            name_number(&text, result->variants[v].name, result->variants[v].speedup);
    add_named(sheet, &text);
}

/* "workers=8; mean staleness in updates=7": SI units, shares of 1. */
static void add_own_figures(struct cs_sheet *sheet, const struct cs_train_step *step)
{
    struct cs_text text = {0};

    for (uint32_t f = 0; f < step->figure_count; ++f)
        name_number(&text, step->figures[f].name, step->figures[f].value);
    add_named(sheet, &text);
}

static void add_traffic(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    struct cs_train_traffic traffic =
        cs_train_system_traffic(result->setup->system, &result->setup->job);
    const double bytes[] = {traffic.tensor,   traffic.expert, traffic.context, traffic.data,
                            traffic.pipeline, traffic.link,   traffic.adapter};

    for (size_t b = 0; b < sizeof(bytes) / sizeof(*bytes); ++b)
        cs_sheet_u64(sheet, (uint64_t)bytes[b]);
}

/* "nvlink4 x18=1630208000; ib-ndr=0": bytes by class of links. */
static void add_link_classes(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    struct cs_link_class classes[CS_LINK_CLASSES_MAX];
    uint32_t count = cs_train_link_classes(result, classes);
    struct cs_text most = {0}, all = {0};

    for (uint32_t c = 0; c < count; ++c) {
        name_number(&most, classes[c].name, round(classes[c].most));
        name_number(&all, classes[c].name, round(classes[c].all));
    }
    add_named(sheet, &most);
    add_named(sheet, &all);
}

static void add_row(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    add_job(sheet, result);
    add_figures(sheet, result);
    add_memory(sheet, result);
    add_changes(sheet, result);
    add_own_figures(sheet, &result->step);
    add_traffic(sheet, result);
    add_link_classes(sheet, result);
}

/* JSON of all sheets; CSV of the timeline. */
static void print_timeline(const struct cs_cli *cli, const struct cs_train_result *result,
                           const struct cs_sheet *sheet, int code, struct cs_err *err)
{
    struct cs_sheet timeline = {0}, use = {0};
    struct cs_text text = {0};
    struct cs_json json = {.out = &text};

    cs_train_timeline_sheet(result, &result->timeline, &timeline);
    if (result->given->scenario.format == CS_FORMAT_CSV) {
        cs_cli_sheet(cli, &timeline, CS_FORMAT_CSV);
    } else {
        if (code)
            cs_json_begin_error(&json, err->text, -code);
        else
            cs_json_object(&json);
        cs_sheet_json(sheet, &json);
        cs_sheet_json(&timeline, &json);
        cs_train_use_sheet(result, &result->timeline, &use);
        cs_sheet_json(&use, &json);
        cs_json_end(&json);
        fputs(cs_text_str(&text), cli->out);
        if (code)
            err->text[0] = '\0';
    }
    cs_text_free(&text);
    cs_sheet_free(&use);
    cs_sheet_free(&timeline);
}

void cs_train_fill_sheet(const struct cs_train_result *result, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "training", report_columns,
                   sizeof(report_columns) / sizeof(*report_columns));
    add_row(sheet, result);
    for (uint32_t f = 1; result->search && f < result->search->count; ++f) {
        struct cs_train_setup setup = *result->setup;
        struct cs_train_result next = *result;

        setup.job = result->search->best[f].job;
        next.setup = &setup;
        next.step = result->search->best[f].step;
        next.variant_count = 0;
        add_row(sheet, &next);
    }
}

void cs_train_sheet(const struct cs_cli *cli, const struct cs_train_result *result, int code,
                    struct cs_err *err)
{
    struct cs_sheet sheet = {0};

    cs_train_fill_sheet(result, &sheet);
    if (result->given->timeline)
        print_timeline(cli, result, &sheet, code, err);
    else
        cs_cli_sheet_until(cli, &sheet, result->given->scenario.format, code, err);
    cs_sheet_free(&sheet);
}
