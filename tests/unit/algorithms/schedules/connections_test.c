/* Connections: pieces of wrapping runs and channels. */
#include "algorithms/schedules/connections.h"

#include "tests/fixture.h"

TEST(a_wrapping_run_is_cut_at_both_ends)
{
    struct cs_connection cut = cs_connection_cut(10, 7, 4);

    assert_int_equal(cut.pieces, 3);
    assert_int_equal(cut.start[1], 4);
    assert_int_equal(cut.start[2], 7);
    assert_int_equal(cut.start[3], 10);
    assert_int_equal(cs_connection_cut(10, 10, 10).pieces, 1);
    assert_int_equal(cs_connection_cut(10, 4, 4).pieces, 2);
}

ARENA_TEST(every_message_of_a_ring_keeps_its_channel)
{
    struct cs_call call = {.ranks = 4, .elements = 64, .element_bytes = 4};
    struct cs_program program = fixture_program("ring", "allreduce", &call);
    struct cs_connections connections;

    assert_int_equal(cs_connections_of(&program, CS_WRAPS_CUT, 1000, arena, &connections, NULL), 0);
    assert_int_equal(connections.channels, program.lanes);
    assert_int_equal(cs_connections_of(&program, CS_WRAPS_CUT, 10, arena, &connections, NULL),
                     CS_EINPUT);
}
