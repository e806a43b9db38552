/* Runs as CSV; golden/run.t has a header and a row. */
#include "tests/unit/reports/sample.h"

static void csv_has(const struct cs_record *record, const char *part)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_csv_records(record, 1, &out);
    sample_has(&out, part);
}

TEST(unknown_values_are_empty_cells)
{
    struct cs_record record = sample_ring();

    csv_has(&record, ",true,18446744073709551615,0.1.0,fp32,");
    record.has_reduce_scatter = false;
    record.closed_form_s = NAN;
    record.slowdown = -0.25;
    csv_has(&record, ",0.007516192768,,0.0075,");
    csv_has(&record, ",1879048192,,7516192768,");
    csv_has(&record, ",-0.25,");
}

/* Machines of one name differ in their spec; a spreadsheet takes no name for a formula. */
TEST(names_are_quoted_where_they_need_it)
{
    static const char *const names[][2] = {
        {"2 x 8, \"big\"", "\n\"2 x 8, \"\"big\"\"\",8,all-reduce,"},
        {"=1+1", "\n'=1+1,8,all-reduce,"},
        {"+cmd|' /C calc'!A0", "\n'+cmd|' /C calc'!A0,8,"},
        {"-2+3", "\n'-2+3,8,all-reduce,"},
        {"@SUM(A1)", "\n'@SUM(A1),8,all-reduce,"}};
    struct cs_record record = sample_ring();

    for (int i = 0; i < COUNT(names); i++) {
        record.topology = names[i][0];
        csv_has(&record, names[i][1]);
    }
    record.topology_spec = "fat-tree:ranks=64,oversubscription=3";
    csv_has(&record, ",topology_spec,");
    csv_has(&record, ",\"fat-tree:ranks=64,oversubscription=3\",");
}

TEXT_TEST(no_runs_are_a_header)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text none = {0};

    cs_csv_records(&record, 1, out);
    cs_csv_records(NULL, 0, &none);
    assert_memory_equal(cs_text_str(out), none.data, none.length);
    assert_ptr_equal(strchr(none.data, '\n'), none.data + none.length - 1);
    sample_has_not(out, "\r");
}
