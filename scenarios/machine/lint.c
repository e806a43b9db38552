/*
 * topo lint: figures without a verified source.
 *
 * For a machine: links whose source is missing or contains a word of doubt.
 * Without a machine: such lines of the whole library, and such link kinds.
 */
#include "scenarios/machine/topo_word.h"
#include "topo/formats/source.h"
#include "topo/kinds/link_kind.h"

#include <string.h>
#include <strings.h>

struct lint_row {
    const char *where;
    uint64_t line; /* 0: none */
    const char *word, *text;
};

#define AT(member) CS_AT(struct lint_row, member)
static const struct cs_sheet_column columns[] = {
    {"where", "where", NULL, CS_SHEET_TEXT, AT(where)},
    {"line", "line", NULL, CS_SHEET_COUNT, AT(line), CS_IF_POSITIVE},
    {"word", "word", NULL, CS_SHEET_TEXT, AT(word)},
    {"text", "text", NULL, CS_SHEET_TEXT, AT(text)},
};

/* Words of doubt, or their stems, in the sources of figures. */
static const char *const words[] = {
    "unverified", "assum", "estimat", "guess", "invented", "unknown", "not known", "extrapolat",
};

static const char *topo_lint_doubt(const char *text)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strcasestr(text, words[i]))
            return words[i];
    return NULL;
}

/* ---- one machine ---- */

/* Wires of a class are adjacent and have one source: a row for each class. */
static uint64_t lint_machine(const struct cs_topo_look *look, struct cs_sheet *sheet)
{
    const struct cs_graph *graph = look->graph;
    const char *last = NULL;
    uint64_t found = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        const char *source = wire->source ? wire->source : "";
        const char *word = *source ? topo_lint_doubt(source) : "no source";

        if (!word || (last && cs_same(last, wire->class_name)))
            continue;
        last = wire->class_name;
        found++;
        cs_sheet_row(sheet, &(struct lint_row){wire->class_name, wire->line, word, source});
    }
    return found;
}

/* ---- the library ---- */

static uint64_t lint_kinds(struct cs_sheet *sheet)
{
    uint64_t found = 0;

    for (size_t i = 0; i < cs_link_kind_count; i++) {
        const char *word = topo_lint_doubt(cs_link_kinds[i].source);

        if (!word)
            continue;
        found++;
        cs_sheet_row(sheet,
                     &(struct lint_row){cs_link_kinds[i].name, 0, word, cs_link_kinds[i].source});
    }
    return found;
}

static uint64_t lint_file(const struct cs_library_file *file, struct cs_arena *arena,
                          struct cs_sheet *sheet)
{
    const char *at = file->text;
    const char *end = file->text + file->length;
    uint64_t found = 0;

    for (uint64_t line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *text;
        const char *word;

        stop = stop ? stop : end;
        at += strspn(at, " ");
        text = cs_arena_text_n(arena, at, (size_t)(stop - at));
        word = topo_lint_doubt(text);
        if (word)
            cs_sheet_row(sheet, &(struct lint_row){file->name, line, word, text});
        found += word != NULL;
        at = stop + 1;
    }
    return found;
}

static int topo_lint_run(const struct cs_topo_look *look, struct cs_err *err)
{
    struct cs_sheet sheet = {0};
    uint64_t found = 0;

    cs_sheet_begin(&sheet, "unchecked", CS_COLUMNS(columns));
    if (look->named) {
        found = lint_machine(look, &sheet);
    } else {
        found = lint_kinds(&sheet);
        for (size_t i = 0; i < cs_machine_file_count; i++)
            found += lint_file(&cs_machine_files[i], look->arena, &sheet);
    }
    return cs_topo_findings(look, &sheet, found, "unchecked", err);
}

const struct cs_topo_view cs_topo_word_lint = {
    .name = "lint",
    .about = "figures without a verified source; of the whole library by default",
    .has_sheet = true,
    .has_findings = true,
    .run = topo_lint_run,
};
