/* The clock: seconds and nanoseconds are of one time, which passes. */
#include "sim/base/clock.h"

#include "tests/fixture.h"

#include <time.h>

TEST(it_passes)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    uint64_t before_ns = cs_clock_ns();
    double before_s = cs_clock_s();

    (void)nanosleep(&pause, NULL);
    assert_true(cs_clock_ns() >= before_ns + 2000000);
    assert_true(cs_clock_s() > before_s);
    assert_true((double)before_ns * 1e-9 <= before_s);
}
