/*
 * Fuzz target: networks of ASTRA-sim.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("astra-sim:")
