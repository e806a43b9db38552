/* A curve of links: every byte of a link is in one of its intervals. */
#include "sim/watch/link_curve.h"

#include "tests/unit/scenarios/run/opened.h"

/* Runs the words watched by a curve: each link's points add up to its bytes. */
static void check_bytes(int argc, char **argv)
{
    CS_AT_END(opened_free) struct opened opened;
    struct cs_link_curve curve;
    struct cs_exec_watch watch = {.carried = cs_link_curve_carried, .ctx = &curve};
    struct cs_exec_result watched;
    uint32_t used = 0;

    opened_run(&opened, argc, argv);
    opened_simulate(&opened);
    cs_link_curve_open(&curve, opened.run.net.link_count, &opened.arena);
    if (cs_run_execute(&opened.run, &opened.run.program, &watch, &opened.arena, &watched))
        fail_msg("%s", opened.err.text);
    cs_link_curve_close(&curve, watched.time_ps);
    assert_int_equal(watched.time_ps, opened.run.result.time_ps);
    assert_int_equal(watched.events, opened.run.result.events);
    assert_true(curve.points * curve.interval_ps >= watched.time_ps);
    for (uint32_t l = 0; l < curve.link_count; l++) {
        double bytes = 0;

        for (uint32_t p = 0; curve.bytes[l] && p < curve.points; p++)
            bytes += curve.bytes[l][p];
        used += bytes > 0;
        if (!(fabs(bytes - (double)watched.use[l].bytes) <= 1e-9 * (double)watched.use[l].bytes))
            fail_msg("link %u: %.17g of %" PRIu64 " bytes", l, bytes, watched.use[l].bytes);
    }
    assert_true(used > 0);
}

TEST(every_byte_is_in_an_interval)
{
    static char *const models[] = {"fifo",  "fluid",         "packet", "postal",
                                   "astra", "astra-unaware", "simgrid"};

    for (size_t m = 0; m < sizeof(models) / sizeof(*models); m++) {
        char *words[] = {"--topo", "dgx", "--algo",       "tree",
                         "--size", "3MB", "--link-model", models[m]};

        check_bytes(8, words);
    }
}

TEST(messages_that_are_lost_count_when_they_arrive)
{
    check_bytes(WORDS("--topo", "dgx-1", "--algo", "ring", "--size", "64MB", "--fault",
                      "gpu0-gpu1:down@1ms", "--failover", "100us"));
}

/* A link that serves whole messages carries no more than its rate. */
OPENED_TEST(no_interval_exceeds_the_rate_of_the_link)
{
    struct cs_link_curve curve;
    struct cs_exec_watch watch = {.carried = cs_link_curve_carried, .ctx = &curve};
    struct cs_exec_result result;

    opened_run(opened, WORDS("--topo", "ib-2xdgx", "--algo", "direct", "--size", "7MB"));
    cs_link_curve_open(&curve, opened->run.net.link_count, &opened->arena);
    if (cs_run_execute(&opened->run, &opened->run.program, &watch, &opened->arena, &result))
        fail_msg("%s", opened->err.text);
    cs_link_curve_close(&curve, result.time_ps);
    for (uint32_t l = 0; l < curve.link_count; l++)
        for (uint32_t p = 0; curve.bytes[l] && p < curve.points; p++)
            assert_true(curve.bytes[l][p] <=
                        opened->run.net.links[l].rate_Bps * (double)curve.interval_ps * 1e-12 + 1);
}
