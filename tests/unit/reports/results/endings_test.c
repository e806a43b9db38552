#include "reports/results/endings.h"

#include "tests/fixture.h"

TEST(the_ending_decides_without_regard_to_case)
{
    static const char *const formats[] = {"text", "html", "svg", NULL};
    size_t format = 9;

    assert_done(cs_endings_choose("--out", "a.b/ring.HTM", formats, &format, &err));
    assert_int_equal(format, 1);
    assert_refused(cs_endings_choose("--out", "ring.gif", formats, &format, &err), CS_EINPUT,
                   "--out: 'ring.gif' does not end in .txt, .text, .html, .htm or .svg");
    assert_int_equal(cs_endings_choose("--out", "ring", formats, &format, NULL), CS_EINPUT);
}

TEST(a_format_refuses_the_endings_of_others)
{
    assert_done(cs_endings_check("--out", "m.yml", "yaml", &err));
    assert_done(cs_endings_check("--out", NULL, "yaml", &err));
    assert_done(cs_endings_check("--out", "a.b/stdout", "yaml", &err));
    assert_done(cs_endings_check("--out", ".hidden", "yaml", &err));
    assert_refused(cs_endings_check("--out", "m.svg", "yaml", &err), CS_EINPUT,
                   "--out: 'm.svg' does not end in .yaml or .yml, as files of format yaml do");
    assert_int_equal(cs_endings_check("--out", "m.foo", "goal", NULL), CS_EINPUT);
}

TEST(an_ending_of_two_formats_is_listed_once)
{
    static const char *const formats[] = {"goal", "table", NULL};
    size_t format;

    assert_refused(cs_endings_choose("--out", "s.foo", formats, &format, &err), CS_EINPUT,
                   "--out: 's.foo' does not end in .goal, .txt, .table or .cs");
}
