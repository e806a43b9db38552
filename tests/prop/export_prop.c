/*
 * Whatever is exported passes the strict proof when it is read back: every
 * exporter, all algorithms, 2 to 17 ranks.
 */
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/import.h"

#include "tests/fixture.h"

enum {
    RANKS_MAX = 17,
    STEPS_MAX = 3000, /* ops in a program; larger ones take long */
};

/* Elements that any number of ranks and a few chunks divide. */
#define ELEMENTS (UINT64_C(12252240) * 16)

static uint64_t count_ops(const struct cs_program *program)
{
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    uint64_t count = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t party = i / program->lanes;
        uint32_t lane = i % program->lanes;

        for (uint64_t k = 0; k < cs_program_rounds(program, party, lane); k++) {
            cs_program_read(program, (struct cs_at){party, lane, k}, &ops);
            count += ops.count;
        }
    }
    return count;
}

/* "send=\"3\"" of a line, or -1. */
static int attribute(const char *line, const char *name)
{
    const char *at = strstr(line, name);

    return at ? (int)strtol(at + strlen(name) + 2, NULL, 10) : -1;
}

/* MSCCL gives a connection to one thread block. */
static void expect_one_block_for_each_connection(const struct cs_text *text, const char *name)
{
    enum {
        PEERS = 32,
        CHANNELS = 256
    };
    static uint8_t used[2][PEERS][CHANNELS];
    const char *line = text->data;

    while ((line = strpbrk(line, "\n")) && *++line) {
        int channel = attribute(line, "chan");
        int send = attribute(line, "send");
        int recv = attribute(line, "recv");

        if (strncmp(line, "  <gpu", 6) == 0)
            memset(used, 0, sizeof(used));
        if (strncmp(line, "    <tb", 7) != 0)
            continue;
        assert_true(channel < CHANNELS && send < PEERS && recv < PEERS);
        if ((send >= 0 && used[0][send][channel]++) || (recv >= 0 && used[1][recv][channel]++))
            fail_msg("%s: two thread blocks of (%d, %d) and channel %d", name, send, recv, channel);
    }
}

/* Marks of a step, by its thread block and number. */
enum {
    SIGNALS = 1,
    WAITED_FOR = 2,
    BLOCKS_MAX = 256,
    BLOCK_STEPS_MAX = 4096
};

static void expect_mark(uint8_t mark, uint32_t step, const char *name)
{
    if (mark == SIGNALS || mark == WAITED_FOR)
        fail_msg("%s: step %u of thread block %u %s", name, step % BLOCK_STEPS_MAX,
                 step / BLOCK_STEPS_MAX,
                 mark == SIGNALS ? "signals to none" : "is waited for, without a signal");
}

/* An MSCCL step signals (hasdep) exactly where another of the GPU waits for it: a wait
 * for a step without a signal never ends. */
static void expect_signals_where_steps_wait(const struct cs_text *text, const char *name)
{
    static uint8_t marks[BLOCKS_MAX][BLOCK_STEPS_MAX];
    static uint32_t seen[BLOCKS_MAX * BLOCK_STEPS_MAX];
    uint32_t count = 0;
    int block = 0;
    const char *line = text->data;

    while ((line = strpbrk(line, "\n")) && *++line) {
        if (strncmp(line, "    <tb", 7) == 0)
            block = attribute(line, " id");
        if (strncmp(line, "      <step", 11) == 0) {
            int own = attribute(line, " s"), of = attribute(line, "depid");

            assert_true(block < BLOCKS_MAX && own < BLOCK_STEPS_MAX);
            seen[count++] = (uint32_t)(block * BLOCK_STEPS_MAX + own);
            marks[block][own] |= attribute(line, "hasdep") ? SIGNALS : 0;
            if (of >= 0)
                marks[of][attribute(line, "deps")] |= WAITED_FOR;
        }
        for (; strncmp(line, "  </gpu", 7) == 0 && count > 0; count--) {
            uint8_t *mark = &marks[0][0] + seen[count - 1];

            expect_mark(*mark, seen[count - 1], name);
            *mark = 0;
        }
    }
    assert_int_equal(count, 0);
}

/* 1 when the format could say it. */
static uint32_t try_export(const struct cs_exporter *exporter, const struct cs_algo *algo,
                           struct cs_call call)
{
    const struct cs_hockney hockney = {5e-6, 10e9, 0};
    struct cs_program program;
    struct cs_export what = {.algo = algo, .program = &program, .call = &call};
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err err = {0};
    char name[100];
    int code;

    snprintf(name, sizeof(name), "%s of %s %s, p = %u", exporter->name, algo->collective->name,
             algo->name, call.ranks);
    if (cs_algo_check(algo, &call, NULL))
        return 0;
    cs_algo_resolve(algo, &call, &hockney);
    if (cs_algo_check(algo, &call, NULL))
        return 0;
    program = cs_algo_program(algo, &call);
    if (count_ops(&program) > STEPS_MAX)
        return 0;
    code = cs_export_write(exporter, &what, &text, &err);
    if (code && code != CS_EINPUT)
        fail_msg("%s: %s", name, err.text);
    if (!code && cs_same(exporter->name, "msccl")) {
        expect_one_block_for_each_connection(&text, name);
        expect_signals_where_steps_wait(&text, name);
    }
    return code == 0;
}

TEST(what_is_exported_passes_the_proof_when_read_back)
{
    static const uint32_t chunks[] = {0, 3};

    for (size_t e = 0; e < cs_exporter_count; e++) {
        uint32_t written = 0;

        for (size_t a = 0; a < cs_algo_count; a++)
            for (uint32_t p = 2; p <= RANKS_MAX; p++)
                for (size_t c = 0; c < 2 && (p < 6 || fixture_takes(a * 64 + p)); c++)
                    written += try_export(cs_exporters[e], cs_algos[a],
                                          (struct cs_call){.ranks = p,
                                                           .elements = ELEMENTS,
                                                           .element_bytes = 4,
                                                           .channels = c ? 2 : 0,
                                                           .chunks = chunks[c]});
        print_message("%s: %u schedules\n", cs_exporters[e]->name, written);
        assert_true(written > 400);
    }
}

/* The schedules of an algorithm on nodes. */
static uint32_t export_of_nodes(const struct cs_exporter *exporter, const struct cs_algo *algo)
{
    uint32_t written = 0;

    for (uint32_t p = 4; p <= 8; p += 2)
        for (uint32_t group = 2; group < p; group++)
            if (p % group == 0)
                written += try_export(exporter, algo,
                                      (struct cs_call){.ranks = p,
                                                       .elements = ELEMENTS,
                                                       .element_bytes = 4,
                                                       .group = group,
                                                       .chunks = p % 3});
    return written;
}

/* Lanes of a rank that add to a block in any order, as in a hierarchical reduce-scatter, add in
 * one order. */
TEST(what_is_exported_of_nodes_passes_the_proof)
{
    for (size_t e = 0; e < cs_exporter_count; e++) {
        uint32_t written = 0;

        for (size_t a = 0; a < cs_algo_count; a++)
            written += export_of_nodes(cs_exporters[e], cs_algos[a]);
        print_message("%s: %u schedules\n", cs_exporters[e]->name, written);
        assert_true(written > 100);
        assert_true(export_of_nodes(cs_exporters[e],
                                    cs_algo_find("hierarchical", &cs_collective_reducescatter)) >
                    2);
    }
}
