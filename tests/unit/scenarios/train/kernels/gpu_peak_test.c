#include "scenarios/train/kernels/gpu_peak.h"

#include "sim/base/mem.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"

#include "tests/near.h"

/* GPUs whose peaks are not published. */
static bool has_peaks(const char *name)
{
    return strcmp(name, "rtx6000d") != 0;
}

TEST(every_gpu_kind_has_peaks_of_its_generation)
{
    for (size_t i = 0; i < cs_gpu_kind_count; i++) {
        const struct cs_gpu_kind *kind = &cs_gpu_kinds[i];
        const struct cs_gpu_peak *peak;

        if (!has_peaks(kind->name))
            continue;
        assert_done(cs_gpu_peak_find(kind->name, &peak, &err));
        assert_int_equal(peak->generation, kind->generation);
    }
}

static double gigabytes_of(const struct cs_gpu_kind *kind)
{
    const struct cs_gpu_peak *peak;

    assert_non_null(kind);
    assert_done(cs_gpu_peak_find(kind->name, &peak, &err));
    return peak->memory_bytes / (1u << 30);
}

static void assert_gigabytes(const char *machine, double gigabytes)
{
    struct cs_topo_request request = {.spec = machine};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;

    assert_done(cs_topo_open(&request, &graph, &arena, &err));
    assert_within(gigabytes_of(graph.devices[graph.rank_device[0]].model), gigabytes, 0);
}

/* Two machines with GPUs of one model and either memory, as their makers state. */
TEST(machines_have_gpus_with_the_memory_of_their_data_sheets)
{
    assert_gigabytes("p3", 16);
    assert_gigabytes("p3dn", 32);
    assert_gigabytes("ndv2", 32);
    assert_gigabytes("dgx-2", 32);
    assert_gigabytes("dgx", 80);
    assert_gigabytes("p4d", 40);
    assert_gigabytes("p4de", 80);
    assert_gigabytes("abci-a", 40);
    assert_gigabytes("perlmutter", 40);
    assert_gigabytes("polaris", 40);
    assert_gigabytes("juwels-booster", 40);
    assert_gigabytes("leonardo", 64);
}

/* Clouds sell a node with GPUs of either memory under two names. */
TEST(other_names_have_gpus_of_their_own)
{
    assert_gigabytes("a2-ultragpu-8g", 80);
    assert_gigabytes("a2-highgpu-8g", 40);
    assert_gigabytes("nd96asr_v4", 40);
    assert_gigabytes("Standard_ND96amsr_A100_v4", 80);
    assert_gigabytes("bm.gpu4.8", 40);
    assert_gigabytes("BM.GPU.A100-v2.8", 80);
    assert_gigabytes("cluster:node=ndm-a100-v4,nodes=2", 80);
}

TEST(a_device_has_the_longest_name_in_it)
{
    static const struct {
        const char *device, *name;
    } devices[] = {{"NVIDIA A100-SXM4-80GB", "a100"}, {"NVIDIA H100 80GB HBM3", "h100"},
                   {"NVIDIA GB200", "gb200"},         {"NVIDIA GeForce RTX 3090", "rtx3090"},
                   {"AMD Instinct MI300X", "mi300x"}, {"NVIDIA H200", "h200"}};

    for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
        assert_string_equal(cs_gpu_peak_of_device(devices[i].device)->name, devices[i].name);
    assert_null(cs_gpu_peak_of_device(""));
    assert_null(cs_gpu_peak_of_device("NVIDIA K9"));
}
