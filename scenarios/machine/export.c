/*
 * topo export: the machine in a format of collsim, NCCL or SimGrid.
 */
#include "reports/results/endings.h"
#include "scenarios/machine/topo_word.h"
#include "topo/formats/read_back.h"

int cs_topo_export(const struct cs_topo_look *look, struct cs_err *err)
{
    const struct cs_writer *writer = look->writer ? look->writer : cs_writers[0];
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    int code = cs_endings_check("--out", look->out, writer->name, err);

    if (!code)
        code = cs_read_back_write(writer, look->graph, &text, &notes, err);
    if (!code) {
        cs_cli_note(look->cli, &notes);
        code = cs_cli_write(look->cli, look->out, &text, err);
    }
    return code;
}

const struct cs_topo_view cs_topo_word_export = {
    .name = "export",
    .about = "as YAML, for NCCL or SimGrid",
    .has_out = true,
    .run = cs_topo_export,
};
