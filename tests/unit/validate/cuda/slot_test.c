/* Slots: every byte of a message once. */
#include "tests/fixture.h"
#include "validate/cuda/pattern.h"

/* ---- bytes of channels ---- */

TEST(channels_share_a_block_at_vectors)
{
    const uint64_t starts[] = {0, 4, 100, 100, 4100};

    for (uint32_t channels = 1; channels < 40; channels++) {
        struct cs_slot_cut cut = {starts, 4, channels, 64};

        for (uint32_t block = 0; block < 4; block++) {
            assert_int_equal(cs_slot_border(&cut, block, 0), starts[block]);
            assert_int_equal(cs_slot_border(&cut, block, channels), starts[block + 1]);
            for (uint32_t c = 1; c <= channels; c++) {
                uint64_t at = cs_slot_border(&cut, block, c);

                assert_true(at >= cs_slot_border(&cut, block, c - 1));
                assert_true(at == starts[block + 1] || at % CS_VECTOR_BYTES == 0);
            }
        }
    }
}

TEST(a_message_is_all_bytes_of_its_blocks_once)
{
    const uint64_t starts[] = {0, 40, 40, 200, 1000};
    struct cs_slot_cut cut = {starts, 4, 3, 32};
    uint8_t seen[1000] = {0};

    for (uint32_t c = 0; c < cut.channels; c++) {
        struct cs_slot_cursor cursor = cs_slot_begin(&cut, c, 3, 3);
        uint32_t bytes;

        while ((bytes = cs_slot_slice(&cut, &cursor)) > 0) {
            assert_true(bytes <= cut.slice_bytes);
            for (uint32_t i = 0; i < bytes; i++)
                seen[cursor.at + i]++;
            cs_slot_next(&cut, c, &cursor);
        }
    }
    for (uint32_t i = 0; i < sizeof(seen); i++)
        assert_int_equal(seen[i], i < 40 || i >= 200);
}

static void check_slices(const struct cs_slot_cut *cut, uint32_t channel)
{
    struct cs_slot_cursor cursor = cs_slot_begin(cut, channel, 1, 4);
    uint64_t walked = 0;

    for (; cs_slot_slice(cut, &cursor) > 0; walked++) {
        uint32_t phase = cs_slot_phase(cursor.at);

        assert_true(phase + cs_slot_slice(cut, &cursor) <= cut->slice_bytes);
        assert_true(phase == 0 || cursor.at == cs_slot_border(cut, cursor.block, channel));
        cs_slot_next(cut, channel, &cursor);
    }
    assert_int_equal(cs_slot_slices(cut, channel, 1, 4), walked);
}

/* A single slice of a part is ragged at the start, wherever the block begins. */
TEST(slices_are_counted_as_they_are_cut)
{
    for (uint64_t start = 0; start < 40; start += 2) {
        const uint64_t starts[] = {0, start, start, start + 202, 1000};

        for (uint32_t channels = 1; channels < 5; channels++) {
            struct cs_slot_cut cut = {starts, 4, channels, 32};

            for (uint32_t c = 0; c < channels; c++)
                check_slices(&cut, c);
        }
    }
}

TEST(counts_survive_their_wrapping)
{
    assert_true(cs_slot_may_write(2, UINT32_MAX, 4));
    assert_false(cs_slot_may_write(3, UINT32_MAX, 4));
    assert_true(cs_slot_may_read(0, UINT32_MAX));
    assert_int_equal(cs_slot_of(UINT32_MAX, 4), 3);
    assert_int_equal(cs_slot_of(0, 4), 0);
}

TEST(sums_are_exact_in_fp16)
{
    for (uint64_t i = 0; i < 10000; i++) {
        uint32_t ranks = 1 + (uint32_t)i % CS_PATTERN_RANKS_MAX;
        uint32_t sum = 0;

        for (uint32_t rank = 0; rank < ranks; rank++) {
            assert_in_range(cs_pattern_of(rank, i), 1, 8);
            sum += cs_pattern_of(rank, i);
        }
        assert_int_equal(cs_pattern_sum(ranks, i), sum);
        assert_in_range(sum, ranks, 2048);
    }
}
