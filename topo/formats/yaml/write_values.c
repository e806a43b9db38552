#include "topo/formats/yaml/write_values.h"

#include "sim/base/units.h"
#include "topo/formats/writer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters of a name without quotes. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

enum {
    NUMBER_TEXT = 64,
};

void cs_yaml_add_quoted(struct cs_text *out, const char *before, const char *text)
{
    char letter[CS_WRITER_LETTER];

    cs_text_printf(out, "%s\"", before);
    while (cs_writer_letter(&text, letter))
        cs_text_printf(out, "%s%s", *letter == '"' || *letter == '\\' ? "\\" : "", letter);
    cs_text_add(out, "\"");
}

/* Words with another meaning in YAML. */
static bool yaml_is_reserved(const char *name)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no",
                                        "on",   "off",  "y",     "n"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (cs_same(words[i], name))
            return true;
    return false;
}

void cs_yaml_add_name(struct cs_text *out, const char *before, const char *name)
{
    if (isalpha((unsigned char)*name) && !yaml_is_reserved(name) && !name[strspn(name, PLAIN)])
        cs_text_printf(out, "%s%s", before, name);
    else
        cs_yaml_add_quoted(out, before, name);
}

void cs_yaml_add_rate(struct cs_text *out, const char *before, double rate_Bps)
{
    char text[NUMBER_TEXT];
    double back_Bps = 0;

    (void)snprintf(text, sizeof(text), "%.12g GB/s", rate_Bps / 1e9);
    if (cs_units_rate(text, &back_Bps, NULL) || back_Bps != rate_Bps)
        (void)snprintf(text, sizeof(text), "%.6f b/s", 8 * rate_Bps);
    cs_text_printf(out, "%s%s", before, text);
}

void cs_yaml_add_time(struct cs_text *out, const char *before, uint64_t time_ps)
{
    char text[NUMBER_TEXT];
    uint64_t back_ps = 0;

    (void)snprintf(text, sizeof(text), "%.12g us", (double)time_ps / 1e6);
    if (cs_units_time(text, &back_ps, NULL) || back_ps != time_ps)
        (void)snprintf(text, sizeof(text), "%llu ps", (unsigned long long)time_ps);
    cs_text_printf(out, "%s%s", before, text);
}

/* Without an exponent, which cs_units_fraction does not read. */
void cs_yaml_add_fraction(struct cs_text *out, const char *before, double fraction)
{
    char text[NUMBER_TEXT];
    double back;

    (void)snprintf(text, sizeof(text), "%.15g", fraction);
    if (cs_units_fraction(text, &back, NULL))
        (void)snprintf(text, sizeof(text), "%.15f", fraction);
    cs_text_printf(out, "%s%s", before, text);
}

/* ---- sets ---- */

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

static void sets_add(struct cs_text *out, const char *before, const char *name, uint32_t count)
{
    uint32_t first = 0;
    size_t stem = cs_yaml_stem_of(name, &first);
    CS_AT_END(cs_text_free) struct cs_text set = {0};

    if (count == 1) {
        cs_yaml_add_name(out, before, name);
        return;
    }
    cs_text_printf(&set, "%.*s[%u-%u]", (int)stem, name, first, first + count - 1);
    cs_yaml_add_quoted(out, before, cs_text_str(&set));
}

void cs_yaml_add_sets(struct cs_text *out, const char *before, const char *const *names,
                      const uint32_t *devices, uint32_t count)
{
    bool is_list = sets_row(names, devices, count) < count;
    uint32_t i = 0;

    cs_text_printf(out, "%s%s", before, is_list ? "[" : "");
    while (i < count) {
        uint32_t n = sets_row(names, devices + i, count - i);

        sets_add(out, i ? ", " : "", names[devices[i]], n);
        i += n;
    }
    cs_text_add(out, is_list ? "]" : "");
}
