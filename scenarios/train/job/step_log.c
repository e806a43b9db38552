#include "scenarios/train/job/step_log.h"

#include "sim/base/collections/vector.h"

#include <stdlib.h>

void cs_log_add(struct cs_train_log *log, struct cs_log_item item)
{
    if (!log)
        return;
    log->items = cs_vector_room(log->items, log->count + 1, &log->room, sizeof(*log->items));
    item.last = log->last;
    log->items[log->count++] = item;
}

void cs_log_free(struct cs_train_log *log)
{
    free(log->items);
    *log = (struct cs_train_log){0};
}
