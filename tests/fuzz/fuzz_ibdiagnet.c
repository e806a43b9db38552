/*
 * Fuzz target: tables of ibdiagnet.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("ibdiagnet:", data, size);
    return 0;
}
