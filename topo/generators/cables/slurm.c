/*
 * Slurm: the switches or blocks of hosts that a scheduler knows.
 *
 *     SwitchName=leaf1 Nodes=node[001-032]              topology.conf
 *     SwitchName=top Switches=leaf[1-2] LinkSpeed=200Gb/s
 *     BlockName=rack1 Nodes=node[01-18]                 the same of the plugin block
 *
 *     - topology: fabric                                topology.yaml, one of several
 *       tree: {switches: [{switch: leaf1, nodes: "node[001-032]"}, ...]}
 *
 *     switches: {leaf1: {nodes: ["n[01-32]"]}, ...}     a model of topograph, or lists with
 *     capacity_blocks: {rack1: {nodes: [...]}, ...}     'name'; without switches the blocks
 *
 * Each adapter of a host has a copy of the tree.  From a switch as many links go up as come
 * from below, as one that never blocks; of several switches above, each has a share.
 * A block is a rack, or hosts on a fabric that never blocks.
 * Sources: SchedMD/slurm doc/man/man5/topology.conf.5 and topology.yaml.5 (the units of
 * LinkSpeed are arbitrary), NVIDIA/topograph pkg/translate/output.go,
 * tests/models.
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/yaml.h"
#include "topo/generators/cables/cables.h"
#include "topo/generators/cables/hosts.h"
#include "topo/generators/cluster/cluster.h"
#include "topo/kinds/node.h"

#include <string.h>
#include <strings.h>

/* A switch or a block. */
struct slurm_group {
    const char *switch_name, *block_name, *nodes, *children, *speed, *other;
    unsigned line;
    uint32_t end;     /* of a switch, in the cables */
    uint32_t width;   /* links from below; nodes of a block */
    uint32_t above;   /* switches above it */
    uint32_t waiting; /* switches below it without a width; UINT32_MAX: has its width */
    double rate_Bps;  /* of a link upwards; 0: as a port */
};

struct slurm_reader {
    const struct cs_topo_request *request;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_cables *cables;
    struct slurm_group *groups, *group;         /* all; the one that is read */
    uint32_t count, room, nodes, links, listed; /* links: between switches; listed: names */
    uint32_t blocks, least;                     /* least: nodes of one */
    struct cs_names names, hosts;               /* the group; the line */
};

#define KEY(name, member) CS_VALUE(name, cs_value_text, struct slurm_group, member)
static const struct cs_value conf_keys[] = {
    KEY("SwitchName", switch_name), KEY("Switches", children),    KEY("Nodes", nodes),
    KEY("LinkSpeed", speed),        KEY("BlockName", block_name), KEY("BlockSizes", other)};
static const struct cs_value switch_keys[] = {KEY("switch", switch_name), KEY("children", children),
                                              KEY("nodes", nodes)};
static const struct cs_value block_keys[] = {KEY("block", block_name), KEY("nodes", nodes)};

static int bad_group(const struct slurm_reader *reader, const char *what)
{
    return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, reader->group->line, "%s", what);
}

/* ---- groups ---- */

static int each_name(struct slurm_reader *reader, const char *list,
                     int (*each)(void *reader, const char *))
{
    struct cs_host_names_to to = {each, reader, &reader->listed};
    struct cs_err why = {0};

    if (!cs_host_names(list, to, reader->graph->arena, &why))
        return 0;
    return reader->err->code ? CS_EINPUT : bad_group(reader, why.text);
}

static int slurm_host(void *context, const char *name)
{
    struct slurm_reader *reader = context;
    struct slurm_group *group = reader->group;
    struct cs_arena *arena = reader->graph->arena;
    struct cs_cable_end end = {name, "", group->line, 0, UINT32_MAX};
    uint32_t earlier = cs_names_add(&reader->hosts, name, group->line);

    if (earlier != CS_NO_NAME)
        return bad_group(
            reader, cs_arena_printf(arena, "'%s' occurs twice, first in line %u", name, earlier));
    reader->nodes++;
    group->width++;
    if (group->block_name)
        return 0;
    cs_cables_add(
        reader->cables,
        (struct cs_cable){reader->cables->end_count, group->end, {.line = group->line}, 1}, arena);
    cs_cables_add_end(reader->cables, end, arena);
    return 0;
}

static int add_group(struct slurm_reader *reader, struct slurm_group read)
{
    struct cs_arena *arena = reader->graph->arena;
    const char *name = read.switch_name ? read.switch_name : read.block_name;
    struct slurm_group *group;
    struct cs_err why = {0};

    reader->groups =
        cs_vector_room_in(arena, reader->groups, reader->count + 1, &reader->room, sizeof(read));
    reader->group = group = &reader->groups[reader->count];
    *group = read;
    if (!name || (read.block_name && (read.switch_name || read.children || !read.nodes)))
        return bad_group(reader, "expected a switch with nodes or switches, or a block with nodes");
    if (cs_names_add(&reader->names, name, reader->count++) != CS_NO_NAME)
        return bad_group(reader, cs_arena_printf(arena, "'%s' occurs twice", name));
    if (read.speed && read.speed[strspn(read.speed, "0123456789.")] &&
        cs_units_rate(read.speed, &group->rate_Bps, &why))
        return bad_group(reader, cs_arena_printf(arena, "LinkSpeed: %s", why.text));
    group->end = reader->cables->end_count;
    if (read.switch_name)
        cs_cables_add_end(
            reader->cables,
            (struct cs_cable_end){name, NULL, read.line, reader->count - 1, UINT32_MAX}, arena);
    if (each_name(reader, read.nodes, slurm_host))
        return CS_EINPUT;
    if (read.block_name && (!reader->blocks++ || group->width < reader->least))
        reader->least = group->width;
    return 0;
}

/* ---- the tree ---- */

static int add_child(void *context, const char *name)
{
    struct slurm_reader *reader = context;
    uint32_t low = cs_names_find(&reader->names, name);
    struct cs_arena *arena = reader->graph->arena;

    if (low == CS_NO_NAME) {
        const char **names = cs_arena_alloc(arena, reader->count, sizeof(*names));

        for (uint32_t g = 0; g < reader->count; g++)
            names[g] = reader->groups[g].switch_name;
        return bad_group(reader, cs_arena_printf(arena, "no switch called '%s'%s", name,
                                                 cs_hint_all(name, names, reader->count).text));
    }
    reader->links++;
    reader->group->waiting++;
    reader->groups[low].above++;
    cs_cables_add(reader->cables,
                  (struct cs_cable){.a = reader->groups[low].end, .b = reader->group->end}, arena);
    return 0;
}

/* Widens the links of a switch to those above. */
static void set_width(struct slurm_reader *reader, struct slurm_group *low)
{
    uint32_t end = reader->cables->cable_count;
    uint32_t share = low->above && low->width ? (low->width - 1) / low->above + 1 : 1;

    low->waiting = UINT32_MAX;
    for (uint32_t c = low->above ? end - reader->links : end; c < end; c++) {
        struct cs_cable *cable = &reader->cables->cables[c];
        struct slurm_group *high = &reader->groups[reader->cables->ends[cable->b].number];

        if (cable->a != low->end)
            continue;
        cable->width = share;
        cable->wire = (struct cs_wire){.line = low->line, .rate_Bps = low->rate_Bps};
        high->width += share;
        high->waiting--;
    }
}

/* From the leaves upwards. */
static int add_tree(struct slurm_reader *reader)
{
    uint32_t left = reader->count, before;

    for (uint32_t g = 0; g < reader->count; g++) {
        reader->group = &reader->groups[g];
        if (each_name(reader, reader->group->children, add_child))
            return CS_EINPUT;
    }
    do {
        before = left;
        for (uint32_t g = 0; g < reader->count; g++)
            if (!reader->groups[g].waiting) {
                set_width(reader, &reader->groups[g]);
                left--;
            }
    } while (left < before);
    for (reader->group = reader->groups; left && reader->group->waiting == UINT32_MAX;)
        reader->group++;
    return left ? bad_group(reader, "a switch is below itself; expected a tree") : 0;
}

static int build_tree(struct slurm_reader *reader)
{
    if (add_tree(reader) ||
        cs_cables_build(reader->request, reader->cables, reader->graph, reader->err))
        return CS_EINPUT;
    if (reader->graph->rank_count / reader->nodes >= CS_RACK_RANKS)
        return cs_err_set(reader->err, CS_EINPUT,
                          "%s: nodes of a tree are hosts, and a %s is a rack; expected a host, as "
                          "node:gpu=gb200,gpus=4,links=switch,port=ib-ndr",
                          reader->cables->file, reader->request->platform);
    if (reader->links)
        cs_graph_note(reader->graph,
                      "the file has no number of cables: as many links go up from a "
                      "switch as come from below, each as the port of a host; "
                      "LinkSpeed with a unit, as 200Gb/s, is the rate of a link upwards");
    return 0;
}

/* ---- blocks ---- */

/* Racks with as many trays as the least of them, else hosts. */
static int build_blocks(struct slurm_reader *reader)
{
    const char *platform = reader->request->platform;
    struct cs_cluster_given given = {.fabric = {.choice = reader->graph->choice}};
    struct cs_graph rack = {.rank_count = 1};

    if (reader->request->hosts)
        return cs_err_set(reader->err, CS_EINPUT,
                          "--hosts: hosts of blocks are equal; --ranks N takes the first");
    if (cs_fabric_kind_find("star", &given.fabric.kind, reader->err) ||
        (platform && cs_topo_open(&(struct cs_topo_request){.spec = platform}, &rack,
                                  reader->graph->arena, reader->err)))
        return CS_EINPUT;
    given.nodes = rack.rank_count < CS_RACK_RANKS ? reader->nodes : reader->blocks;
    given.gpus = rack.rank_count < CS_RACK_RANKS ? 0 : reader->least * CS_TRAY_RANKS;
    if (given.gpus > rack.rank_count)
        return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, 0,
                         "%u nodes in a block; a %s has %u trays", reader->least, platform,
                         rack.rank_count / CS_TRAY_RANKS);
    cs_graph_note(reader->graph,
                  given.gpus
                      ? "a block is a rack, of which %u trays count; no network joins blocks "
                        "in the file: one that never blocks is assumed"
                      : "nodes of a block are hosts; no network joins them in the file: one "
                        "that never blocks is assumed",
                  reader->least);
    return cs_cluster_build_given(reader->request, &given, reader->graph, reader->err);
}

/* ---- topology.conf ---- */

/* "Key=value Key=value"; cuts the text. */
static int conf_line(struct slurm_reader *reader, char *text, unsigned line)
{
    struct slurm_group group = {.line = line};
    const char *names[CS_VALUES_MAX];
    size_t keys = sizeof(conf_keys) / sizeof(*conf_keys), k;
    bool is_empty = !text[strspn(text, " \t\r")];
    char *word;

    cs_value_names(conf_keys, keys, names);
    while ((word = strtok_r(text, " \t\r", &text))) {
        char *value = strchr(word, '=');

        if (value)
            *value++ = '\0';
        for (k = 0; k < keys && strcasecmp(names[k], word) != 0; k++) {
        }
        if (!value || k == keys)
            return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, line,
                             "'%.80s' is no key of topology.conf with a value%s", word,
                             cs_hint_all(word, names, keys).text);
        (void)cs_value_read(&conf_keys[k], value, &group, reader->err);
    }
    return is_empty || group.other ? 0 : add_group(reader, group);
}

/* Lines without comments; one that ends in a backslash goes on in the next. */
static int read_conf(struct slurm_reader *reader, struct cs_doc_text text)
{
    char *in = cs_arena_text_n(reader->graph->arena, text.text, text.length);
    char *begin = in, *out = in;
    unsigned first = 1;

    for (unsigned line = 1;; in++) {
        bool is_last;

        if (*in == '#')
            in += strcspn(in, "\n");
        is_last = *in == '\0';
        if (*in == '\\' && in[1] == '\n') {
            line++;
            in++;
        } else if (*in != '\n' && !is_last) {
            *out++ = *in;
        } else {
            *out = '\0';
            if (conf_line(reader, begin, first))
                return CS_EINPUT;
            if (is_last)
                return 0;
            begin = out = in + 1;
            first = ++line;
        }
    }
}

/* ---- topology.yaml ---- */

static int read_groups(struct slurm_reader *reader, const struct cs_doc *doc, uint32_t map,
                       const char *key, struct cs_values keys)
{
    uint32_t list;

    if (cs_doc_want_map(doc, map, "a topology", reader->err) ||
        cs_doc_need_list(doc, map, key, &list, reader->err))
        return CS_EINPUT;
    for (uint32_t n = doc->nodes[list].first; n != CS_DOC_NONE; n = doc->nodes[n].next) {
        struct slurm_group group = {.line = doc->nodes[n].line};

        if (cs_doc_read_values(doc, n, key, keys, &group, reader->err) || add_group(reader, group))
            return CS_EINPUT;
    }
    return 0;
}

/* The topology that is the default of the cluster, else the first; flat ones do not count. */
static int read_yaml(struct slurm_reader *reader, struct cs_doc_text text)
{
    static const char *const keys[] = {"topology", "cluster_default", "tree", "block", "flat",
                                       NULL};
    uint32_t chosen = CS_DOC_NONE, count = 0, map;
    bool has_default = false;
    struct cs_doc doc;

    if (cs_yaml_read_text(text, &doc, reader->graph->arena, reader->err) ||
        cs_doc_want_list(&doc, 0, "topology.yaml of Slurm", reader->err))
        return CS_EINPUT;
    for (uint32_t n = doc.nodes[0].first; n != CS_DOC_NONE; n = doc.nodes[n].next) {
        bool is_default = strcasecmp(cs_doc_text_or(&doc, n, "cluster_default", ""), "true") == 0;

        if (cs_doc_want_keys(&doc, n, "a topology", keys, reader->err))
            return CS_EINPUT;
        if (cs_doc_count(&doc, n, "tree") + cs_doc_count(&doc, n, "block") == 0)
            continue;
        if (!count++ || (is_default && !has_default))
            chosen = n;
        has_default |= is_default;
    }
    if (!count)
        return cs_doc_err(&doc, 0, reader->err, "no topology has 'tree' or 'block'");
    if (count > 1)
        cs_graph_note(reader->graph, "of %u topologies '%s' counts: the default, or the first",
                      count, cs_doc_text_or(&doc, chosen, "topology", ""));
    map = cs_doc_get(&doc, chosen, "tree");
    return map == CS_DOC_NONE ? read_groups(reader, &doc, cs_doc_get(&doc, chosen, "block"),
                                            "blocks", CS_VALUES(block_keys))
                              : read_groups(reader, &doc, map, "switches", CS_VALUES(switch_keys));
}

/* ---- models of topograph ---- */

static void add_words(const struct cs_doc *doc, uint32_t list, struct cs_text *text)
{
    for (uint32_t n = list == CS_DOC_NONE ? list : doc->nodes[list].first; n != CS_DOC_NONE;
         n = doc->nodes[n].next)
        cs_text_printf(text, "%s%s", text->length ? "," : "",
                       doc->nodes[n].text ? doc->nodes[n].text : "");
}

/* "a,b" of the text, which is freed; NULL for "". */
static const char *words_of(const struct slurm_reader *reader, struct cs_text *text)
{
    const char *words = text->length ? cs_arena_text(reader->graph->arena, text->data) : NULL;

    cs_text_free(text);
    return words;
}

/* The key of a map's entry, or the name in a list's. */
static const char *model_name(const struct cs_doc *doc, uint32_t node)
{
    return doc->nodes[node].key ? doc->nodes[node].key : cs_doc_text_or(doc, node, "name", NULL);
}

/* A block by its name, which no other switch has. */
struct model_blocks {
    struct cs_names names, used;
};

/* The nodes of a switch, and those of its blocks. */
static int model_nodes(const struct slurm_reader *reader, const struct cs_doc *doc, uint32_t map,
                       struct model_blocks *blocks, const char **nodes)
{
    uint32_t list = cs_doc_get(doc, map, "capacity_blocks");
    struct cs_text text = {0};
    int code = 0;

    add_words(doc, cs_doc_get(doc, map, "nodes"), &text);
    for (uint32_t n = list == CS_DOC_NONE ? list : doc->nodes[list].first;
         n != CS_DOC_NONE && !code; n = doc->nodes[n].next) {
        const char *name = doc->nodes[n].text ? doc->nodes[n].text : "";
        uint32_t block = cs_names_find(&blocks->names, name);

        if (block == CS_NO_NAME || cs_names_add(&blocks->used, name, n) != CS_NO_NAME)
            code = cs_doc_err(doc, n, reader->err,
                              "'%.80s' is in no 'capacity_blocks', or below two switches", name);
        else
            add_words(doc, cs_doc_get(doc, block, "nodes"), &text);
    }
    *nodes = words_of(reader, &text);
    return code;
}

static int model_group(struct slurm_reader *reader, const struct cs_doc *doc, uint32_t node,
                       struct model_blocks *blocks)
{
    const char *name = model_name(doc, node);
    bool is_switch = cs_doc_get(doc, 0, "switches") != CS_DOC_NONE;
    struct slurm_group group = {.line = doc->nodes[node].line};
    struct cs_text children = {0};

    if (is_switch)
        group.switch_name = name;
    else
        group.block_name = name;
    add_words(doc, cs_doc_get(doc, node, "switches"), &children);
    group.children = words_of(reader, &children);
    return model_nodes(reader, doc, node, blocks, &group.nodes) || add_group(reader, group)
               ? CS_EINPUT
               : 0;
}

/* The switches; without any the blocks. */
static int read_model(struct slurm_reader *reader, struct cs_doc_text text)
{
    struct model_blocks blocks;
    struct cs_doc doc;
    uint32_t list, switches;

    cs_names_init(&blocks.names, reader->graph->arena, 64);
    cs_names_init(&blocks.used, reader->graph->arena, 64);
    if (cs_yaml_read_text(text, &doc, reader->graph->arena, reader->err) ||
        cs_doc_want_map(&doc, 0, "a model of topograph", reader->err) ||
        cs_doc_need(&doc, 0, "capacity_blocks", &list, reader->err))
        return CS_EINPUT;
    for (uint32_t n = doc.nodes[list].first; n != CS_DOC_NONE; n = doc.nodes[n].next)
        if (model_name(&doc, n))
            (void)cs_names_add(&blocks.names, model_name(&doc, n), n);
    switches = cs_doc_get(&doc, 0, "switches");
    list = switches == CS_DOC_NONE ? list : switches;
    for (uint32_t n = doc.nodes[list].first; n != CS_DOC_NONE; n = doc.nodes[n].next)
        if (model_group(reader, &doc, n, &blocks))
            return CS_EINPUT;
    return 0;
}

static bool is_model(struct cs_doc_text text)
{
    return memmem(text.text, text.length, "capacity_blocks:", 16) != NULL;
}

/* ---- the source ---- */

static bool slurm_is_yaml(struct cs_doc_text text)
{
    return memmem(text.text, text.length, "- topology:", 11) != NULL;
}

static bool slurm_recognises(struct cs_doc_text text)
{
    return slurm_is_yaml(text) || is_model(text);
}

static int slurm_read(const struct cs_topo_request *request, struct cs_doc_text text,
                      struct cs_graph *graph, struct cs_err *err)
{
    struct cs_cables *cables = cs_arena_alloc(graph->arena, 1, sizeof(*cables));
    struct slurm_reader reader = {.request = request, .graph = graph, .err = err, .cables = cables};

    *cables = (struct cs_cables){.file = text.file};
    cs_names_init(&reader.names, graph->arena, 64);
    cs_names_init(&reader.hosts, graph->arena, 64);
    if (is_model(text)        ? read_model(&reader, text)
        : slurm_is_yaml(text) ? read_yaml(&reader, text)
                              : read_conf(&reader, text))
        return CS_EINPUT;
    if (!reader.nodes || (reader.blocks && reader.blocks != reader.count))
        return cs_err_at(
            err, CS_EINPUT, text.file, 0,
            "%u nodes in %u blocks and %u switches; expected nodes in one or the other",
            reader.nodes, reader.blocks, reader.count - reader.blocks);
    return reader.blocks ? build_blocks(&reader) : build_tree(&reader);
}

const struct cs_source cs_source_slurm = {
    .name = "slurm",
    .usage = "topology.conf or topology.yaml of Slurm, a model of topograph",
    .about = "switches or blocks of hosts; --platform MACHINE is inside the hosts, or the blocks",
    .read = slurm_read,
    .words = {"SwitchName=", "BlockName="},
    .recognises = slurm_recognises,
    .takes_platform = true,
    .takes_hosts = true,
};
