#include "scenarios/sweep/options.h"

#include "scenarios/sweep/case.h"
#include "sim/base/clock.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdlib.h>

enum {
    SAMPLE = 48,   /* cases of the estimate */
    SAMPLE_S = 10, /* time for the sample */
    TASKS_MAX = 1000,
    TASK_S = 600, /* of a task by default */
};

/* Seconds of all cases on one core, from an evenly spread sample. */
static double estimate_s(const struct cs_sweep *sweep, uint32_t *sampled)
{
    uint64_t count = sweep->cases < SAMPLE ? sweep->cases : SAMPLE;
    CS_AT_END(cs_sweep_worker_free) struct cs_sweep_worker worker = {0};
    double began_s = cs_clock_s();

    for (*sampled = 0; *sampled < count && cs_clock_s() - began_s < SAMPLE_S; ++*sampled) {
        /* The order of a bit reversal: a sample that ends early is spread, too. */
        uint64_t number = *sampled * (uint64_t)29 % count * sweep->cases / count;
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_record record;
        struct cs_err ignored = {0};

        (void)cs_sweep_compute(&worker, sweep, number, &arena, &record, &ignored);
    }
    return (cs_clock_s() - began_s) / *sampled * (double)sweep->cases;
}

static void put_quoted(struct cs_text *out, const char *text)
{
    cs_text_add(out, "'");
    for (; *text; ++text)
        if (*text == '\'')
            cs_text_add(out, "'\\''");
        else
            cs_text_add_n(out, text, 1);
    cs_text_add(out, "'");
}

/* The file behind /proc/self/exe: a script runs elsewhere. */
static void put_program(const struct cs_cli *cli, struct cs_text *out)
{
    char *path = realpath(cli->program, NULL);

    put_quoted(out, path ? path : cli->program);
    free(path);
}

static void put_command(const struct cs_cli *cli, const struct cs_sweep_options *options,
                        struct cs_text *out)
{
    put_program(cli, out);
    cs_text_add(out, " sweep ");
    put_quoted(out, options->file);
    cs_text_add(out, " --db ");
    put_quoted(out, options->db);
}

static void put_merge(const struct cs_cli *cli, const struct cs_sweep_options *options,
                      uint32_t tasks, struct cs_text *out)
{
    cs_text_add(out, "# Afterwards:\n#   ");
    put_program(cli, out);
    cs_text_add(out, " merge --out ");
    put_quoted(out, options->db);
    for (uint32_t t = 1; t <= tasks; ++t) {
        struct cs_shard shard = {t, tasks};
        CS_AT_END(cs_text_free) struct cs_text name = {0};

        if (t > 3 && t < tasks)
            continue;
        if (t == tasks && tasks > 4)
            cs_text_add(out, " ...");
        cs_shard_name(&shard, options->db, &name);
        cs_text_add(out, " ");
        put_quoted(out, cs_text_str(&name));
    }
    cs_text_add(out, "\n");
}

static void put_slurm(const struct cs_cli *cli, const struct cs_sweep_options *options,
                      uint32_t tasks, double task_s, struct cs_text *out)
{
    /* Half as long again and two minutes, in whole minutes. */
    uint64_t minutes = (uint64_t)ceil(task_s * 1.5 / 60) + 2;

    cs_text_printf(out,
                   "#SBATCH --job-name=collsim\n#SBATCH --array=1-%u\n"
                   "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n"
                   "#SBATCH --time=%llu\n#SBATCH --requeue\n\n",
                   tasks, (unsigned long long)minutes);
    put_command(cli, options, out);
    cs_text_add(out, " -j \"${SLURM_CPUS_PER_TASK:-1}\"\n");
}

static void put_parallel(const struct cs_cli *cli, const struct cs_sweep_options *options,
                         uint32_t tasks, struct cs_text *out)
{
    cs_text_printf(out, "seq 1 %u | parallel ", tasks);
    put_command(cli, options, out);
    cs_text_printf(out, " -j 1 --shard {}/%u\n", tasks);
}

int cs_sweep_emit(const struct cs_cli *cli, const struct cs_sweep_options *options,
                  const struct cs_sweep *sweep, struct cs_err *err)
{
    double wanted_s = options->task_s > 0 ? options->task_s : TASK_S;
    CS_AT_END(cs_text_free) struct cs_text script = {0};
    uint32_t sampled, tasks;
    double all_s = estimate_s(sweep, &sampled);
    double many = ceil(all_s / wanted_s);

    if (many > TASKS_MAX)
        many = TASKS_MAX;
    if (many > (double)sweep->cases)
        many = (double)sweep->cases;
    tasks = many < 1 ? 1 : (uint32_t)many;
    cs_text_printf(
        &script,
        "#!/bin/sh\n# %llu cases, about %s on one core by %u of them; %u task%s of about %s.\n",
        (unsigned long long)sweep->cases, cs_show_seconds(all_s).text, sampled, tasks,
        tasks == 1 ? "" : "s", cs_show_seconds(all_s / tasks).text);
    put_merge(cli, options, tasks, &script);
    if (options->emit == CS_EMIT_SLURM)
        put_slurm(cli, options, tasks, all_s / tasks, &script);
    else
        put_parallel(cli, options, tasks, &script);
    return cs_cli_write(cli, NULL, &script, err);
}
