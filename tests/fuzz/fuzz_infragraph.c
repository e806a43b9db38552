/*
 * Fuzz target: machines of InfraGraph.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("infragraph:", data, size);
    return 0;
}
