#include "scenarios/run/case/parameters.h"

#include "algorithms/shared/rings/rings.h"
#include "algorithms/shared/trees/trees.h"
#include "sim/base/collections/vector.h"

#include <stdio.h>

/* Appends the parameter; an empty value is a switch. */
static void parameters_add(struct cs_run *run, const char *name, const char *value,
                           const char *chosen_by)
{
    run->parameter = cs_vector_room_in(run->arena, run->parameter, run->parameter_count + 1,
                                       &run->parameter_room, sizeof(*run->parameter));
    run->parameter[run->parameter_count++] =
        (struct cs_record_parameter){name, cs_arena_text(run->arena, value), chosen_by};
}

static void parameters_add_dims(struct cs_run *run, const struct cs_call *given)
{
    struct cs_text dims = {0};
    uint32_t i;

    for (i = 0; i < given->dim_count; i++)
        cs_text_printf(&dims, "%s%u", i ? "x" : "", given->dims[i]);
    if (given->dim_count)
        parameters_add(run, "dims", dims.data, "user");
    cs_text_free(&dims);
}

/* The fault of a case stands behind those of the scenario, so that the rows are
 * those of a run with both. */
struct parameter_visit {
    struct cs_run *run;
    const struct cs_fault *lost; /* NULL: none, or added */
};

static void parameters_add_lost(struct parameter_visit *visit)
{
    if (visit->lost)
        parameters_add(visit->run, "fault", visit->lost->text, "user");
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
static void parameters_add_option(void *ctx, const struct cs_option *option, const char *value)
{
    struct parameter_visit *visit = ctx;

    if (option > parameter_fault_option())
        parameters_add_lost(visit);
    parameters_add(visit->run, option->name, value, "user");
}

void cs_run_add_parameters(struct cs_run *run, const struct cs_call *call)
{
    const struct cs_call *given = cs_run_given(run);
    const struct cs_rings *rings =
        run->which->algo->rings_of_nodes && !call->rings_by_node ? NULL : call->rings;
    const struct {
        const char *name;
        uint32_t value;
        uint32_t known; /* from the machine, and not listed */
        uint32_t given;
    } numbers[] = {
        {"root", call->root, 0, given->root},
        {"chunks", call->chunks, 0, given->chunks},
        {"carriers", call->carriers, 0, 0},
        {"slices", call->slices, 0, given->slices},
        {"channels", call->channels, 0, given->channels},
        {"rings", rings ? rings->count : 0, rings ? call->channels : 0, 0},
        {"peers", call->peers, 0, given->peers},
        {"trees", call->trees ? call->trees->count : 0, 0, 0},
        {"radix", call->radix, 0, given->radix},
        {"shards", call->shards, 0, given->shards},
        {"group", call->group, given->group ? 0 : run->call.group, given->group},
    };
    struct parameter_visit visit = {run, run->which->lost};
    char number[16];
    size_t i;

    run->parameter_count = 0;
    if (call->server == CS_SERVER_COLOCATED)
        parameters_add(run, "colocated", "", "user");
    for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        snprintf(number, sizeof(number), "%u", numbers[i].value);
        if (numbers[i].value != numbers[i].known)
            parameters_add(run, numbers[i].name, number, numbers[i].given ? "user" : "algorithm");
    }
    cs_scenario_each_of_key(run->which->scenario, CS_KEY_PARAMETER,
                            (struct cs_option_visit){parameters_add_option, &visit});
    parameters_add_lost(&visit);
    parameters_add_dims(run, given);
}
