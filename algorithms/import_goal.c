#include "algorithms/import.h"
static int goal_read(struct cs_import_text text, struct cs_arena *arena,
                     struct cs_algo *algo, struct cs_err *err)
{
    (void)arena;
    (void)algo;
    return cs_err_at(err, CS_EINPUT, text.file, 0, "later");
}
const struct cs_importer cs_importer_goal = {
    .name = "goal", .about = "GOAL text", .read = goal_read};
