#include "scenarios/run/case/closed_form.h"

#include "algorithms/bounds/bound.h"
#include "algorithms/bounds/used_links.h"
#include "algorithms/shared/rings/rings.h"

#include <math.h>

enum {
    SAMPLES = 1 << 16,     /* rounds sampled, over the parties together */
    SAMPLES_EACH_MIN = 16, /* at least, per party of one lane */
    SAMPLES_LANE_MIN = 4,  /* at least, per lane */
    NEIGHBOURS_EVERY = 16, /* on machines of more ranks than samples */
    SOME = 256,            /* parties, to less than twice as many */
};

static uint32_t *new_route(const struct cs_run *run)
{
    return cs_arena_alloc(run->arena, run->net.max_hops + 1, sizeof(uint32_t));
}

/* Latencies add along a route, the slowest link limits the rate. */
static void worst_of_route(const struct cs_net *net, uint32_t src, uint32_t dst,
                           struct cs_hockney *hockney, uint32_t *links)
{
    uint32_t hops = net->route(net->route_ctx, src, dst, links);
    double alpha_s = 0;

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, links[i]);

        alpha_s += (double)link.latency_ps * 1e-12;
        if (link.rate_Bps < hockney->beta_Bps)
            hockney->beta_Bps = link.rate_Bps;
    }
    if (alpha_s > hockney->alpha_s)
        hockney->alpha_s = alpha_s;
}

/* The node of a rank, or of an agent in the switch of a node. */
static uint32_t closed_form_node(const struct cs_run *run, uint32_t party)
{
    if (cs_agent_is_in_node(run->which->algo->agent_place) && party >= run->call.ranks)
        return party - run->call.ranks;
    return party / run->call.group;
}

/* Whether the closed form treats the message as local to a node. */
static bool in_one_node(const struct cs_run *run, uint32_t a, uint32_t b)
{
    return run->which->algo->local_cost && run->call.group > 0 &&
           closed_form_node(run, a) == closed_form_node(run, b);
}

/* The search for the worst routes of the parties. */
struct worst_search {
    const struct cs_run *run;
    struct cs_textbook book;
    struct cs_ops ops;
    uint32_t *links;
    /* By party: the last one, + 1, whose route was looked at. */
    uint32_t *sender;
};

static void worst_of_sends(struct worst_search *search, uint32_t party)
{
    const struct cs_run *run = search->run;

    for (uint32_t i = 0; i < search->ops.count; i++) {
        uint32_t peer = search->ops.op[i].peer;

        if (search->ops.op[i].kind != CS_OP_SEND || search->sender[peer] == party + 1)
            continue;
        search->sender[peer] = party + 1;
        worst_of_route(&run->net, party, peer,
                       in_one_node(run, party, peer) ? &search->book.within : &search->book.between,
                       search->links);
    }
}

/* Rounds of a lane that are looked at. */
static uint64_t worst_samples(const struct cs_program *program)
{
    uint64_t lanes = (uint64_t)cs_program_parties(program) * program->lanes;
    uint64_t least = SAMPLES_EACH_MIN / program->lanes;
    uint64_t most = SAMPLES / lanes;

    if (most < least)
        most = least;
    return most < SAMPLES_LANE_MIN ? SAMPLES_LANE_MIN : most;
}

/* Samples the rounds of a party evenly, and follows the routes of their sends. */
static void worst_of_party(struct worst_search *search, uint32_t party)
{
    const struct cs_program *program = &search->run->program;
    uint64_t most = worst_samples(program);

    for (uint32_t lane = 0; lane < program->lanes; lane++) {
        uint64_t rounds = cs_program_rounds(program, party, lane);
        uint64_t step = (rounds / most + 1) | 1; /* every other may be a wait */

        search->ops.count = 0;
        for (uint64_t k = 0; k < rounds; k += step)
            program->round(program->ctx, (struct cs_at){party, lane, k}, &search->ops);
        worst_of_sends(search, party);
    }
}

/* The start of a search for the worst route: no latency, unlimited rate. */
static struct cs_hockney closed_form_unbounded(void)
{
    return (struct cs_hockney){0, 1e300, 0};
}

struct cs_run_reducers cs_run_reducers(const struct cs_run *run)
{
    struct cs_run_reducers worst = {0};

    for (uint32_t i = 0; i < run->net.party_count; i++) {
        struct cs_net_party party = cs_net_party_at(&run->net, i);

        if (party.reduce_ps_per_byte * 1e-12 > worst.s_per_byte)
            worst.s_per_byte = party.reduce_ps_per_byte * 1e-12;
        if (party.reduce_overhead_ps > worst.overhead_ps)
            worst.overhead_ps = party.reduce_overhead_ps;
    }
    return worst;
}

/* A single message in models without links; `fastest_Bps` where bytes are free. */
static struct cs_hockney flat_machine(const struct cs_run *run, double fastest_Bps)
{
    struct cs_model_line line = run->which->scenario->model->line(&run->params);

    return (struct cs_hockney){.alpha_s = line.fixed_ps * 1e-12,
                               .beta_Bps =
                                   line.ps_per_byte > 0 ? 1e12 / line.ps_per_byte : fastest_Bps,
                               .gamma_s_per_byte = cs_run_reducers(run).s_per_byte};
}

/* Within a node or between, for algorithms that distinguish nodes. */
static void worst_of_pair(const struct cs_run *run, uint32_t src, uint32_t dst,
                          struct cs_textbook *book, uint32_t *links)
{
    bool apart = run->which->algo->local_cost && run->call.group > 1;

    worst_of_route(&run->plan_net, src, dst,
                   !apart || in_one_node(run, src, dst) ? &book->within : &book->between, links);
}

/* Before there is a program: ranks 1, 2, 4 ... apart, or one behind the other in the
 * machine's rings, as planners see them. */
struct cs_textbook cs_run_neighbours(const struct cs_run *run)
{
    struct cs_textbook book = {closed_form_unbounded(), closed_form_unbounded()};
    uint32_t ranks = run->graph.rank_count;
    uint32_t every = ranks / SAMPLES * NEIGHBOURS_EVERY + 1;
    bool apart = run->which->algo->local_cost && run->call.group > 1;
    const struct cs_rings *rings = apart ? run->call.rings : NULL;
    uint32_t *links = new_route(run);

    if (run->which->scenario->model->ignores_links) {
        book.within = flat_machine(run, closed_form_unbounded().beta_Bps);
        return (struct cs_textbook){book.within, book.within};
    }
    for (uint32_t c = 0; rings && c < rings->count; c++)
        for (uint32_t i = 0; i < ranks; i += every)
            worst_of_pair(run, rings->order[c * ranks + i],
                          rings->order[c * ranks + (i + 1) % ranks], &book, links);
    for (uint32_t step = 1; !rings && step < ranks; step *= 2)
        for (uint32_t i = 0; i < ranks; i += every)
            worst_of_pair(run, i, (i + step) % ranks, &book, links);
    if (!apart || book.between.alpha_s <= 0)
        book.between = book.within;
    book.between.gamma_s_per_byte = book.within.gamma_s_per_byte = cs_run_reducers(run).s_per_byte;
    return book;
}

/* Of a folded run the representatives, and the agents.  Of some the distance is odd, so that
 * all places in nodes of 2, 4 or 8 ranks are among them. */
static void worst_of_parties(const struct cs_run *run, enum cs_textbook_looks looks,
                             struct cs_textbook *book)
{
    uint32_t parties = run->net.party_count;
    uint32_t ranks = run->fold ? run->fold->group.orbits : run->program.ranks;
    uint32_t step = looks == CS_LOOKS_AT_ALL ? 1 : ranks / SOME | 1;
    struct worst_search search = {.run = run,
                                  .book = *book,
                                  .links = new_route(run),
                                  .sender = cs_arena_alloc(run->arena, parties, sizeof(uint32_t))};

    for (uint32_t i = 0; i < ranks; i += step)
        worst_of_party(&search, run->fold ? cs_fold_representative(run->fold, i) : i);
    for (uint32_t i = run->program.ranks; i < parties; i += step)
        worst_of_party(&search, i);
    cs_ops_free(&search.ops);
    *book = search.book;
}

/* alpha and beta: the worst route of the algorithm; gamma: the slowest party. */
struct cs_textbook cs_run_closed_form(const struct cs_run *run, enum cs_textbook_looks looks)
{
    struct cs_textbook book = {closed_form_unbounded(), closed_form_unbounded()};

    if (run->which->scenario->model->ignores_links)
        book.between = book.within = flat_machine(run, (double)INFINITY);
    else
        worst_of_parties(run, looks, &book);
    book.between.gamma_s_per_byte = book.within.gamma_s_per_byte = cs_run_reducers(run).s_per_byte;
    return book;
}

/* ---- bounds ---- */

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
    struct cs_bounds bounds;
    struct cs_net flat;

    if (model->unbounded)
        return (struct cs_bounds){unbounded, unbounded};
    if (!model->bound_net)
        return cs_bounds_of(graph, net, &request, run->arena);
    model->bound_net(net, &run->params, &flat, run->arena);
    bounds = cs_bounds_of(graph, &flat, &request, run->arena);
    /* The graph's wires, which reasons name, are no part of this network. */
    if (bounds.machine.time_s > 0)
        bounds.machine.why = bounds.own.why = model->bound_why;
    return bounds;
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
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_bound bound = *own;
    struct cs_graph few;
    struct cs_net few_net;

    if (run_has_fixed_routes(run) &&
        cs_used_links_of(&run->graph, &run->net, &few, &few_net, &scratch))
        bound = run_bounds_on(run, &few, &few_net, NULL).own;
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
