#include "scenarios/tune/ranges.h"

#include "sim/base/units_show.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>

/* ---- ranges ---- */

static bool tune_is_same(const struct cs_tune_range *range, const struct cs_best_choice *choice,
                         bool changes)
{
    const struct cs_best_choice *first = &range->at_first;

    if (range->changes != changes)
        return false;
    if (!changes)
        return cs_same(first->chosen.engine, choice->chosen.engine) &&
               cs_same(first->chosen.protocol, choice->chosen.protocol);
    return cs_same(first->best.engine, choice->best.engine) &&
           cs_same(first->best.protocol, choice->best.protocol) &&
           first->channels == choice->channels;
}

void cs_tuning_add(struct cs_tuning *tuning, uint64_t bytes, const struct cs_best_choice *choice,
                   bool all)
{
    bool changes = choice->is_gain || (all && choice->gain > 0);
    struct cs_tune_range *range = NULL;

    assert(tuning->ranges); /* one for each size */
    if (tuning->count)
        range = &tuning->ranges[tuning->count - 1];
    if (range && tune_is_same(range, choice, changes)) {
        range->last = bytes;
        range->least_gain = fmin(range->least_gain, choice->gain);
        range->most_gain = fmax(range->most_gain, choice->gain);
        return;
    }
    tuning->ranges[tuning->count++] = (struct cs_tune_range){
        .first = bytes,
        .last = bytes,
        .at_first = *choice,
        .changes = changes,
        .least_gain = choice->gain,
        .most_gain = choice->gain,
    };
}

void cs_tuning_drop_lone(struct cs_tuning *tuning)
{
    for (uint32_t i = 1; i + 1 < tuning->count; i++) {
        struct cs_tune_range *is = &tuning->ranges[i];
        bool has_neighbours = is[-1].last >= is->first / 2 && is[1].first / 2 <= is->last;

        is->is_lone = is->changes && is->first == is->last && has_neighbours && !is[-1].changes &&
                      !is[1].changes;
    }
    for (uint32_t i = 0; i < tuning->count; i++)
        tuning->ranges[i].changes &= !tuning->ranges[i].is_lone;
}

/* ---- CSV ---- */

/* "nvls-tree" as nvls_tree, "all-reduce" as allreduce. */
static void tune_put_name(const char *name, const char *dash, struct cs_text *out)
{
    for (; *name; name++)
        if (*name == '-')
            cs_text_add(out, dash);
        else
            cs_text_add_n(out, name, 1);
}

/* Sizes between two of the table belong to the smaller. */
static uint64_t tune_end(const struct cs_tuning *tuning, uint32_t i)
{
    return i + 1 < tuning->count ? tuning->ranges[i + 1].first - 1 : tuning->ranges[i].last;
}

static void tune_put_channels(const struct cs_tune_range *range, struct cs_text *out)
{
    if (range->at_first.channels)
        cs_text_printf(out, ",%u", range->at_first.channels);
    else
        cs_text_add(out, ",-1");
}

void cs_tuning_put_csv(const struct cs_tuning *tuning, struct cs_text *out)
{
    cs_text_add(out, "# "
                     "collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,"
                     "numPipeOps,regBuff\n");
    for (uint32_t i = 0; i < tuning->count; i++) {
        const struct cs_tune_range *range = &tuning->ranges[i];

        if (!range->changes)
            continue;
        tune_put_name(tuning->collective->name, "", out);
        cs_text_printf(out, ",%llu,%llu,", (unsigned long long)range->first,
                       (unsigned long long)tune_end(tuning, i));
        tune_put_name(range->at_first.best.engine, "_", out);
        cs_text_printf(out, ",%s", range->at_first.best.protocol);
        tune_put_channels(range, out);
        cs_text_printf(out, ",%u,%u,-1,-1\n", tuning->nodes, tuning->ranks);
    }
}

/* ---- variables ---- */

/* "LL128", "NVLSTREE": NCCL reads names of any case, without signs. */
static void tune_put_upper(const char *name, struct cs_text *out)
{
    for (; *name; name++)
        if (*name != '-')
            cs_text_printf(out, "%c", toupper((unsigned char)*name));
}

void cs_tuning_put_env(const struct cs_tuning *tuning, struct cs_text *out)
{
    for (uint32_t i = 0; i < tuning->count; i++) {
        const struct cs_tune_range *range = &tuning->ranges[i];

        if (!range->changes)
            continue;
        cs_text_printf(out, "NCCL_ALGO=");
        tune_put_upper(range->at_first.best.engine, out);
        cs_text_add(out, " NCCL_PROTO=");
        tune_put_upper(range->at_first.best.protocol, out);
        if (range->at_first.channels)
            cs_text_printf(out, " NCCL_MAX_NCHANNELS=%u", range->at_first.channels);
        cs_text_printf(out, "  # %s of %s to %s: %.0f to %.0f %% faster\n",
                       tuning->collective->name, cs_show_bytes(range->first).text,
                       cs_show_bytes(range->last).text, 100 * range->least_gain,
                       100 * range->most_gain);
    }
}
