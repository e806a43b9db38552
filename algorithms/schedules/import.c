#include "algorithms/schedules/import.h"

#include "sim/base/file.h"
#include "sim/base/hint.h"
#include "sim/base/stream.h"
#include "sim/engine/progress.h"

#include <string.h>
#include <unistd.h>

const struct cs_importer *const cs_importers[] = {
#define IMPORTER(name) &cs_importer_##name,
#include "algorithms/importers.def"
#undef IMPORTER
};

const size_t cs_importer_count = sizeof(cs_importers) / sizeof(*cs_importers);

bool cs_import_named(const char *name)
{
    return strchr(name, ':') != NULL || cs_ends_in(name, ".cs") || cs_ends_in(name, ".table");
}

struct import_file {
    const char *path;
    const struct cs_monitor *monitor; /* counts the bytes read; or NULL */
    struct cs_file file;
};

static int import_fill(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err)
{
    struct import_file *import = ctx;
    off_t at = lseek(import->file.fd, 0, SEEK_CUR);

    (void)cs_monitor_count(import->monitor, at > 0 ? (uint64_t)at : 0, import->file.length);
    *got = fread(to, 1, room, import->file.stream);
    return ferror(import->file.stream) ? cs_file_refuse(import->path, "read", err) : 0;
}

static int import_stream(const struct cs_importer *importer, const char *path,
                         const struct cs_monitor *monitor, struct cs_arena *arena,
                         struct cs_algo *algo, struct cs_err *err)
{
    struct import_file import = {.path = path, .monitor = monitor};
    struct cs_stream stream;
    int code = cs_file_open(path, &import.file, err);

    if (code)
        return code;
    cs_stream_open(&stream, path, import_fill, &import);
    code = importer->stream(&stream, arena, algo, err);
    cs_stream_close(&stream);
    (void)fclose(import.file.stream);
    return code;
}

/* The size is limited before parsing. */
static int import_whole(const struct cs_importer *importer, const char *file,
                        struct cs_arena *arena, struct cs_algo *algo, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(file, CS_IMPORT_BYTES_MAX, &text, err);

    if (!code)
        code = importer->read((struct cs_import_text){file, cs_text_str(&text), text.length}, arena,
                              algo, err);
    return code;
}

int cs_import(const char *name, const struct cs_monitor *monitor, struct cs_arena *arena,
              const struct cs_algo **algo, struct cs_err *err)
{
    size_t length = strcspn(name, ":");
    bool is_text = name[length] == '\0'; /* FILE.cs, FILE.table */
    const char *kind = is_text ? "text" : cs_arena_text_n(arena, name, length);
    const char *file = cs_arena_text(arena, is_text ? name : name + length + 1);
    struct cs_algo *made = cs_arena_alloc(arena, 1, sizeof(*made));
    const char *names[sizeof(cs_importers) / sizeof(*cs_importers)];
    size_t i;
    int code;

    for (i = 0; i < cs_importer_count; i++) {
        names[i] = cs_importers[i]->name;
        if (cs_same(names[i], kind))
            break;
    }
    if (i == cs_importer_count && strchr(file, '='))
        return cs_err_set(
            err, CS_EINPUT,
            "'%.40s': an algorithm has no parameters of its own; options such as --chunks set them",
            name);
    if (i == cs_importer_count)
        return cs_err_set(err, CS_EINPUT, "no schedule format called '%.40s'%s", kind,
                          cs_hint_all(kind, names, i).text);
    if (*file == '\0')
        return cs_err_set(err, CS_EINPUT, "'%s' lacks a file name; expected %s:FILE", name, kind);
    code = cs_importers[i]->stream ? import_stream(cs_importers[i], file, monitor, arena, made, err)
                                   : import_whole(cs_importers[i], file, arena, made, err);
    made->name = cs_arena_text(arena, name);
    *algo = made;
    return code;
}
