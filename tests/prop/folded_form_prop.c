/*
 * The folded form of a machine equals the full form: names, links, routes,
 * bounds, and the result of a folded run.
 */
#include "sim/fold/fold.h"

#include "tests/fixture.h"

static const char *const specs[] = {
    "switch:ranks=12",
    "switch:ranks=8,gamma=7GB/s,overhead=1us",
    "cluster:ranks=9",
    "cluster:node=dgx-h100,nodes=4",
    "cluster:node=dgx-h100,nodes=5,fabric=rail",
    "cluster:node=hgx-a100-4,nodes=3,rails=2",
    "cluster:node=mi300x,nodes=2,fabric=fat-tree",
    "fat-tree:ranks=16,radix=4",
    "dragonfly:ranks=24",
    "torus:dims=3x4",
    "torus:dims=8",
    "torus:dims=2x3,node=dgx-h100,rails=8",
};

enum {
    HOPS_MAX = 1024,
};

struct opened {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
};

static void open_machine(struct opened *opened, const char *spec, uint32_t replicas_from)
{
    struct cs_topo_request request = {.spec = spec, .replicas_from = replicas_from};
    struct cs_err err;

    *opened = (struct opened){0};
    if (cs_topo_open(&request, &opened->graph, &opened->arena, &err))
        fail_msg("%s: %s", spec, err.text);
    cs_lower(&opened->graph, &opened->net, &opened->arena);
}

static void close_machine(struct opened *opened)
{
    cs_arena_free(&opened->arena);
}

static void expect_same_link(struct opened *full, struct opened *replicated, uint32_t a, uint32_t b)
{
    struct cs_net_link of = cs_net_link_at(&full->net, a);
    struct cs_net_link is = cs_net_link_at(&replicated->net, b);

    assert_string_equal(cs_graph_link_name(&full->graph, a, &full->arena),
                        cs_graph_link_name(&replicated->graph, b, &replicated->arena));
    assert_int_equal(of.from, is.from);
    assert_int_equal(of.to, is.to);
    assert_true(of.rate_Bps == is.rate_Bps);
    assert_true(of.ps_per_byte == is.ps_per_byte);
    assert_int_equal(of.latency_ps, is.latency_ps);
    /* ahead_ps is a lower bound: a smaller value is allowed. */
    assert_true(is.ahead_ps <= of.ahead_ps);
}

static void expect_same_routes(struct opened *full, struct opened *replicated)
{
    uint32_t ranks = full->graph.rank_count;
    uint32_t a[HOPS_MAX], b[HOPS_MAX];

    assert_true(full->net.max_hops <= HOPS_MAX);
    for (uint32_t i = 0; i < ranks * ranks; i++) {
        uint32_t src = i / ranks;
        uint32_t dst = i % ranks;
        uint32_t hops;

        if (src == dst)
            continue;
        hops = full->net.route(full->net.route_ctx, src, dst, a);
        assert_int_equal(replicated->net.route(replicated->net.route_ctx, src, dst, b), hops);
        for (uint32_t h = 0; h < hops; h++)
            expect_same_link(full, replicated, a[h], b[h]);
    }
}

static void expect_same_devices(struct opened *full, struct opened *replicated)
{
    assert_int_equal(full->graph.device_count, replicated->graph.device_count);
    assert_int_equal(full->graph.wire_count, replicated->graph.wire_count);
    for (uint32_t d = 0; d < full->graph.device_count; d++) {
        struct cs_device of = cs_graph_device(&full->graph, d);
        struct cs_device is = cs_graph_device(&replicated->graph, d);

        assert_string_equal(cs_graph_name(&full->graph, d, &full->arena),
                            cs_graph_name(&replicated->graph, d, &replicated->arena));
        assert_int_equal(of.kind, is.kind);
        assert_int_equal(of.host, is.host);
        assert_true(of.reduce_Bps == is.reduce_Bps);
        assert_int_equal(of.reduce_overhead_ps, is.reduce_overhead_ps);
    }
}

TEST(the_folded_form_has_the_devices_links_and_routes_of_the_full_form)
{
    for (size_t i = 0; i < COUNT(specs); i++) {
        CS_AT_END(close_machine) struct opened full, replicated;

        open_machine(&full, specs[i], 0);
        open_machine(&replicated, specs[i], 1);
        assert_int_equal(full.graph.replicated.count, 0);
        assert_true(replicated.graph.replicated.count > 1);
        expect_same_devices(&full, &replicated);
        expect_same_routes(&full, &replicated);
        cs_graph_expand(&replicated.graph);
        assert_int_equal(replicated.graph.replicated.count, 0);
        cs_lower(&replicated.graph, &replicated.net, &replicated.arena);
        expect_same_devices(&full, &replicated);
        expect_same_routes(&full, &replicated);
    }
}

/* The link with the end nodes of a route moved: from node `was` to node `is`. */
static uint32_t moved_link(const struct cs_net_replicas *of, uint32_t link, const uint32_t *was,
                           const uint32_t *is)
{
    uint32_t node = link / of->each;

    assert_true(node < of->copies);
    assert_true(node == was[0] || node == was[1]);
    return link + (is[node == was[1]] - node) * of->each;
}

/* Any pair of nodes in the place of nodes 0 and 1, and of one node in place of node 0. */
static void expect_moved(const struct cs_net *net, uint32_t src, uint32_t dst)
{
    const struct cs_net_replicas *of = &net->replicated;
    const uint32_t was[] = {0, dst / of->ranks};
    uint32_t a[HOPS_MAX], b[HOPS_MAX];
    uint32_t hops = net->route(net->route_ctx, src, dst, a);

    for (uint32_t i = 0; i < of->copies * of->copies; i++) {
        const uint32_t is[] = {i / of->copies, i % of->copies};

        if ((is[0] == is[1]) != (was[1] == 0))
            continue;
        assert_int_equal(net->route(net->route_ctx, src + is[0] * of->ranks,
                                    dst + (is[1] - was[1]) * of->ranks, b),
                         hops);
        for (uint32_t h = 0; h < hops; h++)
            assert_int_equal(b[h], moved_link(of, a[h], was, is));
    }
}

TEST(routes_of_stars_move_with_the_nodes)
{
    static const char *const stars[] = {
        "cluster:ranks=9",
        "switch:ranks=8,gamma=7GB/s,overhead=1us",
        "cluster:node=dgx-h100,nodes=4",
        "cluster:node=dgx-h100,nodes=5,fabric=rail",
        "cluster:node=hgx-a100-4,nodes=3,rails=2",
        "cluster:node=dgx-1,nodes=3,fabric=rail,pxn=on",
        "cluster:node=p5,nodes=3",
        "cluster:node=gb200-nvl72,nodes=2,fabric=rail",
        "cluster:node=mi250x,nodes=3,fabric=rail",
    };

    for (size_t i = 0; i < sizeof(stars) / sizeof(*stars); i++) {
        CS_AT_END(close_machine) struct opened star;
        uint32_t ranks;

        open_machine(&star, stars[i], 1);
        ranks = star.net.replicated.ranks;
        assert_ptr_equal(star.net.replicated.moving_route, star.net.route);
        assert_int_equal(ranks * star.net.replicated.copies, star.graph.rank_count);
        for (uint32_t src = 0; src < ranks; src++)
            for (uint32_t dst = 0; dst < 2 * ranks; dst++)
                if (src != dst)
                    expect_moved(&star.net, src, dst);
    }
}

TEST(routes_of_other_fabrics_are_not_said_to_move)
{
    static const char *const others[] = {"cluster:node=mi300x,nodes=2,fabric=fat-tree",
                                         "dragonfly:ranks=24", "torus:dims=3x4"};

    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        CS_AT_END(close_machine) struct opened other;

        open_machine(&other, others[i], 1);
        assert_null(other.net.replicated.moving_route);
    }
}

TEST(small_machines_have_the_full_form)
{
    struct opened opened;

    open_machine(&opened, "switch:ranks=12", 13);
    assert_int_equal(opened.graph.replicated.count, 0);
    close_machine(&opened);
    open_machine(&opened, "switch:ranks=12,duplex=half", 1);
    assert_int_equal(opened.graph.replicated.count, 0);
    close_machine(&opened);
}

static void expect_same_bound(const char *spec, const struct cs_collective *collective,
                              double vector_bytes)
{
    struct cs_bound_request request = {
        .collective = collective, .vector_bytes = vector_bytes, .element_bytes = 4};
    CS_AT_END(close_machine) struct opened full, replicated;
    struct cs_bound of, is;

    open_machine(&full, spec, 0);
    open_machine(&replicated, spec, 1);
    assert_int_not_equal(replicated.graph.replicated.count, 0);
    of = cs_bound_of(&full.graph, &full.net, &request, &full.arena);
    is = cs_bound_of(&replicated.graph, &replicated.net, &request, &replicated.arena);
    if (of.time_s != is.time_s || strcmp(of.why, is.why) != 0)
        fail_msg("%s %s: %.17g s in full (%s), %.17g s replicated (%s)", spec, collective->name,
                 of.time_s, of.why, is.time_s, is.why);
}

TEST(the_bound_of_the_folded_form_is_the_bound_of_the_full_form)
{
    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t c = 0; c < cs_collective_count; c++)
            expect_same_bound(specs[i], cs_collectives[c], 1e6);
}

/* Rates whose sum in doubles depends on the order, above 2^53 or with thirds;
 * and more links than the bound sums one by one. */
TEST(bounds_of_large_machines_are_equal_to_the_last_bit)
{
    static const char *const vast[] = {
        "switch:ranks=100003,bandwidth=400000000001B/s",
        "switch:ranks=65537,bandwidth=3333333333.3333B/s,latency=1us",
        "cluster:node=dgx-h100,nodes=8192,fabric=rail",
        "switch:ranks=600000,bandwidth=12345678901B/s",
    };

    for (size_t i = 0; i < sizeof(vast) / sizeof(*vast); i++) {
        expect_same_bound(vast[i], &cs_collective_allreduce, 4);
        expect_same_bound(vast[i], &cs_collective_allreduce, 1e9);
        expect_same_bound(vast[i], &cs_collective_allgather, 1e9);
    }
}

static void expect_same_run(struct cs_fold *of, struct cs_fold *is, struct cs_arena *arena)
{
    const struct cs_fold_run run = {.model = cs_link_model_find("fluid")};
    struct cs_exec_result a = {0}; /* not written where regions do not fit the model */
    struct cs_exec_result b = {0};
    int code = cs_fold_run(of, &run, arena, &a, NULL);

    assert_int_equal(of->group.orbits, is->group.orbits);
    assert_int_equal(of->group.is_xor, is->group.is_xor);
    assert_int_equal(cs_fold_run(is, &run, arena, &b, NULL), code);
    if (code) /* the results are invalid */
        return;
    assert_int_equal(a.time_ps, b.time_ps);
    assert_int_equal(a.bytes_sent, b.bytes_sent);
}

static struct cs_fold *find_fold(const struct cs_program *program, struct opened *opened)
{
    const struct cs_fold_request request = {.program = program, .net = &opened->net, .seed = 1};
    struct cs_fold *fold;
    const char *why;

    assert_int_equal(cs_fold_find(&request, &opened->arena, &fold, &why, NULL), 0);
    return fold;
}

/* Whether both forms fold; the group and the simulated time must be equal. */
static bool fold_both(const char *spec, const struct cs_algo *algo)
{
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    CS_AT_END(close_machine) struct opened full, replicated;
    struct cs_fold *of = NULL;
    struct cs_call call = {.element_bytes = 4};

    open_machine(&full, spec, 0);
    open_machine(&replicated, spec, 1);
    call.ranks = full.graph.rank_count;
    call.elements = 4800 * (uint64_t)call.ranks;
    cs_algo_resolve(algo, &call, &hockney);
    if (cs_algo_check(algo, &call, NULL) == 0) {
        struct cs_program program = cs_algo_program(algo, &call);
        struct cs_fold *is = find_fold(&program, &replicated);

        of = find_fold(&program, &full);
        assert_int_equal(of != NULL, is != NULL);
        if (of && is)
            expect_same_run(of, is, &full.arena);
    }
    return of != NULL;
}

TEST(both_forms_fold_to_the_same_run)
{
    uint32_t folded = 0;

    for (size_t i = 0; i < COUNT(specs); i++)
        for (size_t a = 0; a < cs_algo_count; a++)
            folded += fold_both(specs[i], cs_algos[a]);
    print_message("folded %u times\n", folded);
    assert_true(folded > 20);
}
