#include "tests/unit/algorithms/schedules/recipe/solver.h"

#include "sim/base/text.h"

#define SEND(a, b) "<send src=\"" a "\" dst=\"" b "\" path=\"x\"/>"
#define TREE(root, chunks, sends) \
    "<tree root=\"" root "\" index=\"0\" nchunks=\"" chunks "\" height=\"1\">" sends "</tree>\n"
#define FOREST                                                                      \
    "<Algo nchunkspernode=\"2\">\n" TREE("(0, 'GPU', 0)", "1",                      \
                                         SEND("(0, 'GPU', 0)", "b") SEND("b", "c")) \
        TREE("(0, 'GPU', 0)", "1", SEND("(0, 'GPU', 0)", "c") SEND("c", "b"))       \
            TREE("b", "2", SEND("b", "(0, 'GPU', 0)") SEND("b", "c"))               \
                TREE("c", "2", SEND("c", "(0, 'GPU', 0)") SEND("c", "b")) "</Algo>"

TEST(trees_are_an_all_gather_in_pieces)
{
    assert_int_equal(solver_ops(&cs_importer_forestcoll, FOREST, "all-gather", 3, 1), 2 * 8);
    assert_int_equal(solver_ops(&cs_importer_forestcoll, FOREST, "all-gather", 3, 5), 5 * 2 * 8);
}

TEST(wrong_trees_are_named_with_the_line)
{
    solver_refused(&cs_importer_forestcoll, "<algo/>", "f:1: element <algo>; expected <Algo>");
    solver_refused(&cs_importer_forestcoll,
                   "<Algo nchunkspernode=\"1\">" TREE("a", "1", SEND("a", "b")) "</Algo>",
                   "f:1: trees of 1 GPUs; expected 2 to 65536");
    solver_refused(&cs_importer_forestcoll,
                   "<Algo nchunkspernode=\"1\">" TREE("a", "1", SEND("a", "x"))
                       TREE("b", "1", "") "</Algo>",
                   "f:1: dst=\"x\" is the root of no tree; expected a GPU");
    solver_refused(&cs_importer_forestcoll,
                   "<Algo nchunkspernode=\"1\">" TREE("a", "1", "") TREE("a", "1", "")
                       TREE("b", "1", "") "</Algo>",
                   "f:2: over nchunkspernode=\"1\" chunks in the trees of a root");
}

TEXT_TEST(chunks_of_all_gpus_are_limited)
{
    cs_text_add(out, "<Algo nchunkspernode=\"1048576\">");
    for (int root = 0; root < 17; root++)
        cs_text_printf(out, TREE("%d", "1", ""), root);
    cs_text_add(out, "</Algo>");
    solver_refused(&cs_importer_forestcoll, cs_text_str(out),
                   "f:1: 1048576 chunks of each of 17 GPUs; expected at most 16777216 in all");
}
