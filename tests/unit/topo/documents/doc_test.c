#include "topo/documents/doc.h"

#include "topo/documents/xml.h"

#include "tests/unit/topo/documents/parsed.h"
#include "topo/documents/values.h"

PARSED_TEST(unknown_keys_are_reported_with_the_nearest)
{
    static const char *const keys[] = {"rate", "latency", NULL};

    opened(f, "rate: 1\nlatencie:\n  - 2\n");
    assert_refused(cs_doc_want_keys(&f->doc, 0, "a class", keys, &err), CS_EINPUT,
                   "f.yaml:2: no key called 'latencie' in a class; did you mean 'latency'?");
    opened(f, "include: other.yaml\n");
    assert_refused(cs_doc_want_keys(&f->doc, 0, "a class", keys, &err), CS_EINPUT,
                   "f.yaml:1: no key called 'include' in a class; expected rate, latency");
}

struct numbers {
    const char *name;
    double rate_Bps, fraction;
    uint64_t time_ps;
    uint32_t count;
    bool is_on, has_count;
};

#define VALUE(name, form, member, ...) CS_VALUE(name, form, struct numbers, member, __VA_ARGS__)

static const struct cs_value number_values[] = {
    VALUE("name", cs_value_text, name, .is_needed = true),
    VALUE("rate", cs_value_rate, rate_Bps),
    VALUE("time", cs_value_time, time_ps),
    VALUE("part", cs_value_fraction, fraction),
    VALUE("count", cs_value_count, count, .most = 8, .said = offsetof(struct numbers, has_count)),
    VALUE("power", cs_value_either, is_on, .words = {"off", "on"}),
    {.name = "parts"},
};

PARSED_TEST(numbers_are_read_with_their_units)
{
    struct numbers numbers = {.time_ps = 7};

    opened(f, "{name: n, rate: 25 GB/s, part: 0.8, count: 8, power: on, parts: [1]}");
    assert_int_equal(
        cs_doc_read_values(&f->doc, 0, "a box", CS_VALUES(number_values), &numbers, &f->err), 0);
    assert_string_equal(numbers.name, "n");
    assert_true(numbers.rate_Bps == 25e9 && numbers.time_ps == 7 && numbers.fraction == 0.8);
    assert_true(numbers.count == 8 && numbers.has_count && numbers.is_on);
}

TEST(a_value_that_no_field_takes_is_reported)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"{nam: n}", "f.yaml:1: no key called 'nam' in a box; did you mean 'name'?"},
        {"{rate: 1 B/s}", "f.yaml:1: a box has no 'name'"},
        {"{name: n,\ncount: 9}", "f.yaml:2: 'count': '9' is out of range; expected 1 to 8"},
        {"{name: n, power: no}", "f.yaml:1: 'power': 'no' is not 'off' or 'on'"},
        {"{name: [1]}", "f.yaml:1: 'name' is a list; expected a text"},
        {"[1]", "f.yaml:1: a box is a list; expected a map of 'key: value'"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct numbers numbers = {0};
        CS_AT_END(parsed_free) struct fixture f = {0};

        opened(&f, cases[i].text);
        assert_refused(
            cs_doc_read_values(&f.doc, 0, "a box", CS_VALUES(number_values), &numbers, &err),
            CS_EINPUT, cases[i].why);
    }
}

PARSED_TEST(a_count_has_a_limit)
{
    uint32_t count = 3;

    opened(f, "[8]");
    assert_int_equal(cs_doc_want_count(&f->doc, 1, "c", 8, &count, &f->err), 0);
    assert_int_equal(count, 8);
    assert_refused(cs_doc_want_count(&f->doc, 1, "'c'", 7, &count, &err), CS_EINPUT,
                   "f.yaml:1: 'c': '8' is out of range; expected 1 to 7");
    assert_int_equal(count, 8);
}

PARSED_TEST(a_value_of_the_wrong_kind_is_reported)
{
    const char *text;

    opened(f, "[[1], {a: 1}, x, '']");
    assert_refused(cs_doc_want_map(&f->doc, 1, "'m'", &err), CS_EINPUT,
                   "f.yaml:1: 'm' is a list; expected a map of 'key: value'");
    assert_refused(cs_doc_want_text(&f->doc, 3, "'t'", &text, &err), CS_EINPUT,
                   "f.yaml:1: 't' is a map; expected a text");
    assert_refused(cs_doc_want_list(&f->doc, 5, "'l'", &err), CS_EINPUT,
                   "f.yaml:1: 'l' is a text; expected a list");
    assert_refused(cs_doc_want_text(&f->doc, 6, "'t'", &text, &err), CS_EINPUT,
                   "f.yaml:1: 't' is empty; expected a text");
}

PARSED_TEST(elements_of_xml_are_searched_like_maps)
{
    static const char text[] = "<a><b x='1'/><c/><b x='2'>t</b></a>";
    uint32_t b;

    assert_int_equal(cs_xml_read_text((struct cs_doc_text){"f.xml", text, strlen(text)}, &f->doc,
                                      &f->arena, &f->err),
                     0);
    b = cs_doc_get(&f->doc, 0, "b");
    assert_true(cs_doc_is(&f->doc, b, "b"));
    assert_false(cs_doc_is(&f->doc, b, "c"));
    assert_string_equal(cs_doc_attribute(&f->doc, b, "x"), "1");
    assert_null(cs_doc_attribute(&f->doc, b, "y"));
    assert_int_equal(cs_doc_count(&f->doc, 0, "b"), 2);
    assert_int_equal(cs_doc_count(&f->doc, 0, "d"), 0);
    assert_int_equal(cs_doc_get(&f->doc, 0, "d"), CS_DOC_NONE);
}
