#include "scenarios/run/case/unused.h"

#include "scenarios/options/unused.h"
#include "scenarios/run/case/fingerprint.h"
#include "scenarios/run/request/scenario.h"

#include <stddef.h>

static uint64_t option_see(const struct cs_program *program)
{
    return cs_fingerprint_program(program, (struct cs_fingerprint_sample){16, 16, 8});
}

struct asked {
    const struct cs_run *run;
    const struct cs_hockney *hockney;
    const struct cs_scenario *standard;
};

/* The program with the change.  A number that the algorithm
 * would choose anyway has an effect: the user fixed it. */
static enum cs_option_answer see_changed(void *ctx, struct cs_option_change change)
{
    const struct asked *asked = ctx;
    const struct cs_run *run = asked->run;
    const struct cs_algo *algo = run->which->algo;
    struct cs_scenario chosen = {.call = run->call, .arena = run->which->scenario->arena};
    struct cs_program program;

    if (!change.value)
        cs_option_copy(change.given->option, asked->standard, &chosen);
    else if (cs_option_store(change.given->option, &chosen, change.value, NULL))
        return CS_ANSWER_NONE;
    cs_algo_resolve(algo, &chosen.call, asked->hockney);
    if ((change.given->option->type != CS_OPTION_FLAG &&
         cs_option_equal(change.given->option, &chosen, run->which->scenario)) ||
        cs_algo_check(algo, &chosen.call, NULL))
        return CS_ANSWER_OTHER;
    program = cs_algo_program(algo, &chosen.call);
    return option_see(&program) == option_see(&run->program) ? CS_ANSWER_SAME : CS_ANSWER_OTHER;
}

/* Chosen by the user, not by the command. */
static bool is_given(const struct cs_option *option, const struct cs_scenario *scenario,
                     const struct cs_scenario *standard)
{
    if (scenario->chunks_are_default && cs_same(option->name, "chunks"))
        return false;
    return !cs_option_equal(option, scenario, standard);
}

bool cs_option_is_of_algorithm(const struct cs_option *option)
{
    size_t begin = offsetof(struct cs_scenario, call);
    size_t end = begin + sizeof(struct cs_call);

    return option->size && option->place >= begin && option->place < end &&
           !cs_same(option->name, "root");
}

/* Messages of a file of fixed size. */
static void note_size(const struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    const struct cs_scenario *scenario = run->which->scenario;
    const char *name = cs_scenario_given(scenario, "size")    ? "size"
                       : cs_scenario_given(scenario, "begin") ? "begin"
                                                              : NULL;

    if (run->which->notes && algo->vector_bytes && name)
        cs_text_printf(run->which->notes,
                       "--%s has no effect on %s, which states the bytes of each message\n", name,
                       algo->name);
}

void cs_unused_note(const struct cs_run *run, const struct cs_hockney *hockney)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_option *option = cs_scenario_options;
    struct cs_scenario standard;
    struct asked asked = {run, hockney, &standard};
    const struct cs_unused check = {see_changed, &asked, CS_TRIES_WORDS};

    note_size(run);
    if (!run->which->notes || scenario->choice != CS_CHOICE_NAMED || scenario->algo_count > 1)
        return;
    cs_scenario_init(&standard, scenario->arena);
    for (; !cs_option_is_end(option); option++) {
        const struct cs_given given = {.option = option};

        if (cs_option_is_of_algorithm(option) && is_given(option, scenario, &standard) &&
            cs_option_is_unused(&check, &given))
            cs_text_printf(run->which->notes, "--%s has no effect on %s\n", option->name,
                           run->which->algo->name);
    }
}
