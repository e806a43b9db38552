/* CSV rows: cells, quotes, line ends, and messages for mistakes. */
#include "topo/documents/csv_rows.h"

#include "tests/fixture.h"

static struct cs_csv_rows rows_of(const char *text, struct cs_arena *arena)
{
    return (struct cs_csv_rows){
        .file = "f", .at = text, .end = text + strlen(text), .arena = arena};
}

TEST(quoted_cells_hold_commas_and_quotes)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_csv_rows rows = rows_of("a,\"b,c\",\"say \"\"d\"\"\",\n", &arena);
    struct cs_err err = {0};

    assert_int_equal(cs_csv_rows_next(&rows, &err), 0);
    assert_int_equal(rows.count, 4);
    assert_string_equal(rows.cells[0], "a");
    assert_string_equal(rows.cells[1], "b,c");
    assert_string_equal(rows.cells[2], "say \"d\"");
    assert_string_equal(rows.cells[3], "");
    assert_int_equal(cs_csv_rows_next(&rows, &err), 0);
    assert_int_equal(rows.count, 0);
}

TEST(comments_and_empty_lines_are_skipped_but_counted)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_csv_rows rows = rows_of("# a\n\r\n\nx,y\r\nlast", &arena);
    struct cs_err err = {0};

    assert_int_equal(cs_csv_rows_next(&rows, &err), 0);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.line, 4);
    assert_string_equal(rows.cells[1], "y");
    assert_int_equal(cs_csv_rows_next(&rows, &err), 0);
    assert_string_equal(rows.cells[0], "last");
}

TEST(an_open_quote_is_refused_with_its_line)
{
    static const char *const wrong[] = {"\n\"a,b", "\n\"a\"b,c"};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    size_t i;

    for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct cs_csv_rows rows = rows_of(wrong[i], &arena);
        struct cs_err err = {0};

        assert_int_equal(cs_csv_rows_next(&rows, &err), CS_EINPUT);
        assert_non_null(strstr(err.text, "f:2: a quoted cell"));
    }
}

TEST(too_many_cells_are_refused)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    char commas[CS_CSV_CELLS_MAX + 1] = "";
    struct cs_csv_rows rows;
    struct cs_err err = {0};

    memset(commas, ',', CS_CSV_CELLS_MAX);
    rows = rows_of(commas, &arena);
    assert_int_equal(cs_csv_rows_next(&rows, &err), CS_EINPUT);
    assert_string_equal(err.text, "f:1: more than 96 cells");
}

TEST(another_header_is_refused_with_the_expected_one)
{
    static const char *const columns[] = {"id", "bytes"};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_csv_rows rows = rows_of("id,size\n", &arena);
    struct cs_err err = {0};

    assert_int_equal(cs_csv_rows_header(&rows, columns, 2, 0, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "expected id,bytes"));
}
