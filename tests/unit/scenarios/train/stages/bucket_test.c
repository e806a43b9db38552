/* Buckets of gradients. */
#include "scenarios/train/stages/bucket.h"

#include "tests/fixture.h"

/* A run of torch 2.2.2: sizes in bytes, limits of 1 MiB. */
TEST(buckets_close_when_the_size_reaches_the_limit)
{
    static const uint64_t sizes[] = {1048576, 2048, 1048576, 2048, 1048576, 2048};
    static const uint32_t published[] = {0, 1, 1, 2, 2, 3};
    struct cs_bucket_filler filler = {.limit = 1 << 20, .next_limit = 1 << 20};
    uint32_t bucket = 0;

    for (size_t t = 0; t < sizeof(sizes) / sizeof(*sizes); ++t) {
        assert_int_equal(bucket, published[t]);
        if (cs_bucket_add(&filler, (double)sizes[t]))
            ++bucket;
    }
}

TEST(the_first_limit_holds_for_one_bucket)
{
    struct cs_bucket_filler filler = {.limit = 10, .next_limit = 30};

    assert_true(cs_bucket_add(&filler, 12));
    assert_false(cs_bucket_add(&filler, 12));
    assert_true(cs_bucket_add(&filler, 20));
    assert_true(filler.bytes == 32);
}

/* e_last = max over j of (r_j + sum of T_i, i >= j). */
TEST(the_last_end_is_the_longest_chain)
{
    static const double ready[] = {1, 2, 7, 8}, call[] = {3, 1, .5, 4};
    double end = 0, longest = 0;

    for (int b = 0; b < 4; ++b)
        end = cs_bucket_end_s(end, ready[b], call[b]);
    for (int j = 0; j < 4; ++j) {
        double chain = ready[j];

        for (int i = j; i < 4; ++i)
            chain += call[i];
        longest = fmax(longest, chain);
    }
    assert_true(end == longest);
}
