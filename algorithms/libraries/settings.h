/*
 * Settings: what a user or a node can change of a library's call, by the names
 * of the library's own variables.
 *
 *     NCCL_NET_GDR_LEVEL=LOC      no GPUDirect RDMA
 *     NCCL_IB_QPS_PER_CONNECTION=4
 *     acs=on                      of the node, not of the library
 *
 * A setting changes the site (site/summary.h) before the library chooses.  A
 * line of settings.def has the values, the unit, the default, the effect of
 * ablations and the source; set_<identifier> of settings.c makes the change.
 * NCCL and RCCL alone have settings.
 *
 *     add     O(settings)
 *     apply   O(settings given)
 */
#pragma once

#include "algorithms/libraries/library.h"

enum {
    CS_SETTINGS_MAX = 24, /* of a call */
};

struct cs_setting {
    const char *name;         /* "NCCL_NET_GDR_LEVEL" */
    const char *const *words; /* the value is an index; NULL: a number */
    uint32_t least, most;     /* of the number; 0 to the last of the words */
    const char *unit;         /* "threads"; "" of words and of switches */
    const char *standard;     /* the default, in words */
    unsigned effect;          /* enum cs_library_effect */
    void (*apply)(struct cs_site *site, uint32_t value);
    const char *about, *source;
};

extern const struct cs_setting cs_settings_known[];
extern const uint32_t cs_settings_known_count;

struct cs_settings {
    struct {
        const struct cs_setting *setting;
        uint32_t value;
        const char *text; /* "NCCL_IB_DISABLE=1", of the caller */
    } items[CS_SETTINGS_MAX];
    uint32_t count;
};

/* Adds "NAME=VALUE", which must outlive the settings; names and words in any case of
 * letters; CS_EINPUT for an unknown name or value, with the nearest or the range,
 * and for a name again. */
int cs_settings_add(struct cs_settings *settings, const char *text, struct cs_err *err);

/* Changes a site by the settings whose effect is among `effects`. */
void cs_settings_apply(const struct cs_settings *settings, unsigned effects, struct cs_site *site);

/* The values of a setting, "LOC, NVL, ..." or "1 to 128". */
struct cs_text;
void cs_setting_values(const struct cs_setting *setting, struct cs_text *out);

/* What the setting of "NAME=VALUE" is about; "" for an unknown name. */
const char *cs_setting_about(const char *text);

/* GPUs of a node without access to each other: copies through host memory. */
void cs_site_stop_peers(struct cs_site *site);

/* Kernel TCP over the same adapters in place of RDMA. */
void cs_site_use_tcp(struct cs_site *site);

/* So many of the adapters of a node, of one or more. */
void cs_site_keep_adapters(struct cs_site *site, uint32_t kept);
