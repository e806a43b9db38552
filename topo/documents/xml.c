#include "topo/documents/xml.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "topo/documents/builder.h"

#include <expat.h>
#include <stdlib.h>

enum {
    PIECE = 1 << 20 /* bytes of one call of expat */
};

struct xml_parse {
    XML_Parser parser;
    struct cs_doc_builder tree;
    struct cs_text inside;               /* text since the latest tag */
    const char *names[CS_XML_NAMES_MAX]; /* distinct names so far */
    uint32_t name_count;
    int code; /* of the first problem */
};

static unsigned xml_line_of(const struct xml_parse *parse)
{
#if XML_MAJOR_VERSION * 1000 + XML_MINOR_VERSION >= 2009
    return (unsigned)XML_GetCurrentLineNumber64(parse->parser);
#else
    return (unsigned)XML_GetCurrentLineNumber(parse->parser);
#endif
}

/* Ends the parse; expat may still call handlers, which test `code` first. */
static void xml_stop(struct xml_parse *parse, int code)
{
    parse->code = code;
    (void)XML_StopParser(parse->parser, XML_FALSE);
}

static void xml_refuse(struct xml_parse *parse, const char *problem)
{
    if (!parse->code)
        xml_stop(parse, cs_err_at(parse->tree.err, CS_EINPUT, parse->tree.file, xml_line_of(parse),
                                  "%s", problem));
}

/* A file has few distinct names and many elements, so a name is stored once. */
static const char *xml_keep_name(struct xml_parse *parse, const char *name)
{
    for (uint32_t i = 0; i < parse->name_count; i++)
        if (cs_same(parse->names[i], name))
            return parse->names[i];
    if (parse->name_count == CS_XML_NAMES_MAX) {
        xml_refuse(parse, "too many different names of elements and attributes");
        return "";
    }
    name = cs_arena_text(parse->tree.arena, name);
    parse->names[parse->name_count++] = name;
    return name;
}

static void xml_add_attributes(struct xml_parse *parse, const XML_Char **pairs)
{
    for (uint32_t count = 0; pairs[0] && !parse->code; count++, pairs += 2) {
        if (count == CS_XML_ATTRIBUTES_MAX)
            xml_refuse(parse, "an element has too many attributes");
        else
            cs_doc_builder_attribute(&parse->tree, xml_keep_name(parse, pairs[0]),
                                     cs_arena_text(parse->tree.arena, pairs[1]));
    }
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **pairs)
{
    struct xml_parse *parse = data;
    struct cs_doc_node node = {.kind = CS_DOC_MAP};
    int code;

    if (parse->code)
        return;
    node.line = node.key_line = xml_line_of(parse);
    node.key = xml_keep_name(parse, name);
    code = parse->code ? parse->code : cs_doc_builder_open(&parse->tree, node);
    if (code) {
        xml_stop(parse, code);
        return;
    }
    parse->inside.length = 0;
    xml_add_attributes(parse, pairs);
}

/* Keeps the text of an element that has no children. */
static void XMLCALL on_end(void *data, const XML_Char *name)
{
    struct xml_parse *parse = data;
    struct cs_doc_node *node;

    (void)name;
    if (parse->code)
        return;
    node = &parse->tree.nodes[cs_doc_builder_close(&parse->tree)];
    if (node->count == 0 && parse->inside.length > 0)
        node->text = cs_arena_text(parse->tree.arena, cs_text_str(&parse->inside));
    parse->inside.length = 0;
}

static void XMLCALL on_text(void *data, const XML_Char *text, int length)
{
    struct xml_parse *parse = data;

    if (!parse->code)
        cs_text_add_n(&parse->inside, text, (size_t)length);
}

/* NOLINTBEGIN(readability-function-size): expat's signature */
static void XMLCALL on_entity(void *data, const XML_Char *name, int parameter,
                              const XML_Char *value, int length, const XML_Char *base,
                              const XML_Char *system_id, const XML_Char *public_id,
                              const XML_Char *notation)
{
    (void)name;
    (void)parameter;
    (void)value;
    (void)length;
    (void)base;
    (void)system_id;
    (void)public_id;
    (void)notation;
    xml_refuse(data, "a declaration of an entity; expected plain elements");
}
/* NOLINTEND(readability-function-size) */

/* ---- reading ---- */

static int xml_run_parser(struct xml_parse *parse, struct cs_doc_text text)
{
    size_t at = 0;

    XML_SetUserData(parse->parser, parse);
    XML_SetElementHandler(parse->parser, on_start, on_end);
    XML_SetCharacterDataHandler(parse->parser, on_text);
    XML_SetEntityDeclHandler(parse->parser, on_entity);
    while (!parse->code) {
        size_t rest = text.length - at;
        int length = rest > PIECE ? PIECE : (int)rest;
        bool is_last = rest == (size_t)length;

        if (XML_Parse(parse->parser, text.text + at, length, is_last) != XML_STATUS_OK &&
            !parse->code)
            parse->code = cs_err_at(parse->tree.err, CS_EINPUT, parse->tree.file,
                                    xml_line_of(parse), "not well-formed XML: %s",
                                    XML_ErrorString(XML_GetErrorCode(parse->parser)));
        at += (size_t)length;
        if (is_last)
            break;
    }
    return parse->code;
}

int cs_xml_read_text(struct cs_doc_text text, struct cs_doc *doc, struct cs_arena *arena,
                     struct cs_err *err)
{
    struct xml_parse parse = {.tree = {.file = text.file,
                                       .arena = arena,
                                       .err = err,
                                       .nodes_max = CS_XML_NODES_MAX,
                                       .nodes_name = "elements"}};
    int code = cs_file_check_size(text.file, text.length, CS_XML_BYTES_MAX, err);

    if (code)
        return code;
    parse.parser = XML_ParserCreate(NULL);
    if (!parse.parser)
        return cs_err_set(err, CS_ECANNOT, "out of memory");
    code = xml_run_parser(&parse, text);
    XML_ParserFree(parse.parser);
    if (!code)
        cs_doc_builder_finish(&parse.tree, doc);
    else
        cs_doc_builder_abandon(&parse.tree);
    cs_text_free(&parse.inside);
    return code;
}

int cs_xml_read_file(const char *path, struct cs_doc *doc, struct cs_arena *arena,
                     struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(path, CS_XML_BYTES_MAX, &text, err);

    if (!code)
        code = cs_xml_read_text((struct cs_doc_text){path, cs_text_str(&text), text.length}, doc,
                                arena, err);
    return code;
}
