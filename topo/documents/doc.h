/*
 * Documents: the tree of a YAML, JSON or XML file, with the line of each node.
 *
 * The formats have a common structure: a YAML node is a scalar, a list or a map;
 * an XML element is a map of the inner elements, with attributes.  Nodes are an
 * array in file order and refer to other nodes by index; node 0 is the root.
 * yaml.h and xml.h read a document; the functions below search the tree, and
 * check and convert values.
 *
 * Messages read "file:line: problem, expectation" and are CS_EINPUT.
 *
 *     get, next   O(children of the node)
 *     attribute   O(attributes of the node)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/documents/values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CS_DOC_DEPTH_MAX = 64, /* nested lists, maps and elements */
    CS_DOC_NONE = UINT32_MAX,
};

enum cs_doc_kind {
    CS_DOC_SCALAR,
    CS_DOC_LIST,
    CS_DOC_MAP, /* also an element of XML */
    CS_DOC_KINDS
};

struct cs_doc_attribute {
    const char *name;
    const char *value;
};

struct cs_doc_node {
    enum cs_doc_kind kind;
    unsigned line;
    unsigned key_line;
    const char *key;                /* of a value in a map; name of an element; else NULL */
    const char *text;               /* of a scalar, without control characters; of an
                       * element without children; else NULL */
    uint32_t first;                 /* child, or CS_DOC_NONE */
    uint32_t next;                  /* sibling, or CS_DOC_NONE */
    uint32_t count;                 /* of children */
    uint32_t attribute, attributes; /* first index, number */
};

struct cs_doc {
    const char *file; /* in messages */
    const struct cs_doc_node *nodes;
    const struct cs_doc_attribute *attributes;
    uint32_t count;
};

/* A file in memory; `file` is the name in messages and is not copied. */
struct cs_doc_text {
    const char *file;
    const char *text;
    size_t length;
};

/* ---- search */

/* The first child with a key (an element: with a name), or CS_DOC_NONE; a list
 * and a scalar have none. */
uint32_t cs_doc_get(const struct cs_doc *doc, uint32_t map, const char *key);

/* The text of a scalar child, or `otherwise`. */
const char *cs_doc_text_or(const struct cs_doc *doc, uint32_t map, const char *key,
                           const char *otherwise);

/* Whether the node has the key (an element: the name). */
bool cs_doc_is(const struct cs_doc *doc, uint32_t node, const char *key);

/* The number of children with a key. */
uint32_t cs_doc_count(const struct cs_doc *doc, uint32_t map, const char *key);

/* The value of an attribute, or NULL. */
const char *cs_doc_attribute(const struct cs_doc *doc, uint32_t node, const char *name);

/* ---- check */

/* Reports a problem with a node: "file:line: " and the format. */
int cs_doc_err(const struct cs_doc *doc, uint32_t node, struct cs_err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The child with a key, which has to be there: "'key' is missing". */
int cs_doc_need(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *node,
                struct cs_err *err);

/* 0 for a map (a list); `what` is the name of the node in messages:
 * "'links'". */
int cs_doc_want_map(const struct cs_doc *doc, uint32_t node, const char *what, struct cs_err *err);
int cs_doc_want_list(const struct cs_doc *doc, uint32_t node, const char *what, struct cs_err *err);

/* The list with a key, which has to be there. */
int cs_doc_need_list(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *list,
                     struct cs_err *err);

/* 0 when every key of the map is in `names`, which ends in NULL; otherwise the
 * message has the first unknown key and the nearest name, or all names. */
int cs_doc_want_keys(const struct cs_doc *doc, uint32_t map, const char *what,
                     const char *const *names, struct cs_err *err);

/* The text of a scalar; an empty text is CS_EINPUT. */
int cs_doc_want_text(const struct cs_doc *doc, uint32_t node, const char *what, const char **text,
                     struct cs_err *err);

/* A scalar in a form of values.h; file, line and `what` precede its message. */
int cs_doc_want_fraction(const struct cs_doc *doc, uint32_t node, const char *what,
                         double *fraction, struct cs_err *err);
int cs_doc_want_count(const struct cs_doc *doc, uint32_t node, const char *what, uint32_t max,
                      uint32_t *count, struct cs_err *err);

/* Reads the keys of a map into a struct, in the order of the table; `what` is the
 * kind of the map in messages: "a device".  CS_EINPUT for a key that is not in it and
 * for a needed key that is missing; file, line and the key precede the message of a
 * value. */
int cs_doc_read_values(const struct cs_doc *doc, uint32_t map, const char *what,
                       struct cs_values values, void *target, struct cs_err *err);
