#include "scenarios/validate/recorded.h"

#include "scenarios/options/directory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <sys/stat.h>

#define FAILED "failed.txt" /* of measure.sh */

static int recorded_is_data(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (cs_ends_in(entry->d_name, ".jsonl") || cs_ends_in(entry->d_name, ".yaml") ||
            cs_same(entry->d_name, FAILED));
}

int cs_recorded_files(const struct cs_validate_request *request, const char *standard,
                      const struct cs_recorded_reader *reader, struct cs_arena *arena,
                      struct cs_err *err)
{
    size_t count = request->path_count ? request->path_count : 1;
    struct stat info;
    int code = 0;

    for (size_t i = 0; i < count && !code; i++) {
        const char *path = request->path_count ? request->paths[i] : standard;
        struct cs_directory files = {.items = &path, .count = 1};

        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
            files = cs_directory_paths(path, reader->is_data, arena);
        for (uint32_t f = 0; f < files.count && !code; f++)
            code = reader->read(reader->ctx, files.items[f], err);
    }
    return code;
}

static int recorded_read_path(void *ctx, const char *path, struct cs_err *err)
{
    struct cs_recorded *recorded = ctx;

    if (cs_same(path, FAILED) || cs_ends_in(path, "/" FAILED))
        return cs_measurements_read_failed(path, &recorded->arena, &recorded->all, err);
    if (!cs_ends_in(path, ".yaml"))
        return cs_measurements_read(path, &recorded->arena, &recorded->all, err);
    if (recorded->gate_count == CS_VALIDATE_PATHS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d files of gates", CS_VALIDATE_PATHS_MAX);
    recorded->gates[recorded->gate_count++] = path;
    return 0;
}

int cs_recorded_read(struct cs_recorded *recorded, const struct cs_validate_request *request,
                     struct cs_err *err)
{
    const struct cs_recorded_reader reader = {recorded_is_data, recorded_read_path, recorded};
    struct stat info;
    int code = 0;

    if (request->path_count || stat(CS_RECORDED_DATA, &info) == 0)
        code = cs_recorded_files(request, CS_RECORDED_DATA, &reader, &recorded->arena, err);
    if (!code && recorded->all.count == 0)
        code = cs_err_set(err, CS_ECANNOT,
                          "no measurements in %s; run 'make gpu' on a node with a GPU",
                          request->path_count ? request->paths[0] : CS_RECORDED_DATA);
    recorded->copies = cs_measurements_drop_copies(&recorded->all);
    return code;
}

void cs_recorded_free(struct cs_recorded *recorded)
{
    cs_measurements_free(&recorded->all);
    cs_arena_free(&recorded->arena);
}
