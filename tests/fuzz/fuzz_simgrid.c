/*
 * Fuzz target: platforms of SimGrid.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("simgrid:")
