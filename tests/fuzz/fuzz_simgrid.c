/*
 * Fuzz target: platforms of SimGrid.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("simgrid:", data, size);
    return 0;
}
