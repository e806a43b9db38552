#include "scenarios/listing/settings.h"

#include "algorithms/libraries/settings.h"
#include "sim/base/text.h"

const struct cs_table_column cs_setting_columns[CS_SETTING_COLUMNS] = {
    {"name", NULL, CS_TABLE_LEFT},    {"values", NULL, CS_TABLE_LEFT},
    {"unit", NULL, CS_TABLE_LEFT},    {"default", NULL, CS_TABLE_LEFT},
    {"meaning", NULL, CS_TABLE_LEFT}, {"source", NULL, CS_TABLE_LEFT},
};

int cs_setting_fill(struct cs_table *table, struct cs_err *err)
{
    (void)err;
    for (uint32_t i = 0; i < cs_settings_known_count; i++) {
        const struct cs_setting *setting = &cs_settings_known[i];
        struct cs_text values = {0};

        cs_setting_values(setting, &values);
        cs_table_cell(table, setting->name);
        cs_table_cell(table, cs_text_str(&values));
        cs_table_cell(table, setting->unit);
        cs_table_cell(table, setting->standard);
        cs_table_cell(table, setting->about);
        cs_table_cell(table, setting->source);
        cs_text_free(&values);
    }
    return 0;
}
