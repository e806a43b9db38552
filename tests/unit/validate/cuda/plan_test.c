/* Plans: refused tables, and the cut of the work. */
#include "validate/cuda/plan.h"

#include "sim/base/text.h"
#include "tests/fixture.h"

#define HEAD                                                        \
    "collsim-table 1\nalgorithm a\ncollective allreduce\nranks 2\n" \
    "agents 0\nlanes 2\nblocks 4\nparts 1\n"

static void expect(const char *ops, const char *message)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_op_table_text in = {.file = "t"};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_op_table table;
    struct cs_gpu_plan plan;
    struct cs_err err = {0};

    cs_text_printf(&text, "%s%send\n", HEAD, ops);
    in.text = text.data;
    in.length = text.length;
    if (cs_op_table_read(in, &arena, &table, &err) == 0)
        assert_int_equal(cs_plan_make(&table, &arena, &plan, &err), message[0] ? CS_EINPUT : 0);
    assert_string_equal(err.text, message);
}

TEST(a_send_without_its_receive_is_reported_with_its_line)
{
    expect("op 0 0 0 send 1 0 out 0 1\nop 1 0 0 recv 0 0 out 0 1\n", "");
    expect("op 0 0 0 send 1 0 out 0 1\n",
           "t:9: party 0 sends 1 messages to party 1 on channel 0, which receives 0");
    expect("op 1 0 0 recv 0 0 out 0 1\n",
           "t:9: party 0 sends 0 messages to party 1 on channel 0, which receives 1");
    expect("op 0 0 0 send 1 0 out 0 1\nop 1 0 0 recv 0 0 out 1 1\n",
           "t:10: blocks 1 +1 are received, but 0 +1 are sent in line 9");
    expect("op 0 0 0 send 1 0 out 0 1\nop 0 1 0 send 1 0 out 1 1\n"
           "op 1 0 0 recv 0 0 out 0 1\nop 1 0 1 recv 0 0 out 1 1\n",
           "t:10: two lanes of party 0 share channel 0; they need one each");
    expect("op 0 0 0 wait 1 0\n", "t:9: lane 1 has no round 0 to wait for");
}

TEXT_TEST(rounds_without_end_are_refused)
{
    for (int lane = 0; lane < 4; lane++)
        cs_text_printf(out, "op %d %d 1048575 wait %d 0\n", lane / 2, lane % 2, 1 - lane % 2);
    expect(cs_text_str(out), "");
}

TEXT_TEST(a_round_has_room_for_a_warp)
{
    for (int i = 0; i < 33; i++)
        cs_text_add(out, "op 0 0 0 wait 1 0\n");
    cs_text_add(out, "op 0 1 0 wait 0 0\n");
    expect(cs_text_str(out), "t:41: more than 32 ops in one round");
}

TEST(channels_without_work_are_not_started)
{
    struct cs_gpu_plan plan = {.blocks = 8};

    assert_int_equal(cs_plan_channels(&plan, 64 << 20, 16, 16384), 16);
    assert_int_equal(cs_plan_channels(&plan, 512 << 10, 16, 16384), 4);
    assert_int_equal(cs_plan_channels(&plan, 64, 16, 16384), 1);
    assert_int_equal(cs_plan_channels(&plan, 64 << 20, 0, 16384), 1);
}

/* 264 blocks of two slots: slots of 32 KiB take 16.5 MiB, of 64 KiB 33 MiB. */
TEST(slots_take_half_of_l2_at_most)
{
    assert_int_equal(cs_plan_slice(50 << 20, 264, 2), 32 << 10);
    assert_int_equal(cs_plan_slice(66 << 20, 264, 2), 64 << 10);
    assert_int_equal(cs_plan_slice(50 << 20, 1, 2), 256 << 10);
    assert_int_equal(cs_plan_slice(4 << 20, 264, 2), 16 << 10);
    assert_int_equal(cs_plan_slice(0, UINT32_MAX, 64), 16 << 10);
}
