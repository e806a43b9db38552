/* Algorithms as text: the same rounds as the built-in ones, tables read back, values of
 * expressions, and what is refused. */
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/import.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

static const struct cs_importer *text_importer(void)
{
    size_t i = 0;

    while (strcmp(cs_importers[i]->name, "text") != 0)
        i++;
    return cs_importers[i];
}

struct read_text {
    struct cs_arena arena;
    struct cs_algo algo;
    struct cs_call call;
    struct cs_program program;
};

static void read_text_free(struct read_text *read_text)
{
    cs_arena_free(&read_text->arena);
}

#define READ_TEST(name) TEST_OF(struct read_text, read, read_text_free, name)

/* The program of a text for p ranks; the code. */
static int open_text(struct read_text *read, const char *text, struct cs_call call,
                     struct cs_err *err)
{
    int code;

    *read = (struct read_text){.call = call};
    code = text_importer()->read((struct cs_import_text){"t.cs", text, strlen(text)}, &read->arena,
                                 &read->algo, err);
    if (code)
        return code;
    read->call.schedule = read->algo.schedule;
    cs_algo_resolve(&read->algo, &read->call, &(struct cs_hockney){1, 1, 0});
    code = cs_algo_check(&read->algo, &read->call, err);
    if (!code)
        read->program = cs_algo_program(&read->algo, &read->call);
    return code;
}

/* Of blocks of equal size. */
static struct cs_call call_of_blocks(uint32_t ranks, uint32_t blocks)
{
    return (struct cs_call){.ranks = ranks, .elements = 100 * (uint64_t)blocks, .element_bytes = 4};
}

static struct cs_call call_of(uint32_t ranks)
{
    return (struct cs_call){.ranks = ranks, .elements = 840, .element_bytes = 4};
}

/* ---- the same rounds ---- */

static bool same_op(const struct cs_program *a, const struct cs_program *b, uint32_t lane,
                    const struct cs_op *x, const struct cs_op *y)
{
    if (x->kind != y->kind || x->peer != y->peer)
        return false;
    if (x->kind == CS_OP_WAIT)
        return x->source == y->source;
    return x->buffer == y->buffer && x->blocks.first == y->blocks.first &&
           x->blocks.count == y->blocks.count &&
           cs_op_channel(a, lane, x) == cs_op_channel(b, lane, y);
}

static void expect_same(const struct cs_program *a, const struct cs_program *b, const char *name)
{
    CS_AT_END(cs_ops_free) struct cs_ops x = {0};
    CS_AT_END(cs_ops_free) struct cs_ops y = {0};

    if (a->lanes != b->lanes || a->blocks != b->blocks || a->agents != b->agents)
        fail_msg("%s: %u lanes of %u, %u blocks of %u", name, b->lanes, a->lanes, b->blocks,
                 a->blocks);
    for (uint32_t i = 0; i < cs_program_parties(a) * a->lanes; i++) {
        struct cs_at at = {i / a->lanes, i % a->lanes, 0};
        uint64_t rounds = cs_program_rounds(a, at.party, at.lane);

        /* A table has no line for a round without ops at the end of a lane. */
        for (at.round = 0; at.round < rounds; at.round++) {
            cs_program_read(a, at, &x);
            y.count = 0;
            if (at.round < cs_program_rounds(b, at.party, at.lane))
                cs_program_read(b, at, &y);
            if (x.count != y.count)
                fail_msg("%s: rank %u, lane %u, round %u: %u ops, not %u", name, at.party, at.lane,
                         (unsigned)at.round, y.count, x.count);
            for (uint32_t k = 0; k < x.count && y.op; k++)
                if (!same_op(a, b, at.lane, &x.op[k], &y.op[k]))
                    fail_msg("%s: rank %u, lane %u, round %u, op %u differs", name, at.party,
                             at.lane, (unsigned)at.round, k);
        }
    }
}

static const char ring[] = "collsim-table 1\n"
                           "algorithm my-ring # of the lecture\n"
                           "collective all-reduce\n"
                           "blocks p\n"
                           "for step in 0..p-2:\n"
                           "    send block r-step-1 to (r+1)%p; add block r-step-2 from (r-1)%p\n"
                           "for step in 0..p-2:\n"
                           "\tsend block r-step to (r+1)%p; recv block r-step-1 from (r-1)%p\n";

TEST(a_ring_as_text_is_the_ring)
{
    const struct cs_algo *algo = cs_algo_find("ring", &cs_collective_allreduce);

    for (uint32_t p = 2; p <= 17; p++) {
        struct cs_call call = call_of(p);
        struct cs_program program;
        CS_AT_END(read_text_free) struct read_text read = {0};

        cs_algo_resolve(algo, &call, &(struct cs_hockney){1, 1, 0});
        program = cs_algo_program(algo, &call);
        assert_done(open_text(&read, ring, call_of_blocks(p, p), &err));
        expect_same(&program, &read.program, "ring");
    }
}

/* Every algorithm that a table can express. */
TEST(what_export_writes_is_read_back)
{
    const struct cs_exporter *table = cs_exporters[cs_exporter_count - 1];
    uint32_t taken = 0;

    for (size_t a = 0; a < cs_algo_count; a++)
        for (uint32_t p = 2; p <= 8; p += 2) {
            struct cs_call call = call_of(p);
            struct cs_program program;
            CS_AT_END(cs_text_free) struct cs_text text = {0};
            CS_AT_END(read_text_free) struct read_text read = {0};
            struct cs_err err = {0};

            call.group = p / 2;
            cs_algo_resolve(cs_algos[a], &call, &(struct cs_hockney){1, 1, 0});
            if (cs_algo_check(cs_algos[a], &call, &err))
                continue;
            program = cs_algo_program(cs_algos[a], &call);
            if (!cs_export_write(table, &(struct cs_export){cs_algos[a], &program, 0, 0, &call},
                                 &text, &err)) {
                if (open_text(&read, cs_text_str(&text), call_of_blocks(p, program.blocks), &err))
                    fail_msg("%s of %u: %s", cs_algos[a]->name, p, err.text);
                expect_same(&program, &read.program, cs_algos[a]->name);
                taken++;
            }
        }
    assert_true(taken > 60);
}

/* ---- values ---- */

/* `require` shows a value. */
TEST(expressions_have_the_values_of_python)
{
    static const char *const holds[] = {
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "-7 / 2 == -4 and -7 % 2 == 1",
        "7 / -2 == -4 and 7 % -2 == -1",
        "2 ** 3 ** 2 == 512",
        "-2 ** 2 == -4",
        "10 - 4 - 3 == 3",
        "1 << 4 | 1 == 17 or 1",
        "(1 << 4 | 1) == 17",
        "(6 ^ 3) == 5 and (6 & 3) == 2 and 17 >> 2 == 4",
        "not 1 == 2",
        "not (0 or 0) and not 0",
        "min(3, max(1, 2)) == 2",
        "abs(-5) == 5 and log2(1) == 0 and log2(9) == 3",
        "max(-1, -2) == -1",
        "p == 6 and V == 840 * 4 and root == 2 and chunks == 1",
        "1 <= 1 and 1 >= 1 and 1 < 2 and 2 > 1 and 1 != 2",
    };

    for (size_t i = 0; i < sizeof(holds) / sizeof(*holds); i++) {
        struct cs_call call = call_of(6);
        CS_AT_END(read_text_free) struct read_text read = {0};
        char text[200];

        call.root = 2;
        (void)snprintf(text, sizeof(text), "collective broadcast\nrequire %s\n", holds[i]);
        assert_done_of(holds[i], open_text(&read, text, call, &err));
    }
}

/* ---- blocks ---- */

READ_TEST(blocks_end_with_their_indentation)
{
    static const char text[] = "collective custom\n"
                               "for i in 0..1:\n"
                               "    if i == 0:\n"
                               "        if r == 0:\n"
                               "            send block 0 to 1\n"
                               "        else:\n"
                               "            recv block 0 from 0\n"
                               "    else:\n"
                               "        lane 1:\n"
                               "            wait lane 0 round 0\n"
                               "            if r == 1:\n"
                               "                send block 1 to 0\n"
                               "            else:\n"
                               "                recv block 1 from 1\n"
                               "\n"
                               "  # a comment ends no block\n"
                               "copy block 0 to block 1\n";
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    assert_done(open_text(read, text, call_of(2), &err));
    assert_int_equal(read->program.lanes, 2);
    for (uint32_t r = 0; r < 2; r++) {
        assert_int_equal(cs_program_rounds(&read->program, r, 0), 2);
        assert_int_equal(cs_program_rounds(&read->program, r, 1), 2);
        cs_program_read(&read->program, (struct cs_at){r, 0, 0}, &ops);
        assert_int_equal(ops.op[0].kind, r == 0 ? CS_OP_SEND : CS_OP_RECV);
        cs_program_read(&read->program, (struct cs_at){r, 1, 1}, &ops);
        assert_int_equal(ops.op[0].kind, r == 1 ? CS_OP_SEND : CS_OP_RECV);
        cs_program_read(&read->program, (struct cs_at){r, 0, 1}, &ops);
        assert_int_equal(ops.op[0].kind, CS_OP_COPY);
    }
}

/* Lane 1 sends on what lane 0 has received. */
READ_TEST(messages_of_two_lanes_meet_on_a_channel)
{
    static const char text[] = "collective broadcast\n"
                               "blocks 3\n"
                               "for c in 0..2:\n"
                               "    if r > 0:\n"
                               "        recv block c from r-1 on 0\n"
                               "lane 1:\n"
                               "    for c in 0..2:\n"
                               "        if r < p-1:\n"
                               "            if r > 0:\n"
                               "                wait lane 0 round c\n"
                               "            send block c to r+1 on 0\n";
    struct cs_proof_options options = {.seed = 1};
    struct cs_proof proof = {0};
    struct cs_err err = {0};

    if (!open_text(read, text, call_of(4), &err))
        (void)cs_proof_run(&read->program, &options, &proof, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(proof.messages, 9);
}

/* ---- refusals ---- */

#define LINE(text) "collective all-reduce\n" text "\n"

static const struct {
    const char *text, *message;
} bad[] = {
    {"collective all-redoce\n",
     "t.cs:1: no collective called 'all-redoce'; did you mean 'all-reduce'?"},
    {"collsim-table 2\n", "t.cs:1: version '2'; this program reads 1"},
    {"send block r to 1\n",
     "t.cs:1: no collective; expected a line such as 'collective all-reduce' above the statements"},
    {LINE(""),
     "t.cs:2: no statements; expected what rank r does, such as 'send block r to (r+1)%p'"},
    {LINE("sned block 0 to 1"), "t.cs:2: no statement called 'sned'; did you mean 'send'?"},
    {LINE("send block 0 at 1"), "t.cs:2: 'at'; expected 'to'"},
    {LINE("send block to 1"), "t.cs:2: no name called 'to' so far; expected p, r, V, root, chunks"},
    {LINE("recv block 0 from 1 to 2"), "t.cs:2: 'to'; expected the end of the line"},
    {LINE("recv in block 0 from 1"), "t.cs:2: the input is never written; expected out or scratch"},
    {LINE("for s in 0..1\n    send block s to 1"), "t.cs:2: 'end of line'; expected ':'"},
    {LINE("for s in 0..1:"), "t.cs:2: a block without lines; expected lines with more indentation"},
    {LINE("if r:\n    send block 0 to 1\n  send block 1 to 1"),
     "t.cs:4: 2 blanks before the line; expected 4, as before the lines above"},
    {LINE("else:\n    send block 0 to 1"), "t.cs:2: 'else' without an 'if' above it"},
    {LINE("send block (1 to 2"), "t.cs:2: 'to'; expected ')' or an operator"},
    {LINE("send block min(1) to 2"), "t.cs:2: 1 values for min; expected 2"},
    {LINE("send block (1, 2) to 2"), "t.cs:2: ',' outside min() and max(); expected ')'"},
    {LINE("send block 1 + to 2"),
     "t.cs:2: no name called 'to' so far; expected p, r, V, root, chunks"},
    {LINE("send block 99999999999999999999 to 1"),
     "t.cs:2: '99999999999999999999' is beyond 64 bits"},
    {LINE("send block 1x to 1"),
     "t.cs:2: '1x' is not a number; expected digits, or a name that begins with a letter"},
    {LINE("send block 0 to $1"),
     "t.cs:2: '$' has no meaning here; expected names, numbers, operators"},
    {LINE("let p = 3"), "t.cs:2: 'p' is given by the call; expected another name"},
    {LINE("send block 0 to 1\nblocks 4"),
     "t.cs:3: 'blocks' behind the first statement; expected above it"},
    {LINE("end\nsend block 0 to 1"), "t.cs:3: 'send'; expected nothing behind 'end'"},
    {LINE("send block 0 to 9"), "t.cs:2: a message with rank 9 for rank 0 of 4; expected 0 to 3"},
    {LINE("send block 0 to r"),
     "t.cs:2: rank 0 of 4 and itself exchange no messages; expected 'copy'"},
    {LINE("send block r/(r-1) to (r+1)%p"), "t.cs:2: a division by 0, for rank 1 of 4"},
    {LINE("send block 2**64 to (r+1)%p"),
     "t.cs:2: a number beyond 64 bits, or a negative power or shift, for rank 0 of 4"},
    {LINE("let x = log2(r)"), "t.cs:2: log2 of a number below 1, for rank 0 of 4"},
    {LINE("send block 0 count 0 to (r+1)%p"),
     "t.cs:2: no blocks for rank 0 of 4; expected at least one"},
    {LINE("send scratch block 0 to (r+1)%p"),
     "t.cs:2: no scratch blocks; expected a line such as 'scratch p' in the head"},
    {LINE("require p % 3 == 0"), "t.cs:2: not for 4 ranks; expected p % 3 == 0"},
    {LINE("require p = 4"), "t.cs:2: '='; expected '=='"},
    {LINE("ranks 5\nlet x = 1"),
     "'t.cs' is for 5 ranks, not 4; write --ranks 5 or choose another machine"},
    {LINE("wait lane 0 round 0"), "t.cs:2: lane 0 waits for itself; expected another lane"},
    {LINE("for i in 0..9:\n    let i = 0"),
     "t.cs:3: more than 33554432 steps and rounds; expected fewer ranks or shorter loops"},
    {LINE("op 0 1 0 wait 0 0"), "t.cs:2: lane 1 for rank 0 of 4; expected 0 to 0"},
    {LINE("lanes 1\nop 0 0 0 send 1 0 block 1 1"),
     "t.cs:3: no name called 'block' so far; expected p, r, V, root, chunks"},
};

TEST(errors_name_line_and_what_was_expected)
{
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CS_AT_END(read_text_free) struct read_text read = {0};
        struct cs_err err = {0};
        int code = open_text(&read, bad[i].text, call_of(4), &err);

        if (code != CS_EINPUT || strcmp(err.text, bad[i].message) != 0)
            fail_msg("'%s': %d, '%s', not '%s'", bad[i].text, code, err.text, bad[i].message);
    }
}
