#include "validate/logs/diagnosis.h"

#include "sim/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cause under judgement. */
struct evidence_case {
    const struct cs_log_facts *facts;
    const char *cause;
    const struct cs_changed *none, *changed;
    struct cs_evidence *to;
};

static bool evidence_is(const struct evidence_case *at, const char *cause)
{
    return cs_same(at->cause, cause);
}

static bool evidence_is_tcp(const struct evidence_case *at)
{
    return evidence_is(at, "tcp") || evidence_is(at, "tcp-one-adapter");
}

/* The fact of the strongest statement for, else against. */
__attribute__((format(printf, 3, 4))) static void evidence_add(const struct evidence_case *at,
                                                               double factor, const char *format,
                                                               ...)
{
    va_list args;

    if (!at->to->fact[0] || factor > 1) {
        va_start(args, format);
        vsnprintf(at->to->fact, sizeof(at->to->fact), format, args);
        va_end(args);
    }
    at->to->factor *= factor;
}

static void evidence_say(const struct evidence_case *at, bool is_for, const char *what,
                         const char *value)
{
    evidence_add(at, is_for ? CS_EVIDENCE_FOR : CS_EVIDENCE_AGAINST, "%s %s", what, value);
}

/* ---- network ---- */

static void evidence_network(const struct evidence_case *at)
{
    const char *network = at->facts->network;
    bool is_socket = network && cs_same(network, "Socket");

    if (!network || at->none->site.nodes < 2 || cs_network_is_tcp(at->none->site.net))
        return;
    if (evidence_is_tcp(at))
        evidence_say(at, is_socket, "network", network);
    else if (is_socket && (evidence_is(at, "no-gdr") || evidence_is(at, "host-path") ||
                           evidence_is(at, "adapters")))
        evidence_say(at, false, "network", network);
}

static void evidence_gdr(const struct evidence_case *at)
{
    const struct cs_log_facts *facts = at->facts;
    bool is_off = facts->staged && !facts->gdr;

    if (at->none->site.nodes < 2 || !at->none->site.gdr || facts->gdr == facts->staged)
        return;
    if (evidence_is(at, "no-gdr"))
        evidence_say(at, is_off, "GPUDirect RDMA", is_off ? "off" : "on");
    else if (!is_off && evidence_is(at, "host-path"))
        evidence_say(at, false, "GPUDirect RDMA", "on");
}

static void evidence_paths(const struct evidence_case *at)
{
    const char *path = at->facts->adapter_path;
    bool is_host = path && cs_same(path, "PHB");
    bool is_socket = path && cs_same(path, "SYS");

    if (path && at->none->site.nodes > 1) {
        if (evidence_is(at, "host-path") && at->none->site.net_path < CS_PATH_HOST)
            evidence_say(at, is_host, "adapters by", path);
        if (evidence_is(at, "socket-path") && at->none->site.net_path < CS_PATH_SOCKET)
            evidence_say(at, is_socket, "adapters by", path);
    }
    path = at->facts->gpu_path;
    if (!evidence_is(at, "no-peer-access"))
        return;
    if (at->facts->peers != at->facts->shared)
        evidence_say(at, at->facts->shared, "GPUs by", at->facts->shared ? "SHM" : "P2P");
    else if (path && at->none->site.link_Bps > 0)
        evidence_say(at, strncmp(path, "NV", 2) != 0, "GPUs by", path);
}

/* The levels of a count: the log's number decides which. */
static void evidence_count(const struct evidence_case *at, const char *what, uint32_t count)
{
    double now = at->changed->now;
    double of = at->changed->of;
    bool is_near = fabs(log2(count / now)) < .5;

    if (!count || isnan(now) || isnan(of))
        return;
    evidence_add(at, count < of && is_near ? CS_EVIDENCE_FOR : CS_EVIDENCE_AGAINST, "%u %s", count,
                 what);
}

static void evidence_adapters(const struct evidence_case *at)
{
    uint32_t adapters = at->facts->adapters;
    bool is_one = adapters == 1 && at->none->site.adapters > 1;
    bool is_socket = at->facts->network && cs_same(at->facts->network, "Socket");

    if (!adapters || at->none->site.nodes < 2)
        return;
    if (evidence_is(at, "adapters"))
        evidence_add(at, at->changed->now == adapters ? CS_EVIDENCE_FOR : CS_EVIDENCE_AGAINST,
                     "%u adapters", adapters);
    else if (evidence_is(at, "tcp-one-adapter"))
        evidence_add(at, is_one ? 10 : CS_EVIDENCE_AGAINST, "adapters: %u", adapters);
    else if (evidence_is(at, "tcp") && is_one && is_socket)
        evidence_add(at, CS_EVIDENCE_AGAINST, "adapters: %u", adapters);
}

static void evidence_nodes(const struct evidence_case *at)
{
    uint32_t nodes = at->facts->nodes;

    if (nodes && evidence_is(at, "placement"))
        evidence_add(at, nodes == at->changed->now ? CS_EVIDENCE_FOR : CS_EVIDENCE_AGAINST,
                     "%u nodes", nodes);
}

/* ---- the library ---- */

/* Sockets and fewer adapters have fewer channels by themselves. */
static bool evidence_has_fewer_adapters(const struct evidence_case *at)
{
    const struct cs_log_facts *facts = at->facts;
    bool is_socket = facts->network && cs_same(facts->network, "Socket");

    return at->none->site.nodes > 1 &&
           ((is_socket && !cs_network_is_tcp(at->none->site.net)) ||
            (facts->adapters && facts->adapters < at->none->site.adapters));
}

static void evidence_library(const struct evidence_case *at)
{
    const struct cs_log_facts *facts = at->facts;

    if (evidence_is(at, "channels") && !evidence_has_fewer_adapters(at))
        evidence_count(at, "channels", facts->channels);
    if (evidence_is(at, "no-nvls") && facts->nvls != facts->no_nvls)
        evidence_say(at, facts->no_nvls, "NVLS", facts->no_nvls ? "off" : "on");
    if (evidence_is(at, "old-version") && facts->version)
        evidence_add(at, CS_EVIDENCE_AGAINST, "release %u.%u.%u", facts->version / 10000,
                     facts->version / 100 % 100, facts->version % 100);
}

/* The value of a variable in the settings, cut; NULL: not set. */
static const char *evidence_variable(const struct evidence_case *at, const char *name,
                                     char value[40])
{
    const char *found = at->facts->settings;

    while (found && (found = strstr(found, name)) && found[strlen(name)] != '=')
        found++;
    if (!found)
        return NULL;
    found += strlen(name) + 1;
    snprintf(value, 40, "%.*s", (int)strcspn(found, ","), found);
    return value;
}

static bool evidence_same_name(const char *value, const char *name)
{
    for (; *value && *name; name++) {
        if (*name == '-')
            continue;
        if ((*value | 32) != (*name | 32))
            return false;
        value++;
    }
    return !*value && !*name;
}

/* A variable that sets a cause; `off` is the value that causes it, NULL: any. */
static const struct {
    const char *cause, *name, *value;
} evidence_variables[] = {
    {"no-peer-access", "NCCL_P2P_DISABLE", "1"}, {"tcp", "NCCL_IB_DISABLE", "1"},
    {"no-gdr", "NCCL_NET_GDR_LEVEL", "0"},       {"no-gdr", "NCCL_NET_GDR_LEVEL", "LOC"},
    {"no-gdr", "NCCL_NET_GDR_READ", "0"},        {"no-nvls", "NCCL_NVLS_ENABLE", "0"},
    {"channels", "NCCL_MAX_NCHANNELS", NULL},    {"channels", "NCCL_MAX_CTAS", NULL},
    {"blocking", "CUDA_LAUNCH_BLOCKING", "1"},   {"tcp-one-adapter", "NCCL_IB_DISABLE", "1"},
    {"no-ll128", "NCCL_PROTO", "^LL128"},        {"no-ll128", "NCCL_LL128_C2C", "0"},
    {"no-peer-access", "NCCL_P2P_LEVEL", "LOC"}, {"tcp", "NCCL_NET", "Socket"},
};

static void evidence_settings(const struct evidence_case *at)
{
    char value[40];
    bool has_messages = at->facts->channels || at->facts->network;
    bool is_protocol = evidence_is(at, "protocol");

    for (size_t i = 0; i < sizeof(evidence_variables) / sizeof(*evidence_variables); i++)
        if (evidence_is(at, evidence_variables[i].cause) &&
            evidence_variable(at, evidence_variables[i].name, value) &&
            (!evidence_variables[i].value || cs_same(value, evidence_variables[i].value)))
            evidence_say(at, true, evidence_variables[i].name, value);
    if (!is_protocol && !evidence_is(at, "algorithm"))
        return;
    if (evidence_variable(at, is_protocol ? "NCCL_PROTO" : "NCCL_ALGO", value))
        evidence_say(at, evidence_same_name(value, at->changed->word),
                     is_protocol ? "NCCL_PROTO" : "NCCL_ALGO", value);
    else if (has_messages)
        evidence_add(at, CS_EVIDENCE_SILENT, "%s not set",
                     is_protocol ? "NCCL_PROTO" : "NCCL_ALGO");
}

/* What the choices of all sizes say: LL128 is used, or one protocol alone. */
static void evidence_choices(const struct evidence_case *at)
{
    const struct cs_log_facts *facts = at->facts;
    const char *cause = at->cause;
    bool is_engine = cs_same(cause, "algorithm");
    bool is_protocol = cs_same(cause, "protocol");

    for (uint32_t i = 0; i < facts->choice_count; i++) {
        const struct cs_log_choice *choice = &facts->choices[i];

        if ((cs_same(cause, "no-ll128") && cs_same(choice->protocol, "ll128")) ||
            (cs_same(cause, "no-nvls") && !strncmp(choice->engine, "nvls", 4)) ||
            (is_protocol && !cs_same(choice->protocol, at->changed->word)) ||
            (is_engine && !cs_same(choice->engine, at->changed->word))) {
            evidence_add(at, CS_EVIDENCE_AGAINST, "a call by %s, %s", choice->engine,
                         choice->protocol);
            return;
        }
    }
}

struct cs_evidence cs_evidence_weigh(const struct cs_log_facts *facts, const struct cs_cause *cause,
                                     const struct cs_changed *none,
                                     const struct cs_changed *changed)
{
    struct cs_evidence to = {.factor = 1};
    const struct evidence_case at = {facts, cause->name, none, changed, &to};

    if (!facts)
        return to;
    evidence_adapters(&at);
    evidence_network(&at);
    evidence_gdr(&at);
    evidence_paths(&at);
    evidence_nodes(&at);
    evidence_library(&at);
    evidence_settings(&at);
    evidence_choices(&at);
    return to;
}
