#include "scenarios/train/job/step_log.h"

#include "sim/base/mem.h"

#include <stdlib.h>

enum {
    LOG_FIRST_ROOM = 64
};

void cs_log_add(struct cs_train_log *log, struct cs_log_item item)
{
    if (!log)
        return;
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : LOG_FIRST_ROOM;
        log->items = cs_grow(log->items, log->room, sizeof(*log->items));
    }
    item.last = log->last;
    log->items[log->count++] = item;
}

void cs_log_free(struct cs_train_log *log)
{
    free(log->items);
    *log = (struct cs_train_log){0};
}
