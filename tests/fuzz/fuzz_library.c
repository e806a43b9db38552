/*
 * Fuzz target: names and versions of --library, and settings.  Any text is a
 * library with a modelled release, or CS_EINPUT and a sentence; and a setting, or
 * the same.
 */
#include "algorithms/libraries/library.h"
#include "algorithms/libraries/settings.h"
#include "sim/base/mem.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_settings settings = {0};
    const struct cs_library *library = NULL;
    uint32_t version = 0;
    const char *text = cs_arena_text_n(&arena, (const char *)data, size);
    int code = cs_library_find(text, &library, &version, &err);

    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code && (err.text[0] == '\0') == (code == CS_OK));
    if (!code) {
        insist(library != NULL);
        insist(!version || version >= library->oldest);
    }
    err = (struct cs_err){0};
    code = cs_settings_add(&settings, text, &err);
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err.code == code && settings.count == (code == CS_OK));
    return 0;
}
