#include "topo/kinds/gpu_kind.h"

#include "tests/test.h"
#include "topo/kinds/link_kind.h"

TEST(every_kind_has_links_that_there_are)
{
    for (size_t i = 0; i < cs_gpu_kind_count; i++) {
        const struct cs_gpu_kind *kind = &cs_gpu_kinds[i];
        struct cs_wire wire = {0};

        assert_int_equal(cs_link_kind_find(kind->pcie, &wire, NULL), 0);
        assert_int_equal(*kind->link != '\0', kind->links > 0);
        assert_true(!*kind->link || cs_link_kind_get(kind->link));
        assert_true(strlen(kind->source) > 0);
    }
}

TEST(a_kind_is_found_by_its_name_in_any_case)
{
    const struct cs_gpu_kind *kind = NULL;

    assert_done(cs_gpu_kind_find("MI300X", &kind, &err));
    assert_string_equal(kind->name, "mi300x");
    assert_refused(cs_gpu_kind_find("a10000", &kind, &err), CS_EINPUT,
                   "no GPU called 'a10000'; did you mean 'a100'?");
}

TEST(a_guess_is_the_first_with_as_many_links)
{
    assert_string_equal(cs_gpu_kind_guess("NV", 18)->name, "h100");
    assert_string_equal(cs_gpu_kind_guess("NV", 4)->name, "rtx3090");
    assert_string_equal(cs_gpu_kind_guess("XGMI", 7)->name, "mi300x");
    assert_null(cs_gpu_kind_guess("NV", 5));
}

/* Compute capabilities and gfx numbers as the makers publish. */
TEST(a_generation_has_its_first_kind_with_the_links)
{
    assert_string_equal(cs_gpu_kind_of_generation(CS_GPU_NVIDIA, 90, 18)->name, "h100");
    assert_string_equal(cs_gpu_kind_of_generation(CS_GPU_NVIDIA, 90, 8)->name, "h800");
    assert_string_equal(cs_gpu_kind_of_generation(CS_GPU_NVIDIA, 80, 3)->name, "a100");
    assert_string_equal(cs_gpu_kind_of_generation(CS_GPU_AMD, 910, 8)->name, "mi250x");
    assert_string_equal(cs_gpu_kind_of_pci(0x10de, 0x2330)->name, "h100");
    assert_null(cs_gpu_kind_of_pci(0x1002, 0x2330));
    assert_null(cs_gpu_kind_of_generation(CS_GPU_NVIDIA, 300, 18));
    assert_string_equal(cs_gpu_kind_of_link("nvlink4")->name, "h100");
    assert_null(cs_gpu_kind_of_link("pcie4"));
}

TEST(every_kind_of_nvidia_and_amd_has_a_generation)
{
    for (size_t i = 0; i < cs_gpu_kind_count; i++)
        assert_int_equal(cs_gpu_kinds[i].maker != CS_GPU_OTHER, cs_gpu_kinds[i].generation > 0);
}
