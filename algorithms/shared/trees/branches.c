#include "algorithms/shared/trees/branches.h"

#include "algorithms/shared/trees/graph.h"
#include "sim/base/collections/disjoint.h"
#include "sim/base/collections/vector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    DISTANCES_MAX = 16 /* between nodes: further ones are taken for these */
};

/* One message of a branch, and how many such messages it stands for. */
struct branch_message {
    uint32_t parent, child;
    double weight;
};

struct branch_maker {
    const struct cs_net *net;
    struct cs_branches made;
    uint32_t nodes;
    uint32_t *joined; /* disjoint sets of resources: the rows */
    bool *is_rank;    /* by node of the net */
    uint32_t *links, *first_route;
    bool *has_first; /* by hops: first_route is set */
    uint32_t load_room, load_count;
    double *sum;       /* by row, of a branch */
    uint32_t *row;     /* by resource */
    uint32_t *touched; /* rows */
};

/* ---- the messages of a branch ---- */

static uint32_t branch_rank(const struct branch_maker *maker, uint32_t node, uint32_t local)
{
    return node % maker->nodes * maker->made.request.group + local;
}

static uint32_t branch_distances(const struct branch_maker *maker)
{
    uint32_t most = maker->nodes - 1;

    return most < DISTANCES_MAX ? most : DISTANCES_MAX;
}

static uint32_t branch_class(const struct branch_maker *maker, uint32_t vertex)
{
    return vertex / maker->made.home;
}

/* The class of a chain's nodes, and the number of nodes outside. */
static uint32_t branch_chain(const struct branch_maker *maker)
{
    return maker->made.request.classes - 1;
}

static uint32_t branch_local(const struct branch_maker *maker, uint32_t vertex)
{
    return vertex % maker->made.home;
}

static uint32_t branch_count_each(const struct branch_maker *maker, uint32_t from, uint32_t to)
{
    if (branch_class(maker, from) < branch_class(maker, to))
        return maker->nodes * branch_distances(maker);
    return maker->nodes;
}

static struct branch_message branch_of_each(const struct branch_maker *maker, uint32_t from,
                                            uint32_t to, uint32_t i)
{
    uint32_t a = branch_local(maker, from);
    uint32_t b = branch_local(maker, to);
    uint32_t node = i % maker->nodes;
    uint32_t distance = i / maker->nodes;
    double others = maker->nodes - 1.0;

    if (branch_class(maker, from) == branch_class(maker, to))
        return (struct branch_message){branch_rank(maker, node, a), branch_rank(maker, node, b),
                                       branch_class(maker, to) ? others : 1};
    if (branch_class(maker, to) == 0)
        return (struct branch_message){branch_rank(maker, node + 1, a), branch_rank(maker, node, b),
                                       1};
    distance = 1 + (uint32_t)((uint64_t)distance * (maker->nodes - 1) / branch_distances(maker));
    return (struct branch_message){branch_rank(maker, node, a),
                                   branch_rank(maker, node + distance, b),
                                   others / branch_distances(maker)};
}

static uint32_t branch_count_chain(const struct branch_maker *maker, uint32_t to)
{
    return branch_class(maker, to) < branch_chain(maker) ? 1 : maker->nodes - branch_chain(maker);
}

/* Within a class, into the chain and along it, and out of its end. */
static struct branch_message branch_of_chain(const struct branch_maker *maker, uint32_t from,
                                             uint32_t to, uint32_t i)
{
    uint32_t home = maker->made.request.root / maker->made.request.group;
    uint32_t sender = branch_class(maker, from);
    uint32_t receiver = branch_class(maker, to);
    uint32_t chain = branch_chain(maker);
    uint32_t begin = home + sender + i;
    uint32_t end = home + receiver + i;

    if (receiver == chain && sender < chain && i > 0) {
        begin = end - 1;
        from = to;
    } else if (receiver == chain && sender < chain) {
        begin = home + sender;
    } else if (sender == chain && receiver < chain) {
        begin = home + maker->nodes - 1;
    }
    return (struct branch_message){branch_rank(maker, begin, branch_local(maker, from)),
                                   branch_rank(maker, end, branch_local(maker, to)), 1};
}

static uint32_t branch_count(const struct branch_maker *maker, uint32_t branch)
{
    uint32_t from = branch / maker->made.vertices;
    uint32_t to = branch % maker->made.vertices;

    if (from == to)
        return 0;
    switch (maker->made.request.of) {
    case CS_BRANCHES_EACH:
        return branch_count_each(maker, from, to);
    case CS_BRANCHES_CHAIN:
        return branch_count_chain(maker, to);
    case CS_BRANCHES_WHOLE:
        break;
    }
    return 1;
}

static struct branch_message branch_message_of(const struct branch_maker *maker, uint32_t branch,
                                               uint32_t i)
{
    uint32_t from = branch / maker->made.vertices;
    uint32_t to = branch % maker->made.vertices;

    switch (maker->made.request.of) {
    case CS_BRANCHES_EACH:
        return branch_of_each(maker, from, to, i);
    case CS_BRANCHES_CHAIN:
        return branch_of_chain(maker, from, to, i);
    case CS_BRANCHES_WHOLE:
        break;
    }
    return (struct branch_message){from, to, 1};
}

/* ---- routes ---- */

/* Whether the message's resources are in one row with those of other nodes' messages.
 * The first and the last node of a chain have rows of their own. */
static bool branch_joins(const struct branch_maker *maker, uint32_t i, uint32_t count)
{
    return maker->made.request.of != CS_BRANCHES_CHAIN || (i > 0 && i + 1 < count);
}

/* Joins the resources on the hops of the branch's messages in one direction; false
 * where a message has no route. */
static bool branch_join_routes(struct branch_maker *maker, uint32_t branch, bool upwards)
{
    uint32_t count = branch_count(maker, branch);
    const struct cs_net *net = maker->net;

    memset(maker->has_first, 0, (net->max_hops + 1) * sizeof(*maker->has_first));
    for (uint32_t i = 0; i < count; i++) {
        struct branch_message message = branch_message_of(maker, branch, i);
        uint32_t hops =
            cs_tree_route(maker->net, maker->is_rank, upwards ? message.child : message.parent,
                          upwards ? message.parent : message.child, maker->links);
        uint32_t *first = &maker->first_route[(size_t)hops * net->max_hops];

        if (hops == 0)
            return false;
        for (uint32_t k = 0; k < hops && branch_joins(maker, i, count); k++) {
            uint32_t resource = cs_net_link_at(net, maker->links[k]).resource;

            if (maker->has_first[hops])
                cs_disjoint_join(maker->joined, first[k], resource);
            else
                first[k] = resource;
        }
        maker->has_first[hops] |= branch_joins(maker, i, count);
    }
    return count > 0;
}

/* ---- loads ---- */

static void branch_add_route(struct branch_maker *maker, struct branch_message message,
                             bool upwards, uint32_t *touched)
{
    uint32_t hops =
        cs_tree_route(maker->net, maker->is_rank, upwards ? message.child : message.parent,
                      upwards ? message.parent : message.child, maker->links);

    for (uint32_t k = 0; k < hops; k++) {
        struct cs_net_link link = cs_net_link_at(maker->net, maker->links[k]);
        uint32_t at = cs_disjoint_root(maker->joined, link.resource);

        if (maker->row[at] == NONE)
            maker->row[at] = maker->made.rows++;
        at = maker->row[at];
        if (maker->sum[at] == 0)
            maker->touched[(*touched)++] = at;
        maker->sum[at] += message.weight / link.rate_Bps;
    }
}

static void branch_add(struct branch_maker *maker, uint32_t branch)
{
    struct cs_branches *made = &maker->made;
    uint32_t count = made->exists[branch] ? branch_count(maker, branch) : 0;
    uint32_t touched = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct branch_message message = branch_message_of(maker, branch, i);

        if (made->request.use & CS_TREES_DOWN)
            branch_add_route(maker, message, false, &touched);
        if (made->request.use & CS_TREES_UP)
            branch_add_route(maker, message, true, &touched);
    }
    made->first[branch] = maker->load_count;
    made->load = cs_vector_room(made->load, maker->load_count + touched, &maker->load_room,
                                sizeof(*made->load));
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t row = maker->touched[i];

        made->load[maker->load_count++] = (struct cs_branch_load){row, maker->sum[row]};
        maker->sum[row] = 0;
    }
}

/* ---- the whole ---- */

static void branch_begin(struct branch_maker *maker, struct cs_arena *scratch)
{
    const struct cs_net *net = maker->net;
    size_t hops = net->max_hops + 1;

    maker->joined = cs_arena_alloc(scratch, net->resource_count, sizeof(uint32_t));
    maker->row = cs_arena_alloc(scratch, net->resource_count, sizeof(uint32_t));
    maker->touched = cs_arena_alloc(scratch, net->resource_count, sizeof(uint32_t));
    maker->sum = cs_arena_alloc(scratch, net->resource_count, sizeof(double));
    maker->is_rank = cs_tree_rank_nodes(net, maker->made.request.ranks, scratch);
    maker->links = cs_arena_alloc(scratch, hops, sizeof(uint32_t));
    maker->has_first = cs_arena_alloc(scratch, hops, sizeof(bool));
    maker->first_route = cs_arena_alloc(scratch, hops * hops, sizeof(uint32_t));
    cs_disjoint_open(maker->joined, net->resource_count);
    for (uint32_t r = 0; r < net->resource_count; r++)
        maker->row[r] = NONE;
}

/* The number of vertices and branches. */
static void branch_size(struct branch_maker *maker)
{
    const struct cs_branches_request *request = &maker->made.request;
    bool whole = request->of == CS_BRANCHES_WHOLE;
    struct cs_branches *made = &maker->made;

    maker->nodes = whole ? 1 : request->ranks / request->group;
    made->home = whole ? request->ranks : request->group;
    made->vertices = made->home * (whole ? 1 : request->classes);
    made->branches = made->vertices * made->vertices;
}

struct cs_branches cs_branches_of(const struct cs_net *net,
                                  const struct cs_branches_request *request, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct branch_maker maker = {.net = net, .made = {.request = *request}};
    struct cs_branches *made = &maker.made;

    branch_size(&maker);
    assert(maker.nodes > 0);
    branch_begin(&maker, &scratch);
    made->first = cs_arena_alloc(arena, made->branches + 1, sizeof(*made->first));
    made->exists = cs_arena_alloc(arena, made->branches, sizeof(*made->exists));
    for (uint32_t b = 0; b < made->branches; b++)
        made->exists[b] =
            (!(request->use & CS_TREES_DOWN) || branch_join_routes(&maker, b, false)) &&
            (!(request->use & CS_TREES_UP) || branch_join_routes(&maker, b, true));
    for (uint32_t b = 0; b < made->branches; b++)
        branch_add(&maker, b);
    made->first[made->branches] = maker.load_count;
    if (maker.load_count) {
        struct cs_branch_load *load = made->load;

        made->load = cs_arena_copy(arena, load, maker.load_count, sizeof(*load));
        free(load);
    }
    made->capacity = cs_arena_alloc(arena, made->rows, sizeof(*made->capacity));
    for (uint32_t r = 0; r < net->resource_count; r++) {
        uint32_t row = maker.row[cs_disjoint_root(maker.joined, r)];

        if (row != NONE)
            made->capacity[row]++;
    }
    return *made;
}
