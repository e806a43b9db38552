/* Splits of a batch over the devices of one process. */
#include "scenarios/train/stages/batch_split.h"

#include "tests/test.h"

TEST(balanced_batches_split_as_published)
{
    static const uint32_t published[] = {2, 3, 3};

    /* A batch of 8, and 16 in two micro batches with 4 on device 0. */
    for (uint32_t d = 0; d < 3; ++d) {
        assert_int_equal(cs_batch_balanced(8, 3, 2, d), published[d]);
        assert_int_equal(cs_batch_balanced(16 / 2, 3, 4 / 2, d), published[d]);
    }
}

/* As Tensor.chunk: 10 over 4 is 3, 3, 3, 1 and 9 over 6 is 2, 2, 2, 2, 1, 0. */
TEST(chunks_leave_the_last_devices_short)
{
    static const uint32_t ten[] = {3, 3, 3, 1}, nine[] = {2, 2, 2, 2, 1, 0};

    for (uint32_t d = 0; d < 4; ++d)
        assert_int_equal(cs_batch_chunk(10, 4, d), ten[d]);
    for (uint32_t d = 0; d < 6; ++d)
        assert_int_equal(cs_batch_chunk(9, 6, d), nine[d]);
}

TEST(a_large_first_share_leaves_chunks)
{
    for (uint32_t d = 0; d < 4; ++d)
        assert_int_equal(cs_batch_balanced(10, 4, 3, d), cs_batch_chunk(10, 4, d));
}

TEST(splits_hold_every_sample)
{
    for (uint32_t batch = 1; batch < 60; ++batch)
        for (uint32_t devices = 1; devices < 12; ++devices)
            for (uint32_t first = 0; first <= batch; ++first) {
                uint32_t chunks = 0, balanced = 0;

                for (uint32_t d = 0; d < devices; ++d) {
                    chunks += cs_batch_chunk(batch, devices, d);
                    balanced += cs_batch_balanced(batch, devices, first, d);
                }
                assert_int_equal(chunks, batch);
                assert_int_equal(balanced, batch);
            }
}

/* Device 0 holds 60 bytes more, a sample takes 10: 6 samples fewer than the
 * others, (30 + 6)/4 = 9 and 9 - 6 = 3. */
TEST(equal_memory_takes_the_extra_bytes_off_device_0)
{
    assert_int_equal(cs_batch_equal_memory(30, 4, 60, 10), 3);
    assert_int_equal(cs_batch_equal_memory(30, 4, 0, 10), 7);
    assert_int_equal(cs_batch_equal_memory(30, 4, 1e6, 10), 0);
}
