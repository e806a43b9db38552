/*
 * topo svg: a picture of the machine.
 */
#include "scenarios/machine/topo_word.h"

static int topo_svg_run(const struct cs_topo_look *look, struct cs_err *err)
{
    struct cs_topo_look drawn = *look;
    int code = cs_writer_find("svg", &drawn.writer, err);

    return code ? code : cs_topo_export(&drawn, err);
}

const struct cs_topo_view cs_topo_word_svg = {
    .name = "svg",
    .about = "a picture for slides",
    .has_out = true,
    .run = topo_svg_run,
};
