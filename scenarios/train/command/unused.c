#include "scenarios/train/command/unused.h"

/* Flags, by their places in the options and in the job. */
static const struct {
    const char *name;
    size_t given, job;
} unused_flags[] = {
#define FLAG(option, field, place)                                                             \
    {                                                                                          \
        option, offsetof(struct cs_train_options, field), offsetof(struct cs_train_job, place) \
    }
    FLAG("--sequence-parallel", sequence_parallel, degrees.sequence_parallel),
    FLAG("--overlap-tensor", overlap_tensor, framework.overlap_tensor),
    FLAG("--overlap-gather", overlap_gather, framework.overlap_gather),
    FLAG("--channels-first", channels_first, framework.channels_first),
    FLAG("--row-scales", row_scales, framework.row_scales),
    FLAG("--device-graph", device_graph, framework.device_graph),
    FLAG("--blocking-collectives", blocking_collectives, framework.blocking_collectives),
    FLAG("--gathered-rows", gathered_rows, framework.gathered_rows),
    FLAG("--negotiated", negotiated, framework.negotiated),
    FLAG("--by-tensor", by_tensor, framework.by_tensor),
#undef FLAG
};

/* Whether the step of a changed job differs, or cannot be timed. */
static bool unused_differs(const struct cs_train_system *system, const struct cs_train_job *changed,
                           const struct cs_train_step *step)
{
    struct cs_train_step other;
    struct cs_err err = {0};

    return system->time(changed, &other, &err) || other.step_s != step->step_s ||
           other.memory_bytes != step->memory_bytes;
}

static void unused_note(const struct cs_cli *cli, const struct cs_train_setup *setup,
                        const char *name)
{
    fprintf(cli->messages, "note: %s has no effect on this job (%s, %s)\n", name, setup->model.name,
            setup->system->name);
}

static void unused_flag_notes(const struct cs_cli *cli, const struct cs_train_options *given,
                              const struct cs_train_setup *setup, const struct cs_train_step *step)
{
    for (size_t f = 0; f < sizeof(unused_flags) / sizeof(*unused_flags); f++) {
        struct cs_train_job changed = setup->job;

        if (!*(const bool *)((const char *)given + unused_flags[f].given))
            continue;
        *(bool *)((char *)&changed + unused_flags[f].job) = false;
        if (!unused_differs(setup->system, &changed, step))
            unused_note(cli, setup, unused_flags[f].name);
    }
}

static bool gives_servers(const struct cs_train_options *given)
{
    return given->servers.place || given->servers.count || given->servers.backups ||
           given->servers.straggler > 0 || given->jitter_ps;
}

/* Dedicated servers beyond one for each worker: the workers' ports are the limit. */
static void unused_servers_note(const struct cs_cli *cli, const struct cs_train_setup *setup,
                                const struct cs_train_step *step)
{
    const struct cs_site *site = setup->job.site;
    uint32_t workers = site->nodes > 1 ? site->nodes : site->ranks;
    struct cs_train_job fewer = setup->job;
    struct cs_train_step other;
    struct cs_err err = {0};

    fewer.servers.count = workers;
    if (setup->job.servers.place == CS_PS_DEDICATED && setup->job.servers.count > workers &&
        !setup->system->time(&fewer, &other, &err) && other.step_s <= 1.01 * step->step_s)
        fprintf(cli->messages,
                "note: %u servers are as fast as %u, within 1 %%: pushes and pulls are limited by "
                "the ports of the %u workers\n",
                workers, setup->job.servers.count, workers);
}

/* A note where the step is that of a job with another value. */
static void unused_value_note(const struct cs_cli *cli, const struct cs_train_setup *setup,
                              const struct cs_train_step *step, const struct cs_train_job *changed,
                              const char *name)
{
    if (!unused_differs(setup->system, changed, step))
        unused_note(cli, setup, name);
}

static void unused_value_notes(const struct cs_cli *cli, const struct cs_train_options *given,
                               const struct cs_train_setup *setup, const struct cs_train_step *step)
{
    struct cs_train_job changed = setup->job;

    changed.degrees.recompute = CS_RECOMPUTE_NONE;
    if (setup->job.degrees.recompute)
        unused_value_note(cli, setup, step, &changed, "--recompute");
    changed = setup->job;
    changed.degrees.schedule = CS_SCHEDULE_1F1B;
    if (given->schedule == CS_SCHEDULE_GPIPE)
        unused_value_note(cli, setup, step, &changed, "--schedule");
    changed = setup->job;
    changed.framework.bucket_bytes = given->bucket_bytes == 1 ? 2 : 1;
    if (given->bucket_bytes)
        unused_value_note(cli, setup, step, &changed, "--bucket-cap");
    changed = setup->job;
    changed.framework.one_process = false;
    changed.framework.launch_turns = 0;
    if (given->processes != CS_PROCESS_EACH)
        unused_value_note(cli, setup, step, &changed, "--processes");
    changed = setup->job;
    changed.degrees.imbalance = 0;
    if (given->imbalance > 1)
        unused_value_note(cli, setup, step, &changed, "--imbalance");
    changed = setup->job;
    changed.slot_overhead_s = 0;
    if (given->slot_ps)
        unused_value_note(cli, setup, step, &changed, "--slot-overhead");
    changed = setup->job;
    changed.degrees.first_batch = given->first_batch == 1 ? 2 : 1;
    if (given->first_batch)
        unused_value_note(cli, setup, step, &changed, "--first-batch");
    changed = setup->job;
    changed.batch_spread = 0;
    if (given->batch_spread)
        unused_value_note(cli, setup, step, &changed, "--batch-spread");
}

static void unused_server_notes(const struct cs_cli *cli, const struct cs_train_options *given,
                                const struct cs_train_setup *setup,
                                const struct cs_train_step *step)
{
    struct cs_train_job changed = setup->job;

    changed.servers = (struct cs_ps_setting){.straggler = 1e3};
    if (gives_servers(given) && !unused_differs(setup->system, &changed, step))
        unused_note(cli, setup, "an option of parameter servers");
    else
        unused_servers_note(cli, setup, step);
}

void cs_train_unused_notes(const struct cs_cli *cli, const struct cs_train_options *given,
                           const struct cs_train_setup *setup)
{
    struct cs_train_step step;
    struct cs_err err = {0};

    /* A search chooses settings of its own. */
    if (setup->system->searches || setup->system->time(&setup->job, &step, &err))
        return;
    unused_flag_notes(cli, given, setup, &step);
    unused_value_notes(cli, given, setup, &step);
    unused_server_notes(cli, given, setup, &step);
    if (given->loader_rate && !given->loader_workers)
        unused_note(cli, setup, "--loader-rate without --loader-workers");
}
