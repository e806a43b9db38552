#include "reports/results/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void markup_in_a_text_is_text(void **state)
{
    struct cs_text out = {0};

    (void)state;
    cs_html_add(&out, "<b a=\"1\">&\xC3\xA9\x01\xFF");
    assert_string_equal(out.data, "&lt;b a=&quot;1&quot;&gt;&amp;\xC3\xA9"
                                  "\xEF\xBF\xBD\xEF\xBF\xBD");
    cs_text_free(&out);
}

/* Pictures are XML, in whose texts ]]> is an error. */
static void the_end_of_a_section_of_data_is_text(void **state)
{
    struct cs_text out = {0};

    (void)state;
    cs_html_add(&out, "a]]>b");
    assert_string_equal(out.data, "a]]&gt;b");
    cs_text_free(&out);
}

static void lines_stay_lines_where_they_are_wanted(void **state)
{
    struct cs_text out = {0};

    (void)state;
    cs_html_add_lines(&out, "a<\nb");
    assert_string_equal(out.data, "a&lt;\nb");
    cs_text_free(&out);
}

static void json_cannot_end_its_script_element(void **state)
{
    struct cs_text out = {0};

    (void)state;
    cs_html_add_json(&out, "</script>\"\\\n\xC3\xA9\xFF");
    assert_string_equal(out.data, "\"\\u003c/script\\u003e\\u0022\\u005c\\u000a"
                                  "\xC3\xA9\\ufffd\"");
    cs_text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_in_a_text_is_text),
        cmocka_unit_test(the_end_of_a_section_of_data_is_text),
        cmocka_unit_test(lines_stay_lines_where_they_are_wanted),
        cmocka_unit_test(json_cannot_end_its_script_element),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
