#include "validate/cuda/jsonl.h"

#include <inttypes.h>
#include <math.h>

static void add_key(struct cs_jsonl *line, const char *key)
{
    cs_text_printf(&line->text, "%s\"%s\": ", line->text.length ? ", " : "{", key);
}

void cs_jsonl_text(struct cs_jsonl *line, const char *key, const char *text)
{
    add_key(line, key);
    cs_text_add(&line->text, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < ' ' || c > '~')
            cs_text_printf(&line->text, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            cs_text_printf(&line->text, "\\%c", c);
        else
            cs_text_add_n(&line->text, text, 1);
    }
    cs_text_add(&line->text, "\"");
}

void cs_jsonl_u64(struct cs_jsonl *line, const char *key, uint64_t number)
{
    add_key(line, key);
    cs_text_printf(&line->text, "%" PRIu64, number);
}

void cs_jsonl_real(struct cs_jsonl *line, const char *key, double number)
{
    add_key(line, key);
    if (isfinite(number))
        cs_text_printf(&line->text, "%.9g", number);
    else
        cs_text_add(&line->text, "null");
}

void cs_jsonl_reals(struct cs_jsonl *line, const char *key, const double *numbers, uint32_t count)
{
    add_key(line, key);
    cs_text_add(&line->text, "\"");
    for (uint32_t i = 0; i < count; i++)
        cs_text_printf(&line->text, "%s%.9g", i ? "," : "", numbers[i]);
    cs_text_add(&line->text, "\"");
}

const char *cs_jsonl_end(struct cs_jsonl *line)
{
    cs_text_add(&line->text, line->text.length ? "}\n" : "{}\n");
    return cs_text_str(&line->text);
}

void cs_jsonl_free(struct cs_jsonl *line)
{
    cs_text_free(&line->text);
}
