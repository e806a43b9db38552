/*
 * TE-CCL: the schedule that its solver writes as JSON.
 *
 *     "6-Demand_Met": {"GPU 0": {"GPU 1": {"Chunk 0": 1.0}, ...}, ...},
 *     "7-Flows": ["Chunk 0 from 0 traveled over 0->1 in epoch 0 via switches 4", ...]
 *
 * GPUs are the ends of flows, in order of number; the machine routes.  An epoch is a round:
 * its messages start together, and the next begins when all are done.  Where every chunk
 * is met at all other GPUs it is an all-gather, where each at one an all-to-all.
 * A flow of a part of a chunk, as of TE-CCL's linear programs, is refused.
 * Source: microsoft/TE-CCL, teccl/examples/schedules.
 */
#include "algorithms/algo.h"
#include "algorithms/schedules/recipe/from.h"
#include "sim/base/order.h"
#include "topo/documents/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDS_MAX = 4096,    /* numbers of GPUs and switches */
    CHUNKS_MAX = 4096, /* of a GPU */
    EPOCHS_MAX = 1 << 20,
    PLACES_MAX = 1 << 24, /* of chunks at GPUs */
    GPUS_SHOWN = 8,
    ALL_GATHER_HEAD = 4, /* the line of the first operation in the text */
    ALL_TO_ALL_HEAD = 5,
};

struct teccl_flow {
    uint32_t chunk, source, from, to, epoch, line;
};

struct teccl_reader {
    const struct cs_doc *doc;
    struct cs_arena *arena;
    struct cs_err *err;
    struct cs_text text;
    struct teccl_flow *flows;
    uint32_t flow_count, op_count, ranks, chunks;
    uint32_t *line;         /* by operation */
    uint32_t rank[IDS_MAX]; /* of a GPU's number; UINT32_MAX: none */
    uint32_t *met;          /* by source and chunk: GPUs that ask for it */
    uint32_t *goal;         /* the same: the last of them */
    uint32_t *nth;          /* all-to-all: of the chunks between its two GPUs, this one */
    uint32_t *place;        /* all-to-all, by rank, source and chunk: scratch block + 1 */
    uint32_t *scratch;      /* by rank: blocks */
};

static uint32_t chunk_of(const struct teccl_reader *reader, const struct teccl_flow *flow)
{
    return reader->rank[flow->source] * reader->chunks + flow->chunk;
}

/* ---- flows ---- */

static bool read_flow(const char *text, struct teccl_flow *flow)
{
    const char *epoch = strstr(text, " in epoch ");

    return epoch && cs_text_take_number(&text, "Chunk ", &flow->chunk) &&
           cs_text_take_number(&text, " from ", &flow->source) &&
           cs_text_take_number(&text, " traveled over ", &flow->from) &&
           cs_text_take_number(&text, "->", &flow->to) &&
           cs_text_take_number(&epoch, " in epoch ", &flow->epoch);
}

static int teccl_flow(struct teccl_reader *reader, uint32_t node)
{
    struct teccl_flow *flow = &reader->flows[reader->flow_count++];
    const char *text = reader->doc->nodes[node].text, *volume;

    if (!text || !read_flow(text, flow))
        return cs_doc_err(reader->doc, node, reader->err,
                          "expected a flow, as 'Chunk 0 from 0 traveled over 0->1 in epoch 0'");
    if (flow->chunk >= CHUNKS_MAX || flow->source >= IDS_MAX || flow->from >= IDS_MAX ||
        flow->to >= IDS_MAX || flow->epoch >= EPOCHS_MAX || flow->from == flow->to)
        return cs_doc_err(reader->doc, node, reader->err,
                          "expected chunks and GPUs below %d, epochs below %d, and two ends",
                          IDS_MAX, EPOCHS_MAX);
    volume = strstr(text, " volume ");
    if (volume && strtod(volume + strlen(" volume "), NULL) != 1)
        return cs_doc_err(reader->doc, node, reader->err,
                          "a flow of a part of a chunk; expected whole ones, as of TE-CCL's MILP");
    flow->line = reader->doc->nodes[node].line;
    if (flow->chunk >= reader->chunks)
        reader->chunks = flow->chunk + 1;
    reader->rank[flow->source] = reader->rank[flow->from] = reader->rank[flow->to] = 0;
    return 0;
}

static int compare_flows(const void *left, const void *right)
{
    const struct teccl_flow *a = left, *b = right;

    return CS_ORDER({a->epoch, b->epoch}, {a->from, b->from}, {a->to, b->to},
                    {a->source, b->source}, {a->chunk, b->chunk});
}

/* The flows by epoch, and the ranks of their GPUs. */
static int teccl_flows(struct teccl_reader *reader)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t list;

    if (cs_doc_need_list(reader->doc, 0, "7-Flows", &list, reader->err))
        return CS_EINPUT;
    if (!nodes[list].count)
        return cs_doc_err(reader->doc, list, reader->err, "no flows");
    memset(reader->rank, 0xff, sizeof(reader->rank));
    reader->flows = cs_arena_alloc(reader->arena, nodes[list].count, sizeof(*reader->flows));
    for (uint32_t n = nodes[list].first; n != CS_DOC_NONE; n = nodes[n].next)
        if (teccl_flow(reader, n))
            return CS_EINPUT;
    qsort(reader->flows, reader->flow_count, sizeof(*reader->flows), compare_flows);
    for (uint32_t id = 0; id < IDS_MAX; id++)
        if (reader->rank[id] != UINT32_MAX)
            reader->rank[id] = reader->ranks++;
    return 0;
}

/* ---- demands ---- */

/* "GPU 3" or "Chunk 3" below the limit; UINT32_MAX: another key. */
static uint32_t number_of(const char *key, const char *what, uint32_t limit)
{
    uint32_t number;

    return key && cs_text_take_number(&key, what, &number) && number < limit ? number : UINT32_MAX;
}

static uint32_t *teccl_counts(const struct teccl_reader *reader, uint64_t count)
{
    return cs_arena_alloc(reader->arena, count, sizeof(uint32_t));
}

/* The chunks of one GPU at another. */
static int teccl_demand(struct teccl_reader *reader, uint32_t source, uint32_t node)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t id = number_of(nodes[node].key, "GPU", IDS_MAX);
    uint32_t goal = id == UINT32_MAX ? id : reader->rank[id], nth = 0;

    for (uint32_t c = nodes[node].first; c != CS_DOC_NONE; c = nodes[c].next) {
        uint32_t chunk = number_of(nodes[c].key, "Chunk", reader->chunks);

        if (goal == UINT32_MAX || chunk == UINT32_MAX)
            return cs_doc_err(reader->doc, c, reader->err, "a demand that no flow serves");
        chunk += source * reader->chunks;
        reader->met[chunk]++;
        reader->goal[chunk] = goal;
        reader->nth[chunk] = nth++;
    }
    return 0;
}

static int teccl_demands(struct teccl_reader *reader)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint64_t count = (uint64_t)reader->ranks * reader->chunks;
    uint32_t map;

    if (cs_doc_need(reader->doc, 0, "6-Demand_Met", &map, reader->err))
        return CS_EINPUT;
    if (count * reader->ranks > PLACES_MAX)
        return cs_doc_err(reader->doc, map, reader->err, "%u GPUs and %u chunks of each; too many",
                          reader->ranks, reader->chunks);
    reader->met = teccl_counts(reader, count);
    reader->goal = teccl_counts(reader, count);
    reader->nth = teccl_counts(reader, count);
    for (uint32_t n = nodes[map].first; n != CS_DOC_NONE; n = nodes[n].next) {
        uint32_t id = number_of(nodes[n].key, "GPU", IDS_MAX);

        if (id == UINT32_MAX || reader->rank[id] == UINT32_MAX)
            return cs_doc_err(reader->doc, n, reader->err, "a demand that no flow serves");
        for (uint32_t d = nodes[n].first; d != CS_DOC_NONE; d = nodes[d].next)
            if (teccl_demand(reader, reader->rank[id], d))
                return CS_EINPUT;
    }
    return 0;
}

/* Whether each chunk has so many GPUs that ask for it. */
static bool every_chunk_meets(const struct teccl_reader *reader, uint32_t times)
{
    for (uint32_t c = 0; c < reader->ranks * reader->chunks; c++)
        if (reader->met[c] != times)
            return false;
    return true;
}

/* ---- the text ---- */

static void teccl_op(struct teccl_reader *reader, const struct teccl_flow *flow, bool is_send,
                     const char *block)
{
    uint32_t from = reader->rank[flow->from], to = reader->rank[flow->to];

    reader->line[reader->op_count++] = flow->line;
    cs_text_printf(&reader->text, "op %u 0 %u %s %u 0 %s 1\n", is_send ? from : to, flow->epoch,
                   is_send ? "send" : "recv", is_send ? to : from, block);
}

static void write_all_gather(struct teccl_reader *reader)
{
    char block[32];

    cs_text_printf(&reader->text, "collective all-gather\nranks %u\nblocks %u\n", reader->ranks,
                   reader->ranks * reader->chunks);
    for (uint32_t f = 0; f < reader->flow_count; f++) {
        (void)snprintf(block, sizeof(block), "out %u", chunk_of(reader, &reader->flows[f]));
        teccl_op(reader, &reader->flows[f], true, block);
        teccl_op(reader, &reader->flows[f], false, block);
    }
}

/* The block of an all-to-all at a rank: its input, its output or a place between. */
static void exchanged(struct teccl_reader *reader, uint32_t chunk, uint32_t rank, uint32_t each,
                      char block[32])
{
    uint32_t source = chunk / reader->chunks;
    uint32_t *place = &reader->place[(size_t)rank * reader->ranks * reader->chunks + chunk];

    if (rank == source || rank == reader->goal[chunk]) {
        (void)snprintf(block, 32, "%s %u", rank == source ? "in" : "out",
                       (rank == source ? reader->goal[chunk] : source) * each + reader->nth[chunk]);
        return;
    }
    if (!*place)
        *place = ++reader->scratch[rank];
    (void)snprintf(block, 32, "scratch %u", *place - 1);
}

static void write_all_to_all(struct teccl_reader *reader)
{
    uint32_t each = reader->chunks / (reader->ranks - 1), most = 1;
    struct cs_text ops = {0}, head = {0};
    char block[32];

    reader->place = teccl_counts(reader, (uint64_t)reader->ranks * reader->ranks * reader->chunks);
    reader->scratch = teccl_counts(reader, reader->ranks);
    for (uint32_t f = 0; f < reader->flow_count; f++) {
        const struct teccl_flow *flow = &reader->flows[f];
        uint32_t chunk = chunk_of(reader, flow);

        if (flow->to == flow->source)
            continue;
        exchanged(reader, chunk, reader->rank[flow->from], each, block);
        teccl_op(reader, flow, true, block);
        exchanged(reader, chunk, reader->rank[flow->to], each, block);
        teccl_op(reader, flow, false, block);
    }
    for (uint32_t r = 0; r < reader->ranks; r++)
        most = reader->scratch[r] > most ? reader->scratch[r] : most;
    ops = reader->text;
    cs_text_printf(&head, "collective all-to-all\nranks %u\nblocks %u\nscratch %u\n%s",
                   reader->ranks, reader->ranks * each, most, cs_text_str(&ops));
    reader->text = head;
    cs_text_free(&ops);
}

/* Equally many chunks between all pairs, numbered within each. */
static bool is_all_to_all(const struct teccl_reader *reader)
{
    uint32_t each = reader->chunks / (reader->ranks - 1);

    if (!every_chunk_meets(reader, 1) || reader->chunks % (reader->ranks - 1))
        return false;
    for (uint32_t c = 0; c < reader->ranks * reader->chunks; c++)
        if (reader->nth[c] >= each || reader->goal[c] == c / reader->chunks)
            return false;
    return true;
}

static int teccl_write(struct teccl_reader *reader)
{
    if (teccl_flows(reader) || teccl_demands(reader))
        return CS_EINPUT;
    reader->line = teccl_counts(reader, UINT64_C(2) * reader->flow_count);
    if (every_chunk_meets(reader, reader->ranks - 1))
        write_all_gather(reader);
    else if (is_all_to_all(reader))
        write_all_to_all(reader);
    else
        return cs_doc_err(reader->doc, 0, reader->err,
                          "the demands are no all-gather and no all-to-all of equal parts");
    return 0;
}

/* Which rank is which GPU, where the numbers differ; else NULL. */
static const char *teccl_remark(const struct teccl_reader *reader)
{
    struct cs_text text = {0};
    uint32_t last = IDS_MAX - 1;

    while (reader->rank[last] == UINT32_MAX)
        last--;
    if (last + 1 == reader->ranks)
        return NULL;
    cs_text_add(&text, "ranks are the file's GPUs in order of number:");
    for (uint32_t id = 0, shown = 0; id <= last && shown < GPUS_SHOWN; id++)
        if (reader->rank[id] != UINT32_MAX)
            cs_text_printf(&text, "%s rank %u is GPU %u", shown++ ? "," : "", reader->rank[id], id);
    if (reader->ranks > GPUS_SHOWN)
        cs_text_add(&text, ", and so on");
    return cs_text_keep(&text, reader->arena);
}

/* Other formats by their first letter. */
static int teccl_check_json(struct cs_import_text text, struct cs_err *err)
{
    size_t at = 0;
    char first = '\0';

    while (at < text.length && strchr(" \t\r\n", text.text[at]))
        at++;
    if (at < text.length)
        first = text.text[at];
    if (first == '{')
        return 0;
    return cs_err_at(err, CS_EINPUT, text.file, 1, "%s; expected a schedule of TE-CCL as JSON",
                     first == '<' ? "XML, which msccl:FILE or forestcoll:FILE reads"
                                  : "no JSON, which begins with {");
}

static int teccl_read(struct cs_import_text text, struct cs_arena *arena, struct cs_algo *algo,
                      struct cs_err *err)
{
    struct cs_doc doc;
    struct teccl_reader *reader = cs_arena_alloc(arena, 1, sizeof(*reader));
    struct cs_recipe_source source = {.file = text.file};
    int code;

    *reader = (struct teccl_reader){.doc = &doc, .arena = arena, .err = err};
    if (teccl_check_json(text, err) ||
        cs_yaml_read_text((struct cs_doc_text){text.file, text.text, text.length}, &doc, arena,
                          err) ||
        teccl_write(reader)) {
        cs_text_free(&reader->text);
        return CS_EINPUT;
    }
    source.text = reader->text;
    source.line = reader->line;
    source.head = reader->place ? ALL_TO_ALL_HEAD : ALL_GATHER_HEAD;
    code = cs_recipe_algo_from(&source, "a schedule of TE-CCL", arena, algo, err);
    algo->remark = teccl_remark(reader);
    return code;
}

const struct cs_importer cs_importer_teccl = {
    .name = "teccl",
    .about = "a schedule of TE-CCL as JSON (all-gather, all-to-all)",
    .read = teccl_read,
};
