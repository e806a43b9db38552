#include "reports/document/document.h"

#include "tests/test.h"

struct shown {
    const char *name;
    double time_s, left;
};

static const struct cs_sheet_column columns[] = {
    {"name", "name", NULL, CS_SHEET_TEXT, CS_AT(struct shown, name)},
    {"time_s", "time", "of one", CS_SHEET_SECONDS, CS_AT(struct shown, time_s)},
    {"empty", "empty", NULL, CS_SHEET_REAL, CS_AT(struct shown, left)},
};

static void fill(struct cs_document *document)
{
    static const double x[] = {64, 256}, y[] = {1, 0.5};
    static const double parts[] = {1, NAN};
    static const char *const names[] = {"a & b", "c"};
    struct cs_chart lines = {.caption = "rate <of> GPUs",
                             .x_title = "GPUs",
                             .y_title = "rate",
                             .y_number = CS_CHART_SHARE,
                             .x_log = true,
                             .series = {{"rail", x, y, y, x, 2, false, false}},
                             .series_count = 1};
    struct cs_chart stack = {.kind = CS_CHART_STACK,
                             .caption = "parts",
                             .x_title = "machine",
                             .y_title = "time",
                             .y_number = CS_CHART_SECONDS,
                             .series = {{"first", .y = parts, .count = 2}},
                             .series_count = 1,
                             .categories = names,
                             .category_count = 2};
    struct cs_sheet sheet = {0};

    cs_document_begin(document, "title <1>");
    cs_document_add(document, CS_BLOCK_ANSWER, "%d of %s", 3, "<script>");
    cs_document_add(document, CS_BLOCK_HEADING, "part");
    cs_document_add(document, CS_BLOCK_ITEM, "first | item");
    cs_document_add(document, CS_BLOCK_ITEM, "second");
    cs_document_add(document, CS_BLOCK_CODE, "collsim plan \"x\"\033[1m");
    cs_sheet_begin(&sheet, "rows", columns, 3);
    cs_sheet_row(&sheet, &(struct shown){"a|b", 1.5e-6, (double)NAN});
    cs_document_add_table(document, "caption", &sheet);
    cs_sheet_free(&sheet);
    cs_document_add_chart(document, &lines);
    cs_document_add_chart(document, &stack);
}

TEXT_TEST(page_escapes_every_text)
{
    CS_AT_END(cs_document_free) struct cs_document document = {0};

    fill(&document);
    cs_document_html(&document, out);
    assert_null(strstr(out->data, "<script"));
    assert_null(strstr(out->data, "\033"));
    assert_non_null(strstr(out->data, "<h1>title &lt;1&gt;</h1>"));
    assert_non_null(strstr(out->data, "<p class=\"answer\">3 of &lt;script&gt;</p>"));
    assert_non_null(strstr(out->data, "a &amp; b"));
}

TEXT_TEST(page_stands_alone)
{
    CS_AT_END(cs_document_free) struct cs_document document = {0};

    fill(&document);
    cs_document_html(&document, out);
    assert_null(strstr(out->data, "http"));
    assert_null(strstr(out->data, "src="));
    assert_null(strstr(out->data, "url("));
    assert_null(strstr(out->data, "nan"));
    assert_non_null(strstr(out->data, "prefers-color-scheme:dark"));
    assert_non_null(strstr(out->data, "<title id=\"wide"));
}

TEXT_TEST(columns_without_values_are_left_out)
{
    CS_AT_END(cs_document_free) struct cs_document document = {0};

    fill(&document);
    cs_document_markdown(&document, out);
    assert_non_null(strstr(out->data, "| name | time, of one |\n| --- | ---: |\n"
                                      "| a\\|b | 1.5 us |\n"));
}

TEXT_TEST(markdown_has_the_data_of_charts)
{
    CS_AT_END(cs_document_free) struct cs_document document = {0};

    fill(&document);
    cs_document_markdown(&document, out);
    assert_non_null(strstr(out->data, "# title \\<1\\>\n"));
    assert_non_null(strstr(out->data, "**3 of \\<script\\>**\n"));
    assert_non_null(strstr(out->data, "| 256 | 50 % |"));
    assert_non_null(strstr(out->data, "| a & b | 1 s |\n| c | - |"));
    assert_null(strstr(out->data, "\033"));
}
