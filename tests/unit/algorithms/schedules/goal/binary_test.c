/* GOAL in binary form: equal to the text, and errors. */
#include "algorithms/schedules/import.h"
#include "algorithms/schedules/schedule.h"
#include "tests/fixture.h"
#include "tests/goal_bytes.h"

/* rank 0 { a: calc 100  b: send 50b to 1 tag 7  c: calc 9
 *          b requires a  c irequires b }
 * rank 1 { x: recv 50b from 0 tag 7  y: calc 30  y requires x }
 * rank 2 without ops */
static const struct goal_bytes_op first_ops[] = {
    {.kind = 3, .size = 100, .ends = 1},
    {.kind = 1, .peer = 1, .size = 50, .tag = 7, .needs = 1, .starts = 1, .first_start = 1},
    {.kind = 3, .size = 9, .needs = 1},
};
static const struct goal_bytes_op second_ops[] = {
    {.kind = 2, .peer = 0, .size = 50, .tag = 7, .ends = 1},
    {.kind = 3, .size = 30, .needs = 1},
};
static const uint32_t first_list[] = {1, 2};
static const uint32_t second_list[] = {1};
static const char same_text[] = "num_ranks 3\n"
                                "rank 0 { a: calc 100 b: send 50b to 1 tag 7 c: calc 9\n"
                                "b requires a c irequires b }\n"
                                "rank 1 { x: recv 50b from 0 tag 7 y: calc 30 y requires x }\n";

enum {
    HEAD = 8 + 6 + 3 * 16,   /* in front of rank 0 */
    FIRST_OP = HEAD + 8 + 4, /* a root */
    FIRST_LIST = FIRST_OP + 3 * 39,
};

static void make_file(struct cs_text *file)
{
    static const struct goal_bytes_rank ranks[] = {
        {first_ops, 3, first_list, 2}, {second_ops, 2, second_list, 1}, {0}};

    goal_bytes_file(file, ranks, 3);
}

static int read_bytes(const char *bytes, size_t length, struct cs_arena *arena,
                      struct cs_algo *algo, struct cs_err *err)
{
    return cs_importers[1]->read((struct cs_import_text){"x.bin", bytes, length}, arena, algo, err);
}

static void expect_same_rounds(const struct cs_algo *a, const struct cs_algo *b, uint32_t ranks)
{
    struct cs_call call_a = {.schedule = a->schedule};
    struct cs_call call_b = {.schedule = b->schedule};
    CS_AT_END(cs_ops_free) struct cs_ops ops_a = {0};
    CS_AT_END(cs_ops_free) struct cs_ops ops_b = {0};
    uint32_t lanes = a->lanes(&call_a);

    assert_int_equal(lanes, b->lanes(&call_b));
    for (uint32_t i = 0; i < ranks * lanes; i++) {
        uint64_t rounds = a->rounds(&call_a, (struct cs_at){i / lanes, i % lanes, 0});

        assert_int_equal(rounds, b->rounds(&call_b, (struct cs_at){i / lanes, i % lanes, 0}));
        for (uint64_t k = 0; k < rounds; k++) {
            ops_a.count = ops_b.count = 0;
            a->round(&call_a, (struct cs_at){i / lanes, i % lanes, k}, &ops_a);
            b->round(&call_b, (struct cs_at){i / lanes, i % lanes, k}, &ops_b);
            assert_int_equal(ops_a.count, ops_b.count);
            assert_memory_equal(ops_a.op, ops_b.op, ops_a.count * sizeof(*ops_a.op));
        }
    }
}

ARENA_TEST(the_binary_form_equals_the_text)
{
    CS_AT_END(cs_text_free) struct cs_text file = {0};
    struct cs_algo binary = {0};
    struct cs_algo text = {0};
    struct cs_err err = {0};

    make_file(&file);
    if (read_bytes(file.data, file.length, arena, &binary, &err) ||
        read_bytes(same_text, strlen(same_text), arena, &text, &err)) {
        fail_msg("%s", err.text);
        return;
    }
    assert_int_equal(binary.vector_bytes, text.vector_bytes);
    expect_same_rounds(&binary, &text, 3);
}

/* The file with `bytes` bytes at `at` replaced by `value`. */
struct change {
    size_t at;
    unsigned bytes;
    uint64_t value;
    const char *message;
};

static void expect_change(const struct change *change)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text file = {0};
    struct cs_algo algo;
    struct cs_err err = {0};

    make_file(&file);
    for (unsigned i = 0; i < change->bytes; i++)
        file.data[change->at + i] = (char)(change->value >> 8 * i);
    assert_int_equal(read_bytes(file.data, file.length, &arena, &algo, &err), CS_EINPUT);
    assert_string_equal(err.text, change->message);
}

TEST(errors_name_rank_and_op)
{
    static const struct change changes[] = {
        {0, 8, 2342,
         "x.bin: a run of LogGOPSim with --save-mem has overwritten the schedule; convert the text "
         "again"},
        {8, 4, 0, "x.bin: 0 ranks; expected 1 to 1048576"},
        {8, 4, UINT32_MAX, "x.bin: 4294967295 ranks; expected 1 to 1048576"},
        {14, 8, 5, "x.bin: rank 0: bytes 5 to 191; expected a span from 54 on"},
        {22, 8, 55, "x.bin: rank 0: 1 bytes hold neither its ops nor its requirements"},
        {HEAD, 4, 1000000, "x.bin: rank 0: 137 bytes hold neither its ops nor its requirements"},
        {FIRST_OP, 4, 1,
         "x.bin: rank 0, op 0: the number of requirements differs from the lists of the required "
         "ops"},
        {FIRST_OP + 4, 1, 9,
         "x.bin: rank 0, op 0: kind 9; expected 1 (send), 2 (recv) or 3 (calc)"},
        {FIRST_OP + 21, 1, 2,
         "x.bin: rank 0, op 0: cpu 2; expected cpu 0: a rank has one processor"},
        {FIRST_OP + 9, 8, UINT64_MAX,
         "x.bin: rank 0, op 0: calc of 18446744073709551615 ns; expected at most 2^50 ps"},
        {FIRST_OP + 39 + 5, 4, 3, "x.bin: rank 0, op 1: peer 3; expected a rank below 3"},
        {FIRST_OP + 39 + 5, 4, 0, "x.bin: rank 0, op 1: rank 0 is its own peer"},
        {FIRST_OP + 39 + 9, 8, UINT64_C(1) << 63,
         "x.bin: rank 0, op 1: 9223372036854775808 bytes; expected at most 2^50"},
        {FIRST_OP + 39 + 17, 4, UINT32_MAX,
         "x.bin: rank 0, op 1: tag 4294967295; expected at most 1073741824"},
        {FIRST_OP + 27, 4, 2,
         "x.bin: rank 0, op 0: 1 dependent ops from 2 on; the list of the rank has 2"},
        {FIRST_OP + 23, 4, 3,
         "x.bin: rank 0, op 0: more dependent ops than the 2 of the list of the rank"},
        {FIRST_LIST, 4, 3, "x.bin: rank 0, op 0: dependent op 3; the rank has 3 ops"},
        {FIRST_LIST, 4, 0,
         "x.bin: rank 0, op 0: the number of requirements differs from the lists of the required "
         "ops"},
    };

    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++)
        expect_change(&changes[i]);
}

TEST(a_receive_from_any_sender_is_refused)
{
    const size_t second = FIRST_LIST + 2 * 4 + 8 + 4;
    const struct change change = {
        second + 5, 4, UINT32_MAX,
        "x.bin: rank 1, op 0: recv from -1: the sender would depend on the machine; name the rank"};

    expect_change(&change);
}

ARENA_TEST(a_cycle_is_refused)
{
    static const struct goal_bytes_op ops[] = {{.kind = 3, .needs = 1, .ends = 1},
                                               {.kind = 3, .needs = 1, .ends = 1, .first_end = 1}};
    static const uint32_t list[] = {1, 0};
    static const struct goal_bytes_rank rank = {ops, 2, list, 2};
    CS_AT_END(cs_text_free) struct cs_text file = {0};
    struct cs_algo algo;

    goal_bytes_file(&file, &rank, 1);
    assert_refused(read_bytes(file.data, file.length, arena, &algo, &err), CS_EINPUT,
                   "x.bin: rank 0, op 0: circular dependency: the op requires "
                   "itself, directly or through other ops");
}

/* Wherever the file is cut, the error is the user's. */
TEXT_TEST(a_cut_file_is_refused)
{
    make_file(out);
    for (size_t length = 8; length < out->length; length++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_algo algo;

        assert_int_equal(read_bytes(out->data, length, &arena, &algo, NULL), CS_EINPUT);
    }
}
