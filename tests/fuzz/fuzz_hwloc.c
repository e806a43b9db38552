/*
 * Fuzz target: topologies of hwloc.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("hwloc:", data, size);
    return 0;
}
