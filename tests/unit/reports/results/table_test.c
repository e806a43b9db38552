#include "reports/results/table.h"
#include "sim/base/utf8.h"
#include "tests/test.h"

static const struct cs_table_column columns[] = {
    {"name", NULL, CS_TABLE_LEFT},
    {"time", "ms", CS_TABLE_RIGHT},
    {"note", NULL, CS_TABLE_LEFT},
};

static void fill(struct cs_table *table)
{
    cs_table_begin(table, columns, 3);
    cs_table_cell(table, "ring");
    cs_table_cellf(table, "%.1f", 7.5);
    cs_table_cell(table, NULL);
    cs_table_cell(table, "naive");
    cs_table_cell(table, "105.2");
    cs_table_cell(table, "slow");
}

TEXT_TEST(columns_are_aligned_and_lines_end_without_blanks)
{
    CS_AT_END(cs_table_free) struct cs_table table = {0};

    fill(&table);
    cs_table_write(&table, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "name    time  note\n"
                                          "          ms\n"
                                          "-----  -----  ----\n"
                                          "ring     7.5\n"
                                          "naive  105.2  slow\n");
}

TEXT_TEST(a_terminal_has_long_texts_in_several_lines)
{
    CS_AT_END(cs_table_free) struct cs_table table = {.width = 0};

    fill(&table);
    cs_table_cell(&table, "a tree of two");
    cs_table_cell(&table, "1.0");
    cs_table_cell(&table, "measured in a run of one");
    table.width = 24;
    cs_table_write(&table, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "name      time  note\n"
                                          "            ms\n"
                                          "-------  -----  --------\n"
                                          "ring       7.5\n"
                                          "naive    105.2  slow\n"
                                          "a tree     1.0  measured\n"
                                          "of two          in a run\n"
                                          "                of one\n");
}

/* Leaves out what stands between ESC and 'm'. */
static void strip(const char *text, struct cs_text *out)
{
    for (; *text; text++) {
        if (*text == '\033')
            text = strchr(text, 'm');
        else
            cs_text_add_n(out, text, 1);
    }
}

TEXT_TEST(colour_changes_nothing_but_the_colour)
{
    CS_AT_END(cs_table_free) struct cs_table table = {0};
    CS_AT_END(cs_text_free) struct cs_text colour = {0};
    CS_AT_END(cs_text_free) struct cs_text stripped = {0};

    fill(&table);
    cs_table_write(&table, CS_STYLE_PLAIN, out);
    cs_table_write(&table, CS_STYLE_COLOUR, &colour);
    strip(cs_text_str(&colour), &stripped);
    assert_null(strchr(cs_text_str(out), '\033'));
    assert_non_null(strchr(cs_text_str(&colour), '\033'));
    assert_string_equal(cs_text_str(out), cs_text_str(&stripped));
}

TEST(letters_beyond_ascii_are_as_wide_as_they_look)
{
    assert_int_equal(cs_utf8_width("µs"), 2);
    assert_int_equal(cs_utf8_width("a·b"), 3);
    assert_int_equal(cs_utf8_width("e\xCC\x81"), 1);    /* e, combining acute */
    assert_int_equal(cs_utf8_width("\xE6\x9C\xBA"), 2); /* a CJK letter */
    assert_int_equal(cs_utf8_width("\xFF\xC2"), 2);     /* not UTF-8 */
    assert_int_equal(cs_utf8_width(""), 0);
}

TEST(overlong_and_surrogate_bytes_are_not_valid)
{
    assert_false(cs_utf8_first("\xC0\x80").valid);
    assert_false(cs_utf8_first("\xE0\x80\x80").valid);
    assert_false(cs_utf8_first("\xED\xA0\x80").valid);
    assert_false(cs_utf8_first("\xF4\x90\x80\x80").valid);
    assert_false(cs_utf8_first("\xE2\x82").valid);
    assert_int_equal(cs_utf8_first("\xE2\x82\xAC").code, 0x20AC);
    assert_int_equal(cs_utf8_first("\xF0\x9F\x98\x80").code, 0x1F600);
}

TEXT_TEST(a_terminal_is_not_obeyed)
{
    CS_AT_END(cs_table_free) struct cs_table table = {0};

    cs_table_begin(&table, columns, 1);
    cs_table_cell(&table, "a\033[2Jb\nc\xC2\x9B\xFFz");
    cs_table_write(&table, CS_STYLE_PLAIN, out);
    assert_non_null(strstr(cs_text_str(out), "a?[2Jb?c??z\n"));
}

TEXT_TEST(csv_quotes_only_cells_with_special_characters)
{
    CS_AT_END(cs_table_free) struct cs_table table = {0};

    cs_table_begin(&table, columns, 3);
    cs_table_cell(&table, "a,b");
    cs_table_cell(&table, "say \"hi\"");
    cs_table_cell(&table, "two\r\nlines");
    cs_table_cell(&table, "plain text");
    cs_table_csv(&table, out);
    assert_string_equal(cs_text_str(out), "name,time,note\n"
                                          "\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\"\n"
                                          "plain text,,\n");
}

TEXT_TEST(a_table_without_rows_is_its_header)
{
    CS_AT_END(cs_table_free) struct cs_table table = {0};

    cs_table_begin(&table, columns, 1);
    cs_table_write(&table, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "name\n----\n");
}
