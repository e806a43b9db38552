/* Store rows: schema and identity of requests. */
#include "reports/results/store/rows.h"

#include "tests/unit/reports/sample.h"

static size_t count_of(const char *text, const char *piece)
{
    size_t count = 0;

    for (; (text = strstr(text, piece)); text += strlen(piece))
        count++;
    return count;
}

TEXT_TEST(the_schema_has_every_table)
{
    cs_store_schema(out);
    assert_non_null(strstr(out->data, "CREATE TABLE runs ("));
    for (size_t i = 0; i < CS_RECORD_LISTS; i++)
        assert_non_null(strstr(out->data, cs_record_lists[i].table));
    assert_int_equal(count_of(out->data, "CREATE TABLE "), CS_RECORD_LISTS + 1);
}

TEST(the_version_is_positive_and_stable)
{
    assert_true(cs_store_version() > 0);
    assert_int_equal(cs_store_version(), cs_store_version());
}

TEST(every_column_has_a_mark)
{
    static const enum cs_store_columns kinds[] = {CS_STORE_ALL_COLUMNS, CS_STORE_REQUEST};

    for (size_t i = 0; i < 2; i++) {
        CS_AT_END(cs_text_free) struct cs_text columns = {0};
        CS_AT_END(cs_text_free) struct cs_text marks = {0};

        cs_store_add_columns(&columns, &cs_record_fields, kinds[i]);
        cs_store_add_marks(&marks, &cs_record_fields, kinds[i]);
        assert_int_equal(count_of(columns.data, ", ") + 1, count_of(marks.data, "?"));
    }
}

ARENA_TEST(a_request_is_identified_by_fields_and_parameters)
{
    struct cs_record a = sample_ring();
    struct cs_record b = sample_ring();

    b.time_ps++;
    b.bottleneck = "";
    assert_true(cs_store_request_of(&a) == cs_store_request_of(&b));
    b.bytes++;
    assert_true(cs_store_request_of(&a) != cs_store_request_of(&b));
    b.bytes--;
    sample_set_parameters(&b, "chunks=4", arena);
    assert_true(cs_store_request_of(&a) != cs_store_request_of(&b));
    assert_true(cs_store_request_of(&b) >= 0);
}
