/* GOAL: simulated times of files, and errors. */
#include "algorithms/schedules/import.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

static int read_text(const char *text, struct cs_arena *arena, struct cs_algo *algo,
                     struct cs_err *err)
{
    return cs_importers[1]->read((struct cs_import_text){"x.goal", text, strlen(text)}, arena, algo,
                                 err);
}

static void expect_refusal(const char *text, const char *message)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;

    assert_refused(read_text(text, &arena, &algo, &err), CS_EINPUT, message);
}

struct outcome {
    uint64_t time_ps;
    uint32_t lanes;
};

/* On a switch with 1 ns per byte and no latency. */
static struct outcome run(const char *text, uint32_t ranks)
{
    CS_AT_END(machine_close) struct machine machine;
    struct cs_algo algo;
    struct cs_call call = {.ranks = ranks, .element_bytes = 1};
    struct cs_proof_options options = {.seed = 1};
    struct cs_proof proof;
    struct cs_exec_result result;
    struct cs_program program;

    machine_open(&machine, "switch:bandwidth=1GB/s,latency=0ps", ranks, 0);
    assert_done(read_text(text, &machine.arena, &algo, &err));
    call.elements = algo.vector_bytes;
    call.schedule = algo.schedule;
    program = cs_algo_program(&algo, &call);
    assert_done(cs_proof_run(&program, &options, &proof, &err) ||
                cs_exec_run(&program, &machine.net, cs_link_model_find("fifo"), &machine.arena,
                            &result, &err));
    return (struct outcome){result.time_ps, program.lanes};
}

TEST(an_op_waits_for_the_required_ops)
{
    const char *text = "num_ranks 2 // two\n"
                       "rank 0 {\n"
                       "a: calc 100\n b: send 50b to 1 tag 7 cpu 0 nic 0\n"
                       "b requires a /* then */ }\n"
                       "rank 1 { x: recv 50b from 0 tag 7\n"
                       "y: calc 30\n y requires x }\n";

    assert_int_equal(run(text, 2).time_ps, 180000);
}

TEST(an_op_without_requirements_starts_at_once)
{
    const char *text = "num_ranks 2\n"
                       "rank 0 { a: calc 100\n b: send 50b to 1 }\n"
                       "rank 1 { recv 50b from 0 }\n";

    assert_int_equal(run(text, 2).time_ps, 100000);
}

TEST(an_irequires_inherits_the_requirements_of_the_op)
{
    const char *text = "num_ranks 2\n"
                       "rank 0 { a: calc 100\n b: calc 500\n b requires a\n"
                       "c: send 50b to 1\n c irequires b }\n"
                       "rank 1 { x: recv 50b from 0\n"
                       "y: calc 1000\n y requires x }\n";

    assert_int_equal(run(text, 2).time_ps, 1150000);
}

TEXT_TEST(forks_that_join_reuse_lanes)
{
    cs_text_add(out, "num_ranks 1 rank 0 { j0: calc 1\n");
    for (uint32_t i = 1; i < 50; i++) {
        cs_text_printf(out, "a%u: calc 1 b%u: calc 1 c%u: calc 1 j%u: calc 1 ", i, i, i, i);
        cs_text_printf(out,
                       "a%u requires j%u b%u requires j%u c%u requires b%u j%u requires a%u j%u "
                       "requires c%u\n",
                       i, i - 1, i, i - 1, i, i, i, i, i, i);
    }
    cs_text_add(out, "}");
    assert_int_equal(run(out->data, 1).lanes, 2);
}

TEST(tags_keep_messages_apart)
{
    const char *text = "num_ranks 2\n"
                       "rank 0 { a: send 5b to 1 tag 1\n b: send 9b to 1 tag 2\n"
                       "b requires a }\n"
                       "rank 1 { x: recv 9b from 0 tag 2\n"
                       "y: recv 5b from 0 tag 1\n y requires x }\n";

    assert_int_equal(run(text, 2).time_ps, 14000);
}

TEST(errors_have_a_line_and_the_expected_word)
{
    expect_refusal("", "x.goal:1: unexpected end of file; expected 'num_ranks'");
    expect_refusal("num_ranks 0", "x.goal:1: num_ranks 0; expected at least 1");
    expect_refusal("num_ranks 2\nrank 2 {}", "x.goal:2: '2'; expected a rank below num_ranks");
    expect_refusal("num_ranks 2\nrank 0 {} rank 0 {}", "x.goal:2: rank 0 is defined twice");
    expect_refusal("num_ranks 2\nrank 0 {\nrecv 4b from -1 }",
                   "x.goal:3: recv from -1: the sender would depend on the machine; name the rank");
    expect_refusal("num_ranks 2\nrank 0 {\nsend 4 to 1 }",
                   "x.goal:3: '4'; expected a number of bytes, as in 64b");
    expect_refusal("num_ranks 2\nrank 0 {\nsend 4b to 0 }", "x.goal:3: rank 0 is its own peer");
    expect_refusal("num_ranks 2\nrank 0 {\ncalc 4 cpu 1 }",
                   "x.goal:3: '1'; expected cpu 0: a rank has one processor");
    expect_refusal("num_ranks 2\nrank 0 {\na: calc 4\na requires b }",
                   "x.goal:4: no op above has the label 'b'");
    expect_refusal("num_ranks 2\nrank 0 {\na: calc 4\na: calc 5 }",
                   "x.goal:4: label 'a' is defined twice");
    expect_refusal(
        "num_ranks 2\nrank 0 {\na: calc 4 b: calc 4\n"
        "a requires b b requires a }",
        "x.goal:3: circular dependency: the op requires itself, directly or through other ops");
    expect_refusal("num_ranks 2\nrank 0 {\ncalc 4",
                   "x.goal:3: unexpected end of file; expected send, recv, calc, a label or '}'");
}

/* Two messages of one tag and their order, at both ends. */
TEST(messages_of_one_tag_and_two_sizes_have_an_order)
{
    static const char *const fine[] = {
        "a: send 10b to 1\nb: send 20b to 1\nb requires a\n}\n"
        "rank 1 {\na: recv 10b from 0\nb: recv 20b from 0\nb irequires a\n}\n",
        "a: send 10b to 1 tag 4\nb: send 20b to 1 tag 5\n}\n"
        "rank 1 {\na: recv 20b from 0 tag 5\nb: recv 10b from 0 tag 4\n}\n",
        "a: send 10b to 1\nb: send 10b to 1\n}\n"
        "rank 1 {\na: recv 10b from 0\nb: recv 10b from 0\n}\n",
    };

    for (size_t i = 0; i < sizeof(fine) / sizeof(*fine); i++) {
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        cs_text_printf(&text, "num_ranks 2\nrank 0 {\n%s", fine[i]);
        assert_int_equal(run(cs_text_str(&text), 2).lanes, 1);
    }
    expect_refusal(
        "num_ranks 2\nrank 0 {\na: send 10b to 1 tag 1\nb: send 20b to 1 tag 1\n}\nrank 1 {\na: "
        "recv 10b from 0 tag 1\nb: recv 20b from 0 tag 1\n}\n",
        "x.goal:4: a send of 20 bytes to rank 1 with tag 1, as that of 10 bytes in line 3: nothing "
        "says which is first; expected 'requires' or 'irequires' between them, or two tags");
    expect_refusal("num_ranks 2\nrank 0 {\na: send 10b to 1\nb: send 20b to 1\nb requires "
                   "a\n}\nrank 1 {\na: recv 10b from 0\nb: recv 20b from 0\n}\n",
                   "x.goal:9: a receive of 20 bytes from rank 0 with tag 0, as that of 10 bytes in "
                   "line 8: nothing says which is first; expected 'requires' or 'irequires' "
                   "between them, or two tags");
    expect_refusal("num_ranks 2\nrank 0 {\na: send 10b to 1\nb: send 20b to 1\na irequires "
                   "b\n}\nrank 1 {\na: recv 20b from 0\n}\n",
                   "x.goal:4: a send of 20 bytes to rank 1 with tag 0, as that of 10 bytes in line "
                   "3: it starts before that, and has to stand before it");
}
