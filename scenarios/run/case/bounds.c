#include "scenarios/run/case/bounds.h"

#include "algorithms/bounds/bound.h"
#include "algorithms/bounds/used_links.h"

#include <math.h>

/* Models without links provide a network of the parties' limits instead. */
static struct cs_bounds run_bounds_on(const struct cs_run *run, const struct cs_graph *graph,
                                      const struct cs_net *net, struct cs_partitions *partitions)
{
    const struct cs_link_model *model = run->which->scenario->model;
    struct cs_bound unbounded = {0, model->unbounded};
    struct cs_bound_request request = {.collective = run->call.collective,
                                       .vector_bytes =
                                           (double)(run->call.elements * run->call.element_bytes),
                                       .root = run->call.root,
                                       .element_bytes = run->call.element_bytes,
                                       .ports_only = model->ports_only,
                                       .partitions = partitions};
    struct cs_net flat;

    if (model->unbounded)
        return (struct cs_bounds){unbounded, unbounded};
    if (!model->bound_net)
        return cs_bounds_of(graph, net, &request, run->arena);
    model->bound_net(net, &run->params, &flat, run->arena);
    return cs_bounds_of(graph, &flat, &request, run->arena);
}

struct cs_bounds cs_run_bounds(const struct cs_run *run)
{
    return run_bounds_on(run, &run->graph, &run->net, run->machine->partitions);
}

/* Faults after the start change routes. */
static bool run_has_fixed_routes(const struct cs_run *run)
{
    const struct cs_link_model *model = run->which->scenario->model;

    return !model->unbounded && !model->bound_net && !run->change_count && !run->draws_routes;
}

struct cs_bound cs_run_reachable(const struct cs_run *run, const struct cs_bound *own)
{
    struct cs_arena scratch = {0};
    struct cs_bound bound = *own;
    struct cs_graph few;
    struct cs_net few_net;

    if (run_has_fixed_routes(run) &&
        cs_used_links_of(&run->graph, &run->net, &few, &few_net, &scratch))
        bound = run_bounds_on(run, &few, &few_net, NULL).own;
    cs_arena_free(&scratch);
    return bound.time_s > own->time_s ? bound : *own;
}

/* A bound that is reached may exceed the time by the rounding of doubles. */
static double rounded_down(double bound_s, double time_s)
{
    return bound_s > time_s && bound_s <= time_s * (1 + 1e-12) ? time_s : bound_s;
}

void cs_run_record_bounds(const struct cs_run *run, const struct cs_bounds *bounds,
                          const struct cs_bound *reachable, struct cs_record *record)
{
    const struct cs_bound *machine = &bounds->machine;
    double launch_s = reachable ? (double)run->machine->transport.launch_ps * 1e-12 : 0;
    double time_s = (double)record->time_ps * 1e-12;

    record->lower_bound_s = rounded_down(machine->time_s + launch_s, time_s);
    record->bound = machine->why;
    record->own_bound_s = record->reachable_s = (double)NAN;
    if (machine->time_s < bounds->own.time_s * (1 - 1e-12))
        record->own_bound_s = rounded_down(bounds->own.time_s + launch_s, time_s);
    if (reachable)
        record->reachable_s = rounded_down(reachable->time_s + launch_s, time_s);
    record->reachable = reachable ? reachable->why : "";
}
