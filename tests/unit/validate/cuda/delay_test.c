/* Delays: a rank and a time. */
#include "validate/cuda/request.h"

#include "tests/fixture.h"

TEST(a_rank_and_a_time_are_read)
{
    struct cs_delay delay = {0};

    assert_done(cs_delay_read("rank=3,20us", &delay, &err));
    assert_int_equal(delay.rank, 3);
    assert_int_equal(delay.time_ps, 20000000);
    assert_done(cs_delay_read("rank=0,1.5ms", &delay, &err));
    assert_int_equal(delay.rank, 0);
    assert_int_equal(delay.time_ps, 1500000000);
}

TEST(other_forms_are_refused_with_the_expected_form)
{
    static const char *const texts[] = {
        "",          "3",          "rank=3",       "3,20us",
        "rank=,1us", "rank=3,",    "rank=3,20",    "rank=x,20us",
        "rank=3,0s", "rank=-1,1s", "rank=3 ,20us", "rank=99999999999999999,1s"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct cs_delay delay = {0};
        char message[128];

        snprintf(message, sizeof(message),
                 "--delay: '%.40s'; expected a rank and a time above 0, as in rank=3,20us",
                 texts[i]);
        assert_refused(cs_delay_read(texts[i], &delay, &err), CS_EINPUT, message);
    }
}
