/*
 * Units, written: numbers as text for people, with four significant digits.
 *
 * Every function writes into `text` and returns it.  Nothing depends on the
 * locale.
 */
#pragma once

#include <stdint.h>

enum {
    CS_UNITS_TEXT = 40
};

/* 1073741824 -> "1 GiB", 1536 -> "1.536 kB", 1572864 -> "1536 KiB": up to four
 * digits of a power of 1024 where that is exact, else 1500000 -> "1.5 MB". */
char *cs_units_show_bytes(char text[CS_UNITS_TEXT], uint64_t bytes);
/* 25e9 -> "25 GB/s". */
char *cs_units_show_rate(char text[CS_UNITS_TEXT], double rate_Bps);
/* 1500000 ps -> "1.5 us". */
char *cs_units_show_time(char text[CS_UNITS_TEXT], uint64_t time_ps);
/* Seconds in floating point; NaN and infinity are "-", and extreme values are
 * written as "1.234e-20 s". */
char *cs_units_show_seconds(char text[CS_UNITS_TEXT], double time_s);
/* 2095104 -> "2,095,104". */
char *cs_units_show_count(char text[CS_UNITS_TEXT], uint64_t count);
/* Exact decimal seconds of a picosecond count: "0.007516192768", no
 * trailing zeros, "0" for zero. */
char *cs_units_show_exact(char text[CS_UNITS_TEXT], uint64_t time_ps);

/*
 * The same as structs, so that a call is an argument of a message:
 *
 *     cs_text_printf(out, "%s a step\n", cs_show_seconds(step_s).text);
 */
struct cs_shown {
    char text[CS_UNITS_TEXT];
};

#define CS_SHOW(kind, type)                                  \
    static inline struct cs_shown cs_show_##kind(type value) \
    {                                                        \
        struct cs_shown shown;                               \
                                                             \
        cs_units_show_##kind(shown.text, value);             \
        return shown;                                        \
    }
CS_SHOW(bytes, uint64_t)
CS_SHOW(rate, double)
CS_SHOW(time, uint64_t)
CS_SHOW(seconds, double)
CS_SHOW(count, uint64_t)
CS_SHOW(exact, uint64_t)
#undef CS_SHOW
