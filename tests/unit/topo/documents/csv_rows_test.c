/* CSV rows: cells, quotes, line ends, and messages for mistakes. */
#include "topo/documents/csv_rows.h"

#include "tests/fixture.h"

static struct cs_csv_rows rows_of(const char *text, struct cs_arena *arena)
{
    return (struct cs_csv_rows){
        .file = "f", .at = text, .end = text + strlen(text), .arena = arena};
}

ARENA_TEST(quoted_cells_hold_commas_and_quotes)
{
    struct cs_csv_rows rows = rows_of("a,\"b,c\",\"say \"\"d\"\"\",\n", arena);

    assert_done(cs_csv_rows_next(&rows, &err));
    assert_int_equal(rows.count, 4);
    assert_string_equal(rows.cells[0], "a");
    assert_string_equal(rows.cells[1], "b,c");
    assert_string_equal(rows.cells[2], "say \"d\"");
    assert_string_equal(rows.cells[3], "");
    assert_done(cs_csv_rows_next(&rows, &err));
    assert_int_equal(rows.count, 0);
}

ARENA_TEST(comments_and_empty_lines_are_skipped_but_counted)
{
    struct cs_csv_rows rows = rows_of("# a\n\r\n\nx,y\r\nlast", arena);

    assert_done(cs_csv_rows_next(&rows, &err));
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.line, 4);
    assert_string_equal(rows.cells[1], "y");
    assert_done(cs_csv_rows_next(&rows, &err));
    assert_string_equal(rows.cells[0], "last");
}

ARENA_TEST(an_open_quote_is_refused_with_its_line)
{
    static const char *const wrong[] = {"\n\"a,b", "\n\"a\"b,c"};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct cs_csv_rows rows = rows_of(wrong[i], arena);

        assert_refused_with(cs_csv_rows_next(&rows, &err), CS_EINPUT, "f:2: a quoted cell");
    }
}

ARENA_TEST(too_many_cells_are_refused)
{
    char commas[CS_CSV_CELLS_MAX + 1] = "";
    struct cs_csv_rows rows;

    memset(commas, ',', CS_CSV_CELLS_MAX);
    rows = rows_of(commas, arena);
    assert_refused(cs_csv_rows_next(&rows, &err), CS_EINPUT, "f:1: more than 96 cells");
}

ARENA_TEST(another_header_is_refused_with_the_expected_one)
{
    static const char *const columns[] = {"id", "bytes"};
    struct cs_csv_rows rows = rows_of("id,size\n", arena);

    assert_refused_with(cs_csv_rows_header(&rows, columns, 2, 0, &err), CS_EINPUT,
                        "expected id,bytes");
}
