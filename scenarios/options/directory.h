/*
 * Directories: the paths of the files in one.
 */
#pragma once

#include "sim/base/mem.h"

#include <dirent.h>
#include <stdint.h>

struct cs_directory {
    const char **items;
    uint32_t count;
};

/* The entries that are wanted, behind the directory's path, in the order of names on
 * every file system; in the arena.  None where `path` is no directory. */
struct cs_directory cs_directory_paths(const char *path, int (*wanted)(const struct dirent *entry),
                                       struct cs_arena *arena);
