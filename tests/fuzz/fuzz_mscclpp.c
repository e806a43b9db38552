/*
 * Fuzz target: execution plans of MSCCL++, see import.h.
 */
#include "tests/fuzz/import.h"

FUZZ_IMPORT(2)
