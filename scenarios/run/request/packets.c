/*
 * Options: a buffer has to hold a packet.
 */
#include "scenarios/run/request/scenario.h"

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
