/* The registry of libraries, with versions. */
#include "algorithms/libraries/library.h"

#include "sim/base/text.h"
#include "tests/fixture.h"

TEST(a_name_may_carry_a_version)
{
    const struct cs_library *library;
    uint32_t version;

    assert_done(cs_library_find("nccl", &library, &version, &err));
    assert_string_equal(library->name, "nccl");
    assert_int_equal(version, 0);
    assert_done(cs_library_find("nccl=2.27.5", &library, &version, &err));
    assert_int_equal(version, 22705);
    assert_done(cs_library_find("nccl=2.31", &library, &version, &err));
    assert_int_equal(version, 23100);
    assert_done(cs_library_find("rccl=2.18", &library, &version, &err));
    assert_int_equal(version, 21800);
}

static void expect_refusal(const char *text, const char *word)
{
    const struct cs_library *library;
    struct cs_err err = {0};
    uint32_t version;

    assert_int_equal(cs_library_find(text, &library, &version, &err), CS_EINPUT);
    if (!strstr(err.text, word))
        fail_msg("'%s' lacks '%s'", err.text, word);
}

TEST(unknown_names_and_versions_are_refused)
{
    expect_refusal("ncl", "did you mean 'nccl'");
    expect_refusal("zzzzzz", "expected nccl");
    expect_refusal("nccl=", "not a version");
    expect_refusal("nccl=2", "not a version");
    expect_refusal("nccl=2.x", "not a version");
    expect_refusal("nccl=2.27.5.1", "not a version");
    expect_refusal("nccl=2.270", "not a version");
    expect_refusal("nccl=2.3", "expected 2.4 to 2.30");
    expect_refusal("nccl=3.0", "expected 2.4 to 2.30");
    expect_refusal("rccl=2.17", "expected 2.18 to 2.27");
    expect_refusal("mpi=3.1", "expected 4.0 to 5.0");
    expect_refusal("gloo=1.0", "no versions");
}

TEST(every_library_names_its_source_and_has_its_own_name)
{
    for (size_t i = 0; i < cs_library_count; i++) {
        assert_non_null(cs_libraries[i]->source);
        assert_non_null(cs_libraries[i]->about);
        assert_non_null(cs_libraries[i]->time);
        for (size_t j = 0; j < i; j++)
            assert_false(cs_same(cs_libraries[i]->name, cs_libraries[j]->name));
    }
}
