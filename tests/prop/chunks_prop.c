/*
 * Chunks: the default number takes at most a tenth longer than the best of a ladder that
 * a user would try, for algorithms with parts within nodes and between, on clusters of
 * machines of the library.  And its closed form is near the least on a switch.
 *
 * Excepted, with more room: hierarchical, whose channels hide a part of the latencies that
 * differs from machine to machine; leaders, as the chain of a node's ranks that share its memory
 * fills beside the bytes of others, and the trees of hpc6a, whose chain of 95 hops the form
 * counts by the slowest hop.
 */
#include "tests/unit/scenarios/run/opened.h"

enum {
    CLUSTERS = 12,
};

struct chunks_case {
    const char *collective, *algo;
    double room; /* over the best */
};

static const struct chunks_case chunks_cases[] = {
    {"all-reduce", "double-tree", 1.1},
    {"all-reduce", "hierarchical", 1.5},
    {"reduce-scatter", "hierarchical-leader", 1.35},
    {"all-gather", "hierarchical-leader", 1.35},
};

static const char *const chunks_nodes[] = {"dgx-1", "p3dn", "dgx-h100", "mi300x", "hpc6a", "gb200"};

/* 0: the algorithm does not run there. */
static uint64_t chunks_time_ps(const struct chunks_case *of, const char *node, const char *nodes,
                               const char *size, const char *chunks)
{
    CS_AT_END(opened_free) struct opened opened;
    char *words[] = {"--topo",       (char *)node,           "--nodes",  (char *)nodes,
                     "--collective", (char *)of->collective, "--algo",   (char *)of->algo,
                     "--size",       (char *)size,           "--chunks", (char *)chunks};
    uint64_t time_ps = 0;

    if (opened_try(&opened, chunks ? 12 : 10, words) == 0) {
        opened_simulate(&opened);
        time_ps = opened.run.result.time_ps;
    }
    return time_ps;
}

/* Over the best. */
static double chunks_room(const struct chunks_case *of, const char *node)
{
    return !strcmp(node, "hpc6a") && !strcmp(of->algo, "double-tree") ? 2.5 : of->room;
}

TEST(the_default_is_near_the_best_of_a_ladder)
{
    static const char *const ladder[] = {"1", "2", "4", "8", "16", "32", "64"};
    static const char *const sizes[] = {"64KiB", "1MiB", "16MiB"};
    struct cs_random *random = cs_random_open(fixture_seed(), "chunks");
    uint32_t runs = 0;

    for (uint32_t i = 0; i < CLUSTERS; i++) {
        const struct chunks_case *of =
            &chunks_cases[i % (sizeof(chunks_cases) / sizeof(*chunks_cases))];
        const char *node =
            chunks_nodes[cs_random_below(random, sizeof(chunks_nodes) / sizeof(*chunks_nodes))];
        const char *nodes = cs_random_below(random, 2) ? "2" : "4";
        const char *size = sizes[cs_random_below(random, sizeof(sizes) / sizeof(*sizes))];
        uint64_t own_ps = chunks_time_ps(of, node, nodes, size, NULL);

        for (size_t c = 0; own_ps && c < sizeof(ladder) / sizeof(*ladder); c++) {
            uint64_t time_ps = chunks_time_ps(of, node, nodes, size, ladder[c]);

            runs++;
            if (time_ps && (double)own_ps > chunks_room(of, node) * (double)time_ps)
                fail_msg("%s x %s, %s %s of %s: %" PRIu64 " ps, with %s chunks %" PRIu64 " ps",
                         nodes, node, of->collective, of->algo, size, own_ps, ladder[c], time_ps);
        }
    }
    assert_true(runs > 0);
    cs_random_close(random);
}

/* Of every algorithm that settles its chunks: neither twice nor half as many, nor one more or
 * less, save more than 3 %. */
TEST(the_default_is_near_the_least_closed_form)
{
    static const struct cs_hockney textbooks[] = {{5e-6, 10e9, 0}, {2e-6, 50e9, 2e-11}};
    uint32_t settled = 0;

    for (uint64_t i = 0; i < cs_algo_count * 16 * 6; i++) {
        const struct cs_algo *algo = cs_algos[i / 96];
        const struct cs_hockney *hockney = &textbooks[i % 2];
        struct cs_call own = {.ranks = 2 + (uint32_t)(i / 6 % 16),
                              .elements = UINT64_C(720720) << (4 * (i % 3)),
                              .element_bytes = 4};
        double own_s;

        if (cs_algo_check(algo, &own, NULL))
            continue;
        cs_algo_resolve(algo, &own, hockney);
        own_s = cs_algo_closed_form_s(algo, &own, hockney);
        if (!own.chunks || cs_algo_exactness(algo, &own) == CS_COST_ROUGHLY)
            continue;
        for (uint32_t k = 0; k < 4; k++) {
            struct cs_call other = own;
            double other_s;

            other.chunks =
                (uint32_t[]){own.chunks * 2, own.chunks / 2, own.chunks + 1, own.chunks - 1}[k];
            if (other.chunks < 1 || cs_algo_check(algo, &other, NULL))
                continue;
            other_s = cs_algo_closed_form_s(algo, &other, hockney);
            if (other_s < .97 * own_s)
                fail_msg("%s %s, p = %u, %" PRIu64 " elements: %u chunks %g s, %u chunks %g s",
                         algo->collective->name, algo->name, own.ranks, own.elements, own.chunks,
                         own_s, other.chunks, other_s);
            settled++;
        }
    }
    assert_true(settled > 1000);
}
