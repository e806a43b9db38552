/* The likelihood of a table: t distributions of levels and steps, odd sizes. */
#include "validate/logs/likelihood.h"

#include "tests/fixture.h"

enum {
    POINTS = 20
};

struct table {
    struct cs_likelihood_point points[POINTS];
    double expected_s[POINTS];
    struct cs_likelihood is;
};

/* 1 KiB to 512 MiB, each measured as expected. */
static struct table *table_opened(struct table *is)
{
    for (uint32_t i = 0; i < POINTS; i++) {
        is->expected_s[i] = 1e-5 * pow(1.5, i);
        is->points[i] = (struct cs_likelihood_point){
            .bytes = UINT64_C(1024) << i, .measured_s = is->expected_s[i], .spread = .2};
    }
    cs_likelihood_open(is->points, POINTS, is->expected_s, false, &is->is);
    return is;
}

/* Of one size the levels are a t of 3 degrees of freedom, and the end is, too. */
TEST(one_size_has_the_density_of_a_t)
{
    struct cs_likelihood_point point = {.bytes = 4096, .measured_s = 3e-5, .spread = .25};
    const double expected_s = 2e-5;
    struct cs_likelihood is;
    double scale = .25 * 1.645 / 2.353; /* of the same 90 % interval */
    double r = log(1.5) / scale;
    /* 2 / (pi sqrt 3 s (1 + r^2 / 3)^2) */
    double density = 2 / (M_PI * sqrt(3) * scale * pow(1 + r * r / 3, 2));

    cs_likelihood_open(&point, 1, &expected_s, false, &is);
    assert_int_equal(is.bands, 1);
    assert_true(fabs(cs_likelihood_of(&is, &expected_s, 0) - .8 * log(density)) < 1e-9);
}

TEST(the_expected_curve_is_the_most_likely)
{
    struct table table;
    double other[POINTS];
    double best = cs_likelihood_of(&table_opened(&table)->is, table.expected_s, 0);

    assert_int_equal(table.is.bands, 4);
    for (int k = 1; k < 6; k++) {
        double before = INFINITY;

        for (uint32_t i = 0; i < POINTS; i++)
            other[i] = table.expected_s[i] * (k < 3 ? pow(1.3, k) : i < 3U * k ? 1 : 1.8);
        assert_true(cs_likelihood_of(&table.is, other, 0) < best);
        /* An error of unknown cause is less likely without one, and milder with one. */
        assert_true(cs_likelihood_of(&table.is, table.expected_s, .7) < best);
        for (uint32_t i = 0; i < POINTS; i++)
            other[i] = table.expected_s[i] * 6;
        before = cs_likelihood_of(&table.is, other, 0);
        assert_true(cs_likelihood_of(&table.is, other, 1.5) > before);
    }
}

TEST(an_odd_size_counts_for_nothing)
{
    struct table table;
    double without = cs_likelihood_of(&table_opened(&table)->is, table.expected_s, 0);
    double with;

    for (uint32_t odd = 1; odd + 1 < POINTS; odd++) {
        table_opened(&table);
        table.points[odd].measured_s *= 10;
        cs_likelihood_open(table.points, POINTS, table.expected_s, false, &table.is);
        assert_true(table.points[odd].is_odd);
        with = cs_likelihood_of(&table.is, table.expected_s, 0);
        assert_true(fabs(with - without) < 1.5); /* a step of two octaves for two of one */
    }
    table_opened(&table);
    table.points[8].measured_s *= 10; /* two are not odd */
    table.points[9].measured_s *= 10;
    cs_likelihood_open(table.points, POINTS, table.expected_s, false, &table.is);
    assert_false(table.points[8].is_odd || table.points[9].is_odd);
}

/* Small and large sizes step by t distributions of scale .05 and 2 and 2.7 degrees of freedom. */
TEST(a_fifth_more_at_one_size_costs_two_steps)
{
    const struct {
        uint32_t at;
        double nu;
    } sizes[] = {{2, 2}, {16, 2.7}}; /* 4 KiB and 64 MiB: no level moves */
    struct table table;
    double none = cs_likelihood_of(&table_opened(&table)->is, table.expected_s, 0);

    for (int k = 0; k < 2; k++) {
        double squares = pow(.2 / .05, 2) / sizes[k].nu;
        double step = -(sizes[k].nu + 1) / 2 * log1p(squares);

        table_opened(&table)->points[sizes[k].at].measured_s *= exp(.2);
        assert_true(fabs(cs_likelihood_of(&table.is, table.expected_s, 0) - none - .3 * 2 * step) <
                    1e-9);
    }
}

/* 400 sizes of one octave say no more than its two bins. */
TEST(dense_sizes_count_as_their_bins)
{
    enum {
        DENSE = 400
    };
    struct cs_likelihood_point points[DENSE];
    double expected_s[DENSE], slow_s[DENSE];
    struct cs_likelihood is;

    for (uint32_t i = 0; i < DENSE; i++) {
        expected_s[i] = 1e-3;
        slow_s[i] = i % 2 ? 1.04e-3 : 1e-3;
        points[i] = (struct cs_likelihood_point){
            .bytes = (UINT64_C(1) << 21) + UINT64_C(5242) * i, .measured_s = 1e-3, .spread = .2};
    }
    cs_likelihood_open(points, DENSE, expected_s, true, &is);
    assert_true(fabs(cs_likelihood_of(&is, expected_s, 0) - cs_likelihood_of(&is, slow_s, 0)) < 1);
}
