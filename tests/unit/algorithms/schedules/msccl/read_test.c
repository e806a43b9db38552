/* MSCCL XML: reading, errors of files, and proofs of the schedules. */
#include "algorithms/schedules/import.h"
#include "sim/base/text.h"
#include "tests/fixture.h"

#include <dirent.h>

/* Two GPUs exchange halves, reduce and return the sums. */
#define HEAD(coll)                                                    \
    "<algo name='x' proto='Simple' nchannels='1' nchunksperloop='2' " \
    "ngpus='2' coll='" coll "' inplace='1'>\n"
#define GPU(id)            "<gpu id='" id "' i_chunks='2' o_chunks='0' s_chunks='1'>\n"
#define TB(id, send, recv) "<tb id='" id "' send='" send "' recv='" recv "' chan='0'>\n"
#define STEP(s, type, src, dst, depid, deps)                                              \
    "<step s='" s "' type='" type "' srcbuf='i' srcoff='" src "' dstbuf='i' dstoff='" dst \
    "' cnt='1' depid='" depid "' deps='" deps "' hasdep='0'/>\n"

static const char good[] =
    HEAD("allreduce") GPU("0") TB("0", "1", "1") STEP("0", "s", "1", "1", "-1", "-1")
        STEP("1", "rrc", "0", "0", "-1", "-1") STEP("2", "s", "0", "0", "-1", "-1")
            STEP("3", "r", "1", "1", "-1", "-1") "</tb></gpu>\n" GPU("1") TB("0", "0", "0")
                STEP("0", "s", "0", "0", "-1", "-1") STEP("1", "rrc", "1", "1", "-1", "-1")
                    STEP("2", "s", "1", "1", "-1", "-1")
                        STEP("3", "r", "0", "0", "-1", "-1") "</tb></gpu></algo>\n";

static int read_text(const char *text, struct cs_arena *arena, struct cs_algo *algo,
                     struct cs_err *err)
{
    return cs_importers[0]->read((struct cs_import_text){"x.xml", text, strlen(text)}, arena, algo,
                                 err);
}

static void expect_refusal(const char *text, const char *message)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;

    assert_refused(read_text(text, &arena, &algo, &err), CS_EINPUT, message);
}

/* `text` with the first `old` behind `from` replaced. */
static char *edited(const char *text, const char *from, const char *old, const char *new)
{
    struct cs_text out = {0};
    const char *at = strstr(strstr(text, from), old);

    cs_text_add_n(&out, text, (size_t)(at - text));
    cs_text_add(&out, new);
    cs_text_add(&out, at + strlen(old));
    return out.data;
}

static int prove(const char *text, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;
    struct cs_proof_options options = {.seed = 1};
    struct cs_proof proof;
    struct cs_call call = {.ranks = 2, .elements = 8, .element_bytes = 4};
    struct cs_program program;
    int code = read_text(text, &arena, &algo, err);

    if (!code) {
        call.schedule = algo.schedule;
        program = cs_algo_program(&algo, &call);
        code = cs_proof_run(&program, &options, &proof, err);
    }
    return code;
}

static void expect_edit(const char *from, const char *old, const char *new, const char *message)
{
    char *text = edited(good, from, old, new);
    struct cs_err err = {0};

    if (prove(text, &err) == 0)
        fail_msg("not refused: %s", message);
    assert_string_equal(err.text, message);
    free(text);
}

TEST(a_correct_schedule_is_proved)
{
    assert_done(prove(good, &err));
}

/* A broadcast of two chunks, each by thread blocks of its own: the second one
 * at either end waits for that of the first, or for nothing. */
#define BLOCK(id, send, recv, chan, step) \
    "<tb id='" id "' send='" send "' recv='" recv "' chan='" chan "'>\n" step "</tb>\n"
#define TWO_BLOCKS(chan, send_after, recv_after)                                                 \
    "<algo name='x' proto='Simple' nchannels='2' nchunksperloop='2' "                            \
    "ngpus='2' coll='broadcast' inplace='1'>\n" GPU("0")                                         \
        BLOCK("0", "1", "-1", "0", STEP("0", "s", "0", "0", "-1", "-1")) BLOCK(                  \
            "1", "1", "-1", chan, STEP("0", "s", "1", "1", send_after, "0")) "</gpu>\n" GPU("1") \
            BLOCK("0", "-1", "0", "0", STEP("0", "r", "0", "0", "-1", "-1")) BLOCK(              \
                "1", "-1", "0", chan, STEP("0", "r", "1", "1", recv_after, "0")) "</gpu></algo>\n"

static void expect_proof(const char *text)
{
    assert_done(prove(text, &err));
}

static void expect_fault(const char *text, const char *message)
{
    assert_refused(prove(text, &err), CS_EANSWER, message);
}

TEST(thread_blocks_that_share_a_connection_need_an_order)
{
    expect_fault(TWO_BLOCKS("0", "-1", "-1"),
                 "x.xml:7: rank 0: sends chunk 1 to rank 1 by the channel of lane 0 (x.xml:4: rank "
                 "0): nothing says which is first");
    expect_fault(TWO_BLOCKS("0", "0", "-1"),
                 "x.xml:15: rank 1: receives chunk 1 from rank 0 by the channel of lane 0 "
                 "(x.xml:12: rank 1): nothing says which is first");
    expect_fault(TWO_BLOCKS("0", "-1", "0"),
                 "x.xml:7: rank 0: sends chunk 1 to rank 1 by the channel of lane 0 (x.xml:4: rank "
                 "0): nothing says which is first");
    expect_proof(TWO_BLOCKS("0", "0", "0"));
    expect_proof(TWO_BLOCKS("1", "-1", "-1"));
}

TEST(adding_to_what_holds_nothing_is_refused)
{
    char *text = edited(TWO_BLOCKS("1", "-1", "-1"), "gpu id='1'", "type='r'", "type='rrc'");

    expect_fault(text, "x.xml:12: rank 1: adds to chunk 0, which holds nothing to add to");
    free(text);
    text = edited(TWO_BLOCKS("1", "-1", "-1"), "gpu id='1'",
                  "type='r' srcbuf='i' srcoff='0' dstbuf='i'",
                  "type='rrc' srcbuf='s' srcoff='0' dstbuf='s'");
    expect_fault(text, "x.xml:12: rank 1: adds to scratch chunk 0, which holds nothing to add to");
    free(text);
}

TEST(adding_what_holds_nothing_is_refused)
{
    char *text = edited(good, "tb id='0' send='0'", "type='s' srcbuf='i' srcoff='0' dstbuf='i'",
                        "type='s' srcbuf='s' srcoff='0' dstbuf='s'");

    expect_fault(text, "x.xml:5: rank 0: adds to chunk 0 from a chunk that holds nothing");
    free(text);
}

/* GPU 1 receives the sum where it sends its own from: it cannot come sooner. */
TEST(a_receive_comes_after_what_its_message_depends_on)
{
    expect_proof(
        "<algo name='x' proto='Simple' nchannels='1' nchunksperloop='1' ngpus='2' coll='allreduce' "
        "inplace='1'>\n" GPU("0") BLOCK("0", "-1", "1", "0", STEP("0", "rrc", "0", "0", "-1", "-1"))
            BLOCK("1", "1", "-1", "0", STEP("0", "s", "0", "0", "0", "0")) "</gpu>\n" GPU("1")
                BLOCK("0", "0", "-1", "0", STEP("0", "s", "0", "0", "-1", "-1")) BLOCK(
                    "1", "-1", "0", "0", STEP("0", "r", "0", "0", "-1", "-1")) "</gpu></algo>\n");
}

TEST(out_of_place_the_output_starts_empty)
{
    expect_edit("algo", "inplace='1'", "inplace='0'",
                "x.xml:5: rank 0: writes into its input (chunk 0)");
}

TEST(errors_of_a_file_have_a_line_and_the_expected_value)
{
    expect_edit("algo", "allreduce", "allsum",
                "x.xml:1: coll=\"allsum\"; expected allreduce, allgather, reduce_scatter, "
                "alltoall, broadcast, reduce or custom");
    expect_edit("algo", "ngpus='2'", "ngpus='3'", "x.xml:1: ngpus=\"3\", but the file has 2");
    expect_edit("gpu", "id='0'", "id='7'",
                "x.xml:2: id=\"7\"; expected a whole number from 0 to 1");
    expect_edit("tb", "send='1'", "send='0'",
                "x.xml:3: send=\"0\" is the GPU itself; expected a different GPU or -1");
    expect_edit("tb", "send='1'", "send='-1'",
                "x.xml:4: step s sends, but the thread block has send=\"-1\"");
    expect_edit("step", "type='s'", "type='send'",
                "x.xml:4: type=\"send\"; expected s, r, rcs, rrc, rrs, rrcs, cpy, re or nop");
    expect_edit("step", "srcoff='1'", "srcoff='2'",
                "x.xml:4: 1 chunks from 2 on exceed buffer i of 2 chunks");
    expect_edit("step", "depid='-1' deps='-1'", "depid='3' deps='0'",
                "x.xml:4: depid=\"3\", but GPU 0 has no such thread block");
    expect_edit("step", "depid='-1' deps='-1'", "depid='0' deps='3'",
                "x.xml:4: the step waits for a later step, 3, of its own thread block");
    expect_refusal("<algo>", "x.xml:1: not well-formed XML: no element found");
}

TEST(the_prover_finds_errors_of_the_schedule)
{
    expect_edit("s='3'", "type='r'", "type='nop'",
                "x.xml:13: rank 1: sends chunk 1 to rank 0, which never receives it");
    expect_edit("s='1'", "type='rrc'", "type='r'",
                "rank 0 ends without rank 0's contribution to chunk 0, last received in round 1");
}

/* ---- files of other tools ---- */

static void try_file(const char *path)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text name = {0};
    const struct cs_algo *algo;
    struct cs_proof_options options = {.seed = 1};
    struct cs_proof proof;
    struct cs_call call = {.element_bytes = 1};
    struct cs_err err = {0};
    struct cs_program program;
    int code;

    cs_text_printf(&name, "msccl:%s", path);
    code = cs_import(name.data, NULL, &arena, &algo, &err);
    if (!code) {
        /* Only the schedule knows the number of ranks. */
        call.schedule = algo->schedule;
        for (call.ranks = 1; cs_algo_check(algo, &call, NULL); call.ranks++)
            ;
        call.elements = algo->blocks(&call);
        program = cs_algo_program(algo, &call);
        code = cs_proof_run(&program, &options, &proof, &err);
    }
    print_message("%s: %s\n", strrchr(path, '/') + 1, code ? err.text : algo->collective->name);
    /* A refusal has the position. */
    if (code)
        assert_non_null(strstr(err.text, ".xml:"));
}

static uint32_t try_folder(const char *path)
{
    struct dirent *entry;
    DIR *folder = opendir(path);
    char file[800];
    uint32_t count = 0;

    while (folder && (entry = readdir(folder))) {
        if (!strstr(entry->d_name, ".xml"))
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        try_file(file);
        count++;
    }
    if (folder)
        (void)closedir(folder);
    return count;
}

TEST(samples_are_proved_or_refused_with_a_line)
{
    static const char *const folders[] = {"astra-sim", "executor", "msccl", "msccl-tools", "rccl"};
    const char *named = getenv("COLLSIM_SAMPLES");
    char path[500];
    uint32_t count = 0;

    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
        snprintf(path, sizeof(path), "%.400s/msccl/%s", named ? named : "tests/samples",
                 folders[i]);
        count += try_folder(path);
    }
    assert_true(count > 0);
}

ARENA_TEST(limits_of_a_schedule_are_a_remark)
{
    struct cs_algo algo;
    char *text =
        edited(good, "<algo", "proto='Simple'", "proto='LL' minBytes='1024' maxBytes='4096'");

    assert_done(read_text(good, arena, &algo, &err));
    assert_null(algo.remark);
    assert_done(read_text(text, arena, &algo, &err));
    assert_string_equal(
        algo.remark,
        "the file limits the schedule to protocol LL, 1024 to 4096 bytes, which has no effect");
    free(text);
}

/* An all-gather out of place, as SCCL and TACCL write it: the own chunk is copied into the
 * output, from where it is sent. */
#define COPIER(id, peer)                                                                       \
    "<gpu id='" id "' i_chunks='1' o_chunks='2' s_chunks='0'><copy i_off='0' o_off='" id "'/>" \
    "<tb id='0' send='" peer "' recv='-1' chan='0'>"                                           \
    "<step s='0' type='s' srcbuf='o' srcoff='" id "' dstbuf='o' dstoff='" id                   \
    "' cnt='1' depid='-1' deps='-1' hasdep='0'/></tb>"                                         \
    "<tb id='1' send='-1' recv='" peer "' chan='0'>"                                           \
    "<step s='0' type='r' srcbuf='o' srcoff='" peer "' dstbuf='o' dstoff='" peer               \
    "' cnt='1' depid='-1' deps='-1' hasdep='0'/></tb></gpu>\n"
static const char copied[] =
    "<algo name='x' proto='Simple' nchannels='1' nchunksperloop='2' ngpus='2' coll='allgather' "
    "inplace='0'>\n" COPIER("0", "1") COPIER("1", "0") "</algo>\n";

TEST(a_copy_comes_before_the_steps)
{
    char *in_place = edited(copied, "<algo", "inplace='0'", "inplace='1'");
    char *without = edited(copied, "<algo", "<copy i_off='0' o_off='0'/>", "");
    char *moved =
        edited(in_place, "<algo", "<copy i_off='0' o_off='0'/>", "<copy i_off='0' o_off='1'/>");
    struct cs_err err = {0}, missing = {0};

    if (prove(copied, &err) || prove(in_place, &err))
        fail_msg("%s", err.text);
    assert_int_equal(prove(without, &missing), CS_EANSWER);
    expect_refusal(moved,
                   "x.xml:2: a copy to a different chunk, though inplace=\"1\" has one buffer");
    free(in_place);
    free(without);
    free(moved);
}
