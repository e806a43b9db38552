#include "scenarios/run/command/unused_options.h"

#include "algorithms/libraries/library.h"
#include "algorithms/libraries/settings.h"
#include "reports/results/fields.h"
#include "scenarios/options/unused.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/case/unused.h"
#include "scenarios/run/library_call.h"
#include "scenarios/run/simulate.h"
#include "scenarios/run/slower_run.h"
#include "sim/base/units_show.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum {
    MESSAGES_MAX = 100000, /* of a repeated run: below 0.1 s in model packet */
    CASES_MAX = 64,        /* that are simulated for the comparison alone */
};

/* ---- results ---- */

/* Besides the request: figures of the option itself, of the proof, and of how the
 * result came about. */
static bool unused_is_result(const struct cs_field *field)
{
    static const char *const others[] = {
        "folding",     "data_flow",          "data_flow_skipped",  "healthy_s",
        "slowdown",    "healthy_bottleneck", "planned_for",        "version",
        "detour",      "fingerprint",        "has_reduce_scatter", "matters_most",
        "matters_next"};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (cs_same(field->value.name, others[i]) && !field->group)
            return false;
    return !field->is_request && field->known != CS_KNOWN_PROVED &&
           field->known != CS_KNOWN_SCATTER;
}

/* The rest of a text behind prefixes of the only node of a cluster, which a machine that
 * stands alone does not have: "n0.gpu1" is "gpu1". */
static const char *unused_names_from(const char *text, const char *at)
{
    static const char node[] = "n0.";

    return (at == text || !isalnum((unsigned char)at[-1])) && !strncmp(at, node, strlen(node))
               ? at + strlen(node)
               : at;
}

static bool unused_is_same_text(const char *a, const char *b)
{
    const char *at = unused_names_from(a, a), *other = unused_names_from(b, b);

    while (*at && *at == *other) {
        at = unused_names_from(a, at + 1);
        other = unused_names_from(b, other + 1);
    }
    return *at == *other;
}

static bool unused_is_same_field(const struct cs_field *field, const struct cs_record *a,
                                 const struct cs_record *b)
{
    struct cs_sheet_cell one = cs_field_cell(field, a), other = cs_field_cell(field, b);

    if (!one.known || !other.known)
        return one.known == other.known;
    return cs_sheet_is_text(field->value.kind) ? unused_is_same_text(one.is.text, other.is.text)
                                               : cs_field_same(field, a, b);
}

static bool unused_is_same(const struct cs_record *a, const struct cs_record *b)
{
    for (size_t i = 0; i < cs_record_fields.count; i++) {
        const struct cs_field *field = &cs_record_fields.item[i];

        if (unused_is_result(field) && !unused_is_same_field(field, a, b))
            return false;
    }
    return true;
}

/* ---- runs ---- */

struct unused_asked {
    const struct cs_scenario *scenario;
    const struct cs_records *records; /* of runs: in the order of cases; of calls: ranks by ranks */
};

/* Whether all runs have the same results. */
static int unused_same_runs(struct cs_scenario *scenario, const struct cs_records *records,
                            struct cs_arena *arena, bool *same)
{
    struct cs_err ignored = {0};
    struct cs_record other;
    int code = 0;

    *same = cs_case_count(scenario) == records->count;
    for (size_t i = 0; i < records->count && *same && !code; i++) {
        struct cs_case which = cs_case_of(scenario, i);

        code = cs_simulate(&which, arena, &other, &ignored);
        *same = !code && unused_is_same(&records->items[i], &other);
    }
    return code;
}

/* Whether all calls have the same results. */
static int unused_same_calls(const struct cs_scenario *scenario, const struct cs_records *records,
                             struct cs_arena *arena, bool *same)
{
    struct cs_case which = {.scenario = scenario};
    struct cs_library_calls calls;
    struct cs_err ignored = {0};
    struct cs_record other;
    int code = 0;

    *same = true;
    for (size_t i = 0; i < records->count && *same && !code; i++) {
        const struct cs_record *record = &records->items[i];

        if (i == 0 || record->ranks != records->items[i - 1].ranks) {
            which.ranks = scenario->rank_count ? record->ranks : 0;
            code = cs_library_calls_open(&which, arena, &calls, &ignored);
        }
        if (!code)
            code = cs_library_call(&calls, record->bytes, *scenario->by.engines, &other);
        *same = !code && unused_is_same(record, &other);
    }
    return code;
}

/* The run that the options of the log, with the change, ask for. */
static int unused_read(const struct cs_option_log *log, struct cs_option_change change,
                       struct cs_arena *arena, struct cs_scenario *run)
{
    static const struct cs_option_tables tables = {.shared = cs_scenario_options,
                                                   .command = CS_FOR_RUN};
    struct cs_err ignored = {0};
    int code;

    cs_scenario_init(run, arena);
    code = cs_options_read_changed(tables, log, change, run);
    if (!code)
        code = cs_scenario_finish(run, &ignored);
    run->unproven = true;
    return code;
}

/* Of struct cs_unused. */
static enum cs_option_answer unused_answer(void *ctx, struct cs_option_change change)
{
    const struct unused_asked *asked = ctx;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_scenario without;
    bool same = false;
    int code = unused_read(&asked->scenario->given, change, &arena, &without);

    if (!code && without.by.library)
        code = unused_same_calls(&without, asked->records, &arena, &same);
    else if (!code)
        code = unused_same_runs(&without, asked->records, &arena, &same);
    if (code)
        return CS_ANSWER_NONE;
    return same ? CS_ANSWER_SAME : CS_ANSWER_OTHER;
}

/* ---- options ---- */

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
        if ((!strncmp(line, name, strlen(name)) &&
             (at < line + strlen(name) || !strncmp(line + strlen(name), given->value, length))) ||
            (*line != '-' && (size_t)(at - line) >= length && length &&
             !strncmp(at - length, given->value, length)))
            return true;
        at++;
    }
    return false;
}

static bool unused_is_few(const struct cs_scenario *scenario, const struct cs_records *records)
{
    uint64_t messages = 0;

    if (scenario->memory || scenario->trace || records->count == 0)
        return false;
    if (scenario->by.library)
        return scenario->by.engine_count == 1;
    for (size_t i = 0; i < records->count && messages <= MESSAGES_MAX; i++) {
        uint32_t runs = records->items[i].spread.runs;

        messages += records->items[i].messages * (runs ? runs : 1);
    }
    return scenario->choice == CS_CHOICE_NAMED && records->count == cs_case_count(scenario) &&
           messages <= MESSAGES_MAX;
}

/* A setting without effect is no parameter of a result. */
static void unused_unlist(const char *setting, struct cs_arena *arena, struct cs_record *record)
{
    const struct cs_record_parameter *all = record->parameter;
    struct cs_record_parameter *kept =
        cs_arena_alloc(arena, record->parameter_count + 1, sizeof(*kept));
    size_t length = strcspn(setting, "=");
    uint32_t count = 0;

    for (uint32_t i = 0; i < record->parameter_count; i++)
        if (strlen(all[i].name) != length || strncasecmp(all[i].name, setting, length) != 0)
            kept[count++] = all[i];
    record->parameter = kept;
    record->parameter_count = count;
    record->parameters = cs_record_join(kept, count, arena);
}

static void unused_put(const struct cs_scenario *scenario, const struct cs_option *option,
                       const char *value, const struct cs_records *records, struct cs_text *notes)
{
    const char *about = "";

    if (cs_same(option->name, "setting")) {
        about = cs_setting_about(value);
        for (size_t i = 0; i < records->count; i++)
            unused_unlist(value, scenario->arena, &records->items[i]);
    }
    cs_text_printf(notes, "--%s%s%s has no effect here%s%s\n", option->name, *value ? " " : "",
                   value, *about ? ": " : "", about);
}

/* Settings of a list with commas, each without the others. */
static void unused_settings(const struct cs_unused *check, const struct cs_scenario *scenario,
                            const struct cs_given *given, const struct cs_records *records,
                            struct cs_text *notes)
{
    const char *at = given->value;

    while (*at) {
        size_t length = strcspn(at, ","), comma = at[length] == ',';
        size_t before = (size_t)(at - given->value) - (comma || at == given->value ? 0 : 1);
        const char *rest = cs_arena_printf(scenario->arena, "%.*s%s", (int)before, given->value,
                                           at + length + comma);

        if (check->answer(check->ctx, (struct cs_option_change){given, *rest ? rest : NULL}) ==
            CS_ANSWER_SAME)
            unused_put(scenario, given->option, cs_arena_text_n(scenario->arena, at, length),
                       records, notes);
        at += length + comma;
    }
}

/* Parameters of a single algorithm are compared when its run is opened; of several, counts, since a
 * count that each of them would have anyway shows at the bounds. */
static bool unused_is_asked(const struct cs_given *given, uint32_t algos,
                            const struct cs_text *notes)
{
    return given->option->use == CS_USE_COMPARED &&
           (!cs_option_is_of_algorithm(given->option) ||
            (algos > 1 && given->option->type == CS_OPTION_COUNT)) &&
           !unused_is_noted(given, notes);
}

void cs_unused_options_note(const struct cs_scenario *scenario, const struct cs_records *records,
                            struct cs_text *notes)
{
    const struct cs_option_log *log = &scenario->given;
    struct unused_asked asked = {scenario, records};
    struct cs_unused check = {unused_answer, &asked, CS_TRIES_WORDS};

    if (!unused_is_few(scenario, records))
        return;
    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_given *given = &log->items[i];

        if (!unused_is_asked(given, scenario->algo_count, notes))
            continue;
        check.tries = cs_option_is_of_algorithm(given->option) ? CS_TRIES_BOUNDS : CS_TRIES_WORDS;
        if (cs_same(given->option->name, "setting"))
            unused_settings(&check, scenario, given, records, notes);
        else if (cs_option_is_unused(&check, given))
            unused_put(scenario, given->option, given->value, records, notes);
    }
}

void cs_unused_options_simulate(const struct cs_option_log *log, struct cs_text *notes)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_records records = {0};
    struct cs_err ignored = {0};
    struct cs_scenario run;
    bool is_asked = false;
    uint64_t cases;

    for (uint32_t i = 0; i < log->count; i++)
        is_asked |= unused_is_asked(&log->items[i], 2, notes);
    if (!is_asked || unused_read(log, (struct cs_option_change){NULL, NULL}, &arena, &run))
        return;
    cases = cs_case_count(&run);
    if (run.choice != CS_CHOICE_NAMED || cases > CASES_MAX)
        return;
    records.items = cs_arena_alloc(&arena, cases, sizeof(*records.items));
    for (; records.count < cases; records.count++) {
        struct cs_case which = cs_case_of(&run, records.count);

        if (cs_simulate(&which, &arena, &records.items[records.count], &ignored))
            return;
    }
    cs_unused_options_note(&run, &records, notes);
}

/* ---- slower sizes ---- */

struct slower_sizes {
    const struct cs_scenario *scenario;
    struct cs_progress_line *display;
    struct cs_text *notes;
};

/* Whether the library chooses the engine of each size. */
static bool slower_sizes_choose(const struct cs_scenario *scenario)
{
    const struct cs_library_choice *by = &scenario->by;

    return by->library && by->engine_count == 1 && !by->engines[0];
}

static struct cs_case slower_sizes_case(const struct slower_sizes *sizes,
                                        const struct cs_record *record)
{
    const struct cs_scenario *scenario = sizes->scenario;
    struct cs_case which = {.scenario = scenario,
                            .bytes = record->bytes,
                            .ranks = record->ranks,
                            .display = sizes->display};

    if (!scenario->by.library)
        which.algo = cs_algo_find(record->algorithm, scenario->collective);
    else if (!slower_sizes_choose(scenario))
        which.engine = record->algorithm;
    return which;
}

static void slower_sizes_put(const struct slower_sizes *sizes, const struct cs_record *more,
                             const struct cs_record *fewer)
{
    const struct cs_scenario *scenario = sizes->scenario;
    const char *name =
        slower_sizes_choose(scenario) ? scenario->by.library->name : fewer->algorithm;
    struct cs_case before = slower_sizes_case(sizes, more);
    struct cs_case after = slower_sizes_case(sizes, fewer);
    CS_AT_END(cs_text_free) struct cs_text reason = {0};

    if (cs_slower_run_put(&before, &after, &reason))
        cs_text_printf(sizes->notes, "%s of %s takes %s, longer than of %s (%s): %s\n", name,
                       cs_show_bytes(fewer->bytes).text, cs_show_time(fewer->time_ps).text,
                       cs_show_bytes(more->bytes).text, cs_show_time(more->time_ps).text,
                       cs_text_str(&reason));
}

/* The last record before `i` of its algorithm and number of ranks; or `i`.  A library
 * that chooses counts as one algorithm. */
static size_t slower_sizes_last(const struct cs_scenario *scenario,
                                const struct cs_records *records, size_t i)
{
    bool any = slower_sizes_choose(scenario);
    const struct cs_record *record = &records->items[i];

    for (size_t k = i; k-- > 0 && records->items[k].ranks == record->ranks;)
        if (any || !strcmp(records->items[k].algorithm, record->algorithm))
            return k;
    return i;
}

void cs_slower_sizes_note(const struct cs_scenario *scenario, const struct cs_records *records,
                          struct cs_progress_line *display, struct cs_text *notes)
{
    const struct slower_sizes sizes = {scenario, display, notes};
    uint32_t slower = 0;

    for (size_t i = 1; i < records->count; i++) {
        const struct cs_record *more = &records->items[slower_sizes_last(scenario, records, i)];
        const struct cs_record *fewer = &records->items[i];

        if (more->bytes < fewer->bytes) {
            fewer = more;
            more = &records->items[i];
        }
        if (more->bytes == fewer->bytes ||
            !cs_slower_run_is((double)more->time_ps, (double)fewer->time_ps))
            continue;
        if (slower++ < CS_SLOWER_SIZES_NAMED)
            slower_sizes_put(&sizes, more, fewer);
    }
    if (slower > CS_SLOWER_SIZES_NAMED)
        cs_text_printf(notes, "%u more times are longer than that of the next greater size\n",
                       slower - CS_SLOWER_SIZES_NAMED);
}
