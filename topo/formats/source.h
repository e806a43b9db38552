/*
 * Sources: the origins of machines, a struct per generator or file format.
 *
 *     --topo dgx.yaml          a file; otherwise a machine of the library
 *     --topo dgx               the same without ".yaml"
 *     --topo switch:ranks=64,bandwidth=25GB/s,latency=0.5us
 *     --topo system.xml        a file of another format, detected from content
 *     --topo nccl:system.xml   the same with the format named
 *     --topo "$(cat a.yaml)"   the text of a file itself, which has more than a line
 *
 * A source generates a machine from the text behind its name and a ':', or reads
 * files.  A file is read once; without a named format the first source that
 * recognises the text reads the file, and YAML by default.  A new source is a
 * file with a const struct and a line in sources.def.
 *
 * A reader adds notes to the graph: assumptions, and properties that the file
 * does not have.  Without places of its own, ranks are all computing devices, and
 * parameter servers are on the CPUs.
 */
#pragma once

#include "topo/graph/agent_place.h"
#include "topo/graph/routing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_graph;

struct cs_fabric_kind;

struct cs_doc;
struct cs_doc_text;

struct cs_arena;

struct cs_err;

struct cs_topo_request {
    const char *spec; /* argument of --topo */
    /* --ranks; 0: all ranks of the machine.  A generator makes this number. */
    uint32_t ranks;
    uint32_t agents; /* number of agents to place */
    enum cs_agent_place agent_place;
    const char *platform;    /* a machine that completes the file, or NULL */
    const char *gpu;         /* the GPU model, "a100", or NULL */
    const char *hosts;       /* of a fabric of cables: a hostfile or names, or NULL */
    enum cs_routing routing; /* where the machine leaves a choice */
    uint64_t seed;           /* of CS_ROUTING_ECMP */
    /* From this number of ranks on, identical hosts may be replicated
     * (graph.h); 0: never. */
    uint32_t replicas_from;
};

/* A host with a server differs from the others. */
static inline bool cs_topo_may_replicate(const struct cs_topo_request *request, uint32_t ranks)
{
    return request->replicas_from && ranks >= request->replicas_from && request->agents == 0;
}

/* The limit of ranks of a generator. */
enum {
    CS_SOURCE_RANKS_MAX = 1 << 20
};

struct cs_source {
    const char *name;  /* "switch" */
    const char *usage; /* "switch:ranks=N,bandwidth=RATE,latency=TIME" */
    const char *about; /* one line: the machine, and the meaning of latency */
    /* Builds the graph from the text behind "name:"; NULL: reads files only. */
    int (*build)(const struct cs_source *source, const struct cs_topo_request *request,
                 const char *parameters, struct cs_graph *graph, struct cs_err *err);
    const struct cs_fabric_kind *fabric; /* of a generator with a fixed one, or NULL */
    /* Builds the graph from a file in memory, which must outlive the call;
     * text.file must outlive the graph. */
    int (*read)(const struct cs_topo_request *request, struct cs_doc_text text,
                struct cs_graph *graph, struct cs_err *err);
    /* The same from a document: XML where `root` names its first element, else YAML or
     * JSON.  A source without both does not read files. */
    int (*read_document)(const struct cs_topo_request *request, const struct cs_doc *doc,
                         struct cs_graph *graph, struct cs_err *err);
    const char *root;
    /* A format is recognised by its root, by one of these words, or by a function, fast
     * and never failing: `read` checks.  Without these the format must be named. */
    const char *words[2];
    bool (*recognises)(struct cs_doc_text text);
    bool takes_gpu;      /* uses request->gpu */
    bool takes_platform; /* uses request->platform */
    bool takes_hosts;    /* uses request->hosts */
};

enum {
    CS_SOURCE_BYTES_MAX = 16 << 20, /* the largest file seen has 0.3 MB */
};

static inline bool cs_source_reads(const struct cs_source *source)
{
    return source->read || source->read_document;
}

extern const struct cs_source *const cs_sources[];
extern const size_t cs_source_count;

/*
 * Opens the machine: finds the source, builds, keeps the first
 * `request->ranks` ranks, places the agents, checks.  On success the graph has
 * exactly request->ranks (or all) ranks and request->agents agents.  More
 * ranks than the machine has, or no place for an agent, is CS_EINPUT.
 */
int cs_topo_open(const struct cs_topo_request *request, struct cs_graph *graph,
                 struct cs_arena *arena, struct cs_err *err);

/* The machine of the generator that request->spec names, and no file, before
 * ranks and agents of the request have their places: for files that name one. */
int cs_topo_generate(const struct cs_topo_request *request, struct cs_graph *graph,
                     struct cs_err *err);

/*
 * Gives the agents of the request their places in a machine that was opened
 * without agents, by the same request otherwise.  CS_TOPO_REOPEN where the
 * source has to build those places: the graph is as it was.
 */
enum {
    CS_TOPO_REOPEN = 1
};
int cs_topo_place_agents(const struct cs_topo_request *request, struct cs_graph *graph,
                         struct cs_err *err);

/* Whether a spec is the text of a file, which has lines; the parameters of a source stand
 * right behind its name. */
bool cs_topo_is_text(const char *spec);

/* The spec in a line of output: "machine" for one with a text. */
const char *cs_topo_shown(const char *spec);

/* The same for a file in memory; the spec names the format ("nccl:"),
 * otherwise the content decides. */
int cs_topo_read(const struct cs_topo_request *request, struct cs_doc_text text,
                 struct cs_graph *graph, struct cs_arena *arena, struct cs_err *err);

/* The machines of the library, by name without ".yaml", in order of name. */
struct cs_library_file {
    const char *name;
    const char *text;
    size_t length;
};
extern const struct cs_library_file cs_machine_files[];
extern const size_t cs_machine_file_count;

/* Common other names of machines in the library (other_names.def). */
struct cs_other_name {
    const char *other, *name;
    const char *gpu; /* GPU kind, where the GPUs alone differ; or NULL */
};
extern const struct cs_other_name cs_other_names[];
extern const size_t cs_other_name_count;

/* The entry with that other name, in any case of letters; NULL: none. */
const struct cs_other_name *cs_other_name_find(const char *name);
