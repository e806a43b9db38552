/*
 * Documents: a tree of scalars, lists and maps, with the line of each.
 *
 * What a reader of machines or scenarios sees of a YAML file; JSON is YAML.
 * The tree is flat: nodes refer to each other by index, node 0 is the root.
 * Only plain data is taken: no anchors or aliases (so no cycles and no
 * "billion laughs"), no tags, one document, no key twice in one map.
 *
 * Every complaint reads "file:line: what is wrong, what was expected" and is
 * CS_EINPUT.  Limits are checked before anything is allocated.
 *
 *     read        O(bytes); keys of one map are sorted to find one twice
 *     get, next   O(children of the map), O(1)
 */
#ifndef CS_TOPO_DOCUMENTS_DOC_H
#define CS_TOPO_DOCUMENTS_DOC_H

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CS_DOC_BYTES_MAX = 16 << 20, /* a file; the largest real one is 1 MB */
    CS_DOC_DEPTH_MAX = 64,       /* lists and maps in each other */
    CS_DOC_NODES_MAX = 1000000,
};

enum cs_doc_kind {
    CS_DOC_SCALAR,
    CS_DOC_LIST,
    CS_DOC_MAP,
};

enum {
    CS_DOC_NONE = UINT32_MAX
};

struct cs_doc_node {
    enum cs_doc_kind kind;
    unsigned line;
    unsigned key_line;
    const char *key;  /* in a map: the key of this value; else NULL */
    const char *text; /* of a scalar, without control letters; else NULL */
    uint32_t first;   /* child, or CS_DOC_NONE */
    uint32_t next;    /* sibling, or CS_DOC_NONE */
    uint32_t count;   /* of children */
};

struct cs_doc {
    const char *file; /* what messages name */
    const struct cs_doc_node *nodes;
    uint32_t count;
};

/* Reads a file; refuses one that is too large without reading it all. */
int cs_doc_read_file(const char *path, struct cs_doc *doc,
                     struct cs_arena *arena, struct cs_err *err);

/* The same from memory; `file` is for messages and is not copied. */
struct cs_doc_text {
    const char *file;
    const char *text;
    size_t length;
};
int cs_doc_read_text(struct cs_doc_text text, struct cs_doc *doc,
                     struct cs_arena *arena, struct cs_err *err);

/* The value of that key in the map, or CS_DOC_NONE. */
uint32_t cs_doc_get(const struct cs_doc *doc, uint32_t map, const char *key);

/* Complains about a node: "file:line: " and the format. */
int cs_doc_err(const struct cs_doc *doc, uint32_t node, struct cs_err *err,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* 0 when the node is a map (a list); `what` names it: "'links'". */
int cs_doc_want_map(const struct cs_doc *doc, uint32_t node, const char *what,
                    struct cs_err *err);
int cs_doc_want_list(const struct cs_doc *doc, uint32_t node, const char *what,
                     struct cs_err *err);

/* 0 when every key of the map is one of `names`, which ends in NULL; else the
 * first that is not is told with the nearest of the names, or all of them. */
int cs_doc_want_keys(const struct cs_doc *doc, uint32_t map, const char *what,
                     const char *const *names, struct cs_err *err);

/* The text of a scalar that is not empty. */
int cs_doc_want_text(const struct cs_doc *doc, uint32_t node, const char *what,
                     const char **text, struct cs_err *err);

/* A scalar read by one of the functions of units.h; their complaint gets file,
 * line and `what` in front. */
int cs_doc_want_rate(const struct cs_doc *doc, uint32_t node, const char *what,
                     double *rate_Bps, struct cs_err *err);
int cs_doc_want_time(const struct cs_doc *doc, uint32_t node, const char *what,
                     uint64_t *time_ps, struct cs_err *err);
int cs_doc_want_fraction(const struct cs_doc *doc, uint32_t node,
                         const char *what, double *fraction,
                         struct cs_err *err);
/* A whole number from 1 to max. */
int cs_doc_want_count(const struct cs_doc *doc, uint32_t node, const char *what,
                      uint32_t max, uint32_t *count, struct cs_err *err);

#endif
