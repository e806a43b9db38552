#include "topo/documents/yaml.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/utf8.h"
#include "topo/documents/builder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct yaml_parse {
    struct cs_doc_builder tree;
    bool spaces; /* in place of control characters */
    uint32_t documents;
};

static int yaml_complain(struct yaml_parse *parse, unsigned line, const char *problem)
{
    return cs_err_at(parse->tree.err, CS_EINPUT, parse->tree.file, line, "%s", problem);
}

static unsigned yaml_line_of(const yaml_event_t *event)
{
    return (unsigned)event->start_mark.line + 1;
}

/* ------------------------------------------------------------ nodes */

/* Whether the next scalar is a key: the innermost level is a map, and the value
 * of the latest key has been read. */
static bool yaml_expects_key(struct yaml_parse *parse)
{
    const struct cs_doc_level *level = cs_doc_builder_top(&parse->tree);

    return level && !level->key && parse->tree.nodes[level->node].kind == CS_DOC_MAP;
}

/* Moves the waiting key into its value. */
static int yaml_take_key(struct yaml_parse *parse, struct cs_doc_node *node)
{
    struct cs_doc_level *level = cs_doc_builder_top(&parse->tree);

    if (yaml_expects_key(parse))
        return yaml_complain(parse, node->line, "a list or map in place of a key");
    if (level) {
        node->key = level->key;
        node->key_line = level->key_line;
        level->key = NULL;
    }
    return 0;
}

static int yaml_open(struct yaml_parse *parse, enum cs_doc_kind kind, unsigned line)
{
    struct cs_doc_node node = {.kind = kind, .line = line};
    int rc = yaml_take_key(parse, &node);

    return rc ? rc : cs_doc_builder_open(&parse->tree, node);
}

/* A key and its value, for a sort by key. */
struct yaml_key {
    const char *text;
    uint32_t node;
};

static int yaml_compare_keys(const void *a, const void *b)
{
    const struct yaml_key *x = a, *y = b;
    int order = strcmp(x->text, y->text);

    return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* The first node in file order whose key is a duplicate, and the earlier node
 * with the same key. */
static struct yaml_key yaml_first_twice(const struct yaml_key *keys, uint32_t count,
                                        uint32_t *earlier)
{
    struct yaml_key found = {.node = CS_DOC_NONE};

    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(keys[i - 1].text, keys[i].text) == 0 && keys[i].node < found.node) {
            found = keys[i];
            *earlier = keys[i - 1].node;
        }
    }
    return found;
}

static int yaml_check_keys(struct cs_doc_builder *builder, uint32_t map)
{
    const struct cs_doc_node *nodes = builder->nodes;
    struct yaml_key *keys = cs_grow(NULL, nodes[map].count + 1, sizeof(*keys));
    struct yaml_key twice;
    uint32_t earlier = 0, count = 0;

    for (uint32_t i = nodes[map].first; i != CS_DOC_NONE; i = nodes[i].next)
        keys[count++] = (struct yaml_key){nodes[i].key, i};
    qsort(keys, count, sizeof(*keys), yaml_compare_keys);
    twice = yaml_first_twice(keys, count, &earlier);
    free(keys);
    if (twice.node == CS_DOC_NONE)
        return 0;
    return cs_err_at(builder->err, CS_EINPUT, builder->file, nodes[twice.node].key_line,
                     "duplicate key '%s', first in line %u", twice.text, nodes[earlier].key_line);
}

static int yaml_close(struct yaml_parse *parse)
{
    uint32_t node = cs_doc_builder_close(&parse->tree);

    if (parse->tree.nodes[node].kind == CS_DOC_MAP)
        return yaml_check_keys(&parse->tree, node);
    return 0;
}

/* ------------------------------------------------------------ libyaml */

/* Texts are parts of messages and tables, so a line break is an error, or a space.
 * The number of such characters. */
static size_t yaml_to_one_line(const yaml_event_t *event)
{
    size_t found = 0;

    for (size_t i = 0; i < event->data.scalar.length; i++) {
        unsigned char *c = &event->data.scalar.value[i];

        if (*c >= ' ' && *c != 0x7f)
            continue;
        *c = ' ';
        found++;
    }
    return found;
}

static int yaml_on_scalar(struct yaml_parse *parse, const yaml_event_t *event)
{
    struct cs_doc_node node = {.line = yaml_line_of(event)};
    int rc;

    if (yaml_to_one_line(event) && !parse->spaces)
        return yaml_complain(parse, node.line,
                             parse->tree.depth
                                 ? "a line break or control character in a text; expected one line"
                                 : "prose of several lines; expected YAML of 'key: value'");
    node.text = cs_arena_text_n(parse->tree.arena, (const char *)event->data.scalar.value,
                                event->data.scalar.length);
    if (yaml_expects_key(parse)) {
        struct cs_doc_level *level = cs_doc_builder_top(&parse->tree);

        level->key = node.text;
        level->key_line = node.line;
        return 0;
    }
    rc = yaml_take_key(parse, &node);
    return rc ? rc : cs_doc_builder_add(&parse->tree, node);
}

/* Of an event; NULL: none. */
struct yaml_marks {
    const yaml_char_t *anchor, *tag;
};

static struct yaml_marks yaml_marks_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return (struct yaml_marks){event->data.scalar.anchor, event->data.scalar.tag};
    case YAML_SEQUENCE_START_EVENT:
        return (struct yaml_marks){event->data.sequence_start.anchor,
                                   event->data.sequence_start.tag};
    case YAML_MAPPING_START_EVENT:
        return (struct yaml_marks){event->data.mapping_start.anchor, event->data.mapping_start.tag};
    default:
        return (struct yaml_marks){NULL, NULL};
    }
}

static int yaml_refuse_features(struct yaml_parse *parse, const yaml_event_t *event)
{
    struct yaml_marks marks = yaml_marks_of(event);

    if (marks.anchor)
        return cs_err_at(parse->tree.err, CS_EINPUT, parse->tree.file, yaml_line_of(event),
                         "the anchor '&%.40s' is not supported; repeat the value",
                         (const char *)marks.anchor);
    if (marks.tag)
        return cs_err_at(parse->tree.err, CS_EINPUT, parse->tree.file, yaml_line_of(event),
                         "the tag '%.40s' is not supported; write the value alone",
                         (const char *)marks.tag);
    return 0;
}

static int yaml_on_event(struct yaml_parse *parse, const yaml_event_t *event)
{
    int rc = yaml_refuse_features(parse, event);

    if (rc)
        return rc;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (parse->documents++)
            return yaml_complain(parse, yaml_line_of(event),
                                 "second document in one file; expected one");
        return 0;
    case YAML_ALIAS_EVENT:
        return cs_err_at(parse->tree.err, CS_EINPUT, parse->tree.file, yaml_line_of(event),
                         "the alias '*%.40s' is not supported; repeat the value",
                         (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        return yaml_on_scalar(parse, event);
    case YAML_SEQUENCE_START_EVENT:
        return yaml_open(parse, CS_DOC_LIST, yaml_line_of(event));
    case YAML_MAPPING_START_EVENT:
        return yaml_open(parse, CS_DOC_MAP, yaml_line_of(event));
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return yaml_close(parse);
    default:
        return 0;
    }
}

static unsigned yaml_line_at(struct cs_doc_text text, size_t offset)
{
    unsigned line = 1;

    for (size_t i = 0; i < offset && i < text.length; i++)
        line += text.text[i] == '\n';
    return line;
}

/* JSON is read as the YAML that it is. */
static const char *yaml_language(const char *file)
{
    const char *suffix = strrchr(file, '.');

    return suffix && !strcmp(suffix, ".json") ? "JSON" : "YAML";
}

static int yaml_syntax_error(struct cs_doc_text text, const yaml_parser_t *parser,
                             struct cs_err *err)
{
    const char *problem = parser->problem ? parser->problem : "cannot be read";

    if (parser->error == YAML_READER_ERROR)
        return cs_err_at(err, CS_EINPUT, text.file, yaml_line_at(text, parser->problem_offset),
                         "not a text in UTF-8: %s", problem);
    return cs_err_at(err, CS_EINPUT, text.file, (unsigned)parser->problem_mark.line + 1,
                     "not %s: %s%s", yaml_language(text.file), problem,
                     strstr(problem, "cannot start any token")
                         ? " (a tab or a special character; quote it)"
                         : "");
}

static int yaml_run_parser(struct cs_doc_text text, yaml_parser_t *parser, struct yaml_parse *parse)
{
    size_t mark = cs_utf8_mark(text.text, text.length);
    bool more = true;
    int rc = 0;

    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)text.text + mark,
                                 text.length - mark);
    while (more && !rc) {
        yaml_event_t event;

        if (!yaml_parser_parse(parser, &event))
            return yaml_syntax_error(text, parser, parse->tree.err);
        more = event.type != YAML_STREAM_END_EVENT;
        rc = yaml_on_event(parse, &event);
        yaml_event_delete(&event);
    }
    return rc;
}

static int yaml_check_text(struct cs_doc_text text, struct cs_err *err)
{
    const char *zero;
    int rc = cs_file_check_size(text.file, text.length, CS_YAML_BYTES_MAX, err);

    if (rc)
        return rc;
    zero = text.length ? memchr(text.text, '\0', text.length) : NULL;
    if (zero)
        return cs_err_at(err, CS_EINPUT, text.file, yaml_line_at(text, (size_t)(zero - text.text)),
                         "not a text: it has a zero byte");
    return 0;
}

static int yaml_read(struct cs_doc_text text, bool spaces, struct cs_doc *doc,
                     struct cs_arena *arena, struct cs_err *err)
{
    struct yaml_parse parse = {.tree = {.file = text.file,
                                        .arena = arena,
                                        .err = err,
                                        .nodes_max = CS_YAML_NODES_MAX,
                                        .nodes_name = "values"},
                               .spaces = spaces};
    yaml_parser_t parser;
    int rc = yaml_check_text(text, err);

    if (rc)
        return rc;
    if (!yaml_parser_initialize(&parser))
        return cs_err_set(err, CS_ECANNOT, "out of memory");
    rc = yaml_run_parser(text, &parser, &parse);
    yaml_parser_delete(&parser);
    if (!rc && parse.tree.count == 0)
        rc = cs_err_at(err, CS_EINPUT, text.file, 0, "the file is empty");
    if (!rc)
        cs_doc_builder_finish(&parse.tree, doc);
    else
        cs_doc_builder_abandon(&parse.tree);
    return rc;
}

int cs_yaml_read_text(struct cs_doc_text text, struct cs_doc *doc, struct cs_arena *arena,
                      struct cs_err *err)
{
    return yaml_read(text, false, doc, arena, err);
}

int cs_yaml_read_foreign(struct cs_doc_text text, struct cs_doc *doc, struct cs_arena *arena,
                         struct cs_err *err)
{
    return yaml_read(text, true, doc, arena, err);
}

/* ------------------------------------------------------------ files */

int cs_yaml_read_file(const char *path, struct cs_doc *doc, struct cs_arena *arena,
                      struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int rc = cs_file_read(path, CS_YAML_BYTES_MAX, &text, err);

    if (!rc)
        rc = cs_yaml_read_text((struct cs_doc_text){path, cs_text_str(&text), text.length}, doc,
                               arena, err);
    return rc;
}
