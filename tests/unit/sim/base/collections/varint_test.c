#include "sim/base/collections/varint.h"

#include "tests/fixture.h"

/* Bytes of the number, which comes back as it was. */
static uint32_t bytes_of(uint64_t value)
{
    uint8_t bytes[CS_VARINT_BYTES];
    const uint8_t *end = cs_varint_put(bytes, value);
    const uint8_t *at = bytes;

    assert_true(cs_varint_get(&at) == value);
    assert_ptr_equal(at, end);
    return (uint32_t)(end - bytes);
}

TEST(numbers_come_back_from_the_fewest_bytes)
{
    assert_int_equal(bytes_of(0), 1);
    assert_int_equal(bytes_of(127), 1);
    assert_int_equal(bytes_of(128), 2);
    assert_int_equal(bytes_of(UINT64_MAX), CS_VARINT_BYTES);
    for (uint32_t shift = 0; shift < 64; shift++)
        assert_int_equal(bytes_of(UINT64_C(1) << shift), shift / 7 + 1);
}

TEST(small_numbers_of_both_signs_are_short)
{
    for (uint64_t i = 0; i < 64; i++) {
        assert_int_equal(bytes_of(cs_varint_of_signed(i)), 1);
        assert_int_equal(bytes_of(cs_varint_of_signed(-i)), 1);
        assert_true(cs_varint_to_signed(cs_varint_of_signed(-i)) == -i);
    }
    assert_true(cs_varint_to_signed(cs_varint_of_signed(UINT64_C(1) << 63)) == UINT64_C(1) << 63);
}
