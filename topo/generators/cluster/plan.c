#include "topo/generators/cluster/plan.h"

#include "sim/base/divisor.h"
#include "topo/documents/parameters.h"

#include <string.h>

enum {
    COUNT_MAX = 1 << 20,
    SHARE_MAX = 1 << 20, /* ports of an oversubscription */
};

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
        rc = cs_value_count(&(struct cs_value){.most = COUNT_MAX}, one, &into[*found], err);
        if (rc)
            return rc;
        text += length;
        if (!*text++) {
            (*found)++;
            return 0;
        }
    }
}

static int read_nodes(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    struct cs_cluster_plan *plan = target;

    (void)as;
    return cluster_counts(text, '+', plan->nodes, CS_CLUSTER_KINDS_MAX, &plan->node_kinds, err);
}

static int read_dims(const struct cs_value *as, const char *text, void *target, struct cs_err *err)
{
    struct cs_fabric *fabric = target;

    (void)as;
    return cluster_counts(text, 'x', fabric->dims, CS_FABRIC_DIMS_MAX, &fabric->dim_count, err);
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
static int read_oversubscription(const struct cs_value *as, const char *text, void *target,
                                 struct cs_err *err)
{
    struct cs_fabric_share *share = target;
    const char *at = text;
    unsigned long long down, down_under;
    unsigned long long up = 1;
    unsigned long long up_under = 1;
    bool good = cluster_decimal(&at, &down, &down_under);

    (void)as;
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
            *share = (struct cs_fabric_share){(uint32_t)down, (uint32_t)up};
            return 0;
        }
    }
    return cs_err_set(err, CS_EINPUT,
                      "'%.40s' is not an oversubscription; expected 3, 1.5, 3:2 or 1.5:1", text);
}

static int read_routing(const struct cs_value *as, const char *text, void *target,
                        struct cs_err *err)
{
    struct cs_fabric *fabric = target;
    bool is_ecmp;
    int rc = cs_value_either(as, text, &is_ecmp, err);

    fabric->routing = is_ecmp ? CS_ROUTING_ECMP : CS_ROUTING_STATIC;
    return rc;
}

#define VALUE(name, form, member, ...) \
    CS_VALUE(name, form, struct cs_cluster_plan, member, __VA_ARGS__)
#define COUNT(name, member) VALUE(name, cs_value_count, member, .most = COUNT_MAX)
#define SAYS(member)        .said = offsetof(struct cs_cluster_plan, member)

static const struct cs_value plan_values[] = {
    COUNT("ranks", ranks),
    VALUE("node", cs_value_text, node),
    {.name = "nodes", .read = read_nodes},
    VALUE("fabric", cs_value_text, fabric_name),
    COUNT("gpus", gpus),
    COUNT("rails", rails),
    VALUE("pxn", cs_value_either, no_pxn, .words = {"on", "off"}, SAYS(says_pxn)),
    VALUE("routing", read_routing, fabric, .words = {"static", "ecmp"}, SAYS(has_routing)),
    VALUE("link", cs_value_text, link),
    VALUE("nics", cs_value_text, nics),
    VALUE("bandwidth", cs_value_rate, rate_Bps),
    VALUE("latency", cs_value_time, latency_ps, SAYS(has_latency)),
    VALUE("gamma", cs_value_rate, host.reduce_Bps),
    VALUE("overhead", cs_value_time, host.reduce_overhead_ps),
    COUNT("radix", fabric.radix),
    VALUE("tiers", cs_value_count, fabric.tiers, .most = 3),
    VALUE("oversubscription", read_oversubscription, fabric.leaf),
    VALUE("core-oversubscription", read_oversubscription, fabric.spine),
    VALUE("pod", cs_value_count, fabric.pod, .most = CS_FABRIC_RADIX_MAX),
    VALUE("chassis", cs_value_count, fabric.chassis, .most = CS_FABRIC_RADIX_MAX),
    COUNT("hosts", fabric.hosts),
    COUNT("routers", fabric.routers),
    COUNT("globals", fabric.globals),
    VALUE("dims", read_dims, fabric),
    COUNT("spines", fabric.spines),
    VALUE("stripe", cs_value_either, stripe, .words = {"off", "on"}, SAYS(says_stripe)),
    VALUE("reduces", cs_value_either, fabric.reduces, .words = {"no", "yes"}),
};

int cs_cluster_plan_read(struct cs_cluster_plan *plan, const char *owner, const char *parameters,
                         struct cs_err *err)
{
    const struct cs_parameter_table known = {
        owner, plan_values, sizeof(plan_values) / sizeof(*plan_values), plan->arena};

    return cs_parameters_read(&known, parameters, plan, err);
}
