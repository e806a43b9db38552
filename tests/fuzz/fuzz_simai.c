/*
 * Fuzz target: topologies of SimAI.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("simai:", data, size);
    return 0;
}
