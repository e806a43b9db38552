#include "scenarios/run/command/unused_options.h"

#include "reports/results/fields.h"
#include "scenarios/options/options.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/case/unused.h"
#include "scenarios/run/library_call.h"
#include "scenarios/run/simulate.h"

#include <string.h>

enum {
    MESSAGES_MAX = 100000, /* of a repeated run: below 0.1 s in model packet */
};

/* ---- results ---- */

/* Besides the request: figures of the option itself, of the proof, and of how the
 * result came about. */
static bool unused_is_result(const struct cs_field *field)
{
    static const char *const others[] = {"folding",     "data_flow",         "data_flow_skipped",
                                         "healthy_s",   "slowdown",          "healthy_bottleneck",
                                         "planned_for", "version",           "detour",
                                         "fingerprint", "has_reduce_scatter"};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (cs_same(field->name, others[i]) && !field->group)
            return false;
    return !field->is_request && field->known != CS_KNOWN_TRIED &&
           field->known != CS_KNOWN_PROVED && field->known != CS_KNOWN_SCATTER;
}

static bool unused_is_same(const struct cs_record *a, const struct cs_record *b)
{
    for (size_t i = 0; i < cs_record_fields.count; i++) {
        const struct cs_field *field = &cs_record_fields.item[i];

        if (!unused_is_result(field))
            continue;
        if (cs_field_known(field, a) != cs_field_known(field, b) ||
            (cs_field_known(field, a) && !cs_field_same(field, a, b)))
            return false;
    }
    return true;
}

/* ---- runs ---- */

/* How the given option at `at` is changed back; NULL: it is left out. */
struct unused_change {
    uint32_t at;
    const char *value;
};

/* Reads the given options with a change. */
static int unused_read(const struct cs_option_log *given, struct unused_change change,
                       struct cs_arena *arena, struct cs_scenario *scenario)
{
    static const struct cs_option_tables tables = {.shared = cs_scenario_options,
                                                   .command = CS_FOR_RUN};
    char **argv = cs_arena_alloc(arena, 2 * (size_t)given->count, sizeof(char *));
    struct cs_err ignored = {0};
    int count = 0;
    int code;

    for (uint32_t i = 0; i < given->count; i++) {
        const struct cs_given *one = &given->items[i];

        const char *value = i == change.at ? change.value : one->value;

        if (!value)
            continue;
        argv[count++] = cs_arena_printf(arena, "--%s", one->option->name);
        if (one->option->argument)
            argv[count++] = cs_arena_text(arena, value);
    }
    cs_scenario_init(scenario, arena);
    code = cs_options_read(tables, count, argv, scenario, &ignored);
    return code ? code : cs_scenario_finish(scenario, &ignored);
}

/* The record of a single run or call. */
static int unused_run(struct cs_scenario *scenario, struct cs_arena *arena,
                      struct cs_record *record)
{
    struct cs_library_calls calls;
    struct cs_err ignored = {0};
    struct cs_case which = {.scenario = scenario,
                            .ranks = scenario->rank_count ? *scenario->ranks : 0};
    int code;

    scenario->unproven = true;
    if (!scenario->by.library) {
        which = cs_case_of(scenario, 0);
        return cs_simulate(&which, arena, record, &ignored);
    }
    code = cs_library_calls_open(&which, arena, &calls, &ignored);
    return code ? code : cs_library_call(&calls, *scenario->sizes, *scenario->by.engines, record);
}

static bool unused_changed_back(const struct cs_scenario *scenario, struct unused_change change,
                                const struct cs_record *record)
{
    struct cs_arena arena = {0};
    struct cs_scenario without;
    struct cs_record other;
    bool same = !unused_read(&scenario->given, change, &arena, &without) &&
                !unused_run(&without, &arena, &other) && unused_is_same(record, &other);

    cs_arena_free(&arena);
    return same;
}

/* A choice that the user fixed to the default has an effect by its other words. */
static bool unused_by_words(const struct cs_scenario *scenario, uint32_t at,
                            const struct cs_record *record)
{
    const struct cs_option *option = scenario->given.items[at].option;

    if (option->type != CS_OPTION_CHOICE)
        return true;
    for (uint32_t i = 0; option->words[i]; i++)
        if (!unused_changed_back(scenario, (struct unused_change){at, option->words[i]}, record))
            return false;
    return true;
}

/* Devices of a cluster have other names, so that the default is stated, too. */
static bool unused_is_idle(const struct cs_scenario *scenario, uint32_t at,
                           const struct cs_record *record)
{
    const struct cs_option *option = scenario->given.items[at].option;
    const struct unused_change left_out = {at, NULL};
    const struct unused_change standard = {at, option->standard};

    return (unused_changed_back(scenario, left_out, record) ||
            (option->standard && unused_changed_back(scenario, standard, record))) &&
           unused_by_words(scenario, at, record);
}

/* ---- options ---- */

/* The default, stated. */
static bool unused_is_standard(const struct cs_given *given)
{
    return given->option->standard && cs_same(given->value, given->option->standard);
}

/* Whether a note says so already, by the name or by the value. */
static bool unused_is_noted(const struct cs_given *given, const struct cs_text *notes)
{
    char name[64];
    const char *at = cs_text_str(notes);

    snprintf(name, sizeof(name), "--%s ", given->option->name);
    while ((at = strstr(at, " has no effect"))) {
        const char *line = at;
        size_t length = strlen(given->value);

        while (line > cs_text_str(notes) && line[-1] != '\n')
            line--;
        if (!strncmp(line, name, strlen(name)) || ((size_t)(at - line) >= length && length &&
                                                   !strncmp(at - length, given->value, length)))
            return true;
        at++;
    }
    return false;
}

static bool unused_is_few(const struct cs_scenario *scenario, const struct cs_record *record)
{
    if (scenario->memory || scenario->trace || scenario->size_count > 1 || scenario->rank_count > 1)
        return false;
    if (scenario->by.library)
        return scenario->by.engine_count == 1;
    return scenario->choice == CS_CHOICE_NAMED && scenario->algo_count == 1 &&
           record->messages * (record->spread.runs ? record->spread.runs : 1) <= MESSAGES_MAX;
}

void cs_unused_options_note(const struct cs_scenario *scenario, const struct cs_record *record,
                            struct cs_text *notes)
{
    const struct cs_option_log *log = &scenario->given;

    if (!unused_is_few(scenario, record))
        return;
    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_given *given = &log->items[i];

        if (given->option->always_used || cs_option_is_of_algorithm(given->option) ||
            unused_is_standard(given) || unused_is_noted(given, notes) ||
            !unused_is_idle(scenario, i, record))
            continue;
        cs_text_printf(notes, "--%s%s%s has no effect here\n", given->option->name,
                       *given->value ? " " : "", given->value);
    }
}
