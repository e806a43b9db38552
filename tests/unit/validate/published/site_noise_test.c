/* Noise: pairs of tables of one call, and their difference. */
#include "validate/published/score.h"

#include "tests/unit/validate/published/answers.h"

#define NOISE_TABLE(id, site, gpu, health) \
    id "," site ",nvswitch,nccl,,all_reduce,8,1," gpu ",,,ranks,,," health ",,s,n\n"

TEST(two_sites_with_one_gpu_make_a_pair)
{
    CS_AT_END(answers_free)
    CS_AT_END(answers_free)
    struct answers made = answers_made(
        ANSWERS_TABLES NOISE_TABLE("a", "x", "A100-SXM4-40GB", "yes")
            NOISE_TABLE("b", "y", "A100 80GB", "yes") NOISE_TABLE("c", "y", "A100", "doubtful")
                NOISE_TABLE("d", "z", "H100", "yes"),
        ANSWERS_ROWS "a,8,1\na,65536,10\na,1048576,20\n"
                     "b,8,9\nb,65536,12.5\nb,131072,1\nb,1048576,16\n"
                     "c,65536,99\nd,65536,99\n",
        1);
    struct cs_site_noise noise =
        cs_site_noise_of(&made.published, CS_SIZES_FROM_64K, false, &made.arena);

    assert_int_equal(noise.pairs, 1);
    assert_true(fabs(noise.median - 0.25) < 1e-9);
    noise = cs_site_noise_of(&made.published, CS_SIZES_FROM_64K, true, &made.arena);
    assert_int_equal(noise.pairs, 0);
    assert_true(isnan(noise.median));
}
