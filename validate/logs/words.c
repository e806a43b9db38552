#include "validate/logs/words.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_MAX = 64 /* bytes of a number */
};

uint32_t cs_log_words(char *line, char *words[CS_LOG_WORDS_MAX])
{
    uint32_t count = 0;
    char *at = line;

    while (count < CS_LOG_WORDS_MAX) {
        while (*at && isspace((unsigned char)*at))
            at++;
        if (!*at)
            break;
        words[count++] = at;
        while (*at && !isspace((unsigned char)*at))
            at++;
        if (*at)
            *at++ = '\0';
    }
    return count;
}

bool cs_log_whole(const char *word, uint64_t *number)
{
    char *end;

    if (!isdigit((unsigned char)*word))
        return false;
    errno = 0;
    *number = strtoull(word, &end, 10);
    return !*end && !errno && *number < UINT64_C(1) << 62;
}

bool cs_log_number(const char *word, struct cs_log_number *number)
{
    char copy[NUMBER_MAX];
    const char *point;
    char *comma;
    char *end;
    double half;

    if (!isdigit((unsigned char)*word) || strpbrk(word, "xXpPnN") || strlen(word) >= sizeof(copy))
        return false;
    memcpy(copy, word, strlen(word) + 1);
    comma = strchr(copy, ',');
    if (comma && !strchr(word, '.'))
        *comma = '.'; /* of a locale; a second one ends the number */
    word = copy;
    point = strchr(word, '.');
    number->value = strtod(word, &end);
    if (*end || !isfinite(number->value))
        return false;
    half = .5 * (strpbrk(word, "eE") ? number->value * 1e-2
                 : point             ? pow(10, -(double)strlen(point + 1))
                                     : 1);
    number->low = number->value - half;
    number->high = number->value + half;
    return true;
}

uint32_t cs_log_type_bytes(const char *word)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } types[] = {
        {"float", 4},   {"half", 2},        {"bfloat16", 2},    {"double", 8},   {"int8", 1},
        {"uint8", 1},   {"char", 1},        {"int32", 4},       {"uint32", 4},   {"int", 4},
        {"int64", 8},   {"uint64", 8},      {"fp8_e4m3", 1},    {"fp8_e5m2", 1}, {"f8e4m3", 1},
        {"f8e5m2", 1},  {"float8_e4m3", 1}, {"float8_e5m2", 1}, {"float16", 2},  {"float32", 4},
        {"float64", 8},
    };

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strcmp(word, types[i].name))
            return types[i].bytes;
    return 0;
}

const struct cs_collective *cs_log_collective_of(const char *word)
{
    const char *slash = strrchr(word, '/');
    const char *base = slash ? slash + 1 : word;
    size_t length = strlen(base);
    char name[32];
    const char *tail = strstr(base, "_perf");

    if (length >= sizeof(name))
        return NULL;
    if (tail && (!tail[5] || !strcmp(tail + 5, "_mpi"))) {
        memcpy(name, base, (size_t)(tail - base));
        name[tail - base] = '\0';
    } else if (!strncmp(base, "osu_", 4)) {
        memcpy(name, base + 4, length - 3);
    } else {
        return NULL;
    }
    return cs_collective_find(name);
}
