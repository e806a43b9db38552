/*
 * Units: numbers with a unit, read from text (units_show.h writes them).
 *
 * B is bytes, b and bit are bits; k M G T P E are powers of 1000 and
 * Ki Mi Gi Ti Pi Ei powers of 1024.  A bare number is an error whose message shows
 * the readings that are possible; "1G" and "1 KB" are ambiguous and refused
 * as well.  A number is digits, maybe with a point and more digits, maybe an
 * exponent (1e9 B): no sign, no grouping.  White space around the number and the unit is
 * free.  A size must come out as a whole number of bytes and a time of
 * picoseconds ("0.5 GiB" and "1.5 us" do, "0.3 B" does not).
 *
 * Every reader returns 0 or CS_EINPUT; the whole text must be used up.
 * Nothing here depends on the locale.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/units_show.h"

#include <stdint.h>

/* "1 GiB", "256MB", "8 B" -> bytes; at most 2^62.  Bits ("8 Gb") are refused. */
int cs_units_bytes(const char *text, uint64_t *bytes, struct cs_err *err);

/* As nccl-tests reads -b and -e, and all options sizes: a bare number is bytes, K M G T (k m g t) are
 * powers of 1024; the forms of cs_units_bytes are understood too. */
int cs_units_nccl_bytes(const char *text, uint64_t *bytes, struct cs_err *err);

/* "25 GB/s", "400 Gb/s", "200 Gbit/s", "100 Gbps", "25 GBps" -> bytes per
 * second; > 0 and at most 2^62.  Exact where a double can hold it; what is
 * below a millionth of a bit per second is cut off. */
int cs_units_rate(const char *text, double *rate_Bps, struct cs_err *err);

/* "500 ns", "1.5us", "2 ms", "1 s", "10 ps" -> picoseconds; at most 2^62. */
int cs_units_time(const char *text, uint64_t *time_ps, struct cs_err *err);

/* A whole number from min to max, decimal digits only. */
int cs_units_count(const char *text, uint64_t min, uint64_t max, uint64_t *count,
                   struct cs_err *err);

/* A dimensionless fraction, 0 < x <= 1: "0.8" or "80 %", to 15 decimals. */
int cs_units_fraction(const char *text, double *fraction, struct cs_err *err);
