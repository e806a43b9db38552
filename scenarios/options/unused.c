#include "scenarios/options/unused.h"

#include "scenarios/run/fingerprint.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTIES_SEEN = 64,
};

static uint64_t option_see(const struct cs_program *program)
{
    return cs_fingerprint_program(program, (struct cs_sample){16, 16, 8});
}

/* Whether the call without the option makes the same program; not where it
 * takes the same number by itself. */
static bool is_unused(const struct cs_run *run, struct cs_call *without,
                      const uint32_t *number, uint32_t given,
                      const struct cs_hockney *hockney)
{
    const struct cs_algo *algo = run->point->algo;
    struct cs_program program;

    cs_algo_resolve(algo, without, hockney);
    if ((number && *number == given) || cs_algo_check(algo, without, NULL))
        return false;
    program = cs_algo_program(algo, without);
    return option_see(&program) == option_see(&run->program);
}

static void say_unused(const struct cs_run *run, const char *option)
{
    cs_text_printf(run->point->notes, "%s has no effect on %s\n", option,
                   run->point->algo->name);
}

void cs_unused_note(const struct cs_run *run, const struct cs_hockney *hockney)
{
    const struct cs_scenario *scenario = run->point->scenario;
    const struct cs_call *given = &scenario->call;
    struct cs_call without = run->call;
    const struct {
        const char *option;
        uint32_t given;
        uint32_t *number;
    } options[] = {
        {"--chunks", given->chunks, &without.chunks},
        {"--slices", given->slices, &without.slices},
        {"--channels", given->channels, &without.channels},
        {"--radix", given->radix, &without.radix},
        {"--shards", given->shards, &without.shards},
        {"--dims", given->dim_count, &without.dim_count},
        {"--group", given->group, &without.group},
    };
    size_t i;

    if (!run->point->notes || scenario->choice != CS_CHOICE_NAMED ||
        scenario->algo_count > 1 || run->call.ranks < 2)
        return;
    for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
        without = run->call;
        if (!options[i].given)
            continue;
        *options[i].number = 0;
        if (is_unused(run, &without, options[i].number, options[i].given,
                      hockney))
            say_unused(run, options[i].option);
    }
    without = run->call;
    without.server = CS_SERVER_APART;
    if (given->server == CS_SERVER_COLOCATED &&
        is_unused(run, &without, NULL, 0, hockney))
        say_unused(run, "--ps-colocated");
}

/* ---- ways ---- */

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
    struct cs_scenario scenario = *run->point->scenario;
    enum cs_routing routing = scenario.flows.routing;
    struct cs_point point = *run->point;
    struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_run typical = {.point = &point,
                             .arena = &arena,
                             .err = &err,
                             .replicas_from = run->replicas_from};

    if (routing == CS_ROUTING_STATIC || !point.notes)
        return;
    scenario.flows.routing = CS_ROUTING_STATIC;
    point.scenario = &scenario;
    point.notes = NULL;
    if (cs_run_open(&typical) == 0 &&
        !typical.graph.replicated.count == !run->graph.replicated.count &&
        same_routes(&run->net, &typical.net))
        cs_text_printf(run->point->notes,
                       "--routing %s has no effect: the ways are those of "
                       "spread\n",
                       routing == CS_ROUTING_ECMP ? "ecmp" : "shortest");
    cs_arena_free(&arena);
}
