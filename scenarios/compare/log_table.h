/*
 * A table of a log on a machine: collective, ranks and the calls of a library.
 */
#ifndef CS_SCENARIOS_COMPARE_LOG_TABLE_H
#define CS_SCENARIOS_COMPARE_LOG_TABLE_H

#include "scenarios/run/library_call.h"
#include "validate/logs/log.h"

struct cs_log_table_request {
    const struct cs_log *log;
    const struct cs_log_table *table;
    struct cs_scenario *scenario; /* its collective is set to the table's */
    struct cs_text *notes;
    struct cs_arena *arena;
};

/* Opens the machine with the ranks of the table: --ranks, else those of the log,
 * else all of the machine.  CS_EINPUT for a table whose collective is unknown,
 * or whose ranks the machine does not have.  `calls` refers to the arena. */
int cs_log_table_open(const struct cs_log_table_request *request,
                      const struct cs_collective **collective, struct cs_library_calls *calls,
                      struct cs_err *err);

/* The size of a row as a request counts. */
static inline uint64_t cs_log_table_bytes(const struct cs_log_table *table,
                                          const struct cs_log_row *row, uint32_t ranks)
{
    return row->bytes * (table->sizes_of_rank ? ranks : 1);
}

#endif
