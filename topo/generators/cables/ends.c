#include "topo/generators/cables/ends.h"

#include "sim/base/collections/vector.h"

void cs_cables_add_end(struct cs_cables *cables, struct cs_cable_end end, struct cs_arena *arena)
{
    cables->ends = cs_vector_room_in(arena, cables->ends, cables->end_count + 1, &cables->end_room,
                                     sizeof(end));
    cables->ends[cables->end_count++] = end;
}

void cs_cables_add(struct cs_cables *cables, struct cs_cable cable, struct cs_arena *arena)
{
    cables->cables = cs_vector_room_in(arena, cables->cables, cables->cable_count + 1,
                                       &cables->cable_room, sizeof(cable));
    cables->cables[cables->cable_count++] = cable;
}
