#include "validate/cuda/datasheet.h"

#include <stddef.h>
#include <string.h>

/*
 * Memory and NVLink: NVIDIA's data sheet of each product, which names NVLink both
 * directions together: half of that each way.
 * L2: bytes a clock of A100 (5120) and V100 (2048) from the white paper "NVIDIA
 * A100 Tensor Core GPU Architecture" (2020).  For Hopper NVIDIA publishes no
 * number: 5120, as in Ultrason. Sonochem. 99 (2023) 106546, table 3 (8986 GB/s at
 * 1755 MHz).  For L4 and T4 no source is known: no limit.
 * PCIe: 16 lanes of 8, 16 and 32 GT/s with 128b/130b, PCI Express base
 * specifications 3.0, 4.0 and 5.0.  Packet headers leave some 85 to 90 %:
 * NVIDIA's blog on nvbandwidth shows 55.6 GB/s of generation 5.
 */
#define PCIE3 15.75e9
#define PCIE4 31.51e9
#define PCIE5 63.02e9

static const struct cs_datasheet sheets[] = {
    {"H200", 4.8e12, 5120, PCIE5, 450e9, "NVIDIA H200 data sheet"},
    {"GH200", 4.9e12, 5120, PCIE5, 450e9, "NVIDIA GH200 data sheet, 144 GB"},
    {"H100 NVL", 3.9e12, 5120, PCIE5, 300e9, "NVIDIA H100 data sheet, NVL"},
    {"H100 PCIe", 2.04e12, 5120, PCIE5, 300e9, "NVIDIA H100 PCIe product brief PB-11133-001"},
    {"H100", 3.35e12, 5120, PCIE5, 450e9, "NVIDIA H100 data sheet, SXM"},
    {"A100-SXM4-80GB", 2.039e12, 5120, PCIE4, 300e9, "NVIDIA A100 80GB data sheet, SXM"},
    {"A100 80GB PCIe", 1.935e12, 5120, PCIE4, 300e9, "NVIDIA A100 80GB data sheet, PCIe"},
    {"A100", 1.555e12, 5120, PCIE4, 300e9, "NVIDIA A100 data sheet, 40 GB"},
    {"V100S", 1.134e12, 2048, PCIE3, 0, "NVIDIA V100 data sheet, V100S"},
    {"V100-PCIE", 0.9e12, 2048, PCIE3, 0, "NVIDIA V100 data sheet, PCIe"},
    {"V100", 0.9e12, 2048, PCIE3, 150e9, "NVIDIA V100 data sheet, SXM2"},
    {"L4", 0.3e12, 0, PCIE4, 0, "NVIDIA L4 data sheet"},
    {"T4", 0.32e12, 0, PCIE3, 0, "NVIDIA T4 product brief"},
};

/* Whole words of the name: L4 is not in L40. */
static bool is_in(const char *name, const char *word)
{
    const char *at = strstr(name, word);

    return at && strchr(" -", at[strlen(word)]) && /* NUL too */
           (at == name || strchr(" -", at[-1]));
}

const struct cs_datasheet *cs_datasheet_find(const char *gpu)
{
    for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++)
        if (is_in(gpu, sheets[i].gpu))
            return &sheets[i];
    return NULL;
}

enum {
    BEYOND = 8, /* times L2: at most an eighth of the vectors is in L2 */
};

enum cs_datasheet_path cs_datasheet_place(uint64_t vector_bytes, uint64_t l2_bytes)
{
    if (vector_bytes >= BEYOND * l2_bytes)
        return CS_DATASHEET_MEMORY;
    return 2 * vector_bytes <= l2_bytes ? CS_DATASHEET_L2 : CS_DATASHEET_NONE;
}

/* Data sheets round. */
static const double rounding = 1.02;

struct cs_datasheet_verdict cs_datasheet_judge(const struct cs_datasheet *sheet,
                                               const struct cs_datasheet_rate *rate)
{
    struct cs_datasheet_verdict verdict = {0, "", ""};

    if (!sheet || rate->path == CS_DATASHEET_NONE)
        return verdict;
    verdict.source = sheet->source;
    if (rate->path == CS_DATASHEET_MEMORY) {
        verdict.limit_Bps = sheet->memory_Bps;
    } else if (rate->path == CS_DATASHEET_NVLINK) {
        verdict.limit_Bps = sheet->nvlink_Bps;
    } else if (rate->path == CS_DATASHEET_L2) {
        verdict.limit_Bps = sheet->l2_bytes_per_clock * rate->clock_Hz;
        verdict.source = "bytes a clock, NVIDIA A100 white paper";
    } else {
        verdict.limit_Bps = sheet->bus_Bps;
        verdict.source = "PCI Express, 16 lanes";
    }
    if (!(verdict.limit_Bps > 0))
        return (struct cs_datasheet_verdict){0, "", ""};
    if (rate->rate_Bps > rounding * verdict.limit_Bps)
        verdict.suspect = "above the limit";
    else if (rate->whole && rate->rate_Bps < verdict.limit_Bps / 3)
        verdict.suspect = "below a third of the limit";
    return verdict;
}

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
