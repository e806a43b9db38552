#include "topo/formats/signature.h"

#include <stdbool.h>
#include <string.h>

enum {
    SIGNATURE_BYTES = 4096
};

static const struct signature {
    bool begins;
    const char *first, *second, *what, *use;
} signatures[] = {
#define SIGNATURE(...) {__VA_ARGS__},
#include "topo/formats/signatures.def"
#undef SIGNATURE
};

static bool signature_fits(const struct signature *one, const char *text, size_t length)
{
    size_t first = strlen(one->first), second = strlen(one->second);

    if (one->begins ? length < first || memcmp(text, one->first, first) != 0
                    : !memmem(text, length, one->first, first))
        return false;
    return !second || memmem(text, length, one->second, second);
}

/* A file that is meant to be a machine has its own error. */
static bool is_meant_so(const char *text, size_t length)
{
    return memmem(text, length, "\ndevices:", 9) || memmem(text, length, "\nnode:", 6) ||
           (length > 8 && !memcmp(text, "devices:", 8)) ||
           (length > 5 && !memcmp(text, "node:", 5));
}

/* FILE as a word: not that of NCCL_TOPO_DUMP_FILE. */
static const char *file_in(const char *use)
{
    const char *file = strstr(use, "FILE");

    while (file && (file == use || !strchr(" :", file[-1])))
        file = strstr(file + 1, "FILE");
    return file;
}

void cs_signature_explain(struct cs_doc_text text, const char *wanted, const char *own,
                          struct cs_err *err)
{
    size_t length = text.length < SIGNATURE_BYTES ? text.length : SIGNATURE_BYTES;

    if (!err || is_meant_so(text.text, length))
        return;
    for (size_t s = 0; s < sizeof(signatures) / sizeof(*signatures); s++)
        if (signature_fits(&signatures[s], text.text, length)) {
            const char *use = signatures[s].use, *file = file_in(use);

            if (strstr(use, own))
                return;
            *err = (struct cs_err){0};
            cs_err_at(err, CS_EINPUT, text.file, 0, "%s, not %s; %.*s%s%s", signatures[s].what,
                      wanted, file ? (int)(file - use) : (int)strlen(use), use,
                      file ? text.file : "", file ? file + 4 : "");
            return;
        }
}
