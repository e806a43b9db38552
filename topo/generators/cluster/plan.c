#include "topo/generators/cluster/plan.h"

#include "sim/base/divisor.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/parameters.h"

#include <string.h>

enum {
    SHARE_MAX = 1 << 20, /* ports of an oversubscription */
};

static int cluster_count(const char *text, uint32_t *into, struct cs_err *err)
{
    uint64_t number = 0;
    int rc = cs_units_count(text, 1, 1 << 20, &number, err);

    *into = (uint32_t)number;
    return rc;
}

/* Up to `max` numbers, separated by the letter `between`. */
static int cluster_counts(const char *text, char between, uint32_t *into, uint32_t max,
                          uint32_t *found, struct cs_err *err)
{
    char one[16];

    for (*found = 0;; (*found)++) {
        size_t length = strcspn(text, (char[]){between, '\0'});
        int rc;

        if (*found == max || length == 0 || length >= sizeof(one))
            return cs_err_set(err, CS_EINPUT, "expected up to %u numbers with '%c' between", max,
                              between);
        memcpy(one, text, length);
        one[length] = '\0';
        rc = cluster_count(one, &into[*found], err);
        if (rc)
            return rc;
        text += length;
        if (!*text++) {
            (*found)++;
            return 0;
        }
    }
}

static int cluster_keep(struct cs_cluster_plan *plan, const char *text, const char **into)
{
    *into = cs_arena_text(plan->arena, text);
    return 0;
}

/* Reads one of two words; `is_yes` is the second. */
static int cluster_either(const char *text, const char *no, const char *yes, bool *is_yes,
                          struct cs_err *err)
{
    *is_yes = cs_same(text, yes);
    if (!*is_yes && !cs_same(text, no))
        return cs_err_set(err, CS_EINPUT, "'%s' is not '%s' or '%s'", text, no, yes);
    return 0;
}

#define READ(name, statement)                                                  \
    static int read_##name(const char *text, void *target, struct cs_err *err) \
    {                                                                          \
        struct cs_cluster_plan *plan = target;                                 \
                                                                               \
        (void)err;                                                             \
        statement;                                                             \
    }

READ(node, return cluster_keep(plan, text, &plan->node))
READ(fabric, return cluster_keep(plan, text, &plan->fabric_name))
READ(link, return cluster_keep(plan, text, &plan->link))
READ(nodes,
     return cluster_counts(text, '+', plan->nodes, CS_CLUSTER_KINDS_MAX, &plan->node_kinds, err))
READ(dims, return cluster_counts(text, 'x', plan->fabric.dims, CS_FABRIC_DIMS_MAX,
                                 &plan->fabric.dim_count, err))
READ(ranks, return cluster_count(text, &plan->ranks, err))
READ(gpus, return cluster_count(text, &plan->gpus, err))
READ(rails, return cluster_count(text, &plan->rails, err))
READ(radix, return cluster_count(text, &plan->fabric.radix, err))
READ(hosts, return cluster_count(text, &plan->fabric.hosts, err))
READ(routers, return cluster_count(text, &plan->fabric.routers, err))
READ(spines, return cluster_count(text, &plan->fabric.spines, err))
READ(globals, return cluster_count(text, &plan->fabric.globals, err))
READ(pxn, plan->says_pxn = true; return cluster_either(text, "on", "off", &plan->no_pxn, err))
READ(stripe, plan->says_stripe = true; return cluster_either(text, "off", "on", &plan->stripe, err))
READ(reduces, return cluster_either(text, "no", "yes", &plan->fabric.reduces, err))
READ(gamma, return cs_units_rate(text, &plan->host.reduce_Bps, err))
READ(overhead, return cs_units_time(text, &plan->host.reduce_overhead_ps, err))
READ(bandwidth, return cs_units_rate(text, &plan->rate_Bps, err))

static int cluster_read_latency(const char *text, void *target, struct cs_err *err)
{
    struct cs_cluster_plan *plan = target;

    plan->has_latency = true;
    return cs_units_time(text, &plan->latency_ps, err);
}

/* Reads a decimal at *text as an exact quotient, and moves *text to the end:
 * "1.1:1" must not become a binary fraction. */
static bool cluster_decimal(const char **text, unsigned long long *over, unsigned long long *under)
{
    const char *at = *text;

    *over = 0;
    *under = 1;
    for (; *at >= '0' && *at <= '9' && *over <= SHARE_MAX; at++)
        *over = 10 * *over + (unsigned long long)(*at - '0');
    if (at == *text)
        return false;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9' && *under < SHARE_MAX; at++) {
            *over = 10 * *over + (unsigned long long)(*at - '0');
            *under *= 10;
        }
    *text = at;
    return true;
}

/* "3", "1.5", "3:2" or "1.5:1". */
static int read_oversubscription(const char *text, void *target, struct cs_err *err)
{
    struct cs_cluster_plan *plan = target;
    const char *at = text;
    unsigned long long down, down_under;
    unsigned long long up = 1;
    unsigned long long up_under = 1;
    bool good = cluster_decimal(&at, &down, &down_under);

    if (good && *at == ':') {
        at++;
        good = cluster_decimal(&at, &up, &up_under);
    }
    if (good && *at == '\0' && down > 0 && up > 0) {
        uint64_t divisor;

        down *= up_under;
        up *= down_under;
        divisor = cs_common_divisor(down, up);
        down /= divisor;
        up /= divisor;
        if (down <= SHARE_MAX && up <= SHARE_MAX) {
            plan->fabric.down_share = (uint32_t)down;
            plan->fabric.up_share = (uint32_t)up;
            return 0;
        }
    }
    return cs_err_set(err, CS_EINPUT,
                      "'%.40s' is not an oversubscription; expected 3, 1.5, 3:2 or 1.5:1", text);
}

static int read_tiers(const char *text, void *target, struct cs_err *err)
{
    struct cs_cluster_plan *plan = target;
    uint64_t tiers = 0;
    int rc = cs_units_count(text, 1, 3, &tiers, err);

    plan->fabric.tiers = (uint32_t)tiers;
    return rc;
}

static int read_routing(const char *text, void *target, struct cs_err *err)
{
    struct cs_cluster_plan *plan = target;
    bool is_ecmp;
    int rc = cluster_either(text, "static", "ecmp", &is_ecmp, err);

    plan->has_routing = true;
    plan->fabric.routing = is_ecmp ? CS_ROUTING_ECMP : CS_ROUTING_STATIC;
    return rc;
}

static const struct cs_parameter parameters_known[] = {
    {"ranks", read_ranks},
    {"node", read_node},
    {"nodes", read_nodes},
    {"fabric", read_fabric},
    {"gpus", read_gpus},
    {"rails", read_rails},
    {"pxn", read_pxn},
    {"routing", read_routing},
    {"link", read_link},
    {"bandwidth", read_bandwidth},
    {"latency", cluster_read_latency},
    {"gamma", read_gamma},
    {"overhead", read_overhead},
    {"radix", read_radix},
    {"tiers", read_tiers},
    {"oversubscription", read_oversubscription},
    {"hosts", read_hosts},
    {"routers", read_routers},
    {"globals", read_globals},
    {"dims", read_dims},
    {"spines", read_spines},
    {"stripe", read_stripe},
    {"reduces", read_reduces},
};

int cs_cluster_plan_read(struct cs_cluster_plan *plan, const char *owner, const char *parameters,
                         struct cs_err *err)
{
    const struct cs_parameters known = {owner, parameters_known,
                                        sizeof(parameters_known) / sizeof(*parameters_known)};

    return cs_parameters_read(&known, parameters, plan, err);
}
