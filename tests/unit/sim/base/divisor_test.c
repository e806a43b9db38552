#include "sim/base/divisor.h"

#include "tests/fixture.h"

static void the_common_divisor_is_the_greatest(void **state)
{
    (void)state;
    assert_int_equal(cs_common_divisor(12, 18), 6);
    assert_int_equal(cs_common_divisor(18, 12), 6);
    assert_int_equal(cs_common_divisor(7, 9), 1);
    assert_int_equal(cs_common_divisor(5, 0), 5);
    assert_int_equal(cs_common_divisor(0, 5), 5);
    assert_int_equal(cs_common_divisor(UINT64_C(3) << 40, UINT64_C(9) << 33), UINT64_C(3) << 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_common_divisor_is_the_greatest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
