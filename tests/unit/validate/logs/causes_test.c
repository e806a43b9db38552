/* Causes: names, words, and times that no cause of a loss improves. */
#include "validate/logs/causes.h"

#include "sim/base/text.h"
#include "tests/site.h"

extern const struct cs_library cs_library_nccl;

static struct cs_site two_nodes(void)
{
    return site_of("cluster:node=dgx-h100,nodes=2", 0);
}

static struct cs_changed none_of(const struct cs_site *site)
{
    const struct cs_library_request request = {
        .site = site,
        .collective = &cs_collective_allreduce,
        .effects = CS_EFFECTS_ALL,
    };

    return cs_changed_none(&cs_library_nccl, &request);
}

static const struct cs_cause *cause_of(const char *name)
{
    for (uint32_t i = 0; i < cs_cause_count; i++)
        if (cs_same(cs_causes[i].name, name))
            return &cs_causes[i];
    fail_msg("no cause %s", name);
    return NULL;
}

TEST(words_have_the_figures_of_the_level)
{
    struct cs_site site = two_nodes();
    struct cs_changed changed = none_of(&site);
    char text[CS_CAUSE_WORDS];

    assert_true(cause_of("adapters")->apply(&changed, 1));
    assert_string_equal(cs_cause_words(cause_of("adapters"), &changed, text),
                        "4 of 8 adapters were used");
    assert_int_equal(changed.site.adapters, 4);
    changed = none_of(&site);
    assert_true(cause_of("protocol")->apply(&changed, 1));
    assert_string_equal(cs_cause_words(cause_of("protocol"), &changed, text),
                        "the protocol was forced to ll");
}

TEST(no_level_equals_another)
{
    struct cs_site site = two_nodes();

    for (uint32_t i = 0; i < cs_cause_count; i++) {
        char before[CS_CAUSE_WORDS] = "";

        for (unsigned level = 0; level < 8; level++) {
            struct cs_changed changed = none_of(&site);
            char text[CS_CAUSE_WORDS];

            if (!cs_causes[i].apply(&changed, level))
                continue;
            cs_cause_words(&cs_causes[i], &changed, text);
            if (!(changed.unknown_sd > 0)) /* the words of any unknown cause */
                assert_string_not_equal(text, before);
            assert_null(strchr(text, '{'));
            memcpy(before, text, sizeof(text));
        }
    }
}

/* Rates inside a node are those of links, or of copies through host memory. */
TEST(copies_are_slow_where_no_links_are)
{
    struct cs_site linked = two_nodes();
    struct cs_site staged = site_of("node:gpu=rtx4090,gpus=4,links=none", 0);
    struct cs_changed changed = none_of(&linked);

    assert_false(cause_of("slow-copies")->apply(&changed, 2));
    assert_true(cause_of("slow-node")->apply(&changed, 2));
    changed = none_of(&staged);
    assert_false(cause_of("slow-node")->apply(&changed, 2));
    assert_true(cause_of("slow-copies")->apply(&changed, 2));
    assert_within(changed.site.pcie_Bps, staged.pcie_Bps / 4, 1);
}

/* Lost hardware takes no time off a large call. */
TEST(lost_hardware_is_never_faster)
{
    static const char *const names[] = {"adapters", "no-gdr", "host-path",
                                        "tcp",      "clock",  "channels"};
    struct cs_site site = two_nodes();
    struct cs_changed none = none_of(&site);
    struct cs_library_time sound, time;

    for (unsigned octave = 26; octave < 34; octave++) {
        uint64_t bytes = UINT64_C(1) << octave;

        assert_int_equal(cs_changed_time(&none, bytes, &sound, NULL), 0);
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
            for (unsigned level = 0; level < 8; level++) {
                struct cs_changed changed = none;

                if (!cause_of(names[i])->apply(&changed, level))
                    continue;
                assert_int_equal(cs_changed_time(&changed, bytes, &time, NULL), 0);
                if (time.total_s < .999 * sound.total_s)
                    fail_msg("%s, level %u, 2^%u B", names[i], level, octave);
            }
    }
}

TEST(a_refused_choice_is_not_taken)
{
    struct cs_site site = two_nodes();
    struct cs_changed changed = none_of(&site);
    struct cs_library_time time;
    const uint64_t bytes = UINT64_C(1) << 33;

    assert_int_equal(cs_changed_time(&changed, bytes, &time, NULL), 0);
    assert_string_equal(time.engine, "nvls-tree");
    assert_true(cause_of("no-nvls")->apply(&changed, 0));
    assert_int_equal(cs_changed_time(&changed, bytes, &time, NULL), 0);
    assert_string_equal(time.engine, "ring");
}
