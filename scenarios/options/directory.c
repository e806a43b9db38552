#include "scenarios/options/directory.h"

#include <stdlib.h>

struct cs_directory cs_directory_paths(const char *path, int (*wanted)(const struct dirent *entry),
                                       struct cs_arena *arena)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, wanted, alphasort);
    struct cs_directory paths = {0};

    if (count <= 0) {
        free(entries);
        return paths;
    }
    paths.items = cs_arena_alloc(arena, (size_t)count, sizeof(*paths.items));
    for (int i = 0; i < count; i++) {
        paths.items[paths.count++] = cs_arena_printf(arena, "%s/%s", path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return paths;
}
