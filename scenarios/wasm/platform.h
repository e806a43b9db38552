/*
 * What the program calls and wasi-libc has not, declared for every source of the build for
 * WebAssembly (clang -include); platform.c defines it.
 */
#pragma once

#include <stdlib.h>

#ifdef __wasm__
/* As glibc's: equal items keep their order. */
void qsort_r(void *items, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *ctx);
#endif
