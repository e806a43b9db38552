#include "topo/writer.h"

#include "topo/link_kind.h"
#include "topo/names.h"

#include <string.h>

#define WRITER(name) extern const struct cs_writer cs_writer_##name;
#include "topo/writers.def"
#undef WRITER

#define WRITER(name) &cs_writer_##name,
const struct cs_writer *const cs_writers[] = {
#include "topo/writers.def"
};
#undef WRITER

enum {
    WRITERS = sizeof(cs_writers) / sizeof(*cs_writers)
};
const size_t cs_writer_count = WRITERS;

int cs_writer_find(const char *name, const struct cs_writer **writer,
                   struct cs_err *err)
{
    const char *names[WRITERS];
    struct cs_text all = {0};
    const char *near;

    for (size_t i = 0; i < WRITERS; i++) {
        names[i] = cs_writers[i]->name;
        *writer = cs_writers[i];
        if (cs_same(names[i], name))
            return 0;
        cs_text_printf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    near = cs_nearest(name, names, WRITERS);
    (void)cs_err_set(err, CS_EINPUT, "no format called '%.40s'; %s%s%s", name,
                     near ? "did you mean '" : "there are ",
                     near ? near : cs_text_str(&all), near ? "'?" : "");
    cs_text_free(&all);
    return CS_EINPUT;
}

void cs_writer_xml(struct cs_text *out, const char *text)
{
    static const char letters[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                           "&apos;"};

    for (; *text; text++) {
        const char *found = strchr(letters, *text);

        if (found)
            cs_text_add(out, entities[found - letters]);
        else
            cs_text_printf(out, "%c", *text);
    }
}

static bool is_plain(char letter, const char *more)
{
    return (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || strchr(more, letter) != NULL;
}

enum {
    CUT = CS_LINK_NAME_MAX - 8 /* room for a number behind */
};

static const char *plain(const char *name, const char *more,
                         struct cs_arena *arena)
{
    char *copy;
    const char *at = name;

    while (*at && is_plain(*at, more))
        at++;
    if (!*at && at - name < CS_LINK_NAME_MAX)
        return name;
    copy = cs_arena_printf(
        arena, "%.*s", strlen(name) < CS_LINK_NAME_MAX ? CS_LINK_NAME_MAX : CUT,
        name);
    for (char *letter = copy; *letter; letter++)
        if (!is_plain(*letter, more))
            *letter = '_';
    return copy;
}

const char **cs_writer_names(const struct cs_graph *graph, const char *more,
                             struct cs_arena *arena, bool *changed)
{
    const char **names =
        cs_arena_alloc(arena, graph->device_count, sizeof(*names));
    struct cs_names taken;

    *changed = false;
    cs_names_init(&taken, arena, graph->device_count);
    for (uint32_t d = 0; d < graph->device_count; d++) {
        names[d] = plain(graph->devices[d].name, more, arena);
        for (uint32_t i = 2; cs_names_add(&taken, names[d], d) != CS_NO_NAME;
             i++)
            names[d] = cs_arena_printf(
                arena, "%s_%u", plain(graph->devices[d].name, more, arena), i);
        *changed |= !cs_same(names[d], graph->devices[d].name);
    }
    return names;
}
