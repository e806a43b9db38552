#include "scenarios/listing/listing.h"

#include "tests/fixture.h"

static const struct cs_listing_machine no_machine = {0};

TEST(every_listing_has_rows)
{
    for (size_t i = 0; i < cs_listing_count; i++) {
        CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
        struct cs_err err = {0};

        if (cs_listing_fill(cs_listings[i], &no_machine, &sheet, &err))
            fail_msg("list %s: %s", cs_listings[i]->name, err.text);
        if (cs_sheet_rows(&sheet) == 0)
            fail_msg("list %s has no row", cs_listings[i]->name);
    }
}

/* As in all other JSON: lower case, digits and underscores. */
TEST(keys_for_programs_have_no_spaces)
{
    for (size_t i = 0; i < cs_listing_count; i++) {
        CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};
        CS_AT_END(cs_text_free) struct cs_text out = {0};

        assert_int_equal(cs_listing_fill(cs_listings[i], &no_machine, &sheet, NULL), 0);
        cs_sheet_write_shown(&sheet, CS_FORMAT_JSON, CS_STYLE_PLAIN, &out);
        for (char *rest = NULL, *line = strtok_r(out.data, "\n", &rest); line;
             line = strtok_r(NULL, "\n", &rest)) {
            size_t indent = strspn(line, " ");
            size_t key;

            if (line[indent] != '"')
                continue;
            key = strspn(line + indent + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
            if (strncmp(line + indent + 1 + key, "\":", 2) != 0)
                fail_msg("list %s --json: %s", cs_listings[i]->name, line);
        }
    }
}

TEST(every_collective_has_an_algorithm_in_the_list)
{
    const struct cs_listing *const *listing = cs_listings;
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    while (!cs_same((*listing)->name, "algorithms"))
        listing++;
    assert_int_equal(cs_listing_fill(*listing, &no_machine, &sheet, NULL), 0);
    for (size_t c = 0; c < cs_collective_count; c++) {
        size_t row = 0;

        while (row < cs_sheet_rows(&sheet) &&
               !cs_same(cs_sheet_at(&sheet, row, 0)->is.text, cs_collectives[c]->name))
            row++;
        if (row == cs_sheet_rows(&sheet))
            fail_msg("no algorithm of %s", cs_collectives[c]->name);
    }
}

/* Rows, and an error for no machine. */
TEST(a_listing_for_a_machine_has_rows)
{
    const struct cs_listing_machine machine = {.topo = "dgx-h100", .ranks = 4};
    const struct cs_listing_machine none = {.topo = "dgxx"};
    size_t listings = 0;

    for (size_t i = 0; i < cs_listing_count; i++) {
        struct cs_sheet sheet = {0};
        struct cs_err err = {0};

        if (!cs_listings[i]->fill_machine)
            continue;
        listings++;
        if (cs_listing_fill(cs_listings[i], &machine, &sheet, &err))
            fail_msg("list %s: %s", cs_listings[i]->name, err.text);
        assert_true(cs_sheet_rows(&sheet) > 0);
        cs_sheet_free(&sheet);
        assert_int_equal(cs_listing_fill(cs_listings[i], &none, &sheet, &err), CS_EINPUT);
        cs_sheet_free(&sheet);
    }
    assert_true(listings > 0);
}
