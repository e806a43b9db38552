/*
 * Fuzz target: schedules in the binary form of GOAL, behind its magic number,
 * see import.h.
 */
#include "algorithms/schedules/goal/binary.h"
#include "tests/fuzz/import.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *file = calloc(1, CS_GOAL_MAGIC_BYTES + size);

    insist(file != NULL);
    file[0] = CS_GOAL_MAGIC & 0xff;
    file[1] = CS_GOAL_MAGIC >> 8;
    if (size)
        memcpy(file + CS_GOAL_MAGIC_BYTES, data, size);
    fuzz_import(cs_importers[1], file, CS_GOAL_MAGIC_BYTES + size);
    free(file);
    return 0;
}
