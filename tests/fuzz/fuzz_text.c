/*
 * Fuzz target: algorithms as text, see import.h.
 */
#include "tests/fuzz/import.h"

FUZZ_IMPORT(3)
