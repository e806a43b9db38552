/*
 * ForestColl: the trees of an all-gather, as its spanning_trees_to_xml writes them.
 *
 *     <Algo nchunkspernode="2">
 *       <tree root="0" index="0" nchunks="1" height="2">
 *         <send src="0" dst="1" path="0,1"/>
 *         <send src="1" dst="2" path="1,sw,2"/>
 *       </tree>
 *
 * Ranks are the roots in the order of the file; the machine routes, whatever `path` is.
 * Each tree is a lane, in which a piece moves down a level a round: with --chunks N its
 * data are N pieces, as ForestColl pipelines them.
 * Source: liangyuRain/ForestColl, pipeline_allgather.py.
 */
#include "algorithms/schedules/recipe/from.h"
#include "sim/base/collections/name_index.h"
#include "topo/documents/xml.h"

#include <stdio.h>

enum {
    CHUNKS_MAX = 1 << 20, /* of a GPU */
    FOREST_RANKS_MAX = 1 << 16,
    FOREST_BLOCKS_MAX = 1 << 24, /* as of any recipe */
};

struct forest_reader {
    const struct cs_doc *doc;
    struct cs_err *err;
    struct cs_text text;
    struct cs_names roots; /* -> rank */
    uint32_t *used;        /* by rank: chunks of the trees so far */
    uint32_t ranks, chunks, lane;
};

static int forest_number(const struct forest_reader *reader, uint32_t node, const char *name,
                         uint32_t *number)
{
    const struct cs_xml_number want = {name, 1, CHUNKS_MAX};
    int64_t value = 0;
    int code = cs_xml_want_number(reader->doc, node, &want, &value, reader->err);

    *number = (uint32_t)value;
    return code;
}

static int forest_rank(const struct forest_reader *reader, uint32_t node, const char *name,
                       uint32_t *rank)
{
    const char *label;

    if (cs_xml_want_text(reader->doc, node, name, &label, reader->err))
        return CS_EINPUT;
    *rank = cs_names_find(&reader->roots, label);
    return *rank == CS_NO_NAME
               ? cs_doc_err(reader->doc, node, reader->err,
                            "%s=\"%.40s\" is the root of no tree; expected a GPU", name, label)
               : 0;
}

/* Numbers the roots. */
static int forest_roots(struct forest_reader *reader, struct cs_arena *arena)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;

    cs_names_init(&reader->roots, arena, 64);
    for (uint32_t n = nodes[0].first; n != CS_DOC_NONE; n = nodes[n].next) {
        const char *root;

        if (cs_xml_want_name(reader->doc, n, "tree", reader->err) ||
            cs_xml_want_text(reader->doc, n, "root", &root, reader->err))
            return CS_EINPUT;
        reader->ranks += cs_names_add(&reader->roots, root, reader->ranks) == CS_NO_NAME;
    }
    if (reader->ranks < 2 || reader->ranks > FOREST_RANKS_MAX)
        return cs_doc_err(reader->doc, 0, reader->err, "trees of %u GPUs; expected 2 to %d",
                          reader->ranks, FOREST_RANKS_MAX);
    if (reader->chunks > FOREST_BLOCKS_MAX / reader->ranks)
        return cs_doc_err(reader->doc, 0, reader->err,
                          "%u chunks of each of %u GPUs; expected at most %d in all",
                          reader->chunks, reader->ranks, FOREST_BLOCKS_MAX);
    reader->used = cs_arena_alloc(arena, reader->ranks, sizeof(*reader->used));
    return 0;
}

/* Both sides of a message: the source has the piece at once, or from the round before. */
static int forest_send(struct forest_reader *reader, uint32_t node, uint32_t root,
                       const char *blocks)
{
    uint32_t from, to;

    if (cs_xml_want_name(reader->doc, node, "send", reader->err) ||
        forest_rank(reader, node, "src", &from) || forest_rank(reader, node, "dst", &to))
        return CS_EINPUT;
    cs_text_printf(&reader->text,
                   " op %u %u c%s send %u %u out %s\n op %u %u c recv %u %u out %s\n", from,
                   reader->lane, from == root ? "" : "+1", to, reader->lane, blocks, to,
                   reader->lane, from, reader->lane, blocks);
    return 0;
}

static int forest_tree(struct forest_reader *reader, uint32_t node)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t root, count, first;
    char blocks[96];

    if (forest_rank(reader, node, "root", &root) || forest_number(reader, node, "nchunks", &count))
        return CS_EINPUT;
    first = root * reader->chunks + reader->used[root];
    reader->used[root] += count;
    if (reader->used[root] > reader->chunks)
        return cs_doc_err(reader->doc, node, reader->err,
                          "over nchunkspernode=\"%u\" chunks in the trees of a root",
                          reader->chunks);
    (void)snprintf(blocks, sizeof(blocks), "%u*chunks+c*%u %u", first, count, count);
    for (uint32_t n = nodes[node].first; n != CS_DOC_NONE; n = nodes[n].next)
        if (forest_send(reader, n, root, blocks))
            return CS_EINPUT;
    reader->lane++;
    return 0;
}

static int forest_write(struct forest_reader *reader, struct cs_arena *arena)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;

    if (cs_xml_want_name(reader->doc, 0, "Algo", reader->err) ||
        forest_number(reader, 0, "nchunkspernode", &reader->chunks) || forest_roots(reader, arena))
        return CS_EINPUT;
    cs_text_printf(&reader->text,
                   "collective all-gather\nranks %u\nlanes %u\nblocks %u*chunks\n"
                   "for c in 0..chunks-1:\n",
                   reader->ranks, nodes[0].count, reader->ranks * reader->chunks);
    for (uint32_t n = nodes[0].first; n != CS_DOC_NONE; n = nodes[n].next)
        if (forest_tree(reader, n))
            return CS_EINPUT;
    return 0;
}

static int forestcoll_read(struct cs_import_text text, struct cs_arena *arena, struct cs_algo *algo,
                           struct cs_err *err)
{
    struct cs_doc doc;
    struct forest_reader reader = {.doc = &doc, .err = err};

    if (cs_xml_read_text((struct cs_doc_text){text.file, text.text, text.length}, &doc, arena,
                         err) ||
        forest_write(&reader, arena)) {
        cs_text_free(&reader.text);
        return CS_EINPUT;
    }
    return cs_recipe_algo_from(&(struct cs_recipe_source){.file = text.file, .text = reader.text},
                               "trees of ForestColl", arena, algo, err);
}

const struct cs_importer cs_importer_forestcoll = {
    .name = "forestcoll",
    .about = "trees of ForestColl as XML (all-gather)",
    .read = forestcoll_read,
};
