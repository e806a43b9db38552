/*
 * Frameworks: what the software of a training job does where a user says nothing.
 *
 * An entry of scenarios/train/frameworks.def has options of `collsim train`, which are
 * read before those of the user, and their sources.
 */
#pragma once

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct cs_framework {
    const char *name, *release;
    const char *options; /* words, with blanks between them */
    const char *source;
};

extern const struct cs_framework cs_frameworks[];
extern const size_t cs_framework_count;

/* "nemo=25.04", or "nemo" for the newest release: the entry of the release, else of the
 * nearest older one, else the oldest.  CS_EINPUT with the nearest name. */
int cs_framework_find(const char *text, const struct cs_framework **entry, struct cs_err *err);

/* Whether the text names another release than the entry's. */
bool cs_framework_differs(const char *text, const struct cs_framework *entry);
