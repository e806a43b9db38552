#include "tests/unit/topo/machine.h"
#include "topo/kinds/gpu_kind.h"

static const struct cs_topo_request any = {.spec = "m"};

/* GPU0 and GPU1 are neighbours, GPU2 is two hops away and over PCIe. */
#define THREE                                  \
    "===== Hops between two GPUs =====\n"      \
    "       GPU0  GPU1  GPU2\n"                \
    "GPU0   0     1     2\n"                   \
    "GPU1   1     0     2\n"                   \
    "GPU2   2     2     0\n\n"                 \
    "===== Link Type between two GPUs =====\n" \
    "       GPU0  GPU1  GPU2\n"                \
    "GPU0   0     XGMI  XGMI\n"                \
    "GPU1   XGMI  0     PCIE\n"                \
    "GPU2   XGMI  PCIE  0\n\n"                 \
    "===== Numa Nodes =====\n"                 \
    "GPU[0]\t\t: (Topology) Numa Node: 0\n"    \
    "GPU[1]\t\t: (Topology) Numa Node: 0\n"    \
    "GPU[2]\t\t: (Topology) Numa Node: 1\n"

MACHINE_TEST(xgmi_of_one_hop_is_a_wire_and_the_rest_is_pcie)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "MI250X"}, THREE);
    machine_route(m, 0, 1, 36, 1);
    machine_route(m, 0, 2, 16, 3);
    assert_int_equal(machine_notes(m, "guessed"), 0);
    assert_int_equal(machine_notes(m, "one is assumed"), 1);
}

MACHINE_TEST(without_a_name_the_gpu_is_guessed)
{
    machine_open(m, any, THREE);
    assert_int_equal(machine_notes(m, "guessed mi250x from 1 xGMI peers"), 1);
}

/* Two pairs of dies; PCIe between the pairs is heavier across sockets. */
#define AMD_IDS              "             0000:0c:00.0 0000:22:00.0 0000:38:00.0\n"
#define AMD_ROW(id, a, b, c) id " " a "         " b "         " c "\n"
#define AMD_TABLE(title, own, near, far)                       \
    title "\n" AMD_IDS AMD_ROW("0000:0c:00.0", own, near, far) \
        AMD_ROW("0000:22:00.0", near, own, far) AMD_ROW("0000:38:00.0", far, far, own)

MACHINE_TEST(amd_smi_has_tables_of_bus_ids)
{
    static const char text[] = AMD_TABLE("ACCESS TABLE:", "ENABLED", "ENABLED", "ENABLED")
        AMD_TABLE("WEIGHT TABLE:", "0", "15", "72") AMD_TABLE("HOPS TABLE:", "0", "1", "3")
            AMD_TABLE("LINK TYPE TABLE:", "SELF", "XGMI", "PCIE") AMD_TABLE(
                "NUMA BW TABLE:", "N/A", "50000-200000", "N/A") "\nLegend:\n SELF = Current GPU\n";

    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "mi250x"}, text);
    assert_int_equal(m->graph.rank_count, 3);
    machine_route(m, 0, 1, 4 * 36, 1);
    assert_int_equal(machine_notes(m, "one is assumed"), 0);
    assert_string_equal(m->graph.about, "from the output of amd-smi");
    machine_open(m, any, text);
    assert_int_equal(machine_notes(m, "from 4 xGMI links"), 1);
}

MACHINE_TEST(cpus_follow_from_the_weights_of_pcie)
{
    machine_open(m, any,
                 AMD_TABLE("WEIGHT TABLE:", "0", "40", "72")
                     AMD_TABLE("LINK TYPE TABLE:", "SELF", "PCIE", "PCIE"));
    machine_route(m, 0, 1, 24, 2);
    machine_route(m, 0, 2, 16, 3);
    assert_int_equal(machine_notes(m, "follow from the weights"), 1);
    machine_open(m, any,
                 AMD_TABLE("WEIGHT TABLE:", "0", "15", "15")
                     AMD_TABLE("LINK TYPE TABLE:", "SELF", "XGMI", "XGMI"));
    assert_int_equal(machine_notes(m, "the CPUs of the GPUs are unknown"), 1);
}

#define LINK(type, hops, rate) \
    "{\"link_type\": \"" type "\", \"num_hops\": " hops ", \"bandwidth\": \"" rate "\"}"
#define GPU(a, b) "{\"bdf\": \"0000:0c:00.0\", \"links\": [" a ", " b "]}"

#define TO(gpu, weight, type, hops, rate)                                                     \
    "            {\n                \"gpu\": " gpu ",\n                \"bdf\": \"0000:0" gpu \
    ":00.0\",\n                \"weight\": " weight ",\n                \"link_status\": "    \
    "\"ENABLED\",\n                \"link_type\": \"" type                                    \
    "\",\n                \"num_hops\": " hops ",\n                \"bandwidth\": \"" rate    \
    "\"\n            }"
#define FROM(gpu, a, b, c)                                            \
    "    {\n        \"gpu\": " gpu ",\n        \"bdf\": \"0000:0" gpu \
    ":00.0\",\n        \"links\": [\n" a ",\n" b ",\n" c "\n        ]\n    }"

/* As ROCm 6.2 and later print it (ROCm/amdsmi, CHANGELOG.md). */
MACHINE_TEST(links_of_amd_smi_lead_to_the_gpu_that_they_name)
{
    machine_open(
        m, (struct cs_topo_request){.spec = "m", .gpu = "mi250x"},
        "[\n" FROM(
            "0", TO("0", "0", "SELF", "0", "N/A"), TO("2", "15", "XGMI", "1", "50000-100000"),
            TO("1", "40", "PCIE", "2",
               "N/A")) ",\n" FROM("1", TO("1", "0", "SELF", "0", "N/A"),
                                  TO("0", "40", "PCIE", "2", "N/A"),
                                  TO("2", "0", "N/A", "0",
                                     "N/A")) ",\n" FROM("2",
                                                        TO("0", "15", "XGMI", "1", "50000-100000"),
                                                        TO("1", "0", "N/A", "0", "N/A"),
                                                        TO("2", "0", "SELF", "0", "N/A")) "\n]\n");
    machine_route(m, 0, 2, 2 * 36, 1);
    machine_route(m, 0, 1, 24, 2);
}

MACHINE_TEST(amd_smi_has_json_of_the_same)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "mi250x"},
                 "[" GPU(LINK("SELF", "0", "N/A"), LINK("XGMI", "1", "50000-200000")) ",\n" GPU(
                     LINK("XGMI", "1", "50000-200000"), LINK("SELF", "0", "N/A")) "]");
    machine_route(m, 0, 1, 4 * 36, 1);
    machine_refused("[" GPU(LINK("SELF", "0", "N/A"), LINK("TIN", "1", "0")) ",\n" GPU(
                        LINK("XGMI", "1", "0"), LINK("SELF", "0", "0")) "]",
                    "m:1: cell 'TIN' in row 0000:0c:00.0; expected XGMI or PCIE");
    machine_refused("[{\"link_type\": 1, \"links\": []}]",
                    "m:1: 0 links; expected one to each of 1 GPUs");
}

MACHINE_TEST(without_xgmi_no_model_is_guessed)
{
    machine_open(m, any,
                 "=== Link Type between two GPUs ===\n GPU0\nGPU0 0\n=== Numa ===\n"
                 "GPU[0] : (Topology) Numa Node: 0\n");
    assert_int_equal(machine_notes(m, "guessed pcie4 x16, because no GPUs have xGMI"), 1);
}

MACHINE_TEST(wrong_words_are_reported_by_line)
{
    machine_refused("Link Type between two GPUs\n\n GPU0 GPU1\nGPU0 0 TIN\n",
                    "m:4: cell 'TIN' in row GPU0; expected XGMI or PCIE");
    assert_int_equal(machine_try(m, (struct cs_topo_request){.spec = "m", .gpu = "a100"}, THREE),
                     CS_EINPUT);
    assert_string_equal(m->err.text, "m:8: --gpu a100; this matrix has GPUs with 1 xGMI peers");
}

MACHINE_TEST(a_named_model_is_kept_and_a_guess_is_not)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "mi250x"}, THREE);
    assert_string_equal(m->graph.devices[0].model->name, "mi250x");
    machine_open(m, any, THREE);
    assert_null(m->graph.devices[0].model);
}
