/*
 * Fuzz target: lines of measurements over TCP, and the model made of them.
 */
#include "tests/fuzz/insist.h"
#include "validate/tcp/wire_model.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_tcp_lines lines = {0};
    struct cs_tcp_model model;
    struct cs_err err = {0};
    int code = cs_tcp_lines_read_text("fuzz", (const char *)data, size, &arena, &lines, &err);

    if (!code)
        code = cs_tcp_model_make(&lines, &model, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    if (!code)
        insist(model.rate_Bps > 0 && isfinite(model.burst_bytes));
    return 0;
}
