#include "topo/documents/builder.h"

#include "sim/base/collections/vector.h"

#include <assert.h>
#include <stdlib.h>

struct cs_doc_level *cs_doc_builder_top(struct cs_doc_builder *builder)
{
    return builder->depth ? &builder->levels[builder->depth - 1] : NULL;
}

/* Children form a list in file order, so the level keeps the latest child and
 * a new child costs O(1). */
static void doc_builder_attach(struct cs_doc_builder *builder, uint32_t index)
{
    struct cs_doc_level *level = cs_doc_builder_top(builder);

    if (!level)
        return;
    if (level->last == CS_DOC_NONE)
        builder->nodes[level->node].first = index;
    else
        builder->nodes[level->last].next = index;
    level->last = index;
    builder->nodes[level->node].count++;
}

int cs_doc_builder_add(struct cs_doc_builder *builder, struct cs_doc_node node)
{
    if (builder->count == builder->nodes_max)
        return cs_err_at(builder->err, CS_EINPUT, builder->file, node.line,
                         "over %u %s in one file", builder->nodes_max, builder->nodes_name);
    node.first = node.next = CS_DOC_NONE;
    node.count = 0;
    node.attribute = builder->attribute_count;
    node.attributes = 0;
    *CS_VECTOR_NEXT(builder->nodes, builder->count, builder->capacity) = node;
    doc_builder_attach(builder, builder->count - 1);
    return 0;
}

int cs_doc_builder_open(struct cs_doc_builder *builder, struct cs_doc_node node)
{
    int rc;

    if (builder->depth == CS_DOC_DEPTH_MAX)
        return cs_err_at(builder->err, CS_EINPUT, builder->file, node.line,
                         "%s are nested over %d deep", builder->nodes_name, CS_DOC_DEPTH_MAX);
    rc = cs_doc_builder_add(builder, node);
    if (rc)
        return rc;
    builder->levels[builder->depth++] =
        (struct cs_doc_level){.node = builder->count - 1, .last = CS_DOC_NONE};
    return 0;
}

uint32_t cs_doc_builder_close(struct cs_doc_builder *builder)
{
    assert(builder->depth > 0);
    return builder->levels[--builder->depth].node;
}

void cs_doc_builder_attribute(struct cs_doc_builder *builder, const char *name, const char *value)
{
    *CS_VECTOR_NEXT(builder->attributes, builder->attribute_count, builder->attribute_capacity) =
        (struct cs_doc_attribute){name, value};
    builder->nodes[builder->count - 1].attributes++;
}

void cs_doc_builder_finish(struct cs_doc_builder *builder, struct cs_doc *doc)
{
    *doc = (struct cs_doc){
        .file = builder->file,
        .nodes = cs_arena_copy(builder->arena, builder->nodes, builder->count, sizeof(*doc->nodes)),
        .attributes = cs_arena_copy(builder->arena, builder->attributes, builder->attribute_count,
                                    sizeof(*doc->attributes)),
        .count = builder->count,
    };
    cs_doc_builder_abandon(builder);
}

void cs_doc_builder_abandon(struct cs_doc_builder *builder)
{
    free(builder->nodes);
    free(builder->attributes);
}
