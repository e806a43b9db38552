#include "topo/formats/signature.h"

#include "tests/test.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"

/* What a file of these bytes is called as a machine. */
static void opened(const char *bytes, size_t length, struct cs_err *err)
{
    const char *path = "signature_test.file";
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_topo_request request = {.spec = path};
    struct cs_graph graph;
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    *err = (struct cs_err){0};
    assert_int_equal(cs_topo_open(&request, &graph, &arena, NULL), CS_EINPUT);
    assert_int_equal(cs_topo_open(&request, &graph, &arena, err), CS_EINPUT);
    remove(path);
}

TEST(files_of_other_kinds_are_named)
{
    static const struct {
        const char *text, *what;
    } rows[] = {
        {"SQLite format 3", "an SQLite database"},
        {"<!DOCTYPE html>\n<html></html>", "a web page"},
        {"<graphs version=\"1\"><graph id=\"0\"/></graphs>", "a graph of NCCL"},
        {"<graphs version=\"1\"><graph id=\"0\"/></graphs>",
         "(NCCL_TOPO_DUMP_FILE writes it) and this file by --ring-order graph:signature_test.file"},
        {"# Machines\n\nSome:\n```\nls\n```\n", "a text in Markdown"},
        {"DATA\n1\nconv1\t-1\t13003\tALLREDUCE\t37632\n", "a workload of ASTRA-sim"},
        {"MICRO\n1\nconv1 -1 5 NONE 0 5 NONE 0 5 ALLREDUCE 1048576 5\n", "a workload of ASTRA-sim"},
        {"HYBRID_TRANSFORMER model_parallel_NPU_group: 8 ep: 1\n", "a workload of SimAI"},
        {"ENABLE_QCN 1\nPACKET_PAYLOAD_SIZE 9000\n", "a configuration of ns-3"},
        {"test\nTP:\nallreduce,: 300\n", "bus bandwidths for SimAI"},
        {"Size,1 Node(NVLink),2Node-16GPU\n16777216,0.4,0.5\n", "ratios of bus bandwidths"},
        {"{\"scheduling-policy\": \"LIFO\"}", "a system of ASTRA-sim"},
        {"{\"logical-dims\": [\"4\"]}", "dimensions of ASTRA-sim for ns-3"},
        {"{\"memory-type\": \"NO_MEMORY_EXPANSION\"}", "a remote memory of ASTRA-sim"},
        {"{\"workload_graph\": []}", "an execution trace of Chakra as JSON"},
        {"<!ELEMENT topology (object+)>\n", "a DTD"},
        {"apiVersion: v1\nkind: ConfigMap\n", "a resource of Kubernetes"},
        {"<algo name=\"x\"/>", "--algo msccl:signature_test.file"},
        {"{\"collective\": \"allgather\", \"gpus\": []}", "--algo mscclpp:signature_test.file"},
        {"{\"architectures\": [\"X\"], \"hidden_size\": 8}", "train --model signature_test.file"},
        {"# nThread 1 nGpus 8 minBytes 8\n", "compare --log signature_test.file"},
        {"node1:5:6 [0] NCCL INFO Bootstrap\n", "a log of NCCL_DEBUG"},
        {"num_ranks 2\nrank 0 {\n}\n", "--algo goal:signature_test.file"},
        {"Running version : \"IBDIAGNET 2.9.0\"\n", "ibdiagnet2.db_csv"},
        {"Loading IBDIAGNET from: /usr/lib64/ibdiagnet1.5.7\n", "a log of ibdiagnet"},
        {"-----\nDiscovery\n-I- Discovering ... 5 nodes\n", "a log of ibdiagnet"},
        {"# Fabrics\n\nRead ibdiagnet's tables.\n\n## More\n", "a text in Markdown"},
        {"CA 'mlx5_0'\n\tCA type: MT4129\n", "the output of ibstat"},
        {"hca_id:\tmlx5_0\n", "the output of ibv_devinfo"},
        {"+---+\n| NVIDIA-SMI 550.54 |\n", "the output of nvidia-smi"},
        {"GPU 0: H100\n\t Link 0: 26.562 GB/s\n", "nvidia-smi nvlink"},
        {"00:00.0 Host bridge: Intel\n", "the output of lspci"},
        {"Architecture:   x86_64\nCPU op-mode(s): 64-bit\n", "the output of lscpu"},
        {"Machine (1008GB total)\n  Package L#0\n", "lstopo as text"},
        {"\tNPU0 NPU1\nNPU0 X HCCS\n", "a matrix of npu-smi"},
        {"Nodes 4\nConnections 2\n0->1 size 2\n", "a traffic matrix of htsim"},
        {"Job summary\n===\n\nCommunicators... (0.00s)\n", "the status of NCCL's RAS"},
        {"{\"nccl_version\": \"2.29.1\", \"communicators_count\": 1}", "NCCL's RAS"},
        {"{\"7-Flows\": []}", "--algo teccl:signature_test.file"},
        {"<Algo nchunkspernode=\"1\"/>", "--algo forestcoll:signature_test.file"},
        {"collsim-table 1\n", "--algo text:signature_test.file"},
        {"{\"schema\": \"1\", \"nodes\": []}", "an execution trace of PyTorch"},
        {"digraph {\n a -> b\n}\n", "a drawing of Graphviz"},
        {"topo: dgx\naxes:\n  size: [1KiB]\n", "collsim sweep signature_test.file"},
    };
    struct cs_err err;

    for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
        opened(rows[r].text, strlen(rows[r].text), &err);
        if (!strstr(err.text, rows[r].what) || !strstr(err.text, "not a machine"))
            fail_msg("'%s' in place of '%s'", err.text, rows[r].what);
    }
    opened("SQLite format 3\0\x10", 17, &err);
    assert_non_null(strstr(err.text, "an SQLite database"));
}

/* A machine with a mistake keeps its line, whatever its comments name. */
TEST(errors_of_machines_stay)
{
    static const char text[] = "# by ibdiagnet, with a log of NCCL INFO\ndevices:\n  - nonsense\n";
    struct cs_err err;

    opened(text, strlen(text), &err);
    assert_null(strstr(err.text, "not a machine"));
    assert_non_null(strstr(err.text, "signature_test.file:"));
}
