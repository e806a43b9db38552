#include "scenarios/run/open_settings.h"

#include "algorithms/libraries/settings.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "validate/logs/causes.h"

#include <math.h>
#include <string.h>

/* Causes that a command may leave open, and the setting that says otherwise, by its first
 * letters; "": none.  Paths are the machine's. */
static const struct {
    const char *cause, *setting;
} open_causes[] = {
    {"no-gdr", "NCCL_NET_GDR_LEVEL"},
    {"tcp", "NCCL_NET"},
    {"no-peer-access", "NCCL_P2P"},
    {"acs", "acs"},
    {"iommu", "iommu"},
    {"tcpxo", "tcpxo"},
    {"far-adapters", "adapter-socket"},
    {"lanes", "-"},
    {"no-nvls", "NCCL_NVLS_ENABLE"},
    {"old-version", ""},
    {"own-process", ""},
    {"blocking", ""},
};

static bool open_is_said(const struct cs_scenario *scenario, const char *cause, const char *setting)
{
    const struct cs_settings *settings = scenario->settings;

    if (cs_same(cause, "old-version"))
        return scenario->by.version > 0;
    if (cs_same(cause, "own-process") || cs_same(cause, "blocking"))
        return scenario->launch != CS_CALL_BY_NODES;
    for (uint32_t i = 0; settings && i < settings->count; i++)
        if (!strncmp(settings->items[i].setting->name, setting, strlen(setting)))
            return true;
    return false;
}

static bool open_setting(struct cs_changed *changed, unsigned level, const char *setting)
{
    struct cs_settings settings = {0};

    if (level || cs_settings_add(&settings, setting, NULL))
        return false;
    cs_settings_apply(&settings, CS_EFFECTS_ALL, &changed->site);
    return true;
}

static bool open_acs(struct cs_changed *changed, unsigned level)
{
    return open_setting(changed, level, "acs=on");
}

static bool open_iommu(struct cs_changed *changed, unsigned level)
{
    return open_setting(changed, level, "iommu=on");
}

static bool open_tcpxo(struct cs_changed *changed, unsigned level)
{
    return open_setting(changed, level, "tcpxo=simple");
}

/* Else a cause that turns GPUDirect off, which is one of its own. */
static bool open_far_adapters(struct cs_changed *changed, unsigned level)
{
    return changed->site.gdr_anywhere && changed->site.gdr &&
           open_setting(changed, level, "adapter-socket=other");
}

static bool open_own_process(struct cs_changed *changed, unsigned level)
{
    bool is_one = changed->request.one_process;

    changed->request.one_process = false;
    return !level && is_one;
}

/* Rented boards have GPUs on risers of few lanes. */
static bool open_lanes(struct cs_changed *changed, unsigned level)
{
    struct cs_site *site = &changed->site;

    if (level || site->link_Bps > 0 || !(site->pcie_Bps > 0) || site->node_ranks < 2)
        return false;
    site->pcie_Bps /= 4;
    site->ring_Bps /= 4;
    return true;
}

/* No causes of verdicts: those of the node look like a slow path, and the launch is read from a
 * log. */
static const struct cs_cause open_own[] = {
    {"acs", 1, "", "the PCIe switches sent peer traffic through the CPU (acs=on)",
     "lspci -vvv shows ACSCtl with SrcValid+", "", open_acs},
    {"iommu", 1, "", "an IOMMU translated what the GPUs read in host memory (iommu=on)",
     "/proc/cmdline has iommu=pt or amd_iommu=off where it does not", "", open_iommu},
    {"tcpxo", 1, "", "the plugin had its profile of 2024, Simple alone (tcpxo=simple)",
     "NCCL_DEBUG=INFO has NCCL_PROTO", "", open_tcpxo},
    {"far-adapters", 1, "", "the adapters were on another socket (adapter-socket=other)",
     "nvidia-smi topo -m has SYS between GPUs and adapters", "", open_far_adapters},
    {"lanes", 1, "", "the GPUs had a quarter of their PCIe lanes",
     "nvidia-smi -q -d PCIE shows the width of the links under load", "", open_lanes},
    {"own-process", 1, "", "each GPU had its own process (--launch process-per-gpu)",
     "the Pids of the Rank lines of nccl-tests", "", open_own_process},
};

static const struct cs_cause *open_cause(const char *name)
{
    for (uint32_t i = 0; i < cs_cause_count; i++)
        if (cs_same(cs_causes[i].name, name))
            return &cs_causes[i];
    for (size_t i = 0; i < sizeof(open_own) / sizeof(*open_own); i++)
        if (cs_same(open_own[i].name, name))
            return &open_own[i];
    return NULL;
}

/* How to find out is said of the libraries whose messages the causes name. */
static const char *open_text(struct cs_arena *arena, const struct cs_cause *cause,
                             const struct cs_changed *changed, const double seconds[2])
{
    char words[CS_CAUSE_WORDS];
    bool has_check = changed->library->has_settings;

    return cs_arena_printf(arena, "%s: %s, %.3g times%s%s", cs_cause_words(cause, changed, words),
                           cs_show_seconds(seconds[1]).text, seconds[1] / seconds[0],
                           has_check ? "; " : "", has_check ? cause->check : "");
}

/* Inserts by falling gain. */
static void open_keep(double gain, const char *text, double gains[CS_OPEN_SETTINGS],
                      const char *texts[CS_OPEN_SETTINGS])
{
    for (int i = 0; i < CS_OPEN_SETTINGS; i++)
        if (gain > gains[i]) {
            double last_gain = gains[i];
            const char *last_text = texts[i];

            gains[i] = gain;
            texts[i] = text;
            gain = last_gain;
            text = last_text;
        }
}

void cs_open_settings(const struct cs_scenario *scenario, const struct cs_library_request *request,
                      double total_s, struct cs_arena *arena, const char *texts[CS_OPEN_SETTINGS])
{
    double gains[CS_OPEN_SETTINGS] = {0};

    for (int i = 0; i < CS_OPEN_SETTINGS; i++)
        texts[i] = "";
    for (size_t i = 0; i < sizeof(open_causes) / sizeof(*open_causes); i++) {
        const double least = .05; /* of ln(time) that is worth a line */
        const struct cs_cause *cause = open_cause(open_causes[i].cause);
        struct cs_changed changed = cs_changed_none(scenario->by.library, request);
        struct cs_library_time time;
        double moved;

        /* Calls of one process that wait have no model of their own. */
        if (!cause || open_is_said(scenario, cause->name, open_causes[i].setting) ||
            (request->one_process && cs_same(cause->name, "blocking")) ||
            !cs_changed_apply(&changed, cause, 0) ||
            cs_changed_time(&changed, request->bytes, &time, NULL))
            continue;
        moved = fabs(log(time.total_s / total_s));
        if (moved > least)
            open_keep(cause->weight * moved,
                      open_text(arena, cause, &changed, (double[]){total_s, time.total_s}), gains,
                      texts);
    }
}
