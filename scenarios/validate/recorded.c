#include "scenarios/validate/recorded.h"

#include "scenarios/options/directory.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FAILED "failed.txt" /* of measure.sh */

static int recorded_is_data(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (cs_ends_in(entry->d_name, ".jsonl") || cs_ends_in(entry->d_name, ".yaml") ||
            cs_same(entry->d_name, FAILED));
}

static int recorded_read_path(struct cs_recorded *recorded, const char *path, struct cs_err *err)
{
    if (cs_same(path, FAILED) || cs_ends_in(path, "/" FAILED))
        return cs_measurements_read_failed(path, &recorded->arena, &recorded->all, err);
    if (!cs_ends_in(path, ".yaml"))
        return cs_measurements_read(path, &recorded->arena, &recorded->all, err);
    if (recorded->gate_count == CS_RECORDED_PATHS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d files of gates", CS_RECORDED_PATHS_MAX);
    recorded->gates[recorded->gate_count++] = path;
    return 0;
}

static int recorded_read_directory(struct cs_recorded *recorded, const char *path,
                                   struct cs_err *err)
{
    struct cs_directory paths = cs_directory_paths(path, recorded_is_data, &recorded->arena);
    int code = 0;

    for (uint32_t i = 0; i < paths.count && !code; i++)
        code = recorded_read_path(recorded, paths.items[i], err);
    return code;
}

int cs_recorded_read(struct cs_recorded *recorded, const struct cs_recorded_paths *paths,
                     struct cs_err *err)
{
    static const struct cs_recorded_paths standard = {{CS_RECORDED_DATA}, 1};
    const struct cs_recorded_paths *from = paths->count ? paths : &standard;
    size_t i;
    int code = 0;

    for (i = 0; i < from->count && !code; i++) {
        const char *path = from->items[i];
        struct stat info;
        bool exists = stat(path, &info) == 0;

        if (!exists && paths->count == 0)
            break;
        code = exists && S_ISDIR(info.st_mode) ? recorded_read_directory(recorded, path, err)
                                               : recorded_read_path(recorded, path, err);
    }
    if (!code && recorded->all.count == 0)
        code = cs_err_set(err, CS_ECANNOT,
                          "no measurements in %s; run 'make gpu' on a node with a GPU",
                          from->items[0]);
    recorded->copies = cs_measurements_drop_copies(&recorded->all);
    return code;
}

void cs_recorded_free(struct cs_recorded *recorded)
{
    cs_measurements_free(&recorded->all);
    cs_arena_free(&recorded->arena);
}
