/*
 * Spans of all alignments, and of sizes from nothing to some vectors for each
 * thread: exactly their bytes are copied or added up.
 */
extern "C" {
#include "validate/cuda/warp.h"
}
#include "validate/cuda/span.cuh"

#include <stdio.h>

enum {
    BYTES = 1 << 15,
};

template <typename T> static T number(uint32_t value);

template <> float number<float>(uint32_t value)
{
    return (float)value;
}

template <> __half number<__half>(uint32_t value)
{
    return {(uint16_t)value};
}

/* Whether the bytes of a span, and no others, are as they should be. */
template <typename T>
static bool is_right(uint32_t threads, uint32_t at, uint32_t bytes, bool adds)
{
    const uint32_t count = BYTES / sizeof(T);
    alignas(16) static T target[BYTES / sizeof(T)];
    alignas(16) static T source[BYTES / sizeof(T)];
    struct cs_span span = {(char *)target + at, (const char *)source + at,
                           bytes, adds};
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < count; i++) {
        target[i] = number<T>(i % 1000);
        source[i] = number<T>(i % 777);
    }
    blockDim.x = threads;
    for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
        cs_span_move<T>(span);
    for (uint32_t i = 0; i < count; i++) {
        bool inside = i * sizeof(T) >= at && i * sizeof(T) < at + bytes;
        T expected = number<T>((inside && !adds ? 0 : i % 1000) +
                               (inside ? i % 777 : 0));

        wrong += memcmp(&expected, &target[i], sizeof(T)) != 0;
    }
    if (wrong)
        printf("%u threads, %u bytes of %zu from %u on%s: %u are wrong\n",
               threads, bytes, sizeof(T), at, adds ? ", added up" : "", wrong);
    return !wrong;
}

template <typename T> static bool all_are_right()
{
    const uint32_t threads[] = {32, 96, 512};
    bool right = true;

    for (uint32_t count : threads)
        for (uint32_t at = 0; at < 32; at += sizeof(T))
            for (uint32_t bytes = 0; bytes < BYTES - 64;
                 bytes += bytes < 80 ? sizeof(T) : 3000 * sizeof(T) / 2)
                for (int adds = 0; adds < 2; adds++)
                    right &= is_right<T>(count, at, bytes, adds);
    return right;
}

int main()
{
    return all_are_right<float>() && all_are_right<__half>() ? 0 : 1;
}
