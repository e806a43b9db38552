/*
 * XML documents: reads a file of NCCL, MSCCL, hwloc or SimGrid into a tree
 * (doc.h), one map node per element.
 *
 * Text is kept only of elements without children.  Declarations of entities are
 * refused and no other file is read, so the tree is never larger than a small
 * multiple of the file.  Limits are checked before memory is allocated.
 *
 *     read   O(bytes)
 */
#pragma once

#include "topo/documents/doc.h"

enum {
    CS_XML_BYTES_MAX = 64 << 20, /* the largest file seen has 0.3 MB */
    CS_XML_NODES_MAX = 2000000,
    CS_XML_ATTRIBUTES_MAX = 64, /* of one element */
    CS_XML_NAMES_MAX = 256,     /* distinct names of elements, attributes */
};

/* Reads a file; refuses a file above the limit after reading the limit. */
int cs_xml_read_file(const char *path, struct cs_doc *doc, struct cs_arena *arena,
                     struct cs_err *err);

/* The same from memory. */
int cs_xml_read_text(struct cs_doc_text text, struct cs_doc *doc, struct cs_arena *arena,
                     struct cs_err *err);

/* Whether the first element of a text has the name; the text need not be XML.
 * O(bytes before the element). */
bool cs_xml_begins_with(const char *text, size_t length, const char *name);

/* 0 when the element has the name. */
int cs_xml_want_name(const struct cs_doc *doc, uint32_t node, const char *name, struct cs_err *err);

/* The value of a required attribute. */
int cs_xml_want_text(const struct cs_doc *doc, uint32_t node, const char *name, const char **text,
                     struct cs_err *err);

/* A required attribute that is a whole number from least to most. */
struct cs_xml_number {
    const char *name;
    int64_t least;
    int64_t most;
};
int cs_xml_want_number(const struct cs_doc *doc, uint32_t node, const struct cs_xml_number *want,
                       int64_t *number, struct cs_err *err);

/* An optional attribute that is a whole number; `otherwise` if the attribute is
 * missing or empty. */
int cs_xml_number_or(const struct cs_doc *doc, uint32_t node, const struct cs_xml_number *want,
                     int64_t otherwise, int64_t *number, struct cs_err *err);
