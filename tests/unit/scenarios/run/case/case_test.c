#include "scenarios/run/case/case.h"

#include "scenarios/options/options.h"
#include "scenarios/run/case/finish.h"
#include "tests/fixture.h"

ARENA_TEST(cases_to_be_compared_are_adjacent)
{
    static char *argv[] = {"--topo", "dgx",     "--algo",  "ring,tree",
                           "--size", "1MB,2MB", "--ranks", "4,8"};
    const struct cs_option_tables tables = {.shared = cs_scenario_options, .command = CS_FOR_RUN};
    struct cs_scenario scenario;

    cs_scenario_init(&scenario, arena);
    assert_done(cs_options_read(tables, 8, argv, &scenario, &err));
    assert_done(cs_scenario_finish(&scenario, &err));
    assert_int_equal(cs_case_count(&scenario), 8);
    for (uint64_t i = 0; i < 8; i++) {
        struct cs_case which = cs_case_of(&scenario, i);

        assert_string_equal(which.algo->name, i % 2 ? "tree" : "ring");
        assert_int_equal(which.bytes, i / 2 % 2 ? 2000000 : 1000000);
        assert_int_equal(which.ranks, i / 4 ? 8 : 4);
    }
}
