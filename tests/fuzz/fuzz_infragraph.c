/*
 * Fuzz target: machines of InfraGraph.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("infragraph:")
