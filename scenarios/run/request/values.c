/*
 * Options of a few words: faults, packets, dimensions, machine, routing.
 */
#include "scenarios/run/request/scenario.h"
#include "sim/base/file.h"
#include "sim/base/units.h"
#include "topo/documents/parameters.h"
#include "topo/formats/source.h"

#include <string.h>

/* ---- faults ---- */

int cs_set_fault(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    struct cs_faults *faults = &scenario->faults;

    if (faults->count == CS_FAULTS_MAX)
        return cs_err_set(err, CS_EINPUT, "more than %d faults", CS_FAULTS_MAX);
    return cs_fault_read(value, &faults->item[faults->count++], scenario->arena, err);
}

const char *cs_show_fault(const void *target, uint32_t i)
{
    const struct cs_scenario *scenario = target;

    return i < scenario->faults.count ? scenario->faults.item[i].text : NULL;
}

/* ---- packets ---- */

int cs_flows_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    const struct cs_packet_params *packets = &scenario->flows.packets;
    uint64_t payload_bytes =
        packets->payload_bytes ? packets->payload_bytes : CS_PACKET_PAYLOAD_BYTES;
    uint64_t most_bytes = payload_bytes + packets->header_bytes;

    if (packets->buffer_bytes == 0 || packets->buffer_bytes >= most_bytes)
        return 0;
    return cs_err_set(err, CS_EINPUT, "--buffer %llu B does not hold a packet of %llu B",
                      (unsigned long long)packets->buffer_bytes, (unsigned long long)most_bytes);
}

/* ---- dims ---- */

static int read_side(const char *value, uint32_t *side, struct cs_err *err)
{
    uint64_t count = 0;
    int code = cs_units_count(value, 1, CS_RANKS_MAX, &count, err);

    *side = (uint32_t)count;
    return code;
}

/* "4x4x2" */
int cs_set_dims(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint32_t *dims = cs_arena_alloc(scenario->arena, strlen(value) + 1, sizeof(*dims));
    uint32_t count = 0;
    int code = 0;

    for (; !code; value++) {
        size_t length = strcspn(value, "x");

        if (length == 0)
            return cs_err_set(err, CS_EINPUT, "a side is missing; write 4x4 or 2x2x2");
        code = read_side(cs_arena_text_n(scenario->arena, value, length), &dims[count++], err);
        value += length;
        if (*value == '\0')
            break;
    }
    scenario->call.dims = dims;
    scenario->call.dim_count = count;
    return code;
}

/* ---- machine ---- */

/* A machine that is a text: a file of any format that is found by its content, or a word:
 * a generator's, a name. */
static const char *topo_of_text(struct cs_scenario *scenario, const char *text)
{
    size_t length = strlen(text);
    const char *spec;

    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    spec = cs_arena_printf(scenario->arena, "%.*s\n", (int)length, text);
    return cs_topo_is_text(spec) && strcspn(spec, " \t\n{<") < length
               ? spec
               : cs_arena_text_n(scenario->arena, text, length);
}

static int topo_from_input(struct cs_scenario *scenario, const char **spec, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read("/dev/stdin", CS_SOURCE_BYTES_MAX, &text, err);

    *spec = topo_of_text(scenario, cs_text_str(&text));
    if (!code && !**spec)
        code =
            cs_err_set(err, CS_EINPUT, "'-' is standard input, which is empty; expected a machine");
    return code;
}

int cs_set_topo(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    if (!value[strspn(value, " \t\r\n")])
        return cs_err_set(err, CS_EINPUT,
                          "the machine's name is empty; write --topo dgx.yaml or a file of yours");
    scenario->cluster.topo_named = true;
    if (cs_same(value, "-"))
        return topo_from_input(scenario, &scenario->topo, err);
    scenario->topo = strchr("{<", value[0]) || strchr(value, '\n')
                         ? topo_of_text(scenario, value)
                         : cs_parameters_bare(cs_arena_text(scenario->arena, value));
    return 0;
}

void cs_cluster_finish(struct cs_scenario *scenario)
{
    struct cs_cluster_options *cluster = &scenario->cluster;
    struct cs_text spec = {0};

    if (!cluster->nodes && !cluster->gpus && !cluster->fabric && !cluster->nics)
        return;
    if (!cluster->topo_named && scenario->machine.platform) {
        scenario->topo = scenario->machine.platform;
        scenario->machine.platform = NULL; /* used up: it is the node of the cluster */
    }
    cs_text_printf(&spec,
                   strpbrk(scenario->topo, ",\n") ? "cluster:node=[%s],nodes=%u"
                                                  : "cluster:node=%s,nodes=%u",
                   scenario->topo, cluster->nodes ? cluster->nodes : 1);
    if (cluster->gpus)
        cs_text_printf(&spec, ",gpus=%u", cluster->gpus);
    if (cluster->nics)
        cs_text_add(&spec, ",nics=");
    for (const char *c = cluster->nics; c && *c; c++)
        cs_text_printf(&spec, "%c", *c == ',' ? '+' : *c);
    if (cluster->fabric)
        cs_text_printf(&spec, ",fabric=%s", cluster->fabric);
    scenario->topo = cs_text_keep(&spec, scenario->arena);
}

/* ---- routing ---- */

static int routing_check_pairs(const struct cs_scenario *scenario, struct cs_err *err)
{
    enum cs_routing routing = scenario->flows.routing;

    if (!scenario->flows.queue_pairs || routing == CS_ROUTING_ECMP ||
        routing == CS_ROUTING_ADAPTIVE)
        return 0;
    return cs_err_set(err, CS_EINPUT, "--qps requires --routing ecmp or adaptive (current: %s)%s",
                      cs_routing_names[routing],
                      routing == CS_ROUTING_SPRAY ? "; spray uses every route already" : "");
}

static int routing_check_runs(const struct cs_scenario *scenario, struct cs_err *err)
{
    const char *given = cs_scenario_given(scenario, "runs")  ? "runs"
                        : cs_scenario_given(scenario, "run") ? "run"
                                                             : NULL;

    if (!given || scenario->jitter.term_count || cs_routing_draws(scenario->flows.routing))
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "--%s requires --jitter or --routing ecmp: without random numbers every run "
                      "is the same; write --jitter exponential,mean=2us",
                      given);
}

int cs_routing_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    int code = routing_check_pairs(scenario, err);

    return code ? code : routing_check_runs(scenario, err);
}
