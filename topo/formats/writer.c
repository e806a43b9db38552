#include "topo/formats/writer.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/hint.h"
#include "sim/base/utf8.h"

#include <string.h>

#define WRITER(name) extern const struct cs_writer cs_writer_##name;
#include "topo/formats/writers.def"
#undef WRITER

#define WRITER(name) &cs_writer_##name,
const struct cs_writer *const cs_writers[] = {
#include "topo/formats/writers.def"
};
#undef WRITER

enum {
    WRITERS = sizeof(cs_writers) / sizeof(*cs_writers)
};
const size_t cs_writer_count = WRITERS;

int cs_writer_find(const char *name, const struct cs_writer **writer, struct cs_err *err)
{
    const char *names[WRITERS];

    for (size_t i = 0; i < WRITERS; i++) {
        names[i] = cs_writers[i]->name;
        *writer = cs_writers[i];
        if (cs_same(names[i], name))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "no format called '%.40s'%s", name,
                      cs_hint_all(name, names, WRITERS).text);
}

struct cs_graph cs_writer_up(const struct cs_graph *graph, struct cs_arena *arena,
                             struct cs_text *notes)
{
    struct cs_graph up = *graph;

    up.wires = cs_arena_alloc(arena, graph->wire_count, sizeof(*up.wires));
    up.wire_count = 0;
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (!graph->wires[w].down)
            up.wires[up.wire_count++] = graph->wires[w];
    if (up.wire_count < graph->wire_count)
        cs_text_printf(notes, "%u links that are down are omitted\n",
                       graph->wire_count - up.wire_count);
    return up;
}

bool cs_writer_letter(const char **text, char letter[CS_WRITER_LETTER])
{
    struct cs_utf8_char next = cs_utf8_first(*text);
    bool bad = !next.valid || cs_utf8_is_control(next.code) || (next.code & 0xfffe) == 0xfffe ||
               next.code == 0xfeff;

    memcpy(letter, bad ? "?" : *text, bad ? 1 : next.length);
    letter[bad ? 1 : next.length] = '\0';
    *text += next.length;
    return next.length > 0;
}

void cs_writer_xml(struct cs_text *out, const char *text)
{
    static const char letters[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    char letter[CS_WRITER_LETTER];

    while (cs_writer_letter(&text, letter)) {
        const char *found = strchr(letters, *letter);

        cs_text_add(out, found ? entities[found - letters] : letter);
    }
}

const char *cs_writer_entities(const char *text, struct cs_arena *arena)
{
    struct cs_text out = {0};

    cs_writer_xml(&out, text);
    return cs_text_keep(&out, arena);
}

static const char *writer_plain(const char *name, const char *less, struct cs_arena *arena)
{
    struct cs_text copy = {0};
    char letter[CS_WRITER_LETTER];
    const char *at = name;

    while (cs_writer_letter(&at, letter) && copy.length + strlen(letter) <= CS_WRITER_NAME_MAX) {
        bool is_kept =
            !strchr(less, *letter) && strncmp(at - strlen(letter), letter, strlen(letter)) == 0;

        cs_text_add(&copy, is_kept ? letter : "_");
    }
    if (copy.length == 0)
        cs_text_add(&copy, "_");
    return cs_text_keep(&copy, arena);
}

const char **cs_writer_names(const struct cs_graph *graph, const char *less, struct cs_arena *arena,
                             struct cs_text *notes)
{
    const char **names = cs_arena_alloc(arena, graph->device_count, sizeof(*names));
    struct cs_names taken;
    bool changed = false;

    cs_names_init(&taken, arena, graph->device_count);
    for (uint32_t d = 0; d < graph->device_count; d++) {
        names[d] = writer_plain(graph->devices[d].name, less, arena);
        for (uint32_t i = 2; cs_names_add(&taken, names[d], d) != CS_NO_NAME; i++)
            names[d] = cs_arena_printf(arena, "%s_%u",
                                       writer_plain(graph->devices[d].name, less, arena), i);
        changed |= !cs_same(names[d], graph->devices[d].name);
    }
    if (changed)
        cs_text_add(notes,
                    "names of devices with unsupported characters, or too long, are changed\n");
    return names;
}
