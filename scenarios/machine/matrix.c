/*
 * topo matrix: the connection of every pair of GPUs and NICs, in the notation of
 * `nvidia-smi topo -m`.
 */
#include "scenarios/machine/topo_word.h"
#include "topo/kinds/relation.h"

struct topo_matrix {
    const uint32_t *devices;
    uint32_t count;
    char (*relation)[CS_RELATION_TEXT];
    const char **row; /* the device and its relations */
    struct cs_sheet_column *columns;
};

static struct cs_sheet_column matrix_column(const char *name, const char *title, uint32_t number)
{
    return (struct cs_sheet_column){
        .name = name,
        .title = title,
        .kind = CS_SHEET_TEXT,
        .member = {.type = CS_MEMBER_TEXT, .at = {number * (uint32_t)sizeof(const char *)}},
    };
}

static struct topo_matrix new_matrix(const struct cs_topo_look *look)
{
    struct topo_matrix matrix = {0};

    matrix.devices = cs_relation_devices(look->graph, look->arena, &matrix.count);
    matrix.relation = cs_arena_alloc(look->arena, matrix.count, sizeof(*matrix.relation));
    matrix.row = cs_arena_alloc(look->arena, (uint64_t)matrix.count + 1, sizeof(*matrix.row));
    matrix.columns =
        cs_arena_alloc(look->arena, (uint64_t)matrix.count + 1, sizeof(*matrix.columns));
    matrix.columns[0] = matrix_column("device", "", 0);
    for (uint32_t i = 0; i < matrix.count; i++) {
        const char *name = look->graph->devices[matrix.devices[i]].name;

        matrix.row[i + 1] = matrix.relation[i];
        matrix.columns[i + 1] = matrix_column(name, name, i + 1);
    }
    return matrix;
}

static int topo_matrix_run(const struct cs_topo_look *look, struct cs_err *err)
{
    struct topo_matrix matrix = new_matrix(look);
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    if (matrix.count > CS_RELATION_DEVICES_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%u GPUs and NICs; a matrix shows at most %d: select the first ranks "
                          "with --ranks, or one node",
                          matrix.count, CS_RELATION_DEVICES_MAX);
    cs_sheet_begin(&sheet, "devices", matrix.columns, (size_t)matrix.count + 1);
    for (uint32_t i = 0; i < matrix.count; i++) {
        matrix.row[0] = look->graph->devices[matrix.devices[i]].name;
        cs_relation_row(look->graph, matrix.devices[i], matrix.devices, matrix.count,
                        matrix.relation);
        cs_sheet_row(&sheet, matrix.row);
    }
    cs_cli_sheet(look->cli, &sheet, look->format);
    if (look->format == CS_FORMAT_TEXT)
        fputs("\nNV# number of NVLinks; XGMI, HCCS links of AMD, Huawei; PIX one PCIe switch;\nPXB "
              "several; PHB a CPU; NODE within a NUMA node; SYS two sockets; NET a network\n",
              look->cli->out);
    return 0;
}

const struct cs_topo_view cs_topo_word_matrix = {
    .name = "matrix",
    .about = "links between all pairs, as nvidia-smi topo -m",
    .has_sheet = true,
    .run = topo_matrix_run,
};
