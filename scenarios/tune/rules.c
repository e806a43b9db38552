#include "scenarios/tune/ranges.h"

#include "topo/formats/source.h"
#include "validate/logs/tuner_rules.h"

#include <math.h>

struct rule_row {
    const struct cs_library_request *request;
    const struct cs_library_time *chosen;
    struct cs_library_time forced;
    uint32_t line; /* 0: no rule */
    double gain;
    const char *verdict;
};

#define AT(member)     CS_AT(struct rule_row, member)
#define CHOSEN(member) CS_VIA(struct rule_row, chosen, member)
static const struct cs_sheet_column rule_columns[] = {
    {"collective", "collective", NULL, CS_SHEET_TEXT,
     CS_VIA2(struct rule_row, request, collective, name)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, CS_VIA(struct rule_row, request, bytes)},
    {"chosen_algorithm", "library's", "algorithm", CS_SHEET_TEXT, CHOSEN(engine)},
    {"chosen_protocol", "library's", "protocol", CS_SHEET_TEXT, CHOSEN(protocol)},
    {"chosen_s", "library's", "time", CS_SHEET_SECONDS, CHOSEN(total_s)},
    {"line", "line", NULL, CS_SHEET_COUNT, AT(line)},
    {"algorithm", "forced", "algorithm", CS_SHEET_TEXT, AT(forced.engine)},
    {"protocol", "forced", "protocol", CS_SHEET_TEXT, AT(forced.protocol)},
    {"channels", "forced", "channels", CS_SHEET_COUNT, AT(forced.channels)},
    {"time_s", "forced", "time", CS_SHEET_SECONDS, AT(forced.total_s)},
    {"gain", "gain", NULL, CS_SHEET_SHARE, AT(gain)},
    {"verdict", "verdict", NULL, CS_SHEET_TEXT, AT(verdict)},
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
    cs_sheet_row(sheet, &(struct rule_row){
                            .request = request,
                            .chosen = chosen,
                            .forced = time,
                            .line = rule ? rule->line : 0,
                            .gain = chosen->total_s / time.total_s - 1,
                            .verdict = verdict,
                        });
}

static void rules_print(const struct cs_cli *cli, const char *path,
                        const struct cs_library_calls *calls, const struct rules_outcome *outcome,
                        const struct cs_sheet *sheet)
{
    const struct cs_scenario *scenario = calls->run.which->scenario;

    if (scenario->format == CS_FORMAT_TEXT)
        fprintf(cli->out, "%s on %s, %u ranks, library %s, rules of %s\n\n",
                scenario->collective->name, cs_topo_shown(scenario->topo), calls->site.ranks,
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
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
    int code = cs_tuner_rules_read(path, scenario->arena, &rules, err);

    cs_sheet_begin(&sheet, "sizes", CS_COLUMNS(rule_columns));
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
    return code == CS_ECANNOT ? (err->code = CS_EINPUT) : code;
}
