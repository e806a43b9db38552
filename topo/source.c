#include "topo/source.h"

#include "topo/inside.h"

#include <string.h>

#define SOURCE(name) extern const struct cs_source cs_source_##name;
#include "topo/sources.def"
#undef SOURCE

#define SOURCE(name) &cs_source_##name,
const struct cs_source *const cs_sources[] = {
#include "topo/sources.def"
};
#undef SOURCE

const size_t cs_source_count = sizeof(cs_sources) / sizeof(*cs_sources);

/* The source whose name and a ':' the spec starts with, or NULL. */
static const struct cs_source *source_of(const char *spec)
{
    for (size_t i = 0; i < cs_source_count; i++) {
        size_t length = strlen(cs_sources[i]->name);

        if (strncmp(spec, cs_sources[i]->name, length) == 0 &&
            spec[length] == ':')
            return cs_sources[i];
    }
    return NULL;
}

/* A file or a name of the library is what no source's name stands before. */
static int build(const struct cs_topo_request *request, struct cs_graph *graph,
                 struct cs_err *err)
{
    const struct cs_source *source = source_of(request->spec);
    const char *parameters = request->spec;

    if (source)
        parameters += strlen(source->name) + 1;
    else
        source = &cs_source_yaml;
    return source->build(request, parameters, graph, err);
}

/* Keeps the first ranks; the machine stays as big as it is. */
static int trim(const struct cs_topo_request *request, struct cs_graph *graph,
                struct cs_err *err)
{
    if (request->ranks > graph->rank_count)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has room for %u ranks, not for %u",
                          request->spec, graph->rank_count, request->ranks);
    if (request->ranks)
        graph->rank_count = request->ranks;
    if (request->agents > graph->agent_count)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has room for %u parameter servers, not for %u",
                          request->spec, graph->agent_count, request->agents);
    graph->agent_count = request->agents;
    return 0;
}

int cs_topo_open(const struct cs_topo_request *request, struct cs_graph *graph,
                 struct cs_arena *arena, struct cs_err *err)
{
    struct cs_topo_request outside = *request;
    bool inside = request->agent_place == CS_AGENT_SWITCH;
    int rc;

    if (inside)
        outside.agents = 0;
    cs_graph_init(graph, arena);
    rc = build(&outside, graph, err);
    if (!rc)
        rc = trim(&outside, graph, err);
    if (!rc)
        rc = cs_graph_check(graph, err);
    if (!rc && inside && request->agents)
        rc = cs_graph_seat_inside(graph, request->agents, err);
    return rc;
}
