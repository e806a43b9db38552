/*
 * What a fuzz target requires of every input.
 */
#pragma once

#include <stdlib.h>

static inline void insist(int holds)
{
    if (!holds)
        abort();
}
