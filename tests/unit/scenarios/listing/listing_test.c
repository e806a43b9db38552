#include "scenarios/listing/listing.h"

#include "scenarios/listing/engines.h"
#include "tests/fixture.h"

static void every_listing_has_whole_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < cs_listing_count; i++) {
        const struct cs_listing *listing = &cs_listings[i];
        struct cs_table table = {0};
        struct cs_err err = {0};

        cs_table_begin(&table, listing->columns, listing->column_count);
        if (listing->fill(&table, &err))
            fail_msg("list %s: %s", listing->name, err.text);
        if (table.cell_count == 0 || table.cell_count % listing->column_count != 0)
            fail_msg("list %s has %zu cells in %zu columns", listing->name, table.cell_count,
                     listing->column_count);
        cs_table_free(&table);
    }
}

static void every_collective_has_an_algorithm_in_the_list(void **state)
{
    const struct cs_listing *listing = cs_listings;
    struct cs_table table = {0};

    (void)state;
    while (!cs_same(listing->name, "algorithms"))
        listing++;
    cs_table_begin(&table, listing->columns, listing->column_count);
    assert_int_equal(listing->fill(&table, NULL), 0);
    for (size_t c = 0; c < cs_collective_count; c++) {
        size_t i = 0;

        while (i < table.cell_count && !cs_same(table.cells[i], cs_collectives[c]->name))
            i += listing->column_count;
        if (i >= table.cell_count)
            fail_msg("no algorithm of %s", cs_collectives[c]->name);
    }
    cs_table_free(&table);
}

/* Every cell of a column, and an error for no machine. */
static void a_listing_for_a_machine_has_whole_rows(void **state)
{
    const struct cs_listing_machine machine = {.topo = "dgx-h100", .ranks = 4};
    const struct cs_listing_machine none = {.topo = "dgxx"};
    size_t listings = 0;

    (void)state;
    for (size_t i = 0; i < cs_listing_count; i++) {
        const struct cs_listing *listing = &cs_listings[i];
        struct cs_table table = {0};
        struct cs_err err = {0};

        if (!listing->fill_machine)
            continue;
        listings++;
        cs_table_begin(&table, listing->machine_columns, listing->machine_column_count);
        if (listing->fill_machine(&table, &machine, &err))
            fail_msg("list %s: %s", listing->name, err.text);
        assert_true(table.cell_count > 0);
        assert_int_equal(table.cell_count % listing->machine_column_count, 0);
        assert_int_equal(listing->fill_machine(&table, &none, &err), CS_EINPUT);
        cs_table_free(&table);
    }
    assert_true(listings > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_listing_has_whole_rows),
        cmocka_unit_test(every_collective_has_an_algorithm_in_the_list),
        cmocka_unit_test(a_listing_for_a_machine_has_whole_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
