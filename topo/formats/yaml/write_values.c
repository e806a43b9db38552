#include "topo/formats/yaml/write_values.h"

#include "sim/base/units.h"
#include "topo/formats/writer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Characters of a name without quotes. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

enum {
    NUMBER_TEXT = 64,
};

void cs_yaml_add_quoted(struct cs_text *out, const char *text)
{
    char letter[CS_WRITER_LETTER];

    cs_text_add(out, "\"");
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

void cs_yaml_add_name(struct cs_text *out, const char *name)
{
    if (isalpha((unsigned char)*name) && !yaml_is_reserved(name) && !name[strspn(name, PLAIN)])
        cs_text_add(out, name);
    else
        cs_yaml_add_quoted(out, name);
}

void cs_yaml_add_rate(struct cs_text *out, double rate_Bps)
{
    char text[NUMBER_TEXT];
    double back_Bps = 0;

    (void)snprintf(text, sizeof(text), "%.12g GB/s", rate_Bps / 1e9);
    if (cs_units_rate(text, &back_Bps, NULL) || back_Bps != rate_Bps)
        (void)snprintf(text, sizeof(text), "%.6f b/s", 8 * rate_Bps);
    cs_text_add(out, text);
}

void cs_yaml_add_time(struct cs_text *out, uint64_t time_ps)
{
    char text[NUMBER_TEXT];
    uint64_t back_ps = 0;

    (void)snprintf(text, sizeof(text), "%.12g us", (double)time_ps / 1e6);
    if (cs_units_time(text, &back_ps, NULL) || back_ps != time_ps)
        (void)snprintf(text, sizeof(text), "%llu ps", (unsigned long long)time_ps);
    cs_text_add(out, text);
}

/* Without an exponent, which cs_units_fraction does not read. */
void cs_yaml_add_fraction(struct cs_text *out, double fraction)
{
    char text[NUMBER_TEXT];
    double back;

    (void)snprintf(text, sizeof(text), "%.15g", fraction);
    if (cs_units_fraction(text, &back, NULL))
        (void)snprintf(text, sizeof(text), "%.15f", fraction);
    cs_text_add(out, text);
}
