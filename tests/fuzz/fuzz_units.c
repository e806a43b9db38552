/*
 * Fuzz target: the readers of numbers with units.  Whatever the text, a reader
 * returns 0 and a value within its limits, or CS_EINPUT and a sentence; and what
 * is read can be shown.
 */
#include "sim/base/units.h"
#include "tests/fuzz/insist.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A sentence exactly when the reader failed. */
static int reported(int code, const struct cs_err *err)
{
    insist(code == CS_OK || code == CS_EINPUT);
    insist(err->code == code);
    insist((err->text[0] == '\0') == (code == CS_OK));
    return code;
}

static void read_sizes(const char *text)
{
    char shown[CS_UNITS_TEXT];
    struct cs_err err = {0}, nccl_err = {0};
    uint64_t bytes = 0, nccl_bytes = 0;
    int code = reported(cs_units_bytes(text, &bytes, &err), &err);
    int nccl_code = reported(cs_units_nccl_bytes(text, &nccl_bytes, &nccl_err), &nccl_err);

    insist(bytes <= UINT64_C(1) << 62 && nccl_bytes <= UINT64_C(1) << 62);
    /* What is a size is the same size to nccl-tests' flags. */
    insist(code != CS_OK || (nccl_code == CS_OK && nccl_bytes == bytes));
    cs_units_show_bytes(shown, bytes);
}

static void read_rates_and_times(const char *text)
{
    char shown[CS_UNITS_TEXT];
    struct cs_err err = {0};
    double rate_Bps = 1, fraction = 1;
    uint64_t time_ps = 0;

    reported(cs_units_rate(text, &rate_Bps, &err), &err);
    insist(isfinite(rate_Bps) && rate_Bps > 0);
    cs_units_show_rate(shown, rate_Bps);

    err = (struct cs_err){0};
    reported(cs_units_time(text, &time_ps, &err), &err);
    insist(time_ps <= UINT64_C(1) << 62);
    cs_units_show_time(shown, time_ps);
    cs_units_show_exact(shown, time_ps);

    err = (struct cs_err){0};
    reported(cs_units_fraction(text, &fraction, &err), &err);
    insist(fraction > 0 && fraction <= 1);
}

static void show_any(const uint8_t *data, size_t size)
{
    char shown[CS_UNITS_TEXT];
    uint64_t number = 0;
    double real = 0;

    memcpy(&number, data, size < sizeof(number) ? size : sizeof(number));
    memcpy(&real, &number, sizeof(real));
    insist(strlen(cs_units_show_bytes(shown, number)) < CS_UNITS_TEXT);
    insist(strlen(cs_units_show_time(shown, number)) < CS_UNITS_TEXT);
    insist(strlen(cs_units_show_exact(shown, number)) < CS_UNITS_TEXT);
    insist(strlen(cs_units_show_count(shown, number)) < CS_UNITS_TEXT);
    insist(strlen(cs_units_show_rate(shown, real)) < CS_UNITS_TEXT);
    insist(strlen(cs_units_show_seconds(shown, real)) < CS_UNITS_TEXT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct cs_err err = {0};
    uint64_t count = 2;

    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    read_sizes(text);
    read_rates_and_times(text);
    reported(cs_units_count(text, 2, 64, &count, &err), &err);
    insist(count >= 2 && count <= 64);
    show_any(data, size);
    free(text);
    return 0;
}
