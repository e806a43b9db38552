/* RCCL's choices between nodes: ranges of its source. */
#include "algorithms/libraries/nccl/comm.h"
#include "algorithms/libraries/rccl/choice.h"

#include "tests/site.h"

#define MI300X2 "cluster:node=mi300x,nodes=2"
#define KIB     UINT64_C(1024)
#define MIB     (UINT64_C(1) << 20)

static struct cs_nccl_choice choice_of(const char *spec, uint32_t version, enum cs_nccl_func func,
                                       uint64_t bytes, struct cs_nccl_allowed allowed)
{
    struct cs_site site = site_of(spec, 0);
    const struct cs_nccl_call call = {.func = func, .bytes = bytes};
    struct cs_nccl_choice choice;
    struct cs_nccl_comm comm;
    struct cs_nccl_table table;

    assert_done(cs_nccl_comm_read(&site, version, &comm, &err));
    cs_nccl_table_fill(&comm, &table);
    choice = cs_nccl_choose(&comm, &table, &call, allowed);
    cs_rccl_choose(&comm, &table, &call, allowed, site.generation, &choice);
    assert_true(choice.channels > 0);
    return choice;
}

static void chosen(const char *spec, enum cs_nccl_func func, uint64_t bytes,
                   enum cs_nccl_engine engine, enum cs_nccl_protocol protocol)
{
    struct cs_nccl_choice choice = choice_of(spec, 0, func, bytes, (struct cs_nccl_allowed){0});

    if (choice.engine != engine || choice.protocol != protocol)
        fail_msg("%s, %llu bytes: engine %d, protocol %d", spec, (unsigned long long)bytes,
                 choice.engine, choice.protocol);
}

TEST(protocols_follow_ranges)
{
    chosen(MI300X2, CS_NCCL_ALL_REDUCE, 1 * KIB, CS_NCCL_TREE, CS_NCCL_LL);
    chosen(MI300X2, CS_NCCL_ALL_REDUCE, 512 * KIB, CS_NCCL_TREE, CS_NCCL_LL);
    chosen(MI300X2, CS_NCCL_ALL_REDUCE, 4 * MIB, CS_NCCL_TREE, CS_NCCL_LL128);
    chosen(MI300X2, CS_NCCL_ALL_REDUCE, 8 * MIB, CS_NCCL_TREE, CS_NCCL_SIMPLE);
    chosen(MI300X2, CS_NCCL_ALL_REDUCE, 1024 * MIB, CS_NCCL_RING, CS_NCCL_SIMPLE);
    /* A rank's part counts, of 16. */
    chosen(MI300X2, CS_NCCL_ALL_GATHER, 1 * MIB, CS_NCCL_RING, CS_NCCL_LL);
    chosen(MI300X2, CS_NCCL_ALL_GATHER, 64 * MIB, CS_NCCL_RING, CS_NCCL_LL128);
    chosen(MI300X2, CS_NCCL_ALL_GATHER, 128 * MIB, CS_NCCL_RING, CS_NCCL_SIMPLE);
    chosen(MI300X2, CS_NCCL_REDUCE_SCATTER, 16 * MIB, CS_NCCL_RING, CS_NCCL_LL128);
}

/* An all-reduce by trees, as RCCL's tuning adds it up (tuning.cc, rcclModel): the base, twice
 * the links of a node and the levels of nodes, and the bytes at the channels' rate, its share
 * by the number of nodes, and half of the size's factor (treeCorrectionFactor: 1 of LL at
 * 8 KiB and of Simple at 8 MiB; 2 of MI350's LL128 at 32 MiB). */
TEST(estimates_of_trees_take_the_shares_and_factors_of_their_sizes)
{
    static const struct {
        const char *spec;
        enum cs_nccl_protocol protocol;
        uint64_t bytes;
        double base, link, net, levels, share, factor;
        bool inside;
    } trees[] = {
        {MI300X2, CS_NCCL_SIMPLE, 8 * MIB, 17, 2.3, 25, 1, .11, 1, true},
        {"cluster:node=mi300x,nodes=4", CS_NCCL_SIMPLE, 8 * MIB, 17, 2.3, 25, 2, .59, 1, false},
        {MI300X2, CS_NCCL_LL, 8 * KIB, 12, .9, 10.5, 1, .06, 1, true},
        {"cluster:node=mi355x,nodes=2", CS_NCCL_LL128, 32 * MIB, 12, .9, 10.5, 1, .06, 2, true},
    };

    for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
        const struct cs_nccl_allowed one = {1u << CS_NCCL_TREE, 1u << trees[i].protocol};
        struct cs_site site = site_of(trees[i].spec, 0);
        struct cs_nccl_comm comm;
        double channel, us;

        assert_int_equal(cs_nccl_comm_read(&site, 0, &comm, NULL), 0);
        channel = trees[i].inside ? comm.tree.intra_GBps : comm.tree.inter_GBps;
        us = trees[i].base + 2 * (7 * trees[i].link + trees[i].levels * trees[i].net) +
             (double)trees[i].bytes /
                 (1e3 * comm.tree.channels * channel * trees[i].share * trees[i].factor / 2);
        assert_within(choice_of(trees[i].spec, 0, CS_NCCL_ALL_REDUCE, trees[i].bytes, one).time_s *
                          1e6,
                      us, 1e-6 * us);
    }
}

TEST(ll128_reaches_further_over_more_nodes)
{
    struct cs_nccl_choice choice;

    choice = choice_of("cluster:node=mi300x,nodes=4", 0, CS_NCCL_ALL_REDUCE, 16 * MIB,
                       (struct cs_nccl_allowed){0});
    assert_int_equal(choice.protocol, CS_NCCL_LL128);
}

TEST(ranges_differ_by_version_and_gpu)
{
    const struct cs_nccl_allowed all = {0};

    assert_int_equal(choice_of(MI300X2, 22606, CS_NCCL_ALL_REDUCE, 8 * MIB, all).protocol,
                     CS_NCCL_LL128);
    assert_int_equal(
        choice_of("cluster:node=mi355x,nodes=2", 0, CS_NCCL_ALL_REDUCE, 64 * MIB, all).protocol,
        CS_NCCL_LL128);
    assert_int_equal(
        choice_of("cluster:node=mi355x,nodes=2", 22606, CS_NCCL_ALL_REDUCE, 64 * MIB, all).protocol,
        CS_NCCL_SIMPLE);
}

TEST(other_gpus_and_versions_keep_nccls_rules)
{
    const struct cs_nccl_allowed all = {0};
    struct cs_nccl_choice old, one, other;

    old = choice_of(MI300X2, 22005, CS_NCCL_ALL_REDUCE, 16 * MIB, all);
    assert_int_equal(old.protocol, CS_NCCL_LL128);
    one = choice_of("mi300x", 0, CS_NCCL_ALL_REDUCE, 16 * MIB, all);
    assert_true(one.time_s < 1e-3);
    other = choice_of("cluster:node=mi250x,nodes=2", 0, CS_NCCL_ALL_REDUCE, 16 * MIB, all);
    assert_true(other.time_s < 3e-3);
}

TEST(what_is_allowed_is_kept)
{
    const struct cs_nccl_allowed ring = {.engines = 1u << CS_NCCL_RING};
    const struct cs_nccl_allowed ll = {.protocols = 1u << CS_NCCL_LL};

    assert_int_equal(choice_of(MI300X2, 0, CS_NCCL_ALL_REDUCE, 16 * MIB, ring).engine,
                     CS_NCCL_RING);
    assert_int_equal(choice_of(MI300X2, 0, CS_NCCL_ALL_REDUCE, 16 * MIB, ll).protocol, CS_NCCL_LL);
}
