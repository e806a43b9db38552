/*
 * Fuzz target: lines of measurements.
 */
#include "tests/fuzz/insist.h"
#include "validate/gpu/measured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_measured_line line = {"fuzz", 1, (const char *)data, size};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_measured measured;
    struct cs_err err = {0};
    int code = cs_measured_read_line(line, &arena, &measured, &err);

    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    insist(code || (measured.gpu && measured.run.algorithm && measured.part.role));
    return 0;
}
