/* Formulas of claims: texts and values agree. */
#include "validate/claims/claims.h"

#include "tests/test.h"

TEST(values_are_those_of_the_texts)
{
    static const struct {
        enum cs_formula formula;
        const char *bytes;
        double value; /* p = 4, V = 12, k = 3 */
    } cases[] = {
        {CS_FORMULA_V, "V", 12},
        {CS_FORMULA_PP1V, "p(p-1)V", 144},
        {CS_FORMULA_TWO_P1V_P, "2(p-1)V/p", 18},
        {CS_FORMULA_FOUR_P1V_P, "4(p-1)V/p", 36},
        {CS_FORMULA_TWO_V_P, "2V/p", 6},
        {CS_FORMULA_V_CHUNK, "(1+1/k)V", 16},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_string_equal(cs_formula_bytes(cases[i].formula), cases[i].bytes);
        assert_true(fabs(cs_formula_value(cases[i].formula, 4, 12, 3) - cases[i].value) < 1e-12);
        assert_non_null(strstr(cs_formula_time(cases[i].formula), "beta"));
    }
    assert_true(isnan(cs_formula_value(CS_FORMULA_LEAST, 4, 12, 3)));
}

/* (p-1)/2 pairs instead of p/2 are busy: p/(p-1) times as long. */
TEST(odd_ranks_without_a_buffer_take_p_over_p_minus_one)
{
    assert_int_equal(cs_formula_odd_unbuffered(CS_FORMULA_TWO_P1V), CS_FORMULA_TWO_PV);
    assert_true(cs_formula_value(CS_FORMULA_TWO_P1V, 5, 1, 1) * 5 / 4 ==
                cs_formula_value(CS_FORMULA_TWO_PV, 5, 1, 1));
    assert_string_equal(cs_formula_time(cs_formula_odd_unbuffered(CS_FORMULA_TWO_P1V_P)),
                        "2V/beta");
    assert_int_equal(cs_formula_odd_unbuffered(CS_FORMULA_P1V), CS_FORMULA_NONE);
}
