#include "topo/generators/cables/ends.h"

#include "sim/base/collections/vector.h"

void cs_cables_add_end(struct cs_cables *cables, struct cs_cable_end end, struct cs_arena *arena)
{
    *CS_VECTOR_NEXT_IN(arena, cables->ends, cables->end_count, cables->end_room) = end;
}

void cs_cables_add(struct cs_cables *cables, struct cs_cable cable, struct cs_arena *arena)
{
    *CS_VECTOR_NEXT_IN(arena, cables->cables, cables->cable_count, cables->cable_room) = cable;
}
