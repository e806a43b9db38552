#include "scenarios/validate/recorded.h"

#include "sim/base/text.h"

#include <dirent.h>
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

/* Reads in the order of the names: alphasort makes the order independent of the
 * file system. */
static int recorded_read_directory(struct cs_recorded *recorded, const char *path,
                                   struct cs_err *err)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, recorded_is_data, alphasort);
    int code = 0;
    int i;

    for (i = 0; i < count; i++) {
        if (!code)
            code = recorded_read_path(
                recorded, cs_arena_printf(&recorded->arena, "%s/%s", path, entries[i]->d_name),
                err);
        free(entries[i]);
    }
    free(entries);
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
