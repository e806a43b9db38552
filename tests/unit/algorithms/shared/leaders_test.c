/* Leaders of nodes: shares of chunks, and the number of chunks. */
#include "algorithms/shared/leaders.h"

#include "tests/fixture.h"

/* Each block of a rank is in the share of exactly one chunk, in order. */
static void expect_shares(const struct cs_leader *leader)
{
    for (uint32_t index = 0; index < leader->group; index++) {
        struct cs_blocks own = cs_leader_block(leader, index);
        uint32_t next = own.first, shares = 0, first = leader->chunks;

        for (uint32_t j = 0; j < leader->chunks; j++) {
            struct cs_blocks share = cs_leader_share(leader, index, j);

            if (share.count == 0)
                continue;
            assert_int_equal(share.first, next);
            /* Chunk j has the j-th run of g blocks of the span. */
            assert_true(share.first >= leader->first * leader->chunks + j * leader->group);
            assert_true(share.first + share.count <=
                        leader->first * leader->chunks + (j + 1) * leader->group);
            next = share.first + share.count;
            first = j < first ? j : first;
            shares++;
        }
        assert_int_equal(next, own.first + own.count);
        assert_int_equal(shares, cs_leader_shares(leader, index));
        assert_int_equal(first, cs_leader_first_share(leader, index));
    }
}

static void shares_of_chunks_make_the_blocks_of_a_rank(void **state)
{
    (void)state;
    for (uint32_t group = 2; group <= 8; group++)
        for (uint32_t chunks = 1; chunks <= 9; chunks++) {
            struct cs_call call = {.ranks = 3 * group, .group = group, .chunks = chunks};
            struct cs_leader leader = cs_leader_of(&call, group + 1);

            assert_int_equal(leader.index, 1);
            assert_int_equal(leader.first, group);
            assert_int_equal(leader.next, 2 * group);
            assert_int_equal(leader.previous, 0);
            expect_shares(&leader);
        }
}

/* T of the contract, with latencies of their own between nodes. */
static double chunked_s(const struct cs_call *call, uint32_t k)
{
    struct cs_call tried = *call;
    struct cs_cost local;

    tried.chunks = k;
    local = cs_leader_local_cost(&tried);
    return cs_cost_s(cs_leader_cost(&tried), &call->between) - cs_cost_s(local, &call->between) +
           cs_cost_s(local, &call->hockney);
}

static void chunks_are_those_of_the_least_time(void **state)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};

    (void)state;
    for (uint32_t nodes = 2; nodes <= 6; nodes++)
        for (uint64_t elements = 1 << 12; elements <= 1 << 20; elements *= 16) {
            struct cs_call call = {.ranks = 4 * nodes,
                                   .group = 4,
                                   .elements = UINT64_C(4) * nodes * elements,
                                   .element_bytes = 4};
            double time_s;

            call.collective = &cs_collective_allgather;
            call.hockney = hockney;
            call.between = (struct cs_hockney){15e-6, 5e9, 0};
            cs_leader_settle(&call);
            assert_in_range(call.chunks, 1, 256);
            time_s = chunked_s(&call, call.chunks);
            for (uint32_t k = 1; k <= 256; k++)
                assert_true(time_s <= 1.03 * chunked_s(&call, k)); /* a quarter apart */
        }
}

/* Without a second node, a second rank of a node, or an element for each rank. */
static void nothing_is_cut_without_leaders(void **state)
{
    static const struct {
        uint32_t ranks, group;
        uint64_t elements;
        uint32_t chunks;
    } calls[] = {{8, 8, 1 << 20, 0}, {8, 1, 1 << 20, 0}, {8, 4, 7, 0}, {8, 4, 8, 1}};
    const struct cs_hockney hockney = {5e-6, 10e9, 0};

    (void)state;
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
        struct cs_call call = {.ranks = calls[i].ranks,
                               .group = calls[i].group,
                               .elements = calls[i].elements,
                               .element_bytes = 4};

        call.collective = &cs_collective_allgather;
        call.hockney = hockney;
        cs_leader_settle(&call);
        assert_int_equal(call.chunks, calls[i].chunks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_chunks_make_the_blocks_of_a_rank),
        cmocka_unit_test(chunks_are_those_of_the_least_time),
        cmocka_unit_test(nothing_is_cut_without_leaders),
    };

    return cmocka_run_group_tests_name("leaders", tests, NULL, NULL);
}
