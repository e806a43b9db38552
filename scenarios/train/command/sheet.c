#include "scenarios/train/command/report.h"

#include "reports/results/json.h"
#include "scenarios/train/command/calibration.h"
#include "scenarios/train/command/timeline.h"
#include "scenarios/train/memory/traffic.h"
#include "topo/formats/source.h"

#include <math.h>

struct training_row {
    const struct cs_train_result *result;
    const struct cs_train_setup *setup;
    const struct cs_train_job *job;
    bool has_experts;
    uint32_t expert, expert_tensor;
    uint64_t micro_batch, model_parameters;
    double imbalance, tokens_per_s, scaling, flops_share;
    const char *largest;
    bool fits;
    const struct cs_train_variant *best; /* NULL: none fits */
    struct cs_train_traffic traffic;
    /* Named numbers, or NULL: speedups of the settings and machines that the report
     * lists; "workers=8; mean staleness in updates=7", SI units, shares of 1;
     * "nvlink4 x18=1630208000; ib-ndr=0", bytes by class of links. */
    const char *changes, *figures, *busiest, *all;
    const struct cs_train_calibration *log; /* NULL: none */
    bool has_log;
    struct cs_train_causes causes;
};

static const char *row_machine(const void *row)
{
    const struct training_row *training = row;

    return cs_topo_shown(training->result->given->scenario.topo);
}

#define AT(member)    CS_AT(struct training_row, member)
#define SETUP(member) CS_VIA(struct training_row, setup, member)
#define JOB(member)   CS_VIA(struct training_row, job, member)
#define STEP(member)  CS_VIA(struct training_row, result, step.member)
#define BEST(member)  CS_VIA(struct training_row, best, member)
#define EXPERTS       CS_WHEN(struct training_row, has_experts)
#define LOG(member)   CS_VIA(struct training_row, log, member)
#define CAUSE(member) AT(causes.member), CS_WHEN(struct training_row, has_log)
static const struct cs_sheet_column report_columns[] = {
    {"model", "model", NULL, CS_SHEET_TEXT, SETUP(model.name)},
    {"machine", "machine", NULL, CS_SHEET_TEXT, .text = row_machine},
    {"gpu", "gpu", NULL, CS_SHEET_TEXT, CS_VIA2(struct training_row, job, gpu, name)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, CS_VIA2(struct training_row, job, site, ranks)},
    {"system", "system", NULL, CS_SHEET_TEXT, CS_VIA2(struct training_row, setup, system, name)},
    {"backend", "backend", NULL, CS_SHEET_TEXT, CS_VIA2(struct training_row, job, library, name)},
    {"precision", "precision", NULL, CS_SHEET_TEXT, JOB(precision), .words = cs_precision_names},
    {"tensor", "tensor", NULL, CS_SHEET_COUNT, JOB(degrees.tensor)},
    {"context", "context", NULL, CS_SHEET_COUNT, JOB(degrees.context)},
    {"data", "data", NULL, CS_SHEET_COUNT, JOB(degrees.data)},
    {"pipeline", "pipeline", NULL, CS_SHEET_COUNT, JOB(degrees.pipeline)},
    {"expert", "expert", NULL, CS_SHEET_COUNT, AT(expert), EXPERTS},
    {"expert_tensor", "expert tensor", NULL, CS_SHEET_COUNT, AT(expert_tensor), EXPERTS},
    {"imbalance", "imbalance", NULL, CS_SHEET_REAL, AT(imbalance), EXPERTS},
    {"chunks", "chunks", NULL, CS_SHEET_COUNT, JOB(degrees.chunks)},
    {"micro_batch", "micro batch", NULL, CS_SHEET_COUNT, AT(micro_batch)},
    {"accumulation", "accumulation", NULL, CS_SHEET_COUNT, JOB(degrees.accumulation)},
    {"states", "states", NULL, CS_SHEET_TEXT, JOB(degrees.data_kind), .words = cs_data_kind_names},
    {"recompute", "recompute", NULL, CS_SHEET_TEXT, JOB(degrees.recompute),
     .words = cs_recompute_names},
    {"step_s", "step", NULL, CS_SHEET_SECONDS, STEP(step_s)},
    {"samples_per_s", "samples/s", NULL, CS_SHEET_REAL, STEP(samples_per_s)},
    {"tokens_per_s", "tokens/s", NULL, CS_SHEET_REAL, AT(tokens_per_s), CS_IF_POSITIVE},
    {"scaling_efficiency", "scaling", NULL, CS_SHEET_SHARE, AT(scaling)},
    {"flops_share_of_peak", "FLOPs", NULL, CS_SHEET_SHARE, AT(flops_share)},
    {"largest_part", "largest part", NULL, CS_SHEET_TEXT, AT(largest)},
#define PART(member, column, title, ...) {column, title, NULL, CS_SHEET_SECONDS, STEP(member)},
#include "scenarios/train/job/step_parts.def"
#undef PART
    {"data_s", "data, all", NULL, CS_SHEET_SECONDS, STEP(data_s)},
    {"parameter_bytes", "parameters", NULL, CS_SHEET_MEMORY, STEP(parameter_bytes)},
    {"gradient_bytes", "gradients", NULL, CS_SHEET_MEMORY, STEP(gradient_bytes)},
    {"optimizer_bytes", "optimizer", NULL, CS_SHEET_MEMORY, STEP(optimizer_bytes)},
    {"activation_bytes", "activations", NULL, CS_SHEET_MEMORY, STEP(activation_bytes)},
    {"buffer_bytes", "buffers", NULL, CS_SHEET_MEMORY, STEP(buffer_bytes)},
    {"memory_bytes", "memory", NULL, CS_SHEET_MEMORY, STEP(memory_bytes)},
    {"redundant_bytes", "redundant", NULL, CS_SHEET_MEMORY, STEP(redundant_bytes)},
    {"fits", "fits", NULL, CS_SHEET_BOOL, AT(fits)},
    {"best_change", "best change", NULL, CS_SHEET_TEXT, BEST(name)},
    {"best_change_speedup", "speedup", NULL, CS_SHEET_TIMES, BEST(speedup)},
    {"changes", "changes", NULL, CS_SHEET_NAMED, AT(changes)},
    {"figures", "figures", NULL, CS_SHEET_NAMED, AT(figures)},
    {"tensor_sent_bytes", "tensor sent", NULL, CS_SHEET_BYTES, AT(traffic.tensor)},
    {"expert_sent_bytes", "experts sent", NULL, CS_SHEET_BYTES, AT(traffic.expert)},
    {"context_sent_bytes", "context sent", NULL, CS_SHEET_BYTES, AT(traffic.context)},
    {"data_sent_bytes", "data sent", NULL, CS_SHEET_BYTES, AT(traffic.data)},
    {"pipeline_sent_bytes", "stages sent", NULL, CS_SHEET_BYTES, AT(traffic.pipeline)},
    {"link_bytes", "GPU link", NULL, CS_SHEET_BYTES, AT(traffic.link)},
    {"adapter_bytes", "adapter", NULL, CS_SHEET_BYTES, AT(traffic.adapter)},
    {"busiest_link_bytes", "busiest links", NULL, CS_SHEET_NAMED, AT(busiest)},
    {"all_link_bytes", "all links", NULL, CS_SHEET_NAMED, AT(all)},
    {"model_parameters", "parameters of the model", NULL, CS_SHEET_COUNT, AT(model_parameters)},
    {"measured_step_s", "measured", NULL, CS_SHEET_SECONDS, LOG(steps.median)},
    {"measured_low_s", "measured from", NULL, CS_SHEET_SECONDS, LOG(low_s)},
    {"measured_high_s", "measured to", NULL, CS_SHEET_SECONDS, LOG(high_s)},
    {"unlogged_step_s", "without log", NULL, CS_SHEET_SECONDS, LOG(predicted_s)},
    {"peak_s", "at the peak", NULL, CS_SHEET_SECONDS, CAUSE(peak_s)},
    {"slower_products_s", "slower products", NULL, CS_SHEET_SECONDS, CAUSE(slower_s)},
    {"memory_bound_s", "memory bound", NULL, CS_SHEET_SECONDS, CAUSE(memory_s)},
    {"launches_s", "launches", NULL, CS_SHEET_SECONDS, CAUSE(launches_s)},
    {"unexplained_s", "unexplained", NULL, CS_SHEET_SECONDS, CAUSE(unknown_s)},
};

/* NULL of an empty text, which is freed. */
static const char *take_named(struct cs_text *text, struct cs_arena *arena)
{
    const char *kept = text->length ? cs_arena_text(arena, cs_text_str(text)) : NULL;

    cs_text_free(text);
    return kept;
}

static void name_number(struct cs_text *text, const char *name, double number)
{
    char shown[CS_JSON_REAL_TEXT];

    cs_text_printf(text, "%s%s=%s", text->length ? "; " : "", name,
                   cs_json_show_real(shown, number));
}

static void name_numbers(struct training_row *row, struct cs_arena *arena)
{
    const struct cs_train_result *result = row->result;
    struct cs_class_use classes[CS_LINK_CLASSES_MAX];
    uint32_t count = cs_train_link_classes(result, classes);
    struct cs_text changes = {0}, figures = {0}, most = {0}, all = {0};

    for (uint32_t v = 0; v < result->variant_count; ++v)
        if (cs_train_is_gain(result, &result->variants[v]))
            name_number(&changes, result->variants[v].name, result->variants[v].speedup);
    for (uint32_t f = 0; f < result->step.figure_count; ++f)
        name_number(&figures, result->step.figures[f].name, result->step.figures[f].value);
    for (uint32_t c = 0; c < count; ++c) {
        name_number(&most, classes[c].name, round(classes[c].most));
        name_number(&all, classes[c].name, round(classes[c].all));
    }
    row->changes = take_named(&changes, arena);
    row->figures = take_named(&figures, arena);
    row->busiest = take_named(&most, arena);
    row->all = take_named(&all, arena);
}

static void add_row(struct cs_sheet *sheet, const struct cs_train_result *result)
{
    const struct cs_train_job *job = &result->setup->job;
    struct training_row row = {
        .result = result,
        .setup = result->setup,
        .job = job,
        .has_experts = job->model->transformer.experts > 0,
        .expert = cs_train_expert(job),
        .expert_tensor = cs_train_expert_tensor(job),
        .micro_batch = (uint64_t)job->degrees.micro_batch,
        .model_parameters = (uint64_t)result->setup->job.model->parameters,
        .tokens_per_s = cs_train_tokens_per_s(result),
        .scaling = cs_train_scaling_efficiency(result),
        .flops_share = cs_train_flops_share(result),
        .largest = cs_train_bottleneck(&result->step),
        .fits = result->step.memory_bytes <= job->gpu->memory_bytes,
        .best = cs_train_fitting(result),
        .traffic = cs_train_system_traffic(result->setup->system, job),
        .log = result->given->calibration,
        .has_log = result->given->calibration != NULL,
    };

    if (row.has_log)
        row.causes = cs_train_causes_of(result);
    if (row.has_experts)
        row.imbalance = cs_train_imbalance(job);
    name_numbers(&row, &sheet->arena);
    cs_sheet_row(sheet, &row);
}

/* JSON of all sheets; CSV of the timeline. */
static void print_timeline(const struct cs_cli *cli, const struct cs_train_result *result,
                           const struct cs_sheet *sheet)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet timeline = {0}, use = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_json json = {.out = &text};

    cs_train_timeline_sheet(result, &result->timeline, &timeline);
    if (result->given->scenario.format == CS_FORMAT_CSV) {
        cs_cli_sheet(cli, &timeline, CS_FORMAT_CSV);
    } else {
        cs_json_object(&json);
        cs_sheet_json(sheet, &json);
        cs_sheet_json(&timeline, &json);
        cs_train_use_sheet(result, &result->timeline, &use);
        cs_sheet_json(&use, &json);
        cs_json_end(&json);
        fputs(cs_text_str(&text), cli->out);
    }
}

void cs_train_fill_sheet(const struct cs_train_result *result, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "training", CS_COLUMNS(report_columns));
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

void cs_train_sheet(const struct cs_cli *cli, const struct cs_train_result *result)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_train_fill_sheet(result, &sheet);
    if (result->given->timeline)
        print_timeline(cli, result, &sheet);
    else
        cs_cli_sheet(cli, &sheet, result->given->scenario.format);
}
