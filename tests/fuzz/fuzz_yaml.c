/*
 * Fuzz target: machines in YAML.
 */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_machine("yaml:", data, size);
    return 0;
}
