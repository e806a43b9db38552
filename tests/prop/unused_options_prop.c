/*
 * Options of random calls: each option of the registry that is given with a value
 * other than the default changes a result, is named in a note, or is refused; of
 * simulated runs and of calls of libraries, with their settings.
 */
#include "algorithms/libraries/settings.h"
#include "reports/results/fields.h"
#include "scenarios/run/case/unused.h"
#include "scenarios/run/command/unused_options.h"
#include "scenarios/run/library_call.h"
#include "scenarios/run/simulate.h"
#include "tests/unit/scenarios/run/opened.h"

#include <strings.h>

enum {
    TRIALS = 150,
    CALLS = 240, /* of libraries, which take no simulation */
    ARGV_MAX = 12,
};

static const char *const machines[] = {"dgx",
                                       "dgx-1",
                                       "mi250x",
                                       "switch:ranks=6",
                                       "ring:ranks=8",
                                       "gbe-4",
                                       "cluster:node=dgx-h100,nodes=2",
                                       "fat-tree:ranks=8,radix=4"};
/* A machine and a library that it has. */
static const char *const calls[][2] = {{"dgx-h100", "nccl"},
                                       {"dgx-1", "auto"},
                                       {"cluster:node=dgx-h100,nodes=2", "nccl"},
                                       {"cluster:node=dgx,nodes=4,fabric=rail", "nccl=2.18"},
                                       {"cluster:node=p5,nodes=2", "nccl"},
                                       {"cluster:node=mi250x,nodes=2", "rccl"},
                                       {"mi300x", "rccl"},
                                       {"cluster:node=hpc7g,nodes=4", "mpi"},
                                       {"gbe-4", "gloo"},
                                       {"ascend910", "hccl"}};
static const char *const sizes[] = {"8", "64KiB", "4MiB", "1GiB"};
static const char *const algos[] = {"ring", "multi-ring", "tree", "recursive-doubling"};
static const char *const models[] = {"fifo", "fluid", "packet", "postal"};

struct idle_trial {
    struct cs_arena arena;
    struct cs_random *random;
    uint32_t number;
    const char *argv[ARGV_MAX];
    int count;
};

/* Values of options whose type does not give one; NULL: the option is not drawn. */
static const char *special_value(const char *name)
{
    static const char *const values[][2] = {{"placement", "round-robin"},
                                            {"fault", "gpu0-gpu1:rate=50%"},
                                            {"jitter", "constant,value=1us"},
                                            {"straggler", "rank=1,slow=20%"},
                                            {"fabric", "rail"},
                                            {"transport", "nccl-ll128"},
                                            {"loggp", "L=1us"},
                                            {"dims", "2x4"},
                                            {"protocol", "ll"},
                                            {"platform", "dgx"},
                                            {"ring-order", "1,0,3,2"}};

    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
        if (!strcmp(values[i][0], name))
            return values[i][1];
    return NULL;
}

static const char *draw_setting(struct idle_trial *trial)
{
    const struct cs_setting *setting =
        &cs_settings_known[cs_random_below(trial->random, cs_settings_known_count)];
    uint32_t value =
        setting->least +
        (uint32_t)cs_random_below(trial->random, (uint64_t)setting->most - setting->least + 1);

    return setting->words
               ? cs_arena_printf(&trial->arena, "%s=%s", setting->name, setting->words[value])
               : cs_arena_printf(&trial->arena, "%s=%u", setting->name, value);
}

static const char *draw_value(struct idle_trial *trial, const struct cs_option *option)
{
    uint64_t number = option->least + 1 + cs_random_below(trial->random, 3);
    uint32_t words = 0;

    if (!strcmp(option->name, "setting"))
        return draw_setting(trial);
    switch (option->type) {
    case CS_OPTION_FLAG:
        return "";
    case CS_OPTION_COUNT:
        return cs_arena_printf(&trial->arena, "%llu", (unsigned long long)number);
    case CS_OPTION_BYTES:
        return cs_arena_printf(&trial->arena, "%lluKiB", 1ull << cs_random_below(trial->random, 8));
    case CS_OPTION_TIME:
        return "2ms";
    case CS_OPTION_RATE:
        return cs_arena_printf(&trial->arena, "%lluGB/s",
                               1ull << cs_random_below(trial->random, 12));
    case CS_OPTION_CHOICE:
        while (option->words[words])
            words++;
        return option->words[cs_random_below(trial->random, words)];
    default:
        return special_value(option->name);
    }
}

/* The question and the form of the answer are given with any value. */
static bool is_drawn(const struct cs_option *option)
{
    if (!option->name || option->use == CS_USE_ASKED || option->use == CS_USE_FORM ||
        !(option->commands & CS_FOR_RUN))
        return false;
    return !(option->type == CS_OPTION_SPECIAL || option->type == CS_OPTION_TEXT) ||
           !strcmp(option->name, "setting") || special_value(option->name);
}

/* Of a library's call, those that it takes: a rule refuses the others. */
static const struct cs_option *draw_option(struct idle_trial *trial, bool of_library)
{
    uint32_t count = 0;
    const struct cs_option *option;

    for (option = cs_scenario_options; !cs_option_is_end(option); option++)
        count++;
    do
        option = &cs_scenario_options[cs_random_below(trial->random, count)];
    while (!is_drawn(option) || (of_library && !option->for_library));
    return option;
}

static void add_word(struct idle_trial *trial, const char *word)
{
    trial->argv[trial->count++] = word;
}

static void draw_call(struct idle_trial *trial)
{
    add_word(trial, "--topo");
    add_word(trial, machines[cs_random_below(trial->random, COUNT(machines))]);
    add_word(trial, "--algo");
    add_word(trial, algos[cs_random_below(trial->random, COUNT(algos))]);
    add_word(trial, "--link-model");
    add_word(trial, models[cs_random_below(trial->random, COUNT(models))]);
    add_word(trial, "--size");
    add_word(trial, "64KiB");
}

static void draw_library_call(struct idle_trial *trial)
{
    const char *const *call = calls[cs_random_below(trial->random, COUNT(calls))];

    add_word(trial, "--topo");
    add_word(trial, call[0]);
    add_word(trial, "--library");
    add_word(trial, call[1]);
    add_word(trial, "--size");
    add_word(trial, sizes[cs_random_below(trial->random, COUNT(sizes))]);
}

static int time_call(struct opened *opened, struct cs_record *record)
{
    struct cs_library_calls library;
    const struct cs_scenario *scenario = &opened->scenario;
    int code;

    if (!scenario->by.library)
        return cs_simulate(&opened->which, &opened->arena, record, &opened->err);
    code = cs_library_calls_open(&opened->which, &opened->arena, &library, &opened->err);
    return code ? code : cs_library_call(&library, *scenario->sizes, *scenario->by.engines, record);
}

/* Runs the first `count` words; notes say what has no effect. */
static int run_call(struct idle_trial *trial, int count, struct opened *opened,
                    struct cs_record *record)
{
    char *argv[ARGV_MAX];
    int code;

    for (int i = 0; i < count; i++)
        argv[i] = cs_arena_text(&trial->arena, trial->argv[i]);
    code = opened_finish(opened, count, argv);
    if (code)
        return code;
    opened->scenario.unproven = true;
    opened->which = opened->scenario.by.library ? (struct cs_case){.scenario = &opened->scenario}
                                                : cs_case_of(&opened->scenario, 0);
    opened->which.notes = &opened->notes;
    code = time_call(opened, record);
    if (!code)
        cs_unused_options_note(&opened->scenario, &(struct cs_records){.items = record, .count = 1},
                               &opened->notes);
    return code;
}

/* Figures of time and traffic. */
static bool is_equal(const struct cs_record *a, const struct cs_record *b)
{
    return a->time_ps == b->time_ps && a->messages == b->messages &&
           a->bytes_sent_total == b->bytes_sent_total &&
           a->peak_extra_bytes_per_rank == b->peak_extra_bytes_per_rank &&
           a->lower_bound_s == b->lower_bound_s && a->wait_ps == b->wait_ps &&
           a->bandwidth_ps == b->bandwidth_ps && a->latency_ps == b->latency_ps &&
           (a->closed_form_s == b->closed_form_s ||
            (isnan(a->closed_form_s) && isnan(b->closed_form_s))) &&
           a->bottleneck_utilisation == b->bottleneck_utilisation && a->low_s == b->low_s &&
           a->high_s == b->high_s && a->library_channels == b->library_channels &&
           a->messages_resent == b->messages_resent && a->packets_dropped == b->packets_dropped &&
           a->spread.runs == b->spread.runs;
}

/* A choice, or a parameter of the algorithm, that is fixed to what would be chosen
 * anyway. */
static bool is_free(const struct cs_option *option, const char *value,
                    const struct cs_record *chosen)
{
    return option->type == CS_OPTION_CHOICE ||
           (chosen->protocol && !strcasecmp(value, chosen->protocol)) ||
           cs_option_is_of_algorithm(option);
}

static void fail_trial(const struct idle_trial *trial, const char *what)
{
    struct cs_text words = {0};

    for (int i = 0; i < trial->count; i++)
        cs_text_printf(&words, " %s", trial->argv[i]);
    fail_msg("COLLSIM_SEED=%" PRIu64 ", trial %u:%s: %s", fixture_seed(), trial->number,
             cs_text_str(&words), what);
}

enum outcome {
    REFUSED,
    CHANGES,
    NOTED,
};

static enum outcome try_option(struct idle_trial *trial, void (*draw)(struct idle_trial *))
{
    const struct cs_option *option = draw_option(trial, draw == draw_library_call);
    const char *value = draw_value(trial, option);
    struct opened plain, with;
    struct cs_record before = {.bottleneck = "", .protocol = "", .algorithm = ""}, after = before;
    enum outcome outcome = REFUSED;
    int base;

    draw(trial);
    base = trial->count;
    add_word(trial, cs_arena_printf(&trial->arena, "--%s", option->name));
    if (option->argument)
        add_word(trial, value);
    if (!run_call(trial, trial->count, &with, &after)) {
        bool is_noted = strstr(cs_text_str(&with.notes), " has no effect") != NULL;

        if (run_call(trial, base, &plain, &before))
            fail_trial(trial, "refused without the option alone");
        outcome = is_equal(&before, &after) ? NOTED : CHANGES;
        /* Devices of a cluster have other names. */
        if (strcmp(option->name, "fabric") != 0 && strcmp(before.bottleneck, after.bottleneck) != 0)
            outcome = CHANGES;
        if (outcome == NOTED && !is_noted &&
            !(option->standard && !strcmp(option->standard, value)) &&
            !(option->size && cs_option_equal(option, &with.scenario, &plain.scenario)) &&
            !is_free(option, value, &before))
            fail_trial(trial, "changes nothing, and no note says so");
        if (outcome == CHANGES && is_noted)
            fail_trial(trial, "a note denies an effect");
        opened_free(&plain);
    }
    opened_free(&with);
    return outcome;
}

static void try_options(uint32_t trials, void (*draw)(struct idle_trial *))
{
    struct cs_random *random = cs_random_open(fixture_seed(), "unused");
    uint32_t counts[NOTED + 1] = {0};

    for (uint32_t i = 0; i < trials; i++) {
        struct idle_trial trial = {.random = random, .number = i};

        counts[try_option(&trial, draw)]++;
        cs_arena_free(&trial.arena);
    }
    cs_random_close(random);
    print_message("%u refused, %u with an effect, %u without\n", counts[REFUSED], counts[CHANGES],
                  counts[NOTED]);
    assert_true(counts[CHANGES] > 0 && counts[NOTED] > 0);
}

TEST(an_option_of_a_run_has_an_effect_or_a_note)
{
    try_options(TRIALS, draw_call);
}

TEST(an_option_of_a_library_s_call_has_an_effect_or_a_note)
{
    try_options(CALLS, draw_library_call);
}
