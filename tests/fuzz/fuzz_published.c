/*
 * Fuzz target: tables of published measurements, and recorded scores.  A line
 * "---" separates tables.csv from rows.csv.
 */
#include "tests/fuzz/insist.h"
#include "validate/published/files.h"
#include "validate/published/recorded_score.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *cut = memmem(text, size, "---\n", 4);
    size_t length = cut ? (size_t)(cut - text) : size;
    struct cs_doc_text rows = {"rows", cut ? cut + 4 : text + size, cut ? size - length - 4 : 0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_published published;
    struct cs_recorded_lines recorded;
    struct cs_err err = {0};
    int code = cs_published_read((struct cs_doc_text){"tables", text, length}, rows, &arena,
                                 &published, &err);

    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    for (uint32_t i = 0; i < published.count && !code; i++)
        for (uint32_t r = 1; r < published.tables[i].row_count; r++)
            insist(published.tables[i].rows[r - 1].bytes < published.tables[i].rows[r].bytes);
    err = (struct cs_err){0};
    code = cs_record_read((struct cs_doc_text){"score", text, size}, &cs_published_record, &arena,
                          &recorded, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    return 0;
}
