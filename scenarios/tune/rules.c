#include "scenarios/tune/rules.h"

#include "algorithms/libraries/gpu/best_choice.h"
#include "validate/logs/tuner_rules.h"

#include <math.h>

static const struct cs_sheet_column rule_columns[] = {
    {"collective", "collective", NULL, CS_SHEET_TEXT},
    {"bytes", "size", NULL, CS_SHEET_BYTES},
    {"chosen_algorithm", "library's", "algorithm", CS_SHEET_TEXT},
    {"chosen_protocol", "library's", "protocol", CS_SHEET_TEXT},
    {"chosen_s", "library's", "time", CS_SHEET_SECONDS},
    {"line", "line", NULL, CS_SHEET_COUNT},
    {"algorithm", "forced", "algorithm", CS_SHEET_TEXT},
    {"protocol", "forced", "protocol", CS_SHEET_TEXT},
    {"channels", "forced", "channels", CS_SHEET_COUNT},
    {"time_s", "forced", "time", CS_SHEET_SECONDS},
    {"gain", "gain", NULL, CS_SHEET_SHARE},
    {"verdict", "verdict", NULL, CS_SHEET_TEXT},
};

/* Sums of the verdicts. */
struct rules_outcome {
    uint32_t gains, losses, inside, refused, none;
    double best, worst;
};

static const char *rules_verdict(const struct cs_library_time *chosen,
                                 const struct cs_library_time *forced, struct rules_outcome *to)
{
    double gain = chosen->total_s / forced->total_s - 1;

    to->best = fmax(to->best, gain);
    to->worst = fmin(to->worst, gain);
    if (forced->total_s < chosen->low_s) {
        to->gains++;
        return "a gain";
    }
    if (forced->total_s > chosen->high_s) {
        to->losses++;
        return "a loss";
    }
    to->inside++;
    return "inside the interval";
}

/* A rule that the library cannot follow on this machine leaves its choice, as
 * the plugin's table has no cost for it. */
static void rules_add(const struct cs_library *library, const struct cs_library_request *request,
                      const struct cs_library_time *chosen, const struct cs_tuner_rule *rule,
                      struct rules_outcome *to, struct cs_sheet *sheet)
{
    struct cs_library_request forced = *request;
    struct cs_library_time time = *chosen;
    const char *verdict = "no rule";

    if (rule) {
        forced.engine = rule->engine;
        forced.protocol = rule->protocol;
        forced.channels = rule->channels;
        if (library->time(&forced, &time, NULL)) {
            time = *chosen;
            verdict = "not available: the library's choice";
            to->refused++;
        } else {
            verdict = rules_verdict(chosen, &time, to);
        }
    } else {
        to->none++;
    }
    cs_sheet_text(sheet, request->collective->name);
    cs_sheet_u64(sheet, request->bytes);
    cs_sheet_text(sheet, chosen->engine);
    cs_sheet_text(sheet, chosen->protocol);
    cs_sheet_real(sheet, chosen->total_s);
    cs_sheet_u64(sheet, rule ? rule->line : 0);
    cs_sheet_text(sheet, time.engine);
    cs_sheet_text(sheet, time.protocol);
    cs_sheet_u64(sheet, time.channels);
    cs_sheet_real(sheet, time.total_s);
    cs_sheet_real(sheet, chosen->total_s / time.total_s - 1);
    cs_sheet_text(sheet, verdict);
}

static void rules_print(const struct cs_cli *cli, const char *path,
                        const struct cs_library_calls *calls, const struct rules_outcome *outcome,
                        const struct cs_sheet *sheet)
{
    const struct cs_scenario *scenario = calls->run.which->scenario;

    if (scenario->format == CS_FORMAT_TEXT)
        fprintf(cli->out, "%s on %s, %u ranks, library %s, rules of %s\n\n",
                scenario->collective->name, scenario->topo, calls->site.ranks,
                scenario->library_name, path);
    cs_cli_sheet(cli, sheet, scenario->format);
    if (scenario->format == CS_FORMAT_TEXT)
        fprintf(cli->out,
                "\n%u sizes gain, %u lose, %u lie inside the 90 %% interval of the library's "
                "choice, %u have no rule, %u rules are not available\n",
                outcome->gains, outcome->losses, outcome->inside, outcome->none, outcome->refused);
}

int cs_tune_rules(const struct cs_cli *cli, const char *path, struct cs_library_calls *calls,
                  struct cs_err *err)
{
    const struct cs_scenario *scenario = calls->run.which->scenario;
    struct rules_outcome outcome = {0};
    struct cs_tuner_rules rules;
    struct cs_sheet sheet = {0};
    int code = cs_tuner_rules_read(path, scenario->arena, &rules, err);

    cs_sheet_begin(&sheet, "sizes", rule_columns, sizeof(rule_columns) / sizeof(*rule_columns));
    for (uint32_t i = 0; i < scenario->size_count && !code; i++) {
        struct cs_library_request request =
            cs_library_calls_request(calls, scenario->sizes[i], NULL);
        struct cs_best_choice choice;

        code = cs_best_choice_find(scenario->by.library, &request, &choice, err);
        if (!code)
            rules_add(scenario->by.library, &request, &choice.chosen,
                      cs_tuner_rules_find(&rules, &request), &outcome, &sheet);
    }
    if (!code)
        rules_print(cli, path, calls, &outcome, &sheet);
    cs_sheet_free(&sheet);
    return code == CS_ECANNOT ? (err->code = CS_EINPUT) : code;
}
