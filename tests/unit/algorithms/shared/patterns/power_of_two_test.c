#include "algorithms/shared/patterns/power_of_two.h"

#include "tests/fixture.h"

TEST(members_and_ranks_are_each_others_reverse)
{
    for (uint32_t p = 1; p <= 70; p++) {
        struct cs_rank_fold fold = cs_fold_of(p);
        uint32_t members = 0;

        assert_true(fold.q <= p && 2 * fold.q > p);
        assert_int_equal(fold.q + fold.pairs, p);
        for (uint32_t r = 0; r < p; r++) {
            uint32_t member = cs_fold_member(&fold, r);

            if (member == CS_NO_MEMBER)
                continue;
            assert_int_equal(member, members++);
            assert_int_equal(cs_fold_rank(&fold, member), r);
        }
        assert_int_equal(members, fold.q);
    }
}

TEST(one_of_each_pair_sends_before_and_receives_after)
{
    struct cs_rank_fold fold = cs_fold_of(6);
    const int before[] = {CS_OP_SEND, CS_OP_RECV_REDUCE, CS_OP_SEND, CS_OP_RECV_REDUCE};
    const int after[] = {CS_OP_RECV, CS_OP_SEND, CS_OP_RECV, CS_OP_SEND};
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    for (uint32_t r = 0; r < 6; r++) {
        ops.count = 0;
        cs_fold_in(&fold, r, 4, &ops);
        cs_fold_out(&fold, r, 4, &ops);
        assert_int_equal(ops.count, r < 4 ? 2 : 0);
        if (r >= 4)
            continue;
        assert_int_equal(ops.op[0].kind, before[r]);
        assert_int_equal(ops.op[1].kind, after[r]);
        assert_int_equal(ops.op[0].peer, r ^ 1);
        assert_int_equal(ops.op[1].blocks.count, 4);
    }
}

/* Members run in step where no pair is ahead of them. */
TEST(sends_wait_for_receivers_where_pairs_are_folded)
{
    for (uint32_t p = 2; p <= 16; p++) {
        struct cs_rank_fold fold = cs_fold_of(p);
        bool is_power = (p & (p - 1)) == 0;
        CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

        cs_ops_send(&ops, 1, (struct cs_blocks){0, 1});
        cs_fold_match(&fold, &ops);
        assert_int_equal(ops.op[0].leaves == CS_LEAVES_MET, !is_power);
    }
}
