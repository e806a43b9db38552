#include "topo/formats/source.h"

#include "sim/base/divisor.h"
#include "sim/base/file.h"
#include "sim/base/units.h"
#include "sim/base/utf8.h"
#include "sim/net/net.h"
#include "topo/documents/parameters.h"
#include "topo/documents/xml.h"
#include "topo/documents/yaml.h"
#include "topo/formats/signature.h"
#include "topo/graph/check.h"
#include "topo/graph/in_fabric.h"
#include "topo/graph/in_switch.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define SOURCE(name) extern const struct cs_source cs_source_##name;
#include "topo/formats/sources.def"
#undef SOURCE

#define SOURCE(name) &cs_source_##name,
const struct cs_source *const cs_sources[] = {
#include "topo/formats/sources.def"
};
#undef SOURCE

const size_t cs_source_count = sizeof(cs_sources) / sizeof(*cs_sources);

const struct cs_other_name cs_other_names[] = {
#define NAME(other, name)              {other, name, NULL},
#define NAME_OF_GPUS(other, name, gpu) {other, name, #gpu},
#include "topo/formats/other_names.def"
#undef NAME_OF_GPUS
#undef NAME
};
const size_t cs_other_name_count = sizeof(cs_other_names) / sizeof(*cs_other_names);

const struct cs_other_name *cs_other_name_find(const char *name)
{
    for (size_t i = 0; i < cs_other_name_count; i++)
        if (strcasecmp(name, cs_other_names[i].other) == 0)
            return &cs_other_names[i];
    return NULL;
}

/* The source named before the ':' of the spec, or NULL. */
static const struct cs_source *source_of(const char *spec)
{
    for (size_t i = 0; i < cs_source_count; i++) {
        size_t length = strlen(cs_sources[i]->name);

        if (strncmp(spec, cs_sources[i]->name, length) == 0 && spec[length] == ':')
            return cs_sources[i];
    }
    return NULL;
}

static bool source_recognises(const struct cs_source *source, struct cs_doc_text text)
{
    if (source->root)
        return cs_xml_begins_with(text.text, text.length, source->root);
    for (size_t i = 0; i < 2 && source->words[i]; i++)
        if (memmem(text.text, text.length, source->words[i], strlen(source->words[i])))
            return true;
    return source->recognises && source->recognises(text);
}

/* The first source that recognises the text; YAML by default. */
static const struct cs_source *source_of_text(struct cs_doc_text text)
{
    for (size_t i = 0; i < cs_source_count; i++)
        if (source_recognises(cs_sources[i], text))
            return cs_sources[i];
    return &cs_source_yaml;
}

/* "a/dgx.yaml" -> "dgx", whatever the ending. */
static const char *source_base_name(struct cs_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = strrchr(name, '.');

    return end && end > name ? cs_arena_text_n(arena, name, (size_t)(end - name))
                             : cs_arena_text(arena, name);
}

/* An option without effect is an error; a cluster passes options on to its
 * nodes. */
static int check_hints(const struct cs_topo_request *request, const struct cs_source *source,
                       struct cs_err *err)
{
    if (request->hosts && !source->takes_hosts)
        return cs_err_set(err, CS_EINPUT,
                          "--hosts: '%s' has no names of hosts; --hosts is for fabrics of "
                          "ibnetdiscover, ibdiagnet, htsim and Slurm",
                          request->spec);
    if (source->build && !cs_source_reads(source) && strcmp(source->name, "cluster") == 0)
        return 0;
    if (request->gpu && !source->takes_gpu)
        return cs_err_set(err, CS_EINPUT,
                          "--gpu %s: '%s' %s; --gpu is for matrices of nvidia-smi, rocm-smi and "
                          "amd-smi, HCCL's rank tables and InfraGraph",
                          request->gpu, request->spec,
                          cs_source_reads(source) || cs_same(source->name, "node")
                              ? "already names its GPUs"
                              : "has ranks without GPUs");
    if (request->platform && !source->takes_platform &&
        !request->platform[strspn(request->platform, "0123456789")])
        return cs_err_set(err, CS_EINPUT,
                          "--platform %s: expected a machine; a number of nodes is --nodes %s",
                          request->platform, request->platform);
    if (request->platform && !source->takes_platform)
        return cs_err_set(err, CS_EINPUT,
                          "--platform %s: '%s' takes none; --platform is for files of NCCL, "
                          "ibnetdiscover and Slurm, and for --nodes",
                          request->platform, request->spec);
    return 0;
}

static int source_read_document(const struct cs_topo_request *request,
                                const struct cs_source *source, struct cs_doc_text text,
                                struct cs_graph *graph, struct cs_err *err)
{
    struct cs_doc doc;

    if (source->root ? cs_xml_read_text(text, &doc, graph->arena, err) ||
                           cs_xml_want_name(&doc, 0, source->root, err)
                     : cs_yaml_read_text(text, &doc, graph->arena, err))
        return CS_EINPUT;
    return source->read_document(request, &doc, graph, err);
}

/* Reads the text by that source; NULL: the content decides. */
static int source_read_text(const struct cs_topo_request *request, const struct cs_source *source,
                            struct cs_doc_text text, struct cs_graph *graph, struct cs_err *err)
{
    size_t mark = cs_utf8_mark(text.text, text.length);
    bool by_content = !source;
    int code;

    text.text += mark;
    text.length -= mark;
    if (!source)
        source = source_of_text(text);
    graph->name = source_base_name(graph->arena, text.file);
    graph->file = text.file;
    graph->is_of_file = true;
    if (!cs_source_reads(source))
        return cs_err_set(err, CS_EINPUT, "'%s:' does not read files", source->name);
    if (check_hints(request, source, err))
        return CS_EINPUT;
    code = source->read ? source->read(request, text, graph, err)
                        : source_read_document(request, source, text, graph, err);
    if (code && by_content && source == &cs_source_yaml)
        cs_signature_explain(text, "a machine", "--topo FILE", err);
    return code;
}

static int source_read_file(const struct cs_topo_request *request, const struct cs_source *source,
                            const char *path, struct cs_graph *graph, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int rc = cs_file_read(path, CS_SOURCE_BYTES_MAX, &text, err);

    if (!rc)
        rc = source_read_text(request, source,
                              (struct cs_doc_text){cs_arena_text(graph->arena, path),
                                                   cs_text_str(&text), text.length},
                              graph, err);
    return rc;
}

/* Whether a directory has the name of a machine of the library, which then
 * counts. */
static bool is_beside_directory(const struct cs_topo_request *request, const struct stat *status,
                                struct cs_graph *graph)
{
    struct cs_err why = {0};

    return S_ISDIR(status->st_mode) &&
           cs_source_yaml.build(&cs_source_yaml, request, request->spec, graph, &why) == 0;
}

/* Whether the words of the request alone generate the machine anywhere: no file or
 * option is part of it. */
static bool source_generates(const struct cs_topo_request *request, const struct cs_source *source,
                             const struct cs_graph *graph)
{
    return !cs_source_reads(source) && !graph->is_of_file && !request->ranks && !request->gpu &&
           !request->platform && !request->hosts && request->routing == CS_ROUTING_STATIC &&
           !strchr(request->spec, '\n');
}

static int source_generate(const struct cs_topo_request *request, const struct cs_source *source,
                           const char *parameters, struct cs_graph *graph, struct cs_err *err)
{
    int code = source->build(source, request, parameters, graph, err);

    if (!code && source_generates(request, source, graph))
        graph->generator = request->spec;
    return code;
}

int cs_topo_generate(const struct cs_topo_request *request, struct cs_graph *graph,
                     struct cs_err *err)
{
    const struct cs_source *source = source_of(request->spec);

    if (!source || cs_source_reads(source))
        return cs_err_set(err, CS_EINPUT,
                          "'%.80s' is no generator; expected one of 'collsim list topologies' with "
                          "its parameters, as fat-tree:ranks=64",
                          request->spec);
    return source_generate(request, source, request->spec + strlen(source->name) + 1, graph, err);
}

/* A spec without the name of a source is a file or a machine of the
 * library. */
static int source_build(const struct cs_topo_request *request, struct cs_graph *graph,
                        struct cs_err *err)
{
    const struct cs_source *source = source_of(request->spec);
    const char *rest = request->spec;
    struct stat status;

    if (source)
        rest += strlen(source->name) + 1;
    if ((!source || cs_source_reads(source)) && stat(rest, &status) == 0)
        return !source && is_beside_directory(request, &status, graph)
                   ? 0
                   : source_read_file(request, source, rest, graph, err);
    if (!source)
        source = &cs_source_yaml;
    if (source->build && check_hints(request, source, err))
        return CS_EINPUT;
    return source->build ? source_generate(request, source, rest, graph, err)
                         : source_read_file(request, source, rest, graph, err);
}

/* Keeps the first ranks; the devices of the machine stay. */
static int source_trim(const struct cs_topo_request *request, struct cs_graph *graph,
                       struct cs_err *err)
{
    if (request->ranks > graph->rank_count) {
        uint32_t nodes = (uint32_t)cs_divide_up(request->ranks, graph->rank_count);

        if (strchr(request->spec, ':'))
            return cs_err_set(err, CS_EINPUT, "'%s' has %u ranks; %u requested", request->spec,
                              graph->rank_count, request->ranks);
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has %u ranks; %u requested; expected --nodes %u --ranks %u",
                          request->spec, graph->rank_count, request->ranks, nodes, request->ranks);
    }
    if (request->ranks)
        graph->rank_count = request->ranks;
    graph->agent_slots = graph->agent_count;
    if (request->agents > graph->agent_count)
        return cs_err_set(err, CS_EINPUT, "'%s' has room for %u parameter servers; %u requested",
                          request->spec, graph->agent_count, request->agents);
    graph->agent_count = request->agents;
    return 0;
}

/* The request to the source. Sources place agents outside of switches only;
 * agents inside switches are placed later and, like searched routes, need
 * all devices. */
static struct cs_topo_request source_outside(const struct cs_topo_request *request)
{
    struct cs_topo_request copy = *request;

    if (request->routing != CS_ROUTING_STATIC)
        copy.replicas_from = 0;
    if (request->agent_place == CS_AGENT_SERVER || request->agents == 0)
        return copy;
    copy.agents = 0;
    copy.replicas_from = 0;
    return copy;
}

/* Routes are searched where the generator has none, or where the request
 * replaces the generator's routes. */
static void source_set_routing(const struct cs_topo_request *request, struct cs_graph *graph)
{
    graph->hashes_routes = request->routing == CS_ROUTING_ECMP;
    graph->route_seed = request->seed;
    if (request->routing == CS_ROUTING_SEARCH || (graph->choice && !graph->has_choice))
        graph->route = NULL;
    if (request->routing == CS_ROUTING_SEARCH)
        graph->given_routes = NULL;
}

static void source_open_graph(const struct cs_topo_request *request, struct cs_graph *graph,
                              struct cs_arena *arena)
{
    cs_graph_init(graph, arena);
    if (cs_routing_draws(request->routing))
        graph->choice = cs_arena_alloc(arena, 1, sizeof(*graph->choice));
}

int cs_topo_place_agents(const struct cs_topo_request *request, struct cs_graph *graph,
                         struct cs_err *err)
{
    if (request->agent_place == CS_AGENT_SWITCH_TREE)
        return cs_graph_place_tree(graph, request->agents, err);
    if (request->agent_place == CS_AGENT_FABRIC)
        return cs_graph_place_fabric(graph, request->agents, err);
    if (request->agent_place == CS_AGENT_NODE_FABRIC)
        return cs_graph_place_nodes_and_fabric(graph, request->agents, err);
    if (request->agent_place == CS_AGENT_SWITCH_NODE)
        return cs_graph_place_nodes(graph, request->agents, err);
    if (request->agent_place == CS_AGENT_SWITCH)
        return cs_graph_place_inside(graph, request->agents, err);
    if (request->agents > graph->agent_slots)
        return CS_TOPO_REOPEN;
    graph->agent_count = request->agents;
    return cs_graph_check(graph, err);
}

/* Machines have no slower links than 1 Mb/s. */
static void source_note_slow_wire(struct cs_graph *graph)
{
    const double slow_Bps = 125e3;
    const struct cs_graph_replicas *same = &graph->replicated;
    struct cs_wire slowest = {.rate_Bps = slow_Bps};
    uint32_t w = 0;

    while (w < graph->wire_count) {
        struct cs_wire wire = cs_graph_wire(graph, w++);

        if (wire.rate_Bps < slowest.rate_Bps)
            slowest = wire;
        if (same->count && w == same->wires) /* further nodes are the same */
            w = same->count * same->wires;
    }
    if (slowest.rate_Bps < slow_Bps)
        cs_graph_note(graph, "a link (%.60s) has %s, less than 1 Mb/s: the unit may be wrong",
                      slowest.class_name, cs_show_rate(slowest.rate_Bps).text);
}

/* GPUs with wires between them alone are a machine for algorithms that relay. */
static int source_check(struct cs_graph *graph, struct cs_err *err)
{
    struct cs_err wrong = {0};
    int rc = cs_graph_check(graph, &wrong);

    if (!rc)
        return 0;
    if (graph->route || graph->direct || !graph->devices || !graph->rank_count ||
        !cs_graph_needs_relays(graph))
        return cs_err_set(err, rc, "%s", wrong.text);
    graph->direct = graph->circles = graph->neighbours_only = true;
    cs_graph_note(graph,
                  "some ranks have neither a wire nor a switch in common: algorithms run here "
                  "that relay between neighbours, as ring, forest and synth do");
    return cs_graph_check(graph, err);
}

static int source_finish(const struct cs_topo_request *request, struct cs_graph *graph,
                         struct cs_err *err)
{
    struct cs_topo_request outside = source_outside(request);
    int rc;

    if (!graph->rank_device) {
        cs_graph_place_all(graph);
        cs_graph_place_servers(graph);
    }
    rc = source_trim(&outside, graph, err);
    if (!rc)
        source_set_routing(request, graph);
    if (!rc)
        rc = source_check(graph, err);
    if (!rc)
        source_note_slow_wire(graph);
    if (rc || request->agents == outside.agents)
        return rc;
    return cs_topo_place_agents(request, graph, err);
}

bool cs_topo_is_text(const char *spec)
{
    const struct cs_source *source = source_of(spec);

    return strchr(spec, '\n') && !(source && strcspn(spec + strlen(source->name) + 1, " \n"));
}

const char *cs_topo_shown(const char *spec)
{
    return strchr(spec, '\n') ? "machine" : spec;
}

static int source_open_text(const struct cs_topo_request *request, struct cs_graph *graph,
                            struct cs_arena *arena, struct cs_err *err)
{
    struct cs_topo_request named = *request;

    named.spec = cs_topo_shown(request->spec); /* in messages */
    return cs_topo_read(&named,
                        (struct cs_doc_text){named.spec, request->spec, strlen(request->spec)},
                        graph, arena, err);
}

int cs_topo_open(const struct cs_topo_request *request, struct cs_graph *graph,
                 struct cs_arena *arena, struct cs_err *err)
{
    struct cs_topo_request outside = source_outside(request);
    int rc;

    if (cs_topo_is_text(request->spec))
        return source_open_text(request, graph, arena, err);
    /* A machine with commas is in brackets where a list may hold several. */
    outside.spec = cs_parameters_bare(cs_arena_text(arena, request->spec));
    source_open_graph(request, graph, arena);
    rc = source_build(&outside, graph, err);
    return rc ? rc : source_finish(request, graph, err);
}

int cs_topo_read(const struct cs_topo_request *request, struct cs_doc_text text,
                 struct cs_graph *graph, struct cs_arena *arena, struct cs_err *err)
{
    struct cs_topo_request outside = source_outside(request);
    int rc = cs_file_check_size(text.file, text.length, CS_SOURCE_BYTES_MAX, err);

    source_open_graph(request, graph, arena);
    if (!rc)
        rc = source_read_text(&outside, source_of(request->spec), text, graph, err);
    return rc ? rc : source_finish(request, graph, err);
}
