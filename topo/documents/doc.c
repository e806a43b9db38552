#include "topo/documents/doc.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* ------------------------------------------------------------ the tree */

/* A list or map that is still open. */
struct doc_level {
    uint32_t node;
    uint32_t last;   /* its last child so far, or CS_DOC_NONE */
    const char *key; /* of a map: the key that waits for its value */
    unsigned key_line;
};

struct doc_builder {
    const char *file;
    struct cs_arena *arena;
    struct cs_err *err;
    struct cs_doc_node *nodes; /* malloc'ed until the tree is complete */
    uint32_t count, capacity;
    struct doc_level levels[CS_DOC_DEPTH_MAX];
    uint32_t depth;
    uint32_t documents;
};

static int doc_complain(struct doc_builder *builder, unsigned line,
                        const char *what)
{
    return cs_err_at(builder->err, CS_EINPUT, builder->file, line, "%s", what);
}

static unsigned doc_line_of(const yaml_event_t *event)
{
    return (unsigned)event->start_mark.line + 1;
}

static struct doc_level *doc_top(struct doc_builder *builder)
{
    return builder->depth ? &builder->levels[builder->depth - 1] : NULL;
}

/* Hangs the new node under the list or map that is open. */
static void doc_attach(struct doc_builder *builder, uint32_t index)
{
    struct cs_doc_node *node = &builder->nodes[index];
    struct doc_level *level = doc_top(builder);

    if (!level)
        return;
    node->key = level->key;
    node->key_line = level->key_line;
    level->key = NULL;
    if (level->last == CS_DOC_NONE)
        builder->nodes[level->node].first = index;
    else
        builder->nodes[level->last].next = index;
    level->last = index;
    builder->nodes[level->node].count++;
}

static int add_node(struct doc_builder *builder, enum cs_doc_kind kind,
                    unsigned line, const char *text)
{
    struct doc_level *level = doc_top(builder);

    if (level && builder->nodes[level->node].kind == CS_DOC_MAP && !level->key)
        return doc_complain(builder, line,
                            "a list or map stands where a key was expected");
    if (builder->count == CS_DOC_NODES_MAX)
        return cs_err_at(builder->err, CS_EINPUT, builder->file, line,
                         "over %d values in one file", CS_DOC_NODES_MAX);
    if (builder->count == builder->capacity) {
        builder->capacity = builder->capacity ? 2 * builder->capacity : 64;
        builder->nodes =
            cs_grow(builder->nodes, builder->capacity, sizeof(*builder->nodes));
    }
    builder->nodes[builder->count] = (struct cs_doc_node){
        .kind = kind,
        .line = line,
        .text = text,
        .first = CS_DOC_NONE,
        .next = CS_DOC_NONE,
    };
    doc_attach(builder, builder->count++);
    return 0;
}

static int doc_open_level(struct doc_builder *builder, enum cs_doc_kind kind,
                          unsigned line)
{
    int rc;

    if (builder->depth == CS_DOC_DEPTH_MAX)
        return cs_err_at(builder->err, CS_EINPUT, builder->file, line,
                         "lists and maps are over %d deep", CS_DOC_DEPTH_MAX);
    rc = add_node(builder, kind, line, NULL);
    if (rc)
        return rc;
    builder->levels[builder->depth++] =
        (struct doc_level){.node = builder->count - 1, .last = CS_DOC_NONE};
    return 0;
}

/* A key and where it stands, to be sorted. */
struct doc_key {
    const char *text;
    uint32_t node;
};

static int compare_keys(const void *a, const void *b)
{
    const struct doc_key *x = a;
    const struct doc_key *y = b;
    int order = strcmp(x->text, y->text);

    return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* The first node whose key an earlier one has too, and that earlier one. */
static struct doc_key doc_first_twice(const struct doc_key *keys,
                                      uint32_t count, uint32_t *earlier)
{
    struct doc_key found = {.node = CS_DOC_NONE};

    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(keys[i - 1].text, keys[i].text) == 0 &&
            keys[i].node < found.node) {
            found = keys[i];
            *earlier = keys[i - 1].node;
        }
    }
    return found;
}

static int check_keys(struct doc_builder *builder, uint32_t map)
{
    const struct cs_doc_node *nodes = builder->nodes;
    struct doc_key *keys = cs_grow(NULL, nodes[map].count + 1, sizeof(*keys));
    struct doc_key twice;
    uint32_t earlier = 0;
    uint32_t count = 0;

    for (uint32_t i = nodes[map].first; i != CS_DOC_NONE; i = nodes[i].next)
        keys[count++] = (struct doc_key){nodes[i].key, i};
    qsort(keys, count, sizeof(*keys), compare_keys);
    twice = doc_first_twice(keys, count, &earlier);
    free(keys);
    if (twice.node == CS_DOC_NONE)
        return 0;
    return cs_err_at(builder->err, CS_EINPUT, builder->file,
                     nodes[twice.node].key_line,
                     "'%s' is given twice; line %u has it too", twice.text,
                     nodes[earlier].key_line);
}

static int close_level(struct doc_builder *builder)
{
    uint32_t node;

    assert(builder->depth > 0 && builder->nodes);
    node = builder->levels[--builder->depth].node;
    if (builder->nodes[node].kind == CS_DOC_MAP)
        return check_keys(builder, node);
    return 0;
}

/* ------------------------------------------------------------ libyaml */

/* Text of one line, so that it can stand in a message or a table. */
static bool is_one_line(const yaml_event_t *event)
{
    for (size_t i = 0; i < event->data.scalar.length; i++) {
        unsigned char c = event->data.scalar.value[i];

        if (c < ' ' || c == 0x7f)
            return false;
    }
    return true;
}

static int on_scalar(struct doc_builder *builder, const yaml_event_t *event)
{
    struct doc_level *level = doc_top(builder);
    const char *text;

    if (!is_one_line(event))
        return doc_complain(builder, doc_line_of(event),
                            "a text has a line break or a control character; "
                            "expected one line");
    text =
        cs_arena_text_n(builder->arena, (const char *)event->data.scalar.value,
                        event->data.scalar.length);
    if (level && builder->nodes[level->node].kind == CS_DOC_MAP &&
        !level->key) {
        level->key = text;
        level->key_line = doc_line_of(event);
        return 0;
    }
    return add_node(builder, CS_DOC_SCALAR, doc_line_of(event), text);
}

static const char *anchor_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return (const char *)event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return (const char *)event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return (const char *)event->data.mapping_start.anchor;
    default:
        return NULL;
    }
}

static const char *doc_tag_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return (const char *)event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return (const char *)event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return (const char *)event->data.mapping_start.tag;
    default:
        return NULL;
    }
}

static int refuse_fancy(struct doc_builder *builder, const yaml_event_t *event)
{
    if (anchor_of(event))
        return cs_err_at(builder->err, CS_EINPUT, builder->file,
                         doc_line_of(event),
                         "the anchor '&%.40s' is not taken; write the value "
                         "where it is needed",
                         anchor_of(event));
    if (doc_tag_of(event))
        return cs_err_at(builder->err, CS_EINPUT, builder->file,
                         doc_line_of(event),
                         "the tag '%.40s' is not taken; write the value alone",
                         doc_tag_of(event));
    return 0;
}

static int on_event(struct doc_builder *builder, const yaml_event_t *event)
{
    int rc = refuse_fancy(builder, event);

    if (rc)
        return rc;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (builder->documents++)
            return doc_complain(builder, doc_line_of(event),
                                "a second document starts here; expected one");
        return 0;
    case YAML_ALIAS_EVENT:
        return cs_err_at(builder->err, CS_EINPUT, builder->file,
                         doc_line_of(event),
                         "the alias '*%.40s' is not taken; write the value out",
                         (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        return on_scalar(builder, event);
    case YAML_SEQUENCE_START_EVENT:
        return doc_open_level(builder, CS_DOC_LIST, doc_line_of(event));
    case YAML_MAPPING_START_EVENT:
        return doc_open_level(builder, CS_DOC_MAP, doc_line_of(event));
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_level(builder);
    default:
        return 0;
    }
}

static unsigned line_at(struct cs_doc_text text, size_t offset)
{
    unsigned line = 1;

    for (size_t i = 0; i < offset && i < text.length; i++)
        line += text.text[i] == '\n';
    return line;
}

static int parser_failed(struct cs_doc_text text, const yaml_parser_t *parser,
                         struct cs_err *err)
{
    const char *problem = parser->problem ? parser->problem : "cannot be read";

    if (parser->error == YAML_READER_ERROR)
        return cs_err_at(err, CS_EINPUT, text.file,
                         line_at(text, parser->problem_offset),
                         "not a text in UTF-8: %s", problem);
    return cs_err_at(err, CS_EINPUT, text.file,
                     (unsigned)parser->problem_mark.line + 1, "not YAML: %s%s",
                     problem,
                     strstr(problem, "cannot start any token")
                         ? " (a tab or a special character; quote it)"
                         : "");
}

static int doc_parse(struct cs_doc_text text, yaml_parser_t *parser,
                     struct doc_builder *builder)
{
    size_t mark = cs_utf8_mark(text.text);
    bool more = true;
    int rc = 0;

    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        parser, (const unsigned char *)text.text + mark, text.length - mark);
    while (more && !rc) {
        yaml_event_t event;

        if (!yaml_parser_parse(parser, &event))
            return parser_failed(text, parser, builder->err);
        more = event.type != YAML_STREAM_END_EVENT;
        rc = on_event(builder, &event);
        yaml_event_delete(&event);
    }
    return rc;
}

static int check_text(struct cs_doc_text text, struct cs_err *err)
{
    const char *zero;
    int rc = cs_file_check_size(text.file, text.length, CS_DOC_BYTES_MAX, err);

    if (rc)
        return rc;
    zero = text.length ? memchr(text.text, '\0', text.length) : NULL;
    if (zero)
        return cs_err_at(err, CS_EINPUT, text.file,
                         line_at(text, (size_t)(zero - text.text)),
                         "not a text: it has a zero byte");
    return 0;
}

int cs_doc_read_text(struct cs_doc_text text, struct cs_doc *doc,
                     struct cs_arena *arena, struct cs_err *err)
{
    struct doc_builder builder = {
        .file = text.file, .arena = arena, .err = err};
    yaml_parser_t parser;
    int rc = check_text(text, err);

    if (rc)
        return rc;
    if (!yaml_parser_initialize(&parser))
        return cs_err_set(err, CS_ECANNOT, "out of memory");
    rc = doc_parse(text, &parser, &builder);
    yaml_parser_delete(&parser);
    if (!rc && !builder.nodes)
        rc = cs_err_at(err, CS_EINPUT, text.file, 0, "the file is empty");
    if (!rc && builder.nodes) {
        struct cs_doc_node *nodes =
            cs_arena_alloc(arena, builder.count, sizeof(*nodes));

        memcpy(nodes, builder.nodes, builder.count * sizeof(*nodes));
        *doc = (struct cs_doc){text.file, nodes, builder.count};
    }
    free(builder.nodes);
    return rc;
}

/* ------------------------------------------------------------ files */

int cs_doc_read_file(const char *path, struct cs_doc *doc,
                     struct cs_arena *arena, struct cs_err *err)
{
    struct cs_text text = {0};
    int rc = cs_file_read(path, CS_DOC_BYTES_MAX, &text, err);

    if (!rc)
        rc = cs_doc_read_text(
            (struct cs_doc_text){path, cs_text_str(&text), text.length}, doc,
            arena, err);
    cs_text_free(&text);
    return rc;
}

/* ------------------------------------------------------------ questions */

uint32_t cs_doc_get(const struct cs_doc *doc, uint32_t map, const char *key)
{
    uint32_t i = doc->nodes[map].first;

    while (i != CS_DOC_NONE && !cs_same(doc->nodes[i].key, key))
        i = doc->nodes[i].next;
    return i;
}

int cs_doc_err(const struct cs_doc *doc, uint32_t node, struct cs_err *err,
               const char *format, ...)
{
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return cs_err_at(err, CS_EINPUT, doc->file, doc->nodes[node].line, "%s",
                     text);
}

static const char *kind_name(const struct cs_doc_node *node)
{
    switch (node->kind) {
    case CS_DOC_LIST:
        return "a list";
    case CS_DOC_MAP:
        return "a map";
    default:
        return *node->text ? "a text" : "nothing";
    }
}

static int doc_want(const struct cs_doc *doc, uint32_t node,
                    enum cs_doc_kind kind, const char *what, struct cs_err *err)
{
    static const char *const expected[] = {
        [CS_DOC_SCALAR] = "a text",
        [CS_DOC_LIST] = "a list",
        [CS_DOC_MAP] = "a map of 'key: value'",
    };

    if (doc->nodes[node].kind == kind)
        return 0;
    return cs_doc_err(doc, node, err, "%s is %s; expected %s", what,
                      kind_name(&doc->nodes[node]), expected[kind]);
}

int cs_doc_want_map(const struct cs_doc *doc, uint32_t node, const char *what,
                    struct cs_err *err)
{
    return doc_want(doc, node, CS_DOC_MAP, what, err);
}

int cs_doc_want_list(const struct cs_doc *doc, uint32_t node, const char *what,
                     struct cs_err *err)
{
    return doc_want(doc, node, CS_DOC_LIST, what, err);
}

static int unknown_key(const struct cs_doc *doc, uint32_t value,
                       const char *what, const char *const *names,
                       struct cs_err *err)
{
    const struct cs_doc_node *node = &doc->nodes[value];
    struct cs_text all = {0};
    const char *near;
    size_t count = 0;
    int rc;

    for (; names[count]; count++)
        cs_text_printf(&all, "%s%s", count ? ", " : "", names[count]);
    near = cs_nearest(node->key, names, count);
    if (near)
        rc = cs_err_at(err, CS_EINPUT, doc->file, node->key_line,
                       "no key called '%s' in %s; did you mean '%s'?",
                       node->key, what, near);
    else
        rc = cs_err_at(err, CS_EINPUT, doc->file, node->key_line,
                       "no key called '%s' in %s; there are %s", node->key,
                       what, cs_text_str(&all));
    cs_text_free(&all);
    return rc;
}

int cs_doc_want_keys(const struct cs_doc *doc, uint32_t map, const char *what,
                     const char *const *names, struct cs_err *err)
{
    int rc = cs_doc_want_map(doc, map, what, err);

    if (rc)
        return rc;
    for (uint32_t i = doc->nodes[map].first; i != CS_DOC_NONE;
         i = doc->nodes[i].next) {
        const char *const *name = names;

        while (*name && !cs_same(*name, doc->nodes[i].key))
            name++;
        if (!*name)
            return unknown_key(doc, i, what, names, err);
    }
    return 0;
}

int cs_doc_want_text(const struct cs_doc *doc, uint32_t node, const char *what,
                     const char **text, struct cs_err *err)
{
    int rc = doc_want(doc, node, CS_DOC_SCALAR, what, err);

    if (rc)
        return rc;
    *text = doc->nodes[node].text;
    if (!**text)
        return cs_doc_err(doc, node, err, "%s is empty; expected a text", what);
    return 0;
}

int cs_doc_want_rate(const struct cs_doc *doc, uint32_t node, const char *what,
                     double *rate_Bps, struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_rate(text, rate_Bps, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    return 0;
}

int cs_doc_want_time(const struct cs_doc *doc, uint32_t node, const char *what,
                     uint64_t *time_ps, struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_time(text, time_ps, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    return 0;
}

int cs_doc_want_fraction(const struct cs_doc *doc, uint32_t node,
                         const char *what, double *fraction, struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_fraction(text, fraction, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    return 0;
}

int cs_doc_want_count(const struct cs_doc *doc, uint32_t node, const char *what,
                      uint32_t max, uint32_t *count, struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    uint64_t value = 0;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_count(text, 1, max, &value, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    *count = (uint32_t)value;
    return 0;
}
