#include "sim/base/hint.h"

#include "tests/test.h"

static const char *const names[] = {"star", "rail", "fat-tree"};

TEST(a_near_name_is_suggested)
{
    assert_string_equal(cs_hint("sta", names, 3, "see the list").text, "; did you mean 'star'?");
    assert_string_equal(cs_hint_all("rial", names, 3).text, "; did you mean 'rail'?");
}

TEST(without_a_near_name_the_alternative_follows)
{
    assert_string_equal(cs_hint("xyz", names, 3, "see the list").text, "; see the list");
    assert_string_equal(cs_hint("xyz", names, 3, NULL).text, "");
    assert_string_equal(cs_hint_all("xyz", names, 3).text, "; expected star, rail, fat-tree");
}

TEST(names_that_contain_the_word_are_suggested)
{
    static const char *const links[] = {"ib-ndr", "gbe", "10gbe-roce", "25gbe-roce", "40gbe-roce"};

    assert_string_equal(cs_hint("ndr", links, 5, NULL).text, "; did you mean 'ib-ndr'?");
    assert_string_equal(cs_hint_prefixed("-", "roce", links, 5, "x").text,
                        "; did you mean '-10gbe-roce', '-25gbe-roce' or '-40gbe-roce'?");
    assert_string_equal(cs_hint("ro", links, 5, "x").text, "; x");
}

TEST(a_word_in_many_names_suggests_none)
{
    const char *many[7];

    for (size_t i = 0; i < 7; i++)
        many[i] = "a-name-of-some-length";
    assert_string_equal(cs_hint("some", many, 7, "x").text, "; x");
}

TEST(a_prefix_precedes_the_suggested_name_only)
{
    assert_string_equal(cs_hint_prefixed("--", "rial", names, 3, "x").text,
                        "; did you mean '--rail'?");
    assert_string_equal(cs_hint_prefixed("--", "xyz", names, 3, "x").text, "; x");
}

TEST(a_long_list_is_truncated)
{
    const char *many[200];

    for (size_t i = 0; i < 200; i++)
        many[i] = "a-name-of-some-length";
    assert_int_equal(strlen(cs_hint_all("xyz", many, 200).text), CS_ERR_TEXT_MAX - 1);
}

TEST(numbers_that_divide_are_named)
{
    assert_string_equal(cs_hint_divisors(8, 3).text, "; expected 2 or 4");
    assert_string_equal(cs_hint_divisors(8, 16).text, "; expected 8");
    assert_string_equal(cs_hint_divisors(25, 2).text, "; expected 1 or 5");
    assert_string_equal(cs_hint_divisors(7, 0).text, "; expected 1");
    assert_string_equal(cs_hint_multiples(8, 100).text, "; expected 96 or 104");
    assert_string_equal(cs_hint_multiples(8, 7).text, "; expected 8");
    assert_string_equal(cs_hint_multiples(8, 16).text, "; expected 16");
}
