#include "scenarios/train/command/machine.h"

#include "scenarios/train/command/given.h"
#include "tests/test.h"

TEST(racks_that_a_job_does_not_fill_give_segments)
{
    assert_int_equal(cs_segment_each(72, 512, 0), 64);
    assert_int_equal(cs_segment_each(72, 576, 0), 72);
    assert_int_equal(cs_segment_each(72, 504, 0), 72);
    assert_int_equal(cs_segment_each(72, 64, 0), 72); /* in one rack */
    assert_int_equal(cs_segment_each(36, 128, 0), 32);
    assert_int_equal(cs_segment_each(72, 100, 0), 72); /* no segments of 64 */
    assert_int_equal(cs_segment_each(72, 128, 32), 64);
    assert_int_equal(cs_segment_each(72, 128, 36), 72);
    assert_int_equal(cs_segment_each(8, 100, 0), 8);
    assert_int_equal(cs_segment_each(6, 64, 0), 6); /* a node, not a rack */
}

struct segmented {
    struct cs_arena arena;
    struct cs_err err;
    const char *topo, *note;
};

static int segment(struct segmented *segmented, const char *topo, uint32_t ranks, uint32_t size)
{
    struct cs_train_options given;

    memset(segmented, 0, sizeof(*segmented));
    cs_train_options_init(&given, &segmented->arena);
    given.scenario.topo = topo;
    given.ranks = ranks;
    given.segment = size;
    return cs_segment_machine(&given, &segmented->topo, &segmented->note, &segmented->err);
}

TEST(machines_say_what_their_nodes_give)
{
    struct segmented one;

    assert_int_equal(segment(&one, "cluster:node=gb200-nvl72,nodes=8", 512, 0), 0);
    assert_string_equal(one.topo, "cluster:node=gb200-nvl72,nodes=8,gpus=64");
    assert_string_equal(one.note, "512 GPUs are 64 of the 72 of each of 8 gb200-nvl72, as "
                                  "schedulers place segments (--segment)");
    cs_arena_free(&one.arena);
    assert_int_equal(segment(&one, "cluster:node=gb200-nvl72,nodes=36", 2560, 0), 0);
    assert_string_equal(one.topo, "cluster:node=gb200-nvl72,nodes=36"); /* 36 segments: 2,304 */
    cs_arena_free(&one.arena);
    assert_int_equal(segment(&one, "cluster:node=[dgx-h100],nodes=13", 100, 0), 0);
    assert_string_equal(one.topo, "cluster:node=[dgx-h100],nodes=13");
    assert_string_equal(one.note, "100 GPUs are on 13 dgx-h100, which have 104");
    cs_arena_free(&one.arena);
    assert_int_equal(segment(&one, "cluster:node=gb200-nvl72,nodes=8,gpus=60", 480, 0), 0);
    assert_null(one.note);
    cs_arena_free(&one.arena);
    assert_int_equal(segment(&one, "dgx-h100", 4, 0), 0);
    assert_string_equal(one.topo, "dgx-h100");
    cs_arena_free(&one.arena);
}

TEST(segments_without_racks_are_refused)
{
    struct segmented one;

    assert_int_equal(segment(&one, "dgx-h100", 8, 4), CS_EINPUT);
    assert_string_equal(one.err.text, "--segment: expected --ranks, and nodes of one kind, as "
                                      "--topo cluster:node=gb200-nvl72,nodes=8");
    cs_arena_free(&one.arena);
    assert_int_equal(segment(&one, "cluster:node=dgx-h100,nodes=8", 32, 16), CS_EINPUT);
    assert_string_equal(one.err.text, "--segment: 16 GPUs; a dgx-h100 has 8");
    cs_arena_free(&one.arena);
}
