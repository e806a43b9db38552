/*
 * Fuzz target: algorithms as text, see import.h.
 */
#include "tests/fuzz/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_import(cs_importers[3], data, size);
}
