/*
 * Options: what a message is to models in which messages share links.
 */
#include "scenarios/run/scenario.h"
#include "sim/base/units.h"
#include "sim/models/models.h"

/* Wide of what there is (Ethernet from 64 B, IPv6 jumbograms to 4 GiB), narrow
 * enough for a simulation to end. */
enum {
    PAYLOAD_MIN = 16,
    PAYLOAD_MAX = 1 << 24,
    HEADER_MAX = 1 << 16,
};

static int set_flow_cap(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return cs_units_rate(value, &scenario->flows.cap_Bps, err);
}

static int set_mtu(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint64_t bytes;
    int code = cs_units_bytes_up_to(value, PAYLOAD_MAX, &bytes, err);

    if (!code && (bytes < PAYLOAD_MIN || bytes > PAYLOAD_MAX))
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' is no size of packets; expected 16 B to "
                          "16 MiB",
                          value);
    if (!code)
        scenario->flows.packets.payload_bytes = (uint32_t)bytes;
    return code;
}

static int set_header(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    uint64_t bytes = 0;
    int code = cs_same(value, "0")
                   ? 0
                   : cs_units_bytes_up_to(value, HEADER_MAX, &bytes, err);

    if (!code && bytes > HEADER_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' is no size of a header; expected 0 to "
                          "64 KiB",
                          value);
    if (!code)
        scenario->flows.packets.header_bytes = (uint32_t)bytes;
    return code;
}

static int set_buffer(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;

    return cs_units_bytes(value, &scenario->flows.packets.buffer_bytes, err);
}

/* As enum cs_packet_loss. */
static const char *const losses[] = {"credits", "pfc", "drop"};

static int set_loss(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    unsigned i;

    for (i = 0; i < 3; i++)
        if (cs_same(value, losses[i])) {
            scenario->flows.packets.loss = (enum cs_packet_loss)i;
            return 0;
        }
    return cs_options_refuse((struct cs_option_names){"loss", losses, 3}, value,
                             err);
}

static int set_rto(void *target, const char *value, struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    int code = cs_units_time(value, &scenario->flows.packets.timeout_ps, err);

    if (!code && scenario->flows.packets.timeout_ps == 0)
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' is no time to wait for; it is above 0",
                          value);
    return code;
}

static int flows_options_set_routing(void *target, const char *value,
                                     struct cs_err *err)
{
    static const char *const names[] = {"spread", "ecmp", "shortest"};
    struct cs_scenario *scenario = target;

    for (size_t i = 0; i < 3; i++)
        if (cs_same(value, names[i])) {
            scenario->flows.routing = (enum cs_routing)i;
            return 0;
        }
    return cs_options_refuse((struct cs_option_names){"routing", names, 3},
                             value, err);
}

static const struct cs_option options[] = {
    {"flow-cap", 0, "RATE",
     "the most that one message gets, in model fluid: what a channel or a "
     "connection can drive  [its slowest link]",
     set_flow_cap},
    {"mtu", 0, "BYTES", "of a message in a packet, in model packet  [4KiB]",
     set_mtu},
    {"header", 0, "BYTES", "of each packet, beside those  [0]", set_header},
    {"buffer", 0, "BYTES",
     "at the far end of each link (with --loss drop of each output), shared "
     "by all that passes; at least a packet  [each message has places of its "
     "own; with pfc or "
     "drop 64 packets]",
     set_buffer},
    {"loss", 0, "HOW",
     "what full buffers do: credits (nothing is lost, as in InfiniBand), pfc "
     "(neither, by pause frames, as for RoCE), or drop (packets are lost, and "
     "sent again as TCP NewReno does)  [credits]",
     set_loss},
    {"rto", 0, "TIME",
     "with --loss drop: what is lost is sent again after two round trips, and "
     "after this at least  [1ms]",
     set_rto},
    {"routing", 0, "HOW",
     "which of equal ways is taken: spread (a generator's own, else by the "
     "source's number), ecmp (by a hash of --seed, source and destination), or "
     "shortest (by search, not a generator's)  [spread]",
     flows_options_set_routing},
    {0},
};

const struct cs_option_group cs_options_flows = {
    .name = "flows",
    .about = "messages that share links, their packets and ways",
    .options = options,
};

static int check_buffer(const struct cs_scenario *scenario, struct cs_err *err)
{
    const struct cs_packet_params *packets = &scenario->flows.packets;
    uint64_t payload_bytes = packets->payload_bytes ? packets->payload_bytes
                                                    : CS_PACKET_PAYLOAD_BYTES;
    uint64_t most_bytes = payload_bytes + packets->header_bytes;

    if (packets->buffer_bytes == 0 || packets->buffer_bytes >= most_bytes)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "--buffer %llu B does not hold a packet of %llu B",
                      (unsigned long long)packets->buffer_bytes,
                      (unsigned long long)most_bytes);
}

static int check_loss(const struct cs_scenario *scenario, struct cs_err *err)
{
    const struct cs_packet_params *packets = &scenario->flows.packets;
    const char *model = scenario->model->name;

    if (packets->loss != CS_PACKET_CREDITS &&
        !cs_link_model_takes(scenario->model, "loss"))
        return cs_err_set(err, CS_EINPUT,
                          "--loss %s is of --model packet, and this is %s",
                          losses[packets->loss], model);
    if (packets->timeout_ps && packets->loss != CS_PACKET_DROP)
        return cs_err_set(err, CS_EINPUT,
                          "--rto is of --loss drop, and this is %s",
                          losses[packets->loss]);
    return 0;
}

int cs_flows_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    const struct cs_flows *flows = &scenario->flows;
    const char *model = scenario->model->name;

    if (flows->cap_Bps > 0 && !cs_link_model_takes(scenario->model, "flow-cap"))
        return cs_err_set(err, CS_EINPUT,
                          "--flow-cap is of --model fluid, and this is %s",
                          model);
    if ((flows->packets.payload_bytes || flows->packets.header_bytes ||
         flows->packets.buffer_bytes) &&
        !cs_link_model_takes(scenario->model, "mtu"))
        return cs_err_set(err, CS_EINPUT,
                          "--mtu, --header and --buffer are of --model packet, "
                          "and this is %s",
                          model);
    if (check_loss(scenario, err))
        return CS_EINPUT;
    return check_buffer(scenario, err);
}
