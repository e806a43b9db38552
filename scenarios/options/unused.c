#include "scenarios/options/unused.h"

#include "scenarios/run/fingerprint.h"
#include "scenarios/run/open.h"
#include "scenarios/run/scenario.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTIES_SEEN = 64,
};

static uint64_t option_see(const struct cs_program *program)
{
    return cs_fingerprint_program(program, (struct cs_sample){16, 16, 8});
}

/* Whether the call without the option makes the same program; not where the
 * algorithm chooses the given number anyway. */
static bool is_unused(const struct cs_run *run, const struct cs_option *option,
                      const struct cs_scenario *without,
                      const struct cs_hockney *hockney)
{
    const struct cs_algo *algo = run->which->algo;
    struct cs_scenario chosen = *without;
    struct cs_program program;

    cs_algo_resolve(algo, &chosen.call, hockney);
    if ((option->type == CS_OPTION_COUNT &&
         cs_option_equal(option, &chosen, run->which->scenario)) ||
        cs_algo_check(algo, &chosen.call, NULL))
        return false;
    program = cs_algo_program(algo, &chosen.call);
    return option_see(&program) == option_see(&run->program);
}

/* Options whose value is a parameter of the algorithm; the root is checked with
 * the collective. */
static bool is_of_algorithm(const struct cs_option *option)
{
    size_t begin = offsetof(struct cs_scenario, call);
    size_t end = begin + sizeof(struct cs_call);

    return option->size && option->place >= begin && option->place < end &&
           !cs_same(option->name, "root");
}

void cs_unused_note(const struct cs_run *run, const struct cs_hockney *hockney)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_option *option = cs_scenario_options;
    struct cs_scenario standard;

    if (!run->which->notes || scenario->choice != CS_CHOICE_NAMED ||
        scenario->algo_count > 1 || run->call.ranks < 2)
        return;
    cs_scenario_init(&standard, scenario->arena);
    for (; !cs_option_is_end(option); option++) {
        struct cs_scenario without = {.call = run->call};

        if (!is_of_algorithm(option) ||
            cs_option_equal(option, scenario, &standard))
            continue;
        cs_option_copy(option, &standard, &without);
        if (is_unused(run, option, &without, hockney))
            cs_text_printf(run->which->notes, "--%s has no effect on %s\n",
                           option->name, run->which->algo->name);
    }
}

/* ---- routes ---- */

static bool same_route(const struct cs_net *a, const struct cs_net *b,
                       uint32_t src, uint32_t dst, uint32_t *links)
{
    uint32_t hops = a->route(a->route_ctx, src, dst, links);
    uint32_t *others = links + a->max_hops;

    return b->route(b->route_ctx, src, dst, others) == hops &&
           memcmp(links, others, hops * sizeof(*links)) == 0;
}

/* Between parties evenly spread. */
static bool same_routes(const struct cs_net *a, const struct cs_net *b)
{
    uint32_t step = a->party_count / PARTIES_SEEN + 1;
    uint32_t *links =
        cs_grow(NULL, a->max_hops + (size_t)b->max_hops, sizeof(*links));
    bool same = true;
    uint32_t src, dst;

    for (src = 0; src < a->party_count && same; src += step)
        for (dst = 0; dst < a->party_count && same; dst += step)
            same = src == dst || same_route(a, b, src, dst, links);
    free(links);
    return same;
}

void cs_unused_routes_note(const struct cs_run *run)
{
    enum cs_routing routing = run->which->scenario->flows.routing;
    const struct cs_machine *typical;
    struct cs_err err = {0};

    if (routing == CS_ROUTING_STATIC || !run->which->notes)
        return;
    if (cs_run_machine_routed(run, CS_ROUTING_STATIC, &typical, &err) == 0 &&
        !typical->graph.replicated.count == !run->graph.replicated.count &&
        same_routes(&run->machine->net, &typical->net))
        cs_text_printf(run->which->notes,
                       "--routing %s has no effect: the routes are those of "
                       "spread\n",
                       cs_routing_names[routing]);
}
