#include "validate/logs/causes.h"

#include "algorithms/libraries/settings.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool cause_figures(struct cs_changed *changed, double now, double of)
{
    changed->now = now;
    changed->of = of;
    return true;
}

static bool cause_has_channels(const struct cs_changed *changed)
{
    return changed->library->launches_kernels && changed->site.ranks > 1;
}

static bool cause_crosses(const struct cs_changed *changed)
{
    return changed->site.nodes > 1 && !cs_network_is_links(changed->site.net);
}

static bool cause_is_rdma(const struct cs_changed *changed)
{
    return cause_crosses(changed) && !cs_network_is_tcp(changed->site.net);
}

/* ---- adapters ---- */

/* All but one, half, a quarter, one. */
static bool cause_adapters(struct cs_changed *changed, unsigned level)
{
    uint32_t all = changed->site.adapters;
    const uint32_t kept[] = {all - 1, all / 2, all / 4, 1};

    if (level >= sizeof(kept) / sizeof(*kept) || !cause_crosses(changed) || all < 2)
        return false;
    for (unsigned i = 0; i < level; i++) /* equal to an earlier level: last */
        if (kept[i] <= kept[level])
            return false;
    if (!kept[level])
        return false;
    cs_site_keep_adapters(&changed->site, kept[level]);
    return cause_figures(changed, kept[level], all);
}

static bool cause_gdr(struct cs_changed *changed, unsigned level)
{
    if (level || !cause_is_rdma(changed) || !changed->site.gdr)
        return false;
    changed->site.gdr = false;
    return true;
}

/* NCCL turns GPUDirect off on a path through the CPU (NCCL_NET_GDR_LEVEL), and
 * the data passes the CPU's root ports twice. */
static bool cause_host_path(struct cs_changed *changed, unsigned level)
{
    struct cs_site *site = &changed->site;

    if (level || !cause_is_rdma(changed) || site->net_path >= CS_PATH_HOST || site->pcie_Bps <= 0)
        return false;
    site->net_path = CS_PATH_HOST;
    site->gdr = false;
    site->node_Bps = fmin(site->node_Bps, site->adapters * site->pcie_Bps / 2);
    return true;
}

/* The link between the sockets carries what half of the GPUs exchange. */
static bool cause_socket_path(struct cs_changed *changed, unsigned level)
{
    struct cs_site *site = &changed->site;
    bool peers = site->link_Bps <= 0 && site->peer_access;

    if (level || site->socket_Bps <= 0)
        return false;
    if (peers && site->gpu_path < CS_PATH_SOCKET) {
        site->gpu_path = CS_PATH_SOCKET;
        return true;
    }
    if (!cause_is_rdma(changed) || site->net_path >= CS_PATH_SOCKET)
        return false;
    site->net_path = CS_PATH_SOCKET;
    site->gdr = false;
    site->node_Bps = fmin(site->node_Bps, site->socket_Bps);
    return true;
}

static bool cause_tcp(struct cs_changed *changed, unsigned level)
{
    if (level || !cause_is_rdma(changed))
        return false;
    cs_site_use_tcp(&changed->site);
    return true;
}

static bool cause_tcp_one(struct cs_changed *changed, unsigned level)
{
    uint32_t all = changed->site.adapters;

    if (all < 2 || !cause_tcp(changed, level))
        return false;
    cs_site_keep_adapters(&changed->site, 1);
    return cause_figures(changed, 1, all);
}

/* ---- the library ---- */

/* A half, a quarter, ..., one of the channels of a large call. */
static bool cause_channels(struct cs_changed *changed, unsigned level)
{
    const uint64_t large = UINT64_C(1) << 30;
    struct cs_library_time time;
    uint32_t all;
    uint32_t kept;

    if (level > 5 || !cause_has_channels(changed) || cs_changed_time(changed, large, &time, NULL) ||
        time.channels < 2)
        return false;
    all = time.channels;
    kept = all >> (level + 1);
    if (!kept)
        return false;
    changed->request.channels = kept;
    return cause_figures(changed, kept, all);
}

static bool cause_no_nvls(struct cs_changed *changed, unsigned level)
{
    changed->without_engine = "nvls";
    return !level && changed->site.has_nvls && cause_has_channels(changed) &&
           !changed->request.engine;
}

static bool cause_no_ll128(struct cs_changed *changed, unsigned level)
{
    changed->without_protocol = "ll128";
    return !level && cause_has_channels(changed) && !changed->request.protocol;
}

static bool cause_protocol(struct cs_changed *changed, unsigned level)
{
    static const char *const names[] = {"simple", "ll", "ll128"};

    if (level >= sizeof(names) / sizeof(*names) || !cause_has_channels(changed) ||
        changed->request.protocol)
        return false;
    changed->word = changed->request.protocol = names[level];
    return true;
}

static bool cause_algorithm(struct cs_changed *changed, unsigned level)
{
    static const char *const names[] = {"ring", "tree"};

    if (level >= sizeof(names) / sizeof(*names) || !cause_has_channels(changed) ||
        changed->request.engine)
        return false;
    changed->word = changed->request.engine = names[level];
    return true;
}

static bool cause_version(struct cs_changed *changed, unsigned level)
{
    static const struct {
        uint32_t version;
        const char *name;
    } releases[] = {{22200, "2.22"}, {21800, "2.18"}, {21200, "2.12"}, {20800, "2.8"}};
    uint32_t used = changed->request.version ? changed->request.version : changed->library->newest;

    if (level >= sizeof(releases) / sizeof(*releases) || !cause_has_channels(changed) ||
        releases[level].version >= used || releases[level].version < changed->library->oldest)
        return false;
    changed->request.version = releases[level].version;
    changed->word = releases[level].name;
    return true;
}

static bool cause_blocking(struct cs_changed *changed, unsigned level)
{
    if (level || !cause_has_channels(changed) || changed->request.blocking)
        return false;
    changed->request.blocking = true;
    return true;
}

/* ---- the node ---- */

/* Without links and peer access the ring passes host memory. */
static bool cause_no_peers(struct cs_changed *changed, unsigned level)
{
    struct cs_site *site = &changed->site;

    if (level || site->node_ranks < 2 || site->pcie_Bps <= 0 || !cause_has_channels(changed) ||
        (site->link_Bps <= 0 && !site->peer_access))
        return false;
    cs_site_stop_peers(site);
    return true;
}

/* Twice, four times the nodes, each with a part of its GPUs and of the
 * adapters beside them. */
static bool cause_placement(struct cs_changed *changed, unsigned level)
{
    struct cs_site *site = &changed->site;
    uint32_t nodes = site->nodes;
    uint32_t factor = 2U << level;

    if (level > 1 || !cause_crosses(changed) || site->node_ranks % factor != 0 ||
        site->node_ranks / factor < 1)
        return false;
    site->nodes *= factor;
    site->node_ranks /= factor;
    if (site->adapters >= factor)
        cs_site_keep_adapters(site, site->adapters / factor);
    return cause_figures(changed, site->nodes, nodes);
}

/* Copies by thread blocks, and their latencies, follow the clock; wires do
 * not. */
static bool cause_clock(struct cs_changed *changed, unsigned level)
{
    static const double clocks[] = {.85, .7, .5, .3};
    double clock;

    if (level >= sizeof(clocks) / sizeof(*clocks) || !cause_has_channels(changed))
        return false;
    clock = clocks[level];
    changed->clock = clock;
    changed->site.ring_Bps *= clock;
    changed->site.link_Bps *= clock;
    return cause_figures(changed, 100 * clock, 100);
}

/* ---- rates that the library does not see ---- */

/* Levels that the uncertain strength of a cause bridges (diagnosis.c). */
static const double cause_rates[] = {.75, .5, .25, .08};

enum {
    CAUSE_RATES = sizeof(cause_rates) / sizeof(*cause_rates),
};

static bool cause_network(struct cs_changed *changed, unsigned level)
{
    if (level >= CAUSE_RATES || !cause_crosses(changed))
        return false;
    changed->is_unannounced = true;
    changed->site.node_Bps *= cause_rates[level];
    return cause_figures(changed, 100 * cause_rates[level], 100);
}

static bool cause_inside(struct cs_changed *changed, unsigned level, bool through_host)
{
    struct cs_site *site = &changed->site;
    bool is_host = site->link_Bps <= 0 && !site->peer_access;

    if (level >= CAUSE_RATES || site->node_ranks < 2 || is_host != through_host)
        return false;
    changed->is_unannounced = true;
    site->ring_Bps *= cause_rates[level];
    site->link_Bps *= cause_rates[level];
    if (site->link_Bps <= 0)
        site->pcie_Bps *= cause_rates[level];
    return cause_figures(changed, 100 * cause_rates[level], 100);
}

static bool cause_links(struct cs_changed *changed, unsigned level)
{
    return cause_inside(changed, level, false);
}

/* 2.2 GB/s in place of 11 on an EPYC whose IOMMU translates (validate/README.md). */
static bool cause_copies(struct cs_changed *changed, unsigned level)
{
    return cause_inside(changed, level, true);
}

/* A smooth error of any sign, by a factor of 2 or 4.5. */
static bool cause_unknown(struct cs_changed *changed, unsigned level)
{
    static const double sd[] = {.7, 1.5};

    if (level >= sizeof(sd) / sizeof(*sd))
        return false;
    changed->unknown_sd = sd[level];
    return true;
}

const struct cs_cause cs_causes[] = {
#define CAUSE(identifier, name, weight, changes, words, check, repair) \
    {name, weight, changes, words, check, repair, cause_##identifier},
#include "validate/logs/causes.def"
#undef CAUSE
};

const uint32_t cs_cause_count = sizeof(cs_causes) / sizeof(*cs_causes);

/* ---- times ---- */

struct cs_changed cs_changed_none(const struct cs_library *library,
                                  const struct cs_library_request *request)
{
    return (struct cs_changed){
        .library = library,
        .site = *request->site,
        .planned = *cs_library_plan(request),
        .request = *request,
        .clock = 1,
        .now = (double)NAN,
        .of = (double)NAN,
    };
}

bool cs_changed_apply(struct cs_changed *changed, const struct cs_cause *cause, unsigned level)
{
    struct cs_changed choice = *changed;

    choice.site = changed->planned;
    if (!cause->apply(changed, level) || !cause->apply(&choice, level))
        return false;
    if (!changed->is_unannounced)
        changed->planned = choice.site;
    return true;
}

static bool cause_is_refused(const struct cs_changed *changed, const struct cs_library_time *time)
{
    return (changed->without_engine &&
            !strncmp(time->engine, changed->without_engine, strlen(changed->without_engine))) ||
           (changed->without_protocol && cs_same(time->protocol, changed->without_protocol));
}

/* The library's choice among what is left, by its own estimate. */
static bool cause_choose(const struct cs_changed *changed, struct cs_library_request request,
                         struct cs_library_time *best)
{
    static const char *const engines[] = {"tree", "ring", "nvls", "nvls-tree", "pat"};
    static const char *const protocols[] = {"ll", "ll128", "simple"};
    bool found = false;

    for (int e = 0; e < 5; e++)
        for (int p = 0; p < 3; p++) {
            struct cs_library_time time;

            request.engine = engines[e];
            request.protocol = protocols[p];
            if (changed->library->time(&request, &time, NULL) || cause_is_refused(changed, &time) ||
                isnan(time.tuner_s))
                continue;
            if (!found || time.tuner_s < best->tuner_s)
                *best = time;
            found = true;
        }
    return found;
}

static void cause_slow_down(double clock, struct cs_library_time *time)
{
    double more = (time->launch_s + time->latency_s) * (1 / clock - 1);
    double scale = (time->total_s + more) / time->total_s;

    time->total_s *= scale;
    time->low_s *= scale;
    time->high_s *= scale;
}

int cs_changed_time(const struct cs_changed *changed, uint64_t bytes, struct cs_library_time *time,
                    struct cs_err *err)
{
    struct cs_library_request request = changed->request;
    struct cs_library_time other;
    int code;

    request.site = &changed->site;
    if (request.plan || changed->is_unannounced)
        request.plan = &changed->planned;
    request.bytes = bytes;
    code = changed->library->time(&request, time, err);
    if (code)
        return code;
    if (cause_is_refused(changed, time) && cause_choose(changed, request, &other))
        *time = other;
    if (changed->clock < 1)
        cause_slow_down(changed->clock, time);
    return 0;
}

/* ---- words ---- */

char *cs_cause_words(const struct cs_cause *cause, const struct cs_changed *changed,
                     char text[CS_CAUSE_WORDS])
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    for (const char *at = cause->words; *at; at++) {
        if (!strncmp(at, "{now}", 5))
            cs_text_printf(&out, "%g", changed->now);
        else if (!strncmp(at, "{of}", 4))
            cs_text_printf(&out, "%g", changed->of);
        else if (!strncmp(at, "{word}", 6))
            cs_text_add(&out, changed->word ? changed->word : "");
        else
            cs_text_add_n(&out, at, 1);
        if (*at == '{')
            at = strchr(at, '}');
    }
    snprintf(text, CS_CAUSE_WORDS, "%s", cs_text_str(&out));
    return text;
}
