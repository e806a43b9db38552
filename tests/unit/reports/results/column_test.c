#include "reports/results/column.h"

#include "reports/results/sheet.h"
#include "tests/test.h"

enum colour {
    RED,
    GREEN
};

static const char *const colours[] = {"red", "green"};

struct owner {
    char name[8];
    const char *town;
};

struct car {
    const struct owner *owner;
    char plate[8];
    enum colour colour;
    double km[2], litres;
    uint64_t made_ps;
    bool sold;
    const char *why;
};

static double per_km(const void *row)
{
    const struct car *car = row;

    return car->litres / car->km[0];
}

#define AT(member)    CS_AT(struct car, member)
#define OWNER(member) CS_VIA(struct car, owner, member)
static const struct cs_sheet_column columns[] = {
    {"plate", "plate", NULL, CS_SHEET_TEXT, AT(plate)},
    {"owner", "owner", NULL, CS_SHEET_TEXT, OWNER(name)},
    {"town", "town", NULL, CS_SHEET_TEXT, OWNER(town), CS_OR_EMPTY},
    {"colour", "colour", NULL, CS_SHEET_TEXT, AT(colour), .words = colours},
    {"km", "km", NULL, CS_SHEET_COUNT, AT(km[1]), CS_IF_POSITIVE},
    {"bytes", "bytes", NULL, CS_SHEET_BYTES, AT(km[0])},
    {"made_s", "made", NULL, CS_SHEET_TIME, AT(made_ps)},
    {"sold", "sold", NULL, CS_SHEET_BOOL, AT(sold)},
    {"per_km", "per km", NULL, CS_SHEET_REAL, .real = per_km},
    {"price", "price", NULL, CS_SHEET_REAL, AT(litres), CS_WHEN(struct car, sold)},
    {"litres", "litres", NULL, CS_SHEET_REAL, AT(litres), CS_UNLESS(struct car, why)},
};

TEXT_TEST(values_are_read_at_their_place_in_the_row)
{
    const struct owner owner = {"ann", NULL};
    const struct car cars[] = {
        {.owner = &owner,
         .plate = "a-1",
         .colour = GREEN,
         .km = {1.75, 1234.5},
         .litres = 7,
         .made_ps = 1500000,
         .sold = true,
         .why = "rust"},
        {.plate = "b-2", .km = {0, -1}, .litres = 3},
    };
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_fill(&sheet, CS_ROWS("cars", columns, cars, 2));
    cs_sheet_write(&sheet, CS_FORMAT_CSV, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out),
                        "plate,owner,town,colour,km,bytes,made_s,sold,per_km,price,litres\n"
                        "a-1,ann,,green,1235,1,0.0000015,true,4,7,\n"
                        "b-2,,,red,,0,0,false,,,3\n");
}
