/*
 * Fuzz target: topologies of hwloc.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("hwloc:")
