#include "scenarios/sweep/options.h"

#include "scenarios/options/number.h"
#include "scenarios/options/words.h"
#include "sim/base/cores.h"

static int set_shard(void *target, const char *value, struct cs_err *err)
{
    return cs_shard_read(value, &((struct cs_sweep_options *)target)->shard, err);
}

static int set_task_time(void *target, const char *value, struct cs_err *err)
{
    double *seconds = &((struct cs_sweep_options *)target)->task_s;
    int code = cs_number_read(value, &cs_number_span, seconds, err);

    if (!code && !(*seconds >= 1e-3))
        return cs_err_set(err, CS_EINPUT, "'%.40s' is below 1ms", value);
    return code;
}

#define PLACE(member) CS_OPTION_AT(struct cs_sweep_options, member)

static const char *const engines[CS_SWEEP_EMITS] = {"slurm", "parallel", NULL};
static const char *const objectives[CS_SWEEP_OBJECTIVES] = {"time_s", "busbw_Bps", NULL};

const struct cs_option cs_sweep_option_table[] = {
#define TARGET  struct cs_sweep_options
#define OPTIONS "scenarios/sweep/options.def"
#include "scenarios/options/entries.def"
};

void cs_sweep_options_init(struct cs_sweep_options *options)
{
    *options = (struct cs_sweep_options){.workers = cs_cores_count()};
}

int cs_sweep_options_check(struct cs_sweep_options *options, struct cs_err *err)
{
    if (!options->file)
        return cs_err_set(err, CS_EINPUT, "no file of a sweep: collsim sweep FILE --db FILE");
    if (!options->db && !options->search)
        return cs_err_set(err, CS_EINPUT, "no database; add --db FILE");
    if (options->task_s > 0 && !options->emit)
        return cs_err_set(err, CS_EINPUT, "--time-per-task is for --emit; add --emit slurm");
    if (options->objective && !options->search)
        return cs_err_set(err, CS_EINPUT, "--objective is for --search; add --search");
    if (options->search && (options->db || options->emit || options->shard.count))
        return cs_err_set(
            err, CS_EINPUT,
            "--search finds one case and keeps none; leave --db, --emit and --shard out");
    if (options->shard.count || options->emit || options->search)
        return 0;
    return cs_shard_of_slurm(&options->shard, err);
}
