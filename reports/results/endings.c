#include "reports/results/endings.h"

#include "reports/results/files.h"
#include "sim/base/text.h"

#include <string.h>
#include <strings.h>

/* The first ending of a format is the usual one. */
static const struct {
    const char *format;
    const char *ending;
} endings[] = {
    {"text", ".txt"},     {"text", ".text"}, {"csv", ".csv"},     {"json", ".json"},
    {"html", ".html"},    {"html", ".htm"},  {"md", ".md"},       {"md", ".markdown"},
    {"svg", ".svg"},      {"png", ".png"},   {"gif", ".gif"},     {"yaml", ".yaml"},
    {"yaml", ".yml"},     {"nccl", ".xml"},  {"simgrid", ".xml"}, {"msccl", ".xml"},
    {"mscclpp", ".json"}, {"goal", ".goal"}, {"goal", ".txt"},    {"table", ".table"},
    {"table", ".txt"},    {"table", ".cs"},  {"gift", ".gift"},   {"tikz", ".tikz"},
    {"tikz", ".tex"},     {"env", ".env"},   {"env", ".sh"},      {"env", ".conf"},
    {"env", ".txt"},      {"tuner", ".csv"}, {"tuner", ".conf"},
};

enum {
    ENDINGS = sizeof(endings) / sizeof(*endings)
};

/* NULL: none.  A dot that begins the name hides the file. */
static const char *ending_of(const char *path)
{
    const char *name = cs_files_name(path);
    const char *dot = strrchr(name, '.');

    return dot && dot > name ? dot : NULL;
}

bool cs_endings_has(const char *path)
{
    return ending_of(path) != NULL;
}

static bool ending_fits(const char *ending, const char *format)
{
    for (size_t i = 0; ending && i < ENDINGS; i++)
        if (cs_same(endings[i].format, format) && !strcasecmp(endings[i].ending, ending))
            return true;
    return false;
}

bool cs_endings_fits(const char *path, const char *format)
{
    return ending_fits(ending_of(path), format);
}

/* Whether a format before the last one has the ending. */
static bool ending_is_listed(const char *const *formats, const char *const *last,
                             const char *ending)
{
    for (; formats < last; formats++)
        if (ending_fits(ending, *formats))
            return true;
    return false;
}

/* ".csv, .json or .txt" */
static void endings_list(const char *const *formats, struct cs_text *out)
{
    const char *before = NULL;

    for (const char *const *format = formats; *format; format++)
        for (size_t i = 0; i < ENDINGS; i++) {
            if (!cs_same(endings[i].format, *format) ||
                ending_is_listed(formats, format, endings[i].ending))
                continue;
            if (before)
                cs_text_printf(out, "%s%s", out->length ? ", " : "", before);
            before = endings[i].ending;
        }
    cs_text_printf(out, "%s%s", out->length ? " or " : "", before ? before : "");
}

int cs_endings_choose(const char *option, const char *path, const char *const *formats,
                      size_t *format, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text list = {0};

    for (*format = 0; formats[*format]; ++*format)
        if (cs_endings_fits(path, formats[*format]))
            return 0;
    endings_list(formats, &list);
    return cs_err_set(err, CS_EINPUT, "%s: '%.200s' does not end in %s", option, path,
                      cs_text_str(&list));
}

int cs_endings_check(const char *option, const char *path, const char *format, struct cs_err *err)
{
    const char *const formats[] = {format, NULL};
    CS_AT_END(cs_text_free) struct cs_text list = {0};

    if (!path || !cs_endings_has(path) || cs_endings_fits(path, format))
        return 0;
    endings_list(formats, &list);
    return cs_err_set(err, CS_EINPUT, "%s: '%.200s' does not end in %s, as files of format %s do",
                      option, path, cs_text_str(&list), format);
}
