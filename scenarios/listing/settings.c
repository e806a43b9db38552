#include "algorithms/libraries/settings.h"
#include "scenarios/listing/listing.h"
#include "sim/base/text.h"

struct setting_row {
    const struct cs_setting *setting;
    const char *values;
};

#define AT(member) CS_VIA(struct setting_row, setting, member)
static const struct cs_sheet_column setting_columns[] = {
    CS_LISTED("name", TEXT, AT(name)),
    CS_LISTED("values", TEXT, CS_AT(struct setting_row, values)),
    CS_LISTED("unit", TEXT, AT(unit)),
    CS_LISTED("default", TEXT, AT(standard)),
    CS_LISTED("meaning", TEXT, AT(about)),
    CS_LISTED("source", TEXT, AT(source)),
};

static int fill_settings(struct cs_sheet *sheet, struct cs_err *err)
{
    (void)err;
    for (uint32_t i = 0; i < cs_settings_known_count; i++) {
        CS_AT_END(cs_text_free) struct cs_text values = {0};

        cs_setting_values(&cs_settings_known[i], &values);
        cs_sheet_row(sheet, &(struct setting_row){&cs_settings_known[i], cs_text_str(&values)});
    }
    return 0;
}

const struct cs_listing cs_listing_settings = {
    .name = "settings",
    .about = "variables of NCCL and RCCL, conditions of a node",
    .columns = setting_columns,
    .column_count = sizeof(setting_columns) / sizeof(*setting_columns),
    .fill = fill_settings,
};
