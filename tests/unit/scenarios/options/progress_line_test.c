#include "scenarios/options/progress_line.h"

#include "tests/test.h"

/* What the line says a second after the beginning, half of a computation done. */
static void line_of(uint32_t part, uint32_t parts, char *line, size_t size)
{
    struct cs_progress half = {.rounds_begun = 50, .rounds = 100};
    struct cs_progress_line display = {
        .messages = tmpfile(), .terminal = true, .part = part, .parts = parts};
    const struct cs_monitor *monitor;

    assert_non_null(display.messages);
    monitor = cs_progress_line_begin(&display, "simulating");
    display.begun = true;
    display.began_s -= 10;
    display.started_s = display.began_s - 10. * part;
    assert_true(monitor->update(monitor->ctx, &half));
    rewind(display.messages);
    line[fread(line, 1, size - 1, display.messages)] = '\0';
    assert_int_equal(cs_progress_line_end(&display, 0, NULL), 0);
    cs_progress_line_close(&display);
    (void)fclose(display.messages);
}

TEST(the_time_to_go_is_that_of_the_computation)
{
    char line[256];

    line_of(0, 0, line, sizeof(line));
    assert_non_null(strstr(line, " 50 %, about 10 s to go"));
}

/* Three of four are done and half of the last, in 40 s. */
TEST(the_time_to_go_is_that_of_all_computations)
{
    char line[256];

    line_of(3, 4, line, sizeof(line));
    assert_non_null(strstr(line, " 88 % of all, about 6 s to go"));
    line_of(1, 8, line, sizeof(line));
    assert_non_null(strstr(line, " 19 % of all, about 87 s to go"));
}

/* The line of a log after the seconds, with the share done; empty: none. */
static void log_after(double seconds, uint64_t percent, char *line, size_t size)
{
    struct cs_progress progress = {.rounds_begun = percent, .rounds = 100};
    struct cs_progress_line display = {.messages = tmpfile()};
    const struct cs_monitor *monitor;

    assert_non_null(display.messages);
    monitor = cs_progress_line_begin(&display, "simulating");
    display.begun = true;
    display.began_s -= seconds;
    display.started_s = display.began_s;
    assert_true(monitor->update(monitor->ctx, &progress));
    assert_true(monitor->update(monitor->ctx, &progress));
    rewind(display.messages);
    line[fread(line, 1, size - 1, display.messages)] = '\0';
    assert_int_equal(cs_progress_line_end(&display, 0, NULL), 0);
    cs_progress_line_close(&display);
    (void)fclose(display.messages);
}

TEST(a_log_announces_a_gigabyte_at_the_start)
{
    const struct cs_progress start = {.rounds = 100};
    struct cs_progress_line display = {.messages = tmpfile()};
    const struct cs_monitor *monitor;
    char line[256];

    assert_non_null(display.messages);
    for (int run = 0; run < 2; run++) {
        cs_progress_line_note(&display, NULL);
        display.memory_bytes = run ? 4e9 : 9e8;
        monitor = cs_progress_line_begin(&display, "simulating");
        assert_true(monitor->update(monitor->ctx, &start));
        assert_true(monitor->update(monitor->ctx, &start));
    }
    rewind(display.messages);
    line[fread(line, 1, sizeof(line) - 1, display.messages)] = '\0';
    assert_string_equal(line, "simulating; needs 4 GB of memory or more\n");
    assert_int_equal(cs_progress_line_end(&display, 0, NULL), 0);
    cs_progress_line_close(&display);
    (void)fclose(display.messages);
}

/* Notes come from the arena of a run that ends before the line. */
TEST(a_note_outlives_its_text)
{
    struct cs_progress_line display = {.messages = NULL};
    char text[] = "not folded";

    cs_progress_line_note(&display, text);
    memset(text, '?', sizeof(text) - 1);
    assert_string_equal(cs_text_str(&display.note), "not folded");
    cs_progress_line_note(&display, NULL);
    assert_int_equal(display.note.length, 0);
}

TEST(a_log_announces_a_long_computation_once)
{
    char line[256];

    log_after(0.6, 2, line, sizeof(line));
    assert_non_null(strstr(line, " 2.00 %, about 29 s to go\n"));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    log_after(0.6, 10, line, sizeof(line));
    assert_string_equal(line, "");
    log_after(0.1, 0, line, sizeof(line));
    assert_string_equal(line, "");
}

/* 24 s said; then 35 s in all, which is near, then 240 s. */
TEST(a_log_announces_an_estimate_that_has_doubled)
{
    static const uint64_t rounds[] = {50, 34, 5};
    struct cs_progress_line display = {.messages = tmpfile()};
    struct cs_progress progress = {.rounds = 100};
    const struct cs_monitor *monitor;
    char lines[512];

    assert_non_null(display.messages);
    monitor = cs_progress_line_begin(&display, "simulating");
    display.begun = true;
    display.began_s -= 12;
    display.started_s = display.began_s;
    for (size_t i = 0; i < sizeof(rounds) / sizeof(*rounds); i++) {
        progress.rounds_begun = rounds[i];
        assert_true(monitor->update(monitor->ctx, &progress));
    }
    rewind(display.messages);
    lines[fread(lines, 1, sizeof(lines) - 1, display.messages)] = '\0';
    assert_non_null(strstr(lines, " 50 %, about 12 s to go\n"));
    assert_null(strstr(lines, " 34 %"));
    assert_non_null(strstr(lines, "about 4 min to go\n"));
    assert_int_equal(cs_progress_line_end(&display, 0, NULL), 0);
    cs_progress_line_close(&display);
    (void)fclose(display.messages);
}

TEST(a_log_announces_ten_seconds_without_an_estimate)
{
    char line[256];

    log_after(9, 0, line, sizeof(line));
    assert_string_equal(line, "");
    log_after(11, 0, line, sizeof(line));
    assert_non_null(strstr(line, "simulating for 11 s\n"));
}

/* Ten seconds of a search without an estimate were the only line of a simulation of
 * minutes. */
TEST(a_log_announces_an_estimate_after_a_time_without)
{
    static const char *const phases[] = {"searching", "simulating"};
    struct cs_progress_line display = {.messages = tmpfile()};
    struct cs_progress progress = {.rounds = 100};
    const struct cs_monitor *monitor;
    char lines[512];

    assert_non_null(display.messages);
    for (uint64_t phase = 0; phase < 2; phase++) {
        monitor = cs_progress_line_begin(&display, phases[phase]);
        display.begun = true;
        display.began_s -= 12;
        if (!phase)
            display.started_s = display.began_s;
        progress.rounds_begun = 10 * phase;
        assert_true(monitor->update(monitor->ctx, &progress));
        assert_true(monitor->update(monitor->ctx, &progress));
    }
    rewind(display.messages);
    lines[fread(lines, 1, sizeof(lines) - 1, display.messages)] = '\0';
    assert_non_null(strstr(lines, "searching for 12 s\nsimulating 10 %, about 108 s to go\n"));
    assert_int_equal(cs_progress_line_end(&display, 0, NULL), 0);
    cs_progress_line_close(&display);
    (void)fclose(display.messages);
}

TEST(a_wait_for_a_locked_database_is_shown_once_in_a_log)
{
    const double waited_s[] = {0, 9, 10, 12, 299, 320, 0, 11};
    struct cs_progress_line display = {.messages = tmpfile()};
    const struct cs_database_wait wait = cs_progress_line_lock(&display);
    char lines[1024];
    const char *at = lines;
    int count = 0;

    assert_non_null(display.messages);
    for (size_t i = 0; i < sizeof(waited_s) / sizeof(*waited_s); i++)
        assert_true(wait.goes_on(wait.ctx, waited_s[i]));
    rewind(display.messages);
    lines[fread(lines, 1, sizeof(lines) - 1, display.messages)] = '\0';
    assert_non_null(strstr(
        lines, "waiting for the results database, which another process has locked, for 10 s\n"));
    while ((at = strstr(at, "locked")) != NULL) {
        at++;
        count++;
    }
    assert_int_equal(count, 3);
    cs_progress_line_close(&display);
    (void)fclose(display.messages);
}

struct host_log {
    int calls;
    double share; /* of the last call */
    bool stops;
};

static bool log_host(void *ctx, const char *phase, double share)
{
    struct host_log *log = ctx;

    assert_string_equal(phase, "simulating");
    log->calls++;
    log->share = share;
    return !log->stops;
}

/* At once, and then every 50 ms; a line would be due, and is not printed. */
TEST(a_host_is_asked_and_nothing_is_printed)
{
    struct host_log log = {0};
    struct cs_progress_host host = {.goes_on = log_host, .ctx = &log};
    struct cs_progress half = {.rounds_begun = 50, .rounds = 100}, unknown = {0};
    struct cs_progress_line display = {.messages = tmpfile(), .terminal = true, .host = &host};
    const struct cs_monitor *monitor = cs_progress_line_begin(&display, "simulating");

    assert_non_null(display.messages);
    assert_true(monitor->update(monitor->ctx, &half));
    assert_true(log.calls == 1 && log.share == 0.5);
    assert_true(monitor->update(monitor->ctx, &half));
    assert_int_equal(log.calls, 1);
    host.asked_s -= 1;
    display.began_s = display.started_s -= 100;
    assert_true(monitor->update(monitor->ctx, &unknown));
    assert_true(log.calls == 2 && log.share < 0);
    log.stops = true;
    host.asked_s -= 1;
    assert_false(monitor->update(monitor->ctx, &half));
    assert_int_equal(log.calls, 3);
    host.asked_s -= 1;
    assert_int_equal(cs_progress_line_check(&display, NULL), CS_ESTOPPED);
    assert_int_equal(cs_progress_line_end(&display, 0, NULL), CS_ESTOPPED);
    assert_int_equal(log.calls, 3); /* it has stopped */
    assert_int_equal(ftell(display.messages), 0);
    cs_progress_line_close(&display);
    (void)fclose(display.messages);
}
