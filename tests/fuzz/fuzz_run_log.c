/*
 * Fuzz target: logs of training runs.  Any text has times above 0, or is CS_EINPUT with a
 * sentence.
 */
#include "scenarios/train/calibrate/run_log.h"
#include "tests/fuzz/insist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_run_log log;
    struct cs_err err = {0};
    char *text = cs_arena_text_n(&arena, (const char *)data, size);
    int code = cs_run_log_parse("fuzz", text, size, &arena, &log, &err);

    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code && (err.text[0] == '\0') == (code == CS_OK));
    for (uint32_t i = 0; !code && i < log.count; i++)
        insist(log.values[i] > 0);
    insist(code || (log.count && log.line && log.batch >= 0));
    return 0;
}
