/* Frameworks: the table, and options of a framework before those of the user. */
#include "scenarios/train/command/framework.h"

#include "scenarios/train/command/given.h"
#include "tests/fixture.h"

#include "sim/base/text.h"

static const char *release_of(const char *text)
{
    const struct cs_framework *entry;

    assert_done(cs_framework_find(text, &entry, &err));
    return entry->release;
}

TEST(a_release_takes_the_nearest_older_entry)
{
    assert_string_equal(release_of("megatron=core_r0.5"), "core_r0.5");
    assert_string_equal(release_of("megatron=core_r0.9.1"), "core_r0.5");
    assert_string_equal(release_of("megatron=0.13"), "core_r0.12");
    assert_string_equal(release_of("megatron=0.1"), "core_r0.5"); /* none is older */
    assert_string_equal(release_of("Megatron"), "core_r0.12");
    assert_string_equal(release_of("nemo=25.04"), "25.02");
}

TEST(an_unknown_framework_gets_the_nearest)
{
    const struct cs_framework *entry;
    struct cs_err err = {0};

    assert_int_equal(cs_framework_find("torchtitans=0.1", &entry, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "did you mean 'torchtitan'?"));
    err = (struct cs_err){0};
    assert_int_equal(cs_framework_find("=new", &entry, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "no framework called ''"));
    err = (struct cs_err){0};
    assert_int_equal(cs_framework_find("Nemo=new", &entry, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "such as nemo="));
    assert_int_equal(cs_framework_find(strstr(err.text, "nemo="), &entry, NULL), 0);
    assert_string_equal(entry->release, strrchr(err.text, '=') + 1); /* it exists */
}

static int read_line(const char *line, struct cs_arena *arena, struct cs_train_options *given,
                     struct cs_err *err)
{
    char *words = cs_arena_text(arena, line), *argv[32], *rest = NULL;
    int argc = 0;

    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    return cs_train_read(argc, argv, arena, given, err);
}

/* Every entry is a sentence of options and has a source; names are together, and their
 * releases in order. */
TEST(entries_are_read_and_in_order)
{
    for (size_t f = 0; f < cs_framework_count; f++) {
        const struct cs_framework *entry = &cs_frameworks[f];
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_train_options given;
        char line[80];

        snprintf(line, sizeof(line), "--framework %s=%s", entry->name, entry->release);
        assert_done(read_line(line, &arena, &given, &err));
        assert_ptr_equal(given.framework_entry, entry);
        assert_true(strlen(entry->source) > 20);
        assert_string_equal(release_of(line + strlen("--framework ")), entry->release);
        for (size_t g = f + 1; g < cs_framework_count; g++)
            assert_true(!cs_same(cs_frameworks[g].name, entry->name) ||
                        cs_same(cs_frameworks[g - 1].name, entry->name));
    }
}

ARENA_TEST(the_user_wins_over_the_framework)
{
    struct cs_train_options given;

    assert_done(read_line("--attention flash-2 --no-overlap-tensor --framework nemo=25.02", arena,
                          &given, &err));
    assert_string_equal(given.system, "zero1");
    assert_int_equal(given.attention, CS_ATTENTION_FLASH_2);
    assert_false(given.job.framework.overlap_tensor);
    assert_true(given.job.framework.overlap_gather);
    for (uint32_t i = 0; i < given.scenario.given.count; i++) {
        const struct cs_given *item = &given.scenario.given.items[i];

        if (cs_same(item->option->name, "attention") ||
            cs_same(item->option->name, "overlap-tensor"))
            assert_false(item->implied);
        if (cs_same(item->option->name, "system"))
            assert_true(item->implied);
    }
}
