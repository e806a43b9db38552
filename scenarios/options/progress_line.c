#include "scenarios/options/progress_line.h"

#include "sim/base/clock.h"
#include "sim/base/units.h"

/* Seconds to the first line, and between lines: on a terminal, and in a log. */
static const struct {
    double first_s, next_s;
} paces[] = {{60, 300}, {1, 0.2}};

static const double first_figures_s = 0.2;

/* A computation that goes on for longer is announced, from its first half second. */
static const double long_s = CS_PROGRESS_LONG_S, noticed_s = 0.5;

/* Memory of a computation that is announced. */
static const double much_bytes = 1e9;

/* Seconds between calls of a host. */
static const double host_s = 0.05;

/* An estimate that grows by this factor is announced again. */
static const double far_off = 2;

/* ---- the line ---- */

void cs_progress_line_add_duration(double duration_s, struct cs_text *out)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"days", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}};
    size_t i = 0;

    while (i < 3 && duration_s < 2 * units[i].seconds)
        i++;
    cs_text_printf(out, "%.0f %s", duration_s / units[i].seconds, units[i].name);
}

/* The share that is done, of this computation or of the sequence: of the rounds, or
 * of the simulated time where that is less, as in long rounds of packets. */
static double progress_line_share_of(const struct cs_progress_line *display,
                                     const struct cs_progress *progress)
{
    double share = progress->rounds ? (double)progress->rounds_begun / (double)progress->rounds : 0;
    double of_time =
        display->expected_ps > 0 ? (double)progress->time_ps / display->expected_ps : 0;

    if (of_time > 0 && of_time < share)
        share = of_time;

    return display->parts && share <= 1 ? (display->part + share) / display->parts : share;
}

/* Whether a signal or the host stops the computation, of which a share is done. */
static bool progress_line_interrupted(struct cs_progress_line *display, double share)
{
    struct cs_progress_host *host = display->host;

    if (display->stopped)
        return true;
    if (!host) {
        display->stopped = cs_signals_take(display->signals);
    } else if (cs_clock_s() >= host->asked_s + host_s) {
        host->asked_s = cs_clock_s();
        display->stopped = !host->goes_on(host->ctx, display->phase ? display->phase : "", share);
    }
    return display->stopped;
}

/* Negative: unknown. */
static double seconds_left(const struct cs_progress_line *display,
                           const struct cs_progress *progress, double spent_s)
{
    double share = progress_line_share_of(display, progress);

    if (share <= 0 || share > 1)
        return -1;
    if (display->parts)
        spent_s += display->began_s - display->started_s;
    return spent_s * (1 / share - 1);
}

/* "12.3 million events/s, 45 %, about 3 s to go" */
static void progress_line_add_figures(const struct cs_progress_line *display,
                                      const struct cs_progress *progress, double spent_s,
                                      struct cs_text *out)
{
    double share = progress_line_share_of(display, progress);
    double left_s = seconds_left(display, progress, spent_s);
    bool has_speed = progress->events && spent_s > first_figures_s;

    if (has_speed)
        cs_text_printf(out, " %s, %.3g million events/s", cs_show_time(progress->time_ps).text,
                       (double)progress->events * 1e-6 / spent_s);
    if (left_s < 0) {
        cs_text_add(out, has_speed ? ", for " : " for ");
        cs_progress_line_add_duration(spent_s, out);
        return;
    }
    cs_text_printf(out, "%s %.*f %%", has_speed ? "," : "", share < 0.1 ? 2 : 0, 100 * share);
    cs_text_add(out, display->parts > 1 ? " of all, about " : ", about ");
    cs_progress_line_add_duration(left_s, out);
    cs_text_add(out, " to go");
}

/* From now on a second without another line shows that of plans, and ten in a
 * log. */
static void progress_line_time_plans(const struct cs_progress_line *display)
{
    if (display->signals && !display->shown && !display->announced)
        cs_signals_time(display->signals, fileno(display->messages), display->terminal);
}

/* A timer that has gone off has shown a line. */
static void progress_line_stop_timer(struct cs_progress_line *display)
{
    if (!cs_signals_untime(display->signals))
        return;
    display->shown = display->terminal;
    display->announced = true;
}

/* Prints the line and frees it.  Cut at the width of the terminal: a second row could
 * not be cleared. */
static void progress_line_print(struct cs_progress_line *display, struct cs_text *line)
{
    fprintf(display->messages, display->terminal ? "\r\033[K\033[?7l%s\033[?7h" : "%s\n",
            cs_text_str(line));
    fflush(display->messages);
    cs_text_free(line);
    display->shown = display->terminal;
}

static void progress_line_add_memory(const struct cs_progress_line *display, struct cs_text *line)
{
    if (display->memory_bytes >= much_bytes)
        cs_text_printf(line, "; needs %s of memory or more",
                       cs_show_bytes((uint64_t)display->memory_bytes).text);
}

static void show_line(struct cs_progress_line *display, const struct cs_progress *progress,
                      double spent_s)
{
    struct cs_text line = {0};

    progress_line_stop_timer(display);
    cs_text_printf(&line, "%s%s%s", cs_text_str(&display->what), display->what.length ? ": " : "",
                   display->phase);
    if (spent_s > first_figures_s || display->parts > 1)
        progress_line_add_figures(display, progress, spent_s, &line);
    progress_line_add_memory(display, &line);
    if (display->note.length)
        cs_text_printf(&line, "; %s", cs_text_str(&display->note));
    progress_line_print(display, &line);
}

void cs_progress_line_note(struct cs_progress_line *display, const char *note)
{
    if (!display)
        return;
    cs_text_free(&display->note);
    display->memory_bytes = display->expected_ps = 0;
    if (note)
        cs_text_add(&display->note, note);
}

void cs_progress_line_clear(struct cs_progress_line *display)
{
    progress_line_stop_timer(display);
    if (display->shown)
        fprintf(display->messages, "\r\033[K");
    display->shown = false;
}

/* ---- updates ---- */

/* In a log: whether the computation is long, once, and again where it turns out to
 * take twice as long as announced; with an unknown time left, after as long, and again
 * where it gets known. */
static bool progress_line_announces(struct cs_progress_line *display,
                                    const struct cs_progress *progress, double own_s)
{
    double left_s = seconds_left(display, progress, own_s);
    double spent_s = own_s;

    if (display->parts)
        spent_s += display->began_s - display->started_s;
    if (display->terminal || spent_s < noticed_s || (left_s < 0 ? spent_s : left_s) < long_s)
        return false;
    if (display->announced &&
        (display->announced_s > 0 ? spent_s + left_s < far_off * display->announced_s : left_s < 0))
        return false;
    display->announced = true;
    display->announced_s = left_s < 0 ? 0 : spent_s + left_s;
    return true;
}

/* Time before the first update has no share. */
static void progress_line_first(struct cs_progress_line *display, double at_s)
{
    if (display->begun)
        return;
    display->begun = true;
    display->began_s = at_s;
    if (display->part == 0)
        display->started_s = at_s;
    if (display->memory_bytes >= much_bytes && !display->terminal) {
        struct cs_text line = {0};

        cs_text_printf(&line, "%s%s%s", cs_text_str(&display->what),
                       display->what.length ? ": " : "", display->phase);
        progress_line_add_memory(display, &line);
        progress_line_print(display, &line);
    }
}

static bool progress_line_beat(void *ctx, const struct cs_progress *progress)
{
    struct cs_progress_line *display = ctx;
    double share = progress_line_share_of(display, progress);
    double at_s;

    if (progress_line_interrupted(display, progress->rounds ? share : -1))
        return false;
    if (display->share)
        atomic_store(display->share, (uint64_t)(1e6 * share));
    if (display->share || display->host)
        return true;
    at_s = cs_clock_s();
    progress_line_first(display, at_s);
    if (!progress_line_announces(display, progress, at_s - display->began_s) &&
        (at_s < display->started_s + paces[display->terminal].first_s ||
         at_s < display->shown_s + paces[display->terminal].next_s))
        return true;
    display->shown_s = at_s;
    show_line(display, progress, at_s - display->began_s);
    return true;
}

void cs_progress_line_open(struct cs_progress_line *display, bool is_json)
{
    cs_signals_listen(display->signals, is_json);
    progress_line_time_plans(display);
}

int cs_progress_line_check(struct cs_progress_line *display, struct cs_err *err)
{
    if (display && progress_line_interrupted(display, -1))
        return cs_err_set(err, CS_ESTOPPED, "stopped");
    return 0;
}

/* On a terminal after a second, in a log as for a computation without an estimate. */
static bool progress_line_locked(void *ctx, double waited_s)
{
    static const struct {
        double first_s, next_s;
    } lines[] = {{CS_PROGRESS_LONG_S, 300}, {1, 0.2}};
    struct cs_progress_line *display = ctx;
    struct cs_text line = {0};
    double shown_s;

    if (progress_line_interrupted(display, -1))
        return false;
    if (display->host)
        return true;
    if (waited_s < display->lock_shown_s)
        display->lock_shown_s = 0; /* another wait */
    shown_s = display->lock_shown_s;
    if (waited_s < (shown_s > 0 ? shown_s + lines[display->terminal].next_s
                                : lines[display->terminal].first_s))
        return true;
    display->lock_shown_s = waited_s;
    progress_line_stop_timer(display);
    cs_text_add(&line, "waiting for the results database, which another process has locked, for ");
    cs_progress_line_add_duration(waited_s, &line);
    progress_line_print(display, &line);
    return true;
}

struct cs_database_wait cs_progress_line_lock(struct cs_progress_line *display)
{
    return display ? (struct cs_database_wait){progress_line_locked, display}
                   : (struct cs_database_wait){0};
}

void cs_progress_line_keep(struct cs_progress_line *display)
{
    display->keeps = true;
    cs_signals_hold(display->signals);
}

const struct cs_monitor *cs_progress_line_watch(struct cs_progress_line *display, const char *phase)
{
    if (!display)
        return NULL;
    progress_line_stop_timer(display);
    display->phase = phase;
    display->began_s = cs_clock_s();
    display->begun = false;
    if (display->started_s == 0)
        display->started_s = display->began_s;
    display->monitor = (struct cs_monitor){progress_line_beat, display};
    return &display->monitor;
}

const struct cs_monitor *cs_progress_line_begin(struct cs_progress_line *display, const char *phase)
{
    const struct cs_monitor *monitor = cs_progress_line_watch(display, phase);

    if (monitor)
        cs_signals_hold(display->signals);
    return monitor;
}

int cs_progress_line_end(struct cs_progress_line *display, int code, struct cs_err *err)
{
    if (!display)
        return code;
    if (!code && progress_line_interrupted(display, -1))
        code = cs_err_set(err, CS_ESTOPPED, "stopped");
    if (!display->keeps && !code)
        cs_signals_release(display->signals);
    progress_line_time_plans(display);
    return code;
}

void cs_progress_line_close(struct cs_progress_line *display)
{
    cs_progress_line_clear(display);
    cs_text_free(&display->what);
    cs_text_free(&display->note);
    cs_signals_drop(display->signals);
    *display = (struct cs_progress_line){
        .messages = display->messages,
        .terminal = display->terminal,
        .signals = display->signals,
        .host = display->host,
    };
}
