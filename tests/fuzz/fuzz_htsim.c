/*
 * Fuzz target: fat trees of htsim.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("htsim:")
