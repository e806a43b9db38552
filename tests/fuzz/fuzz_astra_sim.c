/*
 * Fuzz target: networks of ASTRA-sim.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("astra-sim:", data, size);
    return 0;
}
