/*
 * Settings of the emulated GPUs, from the environment; failures; dice by a seed.
 */
#include "emulator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

int emu_mutation = (int)setting("EMU_MUTANT", 0);

const struct emu_settings emu_settings = {
    (int)setting("EMU_GPUS", 1),
    (int)setting("EMU_PROCESSORS", 4),
    setting("EMU_MEMORY", (uint64_t)64 << 20),
    setting("EMU_PEERS", 1) != 0,
};

void emu_fail(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    fputs("emulated GPU: ", stderr);
    vfprintf(stderr, format, values);
    fputs("\n", stderr);
    va_end(values);
    _exit(EMU_WRONG);
}

/* xorshift64* (Vigna 2016). */
uint64_t emu_dice(uint64_t sides)
{
    static uint64_t state = setting("EMU_SEED", 1) * 0x9e3779b97f4a7c15u | 1;

    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545f4914f6cdd1du >> 33) % sides;
}
