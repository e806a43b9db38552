/* The diagram of a plan's machine: all of a node, its links, and the bytes of a call. */
#include "scenarios/plan/report/report.h"

#include "tests/fixture.h"
#include "tests/planned.h"
#include "tests/unit/scenarios/plan/report/shown.h"

struct drawn {
    struct planned planned;
    struct cs_document document;
    const struct cs_diagram *diagram;
    const struct cs_document_table *kinds;
};

static void drawn_open(struct drawn *drawn, const char *line)
{
    *drawn = (struct drawn){.diagram = NULL};
    plan_of(&drawn->planned, line);
    cs_document_begin(&drawn->document, "diagram");
    cs_plan_add_diagram(&drawn->planned.plan, &drawn->document);
    for (uint32_t b = 0; b < drawn->document.count; b++) {
        const struct cs_block *block = &drawn->document.blocks[b];

        if (block->kind == CS_BLOCK_DIAGRAM)
            drawn->diagram = &block->diagram;
        else if (block->kind == CS_BLOCK_TABLE)
            drawn->kinds = &block->table;
    }
    assert_true(drawn->diagram && drawn->kinds);
}

static void drawn_close(struct drawn *drawn)
{
    cs_document_free(&drawn->document);
    planned_free(&drawn->planned);
}

static uint32_t boxes_of(const struct cs_diagram *diagram, const char *row)
{
    for (uint32_t r = 0; r < diagram->row_count; r++)
        if (!strcmp(diagram->rows[r].name, row))
            return diagram->rows[r].count;
    return 0;
}

/* Each box has a link, and each link two boxes, the upper one first. */
static void expect_whole(const struct cs_diagram *diagram)
{
    enum {
        BOXES = 32
    };
    bool linked[CS_DIAGRAM_ROWS][BOXES] = {{false}};

    for (uint32_t l = 0; l < diagram->link_count; l++) {
        const struct cs_diagram_link *link = &diagram->links[l];

        assert_true(link->row <= link->to_row && link->to_row < diagram->row_count);
        assert_true(link->box < diagram->rows[link->row].count);
        assert_true(link->to_box < diagram->rows[link->to_row].count);
        assert_true(link->row != link->to_row || link->box < link->to_box);
        assert_true(link->use >= 0 && link->use <= 1);
        linked[link->row][link->box] = linked[link->to_row][link->to_box] = true;
    }
    for (uint32_t r = 0; r < diagram->row_count; r++)
        for (uint32_t b = 0; b < diagram->rows[r].count; b++)
            if (!linked[r][b])
                fail_msg("%s of %s has no link", diagram->rows[r].boxes[b], diagram->rows[r].name);
}

static const char *kind_of(const struct drawn *drawn, const char *ends, size_t column)
{
    for (size_t row = 0; row < drawn->kinds->rows; row++) {
        const char *const *cells = drawn->kinds->cells + row * drawn->kinds->columns;

        if (!strcmp(cells[0], ends))
            return cells[column];
    }
    fail_msg("no links of '%s'", ends);
    return NULL;
}

static double links_of(const struct drawn *drawn)
{
    const char *end;
    double links = 0;

    for (size_t row = 0; row < drawn->kinds->rows; row++)
        links += shown_figure(drawn->kinds->cells[row * drawn->kinds->columns + 2], &end);
    return links;
}

/* 16 ranks gather 1 GiB: 15/16 of it enter each node of 8 adapters, and each GPU. */
TEST(an_all_gather_fills_adapters_evenly)
{
    CS_AT_END(drawn_close) struct drawn drawn;

    drawn_open(&drawn, "--gpus 16 --fabric rail --mix all-gather:1GiB");
    expect_whole(drawn.diagram);
    assert_int_equal(boxes_of(drawn.diagram, "GPUs"), 8);
    assert_int_equal(boxes_of(drawn.diagram, "adapters"), 8);
    assert_int_equal(boxes_of(drawn.diagram, "first tier of switches"), 8);
    assert_int_equal(boxes_of(drawn.diagram, "second tier of switches"), 0);
    assert_string_equal(drawn.diagram->frame, "node 1 of 2: dgx-h100");
    assert_string_equal(kind_of(&drawn, "first tier, adapter", 2), "16");
    assert_string_equal(kind_of(&drawn, "first tier, adapter", 4), "120 MiB");
    assert_string_equal(kind_of(&drawn, "first tier, adapter", 5), /* mean and most of the use */
                        kind_of(&drawn, "first tier, adapter", 6));
    assert_true(links_of(&drawn) == drawn.planned.plan.setup.graph.wire_count);
}

/* Halves of a mix sent twice as often. */
TEST(bytes_of_a_mix_add_up)
{
    CS_AT_END(drawn_close) struct drawn drawn;

    drawn_open(&drawn, "--gpus 16 --fabric rail --mix all-gather:256MiB*2,reduce-scatter:512MiB");
    assert_string_equal(kind_of(&drawn, "first tier, adapter", 4), "120 MiB");
}

TEST(machines_of_more_tiers_and_wires_are_drawn_whole)
{
    static const char *const lines[] = {
        "--gpus 1024 --fabric fat-tree --mix all-reduce:1GiB",
        "--gpus 16 --node dgx-1 --mix all-reduce:1GiB",
        "--gpus 16 --node mi300x --mix all-to-all:64MiB",
        "--gpus 64 --model llama2-7b --global-batch 128",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        CS_AT_END(drawn_close) struct drawn drawn;

        drawn_open(&drawn, lines[i]);
        expect_whole(drawn.diagram);
        assert_true(links_of(&drawn) == drawn.planned.plan.setup.graph.wire_count);
    }
}
