#include "validate/cuda/gate.h"

/*
 * Event times have a resolution of about 0.5 us (CUDA Runtime API,
 * cudaEventElapsedTime), the device's clock a step of up to 1 us (PTX ISA,
 * %globaltimer, names no fixed step): a difference of both may be 1.5 us below
 * zero.
 */
static const struct cs_gate_range ranges[CS_GATES] = {
    [CS_GATE_MESSAGE_DEVICE] = {"message_device", 1.5e-6, 6e-6,
                                "two fences and four to six round trips to L2 of some 0.3 us"},
    [CS_GATE_MESSAGE_HOST] = {"message_host", 3e-6, 10e-6,
                              "two to four round trips over PCIe of some 1 to 2 us"},
    [CS_GATE_HOST_OF_DEVICE] = {"host_of_device", 1, 10, "PCIe is farther away than L2"},
    [CS_GATE_LAUNCH] = {"launch", 3e-6, 15e-6, "a cooperative launch between two events"},
    [CS_GATE_EVENT] = {"event", -1.5e-6, 20e-6, "events enclose the kernel and its launch"},
    [CS_GATE_GRAPH_COPY] = {"graph_copy", 1e-6, 4e-6,
                            "start of a copy engine and one PCIe latency"},
    [CS_GATE_TIMER] = {"timer", 20e-9, 1.1e-6, "32 ns on recent GPUs, 1 us on older ones"},
    [CS_GATE_BLOCKS_OF_ENGINE] = {"blocks_of_engine", 0.85, 1.05, "memory limits both"},
    [CS_GATE_L2_OF_MEMORY] = {"l2_of_memory", 1.2, 10, "L2 is the faster one"},
    [CS_GATE_BOTH_OF_ONE] = {"both_of_one", 1.5, 2.02, "PCIe is full duplex"},
    [CS_GATE_MEMORY_OF_SHEET] = {"memory_of_sheet", 0.95, 1.05, "data sheets round"},
    [CS_GATE_CLOCK] = {"clock", 0.85, 1.01, "1.7 of 1.98 GHz; below: throttled or idle"},
    [CS_GATE_MEMORY_CLOCK] = {"memory_clock", 0.97, 1.01,
                              "memory at work runs at its one full clock"},
};

const struct cs_gate_range *cs_gate_range_of(enum cs_gate gate)
{
    return &ranges[gate];
}

const char *cs_gate_judge(enum cs_gate gate, double value)
{
    if (!(value >= ranges[gate].least))
        return "below";
    return value > ranges[gate].most ? "above" : "";
}
