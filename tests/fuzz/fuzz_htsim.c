/*
 * Fuzz target: fat trees of htsim.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("htsim:", data, size);
    return 0;
}
