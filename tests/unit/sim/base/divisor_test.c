#include "sim/base/divisor.h"

#include "tests/test.h"

TEST(the_common_divisor_is_the_greatest)
{
    assert_int_equal(cs_common_divisor(12, 18), 6);
    assert_int_equal(cs_common_divisor(18, 12), 6);
    assert_int_equal(cs_common_divisor(7, 9), 1);
    assert_int_equal(cs_common_divisor(5, 0), 5);
    assert_int_equal(cs_common_divisor(0, 5), 5);
    assert_int_equal(cs_common_divisor(UINT64_C(3) << 40, UINT64_C(9) << 33), UINT64_C(3) << 33);
}
