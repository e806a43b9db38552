/*
 * Records which blocks of libcollsim.so run, for MODE=reach (tests/mutate/mutate.sh).
 *
 * gcc calls __sanitizer_cov_trace_pc at the start of each block.  The byte of the file
 * COLLSIM_REACH at the offset of the return address becomes 1.  Processes share the file,
 * so that those that fork, crash or are killed count as well.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    REACH_BYTES = 64 << 20
};

#if __has_attribute(no_sanitize_coverage)
#    define UNTRACED no_sanitize_coverage
#else
#    define UNTRACED no_sanitize("coverage")
#endif

/* Names of the linker and of gcc. */
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
static unsigned char *reach_map;

void __sanitizer_cov_trace_pc(void);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

__attribute__((UNTRACED)) void __sanitizer_cov_trace_pc(void)
{
    uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start;

    if (reach_map && at < REACH_BYTES && !reach_map[at])
        reach_map[at] = 1;
}

__attribute__((constructor, UNTRACED)) static void reach_open(void)
{
    const char *name = getenv("COLLSIM_REACH");
    int file = name ? open(name, O_RDWR | O_CREAT, 0644) : -1;
    void *map;

    if (file < 0)
        return;
    if (!ftruncate(file, REACH_BYTES)) {
        map = mmap(NULL, REACH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        reach_map = map == MAP_FAILED ? NULL : map;
    }
    close(file);
}
