/*
 * The model of a calibration that was computed from known figures finds the
 * figures, and predicts what they imply.
 */
#include "tests/test.h"
#include "validate/tcp/pattern.h"
#include "validate/tcp/wire_model.h"

#define RATE  120e6
#define BURST 131072.0
#define PEAK  2e9
#define ALPHA 30e-6
#define START 100e-6
#define MIB   (1u << 20)

struct bench {
    struct cs_arena arena;
    struct cs_tcp_lines lines;
    struct cs_tcp_model model;
};

/* Through a token bucket, at a slower rate. */
static double through(double bytes, double slow)
{
    return fmax(bytes / PEAK, (bytes - BURST) / RATE * slow);
}

static void add(struct bench *bench, const char *pattern, uint64_t k, uint64_t bytes, double time_s)
{
    char text[300];

    snprintf(text, sizeof(text),
             "{\"collsim_tcp\": 1, \"kind\": \"pattern\", \"algorithm\": \"%s\", \"k\": %llu, "
             "\"ranks\": %llu, \"bytes\": %llu, \"time_s\": %.12g, \"time_least_s\": 1}\n",
             pattern, (unsigned long long)k, 2 * (unsigned long long)k, (unsigned long long)bytes,
             time_s);
    assert_done(
        cs_tcp_lines_read_text("lines", text, strlen(text), &bench->arena, &bench->lines, &err));
}

/* Exchanges of two pairs are slower by `both`. */
static void bench_open(struct bench *bench, double both)
{
    uint64_t bytes, k;

    *bench = (struct bench){0};
    for (bytes = 4096; bytes <= 64ull * MIB; bytes *= 4) {
        double b = (double)bytes;

        add(bench, "one", 1, bytes, START + ALPHA + through(b, 1));
        for (k = 1; k <= 2; k++)
            add(bench, "pairs-both", k, bytes, START + ALPHA + through(b, k == 2 ? both : 1));
    }
    for (k = 1; k <= 2; k++)
        add(bench, "pingpongs", k, 4096, START + 2 * CS_TCP_TRIPS * (ALPHA + through(4096, 1)));
    assert_done(cs_tcp_model_make(&bench->lines, &bench->model, &err));
}

static void bench_close(struct bench *bench)
{
    cs_arena_free(&bench->arena);
}

static void near(double got, double expected, double tolerance)
{
    if (!(fabs(got / expected - 1) <= tolerance))
        fail_msg("%g is not %g", got, expected);
}

static double predicted(const struct bench *bench, const char *algorithm, uint64_t bytes)
{
    const struct cs_tcp_query query = {
        .algorithm = algorithm, .collective = "all-reduce", .ranks = 4, .bytes = bytes};
    struct cs_tcp_prediction prediction;

    assert_done(cs_tcp_model_predict(&bench->model, &query, &prediction, &err));
    assert_true(prediction.time_s >= prediction.bound_s);
    return prediction.time_s;
}

#define BENCH_TEST(name) TEST_OF(struct bench, bench, bench_close, name)

BENCH_TEST(figures_are_found)
{
    bench_open(bench, 1.25);
    near(bench->model.rate_Bps, RATE, 1e-6);
    near(bench->model.burst_bytes, BURST, .01);
    near(bench->model.peak_Bps, PEAK, .01);
    /* The bytes of the short messages count as latency. */
    near(bench->model.alpha_s[1], ALPHA + 4096 / PEAK, .001);
    near(bench->model.start_s[1], START, .001);
    near(bench->model.both[1], 1, .001);
    near(bench->model.both[2], 1.25, .001);
}

BENCH_TEST(streams_one_way_have_the_rate)
{
    bench_open(bench, 1.25);
    /* Three vectors in, three out; each direction has a bucket. */
    near(predicted(bench, "gather-bcast", 64ull * MIB), (6 * 64.0 * (double)MIB - 2 * BURST) / RATE,
         .002);
}

BENCH_TEST(exchanges_are_slower)
{
    bench_open(bench, 1.25);
    near(predicted(bench, "ring", 64ull * MIB), 1.25 * 96.0 * (double)MIB / RATE, .003);
    near(predicted(bench, "recursive-doubling", 64ull * MIB), 1.25 * 128.0 * (double)MIB / RATE,
         .003);
}

BENCH_TEST(a_bucket_passes_short_messages_at_the_peak)
{
    bench_open(bench, 1);
    /* 6 steps of 16 KiB fit into the bucket. */
    near(predicted(bench, "ring", 1 << 16), START + 6 * (ALPHA + 4096 / PEAK + 16384 / PEAK), .02);
}

/* Four pairs take 60 us longer a message than two: 30 us of the processors for
 * each of the 24 messages of the ring. */
BENCH_TEST(messages_wait_for_the_processors)
{
    bench_open(bench, 1);
    add(bench, "pairs-both", 4, 4096, START + ALPHA + through(4096, 1));
    add(bench, "pingpongs", 4, 4096, START + 2 * CS_TCP_TRIPS * (ALPHA + 60e-6 + through(4096, 1)));
    assert_done(cs_tcp_model_make(&bench->lines, &bench->model, &err));
    near(bench->model.work_s, 30e-6, .05);
    near(predicted(bench, "ring", 1 << 12), START + 24 * 30e-6, .05);
}

BENCH_TEST(a_missing_pattern_is_named)
{
    add(bench, "one", 1, 16ull * MIB, .14);
    add(bench, "one", 1, 64ull * MIB, .56);
    assert_refused_with(cs_tcp_model_make(&bench->lines, &bench->model, &err), CS_EINPUT,
                        "'pingpongs'");
}

TEST(wrong_lines_are_refused)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"{\"kind\": \"run\"}", "lines:1: not a measurement over TCP"},
        {"{\"collsim_tcp\": 1, \"kind\": \"walk\"}", "unknown kind 'walk'"},
        {"\n{\"collsim_tcp\": 1, \"kind\": \"run\"}", "lines:2: \"time_s\""},
        {"{\"collsim_tcp\": 1, \"kind\": \"run\", \"time_s\": -1}", "'-1' is not a number"},
        {"{\"collsim_tcp\": 1, \"kind\": \"run\", \"ranks\": 1.5}", "'1.5' is not a whole number"},
        {"{\"collsim_tcp\": 1, \"kind\": [2]}", "not a single value"},
        {"rubbish: [", "expected a JSON object"},
        {"- ", "expected a JSON object"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_tcp_lines lines = {0};
        struct cs_err err = {0};

        assert_int_equal(cs_tcp_lines_read_text("lines", cases[i].text, strlen(cases[i].text),
                                                &arena, &lines, &err),
                         CS_EINPUT);
        if (!strstr(err.text, cases[i].expected))
            fail_msg("'%s' has no '%s'", err.text, cases[i].expected);
    }
}
