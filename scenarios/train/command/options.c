#include "scenarios/commands.h"
#include "scenarios/options/file.h"
#include "scenarios/train/command/cases.h"
#include "scenarios/train/command/given.h"
#include "scenarios/train/job/parts.h"

#include <ctype.h>
#include <stdlib.h>

/* Reads the file into a struct cs_train_options (option.h).  CS_EINPUT with file
 * and line. */
static int set_scenario(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;

    bool asked = given->cases_asked;
    int code =
        cs_options_read_file(cs_command_train.options, value, given->scenario.arena, target, err);

    given->cases_asked = asked;
    return code;
}

static const char *const fusion_names[CS_FUSIONS + 1] = {"hand", "none", "compiled", NULL};
static const char *const router_names[] = {"plain", "maps", "fused", NULL};
static const char *const process_names[CS_PROCESSES + 1] = {"each", "one", "in-turn", NULL};
static const char *const schedule_names[CS_SCHEDULE_SERIAL + 1] = {"1f1b", "gpipe", "dualpipe",
                                                                   NULL};
static const char *const server_names[CS_PS_PLACES + 1] = {"dedicated", "colocated", "byteps",
                                                           NULL};
/* CS_BUCKETS_ALL, CS_BUCKETS_MEGATRON, CS_BUCKETS_TORCH. */
static const char *const bucket_names[] = {"all", "megatron", "torch", NULL};
static const char *const gradient_names[CS_TRAIN_GRADIENTS] = {"fp32", "fp16", "bf16", NULL};

enum {
    CUTS_MAX = 128,
};

/* "8,12,16": first blocks of the stages behind the first. */
static int set_cuts(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;
    uint32_t *cuts = cs_arena_alloc(given->scenario.arena, CUTS_MAX, sizeof(*cuts));
    const char *at = value;

    given->job.degrees.cuts = cuts;
    given->job.degrees.cut_count = 0;
    while (given->job.degrees.cut_count < CUTS_MAX) {
        char *end;
        unsigned long cut = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;

        if (!cut || cut > CS_RANKS_MAX)
            break;
        cuts[given->job.degrees.cut_count++] = (uint32_t)cut;
        if (!*end)
            return 0;
        if (*end != ',')
            break;
        at = end + 1;
    }
    return cs_err_set(
        err, CS_EINPUT,
        "cuts '%.40s' are not up to %d block numbers with commas between them, such as 8 or 5,9,14",
        value, CUTS_MAX);
}

static int set_parts(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;

    return cs_train_parts_read(value, &given->job.degrees.recompute_parts, err);
}

static int set_adapters(void *target, const char *value, struct cs_err *err)
{
    const unsigned all = 1u << CS_PART_KEYS | 1u << CS_PART_OUTPUT | 1u << CS_PART_FFN;
    unsigned *adapters = &((struct cs_train_options *)target)->job.degrees.adapters;

    if (cs_train_parts_read(value, adapters, NULL) || !*adapters || *adapters & ~all)
        return cs_err_set(
            err, CS_EINPUT,
            "'%.40s'; expected keys, output, ffn, all-linear, or modules (q_proj, linear_qkv)",
            value);
    return 0;
}

#define UP_TO(limit) .least = 1, .most = (limit)

const struct cs_option cs_train_option_table[] = {
#define TARGET  struct cs_train_options
#define OPTIONS "scenarios/train/options.def"
#include "scenarios/options/entries.def"
};

void cs_train_options_init(struct cs_train_options *given, struct cs_arena *arena)
{
    *given = (struct cs_train_options){
        .job = {.precision = CS_PRECISIONS, .degrees = {.recompute = CS_RECOMPUTES}},
        .attention = CS_ATTENTIONS};
    cs_scenario_init(&given->scenario, arena);
}
