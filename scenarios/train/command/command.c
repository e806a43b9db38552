/*
 * train: the step of a training job, by cost models of kernels and collectives.
 */
#include "reports/results/store/store.h"
#include "reports/timeline/timeline.h"
#include "scenarios/commands.h"
#include "scenarios/trace/trace.h"
#include "scenarios/train/command/calibration.h"
#include "scenarios/train/command/cases.h"
#include "scenarios/train/command/given.h"
#include "scenarios/train/command/replay.h"
#include "scenarios/train/command/report.h"
#include "scenarios/train/command/result.h"
#include "scenarios/train/command/timeline.h"
#include "scenarios/train/command/unused.h"
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/model/library.h"
#include "sim/base/units.h"

#include <math.h>

static void add_train_help(struct cs_text *out)
{
    cs_text_add(out, "\nsystems:\n");
    for (size_t s = 0; s < cs_train_system_count; ++s)
        cs_text_printf(out, "  %-13s %s\n", cs_train_systems[s]->name, cs_train_systems[s]->about);
    cs_text_add(out, "\nmodels:\n ");
    for (size_t m = 0; m < cs_train_model_count; ++m)
        cs_text_printf(out, "%s %s", m && m % 6 == 0 ? "\n " : "", cs_train_model_names[m]);
    cs_text_add(out, "\n\nmodels of files, --model FORMAT:FILE:\n");
    for (size_t i = 0; i < cs_model_input_count; ++i)
        cs_text_printf(out, "  %-13s %s\n", cs_model_inputs[i]->name, cs_model_inputs[i]->about);
    cs_text_add(out, "\ntraces:\n");
    for (size_t t = 0; t < cs_trace_format_count; ++t)
        cs_text_printf(out, "  %-13s %s\n", cs_trace_formats[t]->name, cs_trace_formats[t]->about);
}

static void train_framework_note(const struct cs_cli *cli, const struct cs_train_options *given)
{
    const struct cs_framework *entry = given->framework_entry;

    if (entry && cs_framework_differs(given->framework, entry))
        fprintf(cli->messages, "note: --framework %s: there is no entry of its own; %s=%s counts\n",
                given->framework, entry->name, entry->release);
}

static void train_notes(const struct cs_cli *cli, const struct cs_train_options *given,
                        const struct cs_train_setup *setup)
{
    const struct cs_train_job *job = &setup->job;

    train_framework_note(cli, given);

    for (uint32_t n = 0; n < setup->graph.note_count; ++n)
        fprintf(cli->messages, "note: %s\n", setup->graph.notes[n]);
    if (job->degrees.chunks > 1 && job->degrees.accumulation % job->degrees.pipeline)
        fprintf(cli->messages,
                "note: %u micro batches do not divide into groups of %u stages: stages idle, and "
                "Megatron-LM refuses to interleave\n",
                job->degrees.accumulation, job->degrees.pipeline);
    if (job->sample_s > 0) {
        double least_s =
            3 * cs_train_model_flops(job->model) / job->gpu->flops_per_s[job->precision];

        if (job->sample_s < least_s)
            fprintf(cli->messages,
                    "note: --sample-time is %.3g times as fast as the peak of %s: the sample, the "
                    "unit or the GPU may be another\n",
                    least_s / job->sample_s, job->gpu->name);
        return;
    }
    if (!given->calibration)
        fprintf(cli->messages,
                "note: the compute time is predicted from shares of the data sheet's "
                "peaks; --sample-time takes a measured one\n");
}

/* Two blocks that are gathered beside a share may be more than all parameters. */
static void gathered_note(const struct cs_cli *cli, const struct cs_train_result *result)
{
    struct cs_train_job whole = result->setup->job;
    const struct cs_train_system *system;
    struct cs_train_step step;

    if (whole.degrees.data_kind != CS_DATA_ZERO3 || cs_train_system_find("zero2", &system, NULL))
        return;
    cs_train_system_prepare(system, &whole);
    if (!system->time(&whole, &step, NULL) && result->step.memory_bytes > step.memory_bytes + 1)
        fprintf(cli->messages,
                "note: the two blocks that are gathered at a time are more than sharded parameters "
                "save: %.3f GiB of memory, %.3f GiB with whole parameters (zero2)\n",
                result->step.memory_bytes / (1 << 30), step.memory_bytes / (1 << 30));
}

/* Unequal stages in their order take another time than the closed form. */
static void timeline_note(const struct cs_cli *cli, const struct cs_train_result *result)
{
    double end_s = result->timeline.end_s, step_s = result->step.step_s;

    if (fabs(end_s / step_s - 1) > 1e-3)
        fprintf(cli->messages,
                "note: the timeline ends after %s: passes of unequal stages in their order; the "
                "step of %s is the closed form\n",
                cs_show_seconds(end_s).text, cs_show_seconds(step_s).text);
}

/* Where one default holds the step: no faster link or GPU helps, another setting does. */
static void hold_notes(const struct cs_cli *cli, const struct cs_train_result *result)
{
    static const struct {
        const char *variant;
        double least;
        const char *holds, *then, *setting;
    } holds[] = {
        {cs_train_rdma, 1.25, "kernel TCP, not the rate of the links, holds",
         "by RDMA over the same links", "such as link=100gbe-roce"},
        {cs_train_one_graph, 2, "hosts, which launch kernel by kernel, hold", "as one CUDA graph",
         "--device-graph"},
    };

    for (uint32_t v = 0; v < result->variant_count; ++v)
        for (size_t h = 0; h < sizeof(holds) / sizeof(*holds); ++h)
            if (result->variants[v].name == holds[h].variant &&
                result->variants[v].speedup > holds[h].least)
                fprintf(cli->messages, "note: %s the step: %s, %s %s (%s)\n", holds[h].holds,
                        cs_show_seconds(result->step.step_s).text, holds[h].then,
                        cs_show_seconds(result->variants[v].step_s).text, holds[h].setting);
}

/* The timeline, where the report or a file has it. */
static int train_timeline(const struct cs_cli *cli, struct cs_train_result *result,
                          struct cs_err *err)
{
    const struct cs_train_options *given = result->given;
    int code;

    if (!given->timeline && !given->scenario.trace)
        return 0;
    if (cs_train_is_dual(&result->setup->job))
        return cs_err_set(err, CS_EINPUT,
                          "--schedule dualpipe has a closed form and no timeline; expected 1f1b "
                          "or gpipe with --timeline or --trace");
    code = cs_train_timeline(result, &result->timeline, err);
    if (!code)
        timeline_note(cli, result);
    if (!code && given->scenario.trace)
        code = cs_train_timeline_save(result, &result->timeline, err);
    if (!code)
        cs_cli_wrote(cli, given->scenario.trace);
    return code;
}

/* Puts the figures into the database of --db. */
static int train_store(const struct cs_cli *cli, const struct cs_train_result *result,
                       struct cs_err *err)
{
    const struct cs_database_wait wait = cs_progress_line_lock(cli->progress);
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    if (!result->given->scenario.db)
        return 0;
    cs_train_fill_sheet(result, &sheet);
    return cs_store_put_sheet(result->given->scenario.db, &wait, &sheet, result->given->request,
                              CS_VERSION, err);
}

/* A language model whose division the user leaves open; a framework's system is no choice of one. */
static bool train_is_open(const struct cs_train_options *given, const struct cs_train_setup *setup)
{
    const struct cs_train_job *job = &given->job;
    const struct cs_train_degrees *degrees = &job->degrees;

    return (!given->system || (given->implied && given->system == given->implied->system)) &&
           !setup->division.system && setup->model.transformer.layers && !given->calibration &&
           !(job->sample_s > 0) && !degrees->tensor && !degrees->context && !degrees->pipeline &&
           !degrees->data && !degrees->expert && !given->batch && !job->kept.micro_batch &&
           !job->kept.accumulation && degrees->recompute == CS_RECOMPUTES;
}

/* Computes the job; one that is open and exceeds the memory is the fastest that fits. */
static int train_compute(const struct cs_cli *cli, struct cs_train_options *given,
                         struct cs_train_setup *setup, struct cs_search *search,
                         struct cs_train_result *result, struct cs_err *err)
{
    int code = cs_train_compute(given, setup, search, result, err);
    double room = code ? 0 : setup->job.gpu->memory_bytes, bytes = result->step.memory_bytes;

    if (code || bytes <= room || !train_is_open(given, setup))
        return code;
    fprintf(cli->messages,
            "note: %s takes %.1f of %.0f GiB of a device: what follows is the fastest that fits "
            "(--system auto); --system %s keeps it\n",
            setup->system->name, bytes / (1 << 30), room / (1 << 30), setup->system->name);
    given->system = "auto";
    return cs_train_compute(given, setup, search, result, err);
}

static int train_job(const struct cs_cli *cli, struct cs_train_options *given, struct cs_err *err)
{
    struct cs_train_setup setup;
    struct cs_search search = {0};
    struct cs_train_result result;
    int code = train_compute(cli, given, &setup, &search, &result, err);

    if (code)
        return code;
    train_notes(cli, given, &setup);
    cs_train_unused_notes(cli, given, &setup);
    gathered_note(cli, &result);
    result.variant_count = cs_train_variants(setup.system, &setup.job, result.variants);
    hold_notes(cli, &result);
    code = train_timeline(cli, &result, err);
    if (!code)
        code = train_store(cli, &result, err);
    if (!code) {
        code = cs_train_check_memory(&result, err);
        cs_train_report(cli, &result);
    }
    cs_step_timeline_free(&result.timeline);
    return code;
}

static int cmd_train_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_options given;
    int code = cs_train_read(argc, argv, &arena, &given, err);

    given.request = cs_options_request(cs_command_train.options, argc, argv, &arena);
    if (given.plot)
        given.cases_asked = true;
    if (!code && given.replay && given.log)
        code = cs_err_set(err, CS_EINPUT, "--log is for a model, --replay is a trace; give one");
    if (!code && given.log)
        code = cs_train_calibrate(&given, err);
    if (!code && given.cases_asked)
        code = cs_train_cases(cli, &given, err);
    if (code || given.cases_asked)
        return code;
    cs_cluster_finish(&given.scenario);
    if (!given.replay && (given.compute_scale > 0 || given.size_scale > 0 || given.collective_algo))
        code = cs_err_set(err, CS_EINPUT,
                          "--compute-scale, --size-scale and --collective-algo are for a trace; "
                          "add --replay FILE");
    if (!code && given.replay && given.scenario.db)
        code = cs_err_set(err, CS_EINPUT,
                          "--db keeps predicted steps, not replayed traces; leave it out");
    if (!code && given.scenario.trace)
        code = cs_chrome_trace_check(given.scenario.trace, given.scenario.force, err);
    if (!code)
        code = given.replay ? cs_train_replay(cli, &given, err) : train_job(cli, &given, err);
    return code;
}

const struct cs_command cs_command_train = {
    .name = "train",
    .usage = "collsim train --topo MACHINE --model NAME [OPTION ...]\n"
             "       collsim train --topo MACHINE --replay TRACE [OPTION ...]",
    .about = "predict the step of a training job",
    .options = {.own = cs_train_option_table,
                .shared = cs_scenario_options,
                .command = CS_FOR_TRAIN,
                .list = cs_train_add_list},
    .notes =
        "'collsim list train-systems', train-models, train-gpus and frameworks list the names.\n"
        "Exit status 1 for a job that exceeds the memory of a device.\n",
    .add_help = add_train_help,
    .help_is_long = true,
    .run = cmd_train_run,
};
