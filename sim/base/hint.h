/*
 * Hints: the end of a message about an unknown word.
 *
 *     no fabric called 'sta'; did you mean 'star'?
 *     no fabric called 'x'; expected star, rail, fat-tree
 *     8 ranks do not divide over 3; expected 2 or 4
 *
 * A hint is a struct, so that a call is an argument of the message:
 *
 *     cs_err_set(err, CS_EINPUT, "no fabric called '%.40s'%s", name,
 *                cs_hint_all(name, names, count).text);
 *
 *     hint, hint_all   O(words x letters^2), see cs_nearest
 */
#pragma once

#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Truncated like the message. */
struct cs_hint {
    char text[CS_ERR_TEXT_MAX];
};

/* "; did you mean 'NAME'?" with the nearest name; without a near name up to
 * six that contain the word, as 'ib-ndr' does 'ndr'; without these "; OTHERWISE",
 * or "" where `otherwise` is NULL. */
struct cs_hint cs_hint(const char *word, const char *const *names, size_t count,
                       const char *otherwise);

/* The same with a prefix before the nearest name, as in '--size'. */
struct cs_hint cs_hint_prefixed(const char *prefix, const char *word, const char *const *names,
                                size_t count, const char *otherwise);

/* As cs_hint, with "expected NAME, NAME, ..." for `otherwise`. */
struct cs_hint cs_hint_all(const char *word, const char *const *names, size_t count);

/* "; expected 2 or 4": the divisors of `number` > 0 next to `wanted`.  O(number). */
struct cs_hint cs_hint_divisors(uint64_t number, uint64_t wanted);

/* "; expected 96 or 104": the multiples of `step` > 0 next to `wanted`. */
struct cs_hint cs_hint_multiples(uint64_t step, uint64_t wanted);
