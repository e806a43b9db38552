#include "scenarios/sweep/options.h"

#include "scenarios/options/number.h"
#include "sim/base/cores.h"
#include "sim/base/units.h"

#include <stdlib.h>
#include <string.h>

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

enum {
    SHARDS_MAX = 1 << 20
};

int cs_shard_read(const char *text, struct cs_shard *shard, struct cs_err *err)
{
    const char *slash = strchr(text, '/');
    struct cs_err inner = {0};
    struct cs_text first = {0};
    uint64_t number = 0, count = 0, whole;
    int code = slash ? 0 : CS_EINPUT;

    if (slash)
        cs_text_add_n(&first, text, (size_t)(slash - text));
    if (!code)
        code = cs_units_count(slash + 1, 1, SHARDS_MAX, &count, &inner);
    if (!code)
        code = cs_units_count(cs_text_str(&first), 1, count, &number, &inner);
    cs_text_free(&first);
    whole = count ? count : 8;
    if (code)
        return cs_err_set(
            err, CS_EINPUT, "'%.40s' is not a part of a whole; expected 1/%llu to %llu/%llu", text,
            (unsigned long long)whole, (unsigned long long)whole, (unsigned long long)whole);
    *shard = (struct cs_shard){(uint32_t)number, (uint32_t)count};
    return 0;
}

static int slurm_number(const char *name, uint64_t least, uint64_t *number, struct cs_err *err)
{
    const char *value = getenv(name);
    struct cs_err inner = {0};

    if (value && !cs_units_count(value, 0, UINT32_MAX, number, &inner) && *number >= least)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s is '%.20s'; expected a number from %llu, or --shard",
                      name, value ? value : "", (unsigned long long)least);
}

int cs_shard_of_slurm(struct cs_shard *shard, struct cs_err *err)
{
    uint64_t id = 0, count = 0, min = 1;
    int code;

    *shard = (struct cs_shard){0};
    if (!getenv("SLURM_ARRAY_TASK_ID"))
        return 0;
    code = slurm_number("SLURM_ARRAY_TASK_COUNT", 1, &count, err);
    if (!code && getenv("SLURM_ARRAY_TASK_MIN"))
        code = slurm_number("SLURM_ARRAY_TASK_MIN", 0, &min, err);
    if (!code)
        code = slurm_number("SLURM_ARRAY_TASK_ID", min, &id, err);
    if (code)
        return code;
    if (id - min >= count)
        return cs_err_set(err, CS_EINPUT,
                          "SLURM_ARRAY_TASK_ID %llu is beyond %llu tasks from %llu; expected an "
                          "array without gaps",
                          (unsigned long long)id, (unsigned long long)count,
                          (unsigned long long)min);
    *shard = (struct cs_shard){(uint32_t)(id - min + 1), (uint32_t)count};
    return 0;
}

void cs_shard_name(const struct cs_shard *shard, const char *db, struct cs_text *out)
{
    const char *slash = strrchr(db, '/');
    const char *dot = strrchr(slash ? slash : db, '.');
    size_t stem = dot && dot != db && dot != slash + 1 ? (size_t)(dot - db) : strlen(db);

    if (!shard->count) {
        cs_text_add(out, db);
        return;
    }
    cs_text_printf(out, "%.*s.%u-of-%u%s", (int)stem, db, shard->number, shard->count, db + stem);
}
