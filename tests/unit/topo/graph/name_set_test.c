#include "topo/graph/name_set.h"

#include "sim/base/text.h"
#include "tests/test.h"

/* Three of everything whose text ends in 'u'. */
static uint32_t three(const void *ctx, const char *text, size_t length)
{
    (void)ctx;
    return length && text[length - 1] == 'u' ? 3 : 0;
}

static const struct cs_name_bound bound = {three, NULL};

static void expands(const char *text, const char *expected)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_text_free) struct cs_text all = {0};
    struct cs_name_set set;

    assert_done(cs_name_set_parse(text, &bound, &set, &arena, &err));
    for (uint64_t i = 0; i < set.count; i++) {
        char name[CS_NAME_MAX];

        cs_name_set_nth(&set, i, name);
        cs_text_printf(&all, "%s%s", i ? " " : "", name);
    }
    assert_string_equal(cs_text_str(&all), expected);
}

static uint64_t count(const char *text)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_name_set set;

    assert_int_equal(cs_name_set_parse(text, &bound, &set, &arena, NULL), 0);
    return set.count;
}

TEST(the_right_number_of_a_set_varies_fastest)
{
    expands("gpu3", "gpu3");
    expands("gpu[0-3]", "gpu0 gpu1 gpu2 gpu3");
    expands("gpu[7,0-1]", "gpu7 gpu0 gpu1");
    expands("n[0-1].x[2-3]y", "n0.x2y n0.x3y n1.x2y n1.x3y");
    expands("[4-5]", "4 5");
}

/* Numbers have the digits of the first, and [*] is no set. */
ARENA_TEST(sets_of_other_programs_keep_zeros)
{
    struct cs_name_set set;
    char name[CS_NAME_MAX];

    assert_done(cs_name_set_parse("r[1-2]n[08-12,100]", NULL, &set, arena, &err));
    assert_true(set.count == 12);
    cs_name_set_nth(&set, 0, name);
    assert_string_equal(name, "r1n08");
    cs_name_set_nth(&set, 4, name);
    assert_string_equal(name, "r1n12");
    cs_name_set_nth(&set, 11, name);
    assert_string_equal(name, "r2n100");
    assert_int_equal(cs_name_set_parse("n[*]", NULL, &set, arena, NULL), CS_EINPUT);
}

TEST(a_star_is_every_existing_number)
{
    expands("gpu[*]", "gpu0 gpu1 gpu2");
    expands("u[*].gpu[1-2]", "u0.gpu1 u0.gpu2 u1.gpu1 u1.gpu2 u2.gpu1 u2.gpu2");
}

TEST(large_sets_are_counted_without_expansion)
{
    assert_true(count("a[0-4294967294]") == UINT32_MAX);
    assert_true(count("a[0-4294967294][0-4294967294][0-9][0-9]") == UINT64_C(1) << 62);
}

TEST(other_forms_are_rejected)
{
    static const char *const texts[] = {
        "",       "a[",      "a[]",           "a]",
        "a[1-0]", "a[00]",   "a[0-]",         "a[-1]",
        "a[1,]",  "a[1 2]",  "a[1",           "a[1-2-3]",
        "a[*",    "gpu[*1]", "a[4294967295]", "a[99999999999999999999]",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_name_set set;

        assert_int_equal(cs_name_set_parse(texts[i], &bound, &set, &arena, NULL), CS_EINPUT);
    }
}

ARENA_TEST(a_star_after_an_unnumbered_name_is_rejected)
{
    struct cs_name_set set;

    assert_refused(cs_name_set_parse("leaf[*]", &bound, &set, arena, &err), CS_EINPUT,
                   "nothing called 'leaf' has a 'count', so 'leaf[*]' names nothing");
}

ARENA_TEST(long_names_are_truncated_and_long_texts_rejected)
{
    char text[CS_NAME_SET_MAX + 2];
    struct cs_name_set set;
    char name[CS_NAME_MAX];

    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_refused(cs_name_set_parse(text, &bound, &set, arena, &err), CS_EINPUT,
                   "a set of names has over 1000 letters; use a list");
    text[sizeof(text) - 2] = '\0';
    assert_int_equal(cs_name_set_parse(text, &bound, &set, arena, NULL), 0);
    cs_name_set_nth(&set, 0, name);
    assert_int_equal(strlen(name), CS_NAME_MAX - 1);
    memcpy(text + CS_NAME_MAX - 4, "[1000000-1000001]b[0-1]", 24);
    assert_int_equal(cs_name_set_parse(text, &bound, &set, arena, NULL), 0);
    cs_name_set_nth(&set, 3, name);
    assert_int_equal(strlen(name), CS_NAME_MAX - 1);
}
