#include "tests/unit/topo/machine.h"

#include "topo/kinds/gpu_kind.h"

#include "sim/base/text.h"

static const struct cs_topo_request any = {.spec = "m"};

/* The hybrid cube mesh of NVIDIA's DGX-1 with V100. */
#define CUBE_MESH                                                      \
    "\tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tGPU5\tGPU6\tGPU7\tCPU Affinity\n" \
    "GPU0\t X \tNV1\tNV1\tNV2\tNV2\tSYS\tSYS\tSYS\t0-19\n"             \
    "GPU1\tNV1\t X \tNV2\tNV1\tSYS\tNV2\tSYS\tSYS\t0-19\n"             \
    "GPU2\tNV1\tNV2\t X \tNV2\tSYS\tSYS\tNV1\tSYS\t0-19\n"             \
    "GPU3\tNV2\tNV1\tNV2\t X \tSYS\tSYS\tSYS\tNV1\t0-19\n"             \
    "GPU4\tNV2\tSYS\tSYS\tSYS\t X \tNV1\tNV1\tNV2\t20-39\n"            \
    "GPU5\tSYS\tNV2\tSYS\tSYS\tNV1\t X \tNV2\tNV1\t20-39\n"            \
    "GPU6\tSYS\tSYS\tNV1\tSYS\tNV1\tNV2\t X \tNV2\t20-39\n"            \
    "GPU7\tSYS\tSYS\tSYS\tNV1\tNV2\tNV1\tNV2\t X \t20-39\n"

/* The next GPU on wires of that class, coming from `back`; `here` has two such
 * wires. */
static uint32_t step(const struct cs_graph *graph, const char *class, uint32_t here, uint32_t back)
{
    uint32_t next = UINT32_MAX;
    uint32_t wires = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t other = wire->a == here ? wire->b : wire->a;

        if (!cs_same(wire->class_name, class) || (wire->a != here && wire->b != here))
            continue;
        wires++;
        if (other != back)
            next = other;
    }
    assert_int_equal(wires, 2);
    return next;
}

static uint32_t cycle_length(const struct cs_graph *graph, const char *class)
{
    uint32_t back = UINT32_MAX;
    uint32_t here = 0;
    uint32_t length = 0;

    do {
        uint32_t next = step(graph, class, here, back);

        back = here;
        here = next;
        length++;
    } while (here != 0 && length < 100);
    return length;
}

MACHINE_TEST(the_cube_mesh_is_two_cycles_that_share_no_wire)
{
    machine_open(m, any, CUBE_MESH);
    assert_int_equal(cycle_length(&m->graph, "nvlink2 x2"), 8);
    assert_int_equal(cycle_length(&m->graph, "nvlink2 x1"), 8);
    machine_route(m, 0, 3, 40, 1);
    machine_route(m, 0, 7, 10, 5);
    assert_int_equal(machine_notes(m, "guessed v100 with nvlink2 and pcie3 x16 from 6 NVLinks"), 1);
}

#define IDENTICAL(link)                      \
    "      GPU0  GPU1  GPU2  CPU Affinity\n" \
    "GPU0   X    " link "  " link "  0-1\n"  \
    "GPU1  " link "   X    " link "  0-1\n"  \
    "GPU2  " link "  " link "   X    0-1\n"

MACHINE_TEST(equal_links_to_all_are_a_switch_if_there_are_as_many_as_the_gpu_has)
{
    machine_open(m, any, IDENTICAL("NV12"));
    machine_route(m, 0, 2, 240, 2);
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "H800"}, IDENTICAL("NV8"));
    machine_route(m, 0, 2, 8 * 20.6, 2);
    assert_int_equal(m->graph.note_count, 0);
}

MACHINE_TEST(equal_links_to_all_are_a_mesh_if_the_gpu_has_more)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "a100"}, IDENTICAL("NV4"));
    machine_route(m, 0, 2, 80, 1);
}

/* PIX, PXB, PHB, NODE and SYS from GPU0 on; NIC1 separates GPU5 from the rest. */
#define LADDER                                                \
    "     GPU0 GPU1 GPU2 GPU3 GPU4 GPU5 NIC0  CPU Affinity\n" \
    "GPU0  X   PIX  PXB  PHB  NODE SYS  PIX   0-9\n"          \
    "GPU1 PIX   X   PXB  PHB  NODE SYS  PIX   0-9\n"          \
    "GPU2 PXB  PXB   X   PHB  NODE SYS  PXB   0-9\n"          \
    "GPU3 PHB  PHB  PHB   X   NODE SYS  PHB   0-9\n"          \
    "GPU4 NODE NODE NODE NODE  X   SYS  NODE  0-9\n"          \
    "GPU5 SYS  SYS  SYS  SYS  SYS   X   SYS   10-19\n"        \
    "NIC0 PIX  PIX  PXB  PHB  NODE SYS   X\n"

MACHINE_TEST(every_cell_is_a_route_of_its_own_length)
{
    machine_open(m, any, LADDER);
    assert_int_equal(m->graph.rank_count, 6);
    machine_route(m, 0, 1, 24, 2); /* one switch */
    machine_route(m, 0, 2, 24, 4); /* three */
    machine_route(m, 0, 3, 24, 4); /* two and the host bridge */
    machine_route(m, 0, 4, 24, 6); /* two host bridges and the CPU */
    machine_route(m, 0, 5, 10, 6); /* two CPUs */
    assert_int_equal(machine_notes(m, "because the matrix has no NVLink"), 1);
}

static uint32_t count_kind(const struct machine *m, enum cs_device_kind kind)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < m->graph.device_count; d++)
        count += m->graph.devices[d].kind == kind;
    return count;
}

MACHINE_TEST(host_bridges_are_no_cpus)
{
    machine_open(m, any, LADDER);
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
    assert_int_equal(m->graph.agent_slots, 2);
}

/* Eight GPUs on a switch; the third has lost its links. */
MACHINE_TEST(a_gpu_without_nvlinks_leaves_the_switch_of_the_others)
{
    machine_open(m, any,
                 "     GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity\n"
                 "GPU0  X   NV18 NODE NV18 0-9  0\n"
                 "GPU1 NV18  X   NODE NV18 0-9  0\n"
                 "GPU2 NODE NODE  X   SYS  0-9  0\n"
                 "GPU3 NV18 NV18 SYS   X   10-19 1\n");
    machine_route(m, 0, 3, 18 * 20.6, 2);
    assert_int_equal(machine_notes(m, "guessed h100"), 1);
    assert_int_equal(
        machine_notes(m, "GPU2 has no NVLinks, other GPUs have 18: PCIe carries all its traffic"),
        1);
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
    machine_route(m, 2, 0, 48, 4);
}

MACHINE_TEST(a_gpu_with_fewer_links_keeps_those_to_the_switch)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "h100"},
                 "     GPU0 GPU1 GPU2 GPU3 CPU Affinity\n"
                 "GPU0  X   NV18 NV16 NV18 0-9\n"
                 "GPU1 NV18  X   NV16 NV18 0-9\n"
                 "GPU2 NV16 NV16  X   NV16 0-9\n"
                 "GPU3 NV18 NV18 NV16  X   0-9\n");
    machine_route(m, 0, 3, 18 * 20.6, 2);
    machine_route(m, 0, 2, 16 * 20.6, 2);
    assert_int_equal(machine_notes(m, "GPU2 has 16 NVLinks, other GPUs 18"), 1);
}

/* 3 x 6 links are the 18 of an H100, so that no switch is needed; 6 are those
 * of a V100. */
#define SIX                                   \
    "     GPU0 GPU1 GPU2 GPU3 CPU Affinity\n" \
    "GPU0  X   NV6  NV6  NV6  0-9\n"          \
    "GPU1 NV6   X   NV6  NV6  0-9\n"          \
    "GPU2 NV6  NV6   X   NV6  0-9\n"          \
    "GPU3 NV6  NV6  NV6   X   0-9\n"

MACHINE_TEST(equal_links_are_direct_where_the_gpu_has_their_sum)
{
    machine_open(m, any, SIX);
    machine_route(m, 0, 3, 6 * 20.6, 1);
    assert_int_equal(machine_notes(m, "guessed h100"), 1);
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "v100"}, SIX);
    machine_route(m, 0, 3, 6 * 20, 2);
}

MACHINE_TEST(two_sets_of_gpus_have_a_switch_each)
{
    machine_open(m, any,
                 "     GPU0 GPU1 GPU2 GPU3 GPU4 GPU5 CPU Affinity\n"
                 "GPU0  X   NV12 NV12 SYS  SYS  SYS  0-9\n"
                 "GPU1 NV12  X   NV12 SYS  SYS  SYS  0-9\n"
                 "GPU2 NV12 NV12  X   SYS  SYS  SYS  0-9\n"
                 "GPU3 SYS  SYS  SYS   X   NV12 NV12 10-19\n"
                 "GPU4 SYS  SYS  SYS  NV12  X   NV12 10-19\n"
                 "GPU5 SYS  SYS  SYS  NV12 NV12  X   10-19\n");
    machine_route(m, 3, 5, 240, 2);
    machine_route(m, 0, 5, 10, 5);
    assert_int_not_equal(cs_graph_find(&m->graph, "nvswitch1"), UINT32_MAX);
}

/* Two of a container's or a board's faults: all cells SYS. */
MACHINE_TEST(gpus_of_one_numa_node_share_a_cpu)
{
    machine_open(m, any,
                 "     GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity GPU NUMA ID\n"
                 "GPU0  X   SYS  SYS  SYS  0-9   0  N/A\n"
                 "GPU1 SYS   X   SYS  SYS  0-9   0  N/A\n"
                 "GPU2 SYS  SYS   X   SYS  10-19 1  N/A\n"
                 "GPU3 SYS  SYS  SYS   X   10-19 1  N/A\n");
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
    machine_route(m, 0, 1, 24, 4);
    machine_route(m, 0, 2, 10, 5);
}

/* Without NUMA nodes all GPUs have all CPUs; SYS between pairs is then two
 * sockets. */
MACHINE_TEST(sys_between_pairs_outweighs_one_affinity)
{
    machine_open(m, any,
                 "     GPU0 GPU1 GPU2 GPU3 CPU Affinity\n"
                 "GPU0  X   PIX  SYS  SYS  0-19\n"
                 "GPU1 PIX   X   SYS  SYS  0-19\n"
                 "GPU2 SYS  SYS   X   PIX  0-19\n"
                 "GPU3 SYS  SYS  PIX   X   0-19\n");
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
}

MACHINE_TEST(nics_do_not_become_sockets)
{
    machine_open(m, any,
                 "     GPU0 GPU1 NIC0 NIC1 CPU Affinity\n"
                 "GPU0  X   SYS  SYS  SYS  0-9\n"
                 "GPU1 SYS   X   SYS  SYS  10-19\n"
                 "NIC0 SYS  SYS   X   SYS\n"
                 "NIC1 SYS  SYS  SYS   X\n");
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
    assert_int_equal(machine_notes(m, "2 groups of NICs are SYS to all GPUs; a place below the "
                                      "CPUs of GPUs, in order, is assumed"),
                     1);
    machine_open(m, any,
                 "     GPU0 NIC0 NIC1 CPU Affinity\n"
                 "GPU0  X   SYS  SYS  0-9\n"
                 "NIC0 SYS   X   SYS\n"
                 "NIC1 SYS  SYS   X\n");
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
    assert_int_equal(machine_notes(m, "one more CPU is assumed"), 1);
}

/* A matrix that is cut: GPU3 is SYS to the first NUMA node. */
MACHINE_TEST(a_cut_row_is_placed_where_nothing_is_against)
{
    machine_open(m, any,
                 "     GPU0 GPU1 GPU2 GPU3 CPU Affinity\n"
                 "GPU0  X   NODE SYS  SYS  0-9\n"
                 "GPU1 NODE  X   SYS  SYS  0-9\n"
                 "GPU2 SYS  SYS   X\n");
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 3);
    machine_open(m, any,
                 "     GPU0 GPU1 GPU2 GPU3 CPU Affinity\n"
                 "GPU0  X   NODE SYS  SYS  0-9\n"
                 "GPU1 NODE  X   SYS  SYS  0-9\n"
                 "GPU2 SYS  SYS   X   NV4  10-19\n");
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
    assert_int_equal(machine_notes(m, "NUMA nodes of 1 GPUs are missing"), 1);
}

MACHINE_TEST(of_two_directions_the_one_with_fewer_links_counts)
{
    machine_open(m, any,
                 "     GPU0 GPU1 CPU Affinity\n"
                 "GPU0  X   NV4 0-9\n"
                 "GPU1 NV2   X  0-9\n");
    machine_route(m, 0, 1, 40, 1); /* guessed as RTX 2080 Ti */
    assert_int_equal(
        machine_notes(m, "row GPU0 has NV4 for GPU1, and row GPU1 has NV2; the smaller is used"),
        1);
    machine_open(m, any,
                 "     GPU0 GPU1 CPU Affinity\n"
                 "GPU0  X   NV4 0-9\n"
                 "GPU1 PHB   X  0-9\n");
    machine_route(m, 0, 1, 24, 2);
}

MACHINE_TEST(grace_is_known_by_the_numa_nodes_of_its_gpus)
{
    machine_open(m, any,
                 "     GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity GPU NUMA ID\n"
                 "GPU0  X   NV18 NV18 0-71   0,3-9 2\n"
                 "GPU1 NV18  X   NV18 0-71   0,3-9 10\n"
                 "GPU2 NV18 NV18  X   72-143 1,19-25 18\n");
    assert_int_equal(machine_notes(m, "guessed gb200"), 1);
    assert_int_equal(machine_notes(m, "joined to Grace CPUs"), 1);
    assert_int_equal(m->graph.devices[cs_graph_find(&m->graph, "cpu1")].vendor, CS_CPU_ARM);
    assert_string_equal(m->graph.wires[m->graph.wire_count - 1].class_name, "nvlink-c2c");
    assert_int_equal(count_kind(m, CS_DEVICE_CPU), 2);
}

MACHINE_TEST(tables_of_markdown_may_name_the_first_column)
{
    machine_open(m, any,
                 "> | Device | **GPU0** | **GPU1** | CPU Affinity |\n"
                 "> |:-------|:--------:|:--------:|:-------------|\n"
                 "> | **GPU0** | X | NV4 | 0-9 |\n"
                 "> | **GPU1** | `NV4` | X | 0-9 |\n");
    machine_route(m, 0, 1, 48, 1);
}

MACHINE_TEST(markdown_escapes_and_carriage_returns_do_not_matter)
{
    machine_open(m, any,
                 "```\r\n$ nvidia-smi topo -m\r\n"
                 "|      | \033[4mGPU0 | GPU1 | CPU Affinity\033[0m |\r\n"
                 "|------|------|------|---|\r\n"
                 "| GPU0 |  X   | NV4  | 0 |\r\n"
                 "| GPU1 | NV4  |  X   | 0 |\r\n\r\nLegend:\r\n");
    machine_route(m, 0, 1, 48, 1);
}

MACHINE_TEST(missing_cells_follow_from_the_mirrored_cell_or_the_other_pairs)
{
    machine_open(m, any,
                 "GPU0 GPU1 GPU2 GPU3 NIC0 CPU Affinity\n"
                 "GPU0 X NV18 NV18 NV18 PIX 0\n"
                 "GPU1 NV18 X NV18\n");
    machine_route(m, 2, 3, 18 * 20.6, 2);
    assert_int_equal(
        machine_notes(m, "5 pairs are missing: NV18 between GPUs, otherwise SYS assumed"), 1);
}

MACHINE_TEST(one_gpu_is_a_machine)
{
    machine_open(m, any, "\tGPU0\tCPU Affinity\nGPU0\t X \t0-31\n");
    assert_int_equal(m->graph.rank_count, 1);
}

MACHINE_TEST(wrong_matrices_are_reported_by_line)
{
    machine_refused(
        "GPU0 GPU1 CPU\nGPU0 X NVX\nGPU1 NV1 X\n",
        "m:2: cell 'NVX' in row GPU0; expected X, NV1 to NV18, PIX, PXB, PHB, NODE or SYS");
    machine_refused("GPU0 GPU1\nGPU0 X OK\nGPU1 OK X\n",
                    "m:2: cell 'OK' in row GPU0; expected X, NV1 to NV18, PIX, PXB, PHB, NODE or "
                    "SYS ('topo -p2p' prints no links; use 'topo -m')");
    machine_refused("GPU0 GPU1\nGPU0 X PIX\nGPU1 SYS X\n",
                    "m:3: row GPU1 has SYS for GPU0, but line 2 has PIX");
    machine_refused(
        "GPU0 GPU1\nGPU0 X X\n",
        "m:2: cell 'X' in row GPU0; expected X, NV1 to NV18, PIX, PXB, PHB, NODE or SYS");
    machine_refused("GPU0 GPU1\nGPU0 X PIX\nGPU0 X PIX\n",
                    "m:3: row 'GPU0' is a duplicate of line 2");
    machine_refused("GPU0 GPU1\nGPU7 X PIX\n",
                    "m:2: row 'GPU7' has no column; the header in line 1 has 2 columns");
    machine_refused("GPU0 GPU0\n", "m:1: column 'GPU0' is a duplicate");
    assert_int_equal(
        machine_try(m, (struct cs_topo_request){.spec = "m", .gpu = "v100"}, IDENTICAL("NV12")),
        CS_EINPUT);
    assert_string_equal(m->err.text, "m:1: --gpu v100 has 6 NVLinks; a GPU of this matrix has 12");
    assert_int_equal(
        machine_try(m, (struct cs_topo_request){.spec = "m", .gpu = "h10"}, IDENTICAL("NV12")),
        CS_EINPUT);
    assert_string_equal(m->err.text, "no GPU called 'h10'; did you mean 'h100'?");
    assert_int_equal(
        machine_try(m, (struct cs_topo_request){.spec = "nvidia-smi:m"}, "no such thing"),
        CS_EINPUT);
    assert_string_equal(m->err.text, "m: no matrix; expected a line 'GPU0 GPU1 ...'");
}

MACHINE_TEST(a_named_model_is_kept_and_a_guess_is_not)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "v100"}, CUBE_MESH);
    assert_string_equal(m->graph.devices[7].model->name, "v100");
    machine_open(m, any, CUBE_MESH);
    assert_null(m->graph.devices[7].model);
}

MACHINE_TEST(affinities_may_stand_before_the_columns)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "h100"},
                 "| | CPU Affinity | NUMA Affinity | GPU0 | GPU1 | mlx5_0 |\n|--|--|--|--|--|--|\n"
                 "| GPU0 | 0-9 | 0 | X | NV18 | PIX |\n| GPU1 | 10-19 | 1 | NV18 | X | SYS |\n"
                 "| mlx5_0 | | | PIX | SYS | X |\n");
    assert_int_equal(m->graph.rank_count, 2);
    assert_int_equal(m->graph.devices[3].kind, CS_DEVICE_CPU);
    assert_int_equal(m->graph.devices[4].kind, CS_DEVICE_CPU); /* one for each affinity */
}

MACHINE_TEST(gb10_is_joined_to_its_cpu_and_adapters_have_four_lanes)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "gb10"},
                 "\tGPU0\tNIC0\tCPU Affinity\nGPU0\t X \tNODE\t0-19\nNIC0\tNODE\t X \n");
    for (uint32_t w = 0; w < m->graph.wire_count; w++)
        assert_string_equal(m->graph.wires[w].class_name,
                            m->graph.wires[w].a == 0 ? "nvlink-c2c" : "pcie5 x4");
}
