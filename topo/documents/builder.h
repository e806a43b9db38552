/*
 * Document builder: puts the nodes of a document (doc.h) together in the order
 * in which a parser reports them.
 *
 * The YAML and the XML parser share growth, nesting, limits and the move of the
 * finished tree into the caller's arena.  Nodes are on the heap until finish;
 * after an error the parser calls abandon instead.
 *
 *     add, open, close   O(1) amortised
 *     finish             O(nodes + attributes)
 */
#pragma once

#include "topo/documents/doc.h"

/* A list, map or element whose end has not been read. */
struct cs_doc_level {
    uint32_t node;
    uint32_t last;   /* latest child, or CS_DOC_NONE */
    const char *key; /* of a YAML map: the key that waits for its value */
    unsigned key_line;
};

struct cs_doc_builder {
    const char *file;
    struct cs_arena *arena; /* of texts, and of the finished tree */
    struct cs_err *err;
    uint32_t nodes_max;
    const char *nodes_name; /* in messages: "values", "elements" */
    struct cs_doc_node *nodes;
    uint32_t count, capacity;
    struct cs_doc_attribute *attributes;
    uint32_t attribute_count, attribute_capacity;
    struct cs_doc_level levels[CS_DOC_DEPTH_MAX];
    uint32_t depth;
};

/* The innermost open level, or NULL outside the root. */
struct cs_doc_level *cs_doc_builder_top(struct cs_doc_builder *builder);

/* Appends a node as the last child of the innermost open level.  `node` has
 * kind, line, key and text; links and counts are set by add.  CS_EINPUT above
 * the limit of nodes. */
int cs_doc_builder_add(struct cs_doc_builder *builder, struct cs_doc_node node);

/* Adds a node and opens a level: further nodes are children of the node until
 * close.  CS_EINPUT above the limit of depth. */
int cs_doc_builder_open(struct cs_doc_builder *builder, struct cs_doc_node node);

/* Closes the innermost level and returns the node of the level. */
uint32_t cs_doc_builder_close(struct cs_doc_builder *builder);

/* Appends an attribute to the latest node. */
void cs_doc_builder_attribute(struct cs_doc_builder *builder, const char *name, const char *value);

/* Moves the tree into the arena and frees the builder's memory. */
void cs_doc_builder_finish(struct cs_doc_builder *builder, struct cs_doc *doc);

/* Frees the builder's memory after an error. */
void cs_doc_builder_abandon(struct cs_doc_builder *builder);
