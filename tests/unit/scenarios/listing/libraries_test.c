/* The listing of libraries. */
#include "algorithms/libraries/library.h"
#include "scenarios/listing/listing.h"
#include "tests/fixture.h"

TEST(every_library_has_a_row_with_collectives_that_it_serves)
{
    const struct cs_listing_machine none = {0};
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    assert_done(cs_listing_fill(&cs_listing_libraries, &none, &sheet, &err));
    assert_int_equal(cs_sheet_rows(&sheet), cs_library_count);
    for (size_t i = 0; i < cs_library_count; i++) {
        const struct cs_sheet_cell *cells = cs_sheet_at(&sheet, i, 0);

        assert_string_equal(cells[0].is.text, cs_libraries[i]->name);
        assert_non_null(strstr(cells[3].is.text, "all-reduce"));
        if (cs_same(cells[0].is.text, "nccl")) {
            assert_string_equal(cells[2].is.text, "2.4 to 2.30");
            assert_null(strstr(cells[3].is.text, "barrier"));
        }
    }
}
