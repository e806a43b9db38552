/* The listing of libraries. */
#include "scenarios/listing/libraries.h"

#include "algorithms/libraries/library.h"
#include "tests/fixture.h"

static void every_library_has_a_row_with_collectives_that_it_serves(void **state)
{
    struct cs_table table = {0};
    struct cs_err err = {0};

    (void)state;
    cs_table_begin(&table, cs_library_columns, CS_LIBRARY_COLUMNS);
    if (cs_library_fill(&table, &err))
        fail_msg("%s", err.text);
    assert_int_equal(table.cell_count, cs_library_count * CS_LIBRARY_COLUMNS);
    for (size_t i = 0; i < cs_library_count; i++) {
        const char *const *cells = &table.cells[i * CS_LIBRARY_COLUMNS];

        assert_string_equal(cells[0], cs_libraries[i]->name);
        assert_non_null(strstr(cells[3], "all-reduce"));
        if (cs_same(cells[0], "nccl")) {
            assert_string_equal(cells[2], "2.8 to 2.30");
            assert_null(strstr(cells[3], "barrier"));
        }
    }
    cs_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_library_has_a_row_with_collectives_that_it_serves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
