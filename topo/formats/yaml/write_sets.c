
#include "sim/base/mem.h"
#include "topo/formats/yaml/write_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t cs_yaml_stem_of(const char *name, uint32_t *number)
{
    size_t length = strlen(name);
    size_t end = length;

    while (length > 0 && isdigit((unsigned char)name[length - 1]))
        length--;
    if (length == end || end - length > 6 || (name[length] == '0' && end - length > 1))
        return 0;
    *number = (uint32_t)strtoul(name + length, NULL, 10);
    return length;
}

bool cs_yaml_follows(const char *name, const char *next, uint32_t by)
{
    uint32_t a = 0, b = 0;
    size_t length = cs_yaml_stem_of(name, &a);

    return length > 0 && cs_yaml_stem_of(next, &b) == length && strncmp(name, next, length) == 0 &&
           b == a + by;
}

/* The number of devices with consecutive names: gpu0 gpu1 gpu2. */
static uint32_t sets_row(const char *const *names, const uint32_t *devices, uint32_t count)
{
    uint32_t n = 1;

    while (n < count && cs_yaml_follows(names[devices[0]], names[devices[n]], n))
        n++;
    return n;
}

static void sets_add(struct cs_text *out, const char *name, uint32_t count)
{
    uint32_t first = 0;
    size_t stem = cs_yaml_stem_of(name, &first);
    struct cs_text set = {0};

    if (count == 1) {
        cs_yaml_add_name(out, name);
        return;
    }
    cs_text_printf(&set, "%.*s[%u-%u]", (int)stem, name, first, first + count - 1);
    cs_yaml_add_quoted(out, cs_text_str(&set));
    cs_text_free(&set);
}

void cs_yaml_add_sets(struct cs_text *out, const char *const *names, const uint32_t *devices,
                      uint32_t count)
{
    bool is_list = sets_row(names, devices, count) < count;
    uint32_t i = 0;

    cs_text_add(out, is_list ? "[" : "");
    while (i < count) {
        uint32_t n = sets_row(names, devices + i, count - i);

        cs_text_add(out, i ? ", " : "");
        sets_add(out, names[devices[i]], n);
        i += n;
    }
    cs_text_add(out, is_list ? "]" : "");
}
