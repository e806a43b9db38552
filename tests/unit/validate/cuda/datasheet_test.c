/* Data sheets: which GPU a name is, and which rates cannot be. */
#include "validate/cuda/datasheet.h"

#include "tests/fixture.h"

static double memory_of(const char *gpu)
{
    const struct cs_datasheet *sheet = cs_datasheet_find(gpu);

    return sheet ? sheet->memory_Bps : 0;
}

TEST(gpus_are_known_by_what_cuda_calls_them)
{
    assert_true(memory_of("NVIDIA H200") == 4.8e12);
    assert_true(memory_of("NVIDIA H200 NVL") == 4.8e12);
    assert_true(memory_of("NVIDIA H100 80GB HBM3") == 3.35e12);
    assert_true(memory_of("NVIDIA H100 NVL") == 3.9e12);
    assert_true(memory_of("NVIDIA H100 PCIe") == 2.04e12);
    assert_true(memory_of("NVIDIA A100-SXM4-40GB") == 1.555e12);
    assert_true(memory_of("NVIDIA A100-SXM4-80GB") == 2.039e12);
    assert_true(memory_of("NVIDIA A100 80GB PCIe") == 1.935e12);
    assert_true(memory_of("Tesla V100-SXM2-16GB") == 0.9e12);
    assert_true(memory_of("Tesla V100S-PCIE-32GB") == 1.134e12);
    assert_true(memory_of("NVIDIA L4") == 0.3e12);
    assert_true(memory_of("Tesla T4") == 0.32e12);
    assert_true(memory_of("NVIDIA L40S") == 0);
    assert_true(memory_of("NVIDIA GeForce RTX 4090") == 0);
    assert_true(memory_of("") == 0);
}

TEST(nvlink_is_half_of_what_data_sheets_give_for_both_directions)
{
    assert_true(cs_datasheet_find("NVIDIA H200")->nvlink_Bps == 450e9);
    assert_true(cs_datasheet_find("NVIDIA H100 NVL")->nvlink_Bps == 300e9);
    assert_true(cs_datasheet_find("NVIDIA A100-SXM4-40GB")->nvlink_Bps == 300e9);
    assert_true(cs_datasheet_find("Tesla V100-SXM2-32GB")->nvlink_Bps == 150e9);
    assert_true(cs_datasheet_find("Tesla V100-PCIE-32GB")->nvlink_Bps == 0);
    assert_true(cs_datasheet_find("NVIDIA L4")->nvlink_Bps == 0);
}

TEST(vectors_are_in_l2_or_far_beyond_it_or_neither)
{
    uint64_t l2 = (uint64_t)60 << 20;

    assert_int_equal(cs_datasheet_place(l2 / 2, l2), CS_DATASHEET_L2);
    assert_int_equal(cs_datasheet_place(l2, l2), CS_DATASHEET_NONE);
    assert_int_equal(cs_datasheet_place(8 * l2, l2), CS_DATASHEET_MEMORY);
}

static const char *judge(enum cs_datasheet_path path, double rate_Bps, bool whole)
{
    struct cs_datasheet_rate rate = {path, rate_Bps, 1.98e9, whole};

    return cs_datasheet_judge(cs_datasheet_find("NVIDIA H200"), &rate).suspect;
}

TEST(rates_beyond_a_limit_or_far_below_it_are_suspect)
{
    struct cs_datasheet_rate rate = {CS_DATASHEET_MEMORY, 1e15, 1e9, true};

    assert_string_equal(judge(CS_DATASHEET_MEMORY, 4.3e12, true), "");
    assert_string_equal(judge(CS_DATASHEET_MEMORY, 5e12, false), "above the limit");
    assert_string_equal(judge(CS_DATASHEET_MEMORY, 1.5e12, true), "below a third of the limit");
    /* Few thread blocks do not fill memory. */
    assert_string_equal(judge(CS_DATASHEET_MEMORY, 1e11, false), "");
    assert_string_equal(judge(CS_DATASHEET_BUS, 55e9, true), "");
    assert_string_equal(judge(CS_DATASHEET_BUS, 13e9, true), "below a third of the limit");
    assert_string_equal(judge(CS_DATASHEET_BUS, 66e9, true), "above the limit");
    assert_string_equal(judge(CS_DATASHEET_L2, 6e12, true), "");
    assert_string_equal(judge(CS_DATASHEET_L2, 11e12, false), "above the limit");
    assert_string_equal(judge(CS_DATASHEET_NONE, 1e15, true), "");
    assert_string_equal(judge(CS_DATASHEET_NVLINK, 400e9, false), "");
    assert_string_equal(judge(CS_DATASHEET_NVLINK, 500e9, false), "above the limit");
    /* An unknown GPU, an L2 without a published rate, a GPU without NVLink. */
    assert_string_equal(cs_datasheet_judge(NULL, &rate).suspect, "");
    rate.path = CS_DATASHEET_NVLINK;
    assert_true(cs_datasheet_judge(cs_datasheet_find("Tesla T4"), &rate).limit_Bps == 0);
    rate.path = CS_DATASHEET_L2;
    assert_true(cs_datasheet_judge(cs_datasheet_find("Tesla T4"), &rate).limit_Bps == 0);
}
