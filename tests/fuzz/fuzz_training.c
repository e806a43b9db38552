/*
 * Fuzz target: published training steps.  Lines "---" separate machines.csv,
 * tables.csv, series.csv and rows.csv.
 */
#include "tests/fuzz/insist.h"
#include "validate/training/step_rows.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cuts the next text off; the rest of the input is empty at its end. */
static struct cs_doc_text next_text(const char **at, size_t *left)
{
    struct cs_doc_text text = {"text", *at, *left};
    const char *cut = *left ? memmem(*at, *left, "---\n", 4) : NULL;

    if (cut)
        text.length = (size_t)(cut - *at);
    *left -= cut ? text.length + 4 : text.length;
    *at = cut ? cut + 4 : *at + text.length;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data;
    struct cs_doc_text texts[CS_STEP_TEXTS];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_step_data steps;
    struct cs_err err = {0};
    int code;

    for (uint32_t i = 0; i < CS_STEP_TEXTS; i++)
        texts[i] = next_text(&at, &size);
    code = cs_steps_read(texts, &arena, &steps, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    for (uint32_t i = 0; i < steps.row_count && !code; i++) {
        const struct cs_step_row *row = &steps.rows[i];

        insist(row->gpus > 0 && isfinite(row->step_s + row->samples_per_s));
        insist(row->series >= steps.series && row->series < steps.series + steps.series_count);
        insist(row->series->machine >= steps.machines &&
               row->series->machine < steps.machines + steps.machine_count);
    }
    return 0;
}
