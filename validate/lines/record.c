#include "validate/lines/record.h"

#include "sim/base/file.h"
#include "sim/base/text.h"

enum {
    RECORD_BYTES_MAX = 1 << 20,
};

static struct cs_csv_column record_column(const struct cs_record_form *form, const char *name)
{
    for (size_t i = 0; i < form->cell_count; i++)
        if (cs_same(name, form->cells[i].name))
            return form->cells[i];
    return (struct cs_csv_column){.name = name, .cell = CS_CSV_CELL_SKIP};
}

int cs_record_read(struct cs_doc_text text, const struct cs_record_form *form,
                   struct cs_arena *arena, struct cs_recorded_lines *lines, struct cs_err *err)
{
    struct cs_csv_column columns[CS_CSV_CELLS_MAX];
    struct cs_csv_lines into = {.what = form->what, .size = form->size};
    int code;

    for (size_t i = 0; i < form->width; i++)
        columns[i] = record_column(form, form->columns[i].name);
    code = cs_csv_lines_read(text, columns, form->width, arena, &into, err);
    *lines = (struct cs_recorded_lines){into.base, into.count};
    return code;
}

int cs_record_open(const char *directory, const struct cs_record_form *form, struct cs_arena *arena,
                   struct cs_recorded_lines *lines, struct cs_err *err)
{
    const char *file =
        cs_arena_printf(arena, "%s/score.csv", directory ? directory : form->standard);
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = 0;

    if (directory)
        code = cs_file_read(file, RECORD_BYTES_MAX, &text, err);
    else
        cs_text_add(&text, form->built_in);
    if (!code)
        code = cs_record_read((struct cs_doc_text){file, cs_text_str(&text), text.length}, form,
                              arena, lines, err);
    return code;
}

int cs_record_judge(const char *of, const struct cs_record_pair *pairs, size_t count,
                    struct cs_err *err)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].is > pairs[i].was + CS_RECORD_SLACK)
            return cs_err_set(
                err, CS_EANSWER,
                "%s: %s of |error| %.1f %%; recorded is %.1f %%, and a point more passes", of,
                pairs[i].what, 100 * pairs[i].is, 100 * pairs[i].was);
    return 0;
}
