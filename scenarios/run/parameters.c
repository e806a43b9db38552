#include "scenarios/run/parameters.h"

#include "algorithms/shared/rings.h"
#include "sim/base/units.h"

#include <stdio.h>

/* Appends "name=value", or the name alone. */
static void run_say(struct cs_text *text, const char *name, const char *value)
{
    cs_text_printf(text, "%s%s%s%s", text->length ? " " : "", name,
                   *value ? "=" : "", value);
}

static void say_dims(const struct cs_call *given, struct cs_text *text)
{
    struct cs_text dims = {0};
    uint32_t i;

    for (i = 0; i < given->dim_count; i++)
        cs_text_printf(&dims, "%s%u", i ? "x" : "", given->dims[i]);
    if (given->dim_count)
        run_say(text, "dims", dims.data);
    cs_text_free(&dims);
}

/* The fault of a case stands behind those of the scenario, so that the text is
 * that of a run with both. */
struct parameter_visit {
    struct cs_text *text;
    const struct cs_fault *lost; /* NULL: none, or printed */
};

static void parameter_say_lost(struct parameter_visit *visit)
{
    if (visit->lost)
        run_say(visit->text, "fault", visit->lost->text);
    visit->lost = NULL;
}

static const struct cs_option *parameter_fault_option(void)
{
    const struct cs_option *option = cs_scenario_options;

    while (option->group || !cs_same(option->name, "fault"))
        option++;
    return option;
}

/* A cs_option_visit, in the order of the table. */
static void parameter_say_option(void *ctx, const struct cs_option *option,
                                 const char *value)
{
    struct parameter_visit *visit = ctx;

    if (option > parameter_fault_option())
        parameter_say_lost(visit);
    run_say(visit->text, option->name, value);
}

/* What the user gave and what the algorithm chose, for people. */
const char *cs_run_parameters(const struct cs_run *run,
                              const struct cs_call *call)
{
    const struct cs_call *given = cs_run_given(run);
    const struct {
        const char *name;
        uint32_t value;
        uint32_t known; /* the machine's, no news */
    } numbers[] = {
        {"root", call->root, 0},
        {"chunks", call->chunks, 0},
        {"slices", call->slices, 0},
        {"channels", call->channels, 0},
        {"rings", call->rings ? call->rings->count : 0,
         call->rings ? call->channels : 0},
        {"radix", call->radix, 0},
        {"shards", call->shards, 0},
        {"group", call->group, given->group ? 0 : run->call.group},
    };
    struct cs_text text = {0};
    struct parameter_visit visit = {&text, run->which->lost};
    char number[16];
    const char *kept;
    size_t i;

    if (call->server == CS_SERVER_COLOCATED)
        run_say(&text, "colocated", "");
    for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        snprintf(number, sizeof(number), "%u", numbers[i].value);
        if (numbers[i].value != numbers[i].known)
            run_say(&text, numbers[i].name, number);
    }
    cs_scenario_each_of_key(
        run->which->scenario, CS_KEY_PARAMETER,
        (struct cs_option_visit){parameter_say_option, &visit});
    parameter_say_lost(&visit);
    say_dims(given, &text);
    kept = cs_arena_text(run->arena, cs_text_str(&text));
    cs_text_free(&text);
    return kept;
}
