#include "sim/base/units.h"

#include "tests/test.h"

#include <locale.h>

static uint64_t bytes_of(const char *text)
{
    uint64_t bytes = 0;

    assert_done(cs_units_bytes(text, &bytes, &err));
    return bytes;
}

static uint64_t ps_of(const char *text)
{
    uint64_t time_ps = 0;

    assert_done(cs_units_time(text, &time_ps, &err));
    return time_ps;
}

static void assert_rate(const char *text, double expected_Bps)
{
    double rate_Bps = 0;

    assert_done(cs_units_rate(text, &rate_Bps, &err));
    if (rate_Bps != expected_Bps)
        fail_msg("%s is %.17g, not %.17g", text, rate_Bps, expected_Bps);
}

static void assert_fraction(const char *text, double expected)
{
    double fraction = 0;

    assert_done(cs_units_fraction(text, &fraction, &err));
    if (fraction != expected)
        fail_msg("%s is %.17g, not %.17g", text, fraction, expected);
}

/* Each refusal leaves the value alone and says exactly this. */
static void refuses_bytes(const char *text, const char *sentence)
{
    uint64_t bytes = 12345;

    assert_refused(cs_units_bytes(text, &bytes, &err), CS_EINPUT, sentence);
    assert_int_equal(bytes, 12345);
}

static void refuses_rate(const char *text, const char *sentence)
{
    double rate_Bps = 0;

    assert_refused(cs_units_rate(text, &rate_Bps, &err), CS_EINPUT, sentence);
}

static void refuses_time(const char *text, const char *sentence)
{
    uint64_t time_ps = 0;

    assert_refused(cs_units_time(text, &time_ps, &err), CS_EINPUT, sentence);
}

static void refuses_fraction(const char *text)
{
    double fraction = 0;

    assert_int_equal(cs_units_fraction(text, &fraction, NULL), CS_EINPUT);
}

/* ----------------------------------------------------------------- sizes */

TEST(sizes_have_decimal_and_binary_units)
{
    assert_int_equal(bytes_of("8 B"), 8);
    assert_int_equal(bytes_of("64 kB"), 64000);
    assert_int_equal(bytes_of("256MB"), 256000000);
    assert_int_equal(bytes_of("1 GB"), 1000000000);
    assert_int_equal(bytes_of("1 KiB"), 1024);
    assert_int_equal(bytes_of("1GiB"), 1073741824);
    assert_int_equal(bytes_of("3 TiB"), UINT64_C(3) << 40);
    assert_int_equal(bytes_of("2 PiB"), UINT64_C(2) << 50);
    assert_int_equal(bytes_of("4 EB"), UINT64_C(4000000000000000000));
}

TEST(blanks_around_number_and_unit_are_free)
{
    assert_int_equal(bytes_of(" 5 B"), 5);
    assert_int_equal(bytes_of("\t5 \t kB \n"), 5000);
    refuses_bytes("5 B x", "unknown unit 'B x' in '5 B x'; write a size such as 256 MB or 1 GiB");
    refuses_bytes("5 0 B", "unknown unit '0 B' in '5 0 B'; write a size such as 256 MB or 1 GiB");
}

TEST(zero_bytes_can_be_read)
{
    assert_int_equal(bytes_of("0 B"), 0);
    assert_int_equal(bytes_of("0.000 GiB"), 0);
}

TEST(a_fraction_of_a_size_must_be_whole_bytes)
{
    assert_int_equal(bytes_of("0.5 GiB"), 536870912);
    assert_int_equal(bytes_of("1.5 kB"), 1500);
    assert_int_equal(bytes_of("0.0009765625 KiB"), 1);
    assert_int_equal(bytes_of("2.0 B"), 2);
    assert_int_equal(bytes_of("4611686018427387903.0 B"), UINT64_C(4611686018427387903));
    refuses_bytes("0.3 B", "'0.3 B' is not a whole number of bytes");
    refuses_bytes("0.1 KiB", "'0.1 KiB' is not a whole number of bytes");
    refuses_bytes("1.00000000000000000000000000000000001 GB",
                  "'1.00000000000000000000000000000000001 GB' is not a whole number of bytes");
}

TEST(digits_may_be_as_many_as_they_like)
{
    /* 2^-60 EiB has 60 decimals. */
    assert_int_equal(bytes_of("0.000000000000000000867361737988403547205962240695953369140625 EiB"),
                     1);
    assert_int_equal(bytes_of("000000000000000000000000000000000000000000000000007 B"), 7);
}

TEST(a_size_above_2_to_the_62_is_too_large)
{
    assert_int_equal(bytes_of("4 EiB"), UINT64_C(1) << 62);
    refuses_bytes("4611686018427387905 B",
                  "'4611686018427387905 B' is too large; a size is at most 4 EiB");
    refuses_bytes("16 EiB", "'16 EiB' is too large; a size is at most 4 EiB");
    refuses_bytes("18446744073709551617 B",
                  "'18446744073709551617 B' is too large; a size is at most 4 EiB");
    /* 2^128 + 5, which wraps to 5. */
    refuses_bytes(
        "340282366920938463463374607431768211461 B",
        "'340282366920938463463374607431768211461 ...' is too large; a size is at most 4 EiB");
}

TEST(a_bare_size_shows_both_readings)
{
    refuses_bytes("25", "'25' has no unit; write 25 B, 25 MB or 25 MiB");
    refuses_bytes("1G", "'1G' is ambiguous: write 1 GB (1e9 bytes) or 1 GiB (2^30 bytes)");
    refuses_bytes("1.5 T",
                  "'1.5 T' is ambiguous: write 1.5 TB (1e12 bytes) or 1.5 TiB (2^40 bytes)");
}

TEST(a_capital_k_shows_both_readings)
{
    refuses_bytes("64 KB", "'64 KB' is ambiguous: write 64 kB (1e3 bytes) or 64 KiB (2^10 bytes)");
    refuses_bytes("64K", "'64K' is ambiguous: write 64 kB (1e3 bytes) or 64 KiB (2^10 bytes)");
    refuses_bytes("64k", "'64k' is ambiguous: write 64 kB (1e3 bytes) or 64 KiB (2^10 bytes)");
    refuses_rate("25 KB/s", "'25 KB/s' is ambiguous: write 25 kB/s or 25 KiB/s");
}

TEST(only_digits_and_a_point_make_a_number)
{
    refuses_bytes("-5 B", "'-5 B' is negative; a size is not");
    refuses_bytes("+5 B", "'+5 B' has a sign; a size has none");
    refuses_bytes("1e+ B", "'1e+ B' has an exponent without digits");
    refuses_bytes("1,5 GB",
                  "'1,5 GB' has a separator in the number; write digits and a point only");
    refuses_bytes("1.5.2 GB", "'1.5.2 GB' has a point too many");
    refuses_bytes(".5 GB", "'.5 GB' is not a size such as 256 MB or 1 GiB");
    refuses_bytes("", "'' is not a size such as 256 MB or 1 GiB");
    refuses_bytes("inf B", "'inf B' is not a size such as 256 MB or 1 GiB");
    refuses_bytes("nan", "'nan' is not a size such as 256 MB or 1 GiB");
    refuses_bytes("0x10 B",
                  "unknown unit 'x10 B' in '0x10 B'; write a size such as 256 MB or 1 GiB");
}

TEST(an_exponent_moves_the_point)
{
    assert_int_equal(bytes_of("1e9B"), 1000000000);
    assert_int_equal(bytes_of("1E+3 B"), 1000);
    assert_int_equal(bytes_of("2.5e3kB"), 2500000);
    assert_int_equal(bytes_of("1.25e1 KiB"), 12800);
    assert_int_equal(bytes_of("1500e-2 kB"), 15000);
    assert_int_equal(bytes_of("0e99999 B"), 0);
    assert_int_equal(ps_of("1e-6s"), 1000000);
    assert_rate("1.6e10B/s", 16e9);
    refuses_bytes("15e-1 B", "'15e-1 B' is not a whole number of bytes");
    refuses_bytes("1e99999 B", "'1e99999 B' is too large; a size is at most 4 EiB");
    refuses_bytes("1e9", "'1e9' has no unit; write 1e9 B, 1e9 MB or 1e9 MiB");
    refuses_bytes("1EB5", "unknown unit 'EB5' in '1EB5'; did you mean 'EB'?");
}

TEST(bits_are_not_a_size)
{
    refuses_bytes("8 Gb", "'8 Gb' is in bits (b); a size is in bytes (B), such as 1 GB");
    refuses_bytes("8 Gbit", "'8 Gbit' is in bits (b); a size is in bytes (B), such as 1 GB");
}

TEST(a_wrong_unit_names_the_nearest)
{
    refuses_bytes("1 GiBB", "unknown unit 'GiBB' in '1 GiBB'; did you mean 'GiB'?");
    refuses_bytes("1Gi", "'1Gi' is not understood; write 1 GiB");
    refuses_rate("25 GB/sec", "unknown unit 'GB/sec' in '25 GB/sec'; did you mean 'GB/s'?");
    refuses_time("5 nss", "unknown unit 'nss' in '5 nss'; did you mean 'ns'?");
}

TEST(a_message_repeats_forty_letters_at_most)
{
    char text[1000];
    struct cs_err err = {0};
    uint64_t bytes;

    memset(text, 'y', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    text[0] = '7';
    assert_int_equal(cs_units_bytes(text, &bytes, &err), CS_EINPUT);
    assert_non_null(strstr(err.text, "'7yyy"));
    assert_true(strlen(err.text) < 150);
}

/* -------------------------------------------------- nccl-tests, rates, ... */

TEST(nccl_sizes_are_bytes_and_powers_of_1024)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } known[] = {
        {"8", 8},
        {"1K", 1024},
        {"1M", 1048576},
        {"8G", UINT64_C(8) << 30},
        {"8g", UINT64_C(8) << 30},
        {"2T", UINT64_C(2) << 40},
        {"0.5M", 524288},
        {"1 GiB", 1073741824},
        {"1GB", 1000000000},
        {"0", 0},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        uint64_t bytes = 1;

        assert_int_equal(cs_units_nccl_bytes(known[i].text, &bytes, NULL), 0);
        assert_int_equal(bytes, known[i].bytes);
    }
}

TEST(nccl_sizes_have_the_same_limits)
{
    uint64_t bytes = 1;

    assert_refused(cs_units_nccl_bytes("0.1", &bytes, &err), CS_EINPUT,
                   "'0.1' is not a whole number of bytes");
    assert_int_equal(cs_units_nccl_bytes("9999999T", &bytes, NULL), CS_EINPUT);
    assert_int_equal(cs_units_nccl_bytes("-8", &bytes, NULL), CS_EINPUT);
    assert_int_equal(cs_units_nccl_bytes("8 GG", &bytes, NULL), CS_EINPUT);
    assert_int_equal(cs_units_nccl_bytes("", &bytes, NULL), CS_EINPUT);
}

TEST(a_small_b_is_bits_and_a_large_one_bytes)
{
    assert_rate("25 GB/s", 25e9);
    assert_rate("400 Gb/s", 50e9);
    assert_rate("200 Gbit/s", 25e9);
    assert_rate("100 Gbps", 12.5e9);
    assert_rate("25GBps", 25e9);
    assert_rate("10 MB/s", 10e6);
    assert_rate("1 GiB/s", 1073741824);
    assert_rate("8 Gib/s", 1073741824);
    assert_rate("1 B/s", 1);
    assert_rate("1 b/s", 0.125);
}

TEST(rates_are_exact_where_a_double_is)
{
    assert_rate("0.3 Gb/s", 37500000);
    assert_rate("33.333333333 GB/s", 33333333333.0);
    assert_rate("12.5 B/s", 12.5);
    assert_rate("4 EiB/s", 0x1p62);
}

TEST(a_bare_rate_shows_both_readings)
{
    refuses_rate("25", "'25' has no unit; write 25 GB/s or 25 Gb/s");
    refuses_rate("25 G", "'25 G' is ambiguous: write 25 GB/s or 25 Gb/s");
    refuses_rate("25 gb/s", "'25 gb/s' is ambiguous: write 25 GB/s or 25 Gb/s");
    refuses_rate("25 GB", "'25 GB' is not understood; write 25 GB/s");
    refuses_rate("25 Gbit", "'25 Gbit' is not understood; write 25 Gbit/s");
}

TEST(a_rate_is_above_zero_and_finite)
{
    refuses_rate("0 GB/s", "'0 GB/s' is zero; expected a rate above 0");
    refuses_rate("5 EiB/s", "'5 EiB/s' is too large; a rate is at most 4 EiB/s");
    refuses_rate("-1 GB/s", "'-1 GB/s' is negative; a rate is not");
    refuses_rate(
        "9999999999999999999999999999999999999999 GB/s",
        "'9999999999999999999999999999999999999999...' is too large; a rate is at most 4 EiB/s");
}

TEST(transfers_are_not_a_rate)
{
    refuses_rate("16 GT/s",
                 "'16 GT/s' counts transfers; a rate is in bytes or bits, such as 25 GB/s");
}

TEST(times_come_out_in_picoseconds)
{
    assert_int_equal(ps_of("10 ps"), 10);
    assert_int_equal(ps_of("500 ns"), 500000);
    assert_int_equal(ps_of("1.5us"), 1500000);
    assert_int_equal(ps_of("1.5 \xc2\xb5s"), 1500000);
    assert_int_equal(ps_of("1.5 \xce\xbcs"), 1500000);
    assert_int_equal(ps_of("2 ms"), 2000000000);
    assert_int_equal(ps_of("1 s"), UINT64_C(1000000000000));
    assert_int_equal(ps_of("0 s"), 0);
}

TEST(times_are_exact_to_the_picosecond)
{
    assert_int_equal(ps_of("0.000000000001 s"), 1);
    refuses_time("0.1 ps", "'0.1 ps' is not a whole number of picoseconds");
    refuses_time("4611687 s", "'4611687 s' is too long; a time is at most 4611686 s");
    refuses_time("25", "'25' has no unit; write 25 ns, 25 us or 25 ms");
    refuses_time("5 m", "'5 m' is not understood; write 5 ms");
    refuses_time("5 min", "unknown unit 'min' in '5 min'; write a time such as 500 ns or 1.5 us");
}

TEST(counts_are_digits_within_a_range)
{
    uint64_t count = 0;

    assert_int_equal(cs_units_count("2", 2, 64, &count, NULL), 0);
    assert_int_equal(count, 2);
    assert_int_equal(cs_units_count("0064", 2, 64, &count, NULL), 0);
    assert_int_equal(count, 64);
    assert_int_equal(cs_units_count("18446744073709551615", 0, UINT64_MAX, &count, NULL), 0);
    assert_true(count == UINT64_MAX);
    assert_refused(cs_units_count("65", 2, 64, &count, &err), CS_EINPUT,
                   "'65' is out of range; expected 2 to 64");
    assert_refused(cs_units_count("18446744073709551616", 1, UINT64_MAX, &count, &err), CS_EINPUT,
                   "'18446744073709551616' is out of range; expected at least 1");
}

TEST(what_is_not_all_digits_is_no_count)
{
    static const char *const wrong[] = {"",    " 5",  "5 ", "-1",  "+1",
                                        "1e3", "5 B", "x",  "1.0", "0x5"};
    uint64_t count = 0;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(cs_units_count(wrong[i], 0, 100, &count, NULL), CS_EINPUT);
}

TEST(a_fraction_is_above_0_and_at_most_1)
{
    assert_fraction("0.8", 0.8);
    assert_fraction("80 %", 0.8);
    assert_fraction("80%", 0.8);
    assert_fraction("0.123456789012345", 0.123456789012345);
    assert_fraction("1", 1);
    assert_fraction("100 %", 1);
    refuses_fraction("0");
    refuses_fraction("80");
    refuses_fraction("1.00000000000000000000001");
    refuses_fraction("101 %");
    refuses_fraction("-0.5");
    refuses_fraction("0.8 B");
}

TEST(the_locale_changes_nothing)
{
    char text[CS_UNITS_TEXT];

    /* Where no such locale is installed, C stays and the test is weaker. */
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        setlocale(LC_ALL, "C.UTF-8");
    assert_int_equal(bytes_of("1.5 kB"), 1500);
    assert_rate("0.5 GB/s", 5e8);
    assert_string_equal(cs_units_show_bytes(text, 1500000), "1.5 MB");
    assert_string_equal(cs_units_show_seconds(text, 7.516e-3), "7.516 ms");
    setlocale(LC_ALL, "C");
}

/* --------------------------------------------------------------- writers */

static void assert_bytes_shown(uint64_t bytes, const char *expected)
{
    char text[CS_UNITS_TEXT];

    assert_string_equal(cs_units_show_bytes(text, bytes), expected);
}

TEST(sizes_are_shown_in_the_unit_that_is_exact)
{
    assert_bytes_shown(0, "0 B");
    assert_bytes_shown(1, "1 B");
    assert_bytes_shown(999, "999 B");
    assert_bytes_shown(1024, "1 KiB");
    assert_bytes_shown(1536, "1.536 kB");
    assert_bytes_shown(1572864, "1.5 MiB");
    assert_bytes_shown((uint64_t)1025 << 20, "1025 MiB");
    assert_bytes_shown(1500000, "1.5 MB");
    assert_bytes_shown(1073741824, "1 GiB");
    assert_bytes_shown(UINT64_C(256) << 20, "256 MiB");
    assert_bytes_shown(UINT64_C(10000000000), "10 GB");
    assert_bytes_shown(UINT64_C(1) << 60, "1 EiB");
    assert_bytes_shown(UINT64_MAX, "18.45 EB");
    assert_bytes_shown(999960, "1 MB");
}

static void assert_seconds_shown(double time_s, const char *expected)
{
    char text[CS_UNITS_TEXT];

    assert_string_equal(cs_units_show_seconds(text, time_s), expected);
}

TEST(seconds_are_shown_with_four_digits)
{
    assert_seconds_shown(0, "0 s");
    assert_seconds_shown(1e-12, "1 ps");
    assert_seconds_shown(1e-13, "0.1 ps");
    assert_seconds_shown(7.5161927e-3, "7.516 ms");
    assert_seconds_shown(999.96e-6, "1 ms");
    assert_seconds_shown(123456, "123500 s");
    assert_seconds_shown(-2e-6, "-2 us");
    assert_seconds_shown(1.234e-20, "1.234e-20 s");
    assert_seconds_shown(1e300, "1e300 s");
    assert_seconds_shown(NAN, "-");
    assert_seconds_shown(-INFINITY, "-");
}

TEST(times_and_rates_are_shown_with_four_digits)
{
    char text[CS_UNITS_TEXT];

    assert_string_equal(cs_units_show_time(text, 0), "0 s");
    assert_string_equal(cs_units_show_time(text, 1500000), "1.5 us");
    assert_string_equal(cs_units_show_time(text, 1), "1 ps");
    assert_string_equal(cs_units_show_time(text, UINT64_MAX), "18450000 s");
    assert_string_equal(cs_units_show_rate(text, 25e9), "25 GB/s");
    assert_string_equal(cs_units_show_rate(text, 235.94e9), "235.9 GB/s");
    assert_string_equal(cs_units_show_rate(text, 0), "0 B/s");
    assert_string_equal(cs_units_show_rate(text, 0.05), "0.05 B/s");
    assert_string_equal(cs_units_show_rate(text, 1e21), "1000 EB/s");
    assert_string_equal(cs_units_show_rate(text, NAN), "-");
}

TEST(counts_are_shown_in_groups_of_three)
{
    char text[CS_UNITS_TEXT];

    assert_string_equal(cs_units_show_count(text, 0), "0");
    assert_string_equal(cs_units_show_count(text, 999), "999");
    assert_string_equal(cs_units_show_count(text, 1000), "1,000");
    assert_string_equal(cs_units_show_count(text, 2095104), "2,095,104");
    assert_string_equal(cs_units_show_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(exact_seconds_have_every_digit_and_no_more)
{
    char text[CS_UNITS_TEXT];

    assert_string_equal(cs_units_show_exact(text, 0), "0");
    assert_string_equal(cs_units_show_exact(text, 7516192768), "0.007516192768");
    assert_string_equal(cs_units_show_exact(text, UINT64_C(1000000000000)), "1");
    assert_string_equal(cs_units_show_exact(text, UINT64_C(100000000000000)), "100");
    assert_string_equal(cs_units_show_exact(text, 1), "0.000000000001");
    assert_string_equal(cs_units_show_exact(text, UINT64_MAX), "18446744.073709551615");
}

/* What is shown exactly is read back as it was. */
TEST(shown_sizes_can_be_read_back)
{
    char text[CS_UNITS_TEXT];

    for (int power = 0; power <= 62; power++)
        assert_true(bytes_of(cs_units_show_bytes(text, UINT64_C(1) << power)) == UINT64_C(1)
                                                                                     << power);
    for (uint64_t bytes = 1; bytes < 10000; bytes++)
        assert_int_equal(bytes_of(cs_units_show_bytes(text, bytes)), bytes);
}
