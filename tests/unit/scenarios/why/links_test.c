/* Links that could be faster: those slower than their equals, and a class. */
#include "scenarios/why/causes.h"

#include "scenarios/options/options.h"
#include "tests/fixture.h"
#include "tests/unit/reports/sample.h"

/* Eight GPUs on a switch; the link of gpu2 has `rate`. */
static const char *write_machine(struct cs_arena *arena, const char *dir, const char *rate)
{
    const char *path = cs_arena_printf(arena, "%s/m.yaml", dir);
    const char *text = cs_arena_printf(arena,
                                       "name: m\n"
                                       "node:\n"
                                       "  devices:\n"
                                       "    gpu: {kind: gpu, count: 8}\n"
                                       "    sw: {kind: switch}\n"
                                       "  links:\n"
                                       "    - {from: \"gpu[0-1]\", to: sw, class: fast}\n"
                                       "    - {from: gpu2, to: sw, class: odd}\n"
                                       "    - {from: \"gpu[3-7]\", to: sw, class: fast}\n"
                                       "classes:\n"
                                       "  fast: {rate: 50 GB/s, latency: 1 us}\n"
                                       "  odd: {rate: %s, latency: 1 us}\n",
                                       rate);

    assert_int_equal(sample_write(path, text), 0);
    return path;
}

struct looking {
    struct cs_arena arena;
    struct cs_scenario scenario;
    struct cs_faults faults;
    const char *what;
    char dir[64];
};

static void begin(struct looking *looking)
{
    *looking = (struct looking){.what = NULL};
    assert_int_equal(sample_dir_make(looking->dir), 0);
    cs_scenario_init(&looking->scenario, &looking->arena);
}

static void end(struct looking *looking)
{
    cs_arena_free(&looking->arena);
    sample_dir_remove(looking->dir);
}

#define LOOKING_TEST(name) TEST_OF(struct looking, looking, end, name)

LOOKING_TEST(a_slower_link_is_raised_to_its_equals)
{
    begin(looking);
    looking->scenario.topo = write_machine(&looking->arena, looking->dir, "10 GB/s");
    assert_true(
        cs_why_slow_links(&looking->scenario, &looking->arena, &looking->faults, &looking->what));
    assert_int_equal(looking->faults.count, 1);
    assert_string_equal(looking->faults.item[0].where, "gpu2-sw");
    assert_true(fabs(looking->faults.item[0].rate - 5) < 1e-9);
    assert_non_null(strstr(looking->what, "gpu2-sw (odd)"));
}

LOOKING_TEST(equal_links_are_no_cause)
{
    begin(looking);
    looking->scenario.topo = write_machine(&looking->arena, looking->dir, "50 GB/s");
    assert_false(
        cs_why_slow_links(&looking->scenario, &looking->arena, &looking->faults, &looking->what));
}

/* A faster link than the others is no reason to call the others slow. */
LOOKING_TEST(one_faster_link_is_no_cause)
{
    begin(looking);
    looking->scenario.topo = write_machine(&looking->arena, looking->dir, "90 GB/s");
    assert_false(
        cs_why_slow_links(&looking->scenario, &looking->arena, &looking->faults, &looking->what));
}

LOOKING_TEST(links_of_a_class_are_doubled)
{
    begin(looking);
    looking->scenario.topo = "dgx";
    assert_true(cs_why_class_links(&looking->scenario, "gpu0 -> nvswitch (nvlink3 x12)",
                                   &looking->arena, &looking->faults, &looking->what));
    assert_int_equal(looking->faults.count, 8);
    for (uint32_t f = 0; f < looking->faults.count; ++f)
        assert_true(fabs(looking->faults.item[f].rate - 2) < 1e-9);
}

LOOKING_TEST(texts_without_a_class_have_no_links)
{
    static const char *const texts[] = {"", "gpu0 -> sw", "gpu0 )fast(", "gpu0 -> sw (nosuch)"};

    begin(looking);
    looking->scenario.topo = "dgx";
    for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); ++t)
        assert_false(cs_why_class_links(&looking->scenario, texts[t], &looking->arena,
                                        &looking->faults, &looking->what));
    looking->scenario.topo = "nosuch";
    assert_false(
        cs_why_slow_links(&looking->scenario, &looking->arena, &looking->faults, &looking->what));
}
