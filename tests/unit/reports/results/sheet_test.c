#include "reports/results/sheet.h"

#include "tests/test.h"

struct row {
    const char *name;
    uint64_t bytes, time_ps;
    double slowdown;
    bool cut;
};

#define AT(member) CS_AT(struct row, member)
static const struct cs_sheet_column columns[] = {
    {"name", "name", NULL, CS_SHEET_TEXT, AT(name)},
    {"bytes", "size", "of one", CS_SHEET_BYTES, AT(bytes), CS_IF_POSITIVE},
    {"time_s", "time", NULL, CS_SHEET_TIME, AT(time_ps), CS_IF_POSITIVE},
    {"slowdown", "slower", NULL, CS_SHEET_TIMES, AT(slowdown)},
    {"cut", "cut", NULL, CS_SHEET_BOOL, AT(cut)},
};

static const struct row rows[] = {
    {"a, \"b\"", 1048576, 1500000, 1.25, true},
    {"c", 0, 0, (double)NAN, false},
};

static void fill(struct cs_sheet *sheet)
{
    cs_sheet_fill(sheet, CS_ROWS("checks", columns, rows, 2));
}

static void expect_written(enum cs_format format, const char *expected)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    fill(&sheet);
    cs_sheet_write(&sheet, format, CS_STYLE_PLAIN, &text);
    assert_string_equal(cs_text_str(&text), expected);
}

TEST(people_read_units)
{
    expect_written(CS_FORMAT_TEXT, "name      size    time  slower  cut\n"
                                   "        of one\n"
                                   "------  ------  ------  ------  ---\n"
                                   "a, \"b\"   1 MiB  1.5 us  1.25 x  yes\n"
                                   "c            -       -       -  no\n");
}

TEXT_TEST(people_see_no_column_without_values)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_fill(&sheet, CS_ROWS("checks", columns, &rows[1], 1));
    cs_sheet_write(&sheet, CS_FORMAT_TEXT, CS_STYLE_PLAIN, out);
    cs_sheet_write(&sheet, CS_FORMAT_CSV, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "name  cut\n"
                                          "----  ---\n"
                                          "c     no\n"
                                          "name,bytes,time_s,slowdown,cut\n"
                                          "c,,,,false\n");
}

TEST(programs_read_numbers_under_names)
{
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

TEXT_TEST(named_numbers_are_an_object_of_json)
{
    static const struct cs_sheet_column named[] = {
        {"links", "links", NULL, CS_SHEET_NAMED, AT(name)}};
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "jobs", named, 1);
    cs_sheet_row(&sheet, &(struct row){.name = "nvlink4 x18=1048576; m = 2=0.5"});
    cs_sheet_row(&sheet, &(struct row){0});
    cs_sheet_write(&sheet, CS_FORMAT_JSON, CS_STYLE_PLAIN, out);
    cs_sheet_write(&sheet, CS_FORMAT_CSV, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "{\n"
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
}

TEXT_TEST(no_rows_are_a_header_or_an_empty_array)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "checks", columns, 5);
    cs_sheet_write(&sheet, CS_FORMAT_JSON, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "{\n  \"checks\": []\n}\n");
}

TEST(texts_of_a_row_are_copied)
{
    char name[] = "ring", text[CS_SHEET_SHOWN];
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "copy", CS_COLUMNS(columns));
    cs_sheet_row(&sheet, &(struct row){.name = name, .time_ps = 1500000, .slowdown = 1.25});
    name[0] = 'k';
    assert_int_equal(cs_sheet_rows(&sheet), 1);
    assert_string_equal(cs_sheet_at(&sheet, 0, 0)->is.text, "ring");
    assert_int_equal(cs_sheet_at(&sheet, 0, 2)->is.u64, 1500000);
    assert_false(cs_sheet_at(&sheet, 0, 1)->known);
    assert_string_equal(cs_sheet_show(&sheet, 0, 3, text), "1.25 x");
}
