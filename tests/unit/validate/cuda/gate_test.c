/* Gates: the ranges, and the side on which a figure is outside. */
#include "validate/cuda/datasheet.h"

#include "tests/fixture.h"

TEST(every_gate_has_a_key_a_range_and_a_reason)
{
    for (int gate = 0; gate < CS_GATES; gate++) {
        const struct cs_gate_range *range = cs_gate_range_of(gate);

        assert_non_null(range->key);
        assert_true(strspn(range->key, "abcdefghijklmnopqrstuvwxyz0123456789_") ==
                    strlen(range->key));
        assert_true(range->least < range->most);
        assert_true(strlen(range->reason) > 0);
        assert_string_equal(cs_gate_judge(gate, range->least), "");
        assert_string_equal(cs_gate_judge(gate, range->most), "");
        for (int other = 0; other < gate; other++)
            assert_string_not_equal(range->key, cs_gate_range_of(other)->key);
    }
}

TEST(a_figure_outside_its_range_is_below_or_above)
{
    assert_string_equal(cs_gate_judge(CS_GATE_MESSAGE_DEVICE, 2e-6), "");
    assert_string_equal(cs_gate_judge(CS_GATE_MESSAGE_DEVICE, 1e-7), "below");
    assert_string_equal(cs_gate_judge(CS_GATE_MESSAGE_DEVICE, 2e-5), "above");
    assert_string_equal(cs_gate_judge(CS_GATE_MESSAGE_DEVICE, NAN), "below");
    /* Concurrent copies no faster than a single copy leave half of PCIe idle. */
    assert_string_equal(cs_gate_judge(CS_GATE_BOTH_OF_ONE, 1.05), "below");
    /* 1410 of 1980 MHz: throttled. */
    assert_string_equal(cs_gate_judge(CS_GATE_CLOCK, 1410.0 / 1980), "below");
    assert_string_equal(cs_gate_judge(CS_GATE_CLOCK, 1), "");
    /* Events enclose the kernel. */
    assert_string_equal(cs_gate_judge(CS_GATE_EVENT, -1e-6), "");
    assert_string_equal(cs_gate_judge(CS_GATE_EVENT, -3e-6), "below");
}
