/*
 * Fuzz target: op tables, and the plans made of them.
 */
#include "tests/fuzz/insist.h"
#include "validate/cuda/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_op_table_text text = {"fuzz", (const char *)data, size};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_op_table table;
    struct cs_gpu_plan plan;
    struct cs_err err = {0};
    int code = cs_op_table_read(text, &arena, &table, &err);

    if (!code)
        code = cs_plan_make(&table, &arena, &plan, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    if (!code)
        insist(cs_plan_starts(&plan, 1000, 4, &arena)[plan.blocks] == 4000);
    return 0;
}
