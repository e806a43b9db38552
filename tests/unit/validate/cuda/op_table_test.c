/* Op tables: fields of a table, and messages for mistakes. */
#include "validate/cuda/op_table.h"

#include "tests/fixture.h"

#define HEAD                                                        \
    "collsim-table 1\nalgorithm a\ncollective allreduce\nranks 2\n" \
    "agents 1\nlanes 2\nblocks 4\nparts 2\n"

static int read_into(struct cs_op_table *table, struct cs_arena *arena, const char *text,
                     struct cs_err *err)
{
    struct cs_op_table_text in = {"t", text, strlen(text)};

    return cs_op_table_read(in, arena, table, err);
}

ARENA_TEST(a_table_is_read_as_it_was_written)
{
    struct cs_op_table table;

    assert_done(read_into(&table, arena,
                          HEAD "# a comment\n\n"
                               "op 0 1 3 send 2 5 in 3 2 # two blocks\r\n"
                               "\top 2 0 0  add 0 5 out 3 2\n"
                               "op 2 1 1 wait 0 7\nend\n",
                          &err));
    assert_string_equal(table.algorithm, "a");
    assert_string_equal(table.collective, "allreduce");
    assert_int_equal(cs_op_table_parties(&table), 3);
    assert_int_equal(table.op_count, 3);
    assert_int_equal(table.ops[0].kind, CS_TABLE_SEND);
    assert_true(table.ops[0].from_input);
    assert_int_equal(table.ops[0].lane, 1);
    assert_int_equal(table.ops[0].round, 3);
    assert_int_equal(table.ops[0].peer, 2);
    assert_int_equal(table.ops[0].channel, 5);
    assert_int_equal(table.ops[0].first, 3);
    assert_int_equal(table.ops[0].count, 2);
    assert_int_equal(table.ops[0].line, 11);
    assert_int_equal(table.ops[1].kind, CS_TABLE_ADD);
    assert_int_equal(table.ops[2].kind, CS_TABLE_WAIT);
    assert_int_equal(table.ops[2].channel, 7);
}

ARENA_TEST(parameters_of_the_call_are_read_where_given)
{
    struct cs_op_table table;

    assert_done(read_into(&table, arena, HEAD "chunks 3\nshards 2\nslices 1\nend\n", &err));
    assert_int_equal(table.chunks, 3);
    assert_int_equal(table.shards, 2);
    assert_int_equal(table.slices, 1);
    assert_done(read_into(&table, arena, HEAD "end\n", &err));
    assert_int_equal(table.chunks, 0);
    assert_refused(read_into(&table, arena, HEAD "chunks x\n", &err), CS_EINPUT,
                   "t:9: chunks 'x'; expected 0 to 4294967294");
}

/* Test vectors of draft-eastlake-fnv. */
TEST(a_hash_distinguishes_tables)
{
    assert_true(cs_op_table_hash("", 0) == 0xcbf29ce484222325u);
    assert_true(cs_op_table_hash("a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(cs_op_table_hash("foobar", 6) == 0x85944171f73967e8u);
}

TEST(mistakes_are_reported_with_file_and_line)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "t: not a table; expected 'collsim-table 1', as 'collsim export --format table' "
             "writes it"},
        {"hello\n", "t:1: not a table; expected 'collsim-table 1', as 'collsim export --format "
                    "table' writes it"},
        {"collsim-table 2\n", "t:1: a table of version '2'; this program reads 1"},
        {"collsim-table 1\nranks 2\n", "t:2: expected 'algorithm NAME'"},
        {"collsim-table 1\nalgorithm a\ncollective b\nranks 0\n",
         "t:4: ranks 0; expected 1 at least"},
        {"collsim-table 1\nalgorithm a\ncollective b\nranks 257\n",
         "t:4: ranks '257'; expected 0 to 256"},
        {"collsim-table 1\nalgorithm a\ncollective b\nranks 200\nagents 57\n",
         "t:5: agents '57'; expected 0 to 56"},
        {"collsim-table 1\nalgorithm a\ncollective b\nranks 2\nagents 0\n"
         "lanes 1\nblocks 4\nparts 3\n",
         "t:8: 4 blocks are no multiple of 3 parts"},
        {HEAD, "t:8: the file ends without 'end'"},
        {HEAD "end\nend\n", "t:10: 'end' behind the end"},
        {HEAD "oops\n", "t:9: 'oops'; expected op or end"},
        {HEAD "op 0\n", "t:9: 1 words after 'op'; expected 'op PARTY LANE ROUND KIND ...'"},
        {HEAD "op 0 0 0 sned 1 0 out 0 1\n", "t:9: no op called 'sned'; did you mean 'send'?"},
        {HEAD "op 0 0 0 send 3 0 out 0 1\n", "t:9: party '3'; expected 0 to 2"},
        {HEAD "op 0 0 0 send -1 0 out 0 1\n", "t:9: party '-1'; expected 0 to 2"},
        {HEAD "op 0 0 0 send 0 0 out 0 1\n", "t:9: party 0 and itself exchange no messages"},
        {HEAD "op 0 0 0 send 1 0 scratch 0 1\n", "t:9: buffer 'scratch'; expected in or out"},
        {HEAD "op 0 0 0 add 1 0 in 0 1\n", "t:9: the input is never written; expected out"},
        {HEAD "op 0 0 0 send 1 0 out 4 1\n", "t:9: block '4'; expected 0 to 3"},
        {HEAD "op 0 0 0 send 1 0 out 0 0\n", "t:9: a message of no blocks"},
        {HEAD "op 0 0 0 send 1 0 out 0 5\n", "t:9: number of blocks '5'; expected 0 to 4"},
        {HEAD "op 0 2 0 send 1 0 out 0 1\n", "t:9: lane '2'; expected 0 to 1"},
        {HEAD "op 0 0 1048576 send 1 0 out 0 1\n", "t:9: round '1048576'; expected 0 to 1048575"},
        {HEAD "op 0 0 0 wait 0 0\n", "t:9: lane 0 waits for itself"},
        {HEAD "op 0 0 0 wait 1\n",
         "t:9: 5 words after 'op'; expected 'op PARTY LANE ROUND wait LANE ROUND'"},
        {HEAD "op 0 0 1 send 1 0 out 0 1\nop 0 0 0 send 1 0 out 0 1\n",
         "t:10: ops are not in the order of party, lane and round"},
        {HEAD "1 2 3 4 5 6 7 8 9 10 11 12\n", "t:9: more than 11 words"},
        {HEAD "op 000000000000000000000000000000000000000000000000000000000000000000000000 1\n",
         "t:9: '0000000000000000000000000000000000000000...' is too long for a word"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_op_table table;

        assert_refused(read_into(&table, &arena, cases[i].text, &err), CS_EINPUT, cases[i].message);
    }
}

TEST(a_nul_is_no_text)
{
    static const char text[] = "collsim-table 1\nalgorithm \0a\n";
    struct cs_op_table_text in = {"t", text, sizeof(text) - 1};
    struct cs_arena arena = {0};
    struct cs_op_table table;

    assert_refused(cs_op_table_read(in, &arena, &table, &err), CS_EINPUT,
                   "t:2: a NUL byte; a table is text");
}
