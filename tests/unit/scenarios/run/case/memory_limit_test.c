/* Memory limit: messages in flight at once against the memory of the host. */
#include "scenarios/run/case/memory_limit.h"

#include "tests/unit/scenarios/run/opened.h"

/* A program whose ranks send that many messages in the last of that many rounds,
 * and one in each of the others. */
struct burst {
    uint32_t sends;
    uint32_t rounds;
};

static uint64_t burst_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct burst *burst = ctx;

    return burst->rounds;
}

static void burst_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct burst *burst = ctx;

    for (uint32_t i = 0; i < (at.round + 1 == burst->rounds ? burst->sends : 1); i++)
        cs_ops_send(ops, at.party + 1, (struct cs_blocks){0, 1});
}

static int checked(struct opened *opened, const struct burst *burst, uint32_t ranks)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    opened->run.program.ctx = burst;
    opened->run.program.rounds = burst_rounds;
    opened->run.program.round = burst_round;
    opened->run.program.ranks = ranks;
    opened->run.program.lanes = 1;
    return cs_room_check(&opened->run);
}

OPENED_TEST(few_messages_fit)
{
    const struct burst burst = {1, 1};

    assert_int_equal(checked(opened, &burst, 1 << 20), 0);
}

OPENED_TEST(more_messages_than_memory_are_refused_with_their_number)
{
    /* 2^44 messages of 9 B are 144 TiB. */
    const struct burst burst = {1 << 16, 1};

    assert_int_equal(checked(opened, &burst, 1 << 28), CS_ECANNOT);
    assert_non_null(strstr(opened->err.text, "268435456 ranks"));
    assert_non_null(strstr(opened->err.text, "messages in flight at once"));
}

OPENED_TEST(a_last_round_counts_as_the_first)
{
    const struct burst burst = {1 << 16, 20};

    assert_int_equal(checked(opened, &burst, 1 << 28), CS_ECANNOT);
}

/* The whole process takes 830 B a rank of such a bus of 1,048,576 ranks (its peak, with
 * --routing adaptive), links and routes among them. */
TEST(lanes_and_links_take_memory)
{
    CS_AT_END(opened_free) struct opened few, many;
    double more;

    opened_run(&few, WORDS("--topo", "bus:ranks=1000", "--algo", "ring"));
    opened_run(&many, WORDS("--topo", "bus:ranks=101000", "--algo", "ring"));
    more = cs_room_bytes(&many.run.program, &many.run.net, many.scenario.model) -
           cs_room_bytes(&few.run.program, &few.run.net, few.scenario.model);
    assert_true(more > 400 * 1e5 && more < 830 * 1e5);
}
