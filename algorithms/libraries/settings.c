#include "algorithms/libraries/settings.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- words ---- */

/* NCCL's names of paths; numbers of old releases count likewise. */
static const char *const level_words[] = {"LOC", "NVL", "PIX", "PXB", "PHB", "SYS", NULL};
/* PXB counts as C2C with NCCL_NET_GDR_C2C, the default (src/graph/paths.cc). */
static const enum cs_site_path level_paths[] = {CS_PATH_LOCAL, CS_PATH_RELAY, CS_PATH_SWITCH,
                                                CS_PATH_C2C,   CS_PATH_HOST,  CS_PATH_SOCKET};
/* NCCL's old numbers, src/graph/paths.cc: 0 LOC, 1 PIX, 2 PXB, 3 PHB, 4 SYS. */
static const uint32_t level_numbers[] = {0, 2, 3, 4, 5};

static const char *const net_words[] = {"Socket", "IB", NULL};
static const char *const plugin_words[] = {"none", NULL};
static const char *const acs_words[] = {"off", "on", "ats", NULL};
static const char *const iommu_words[] = {"pt", "on", NULL};
static const char *const tcpxo_words[] = {"ll128", "simple", NULL};
static const char *const socket_words[] = {"near", "other", NULL};

/* ---- changes ---- */

void cs_site_stop_peers(struct cs_site *site)
{
    site->link_Bps = 0;
    site->ring_Bps = site->pcie_Bps;
    site->gpu_path = CS_PATH_HOST;
    site->peer_access = site->has_nvls = site->has_switch = false;
}

void cs_site_use_tcp(struct cs_site *site)
{
    site->net = cs_networks[site->net].tcp;
    site->gdr = false;
}

void cs_site_keep_adapters(struct cs_site *site, uint32_t kept)
{
    site->node_Bps *= (double)kept / site->adapters;
    site->adapters = kept;
}

/* InfiniBand carries IP where IPoIB is set up, as a rule on the first adapter, and else the
 * node's Ethernet does: NCCL takes interfaces that begin with ib, or all others (NVIDIA/nccl
 * src/misc/socket.cc, ncclFindInterfaces).  RoCE and plugins have IP on every adapter. */
static void site_use_sockets(struct cs_site *site)
{
    bool is_ib = site->net == CS_NET_IB;

    cs_site_use_tcp(site);
    if (is_ib && site->adapters > 1)
        cs_site_keep_adapters(site, 1);
}

static bool site_is_rdma(const struct cs_site *site)
{
    return site->nodes > 1 && !cs_network_is_tcp(site->net) && !cs_network_is_links(site->net);
}

/* Beyond the default level of GPUDirect RDMA, which is set after this. */
static void set_adapter_socket(struct cs_site *site, uint32_t value)
{
    site->far = value ? CS_SITE_SLOW : CS_SITE_FAST;
    if (value && site->nodes > 1) {
        site->net_path = CS_PATH_SOCKET;
        site->gdr = site->gdr && site->gdr_anywhere;
    }
}

static void set_gdr_level(struct cs_site *site, uint32_t value)
{
    site->gdr_anywhere = level_paths[value] >= CS_PATH_SOCKET;
    site->gdr = site_is_rdma(site) && site->peer_access && site->net_path <= level_paths[value];
}

/* Peers of one CPU stay where only those of two sockets are too far. */
static void set_p2p_level(struct cs_site *site, uint32_t value)
{
    if (site->node_ranks < 2 || site->gpu_path <= level_paths[value])
        return;
    if (level_paths[value] == CS_PATH_HOST && site->peer_access)
        site->sockets_staged = true;
    else
        cs_site_stop_peers(site);
}

/* GPUDirect RDMA is another setting, and stays. */
static void set_p2p_disable(struct cs_site *site, uint32_t value)
{
    if (value && site->node_ranks > 1)
        cs_site_stop_peers(site);
}

static void set_relaxed_ordering(struct cs_site *site, uint32_t value)
{
    site->strict_order = value == 0;
}

static void set_acs(struct cs_site *site, uint32_t value)
{
    site->acs = (enum cs_site_acs)value;
}

static void set_iommu(struct cs_site *site, uint32_t value)
{
    site->iommu = value ? CS_SITE_SLOW : CS_SITE_FAST;
}

static void set_tcpxo(struct cs_site *site, uint32_t value)
{
    site->tcpxo = value ? CS_SITE_SLOW : CS_SITE_FAST;
}

static void set_queue_pairs(struct cs_site *site, uint32_t value)
{
    site->queue_pairs = value;
}

static void set_split(struct cs_site *site, uint32_t value)
{
    site->split = value ? CS_SPLIT_YES : CS_SPLIT_NO;
}

static void set_socket_threads(struct cs_site *site, uint32_t value)
{
    site->socket_threads = value;
}

static void set_sockets(struct cs_site *site, uint32_t value)
{
    site->sockets = value;
}

static void set_ib_disable(struct cs_site *site, uint32_t value)
{
    if (value && cs_network_is_verbs(site->net))
        site_use_sockets(site);
}

/* The network without the plugin. */
static void set_net_plugin(struct cs_site *site, uint32_t value)
{
    (void)value;
    site->net = cs_networks[site->net].bare;
    site->gdr = site->gdr && !cs_network_is_tcp(site->net);
}

static void set_tuner_plugin(struct cs_site *site, uint32_t value)
{
    (void)value;
    site->has_no_tuner = true;
}

static void set_net(struct cs_site *site, uint32_t value)
{
    if (value == 0)
        site_use_sockets(site);
    else if (cs_network_is_verbs(site->net))
        set_net_plugin(site, 0);
}

static void set_cross_nic(struct cs_site *site, uint32_t value)
{
    (void)site;
    (void)value;
}

static void set_buffer(struct cs_site *site, uint32_t value)
{
    site->buffer_bytes = value;
}

static void set_threads(struct cs_site *site, uint32_t value)
{
    site->block_threads = value;
}

static void set_nvls_enable(struct cs_site *site, uint32_t value)
{
    site->has_nvls = site->has_nvls && value;
}

static void set_least_channels(struct cs_site *site, uint32_t value)
{
    site->least_channels = value;
}

static void set_most_channels(struct cs_site *site, uint32_t value)
{
    site->most_channels = value;
}

const struct cs_setting cs_settings_known[] = {
#define SETTING(identifier, name, words, least, most, unit, standard, effect, about, source) \
    {name, words, least, most, unit, standard, CS_EFFECT_##effect, set_##identifier, about, source},
#include "algorithms/libraries/settings.def"
#undef SETTING
};

const uint32_t cs_settings_known_count = sizeof(cs_settings_known) / sizeof(*cs_settings_known);

static_assert(sizeof(cs_settings_known) / sizeof(*cs_settings_known) <= CS_SETTINGS_MAX,
              "a call may have every setting");

/* Where switches send peer traffic through the root complex, GPU links pass no switch.
 * NCCL reads the paths of the devices and chooses as before. */
static void redirect_peers(struct cs_site *site)
{
    bool by_links = site->link_Bps > 0 && site->gpu_path <= CS_PATH_RELAY;

    if (site->acs == CS_ACS_OFF || (site->acs == CS_ACS_ATS && !site->strict_order))
        return;
    if (site->ring_uplink_Bps > 0 && site->peer_access && !by_links)
        site->ring_Bps = fmin(site->ring_Bps, site->ring_uplink_Bps);
    if (site->node_uplink_Bps > 0 && site->gdr)
        site->node_Bps = fmin(site->node_Bps, site->node_uplink_Bps);
}

void cs_settings_apply(const struct cs_settings *settings, unsigned effects, struct cs_site *site)
{
    /* GPUDirect before peer access, in the order of settings.def. */
    for (uint32_t k = 0; k < cs_settings_known_count; k++)
        for (uint32_t i = 0; i < settings->count; i++)
            if (settings->items[i].setting == &cs_settings_known[k] &&
                (effects & cs_settings_known[k].effect ||
                 cs_settings_known[k].effect == CS_EFFECT_NONE))
                cs_settings_known[k].apply(site, settings->items[i].value);
    redirect_peers(site);
}

/* ---- reading ---- */

void cs_setting_values(const struct cs_setting *setting, struct cs_text *out)
{
    if (!setting->words)
        cs_text_printf(out, "%u to %u", setting->least, setting->most);
    for (uint32_t i = 0; setting->words && setting->words[i]; i++)
        cs_text_printf(out, "%s%s", i ? ", " : "", setting->words[i]);
}

static bool setting_word(const struct cs_setting *setting, const char *text, uint32_t *value)
{
    for (*value = 0; setting->words[*value]; ++*value)
        if (!strcasecmp(setting->words[*value], text))
            return true;
    if (setting->words == level_words && text[0] >= '0' && text[0] <= '4' && !text[1]) {
        *value = level_numbers[text[0] - '0'];
        return true;
    }
    return false;
}

static int setting_value(const struct cs_setting *setting, const char *text, uint32_t *value,
                         struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text values = {0};
    uint64_t number = 0;

    if (setting->words ? setting_word(setting, text, value)
                       : !cs_units_count(text, setting->least, setting->most, &number, NULL)) {
        if (!setting->words)
            *value = (uint32_t)number;
        return 0;
    }
    cs_setting_values(setting, &values);
    return cs_err_set(err, CS_EINPUT, "%s=%.40s: expected %s", setting->name, text,
                      cs_text_str(&values));
}

static const struct cs_setting *setting_find(const char *text, size_t length)
{
    for (uint32_t k = 0; k < cs_settings_known_count; k++)
        if (strlen(cs_settings_known[k].name) == length &&
            !strncasecmp(cs_settings_known[k].name, text, length))
            return &cs_settings_known[k];
    return NULL;
}

const char *cs_setting_about(const char *text)
{
    const struct cs_setting *setting = setting_find(text, strcspn(text, "="));

    return setting ? setting->about : "";
}

static int setting_unknown(const char *text, size_t length, struct cs_err *err)
{
    const char *names[CS_SETTINGS_MAX];
    char name[40];

    for (uint32_t k = 0; k < cs_settings_known_count; k++)
        names[k] = cs_settings_known[k].name;
    snprintf(name, sizeof(name), "%.*s", (int)length, text);
    return cs_err_set(
        err, CS_EINPUT, "no setting called '%s'%s", name,
        cs_hint(name, names, cs_settings_known_count, "'collsim list settings' prints them").text);
}

int cs_settings_add(struct cs_settings *settings, const char *text, struct cs_err *err)
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const struct cs_setting *setting = setting_find(text, length);
    uint32_t value = 0;
    int code;

    if (!setting)
        return setting_unknown(text, length, err);
    if (!equals)
        return cs_err_set(err, CS_EINPUT, "setting %s has no value; expected %s=VALUE",
                          setting->name, setting->name);
    for (uint32_t i = 0; i < settings->count; i++)
        if (settings->items[i].setting == setting)
            return cs_err_set(err, CS_EINPUT, "setting %s is given twice", setting->name);
    code = setting_value(setting, equals + 1, &value, err);
    if (code)
        return code;
    settings->items[settings->count].setting = setting;
    settings->items[settings->count].value = value;
    settings->items[settings->count++].text = text;
    return 0;
}
