#include "sim/base/collections/narrow.h"

#include "tests/test.h"

ARENA_TEST(numbers_are_kept_in_as_many_bytes_as_the_greatest_needs)
{
    static const struct {
        uint32_t most, bytes;
    } cases[] = {{0, 1},     {UINT8_MAX, 1},      {UINT8_MAX + 1, 2},
                 {65535, 2}, {UINT16_MAX + 1, 4}, {UINT32_MAX, 4}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const uint32_t numbers[] = {0, cases[i].most / 2, cases[i].most, cases[i].most / 3, 1};
        const uint32_t count = cases[i].most ? 5 : 4;
        const struct cs_narrow *narrow = cs_narrow_of(numbers, count, arena);

        assert_int_equal(narrow->bytes, cases[i].bytes);
        for (uint32_t k = 0; k < count; k++)
            assert_int_equal(cs_narrow_get(narrow, k), numbers[k]);
    }
}
