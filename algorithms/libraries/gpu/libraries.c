/* NCCL and RCCL. */

#include "algorithms/libraries/carried.h"
#include "algorithms/libraries/gpu/library.h"
#include "algorithms/libraries/nccl/call.h"
#include "algorithms/libraries/nccl/choice.h"
#include "algorithms/libraries/nccl/comm.h"
#include "algorithms/libraries/nccl/constants.h"
#include "algorithms/libraries/nccl/interval.h"
#include "algorithms/libraries/nccl/network.h"
#include "algorithms/libraries/nccl/parameters.h"
#include "algorithms/libraries/nccl/rates.h"
#include "algorithms/libraries/nccl/symmetric_time.h"
#include "algorithms/libraries/rccl/choice.h"
#include "algorithms/libraries/rccl/node.h"
#include "sim/base/hint.h"

#include <math.h>
#include <strings.h>

static const char *library_name(const struct cs_library_request *request)
{
    return request->site->maker == CS_MAKER_AMD ? "RCCL" : "NCCL";
}

/* Names that a request may state, of which the first `known` have a number. */
struct name_list {
    const char *what;
    const char *const *names;
    unsigned known, count;
};

/* The number of a name, in any case of letters; CS_EINPUT with the names. */
static int name_number(const struct cs_library_request *request, const char *name,
                       const struct name_list *list, unsigned *number, struct cs_err *err)
{
    for (*number = 0; *number < list->known; ++*number)
        if (!strcasecmp(name, list->names[*number]))
            return 0;
    return cs_err_set(err, CS_EINPUT, "%s has no %s '%.40s'%s", library_name(request), list->what,
                      name, cs_hint_all(name, list->names, list->count).text);
}

/* Symmetric kernels, copy engines and RCCL's direct exchange are no engines of the
 * tuner. */
static int engine_number(const struct cs_library_request *request, unsigned *number,
                         struct cs_err *err)
{
    bool is_amd = request->site->maker == CS_MAKER_AMD;
    unsigned known = is_amd ? CS_NCCL_RING + 1 : CS_NCCL_ENGINES;
    const char *names[CS_NCCL_ENGINES + 2];
    const struct name_list list = {"algorithm", names, known, is_amd ? known + 1 : known + 2};

    for (unsigned e = 0; e < known; e++)
        names[e] = cs_nccl_engine_name((enum cs_nccl_engine)e);
    names[known] = is_amd ? "direct" : "symmetric";
    names[known + 1] = "copy-engine";
    return name_number(request, request->engine, &list, number, err);
}

/* The bit of the protocol, or with a ^ before its name, as in NCCL_PROTO, those of the others. */
static int protocol_bits(const struct cs_library_request *request, unsigned *bits,
                         struct cs_err *err)
{
    const char *names[CS_NCCL_PROTOCOLS];
    const struct name_list list = {"protocol", names, CS_NCCL_PROTOCOLS, CS_NCCL_PROTOCOLS};
    bool but = *request->protocol == '^';
    unsigned number;
    int code;

    for (unsigned p = 0; p < CS_NCCL_PROTOCOLS; p++)
        names[p] = cs_nccl_protocol_name((enum cs_nccl_protocol)p);
    code = name_number(request, request->protocol + but, &list, &number, err);
    *bits = but ? (1u << CS_NCCL_PROTOCOLS) - 1 - (1u << number) : 1u << number;
    return code;
}

struct cs_nccl_allowed cs_nccl_plugin_allowed(const struct cs_site *site)
{
    const struct cs_nccl_network *network = cs_nccl_network_of(site);

    if (site->nodes < 2)
        return (struct cs_nccl_allowed){0};
    if (site->net == CS_NET_TCPXO && site->tcpxo == CS_SITE_SLOW)
        return (struct cs_nccl_allowed){network->engines, 1u << CS_NCCL_SIMPLE};
    return (struct cs_nccl_allowed){network->engines, site->gdr || !network->staged_protocols
                                                          ? network->protocols
                                                          : network->staged_protocols};
}

static int allowed_of(const struct cs_library_request *request, struct cs_nccl_allowed *allowed,
                      struct cs_err *err)
{
    unsigned number;
    int code = 0;

    *allowed = cs_nccl_plugin_allowed(request->site);
    if (cs_rccl_node_serves(request)) {
        *allowed = (struct cs_nccl_allowed){0};
        return 0;
    }
    if (request->engine) {
        code = engine_number(request, &number, err);
        allowed->engines = 1u << number;
    }
    if (!code && request->protocol)
        code = protocol_bits(request, &allowed->protocols, err);
    return code;
}

static void limit_channels(uint32_t most, struct cs_nccl_case *at)
{
    if (!most)
        return;
    if (!at->most_channels || most < at->most_channels)
        at->most_channels = most;
    if (most < at->channels)
        at->channels = most;
}

/* Nothing of what the request allows is available: names the reason of the requested
 * engine, or of rings, with the requested protocol. */
static int refuse_choice(const struct cs_library_request *request, const struct cs_nccl_comm *comm,
                         const struct cs_nccl_case *at, struct cs_err *err)
{
    unsigned engine = CS_NCCL_RING;
    unsigned protocol = CS_NCCL_SIMPLE;
    unsigned bits = 1u << CS_NCCL_SIMPLE;
    const char *why;

    if (request->engine && engine_number(request, &engine, err))
        return err->code;
    if (request->protocol && protocol_bits(request, &bits, err))
        return err->code;
    while (protocol > 0 && !(bits >> protocol & 1))
        protocol--;
    why = cs_nccl_refusal(comm, at->func, (enum cs_nccl_engine)engine,
                          (enum cs_nccl_protocol)protocol);
    return cs_err_set(err, CS_ECANNOT, "%s has no %s%s%s for %s on this machine%s%s",
                      library_name(request), request->engine ? request->engine : "algorithm",
                      request->protocol ? " with " : "", request->protocol ? request->protocol : "",
                      request->collective->name, why ? ": " : "", why ? why : "");
}

static int choose(const struct cs_library_request *request, struct cs_nccl_case *at,
                  struct cs_err *err)
{
    struct cs_nccl_choice choice;
    struct cs_nccl_comm comm;
    struct cs_nccl_table table;
    struct cs_nccl_allowed allowed;
    struct cs_nccl_call call = {.func = at->func, .bytes = request->bytes};
    int code = cs_nccl_comm_read(request->site, request->version, &comm, err);

    if (!code)
        code = allowed_of(request, &allowed, err);
    if (code)
        return code;
    if (allowed.engines & (1u << CS_NCCL_COLLNET_DIRECT | 1u << CS_NCCL_COLLNET_CHAIN))
        cs_nccl_comm_add_collnet(request->site, &comm);
    cs_nccl_table_fill(&comm, &table);
    choice = cs_nccl_choose(&comm, &table, &call, allowed);
    if (request->site->maker == CS_MAKER_AMD)
        cs_rccl_choose(&comm, &table, &call, allowed, request->site->generation, &choice);
    if (isinf(choice.time_s))
        return refuse_choice(request, &comm, at, err);
    at->engine = choice.engine;
    at->protocol = choice.protocol;
    at->ring_channels = comm.channels;
    at->same_order = comm.ring.same_channels;
    at->channels = choice.channels;
    at->chunk_bytes = choice.chunk_bytes;
    limit_channels(request->channels, at);
    limit_channels(request->site->most_channels, at);
    at->by_element = cs_nccl_copies_by_element(request);
    at->tuner_s = choice.time_s;
    at->by_plugin = choice.by_plugin && !request->engine;
    return 0;
}

static int check_site(const struct cs_site *site, struct cs_err *err)
{
    if (site->ranks < 2)
        return cs_err_set(err, CS_ECANNOT, "one rank has no communication");
    if (site->maker != CS_MAKER_NVIDIA && site->maker != CS_MAKER_AMD)
        return cs_err_set(err, CS_ECANNOT,
                          "NCCL and RCCL run on GPUs of NVIDIA and AMD; this machine has none");
    return 0;
}

/* Groups of sends and receives have no algorithm to choose. */
static int check_exchange(const struct cs_library_request *request, struct cs_err *err)
{
    static const char *const protocols[] = {"simple"};
    static const char *const engines[] = {"p2p"};
    const struct name_list engine = {"algorithm of sends and receives", engines, 1, 1};
    const struct name_list protocol = {"protocol of sends and receives", protocols, 1, 1};
    unsigned number;
    int code = 0;

    if (request->collective->is_signal)
        return cs_err_set(err, CS_ECANNOT, "%s has no %s", library_name(request),
                          request->collective->name);
    if (request->engine)
        code = name_number(request, request->engine, &engine, &number, err);
    if (!code && request->protocol)
        code = *request->protocol == '^'
                   ? protocol_bits(request, &number, err)
                   : name_number(request, request->protocol, &protocol, &number, err);
    return code;
}

/* The direct exchange needs links between all GPUs of one node. */
static int check_direct(const struct cs_library_request *request, struct cs_err *err)
{
    if (request->site->maker != CS_MAKER_AMD || !cs_rccl_is_direct(request->engine) ||
        cs_rccl_node_serves(request))
        return 0;
    if (request->protocol)
        return cs_err_set(err, CS_EINPUT, "RCCL's direct exchange has protocol ll, no '%.40s'",
                          request->protocol);
    return cs_err_set(err, CS_ECANNOT,
                      "RCCL's direct exchange needs xGMI between all GPUs of one node");
}

static int prepare_as_seen(const struct cs_library_request *request, struct cs_nccl_case *at,
                           struct cs_err *err)
{
    int code;

    *at = (struct cs_nccl_case){
        .request = request,
        .parameters = request->parameters ? request->parameters : cs_nccl_parameters,
        .func = cs_nccl_func_of(request->collective),
        .protocol = CS_NCCL_SIMPLE,
        .engine = CS_NCCL_RING,
        .channels = 1,
        .tuner_s = NAN,
    };
    code = check_site(request->site, err);
    if (code)
        return code;
    if (at->func >= CS_NCCL_FUNCS) {
        code = check_exchange(request, err);
        return code ? code : cs_nccl_exchange_decide(at, err);
    }
    code = check_direct(request, err);
    return code ? code : choose(request, at, err);
}

/* The choice is made on the site as the library sees it. */
static int nccl_case_prepare(const struct cs_library_request *request, struct cs_nccl_case *at,
                             struct cs_err *err)
{
    struct cs_library_request seen = *request;
    int code;

    seen.site = cs_library_plan(request);
    code = prepare_as_seen(&seen, at, err);
    at->request = request;
    return code;
}

/* The time of a prepared case with the parameters of the case, without an
 * interval. */
static void nccl_case_time(const struct cs_nccl_case *at, struct cs_library_time *time)
{
    const struct cs_library_request *request = at->request;
    bool exchanges = at->func >= CS_NCCL_FUNCS;

    *time = (struct cs_library_time){
        .engine = exchanges ? "p2p" : cs_nccl_engine_name(at->engine),
        .protocol = cs_nccl_protocol_name(at->protocol),
        .channels = at->channels,
        .tuner_s = at->tuner_s,
        .by_plugin = at->by_plugin,
        .unmodelled = cs_nccl_unmodelled(request->version),
    };
    if (exchanges) {
        cs_nccl_exchange_time(at, time);
    } else if (cs_rccl_node_serves(request)) {
        cs_rccl_node_time(at, time);
    } else {
        cs_nccl_call_time(at, at->channels, time);
        time->remark = cs_nccl_chain_remark(at);
    }
    if (!time->remark)
        time->remark =
            at->by_plugin
                ? "the tuner of the network's plugin takes the algorithm and the protocol, by "
                  "its own tables; --setting NCCL_TUNER_PLUGIN=none leaves them to NCCL"
                : cs_nccl_socket_remark(at);
}

/* Engines that a request must name: no tuner chooses them. */
static int named_time(const struct cs_library_request *request, struct cs_library_time *time,
                      bool *found, struct cs_err *err)
{
    *found = true;
    if (request->site->maker == CS_MAKER_NVIDIA && cs_nccl_is_copy(request->engine))
        return cs_nccl_copy_time(request, time, err);
    if (cs_nccl_is_symmetric(request->engine) &&
        cs_nccl_func_of(request->collective) < CS_NCCL_FUNCS)
        return cs_nccl_symmetric_time(request, time, err);
    *found = false;
    return 0;
}

/* The interval, and where it ends by what the request leaves open; parameters of a profile hold
 * the conditions of its machine. */
static void set_interval(const struct cs_library_request *request, struct cs_library_time *time)
{
    struct cs_site site = *request->site;
    struct cs_library_request slow = *request;
    struct cs_library_time open;
    struct cs_nccl_case at;
    struct cs_err err = {0};

    slow.site = &site;
    if (!request->parameters && cs_nccl_slow_end(request, &site) &&
        !nccl_case_prepare(&slow, &at, &err)) {
        nccl_case_time(&at, &open);
        time->open_s = open.total_s;
    }
    cs_nccl_set_interval(request, &cs_nccl_intervals, time);
}

/* By parameters of other calls, what they change as far as it is carried.  `at` is the case; NULL
 * of a named engine. */
static void carry(const struct cs_library_request *request, const struct cs_nccl_case *at,
                  struct cs_library_time *time)
{
    struct cs_library_request plain = *request;
    struct cs_library_time own = *time;
    struct cs_nccl_case by;
    struct cs_err err = {0};
    bool is_named;

    if (!request->carried)
        return;
    plain.parameters = NULL;
    if (at) {
        by = *at;
        by.parameters = cs_nccl_parameters;
        nccl_case_time(&by, &own);
    } else if (named_time(&plain, &own, &is_named, &err)) {
        return;
    }
    cs_carry(own.total_s, time);
}

/* Both in one, with the interval. */
static int nccl_library_time(const struct cs_library_request *request, struct cs_library_time *time,
                             struct cs_err *err)
{
    struct cs_nccl_case at;
    bool is_named = false;
    int code = check_site(request->site, err);

    *time = (struct cs_library_time){.tuner_s = NAN};
    if (!code)
        code = named_time(request, time, &is_named, err);
    if (!code && !is_named) {
        code = nccl_case_prepare(request, &at, err);
        if (!code)
            nccl_case_time(&at, time);
    }
    if (code)
        return code;
    set_interval(request, time);
    carry(request, is_named ? NULL : &at, time);
    return 0;
}

/* Named engines take no decisions by size or machine. */
static int nccl_time_as(const struct cs_library_request *request,
                        const struct cs_library_request *decided, struct cs_library_time *time,
                        struct cs_err *err)
{
    struct cs_nccl_case at;
    bool is_named = false;
    int code = named_time(request, time, &is_named, err);

    if (code || is_named)
        return code;
    code = nccl_case_prepare(decided, &at, err);
    if (code)
        return code;
    at.request = request;
    at.tuner_s = NAN;
    nccl_case_time(&at, time);
    set_interval(request, time);
    carry(request, &at, time);
    return 0;
}

static const char nccl_otherwise[] =
    "on rings of another order, or with blocks of multiples of 16 B";

static int refuse_maker(const char *library, const char *maker, enum cs_site_maker machine,
                        const char *other, struct cs_err *err)
{
    return cs_err_set(err, CS_ECANNOT, "%s runs on GPUs of %s, and this machine has %s%s", library,
                      maker, machine == CS_MAKER_MIXED ? "others, too" : "none",
                      machine == CS_MAKER_NVIDIA || machine == CS_MAKER_AMD ? other : "");
}

static int nccl_time(const struct cs_library_request *request, struct cs_library_time *time,
                     struct cs_err *err)
{
    enum cs_site_maker maker = request->site->maker;

    return maker == CS_MAKER_NVIDIA
               ? nccl_library_time(request, time, err)
               : refuse_maker("NCCL", "NVIDIA", maker, "; RCCL runs on GPUs of AMD", err);
}

static int rccl_time(const struct cs_library_request *request, struct cs_library_time *time,
                     struct cs_err *err)
{
    enum cs_site_maker maker = request->site->maker;

    return maker == CS_MAKER_AMD
               ? nccl_library_time(request, time, err)
               : refuse_maker("RCCL", "AMD", maker, "; NCCL runs on GPUs of NVIDIA", err);
}

static int nccl_prepare(const struct cs_library_request *request, struct cs_arena *arena,
                        const void **call, struct cs_err *err)
{
    struct cs_nccl_case *at = cs_arena_alloc(arena, 1, sizeof(*at));

    *call = at;
    return nccl_case_prepare(request, at, err);
}

static void nccl_call_time(const void *call, const double *values, struct cs_library_time *time)
{
    struct cs_nccl_case at = *(const struct cs_nccl_case *)call;

    at.parameters = values;
    nccl_case_time(&at, time);
}

const struct cs_library cs_library_nccl = {
    .name = "nccl",
    .about = "NVIDIA NCCL 2.4 to 2.30: own choice of algorithm and protocol",
    .source = "NVIDIA/nccl src/graph/tuning.cc; published tables of validate/data/published",
    .launches_kernels = true,
    .has_settings = true,
    .note = cs_nccl_constants_note,
    .oldest = 20400, /* by the tables of 2.8 (cs_nccl_constants_note) */
    .newest = CS_NCCL_NEWEST,
    .time = nccl_time,
    .time_as = nccl_time_as,
    .otherwise = nccl_otherwise,
    .parameters = &cs_nccl_parameter_set,
    .prepare = nccl_prepare,
    .call_time = nccl_call_time,
};

const struct cs_library cs_library_rccl = {
    .name = "rccl",
    .about = "AMD RCCL 2.18 to 2.27 on xGMI and RDMA",
    .source = "ROCm/rccl src/graph; published tables of validate/data/published",
    .launches_kernels = true,
    .has_settings = true,
    .oldest = 21800,
    .newest = 22700,
    .time = rccl_time,
    .time_as = nccl_time_as,
    .otherwise = nccl_otherwise,
    .parameters = &cs_nccl_parameter_set,
    .prepare = nccl_prepare,
    .call_time = nccl_call_time,
};
