/* Exports: a schedule that is read back has the same time and bytes. */
#include "algorithms/schedules/export.h"

#include "algorithms/schedules/import.h"
#include "tests/fixture.h"

struct outcome {
    uint64_t time_ps;
    uint64_t bytes;
};

/* 5040 blocks of 8 elements, which most numbers of ranks divide. */
static struct cs_call call_of(uint32_t ranks)
{
    return (struct cs_call){
        .ranks = ranks, .elements = (uint64_t)8 * 5040, .element_bytes = 4, .chunks = 4};
}

/* Without and with what sums cost: a whole number of nanoseconds for eight
 * elements, which is all that a GOAL file can say. */
static const char *const specs[] = {
    "switch:bandwidth=10GB/s,latency=2.5us",
    "switch:bandwidth=10GB/s,latency=2.5us,gamma=32GB/s",
};

enum {
    BYTE_PS = 100 /* at 10 GB/s */
};

static struct outcome simulate(const struct cs_program *program, const char *spec, const char *name)
{
    uint32_t parties = cs_program_parties(program);
    CS_AT_END(machine_close) struct machine machine;
    struct cs_exec_result result;

    machine_open(&machine, spec, parties, 0);
    assert_done_of(name, cs_exec_run(program, &machine.net, cs_link_model_find("fifo"),
                                     &machine.arena, &result, &err));
    return (struct outcome){result.time_ps, result.bytes_sent};
}

static bool importer_is(const struct cs_importer *importer, const char *name)
{
    return cs_same(importer->name, name);
}

static const struct cs_importer *importer_of(const char *name)
{
    size_t i = 0;

    while (!importer_is(cs_importers[i], name))
        i++;
    return cs_importers[i];
}

static void prove(const struct cs_program *program, const char *name)
{
    struct cs_proof_options options = {.seed = 1};
    struct cs_proof proof;

    assert_done_of(name, cs_proof_run(program, &options, &proof, &err));
}

/* Does a round add to what it sends?  MSCCL adds when that has left. */
static bool adds_to_sent(const struct cs_ops *ops)
{
    for (uint32_t i = 0; i < ops->count; i++)
        for (uint32_t k = 0; k < ops->count; k++)
            if (ops->op[i].kind == CS_OP_SEND && ops->op[k].kind == CS_OP_RECV_REDUCE &&
                ops->op[i].buffer == ops->op[k].buffer &&
                ops->op[i].blocks.first == ops->op[k].blocks.first)
                return true;
    return false;
}

struct habits {
    bool shares_ports; /* sends two messages at once */
    bool goes_beyond;  /* does what the formats do later, or cannot say */
};

static struct habits habits_of(const struct cs_program *program, bool adds)
{
    struct habits habits = {.shares_ports = program->lanes > 1};
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint32_t party;

    for (party = 0; party < cs_program_parties(program); party++)
        for (uint64_t k = 0; k < cs_program_rounds(program, party, 0); k++) {
            uint32_t sends = 0;
            cs_program_read(program, (struct cs_at){party, 0, k}, &ops);
            for (uint32_t i = 0; i < ops.count; i++) {
                sends += ops.op[i].kind == CS_OP_SEND;
                habits.goes_beyond |= ops.op[i].leaves == CS_LEAVES_MET;
            }
            habits.shares_ports |= sends > 1;
            habits.goes_beyond |= adds && adds_to_sent(&ops);
        }
    return habits;
}

/* Whether rank `from` has a message for rank `to`. */
static bool sends_to(const struct cs_program *program, uint32_t from, uint32_t to)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    bool sends = false;
    uint32_t lane;

    for (lane = 0; lane < program->lanes; lane++)
        for (uint64_t k = 0; k < cs_program_rounds(program, from, lane); k++)
            program->round(program->ctx, (struct cs_at){from, lane, k}, &ops);
    for (uint64_t k = 0; k < ops.count; k++)
        sends |= ops.op[k].kind == CS_OP_SEND && ops.op[k].peer == to;
    return sends;
}

/* Bytes of the signals of the receivers that do not answer (mscclpp/writer.h),
 * as a plan has them all or none of them. */
static uint64_t announced_bytes(const struct cs_program *program, const struct cs_text *text,
                                uint64_t extra)
{
    uint64_t pairs = 0;

    if (extra == 0 || !strstr(text->data, "\"use_double_scratch_buffer\": true"))
        return 0;
    for (uint32_t a = 0; a < program->ranks; a++)
        for (uint32_t b = 0; b < program->ranks; b++)
            pairs += sends_to(program, a, b) && !sends_to(program, b, a);
    return 8 * pairs;
}

/* Reads the text back and compares. */
static void compare(const struct cs_export *what, const struct cs_text *text, const char *spec,
                    const char *format, const char *name)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;
    struct cs_call call = call_of(cs_program_parties(what->program));
    struct cs_program back;
    struct outcome before = simulate(what->program, spec, name);
    struct outcome after;
    struct habits habits = habits_of(what->program, spec == specs[1]);
    uint64_t announced, least_ps;

    assert_done_of(
        name, importer_of(format)->read((struct cs_import_text){name, text->data, text->length},
                                        &arena, &algo, &err));
    if (algo.vector_bytes) {
        call.elements = algo.vector_bytes;
        call.element_bytes = 1;
    }
    call.schedule = algo.schedule;
    assert_done_of(name, cs_algo_check(&algo, &call, &err));
    back = cs_algo_program(&algo, &call);
    prove(&back, name);
    after = simulate(&back, spec, name);
    /* The order of two messages that arrive at a port at the same time, or of
     * two reductions at a reducer, is unspecified. */
    least_ps = before.time_ps;
    if (habits.shares_ports)
        least_ps -= before.time_ps / 10;
    if (habits.goes_beyond)
        least_ps -= before.time_ps / 4;
    announced = announced_bytes(what->program, text, after.bytes - before.bytes);
    assert_int_equal(after.bytes - before.bytes, announced);
    /* Signals share ports with the first messages. */
    if (after.time_ps < least_ps ||
        after.time_ps > 2 * before.time_ps - least_ps + announced * BYTE_PS)
        fail_msg("%s: %" PRIu64 " ps becomes %" PRIu64, name, before.time_ps, after.time_ps);
}

/* LogGP with o = g = 0, L - G = alpha and G = 1 / beta is the switch of
 * `simulate`: what is read back takes there what the closed form says. */
static void expect_closed_form(const struct cs_algo *algo, const struct cs_call *call,
                               const struct cs_hockney *hockney, const struct cs_program *program,
                               const char *name)
{
    double closed_ps = cs_algo_closed_form_s(algo, call, hockney) * 1e12;
    struct outcome run;

    if (cs_algo_exactness(algo, call) != CS_COST_EXACT || algo->handshake)
        return;
    run = simulate(program, *specs, name);
    /* Half a picosecond for each link and message of the longest chain. */
    if (!(fabs((double)run.time_ps - closed_ps) <= 4.0 * call->ranks))
        fail_msg("%s: %" PRIu64 " ps, the closed form says %.0f", name, run.time_ps, closed_ps);
}

/* Number of algorithms that the format could say. */
static uint32_t try_algo(const struct cs_algo *algo, const struct cs_exporter *exporter,
                         uint32_t ranks, bool adds)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};
    struct cs_call call = call_of(ranks);
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err err = {0};
    struct cs_program program;
    struct cs_export what = {
        .algo = algo, .program = &program, .reduce_ps_per_byte = adds ? 31.25 : 0};
    char name[100];
    int code;

    if (cs_algo_check(algo, &call, NULL))
        return 0;
    cs_algo_resolve(algo, &call, &hockney);
    if (cs_algo_check(algo, &call, NULL))
        return 0;
    program = cs_algo_program(algo, &call);
    program.handshake = false; /* no format says when messages leave */
    if (call.elements % program.blocks)
        return 0; /* equal chunks are all that MSCCL has */
    snprintf(name, sizeof(name), "%s %s %s p=%u", exporter->name, algo->collective->name,
             algo->name, ranks);
    code = exporter->write(&what, &text, &err);
    if (code)
        assert_int_equal(code, CS_EINPUT);
    else
        compare(&what, &text, specs[adds], exporter->name, name);
    if (!code && !adds && !habits_of(&program, false).shares_ports)
        expect_closed_form(algo, &call, &hockney, &program, name);
    if (code)
        print_message("%s: %s\n", name, err.text);
    return code == 0;
}

/* Whether sums take time in a test.  MSCCL++ copies and adds messages from
 * scratch, and adds when the thread block has sent, which takes longer. */
enum sums {
    SUMS_FOR_NOTHING,
    SUMS_TAKE_TIME
};

static uint32_t try_all(const char *format, enum sums sums)
{
    static const uint32_t ranks[] = {2, 3, 4, 5, 8};
    const struct cs_exporter *exporter;
    uint32_t count = 0;

    assert_int_equal(cs_exporter_choose(format, &exporter, NULL), 0);
    for (size_t i = 0; i < cs_algo_count; i++)
        for (size_t k = 0; k < sizeof(ranks) / sizeof(*ranks); k++)
            count += try_algo(cs_algos[i], exporter, ranks[k], false) &
                     (sums == SUMS_FOR_NOTHING || try_algo(cs_algos[i], exporter, ranks[k], true));
    return count;
}

TEST(msccl_takes_the_same_time_when_read_back)
{
    assert_true(try_all("msccl", SUMS_TAKE_TIME) >= 20);
}

TEST(goal_takes_the_same_time_when_read_back)
{
    assert_true(try_all("goal", SUMS_TAKE_TIME) >= 25);
}

TEST(mscclpp_takes_the_same_time_when_read_back)
{
    assert_true(try_all("mscclpp", SUMS_FOR_NOTHING) >= 100);
}

/* What the table of an MSCCL file of the algorithm is refused for; "": it has a table,
 * which takes the same time when read back. */
static void expect_table(const char *name, const char *collective, const char *why)
{
    struct cs_call call = call_of(4), read = call;
    struct cs_program program = fixture_program(name, collective, &call);
    struct cs_export what = {.algo = cs_algo_find(name, cs_collective_find(collective)),
                             .program = &program};
    CS_AT_END(cs_text_free) struct cs_text text = {0}, table = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_algo algo;
    struct cs_err err = {0};

    assert_int_equal(cs_exporter_msccl.write(&what, &text, NULL), 0);
    assert_int_equal(
        importer_of("msccl")->read((struct cs_import_text){name, text.data, text.length}, &arena,
                                   &algo, NULL),
        0);
    algo.name = "msccl:my file.xml";
    read.schedule = algo.schedule;
    program = cs_algo_program(&algo, &read);
    what.algo = &algo;
    assert_int_equal(cs_exporter_table.write(&what, &table, &err), *why ? CS_EINPUT : 0);
    assert_string_equal(err.text, why);
    if (!*why)
        compare(&what, &table, *specs, "text", name);
}

TEST(a_file_whose_blocks_stay_has_a_table)
{
    expect_table("ring", "allreduce", "");
    expect_table("ring", "allgather", "");
    expect_table("direct", "reduce-scatter", "");
    expect_table("binomial", "broadcast", "");
    expect_table("pairwise", "alltoall",
                 "'msccl:my file.xml' moves blocks to other places, which a table cannot express");
    expect_table("recursive-doubling", "allreduce",
                 "'msccl:my file.xml' has scratch blocks, which a table cannot express");
}

/* Two ranks, of which one sends 1 byte and the other expects 2. */
static int write_nonsense(const struct cs_export *what, struct cs_text *out, struct cs_err *err)
{
    (void)what;
    (void)err;
    cs_text_add(out, "num_ranks 2\nrank 0 {\nsend 1b to 1\n}\n"
                     "rank 1 {\nrecv 2b from 0\n}\n");
    return 0;
}

TEXT_TEST(a_wrong_export_is_refused)
{
    static const struct cs_exporter liar = {.name = "goal", .write = write_nonsense};
    struct cs_call call = call_of(2);
    struct cs_program program = fixture_program("ring", "allreduce", &call);
    struct cs_export what = {.algo = cs_algo_find("ring", cs_collective_find("allreduce")),
                             .program = &program};

    assert_refused(cs_export_write(&liar, &what, out, &err), CS_EANSWER,
                   "verification of the exported goal schedule of ring failed: export:6: rank "
                   "1: expects 2 bytes from rank 0, which sent 1 bytes in its round 0");
}

/* More than can be read back. */
static int write_too_much(const struct cs_export *what, struct cs_text *out, struct cs_err *err)
{
    static const char line[1 << 16];

    (void)what;
    (void)err;
    for (size_t i = 0; i <= (CS_IMPORT_BYTES_MAX >> 16); i++)
        cs_text_add_n(out, line, sizeof(line));
    return 0;
}

TEXT_TEST(a_schedule_beyond_the_limit_is_refused_as_that)
{
    static const struct cs_exporter large = {.name = "msccl", .write = write_too_much};
    struct cs_call call = call_of(2);
    struct cs_program program = fixture_program("ring", "allreduce", &call);
    struct cs_export what = {.algo = cs_algo_find("ring", cs_collective_find("allreduce")),
                             .program = &program};

    assert_refused(cs_export_write(&large, &what, out, &err), CS_EINPUT,
                   "the msccl schedule of ring has 65 MiB; expected at most 64 MiB, "
                   "which can be read back: fewer chunks or ranks");
}

TEST(an_unknown_format_is_refused)
{
    const struct cs_exporter *exporter;

    assert_refused(cs_exporter_choose("xml", &exporter, &err), CS_EINPUT,
                   "no format called 'xml'; expected msccl, goal, mscclpp, table");
}
