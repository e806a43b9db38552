/*
 * Fuzz target: tables of ibdiagnet.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("ibdiagnet:")
