/*
 * Folding never changes an answer: every algorithm on machines that are the
 * same all round, and on some that are not, simulated whole and folded.
 */
#include "sim/fold/fold.h"

#include "algorithms/shared/machine_rings.h"
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
    uint32_t uneven;
    uint32_t paced;   /* of the folded: unequal blocks */
    uint32_t regions; /* of the folded: simulated by regions */
    uint32_t jumped;  /* of these: with jumps */
    uint32_t alone;
};

/* Equal paths; of bandwidth and waiting the sum, where the order of links divides
 * waits. */
static bool is_same_path(const struct cs_exec_result *whole,
                         const struct cs_exec_result *folded)
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
                        const struct cs_exec_result *whole,
                        const struct cs_exec_result *folded, bool uneven)
{
    if (whole->time_ps != folded->time_ps ||
        whole->messages != folded->messages ||
        whole->bytes_sent != folded->bytes_sent ||
        whole->bytes_sent_max != folded->bytes_sent_max ||
        (!uneven && whole->extra_bytes_max != folded->extra_bytes_max) ||
        whole->agent_bytes_max > folded->agent_bytes_max ||
        !is_same_path(whole, folded))
        fail_msg("%s %s, p = %u, %" PRIu64 " x %u B, %s, %s: %" PRIu64
                 " ps, %" PRIu64 " B (%" PRIu64 "), %" PRIu64
                 " B held whole; %" PRIu64 " ps, %" PRIu64 " B (%" PRIu64
                 "), %" PRIu64 " B held folded",
                 algo->collective->name, algo->name, trial->call.ranks,
                 trial->call.elements, trial->call.element_bytes,
                 trial->machine, trial->model, whole->time_ps,
                 whole->bytes_sent, whole->bytes_sent_max,
                 whole->extra_bytes_max, folded->time_ps, folded->bytes_sent,
                 folded->bytes_sent_max, folded->extra_bytes_max);
}

/* The links that were simulated did what they do in the whole. */
static void expect_same_use(const struct cs_fold *fold,
                            const struct cs_exec_result *whole,
                            const struct cs_exec_result *folded)
{
    for (uint32_t i = 0; i < fold->net.link_count; i++) {
        assert_int_equal(whole->use[fold->link[i]].bytes, folded->use[i].bytes);
        assert_int_equal(whole->use[fold->link[i]].busy_ps,
                         folded->use[i].busy_ps);
    }
}

static void compare(const struct cs_algo *algo, const struct trial *trial,
                    struct tally *tally)
{
    const struct cs_fold_run run = {.model = cs_link_model_find(trial->model),
                                    .eager = trial->eager};
    struct cs_program program = cs_algo_program(algo, &trial->call);
    struct cs_fold_request request = {.program = &program,
                                      .seed = fixture_seed()};
    struct cs_exec_result whole;
    struct cs_exec_result folded;
    struct machine machine;
    struct cs_fold *fold;
    const char *why = NULL;
    int code;

    machine_open_at(&machine, trial->machine, trial->call.ranks, program.agents,
                    trial->agent_place);
    request.net = &machine.net;
    machine.eager = trial->eager;
    assert_int_equal(cs_fold_find(&request, &machine.arena, &fold, &why, NULL),
                     0);
    assert_true(fold || why);
    code = fold ? cs_fold_run(fold, &run, &machine.arena, &folded, NULL)
                : CS_FOLD_WAITED;
    for (; code == CS_FOLD_TIED && fold->order; tally->untied += !code) {
        request.below = fold->group.copies;
        assert_int_equal(
            cs_fold_find(&request, &machine.arena, &fold, &why, NULL), 0);
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
    tally->waited += code == CS_FOLD_WAITED;
    tally->uneven += code == CS_FOLD_UNEVEN;
    if (!code) {
        whole = machine_run(&machine, &program, trial->model);
        expect_same(algo, trial, &whole, &folded, fold->uneven);
        expect_same_use(fold, &whole, &folded);
        tally->folded++;
        tally->regions += fold->regions != NULL;
        tally->jumped += fold->regions && folded.jumped > 0;
        tally->paced += fold->uneven;
    }
    machine_close(&machine);
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
            if (cs_algo_check(algo, &trial.call, NULL) == 0)
                compare(algo, &trial, &tally);
        }
    return tally;
}

static void folding_never_changes_an_answer(void **state)
{
    uint32_t algos = 0;

    (void)state;
    for (size_t a = 0; a < cs_algo_count; a++) {
        struct tally tally = compare_all(cs_algos[a]);

        if (getenv("COLLSIM_VERBOSE"))
            print_message("%s %s: folded %u (%u with queues, %u with unequal "
                          "blocks), not %u, not %u as blocks are unequal, "
                          "not %u for ties\n",
                          cs_algos[a]->collective->name, cs_algos[a]->name,
                          tally.folded, tally.queued, tally.paced, tally.waited,
                          tally.uneven, tally.tied);
        algos += tally.folded > 0;
    }
    print_message("%u of %zu algorithms fold somewhere\n", algos,
                  cs_algo_count);
    assert_true(algos >= 10);
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
    UNEVEN_MACHINES = sizeof(uneven_machines) / sizeof(*uneven_machines),
    UNEVEN_TRIALS = 1700,
    UNEVEN_RANKS = 40,
};

static uint64_t draw(uint64_t *state, uint64_t below)
{
    return cs_mix64((*state)++) % below;
}

/* Any number of elements: fewer than ranks, or a few for each, or many. */
static struct cs_call draw_call(uint64_t *state, uint32_t ranks)
{
    static const uint32_t each[] = {2, 30, 100000};

    return (struct cs_call){
        .ranks = ranks,
        .elements = 1 + draw(state, each[draw(state, 3)] * (uint64_t)ranks),
        .element_bytes = (uint32_t)1 << draw(state, 4),
        .slices = draw(state, 4) == 0 ? 2 : 0,
        .channels = draw(state, 4) == 0 ? 2 : 0,
    };
}

static void draw_trial(uint64_t *state, struct tally *tally)
{
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    const char *machine = uneven_machines[draw(state, UNEVEN_MACHINES)];
    const struct cs_algo *algo = cs_algos[draw(state, cs_algo_count)];
    bool is_cluster = strncmp(machine, "cluster", 7) == 0;
    uint32_t nodes = 2 + (uint32_t)draw(state, is_cluster ? 4 : UNEVEN_RANKS);
    struct cs_text spec = {0};
    struct machine made;
    struct trial trial = {.model = models[draw(state, MODELS)]};

    cs_text_printf(&spec, is_cluster ? "%s,nodes=%u" : "%s,ranks=%u", machine,
                   nodes);
    trial.machine = cs_text_str(&spec);
    machine_open(&made, trial.machine, 0, 0);
    trial.call = draw_call(state, made.graph.rank_count);
    trial.call.group = is_cluster ? trial.call.ranks / nodes : 0;
    machine_close(&made);
    cs_algo_resolve(algo, &trial.call, &hockney);
    /* More agents than nodes have CPUs for parameter servers. */
    if (algo->agent_place != CS_AGENT_FABRIC &&
        cs_algo_check(algo, &trial.call, NULL) == 0)
        compare(algo, &trial, tally);
    cs_text_free(&spec);
}

static void unequal_blocks_fold_to_the_picosecond(void **state)
{
    uint64_t random = cs_mix64(fixture_seed());
    struct tally tally = {0};

    (void)state;
    for (uint32_t i = 0; i < UNEVEN_TRIALS; i++)
        draw_trial(&random, &tally);
    print_message("%u folded, %u of them with unequal blocks; not %u\n",
                  tally.folded, tally.paced, tally.uneven);
    assert_true(tally.paced >= 45);
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
};

enum {
    QUEUE_MACHINES = sizeof(queue_machines) / sizeof(*queue_machines),
    QUEUE_TRIALS = 2000,
    QUEUE_MODELS = 3, /* fifo, fluid, postal */
};

static void draw_queues(uint64_t *state, struct tally *tally)
{
    static const uint32_t elements[] = {1, 64, 4800, 100000};
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    const char *machine = queue_machines[draw(state, QUEUE_MACHINES)];
    const struct cs_algo *algo = cs_algos[draw(state, cs_algo_count)];
    uint32_t nodes = 2 + (uint32_t)draw(state, 11);
    struct cs_text spec = {0};
    struct machine made;
    struct trial trial = {.model = models[draw(state, QUEUE_MODELS)],
                          .eager = draw(state, 2)};

    cs_text_printf(&spec, "%s,nodes=%u", machine, nodes);
    trial.machine = cs_text_str(&spec);
    machine_open(&made, trial.machine, 0, 0);
    trial.call = (struct cs_call){
        .ranks = made.graph.rank_count,
        .group = made.graph.rank_count / nodes,
        .elements =
            48 * (uint64_t)made.graph.rank_count * elements[draw(state, 4)],
        .element_bytes = 4,
        .slices = draw(state, 4) == 0 ? 2 : 0,
        .channels = draw(state, 3) == 0 ? 1 + (uint32_t)draw(state, 8) : 0,
    };
    machine_close(&made);
    cs_algo_resolve(algo, &trial.call, &hockney);
    if (cs_algo_check(algo, &trial.call, NULL) == 0 &&
        cs_algo_program(algo, &trial.call).agents == 0)
        compare(algo, &trial, tally);
    cs_text_free(&spec);
}

static void print_tally(const struct tally *tally)
{
    print_message("%u folded, %u of them with queues, of %u the order of links "
                  "divides waits, %u by a smaller group; not %u, for ties %u\n",
                  tally->folded, tally->queued, tally->open, tally->untied,
                  tally->waited, tally->tied);
}

static void queues_fold_to_the_picosecond(void **state)
{
    uint64_t random = cs_mix64(fixture_seed());
    struct tally tally = {0};

    (void)state;
    for (uint32_t i = 0; i < QUEUE_TRIALS; i++)
        draw_queues(&random, &tally);
    print_tally(&tally);
    assert_true(tally.queued >= 100);
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
    SYMMETRIC_MACHINES =
        sizeof(symmetric_machines) / sizeof(*symmetric_machines),
    SYMMETRY_TRIALS = 120,
    SYMMETRY_NODES = 12,
};

/* Trees over the nodes with a chain in each node, along the rings of the machine
 * or not; any number of channels, equal and unequal blocks. */
static void draw_symmetry(const struct cs_algo *algo, const char *const *list,
                          uint64_t *state, struct tally *tally)
{
    static const uint32_t elements[] = {1, 48, 4800};
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    const char *machine = list[draw(state, SYMMETRIC_MACHINES)];
    uint32_t nodes = 2 + (uint32_t)draw(state, SYMMETRY_NODES - 1);
    struct trial trial = {.model = draw(state, 4) ? "fifo"
                                                  : models[draw(state, MODELS)],
                          .eager = draw(state, 2),
                          .agent_place = algo->agent_place};
    struct cs_text spec = {0};
    struct machine made;

    cs_text_printf(&spec, "%s,nodes=%u", machine, nodes);
    trial.machine = cs_text_str(&spec);
    machine_open(&made, trial.machine, 0, 0);
    trial.call = (struct cs_call){
        .ranks = made.graph.rank_count,
        .group = made.graph.rank_count / nodes,
        .elements =
            48 * (uint64_t)made.graph.rank_count * elements[draw(state, 3)] +
            (draw(state, 8) == 0),
        .element_bytes = 4,
        .chunks = draw(state, 2) ? (uint32_t)1 << draw(state, 6) : 0,
        .slices = draw(state, 4) == 0 ? 2 : 0,
        .channels = draw(state, 4) == 0 ? 1 + (uint32_t)draw(state, 32) : 0,
    };
    if (draw(state, 4))
        trial.call.rings = cs_rings_of_machine(&made.net, trial.call.ranks,
                                               trial.call.group, &made.arena);
    cs_algo_resolve(algo, &trial.call, &hockney);
    if (cs_algo_check(algo, &trial.call, NULL) == 0)
        compare(algo, &trial, tally);
    machine_close(&made);
    cs_text_free(&spec);
}

static void expect_symmetries(const char *name, const char *const *list)
{
    const struct cs_algo *algo =
        cs_algo_find(name, cs_collective_find("allreduce"));
    uint64_t random = cs_mix64(fixture_seed());
    struct tally tally = {0};

    for (uint32_t i = 0; i < SYMMETRY_TRIALS; i++)
        draw_symmetry(algo, list, &random, &tally);
    print_tally(&tally);
    assert_true(tally.queued >= 20);
}

static void symmetries_fold_to_the_picosecond(void **state)
{
    (void)state;
    expect_symmetries("double-tree", symmetric_machines);
}

/* Agents keep their place and exchange their lanes. */
static void symmetries_of_agents_fold_to_the_picosecond(void **state)
{
    (void)state;
    expect_symmetries("nvls-tree", switched_machines);
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
    REGION_NODES = sizeof(region_nodes) / sizeof(*region_nodes),
    REGION_FABRICS = sizeof(region_fabrics) / sizeof(*region_fabrics),
    REGION_TRIALS = 60
};

static const struct cs_algo *draw_ring(uint64_t *state)
{
    static const char *const collectives[] = {"allreduce", "allgather",
                                              "reducescatter"};

    return cs_algo_find(draw(state, 3) ? "multi-ring" : "ring",
                        cs_collective_find(collectives[draw(state, 3)]));
}

static void draw_regions(uint64_t *state, struct tally *tally)
{
    static const uint32_t elements[] = {1, 10, 100, 1000};
    const struct cs_hockney hockney = {1e-6, 10e9, 0};
    const char *node = region_nodes[draw(state, REGION_NODES)];
    const char *fabric = region_fabrics[draw(state, REGION_FABRICS)];
    const struct cs_algo *algo = draw_ring(state);
    uint32_t nodes = 5 + (uint32_t)draw(state, 20);
    struct trial trial = {.model = draw(state, 6) ? "fifo" : "postal"};
    struct cs_text spec = {0};
    struct machine made;

    if (strstr(fabric, "radix=8") && nodes > 16)
        nodes = 16;
    cs_text_printf(&spec, "cluster:node=%s,nodes=%u,fabric=%s", node, nodes,
                   fabric);
    trial.machine = cs_text_str(&spec);
    machine_open(&made, trial.machine, 0, 0);
    trial.call = (struct cs_call){
        .ranks = made.graph.rank_count,
        .group = made.graph.rank_count / nodes,
        .elements =
            UINT64_C(192) * made.graph.rank_count * elements[draw(state, 4)],
        .element_bytes = 4,
        .slices = draw(state, 4) == 0 ? 2 : 0,
        .rings =
            cs_rings_of_machine(&made.net, made.graph.rank_count,
                                made.graph.rank_count / nodes, &made.arena),
    };
    cs_algo_resolve(algo, &trial.call, &hockney);
    if (cs_algo_check(algo, &trial.call, NULL) == 0)
        compare(algo, &trial, tally);
    machine_close(&made);
    cs_text_free(&spec);
}

static void regions_fold_to_the_picosecond(void **state)
{
    uint64_t random = cs_mix64(fixture_seed());
    struct tally tally = {0};

    (void)state;
    for (uint32_t i = 0; i < REGION_TRIALS; i++)
        draw_regions(&random, &tally);
    print_message("%u in regions, %u of them with jumps; %u regions save "
                  "nothing\n",
                  tally.regions, tally.jumped, tally.alone);
    assert_true(tally.jumped >= REGION_TRIALS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folding_never_changes_an_answer),
        cmocka_unit_test(unequal_blocks_fold_to_the_picosecond),
        cmocka_unit_test(queues_fold_to_the_picosecond),
        cmocka_unit_test(symmetries_fold_to_the_picosecond),
        cmocka_unit_test(symmetries_of_agents_fold_to_the_picosecond),
        cmocka_unit_test(regions_fold_to_the_picosecond),
    };

    return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
