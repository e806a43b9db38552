#include "scenarios/run/machine/machine.h"

#include "scenarios/options/options.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/simulate.h"
#include "tests/fixture.h"

/* A command's options, its machines, and what came of each case. */
struct sweep {
    struct cs_arena arena;
    struct cs_scenario scenario;
    struct cs_err err;
    uint32_t finished;
};

static void sweep_open(struct sweep *sweep, int argc, char **argv)
{
    const struct cs_option_tables tables = {.shared = cs_scenario_options, .command = CS_FOR_RUN};

    *sweep = (struct sweep){0};
    cs_scenario_init(&sweep->scenario, &sweep->arena);
    sweep->scenario.machines = cs_machines_create(&sweep->scenario, &sweep->arena);
    if (cs_options_read(tables, argc, argv, &sweep->scenario, &sweep->err) ||
        cs_scenario_finish(&sweep->scenario, &sweep->err))
        fail_msg("%s", sweep->err.text);
}

static void sweep_run(struct sweep *sweep)
{
    for (uint64_t i = 0; i < cs_case_count(&sweep->scenario); i++) {
        struct cs_case which = cs_case_of(&sweep->scenario, i);
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_record record;
        struct cs_err err = {0};
        int code = cs_simulate(&which, &arena, &record, &err);

        if (code < 0)
            fail_msg("%s: %s", which.algo->name, err.text);
        sweep->finished += code == 0;
    }
}

static void sweep_close(struct sweep *sweep)
{
    cs_machines_destroy(sweep->scenario.machines);
    cs_arena_free(&sweep->arena);
}

/* How often the machine is opened for these options. */
static uint32_t openings(int argc, char **argv, uint32_t at_least)
{
    CS_AT_END(sweep_close) struct sweep sweep;

    sweep_open(&sweep, argc, argv);
    sweep_run(&sweep);
    assert_true(sweep.finished >= at_least);
    return cs_machines_openings(sweep.scenario.machines);
}

#define OPENINGS(at_least, ...)                                                                \
    openings((int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__}, \
             at_least)

TEST(a_sweep_of_sizes_and_algorithms_opens_its_machine_once)
{
    assert_int_equal(
        OPENINGS(60, "--topo", "dgx", "--algo", "any", "-b", "1K", "-e", "1G", "-f", "8"), 1);
    assert_int_equal(OPENINGS(5, "--topo", "dgx", "-b", "1K", "-e", "1G", "-f", "32", "--transport",
                              "nccl-simple"),
                     1);
    assert_int_equal(OPENINGS(2, "--topo", "ib-2xdgx", "--size", "1MB,2MB"), 1);
}

TEST(each_number_of_ranks_is_opened_once)
{
    assert_int_equal(OPENINGS(12, "--topo", "dgx", "--algo", "ring,tree", "--ranks", "2,4,8",
                              "--size", "1kB,1MB"),
                     3);
    /* The default algorithm is chosen on the largest. */
    assert_int_equal(OPENINGS(3, "--topo", "dgx", "--ranks", "2,4,8", "--size", "1MB"), 3);
}

TEST(faults_and_agents_derive_from_one_opening)
{
    assert_int_equal(OPENINGS(2, "--topo", "dgx", "--algo", "ring,tree", "--size", "1MB", "--fault",
                              "gpu1-nvswitch:rate=50%", "--fault", "gpu2-nvswitch:rate=10%@20us"),
                     1);
    assert_int_equal(OPENINGS(4, "--topo", "dgx-h100", "--algo", "nvls,ring", "--size", "1MB,2MB"),
                     1);
}

TEST(jobs_share_one_opening_with_the_ranks_of_all)
{
    assert_int_equal(OPENINGS(1, "--topo", "switch:ranks=32", "--algo", "ring", "--size", "1MB",
                              "--ranks", "16", "--with", "alltoall:ranks=16-31", "--with",
                              "allreduce:ranks=8-23"),
                     1);
}

/* A generator builds ports for its servers. */
TEST(servers_of_a_generator_are_an_opening_of_their_own)
{
    assert_int_equal(
        OPENINGS(4, "--topo", "switch:ranks=8", "--algo", "ring,ps", "--size", "1MB,2MB"), 2);
}

TEST(a_machine_that_cannot_be_opened_fails_equally_every_time)
{
    CS_AT_END(sweep_close) struct sweep sweep;
    const struct cs_machine_request request = {.ranks = 9};
    struct cs_err errs[2] = {{0}};
    const struct cs_machine *machine;

    sweep_open(&sweep, 2, (char *[]){"--algo", "ring"});
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            cs_machines_open(sweep.scenario.machines, &request, &sweep.arena, &machine, &errs[i]),
            CS_EINPUT);
    assert_non_null(strstr(errs[0].text, "9"));
    assert_string_equal(errs[0].text, errs[1].text);
    assert_int_equal(cs_machines_openings(sweep.scenario.machines), 1);
}

/* The network with a fault is another one than the healthy network. */
TEST(a_fault_leaves_the_healthy_machine_as_it_is)
{
    const struct cs_fault lost = {
        .text = "gpu0-nvswitch:rate=50%", .where = "gpu0-nvswitch", .rate = 0.5};
    struct cs_machine_request request = {0};
    const struct cs_machine *healthy;
    const struct cs_machine *faulty;
    CS_AT_END(sweep_close) struct sweep sweep;
    uint32_t halves = 0;

    sweep_open(&sweep, 2, (char *[]){"--algo", "ring"});
    assert_int_equal(
        cs_machines_open(sweep.scenario.machines, &request, &sweep.arena, &healthy, &sweep.err), 0);
    request.lost = &lost;
    assert_int_equal(
        cs_machines_open(sweep.scenario.machines, &request, &sweep.arena, &faulty, &sweep.err), 0);
    assert_int_equal(healthy->net.link_count, faulty->net.link_count);
    for (uint32_t i = 0; i < healthy->net.link_count; i++) {
        double share = faulty->net.links[i].rate_Bps / healthy->net.links[i].rate_Bps;

        assert_true(share == 1 || share == 0.5);
        halves += share == 0.5;
    }
    assert_int_equal(halves, 2);
    assert_int_equal(cs_machines_openings(sweep.scenario.machines), 1);
}
