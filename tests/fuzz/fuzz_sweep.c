/*
 * Fuzz target: the file of a sweep.  Every case of a sweep that is taken has as
 * many options as the first, with names.  Whatever the file holds, it is a sweep,
 * or CS_EINPUT and a sentence.
 */
#include "scenarios/sweep/axes.h"
#include "sim/base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool holds)
{
    if (!holds)
        abort();
}

static void check_case(const struct cs_sweep *sweep, uint64_t number)
{
    struct cs_sweep_option options[CS_SWEEP_OPTIONS_MAX];
    uint32_t count = cs_sweep_options(sweep, number, options);
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    insist(count > sweep->fixed_count && count <= CS_SWEEP_OPTIONS_MAX);
    for (uint32_t i = 0; i < count; i++)
        insist(options[i].name && options[i].name[0]);
    cs_sweep_name(sweep, number, &name);
    insist(name.length > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_sweep sweep;
    char path[32];
    int file = memfd_create("sweep", 0);
    int code;

    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/dev/fd/%d", file);
    code = cs_sweep_read(path, &arena, &sweep, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code && (err.text[0] == '\0') == (code == CS_OK));
    if (!code) {
        insist(sweep.cases > 0 && sweep.cases <= UINT64_C(1) << 40);
        insist(sweep.hash != 0);
        check_case(&sweep, 0);
        check_case(&sweep, sweep.cases - 1);
    }
    close(file);
    return 0;
}
