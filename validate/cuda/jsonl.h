/*
 * Lines: a JSON object for each measurement.
 *
 *     struct cs_jsonl line = {0};
 *     cs_jsonl_text(&line, "gpu", "NVIDIA H200");
 *     cs_jsonl_u64(&line, "ranks", 8);
 *     fputs(cs_jsonl_end(&line), file);     {"gpu": "NVIDIA H200", "ranks": 8}
 *     cs_jsonl_free(&line);
 *
 * Keys are plain letters.  Control characters, quotes and characters beyond ASCII are
 * escaped; a number that is not finite is null.
 * libc and sim/base only: this is part of collsim-cuda.
 */
#pragma once

#include "sim/base/text.h"

#include <stdint.h>

struct cs_jsonl {
    struct cs_text text;
};

void cs_jsonl_text(struct cs_jsonl *line, const char *key, const char *text);
void cs_jsonl_u64(struct cs_jsonl *line, const char *key, uint64_t number);
void cs_jsonl_real(struct cs_jsonl *line, const char *key, double number);

/* Numbers as a text, with commas: readers of lines take single values. */
void cs_jsonl_reals(struct cs_jsonl *line, const char *key, const double *numbers, uint32_t count);

/* The whole line with its newline; valid until the line is freed. */
const char *cs_jsonl_end(struct cs_jsonl *line);
void cs_jsonl_free(struct cs_jsonl *line);
