/*
 * XML documents: a tree of elements with attributes and the line of each.
 *
 * What a reader of NCCL, MSCCL or hwloc files sees.  The tree is flat:
 * elements refer to each other by index, element 0 is the root.  Text is kept
 * of elements that have nothing else inside.  Entities cannot be declared and nothing outside the
 * file is read, so a small file stays small.
 *
 * Every complaint reads "file:line: what is wrong, what was expected" and is
 * CS_EINPUT.  Limits are checked before anything is allocated.
 *
 *     read    O(bytes)
 *     get     O(attributes of the element)
 */
#ifndef CS_TOPO_DOCUMENTS_XML_H
#define CS_TOPO_DOCUMENTS_XML_H

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CS_XML_BYTES_MAX = 64 << 20, /* the largest real one is 0.3 MB */
    CS_XML_DEPTH_MAX = 64,
    CS_XML_NODES_MAX = 2000000,
    CS_XML_ATTRIBUTES_MAX = 64, /* of one element */
    CS_XML_NAMES_MAX = 256,     /* different names of elements, attributes */
};

enum {
    CS_XML_NONE = UINT32_MAX
};

/* Texts are offsets into cs_xml.text. */
struct cs_xml_attribute {
    uint32_t name;
    uint32_t value;
};

struct cs_xml_node {
    uint32_t name;
    unsigned line;
    uint32_t attribute; /* the first of them */
    uint32_t attributes;
    uint32_t first;  /* child, or CS_XML_NONE */
    uint32_t next;   /* sibling, or CS_XML_NONE */
    uint32_t inside; /* the text in an element without children, or NONE */
};

struct cs_xml {
    const char *file; /* what messages name */
    const struct cs_xml_node *nodes;
    const struct cs_xml_attribute *attributes;
    const char *text;
    uint32_t count;
};

/* Reads a file; refuses one that is too large without reading it all. */
int cs_xml_read_file(const char *path, struct cs_xml *xml,
                     struct cs_arena *arena, struct cs_err *err);

/* The same from memory; `file` is for messages and is not copied. */
struct cs_xml_text {
    const char *file;
    const char *text;
    size_t length;
};
int cs_xml_read_text(struct cs_xml_text text, struct cs_xml *xml,
                     struct cs_arena *arena, struct cs_err *err);

/* Whether the first element of a text has that name; O(bytes before it).  The
 * text need not be XML. */
bool cs_xml_begins_with(const char *text, size_t length, const char *name);

static inline const char *cs_xml_name(const struct cs_xml *xml, uint32_t node)
{
    return xml->text + xml->nodes[node].name;
}

/* The value of that attribute, or NULL. */
const char *cs_xml_get(const struct cs_xml *xml, uint32_t node,
                       const char *name);

/* Complains about an element: "file:line: " and the format. */
int cs_xml_err(const struct cs_xml *xml, uint32_t node, struct cs_err *err,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* 0 when the element has that name. */
int cs_xml_want_name(const struct cs_xml *xml, uint32_t node, const char *name,
                     struct cs_err *err);

/* The value of an attribute that has to be there. */
int cs_xml_want_text(const struct cs_xml *xml, uint32_t node, const char *name,
                     const char **text, struct cs_err *err);

/* The same for a whole number, with a sign maybe, from least to most. */
struct cs_xml_number {
    const char *name;
    int64_t least;
    int64_t most;
};
int cs_xml_want_number(const struct cs_xml *xml, uint32_t node,
                       const struct cs_xml_number *want, int64_t *number,
                       struct cs_err *err);

#endif
