/* Diagrams: classes of use, names that fit, and a frame. */
#include "reports/document/chart.h"

#include "tests/test.h"

static const char *const gpus[] = {"gpu<0>", "gpu1", "gpu2", "gpu3"};
static const char *const switches[] = {"switch0"};
static const struct cs_diagram_link links[] = {
    {0, 0, 1, 0, 0.001}, {0, 0, 1, 1, 0.3}, {0, 0, 1, 2, 0.6}, {0, 0, 1, 3, 2}, {1, 0, 1, 3, 0.1}};

static void draw(uint32_t width, struct cs_text *out)
{
    struct cs_diagram diagram = {
        .caption = "a & b",
        .frame = "node 1 of 2",
        .rows = {{"switches", switches, 1, false}, {"GPUs", gpus, 4, true}},
        .row_count = 2,
        .links = links,
        .link_count = 5};

    cs_diagram_svg(&diagram, "here", width, out);
}

TEXT_TEST(links_have_the_class_of_their_use)
{
    draw(760, out);
    for (int use = 0; use < 5; ++use) {
        char look[32];

        snprintf(look, sizeof(look), "class=\"u u%d\"", use);
        assert_non_null(strstr(out->data, look));
    }
    /* The link inside a row is an arc. */
    assert_non_null(strstr(out->data, "Q"));
    assert_non_null(strstr(out->data, "class=\"w\""));
    assert_non_null(strstr(out->data, "a &amp; b"));
    assert_non_null(strstr(out->data, "gpu&lt;0&gt;"));
}

TEXT_TEST(narrow_boxes_show_numbers)
{
    draw(120, out);
    assert_non_null(strstr(out->data, ">3</text>"));
    assert_null(strstr(out->data, "gpu3"));
    assert_non_null(strstr(out->data, "switch0"));
}

TEXT_TEST(no_links_are_a_picture_all_the_same)
{
    struct cs_diagram diagram = {.caption = "none", .frame = "none"};

    cs_diagram_svg(&diagram, "here", 300, out);
    assert_non_null(strstr(out->data, "</svg>"));
    assert_null(strstr(out->data, "nan"));
}
