/*
 * Folding never changes an answer: every algorithm on machines that are the
 * same all round, and on some that are not, simulated whole and folded.
 */
#include "sim/fold/fold.h"

#include "algorithms/shared/rings/machine_rings.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

enum {
    RANKS_MAX = 16,
    MACHINES = 6,
    MODELS = 4,
    TRIALS = 2 * MACHINES * MODELS /* with equal and with unequal blocks */
};

static const char *const machines[MACHINES] = {
    "switch:latency=0.5us,bandwidth=25GB/s",
    "switch:latency=1us,bandwidth=10GB/s,gamma=7GB/s,overhead=1us",
    "switch:latency=1us,bandwidth=10GB/s,duplex=half",
    "mesh:latency=1us,bandwidth=5GB/s",
    "ring:latency=1us,bandwidth=5GB/s",
    "bus:latency=1us,bandwidth=5GB/s",
};

static const char *const models[MODELS] = {"fifo", "fluid", "postal", "packet"};

struct trial {
    const char *machine;
    const char *model;
    bool eager;
    enum cs_agent_place agent_place;
    struct cs_call call;
};

/* How often it worked, by algorithm. */
struct tally {
    uint32_t folded;
    uint32_t waited;
    uint32_t tied;
    uint32_t untied; /* of the folded: by a smaller group */
    uint32_t queued; /* of the folded: messages waited */
    uint32_t open;   /* of the folded: the order of links divides waits */
    uint32_t within; /* of the folded: by rotations inside of nodes, renumbered */
    uint32_t uneven;
    uint32_t paced;   /* of the folded: unequal blocks */
    uint32_t regions; /* of the folded: simulated by regions */
    uint32_t copied;  /* of these: with far fewer events than messages */
    uint32_t jumped;  /* of these: with jumps */
    uint32_t alone;
};

/* Equal paths; of bandwidth and waiting the sum, where the order of links divides
 * waits. */
static bool is_same_path(const struct cs_exec_result *whole, const struct cs_exec_result *folded)
{
    struct cs_path a = whole->path;
    struct cs_path b = folded->path;

    if (folded->is_cause_open) {
        a.bandwidth_ps += a.wait_ps;
        b.bandwidth_ps += b.wait_ps;
        a.wait_ps = b.wait_ps = 0;
    }
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* What ranks hold beside their vectors is, where blocks are unequal, that of a
 * run of the longest ones; what agents hold is at least that of the whole run. */
static void expect_same(const struct cs_algo *algo, const struct trial *trial,
                        const struct cs_exec_result *whole, const struct cs_exec_result *folded,
                        bool uneven)
{
    if (whole->time_ps != folded->time_ps || whole->messages != folded->messages ||
        whole->bytes_sent != folded->bytes_sent ||
        whole->bytes_sent_max != folded->bytes_sent_max ||
        (!uneven && whole->extra_bytes_max != folded->extra_bytes_max) ||
        whole->agent_bytes_max > folded->agent_bytes_max || !is_same_path(whole, folded))
        fail_msg("%s %s, p = %u, %" PRIu64 " x %u B, %s, %s: %" PRIu64 " ps, %" PRIu64
                 " B (%" PRIu64 "), %" PRIu64 " B held whole; %" PRIu64 " ps, %" PRIu64
                 " B (%" PRIu64 "), %" PRIu64 " B held folded",
                 algo->collective->name, algo->name, trial->call.ranks, trial->call.elements,
                 trial->call.element_bytes, trial->machine, trial->model, whole->time_ps,
                 whole->bytes_sent, whole->bytes_sent_max, whole->extra_bytes_max, folded->time_ps,
                 folded->bytes_sent, folded->bytes_sent_max, folded->extra_bytes_max);
}

/* The links that were simulated did what they do in the whole. */
static void expect_same_use(const struct cs_fold *fold, const struct cs_exec_result *whole,
                            const struct cs_exec_result *folded)
{
    for (uint32_t i = 0; i < fold->net.link_count; i++) {
        assert_int_equal(whole->use[fold->link[i]].bytes, folded->use[i].bytes);
        assert_int_equal(whole->use[fold->link[i]].busy_ps, folded->use[i].busy_ps);
    }
}

static void compare(const struct cs_algo *algo, const struct trial *trial, struct tally *tally)
{
    const struct cs_fold_run run = {.model = cs_link_model_find(trial->model),
                                    .eager = trial->eager};
    struct cs_program program = cs_algo_program(algo, &trial->call);
    struct cs_fold_request request = {.program = &program, .seed = fixture_seed()};
    struct cs_exec_result whole, folded;
    CS_AT_END(machine_close) struct machine machine;
    struct cs_fold *fold;
    const char *why = NULL;
    int code;

    machine_open_at(&machine, trial->machine, trial->call.ranks, program.agents,
                    trial->agent_place);
    request.net = &machine.net;
    machine.eager = trial->eager;
    assert_int_equal(cs_fold_find(&request, &machine.arena, &fold, &why, NULL), 0);
    assert_true(fold || why);
    code = fold ? cs_fold_run(fold, &run, &machine.arena, &folded, NULL) : CS_FOLD_WAITED;
    for (; code == CS_FOLD_TIED && fold->group.copies > 1; tally->untied += !code) {
        request.below = fold->group.copies;
        assert_int_equal(cs_fold_find(&request, &machine.arena, &fold, &why, NULL), 0);
        if (!fold)
            break;
        code = cs_fold_run(fold, &run, &machine.arena, &folded, NULL);
    }
    assert_true(code == 0 || code == CS_FOLD_WAITED || code == CS_FOLD_UNEVEN ||
                code == CS_FOLD_TIED || code == CS_FOLD_ALONE);
    tally->alone += code == CS_FOLD_ALONE;
    tally->tied += code == CS_FOLD_TIED;
    tally->queued += code == 0 && folded.waits > 0;
    tally->open += code == 0 && folded.is_cause_open;
    tally->within += code == 0 && fold->order && !program.turn;
    tally->waited += code == CS_FOLD_WAITED;
    tally->uneven += code == CS_FOLD_UNEVEN;
    if (!code) {
        whole = machine_run(&machine, &program, trial->model);
        expect_same(algo, trial, &whole, &folded, fold->uneven);
        expect_same_use(fold, &whole, &folded);
        tally->folded++;
        tally->regions += fold->regions != NULL;
        tally->jumped += fold->regions && folded.jumped > 0;
        tally->copied += fold->regions && 2 * folded.events < folded.messages;
        tally->paced += fold->uneven;
    }
}

/* All ranks, machines and models of one algorithm. */
static struct tally compare_all(const struct cs_algo *algo)
{
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    struct tally tally = {0};

    for (uint32_t p = 2; p <= RANKS_MAX; p++)
        for (size_t i = 0; i < TRIALS; i++) {
            struct trial trial = {.machine = machines[i / MODELS % MACHINES],
                                  .model = models[i % MODELS]};

            trial.call = (struct cs_call){
                .ranks = p,
                .elements = 4800 * (uint64_t)p + (i < TRIALS / 2 ? 0 : 1),
                .element_bytes = 4,
                .group = p % 4 == 0 ? 4 : 0,
            };
            cs_algo_resolve(algo, &trial.call, &hockney);
            if (fixture_takes(UINT64_C(64) * i + p) && cs_algo_check(algo, &trial.call, NULL) == 0)
                compare(algo, &trial, &tally);
        }
    return tally;
}

TEST(folding_never_changes_an_answer)
{
    uint32_t algos = 0;

    for (size_t a = 0; a < cs_algo_count; a++) {
        struct tally tally = compare_all(cs_algos[a]);

        if (getenv("COLLSIM_VERBOSE"))
            print_message("%s %s: folded %u (%u with queues, %u with unequal blocks), not %u, not "
                          "%u as blocks are unequal, not %u for ties\n",
                          cs_algos[a]->collective->name, cs_algos[a]->name, tally.folded,
                          tally.queued, tally.paced, tally.waited, tally.uneven, tally.tied);
        algos += tally.folded > 0;
    }
    print_message("%u of %zu algorithms fold somewhere\n", algos, cs_algo_count);
    assert_true(algos >= 10);
}

/* ---- drawn trials ---- */

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return cs_mix64((*state)++) % below;
}

/* A trial on a machine whose text is drawn. */
struct drawn {
    struct cs_text spec;
    struct trial trial;
    struct machine made;
};

/* Makes the machine of the text, and a call of all ranks. */
static void drawn_open(struct drawn *drawn, uint32_t nodes)
{
    uint32_t ranks;

    drawn->trial.machine = cs_text_str(&drawn->spec);
    machine_open(&drawn->made, drawn->trial.machine, 0, 0);
    ranks = drawn->made.graph.rank_count;
    drawn->trial.call =
        (struct cs_call){.ranks = ranks, .group = ranks / nodes, .element_bytes = 4};
}

/* Along the rings of the machine. */
static void drawn_rings(struct drawn *drawn)
{
    struct cs_call *call = &drawn->trial.call;

    call->rings =
        cs_rings_of_machine(&drawn->made.net, call->ranks, call->group, &drawn->made.arena);
}

/* Compares, where the algorithm takes the call. */
static void drawn_compare(struct drawn *drawn, const struct cs_algo *algo, struct tally *tally)
{
    const struct cs_hockney hockney = {1e-6, 10e9, 0};

    cs_algo_resolve(algo, &drawn->trial.call, &hockney);
    if (cs_algo_check(algo, &drawn->trial.call, NULL) == 0)
        compare(algo, &drawn->trial, tally);
    machine_close(&drawn->made);
    cs_text_free(&drawn->spec);
}

static struct tally draw_all(uint32_t trials, void (*draw_one)(uint64_t *, struct tally *))
{
    uint64_t random = cs_mix64(fixture_seed());
    struct tally tally = {0};

    for (uint32_t i = 0; i < fixture_trials(trials); i++)
        draw_one(&random, &tally);
    return tally;
}

/* ---- unequal blocks ---- */

/* Identical wires all round, and nodes whose adapters are slower than the wires
 * inside; sums that take time, and that do not. */
static const char *const uneven_machines[] = {
    "switch:latency=0.5us,bandwidth=25GB/s,gamma=9GB/s",
    "switch:latency=0ns,bandwidth=10GB/s",
    "ring:latency=1us,bandwidth=5GB/s",
    "mesh:latency=3ns,bandwidth=5GB/s,gamma=40GB/s,overhead=1us",
    "cluster:node=dgx-h100",
    "cluster:node=dgx-1",
    "cluster:node=hgx-h200,fabric=rail",
    "cluster:node=dgx-a100,fabric=rail",
};

enum {
    UNEVEN_TRIALS = 1700,
    UNEVEN_RANKS = 40,
};

/* Any number of elements: fewer than ranks, or a few for each, or many. */
static void draw_uneven(uint64_t *state, struct tally *tally)
{
    static const uint32_t each[] = {2, 30, 100000};
    const char *machine = uneven_machines[draw(state, COUNT(uneven_machines))];
    const struct cs_algo *algo = cs_algos[draw(state, cs_algo_count)];
    bool is_cluster = strncmp(machine, "cluster", 7) == 0;
    uint32_t nodes = 2 + (uint32_t)draw(state, is_cluster ? 4 : UNEVEN_RANKS);
    struct drawn drawn = {.trial.model = models[draw(state, MODELS)]};
    struct cs_call *call = &drawn.trial.call;

    /* More agents than nodes have CPUs for parameter servers. */
    if (algo->agent_place == CS_AGENT_FABRIC || algo->agent_place == CS_AGENT_NODE_FABRIC)
        return;
    cs_text_printf(&drawn.spec, is_cluster ? "%s,nodes=%u" : "%s,ranks=%u", machine, nodes);
    drawn_open(&drawn, nodes);
    call->group = is_cluster ? call->group : 0;
    call->elements = 1 + draw(state, each[draw(state, 3)] * (uint64_t)call->ranks);
    call->element_bytes = (uint32_t)1 << draw(state, 4);
    call->slices = draw(state, 4) == 0 ? 2 : 0;
    call->channels = draw(state, 4) == 0 ? 2 : 0;
    drawn_compare(&drawn, algo, tally);
}

TEST(unequal_blocks_fold_to_the_picosecond)
{
    struct tally tally = draw_all(UNEVEN_TRIALS, draw_uneven);

    print_message("%u folded, %u of them with unequal blocks; not %u\n", tally.folded, tally.paced,
                  tally.uneven);
    assert_true(tally.paced >= fixture_trials(45));
}

/* ---- queues ---- */

/* Messages of several ranks, lanes and nodes share links. */
static const char *const queue_machines[] = {
    "cluster:node=dgx-h100,fabric=rail",
    "cluster:node=dgx-h100,fabric=fat-tree",
    "cluster:node=dgx-a100",
    "cluster:node=dgx-1,fabric=fat-tree",
    "cluster:node=hgx-a100-4,rails=2",
    "cluster:node=mi300x,fabric=fat-tree",
    "cluster:node=dgx-1",
    "cluster:node=hgx-h200,fabric=rail",
    "cluster:node=hgx-h200,fabric=fat-tree,radix=32", /* two nodes on a leaf */
    "cluster:node=dgx-h100,fabric=dual-plane",
};

enum {
    QUEUE_TRIALS = 2000,
    ROUTER_TRIALS = 40,
    QUEUE_MODELS = 3, /* fifo, fluid, postal */
};

static void draw_queues(uint64_t *state, struct tally *tally)
{
    static const uint32_t elements[] = {1, 64, 4800, 100000};
    const char *machine = queue_machines[draw(state, COUNT(queue_machines))];
    const struct cs_algo *algo = cs_algos[draw(state, cs_algo_count)];
    uint32_t nodes = 2 + (uint32_t)draw(state, 11);
    struct drawn drawn = {
        .trial = {.model = models[draw(state, QUEUE_MODELS)], .eager = draw(state, 2)}};
    struct cs_call *call = &drawn.trial.call;

    if (algo->agents)
        return;
    cs_text_printf(&drawn.spec, "%s,nodes=%u", machine, nodes);
    drawn_open(&drawn, nodes);
    call->elements = UINT64_C(48) * call->ranks * elements[draw(state, 4)];
    call->slices = draw(state, 4) == 0 ? 2 : 0;
    call->channels = draw(state, 3) == 0 ? 1 + (uint32_t)draw(state, 8) : 0;
    drawn_compare(&drawn, algo, tally);
}

static void print_tally(const struct tally *tally)
{
    print_message("%u folded, %u of them with queues, of %u the order of links divides waits, %u "
                  "by a smaller group, %u inside of nodes; not %u, for ties %u\n",
                  tally->folded, tally->queued, tally->open, tally->untied, tally->within,
                  tally->waited, tally->tied);
}

TEST(queues_fold_to_the_picosecond)
{
    struct tally tally = draw_all(QUEUE_TRIALS, draw_queues);

    print_tally(&tally);
    assert_true(tally.queued >= fixture_trials(100));
    assert_true(tally.within >= fixture_trials(9));
}

/* What passes a router meets what begins there, in some copies before and in others
 * after what else happens in that instant. */
static void draw_routers(uint64_t *state, struct tally *tally)
{
    static const char *const nodes[] = {"hgx-h200", "mi300x", "dgx-a100"};
    static const char *const algos[] = {"bucket", "hierarchical"};
    static const char *const collectives[] = {"allreduce", "allgather", "reducescatter"};
    static const uint32_t elements[] = {64, 4800, 100000};
    const struct cs_algo *algo =
        cs_algo_find(algos[draw(state, 2)], cs_collective_find(collectives[draw(state, 3)]));
    uint32_t count = 3 + (uint32_t)draw(state, 3);
    struct drawn drawn = {.trial.model = "fifo"};
    struct cs_call *call = &drawn.trial.call;

    cs_text_printf(&drawn.spec, "cluster:node=%s,nodes=%u,fabric=dragonfly", nodes[draw(state, 3)],
                   count);
    drawn_open(&drawn, count);
    call->elements = UINT64_C(48) * call->ranks * elements[draw(state, 3)];
    drawn_compare(&drawn, algo, tally);
}

TEST(routers_fold_to_the_picosecond)
{
    struct tally tally = draw_all(ROUTER_TRIALS, draw_routers);

    print_tally(&tally);
    assert_true(tally.queued >= fixture_trials(ROUTER_TRIALS / 4));
}

/* ---- symmetries of ranks and channels ---- */

/* Channels with one adapter each, at equal distances. */
static const char *const symmetric_machines[] = {
    "cluster:node=dgx-h100,fabric=rail",
    "cluster:node=dgx-h100,fabric=fat-tree",
    "cluster:node=dgx-a100",
    "cluster:node=hgx-a100-4,rails=2",
    "cluster:node=mi300x,fabric=fat-tree",
    "cluster:node=hgx-h200,fabric=rail",
};

/* With a switch that agents can be in. */
static const char *const switched_machines[] = {
    "cluster:node=dgx-h100,fabric=rail",
    "cluster:node=dgx-h100,fabric=fat-tree",
    "cluster:node=dgx-a100",
    "cluster:node=dgx-2,fabric=rail",
    "cluster:node=hgx-h200,rails=2",
    "cluster:node=dgx-a100,fabric=rail",
};

enum {
    SYMMETRY_TRIALS = 120,
    SYMMETRY_NODES = 12,
};

/* Trees over the nodes with a chain in each node, along the rings of the machine
 * or not; any number of channels, equal and unequal blocks. */
static void draw_symmetry(const char *name, const char *const *list, uint64_t *state,
                          struct tally *tally)
{
    static const uint32_t elements[] = {1, 48, 4800};
    const struct cs_algo *algo = cs_algo_find(name, cs_collective_find("allreduce"));
    const char *machine = list[draw(state, COUNT(symmetric_machines))];
    uint32_t nodes = 2 + (uint32_t)draw(state, SYMMETRY_NODES - 1);
    struct drawn drawn = {.trial = {.model = draw(state, 4) ? "fifo" : models[draw(state, MODELS)],
                                    .eager = draw(state, 2),
                                    .agent_place = algo->agent_place}};
    struct cs_call *call = &drawn.trial.call;

    /* A rail needs one switch. */
    if (algo->agent_place == CS_AGENT_NODE_FABRIC && strstr(machine, "fat-tree"))
        return;
    cs_text_printf(&drawn.spec, "%s,nodes=%u", machine, nodes);
    drawn_open(&drawn, nodes);
    call->elements = UINT64_C(48) * call->ranks * elements[draw(state, 3)] + (draw(state, 8) == 0);
    call->chunks = draw(state, 2) ? (uint32_t)1 << draw(state, 6) : 0;
    call->slices = draw(state, 4) == 0 ? 2 : 0;
    call->channels = draw(state, 4) == 0 ? 1 + (uint32_t)draw(state, 32) : 0;
    if (draw(state, 4))
        drawn_rings(&drawn);
    drawn_compare(&drawn, algo, tally);
}

static void draw_double_tree(uint64_t *state, struct tally *tally)
{
    draw_symmetry("double-tree", symmetric_machines, state, tally);
}

static void draw_nvls_tree(uint64_t *state, struct tally *tally)
{
    static const char *const names[] = {"nvls-tree", "nvls-ring", "nvls-sharp"};

    draw_symmetry(names[draw(state, COUNT(names))], switched_machines, state, tally);
}

TEST(symmetries_fold_to_the_picosecond)
{
    struct tally tally = draw_all(SYMMETRY_TRIALS, draw_double_tree);

    print_tally(&tally);
    assert_true(tally.queued >= fixture_trials(20));
}

/* Agents keep their place and exchange their lanes. */
TEST(symmetries_of_agents_fold_to_the_picosecond)
{
    struct tally tally = draw_all(SYMMETRY_TRIALS, draw_nvls_tree);

    print_tally(&tally);
    assert_true(tally.queued >= fixture_trials(20));
}

/* ---- regions ---- */

/* Nodes whose rings have no common links, mostly. */
static const char *const region_nodes[] = {
    "dgx-h100", "dgx-a100", "dgx-1", "mi300x", "hgx-h200", "hgx-a100-4",
};

static const char *const region_fabrics[] = {
    "fat-tree",
    "fat-tree,radix=12",
    "dragonfly",
    "fat-tree,radix=8",
};

enum {
    REGION_TRIALS = 60,
    LINE_TRIALS = 60,
    SHORT_LINE_TRIALS = 12,
};

static const struct cs_algo *draw_ring(uint64_t *state)
{
    static const char *const collectives[] = {"allreduce", "allgather", "reducescatter"};

    return cs_algo_find(draw(state, 3) ? "multi-ring" : "ring",
                        cs_collective_find(collectives[draw(state, 3)]));
}

static void draw_regions(uint64_t *state, struct tally *tally)
{
    static const uint32_t elements[] = {1, 10, 100, 1000};
    const char *node = region_nodes[draw(state, COUNT(region_nodes))];
    const char *fabric = region_fabrics[draw(state, COUNT(region_fabrics))];
    const struct cs_algo *algo = draw_ring(state);
    uint32_t nodes = 5 + (uint32_t)draw(state, 20);
    struct drawn drawn = {.trial.model = draw(state, 6) ? "fifo" : "postal"};
    struct cs_call *call = &drawn.trial.call;

    if (strstr(fabric, "radix=8") && nodes > 16)
        nodes = 16;
    cs_text_printf(&drawn.spec, "cluster:node=%s,nodes=%u,fabric=%s", node, nodes, fabric);
    drawn_open(&drawn, nodes);
    call->elements = UINT64_C(192) * call->ranks * elements[draw(state, 4)];
    call->slices = draw(state, 4) == 0 ? 2 : 0;
    drawn_rings(&drawn);
    drawn_compare(&drawn, algo, tally);
}

TEST(regions_fold_to_the_picosecond)
{
    struct tally tally = draw_all(REGION_TRIALS, draw_regions);

    print_message("%u in regions, %u of them with jumps; %u regions save nothing\n", tally.regions,
                  tally.jumped, tally.alone);
    assert_true(tally.jumped >= fixture_trials(REGION_TRIALS / 4));
}

/* Chains and channels of rings from any root over nodes of any fabric, of chunks of one length or
 * two. */
static void draw_line(uint64_t *state, struct tally *tally)
{
    static const char *const fabrics[] = {"star", "rail", "fat-tree", "dragonfly",
                                          "fat-tree,radix=8"};
    const char *node = region_nodes[draw(state, COUNT(region_nodes))];
    const char *collective = draw(state, 2) ? "broadcast" : "reduce";
    bool has_rings = draw(state, 2);
    uint32_t nodes = 5 + (uint32_t)draw(state, 12);
    struct drawn drawn = {.trial.model = draw(state, 6) ? "fifo" : "postal"};
    struct cs_call *call = &drawn.trial.call;

    cs_text_printf(&drawn.spec, "cluster:node=%s,nodes=%u,fabric=%s", node, nodes,
                   fabrics[draw(state, 5)]);
    drawn_open(&drawn, nodes);
    call->chunks = 1 + (uint32_t)draw(state, 200);
    call->elements = call->chunks * (1 + draw(state, 20000)) + draw(state, call->chunks);
    call->root = draw(state, 2) ? (uint32_t)draw(state, call->ranks) : 0;
    if (has_rings)
        drawn_rings(&drawn);
    drawn_compare(&drawn,
                  cs_algo_find(has_rings ? "multi-ring" : "chain", cs_collective_find(collective)),
                  tally);
}

TEST(lines_fold_to_the_picosecond)
{
    struct tally tally = draw_all(LINE_TRIALS, draw_line);

    print_message("%u in regions, %u of them with jumps; %u regions save nothing\n", tally.regions,
                  tally.jumped, tally.alone);
    assert_true(tally.jumped >= fixture_trials(LINE_TRIALS / 4));
}

/* Too few chunks for rounds that repeat. */
static void draw_short_line(uint64_t *state, struct tally *tally)
{
    const char *collective = draw(state, 2) ? "broadcast" : "reduce";
    struct drawn drawn = {.trial.model = draw(state, 6) ? "fifo" : "postal"};
    struct cs_call *call = &drawn.trial.call;

    cs_text_printf(&drawn.spec, "cluster:node=%s,nodes=40",
                   region_nodes[draw(state, COUNT(region_nodes))]);
    drawn_open(&drawn, 40);
    call->chunks = 1 + (uint32_t)draw(state, 3);
    call->elements = call->chunks * (1 + draw(state, 20000));
    drawn_compare(&drawn, cs_algo_find("chain", cs_collective_find(collective)), tally);
}

TEST(equal_nodes_of_a_line_are_simulated_once)
{
    struct tally tally = draw_all(SHORT_LINE_TRIALS, draw_short_line);

    print_message("%u in regions, %u of them copied\n", tally.regions, tally.copied);
    assert_true(tally.copied >= fixture_trials(SHORT_LINE_TRIALS / 2));
}
