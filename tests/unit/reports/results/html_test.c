#include "reports/results/html.h"

#include "tests/test.h"

TEXT_TEST(markup_in_a_text_is_text)
{
    cs_html_add(out, "<b a=\"1\">&\xC3\xA9\x01\xFF");
    assert_string_equal(out->data, "&lt;b a=&quot;1&quot;&gt;&amp;\xC3\xA9"
                                   "\xEF\xBF\xBD\xEF\xBF\xBD");
}

/* Pictures are XML, in whose texts ]]> is an error. */
TEXT_TEST(the_end_of_a_section_of_data_is_text)
{
    cs_html_add(out, "a]]>b");
    assert_string_equal(out->data, "a]]&gt;b");
}

TEXT_TEST(lines_stay_lines_where_they_are_wanted)
{
    cs_html_add_lines(out, "a<\nb");
    assert_string_equal(out->data, "a&lt;\nb");
}

TEXT_TEST(json_cannot_end_its_script_element)
{
    cs_html_add_json(out, "</script>\"\\\n\xC3\xA9\xFF");
    assert_string_equal(out->data, "\"\\u003c/script\\u003e\\u0022\\u005c\\u000a\xC3\xA9\\ufffd\"");
}
