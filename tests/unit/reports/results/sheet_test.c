#include "reports/results/sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static const struct cs_sheet_column columns[] = {
    {"name", "name", NULL, CS_SHEET_TEXT, CS_BY_CELL},
    {"bytes", "size", "of one", CS_SHEET_BYTES, CS_BY_CELL},
    {"time_s", "time", NULL, CS_SHEET_TIME, CS_BY_CELL},
    {"slowdown", "slower", NULL, CS_SHEET_TIMES, CS_BY_CELL},
    {"cut", "cut", NULL, CS_SHEET_BOOL, CS_BY_CELL},
};

static void fill(struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "checks", columns, 5);
    cs_sheet_text(sheet, "a, \"b\"");
    cs_sheet_u64(sheet, 1048576);
    cs_sheet_u64(sheet, 1500000);
    cs_sheet_real(sheet, 1.25);
    cs_sheet_bool(sheet, true);
    cs_sheet_text(sheet, "c");
    cs_sheet_none(sheet);
    cs_sheet_none(sheet);
    cs_sheet_real(sheet, (double)NAN);
    cs_sheet_bool(sheet, false);
}

static void expect_written(enum cs_format format, const char *expected)
{
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};

    fill(&sheet);
    cs_sheet_write(&sheet, format, CS_STYLE_PLAIN, &text);
    assert_string_equal(cs_text_str(&text), expected);
    cs_text_free(&text);
    cs_sheet_free(&sheet);
}

static void people_read_units(void **state)
{
    (void)state;
    expect_written(CS_FORMAT_TEXT, "name      size    time  slower  cut\n"
                                   "        of one\n"
                                   "------  ------  ------  ------  ---\n"
                                   "a, \"b\"   1 MiB  1.5 us  1.25 x  yes\n"
                                   "c            -       -       -  no\n");
}

static void programs_read_numbers_under_names(void **state)
{
    (void)state;
    expect_written(CS_FORMAT_CSV, "name,bytes,time_s,slowdown,cut\n"
                                  "\"a, \"\"b\"\"\",1048576,0.0000015,1.25,true\n"
                                  "c,,,,false\n");
    expect_written(CS_FORMAT_JSON, "{\n"
                                   "  \"checks\": [\n"
                                   "    {\n"
                                   "      \"name\": \"a, \\\"b\\\"\",\n"
                                   "      \"bytes\": 1048576,\n"
                                   "      \"time_s\": 0.0000015,\n"
                                   "      \"slowdown\": 1.25,\n"
                                   "      \"cut\": true\n"
                                   "    },\n"
                                   "    {\n"
                                   "      \"name\": \"c\",\n"
                                   "      \"bytes\": null,\n"
                                   "      \"time_s\": null,\n"
                                   "      \"slowdown\": null,\n"
                                   "      \"cut\": false\n"
                                   "    }\n"
                                   "  ]\n"
                                   "}\n");
}

static void named_numbers_are_an_object_of_json(void **state)
{
    static const struct cs_sheet_column named[] = {
        {"links", "links", NULL, CS_SHEET_NAMED, CS_BY_CELL}};
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};

    (void)state;
    cs_sheet_begin(&sheet, "jobs", named, 1);
    cs_sheet_text(&sheet, "nvlink4 x18=1048576; m = 2=0.5");
    cs_sheet_none(&sheet);
    cs_sheet_write(&sheet, CS_FORMAT_JSON, CS_STYLE_PLAIN, &text);
    cs_sheet_write(&sheet, CS_FORMAT_CSV, CS_STYLE_PLAIN, &text);
    assert_string_equal(cs_text_str(&text), "{\n"
                                            "  \"jobs\": [\n"
                                            "    {\n"
                                            "      \"links\": {\n"
                                            "        \"nvlink4 x18\": 1048576,\n"
                                            "        \"m = 2\": 0.5\n"
                                            "      }\n"
                                            "    },\n"
                                            "    {\n"
                                            "      \"links\": null\n"
                                            "    }\n"
                                            "  ]\n"
                                            "}\n"
                                            "links\n"
                                            "nvlink4 x18=1048576; m = 2=0.5\n"
                                            "\n");
    cs_text_free(&text);
    cs_sheet_free(&sheet);
}

static void no_rows_are_a_header_or_an_empty_array(void **state)
{
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};

    (void)state;
    cs_sheet_begin(&sheet, "checks", columns, 5);
    cs_sheet_write(&sheet, CS_FORMAT_JSON, CS_STYLE_PLAIN, &text);
    assert_string_equal(cs_text_str(&text), "{\n  \"checks\": []\n}\n");
    cs_text_free(&text);
    cs_sheet_free(&sheet);
}

static void an_interrupted_sheet_is_a_single_document(void **state)
{
    struct cs_sheet sheet = {0};
    struct cs_text text = {0};

    (void)state;
    cs_sheet_begin(&sheet, "checks", &columns[3], 2);
    cs_sheet_real(&sheet, 2);
    cs_sheet_bool(&sheet, true);
    cs_sheet_write_broken(&sheet, "stopped", 130, &text);
    assert_string_equal(cs_text_str(&text), "{\n"
                                            "  \"error\": \"stopped\",\n"
                                            "  \"exit\": 130,\n"
                                            "  \"interrupted\": true,\n"
                                            "  \"checks\": [\n"
                                            "    {\n"
                                            "      \"slowdown\": 2,\n"
                                            "      \"cut\": true\n"
                                            "    }\n"
                                            "  ]\n"
                                            "}\n");
    cs_text_free(&text);
    cs_sheet_free(&sheet);
}

static void cells_are_copied_with_their_texts(void **state)
{
    struct cs_sheet from = {0}, to = {0};
    char text[CS_SHEET_SHOWN];

    (void)state;
    fill(&from);
    assert_int_equal(cs_sheet_rows(&from), 2);
    cs_sheet_begin(&to, "copy", columns, 5);
    for (size_t r = 2; r-- > 0;)
        for (size_t c = 0; c < 5; c++)
            cs_sheet_copy(&to, &from, r, c);
    cs_sheet_free(&from);
    assert_int_equal(cs_sheet_rows(&to), 2);
    assert_string_equal(cs_sheet_at(&to, 1, 0)->is.text, "a, \"b\"");
    assert_int_equal(cs_sheet_at(&to, 1, 2)->is.u64, 1500000);
    assert_false(cs_sheet_at(&to, 0, 1)->known);
    assert_string_equal(cs_sheet_show(&to, 1, 3, text), "1.25 x");
    cs_sheet_free(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_read_units),
        cmocka_unit_test(programs_read_numbers_under_names),
        cmocka_unit_test(named_numbers_are_an_object_of_json),
        cmocka_unit_test(no_rows_are_a_header_or_an_empty_array),
        cmocka_unit_test(an_interrupted_sheet_is_a_single_document),
        cmocka_unit_test(cells_are_copied_with_their_texts),
    };

    return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
