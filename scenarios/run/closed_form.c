#include "scenarios/run/run.h"

#include "sim/models/compat/loggp.h"

#include <math.h>

enum {
    SAMPLES = 1 << 16,     /* rounds looked at, over all parties */
    SAMPLES_EACH_MIN = 16, /* but as many of each party */
    NEIGHBOURS_EVERY = 16, /* on machines of more ranks than samples */
};

static uint32_t *new_route(const struct cs_stage *stage)
{
    return cs_arena_alloc(stage->arena, stage->net.max_hops + 1,
                          sizeof(uint32_t));
}

static void worst_of_route(const struct cs_stage *stage, uint32_t src,
                           uint32_t dst, struct cs_hockney *hockney,
                           uint32_t *links)
{
    const struct cs_net *net = &stage->net;
    uint32_t hops = net->route(net->route_ctx, src, dst, links);
    double alpha_s = 0;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, links[i]);

        alpha_s += (double)link.latency_ps * 1e-12;
        if (link.rate_Bps < hockney->beta_Bps)
            hockney->beta_Bps = link.rate_Bps;
    }
    if (alpha_s > hockney->alpha_s)
        hockney->alpha_s = alpha_s;
}

static bool in_one_node(const struct cs_stage *stage, uint32_t a, uint32_t b)
{
    return stage->point->algo->local_cost && stage->call.group > 0 &&
           a / stage->call.group == b / stage->call.group;
}

static void worst_of_sends(const struct cs_stage *stage, uint32_t party,
                           const struct cs_ops *ops, struct cs_textbook *book,
                           uint32_t *links)
{
    uint32_t i;

    for (i = 0; i < ops->count; i++) {
        uint32_t peer = ops->op[i].peer;

        if (ops->op[i].kind == CS_OP_SEND)
            worst_of_route(stage, party, peer,
                           in_one_node(stage, party, peer) ? &book->within
                                                           : &book->between,
                           links);
    }
}

/* Looks at some rounds of a party, evenly spread, and the routes it uses. */
static void worst_of_party(const struct cs_stage *stage, uint32_t party,
                           struct cs_textbook *book, struct cs_ops *ops,
                           uint32_t *links)
{
    const struct cs_program *program = &stage->program;
    uint32_t lane;
    uint64_t most = SAMPLES / cs_program_parties(program) / program->lanes;

    if (most < SAMPLES_EACH_MIN)
        most = SAMPLES_EACH_MIN;
    for (lane = 0; lane < program->lanes; lane++) {
        uint64_t rounds = program->rounds(program->ctx, party, lane);
        uint64_t step = rounds / most + 1;
        uint64_t k;

        ops->count = 0;
        for (k = 0; k < rounds; k += step)
            program->round(program->ctx, party, lane, k, ops);
        worst_of_sends(stage, party, ops, book, links);
    }
}

static struct cs_hockney closed_form_unbounded(void)
{
    return (struct cs_hockney){0, 1e300, 0};
}

struct cs_stage_adders cs_stage_adders(const struct cs_stage *stage)
{
    struct cs_stage_adders worst = {0};
    uint32_t i;

    for (i = 0; i < stage->net.party_count; i++) {
        struct cs_net_party party = cs_net_party_at(&stage->net, i);

        if (party.reduce_ps_per_byte * 1e-12 > worst.s_per_byte)
            worst.s_per_byte = party.reduce_ps_per_byte * 1e-12;
        if (party.reduce_overhead_ps > worst.overhead_ps)
            worst.overhead_ps = party.reduce_overhead_ps;
    }
    return worst;
}

/* A message alone, where links do not count; `fastest_Bps` where bytes cost
 * nothing. */
static struct cs_hockney flat_machine(const struct cs_stage *stage,
                                      double fastest_Bps)
{
    struct cs_loggp_line line = cs_loggp_line(stage->net.loggp);

    return (struct cs_hockney){
        .alpha_s = line.fixed_ps * 1e-12,
        .beta_Bps =
            line.ps_per_byte > 0 ? 1e12 / line.ps_per_byte : fastest_Bps,
        .gamma_s_per_byte = cs_stage_adders(stage).s_per_byte};
}

/* Before there is a program: ranks 1, 2, 4 ... apart.  What algorithms of nodes
 * choose, they choose for the nodes. */
struct cs_hockney cs_stage_neighbours(const struct cs_stage *stage)
{
    struct cs_hockney hockney = closed_form_unbounded();
    uint32_t ranks = stage->graph.rank_count;
    uint32_t every = ranks / SAMPLES * NEIGHBOURS_EVERY + 1;
    bool apart = stage->point->algo->local_cost && stage->call.group > 1;
    uint32_t *links = new_route(stage);
    uint32_t step;
    uint32_t i;

    if (stage->point->scenario->model->is_flat)
        return flat_machine(stage, closed_form_unbounded().beta_Bps);
    for (step = 1; step < ranks; step *= 2)
        for (i = 0; i < ranks; i += every)
            if (!apart || in_one_node(stage, i, (i + step) % ranks))
                worst_of_route(stage, i, (i + step) % ranks, &hockney, links);
    hockney.gamma_s_per_byte = cs_stage_adders(stage).s_per_byte;
    return hockney;
}

/* alpha and beta are those of the worst route that the algorithm uses, gamma
 * that of the slowest party. */
struct cs_textbook cs_stage_textbook(const struct cs_stage *stage)
{
    struct cs_textbook book = {closed_form_unbounded(),
                               closed_form_unbounded()};
    uint32_t parties =
        stage->fold ? stage->fold->group.orbits : stage->net.party_count;
    uint32_t *links = new_route(stage);
    struct cs_ops ops = {0};
    uint32_t i;

    if (stage->point->scenario->model->is_flat)
        book.between = book.within = flat_machine(stage, (double)INFINITY);
    else
        for (i = 0; i < parties; i++)
            worst_of_party(stage, i, &book, &ops, links);
    book.between.gamma_s_per_byte = book.within.gamma_s_per_byte =
        cs_stage_adders(stage).s_per_byte;
    cs_ops_free(&ops);
    return book;
}
