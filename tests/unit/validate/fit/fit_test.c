/* Parameters are drawn from their priors, times are made by the model with
 * noise, and fits state intervals that hold the parameters as often as they
 * claim. */
#include "algorithms/libraries/nccl/parameters.h"
#include "validate/fit/fit.h"

#include "tests/site.h"

enum {
    SIZES = 28,
    FIRST = 6, /* 64 B to 8 GiB */
    TABLES_MAX = 4,
};

extern const struct cs_library cs_library_nccl;

struct bench {
    struct cs_arena arena;
    struct cs_site site;
    struct cs_fit fit;
    struct cs_err err;
};

static void bench_free(struct bench *bench)
{
    cs_arena_free(&bench->arena);
}

/* Standard normal, from a hash. */
static double normal(uint64_t seed)
{
    double u = ((double)(cs_mix64(seed) >> 11) + .5) * 0x1p-53;
    double v = (double)(cs_mix64(seed ^ 0x5bd1e995) >> 11) * 0x1p-53;

    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static const struct cs_collective *const collectives[TABLES_MAX] = {
    &cs_collective_allreduce, &cs_collective_allgather, &cs_collective_reducescatter,
    &cs_collective_broadcast};

/* Rows of `tables` collectives, timed by the values. */
static void bench_open(struct bench *bench, const char *spec, uint32_t tables, uint32_t sizes)
{
    *bench = (struct bench){0};
    bench->site = site_of(spec, 0);
    bench->fit.library = &cs_library_nccl;
    bench->fit.prior = cs_fit_prior_of_library(bench->fit.library);
    bench->fit.rows =
        cs_arena_alloc(&bench->arena, (size_t)tables * sizes, sizeof(*bench->fit.rows));
    for (uint32_t t = 0; t < tables; t++)
        for (uint32_t i = 0; i < sizes; i++) {
            struct cs_fit_row *row = &bench->fit.rows[bench->fit.row_count++];

            row->request = (struct cs_library_request){
                .site = &bench->site,
                .collective = collectives[t],
                .bytes = UINT64_C(1) << (FIRST + i * SIZES / sizes),
                .one_process = bench->site.nodes == 1,
                .effects = CS_EFFECTS_ALL,
            };
            row->table = t;
            assert_done(cs_fit_prepare(bench->fit.library, &bench->arena, row, &err));
        }
}

static void bench_time(struct bench *bench, const double *values, double noise, uint64_t seed)
{
    for (uint32_t i = 0; i < bench->fit.row_count; i++) {
        struct cs_library_time time;

        bench->fit.library->call_time(bench->fit.rows[i].call, values, &time);
        bench->fit.rows[i].measured_s = time.total_s * exp(noise * normal(seed * 4096 + i));
    }
}

static void draw(const struct cs_fit_prior *prior, uint64_t seed, double *values)
{
    for (uint32_t k = 0; k < CS_NCCL_PARAMETERS; k++)
        values[k] = prior->values[k] * exp(prior->spreads[k] * normal(seed * 999983 + k));
}

/* Intervals of parameters that hold the drawn values. */
struct tally {
    uint32_t inside, all;
    uint32_t known_inside, known; /* of parameters that the rows identify */
    double before, after;         /* sums of held-out errors */
    uint32_t fits, kept;
};

static void tally_fit(struct tally *tally, const char *spec, uint32_t tables, double noise,
                      uint64_t seed)
{
    CS_AT_END(bench_free) struct bench bench;
    double values[CS_NCCL_PARAMETERS];

    bench_open(&bench, spec, tables, SIZES);
    draw(&bench.fit.prior, seed, values);
    bench_time(&bench, values, noise, seed);
    assert_ok(cs_fit_make(&bench.fit, &bench.arena, &bench.err), &bench.err);
    for (uint32_t i = 0; i < bench.fit.count; i++) {
        const struct cs_fit_parameter *is = &bench.fit.parameters[i];
        bool inside = fabs(log(values[is->parameter] / is->value)) <= 1.645 * is->error;

        tally->inside += inside;
        tally->all++;
        if (is->learned > .5) {
            tally->known_inside += inside;
            tally->known++;
        }
    }
    assert_true(bench.fit.held_out <= bench.fit.held_out_before);
    tally->before += bench.fit.held_out_before;
    tally->after += bench.fit.held_out;
    tally->fits++;
    tally->kept += !isfinite(bench.fit.kappa);
}

TEST(ninety_percent_intervals_hold_85_to_95_percent)
{
    static const struct {
        const char *spec;
        uint32_t tables;
        double noise;
    } cases[] = {
        {"dgx", 1, .03},
        {"dgx", 3, .02},
        {"cluster:node=dgx-h100,nodes=2", 1, .05},
        {"cluster:node=dgx,nodes=4", 3, .03},
        {"rtx4090", 1, .03},
    };
    struct tally all = {0};

    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        struct tally tally = {0};

        for (uint64_t seed = 0; seed < 8; seed++)
            tally_fit(&tally, cases[c].spec, cases[c].tables, cases[c].noise, 100 * c + seed + 1);
        all.inside += tally.inside;
        all.all += tally.all;
        all.known_inside += tally.known_inside;
        all.known += tally.known;
        assert_true(tally.after <= tally.before);
    }
    assert_in_range(1000 * all.inside / all.all, 850, 950);
    assert_in_range(1000 * all.known_inside / all.known, 850, 950);
}

/* A fit of one table on a DGX A100 with 3 % of noise. */
static void fit_dgx(struct bench *bench, uint32_t sizes, double noise,
                    double values[CS_NCCL_PARAMETERS])
{
    bench_open(bench, "dgx", 1, sizes);
    draw(&bench->fit.prior, 7, values);
    bench_time(bench, values, noise, 7);
}

static const struct cs_fit_parameter *parameter_of(const struct bench *bench, uint32_t parameter)
{
    for (uint32_t i = 0; i < bench->fit.count; i++)
        if (bench->fit.parameters[i].parameter == parameter)
            return &bench->fit.parameters[i];
    fail();
    return NULL;
}

TEST(times_ten_times_too_slow_change_little)
{
    CS_AT_END(bench_free) struct bench clean;
    CS_AT_END(bench_free) struct bench dirty;
    double values[CS_NCCL_PARAMETERS];

    fit_dgx(&clean, SIZES, .02, values);
    fit_dgx(&dirty, SIZES, .02, values);
    for (uint32_t i = 4; i < SIZES; i += 9)
        dirty.fit.rows[i].measured_s *= 10;
    assert_int_equal(cs_fit_make(&clean.fit, &clean.arena, &clean.err), 0);
    assert_int_equal(cs_fit_make(&dirty.fit, &dirty.arena, &dirty.err), 0);
    assert_int_equal(dirty.fit.outliers, clean.fit.outliers + 3);
    for (uint32_t i = 0; i < clean.fit.count; i++) {
        const struct cs_fit_parameter *is = &clean.fit.parameters[i];
        double shift = log(dirty.fit.parameters[i].value / is->value);

        assert_true(fabs(shift) < 2.5 * is->error);
    }
}

#define BENCH_TEST(name) TEST_OF(struct bench, bench, bench_free, name)

BENCH_TEST(two_points_leave_most_parameters_open)
{
    double values[CS_NCCL_PARAMETERS];
    uint32_t identified = 0;

    fit_dgx(bench, 2, .02, values);
    assert_int_equal(cs_fit_make(&bench->fit, &bench->arena, &bench->err), 0);
    for (uint32_t i = 0; i < bench->fit.count; i++) {
        assert_true(isfinite(bench->fit.parameters[i].value));
        assert_true(bench->fit.parameters[i].error <= bench->fit.parameters[i].spread);
        identified += bench->fit.parameters[i].learned > .75;
    }
    assert_true(identified <= 2);
    assert_true(bench->fit.held_out <= bench->fit.held_out_before);
}

BENCH_TEST(one_point_is_no_fit)
{
    double values[CS_NCCL_PARAMETERS];

    fit_dgx(bench, 1, 0, values);
    assert_int_equal(cs_fit_make(&bench->fit, &bench->arena, &bench->err), CS_ECANNOT);
}

/* Random times around the model keep the prior or are refused; no fit is worse
 * than none. */
TEST(garbage_is_refused_or_changes_nothing_for_the_worse)
{
    static const double spreads[] = {.5, 1.5, 6};

    for (size_t s = 0; s < sizeof(spreads) / sizeof(*spreads); s++)
        for (uint64_t seed = 1; seed < 5; seed++) {
            CS_AT_END(bench_free) struct bench bench;
            int code;

            bench_open(&bench, "dgx", 1, SIZES);
            bench_time(&bench, bench.fit.prior.values, spreads[s], seed);
            code = cs_fit_make(&bench.fit, &bench.arena, &bench.err);
            assert_true(code == 0 || code == CS_EANSWER);
            if (!code)
                assert_true(bench.fit.held_out <= bench.fit.held_out_before);
        }
}

BENCH_TEST(times_of_the_prior_return_the_prior)
{
    bench_open(bench, "dgx", 1, SIZES);
    bench_time(bench, bench->fit.prior.values, 0, 1);
    assert_int_equal(cs_fit_make(&bench->fit, &bench->arena, &bench->err), 0);
    for (uint32_t i = 0; i < bench->fit.count; i++)
        assert_true(fabs(log(bench->fit.parameters[i].value / bench->fit.parameters[i].prior)) <
                    1e-6);
}

/* Calls of a node say nothing about the network, and the rate of the wires, which
 * that of rings alone cannot be separated from, is learned. */
BENCH_TEST(parameters_of_other_machines_are_no_unknowns)
{
    double values[CS_NCCL_PARAMETERS];

    fit_dgx(bench, SIZES, .02, values);
    assert_int_equal(cs_fit_make(&bench->fit, &bench->arena, &bench->err), 0);
    for (uint32_t i = 0; i < bench->fit.count; i++) {
        assert_int_not_equal(bench->fit.parameters[i].parameter, CS_NCCL_P_NET_LL);
        assert_int_not_equal(bench->fit.parameters[i].parameter, CS_NCCL_P_RCCL_BASE);
    }
    assert_true(parameter_of(bench, CS_NCCL_P_NODE_WIRES)->learned > .5);
}

/* A machine with wires of a third of the described rate, on which no other
 * parameter is off: all-reduce alone teaches the rate of all collectives. */
BENCH_TEST(slow_wires_of_one_collective_are_those_of_all)
{
    const struct cs_fit_parameter *wires;
    CS_AT_END(bench_free) struct bench others;
    double values[CS_NCCL_PARAMETERS];

    bench_open(bench, "dgx", 1, SIZES);
    bench_open(&others, "dgx", TABLES_MAX, SIZES);
    cs_parameters_values(&cs_nccl_parameter_set, values);
    values[CS_NCCL_P_NODE_WIRES] = 1. / 3;
    bench_time(bench, values, .02, 3);
    bench_time(&others, values, 0, 3);
    assert_int_equal(cs_fit_make(&bench->fit, &bench->arena, &bench->err), 0);
    wires = parameter_of(bench, CS_NCCL_P_NODE_WIRES);
    assert_true(fabs(log(wires->value * 3)) < .2);
    assert_true(wires->learned > .75);
    for (uint32_t i = 0; i < others.fit.row_count; i++) {
        const struct cs_fit_row *row = &others.fit.rows[i];
        struct cs_library_time time;

        bench->fit.library->call_time(row->call, bench->fit.values, &time);
        assert_true(fabs(log(time.total_s / row->measured_s)) < .15);
    }
}
