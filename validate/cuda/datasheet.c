#include "validate/cuda/datasheet.h"

#include <stddef.h>
#include <string.h>

/*
 * Memory: NVIDIA's data sheets of the products.  L2: A100 architecture white
 * paper (2020), 5120 bytes a clock of A100 and 2048 of V100; Hopper's is not
 * published, and taken to be A100's, as in Ultrason. Sonochem. 99 (2023) 106546,
 * table 3.  PCIe: 16 lanes of 8, 16 and 32 GT/s with 128b/130b, PCI Express base
 * specifications 3.0, 4.0 and 5.0; packets' headers leave some 85 to 90 % of it,
 * of generation 5 55 GB/s (NVIDIA's nvbandwidth).
 */
#define PCIE3 15.75e9
#define PCIE4 31.51e9
#define PCIE5 63.02e9

static const struct cs_datasheet sheets[] = {
    {"H200", 4.8e12, 5120, PCIE5, "NVIDIA H200 data sheet"},
    {"GH200", 4.9e12, 5120, PCIE5, "NVIDIA GH200 data sheet, 144 GB"},
    {"H100 NVL", 3.9e12, 5120, PCIE5, "NVIDIA H100 data sheet, NVL"},
    {"H100 PCIe", 2.04e12, 5120, PCIE5, "NVIDIA H100 PCIe product brief"},
    {"H100", 3.35e12, 5120, PCIE5, "NVIDIA H100 data sheet, SXM"},
    {"A100-SXM4-80GB", 2.039e12, 5120, PCIE4, "NVIDIA A100 80GB data sheet"},
    {"A100 80GB PCIe", 1.935e12, 5120, PCIE4, "NVIDIA A100 80GB data sheet"},
    {"A100", 1.555e12, 5120, PCIE4, "NVIDIA A100 data sheet, 40 GB"},
    {"V100S", 1.134e12, 2048, PCIE3, "NVIDIA V100 data sheet, V100S"},
    {"V100", 0.9e12, 2048, PCIE3, "NVIDIA V100 data sheet"},
    {"L4", 0.3e12, 0, PCIE4, "NVIDIA L4 data sheet"},
    {"T4", 0.32e12, 0, PCIE3, "NVIDIA T4 product brief"},
};

/* A word of the name, so that an L4 is no L40. */
static bool is_in(const char *name, const char *word)
{
    const char *at = strstr(name, word);

    return at && strchr(" -", at[strlen(word)]) && /* or the end */
           (at == name || strchr(" -", at[-1]));
}

const struct cs_datasheet *cs_datasheet_find(const char *gpu)
{
    size_t i;

    for (i = 0; i < sizeof(sheets) / sizeof(*sheets); i++)
        if (is_in(gpu, sheets[i].gpu))
            return &sheets[i];
    return NULL;
}

enum {
    BEYOND = 8, /* L2 has held an eighth of it at most */
};

enum cs_datasheet_path cs_datasheet_place(uint64_t vector_bytes,
                                          uint64_t l2_bytes)
{
    if (vector_bytes >= BEYOND * l2_bytes)
        return CS_DATASHEET_MEMORY;
    return 2 * vector_bytes <= l2_bytes ? CS_DATASHEET_L2 : CS_DATASHEET_NONE;
}

/* Numbers of data sheets are rounded. */
static const double rounding = 1.02;

struct cs_datasheet_verdict cs_datasheet_judge(
    const struct cs_datasheet *sheet, const struct cs_datasheet_rate *rate)
{
    struct cs_datasheet_verdict verdict = {0, "", ""};

    if (!sheet || rate->path == CS_DATASHEET_NONE)
        return verdict;
    verdict.source = sheet->source;
    if (rate->path == CS_DATASHEET_MEMORY) {
        verdict.limit_Bps = sheet->memory_Bps;
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
