/*
 * Fuzz target: fabrics of ibnetdiscover.
 */
#include "tests/fuzz/machine.h"

FUZZ_MACHINE("ibnetdiscover:")
