/*
 * topo svg: a picture of the machine.
 */
#include "reports/results/endings.h"
#include "scenarios/machine/topo_word.h"

static int topo_svg_run(const struct cs_topo_look *look, struct cs_err *err)
{
    const struct cs_writer *writer;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    int code = cs_writer_find("svg", &writer, err);

    if (!code)
        code = cs_endings_check("--out", look->out, "svg", err);
    if (!code)
        code = writer->write(look->graph, &text, &notes, err);
    if (!code)
        code = cs_cli_write(look->cli, look->out, &text, err);
    return code;
}

const struct cs_topo_view cs_topo_word_svg = {
    .name = "svg",
    .about = "a picture for slides",
    .has_out = true,
    .run = topo_svg_run,
};
