/*
 * topo dot, topo svg: pictures of the machine.
 */
#include "reports/results/endings.h"
#include "scenarios/machine/topo_word.h"

static int topo_picture_draw(const struct cs_topo_look *look, const char *format,
                             struct cs_err *err)
{
    const struct cs_writer *writer;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    CS_AT_END(cs_text_free) struct cs_text notes = {0};
    int code = cs_writer_find(format, &writer, err);

    if (!code)
        code = cs_endings_check("--out", look->out, format, err);
    if (!code)
        code = writer->write(look->graph, &text, &notes, err);
    if (!code)
        code = cs_cli_write(look->cli, look->out, &text, err);
    return code;
}

static int run_dot(const struct cs_topo_look *look, struct cs_err *err)
{
    return topo_picture_draw(look, "dot", err);
}

static int run_svg(const struct cs_topo_look *look, struct cs_err *err)
{
    return topo_picture_draw(look, "svg", err);
}

const struct cs_topo_view cs_topo_word_dot = {
    .name = "dot",
    .about = "a picture for Graphviz",
    .has_out = true,
    .run = run_dot,
};

const struct cs_topo_view cs_topo_word_svg = {
    .name = "svg",
    .about = "a picture for slides",
    .has_out = true,
    .run = run_svg,
};
