/* A log from a text. */
#pragma once

#include "validate/logs/log.h"

#include <stdio.h>
#include <string.h>

static inline int log_of(const char *text, struct cs_arena *arena, struct cs_log *log,
                         struct cs_err *err)
{
    FILE *file = fmemopen((void *)text, strlen(text), "rb");
    int code = cs_log_read(file, "log", arena, log, err);

    fclose(file);
    return code;
}
