/*
 * Fuzz target: CSVs of NCCL's example tuner.  Every text is read or refused;
 * rules have sizes in order.
 */
#include "tests/fuzz/insist.h"
#include "validate/logs/tuner_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_tuner_rules rules;
    struct cs_err err = {0};
    char *text = cs_arena_text_n(&arena, (const char *)data, size);
    int code = cs_tuner_rules_read_text("t", text, &arena, &rules, &err);

    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    for (uint32_t i = 0; i < rules.count; i++)
        insist(rules.rules[i].first <= rules.rules[i].last && rules.rules[i].collective);
    return 0;
}
