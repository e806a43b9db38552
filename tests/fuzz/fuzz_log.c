/*
 * Fuzz target: logs of benchmarks.  Every byte string is read or refused; rows
 * have sizes and times, and no size stands twice in a table.
 */
#include "tests/fuzz/insist.h"
#include "validate/logs/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist_table(const struct cs_log_table *table)
{
    insist(table->row_count <= CS_LOG_ROWS_MAX);
    insist(!table->ranks == !table->ranks_from);
    insist(!table->collective == !table->collective_from);
    for (uint32_t i = 0; i < table->row_count; i++) {
        insist(table->rows[i].bytes > 0 && table->rows[i].time_s > 0);
        for (uint32_t j = 0; j < i && j < 64; j++)
            insist(table->rows[i].bytes != table->rows[j].bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *file = size ? fmemopen((void *)data, size, "rb") : NULL;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_log log;
    struct cs_err err = {0};
    int code;

    if (!file)
        return 0;
    code = cs_log_read(file, "log", &arena, &log, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code);
    for (uint32_t i = 0; i < log.table_count; i++)
        insist_table(&log.tables[i]);
    fclose(file);
    return 0;
}
