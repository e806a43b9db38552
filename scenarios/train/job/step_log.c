#include "scenarios/train/job/step_log.h"

#include "sim/base/collections/vector.h"

#include <stdlib.h>

void cs_log_add(struct cs_train_log *log, struct cs_log_item item)
{
    if (!log)
        return;
    item.last = log->last;
    *CS_VECTOR_NEXT(log->items, log->count, log->room) = item;
}

void cs_log_free(struct cs_train_log *log)
{
    free(log->items);
    *log = (struct cs_train_log){0};
}
