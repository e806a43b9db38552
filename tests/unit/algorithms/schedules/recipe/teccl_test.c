#include "tests/unit/algorithms/schedules/recipe/solver.h"

#define FLOW(chunk, source, from, to, epoch) \
    "\"Chunk " chunk " from " source " traveled over " from "->" to " in epoch " epoch "\""
#define MET(a, b, c, more)                                                               \
    "{\"6-Demand_Met\": {\"GPU 1\": {" a "}, \"GPU 2\": {" b "}, \"GPU 7\": {" c "}},\n" \
    "\"7-Flows\": [" more "]}"
#define AT(gpu, chunk) "\"GPU " gpu "\": {\"Chunk " chunk "\": 1.0}"

/* A ring of GPUs 1, 2 and 7; 0 is a switch. */
#define RING                                                                                       \
    FLOW("0", "1", "1", "2", "0 via switches 0")                                                   \
    ", " FLOW("0", "2", "2", "7", "0") ", " FLOW("0", "7", "7", "1", "0") ", " FLOW(               \
        "0", "7", "1", "2", "3") ",\n" FLOW("0", "1", "2", "7", "1") ", " FLOW("0", "2", "7", "1", \
                                                                               "1")

TEST(an_all_gather_has_every_chunk_at_all_gpus)
{
    assert_int_equal(solver_ops(&cs_importer_teccl,
                                MET(AT("2", "0") "," AT("7", "0"), AT("1", "0") "," AT("7", "0"),
                                    AT("1", "0") "," AT("2", "0"), RING),
                                "all-gather", 3, 1),
                     2 * 6);
}

TEST(an_all_to_all_passes_places_between)
{
    assert_int_equal(
        solver_ops(&cs_importer_teccl,
                   MET(AT("2", "0") "," AT("7", "1"), AT("1", "0") "," AT("7", "1"),
                       AT("1", "0") "," AT("2", "1"),
                       FLOW("0", "1", "1", "2", "0") "," FLOW("1", "1", "1", "2", "1") "," FLOW(
                           "1", "1", "2", "7",
                           "2") "," FLOW("0", "2", "2", "1",
                                         "0") "," FLOW("1", "2", "2", "7",
                                                       "0") "," FLOW("0", "7", "7", "1",
                                                                     "0") "," FLOW("1", "7", "7",
                                                                                   "2", "0")),
                   "all-to-all", 3, 1),
        2 * 7);
}

TEST(wrong_schedules_are_named_with_the_line)
{
    solver_refused(&cs_importer_teccl, "{\"6-Demand_Met\": {},\n\"7-Flows\": [\"Chunk 0\"]}",
                   "f:2: expected a flow, as 'Chunk 0 from 0 traveled over 0->1 in epoch 0'");
    solver_refused(
        &cs_importer_teccl,
        "{\"7-Flows\": [\"Chunk 0 from 0 traveled over 0->1 with volume 0.5 in epoch 0\"]}",
        "f:1: a flow of a part of a chunk; expected whole ones, as of TE-CCL's MILP");
    solver_refused(&cs_importer_teccl, MET(AT("2", "0"), AT("9", "0"), "", RING),
                   "f:1: a demand that no flow serves");
    solver_refused(&cs_importer_teccl, MET(AT("2", "0"), AT("1", "0"), "", RING),
                   "f:1: the demands are no all-gather and no all-to-all of equal parts");
    solver_refused(&cs_importer_teccl, "{\"7-Flows\": []}", "f:1: no flows");
    solver_refused(&cs_importer_teccl, "<algo/>",
                   "f:1: XML, which msccl:FILE or forestcoll:FILE reads; expected a schedule of "
                   "TE-CCL as JSON");
    solver_refused(&cs_importer_teccl, "ranks 3",
                   "f:1: no JSON, which begins with {; expected a schedule of TE-CCL as JSON");
}
