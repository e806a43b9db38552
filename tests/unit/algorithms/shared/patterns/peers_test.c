/*
 * Peers: every pair exchanges once, in rounds of limited size, node by node.
 */
#include "algorithms/shared/patterns/peers.h"

#include "tests/fixture.h"

TEST(every_rank_meets_every_other_rank_once)
{
    for (uint32_t p = 2; p <= 24; p++)
        for (uint32_t group = 0; group <= 8; group++) {
            struct cs_call call = {.ranks = p, .group = group};

            for (uint32_t rank = 0; rank < p; rank++) {
                struct cs_peers peers = cs_peers_at(&call, rank, 1);
                uint64_t met = 0;

                for (uint32_t s = 1; s < p; s++, cs_peers_next(&peers)) {
                    uint32_t to = cs_peers_to(&peers);
                    struct cs_peers theirs = cs_peers_at(&call, to, s);

                    assert_int_equal(cs_peers_from(&theirs), rank);
                    met |= (uint64_t)1 << to;
                }
                assert_int_equal(met, (((uint64_t)1 << p) - 1) & ~((uint64_t)1 << rank));
            }
        }
}

TEST(rounds_have_at_most_as_many_exchanges_as_peers)
{
    for (uint32_t p = 2; p <= 24; p++)
        for (uint32_t peers = 1; peers <= 26; peers++) {
            struct cs_call call = {.ranks = p, .peers = peers};
            uint64_t rounds = cs_peers_rounds(&call, (struct cs_at){0, 0, 0});
            uint32_t next = 1;

            for (uint64_t k = 0; k < rounds; k++) {
                struct cs_exchanges round = cs_peers_of_round(&call, k);

                assert_int_equal(round.first, next);
                assert_true(round.last >= round.first);
                assert_true(round.last - round.first < peers);
                next = round.last + 1;
            }
            assert_int_equal(next, p);
        }
}

/* 4 nodes of 4: exchanges 4 to 7 go to the next node. */
TEST(a_node_sends_to_one_node_at_a_time)
{
    struct cs_call call = {.ranks = 16, .group = 4};

    for (uint32_t rank = 0; rank < 16; rank++)
        for (uint32_t s = 1; s < 16; s++) {
            struct cs_peers peers = cs_peers_at(&call, rank, s);

            assert_int_equal(cs_peers_to(&peers) / 4, (rank / 4 + s / 4) % 4);
            if (rank == 5 && s == 4) /* the own rail first */
                assert_int_equal(cs_peers_to(&peers), 9);
        }
}

TEST(an_open_number_is_all_peers_up_to_a_limit)
{
    struct cs_call node = {.ranks = 8};
    struct cs_call cluster = {.ranks = 64};
    struct cs_call chosen = {.ranks = 64, .peers = 60};

    cs_peers_settle(&node);
    cs_peers_settle(&cluster);
    cs_peers_settle(&chosen);
    assert_int_equal(node.peers, 7);
    assert_int_equal(cluster.peers, CS_PEERS_AT_ONCE);
    assert_int_equal(chosen.peers, 60);
}
