#include "scenarios/run/case/neighbours.h"

#include <string.h>

struct neighbours {
    const struct cs_run *run;
    struct cs_ops ops;
    uint32_t *links;  /* of a route */
    uint8_t *is_near; /* peers of the rank already seen to be neighbours */
};

/* Whether the route crosses no device that computes. */
static bool neighbours_are(const struct neighbours *of, uint32_t from, uint32_t to)
{
    const struct cs_run *run = of->run;
    uint32_t hops = run->net.route(run->net.route_ctx, from, to, of->links);

    for (uint32_t i = 0; i + 1 < hops; i++) {
        uint32_t device = cs_net_link_at(&run->net, of->links[i]).to;

        if (cs_device_computes(cs_graph_device(&run->graph, device).kind))
            return false;
    }
    return true;
}

static int neighbours_check_round(struct neighbours *of, struct cs_at at)
{
    const struct cs_run *run = of->run;

    cs_program_read(&run->program, at, &of->ops);
    for (uint32_t i = 0; i < of->ops.count; i++) {
        uint32_t peer = of->ops.op[i].peer;

        if (of->ops.op[i].kind != CS_OP_SEND || of->is_near[peer])
            continue;
        if (!neighbours_are(of, at.party, peer))
            return cs_err_set(
                run->err, CS_EINPUT,
                "%s sends from %s to %s, which neither a wire nor a switch joins",
                run->which->algo->name,
                cs_graph_name(&run->graph, run->net.parties[at.party].node, run->arena),
                cs_graph_name(&run->graph, run->net.parties[peer].node, run->arena));
        of->is_near[peer] = 1;
    }
    return 0;
}

static int neighbours_check_rank(struct neighbours *of, uint32_t rank)
{
    const struct cs_program *program = &of->run->program;
    int code = 0;

    memset(of->is_near, 0, of->run->net.party_count);
    for (uint32_t lane = 0; lane < program->lanes && !code; lane++)
        for (uint64_t k = 0; k < cs_program_rounds(program, rank, lane) && !code; k++)
            code = neighbours_check_round(of, (struct cs_at){rank, lane, k});
    return code;
}

int cs_neighbours_check(const struct cs_run *run)
{
    struct neighbours of = {.run = run};
    int code = 0;

    if (!run->graph.neighbours_only)
        return 0;
    of.links = cs_arena_alloc(run->arena, run->net.max_hops, sizeof(*of.links));
    of.is_near = cs_arena_alloc(run->arena, run->net.party_count, 1);
    for (uint32_t rank = 0; rank < run->program.ranks && !code; rank++)
        code = neighbours_check_rank(&of, rank);
    cs_ops_free(&of.ops);
    return code;
}
