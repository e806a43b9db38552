/*
 * Lines: one JSON object a line, as a measurement is written.
 *
 *     struct cs_line line = {0};
 *     cs_line_text(&line, "gpu", "NVIDIA H200");
 *     cs_line_u64(&line, "ranks", 8);
 *     fputs(cs_line_end(&line), file);     {"gpu": "NVIDIA H200", "ranks": 8}
 *     cs_line_free(&line);
 *
 * Keys are the caller's, plain letters.  Control characters, quotes and what
 * is not ASCII are written as escapes; a number that is not finite is null.
 * libc and sim/base only: this is part of collsim-cuda.
 */
#ifndef CS_VALIDATE_CUDA_LINE_H
#define CS_VALIDATE_CUDA_LINE_H

#include "sim/base/text.h"

#include <stdint.h>

struct cs_line {
    struct cs_text text;
};

void cs_line_text(struct cs_line *line, const char *key, const char *text);
void cs_line_u64(struct cs_line *line, const char *key, uint64_t number);
void cs_line_real(struct cs_line *line, const char *key, double number);

/* The whole line with its newline; valid until the line is freed. */
const char *cs_line_end(struct cs_line *line);
void cs_line_free(struct cs_line *line);

#endif
