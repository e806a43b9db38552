#include "scenarios/options/progress_line.h"

#include "sim/base/clock.h"
#include "sim/base/units.h"

#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

const char cs_progress_line_json[] = "{\n  \"error\": \"stopped\",\n  \"exit\": 130,\n"
                                     "  \"interrupted\": true\n}\n";

/* Seconds to the first line, and between lines: on a terminal, and in a log. */
static const struct {
    double first_s, next_s;
} paces[] = {{60, 300}, {1, 0.2}};

static const double first_figures_s = 0.2;

/* A computation that goes on for longer is announced, from its first half second. */
static const double long_s = CS_PROGRESS_LONG_S, noticed_s = 0.5;

/* Memory of a computation that is announced. */
static const double much_bytes = 1e9;

/* An estimate that grows by this factor is announced again. */
static const double far_off = 2;

static const int stopping[CS_PROGRESS_SIGNALS] = {SIGINT, SIGTERM};

/* The signals that stop a computation.  One that the caller of the program ignores
 * would stay pending where it is blocked. */
static sigset_t progress_line_signals(const struct cs_progress_line *display)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < CS_PROGRESS_SIGNALS; i++)
        if (!display->ignores && !display->signals.ignored[i])
            sigaddset(&set, stopping[i]);
    return set;
}

/* Consumes a pending signal, once and for all. */
static bool progress_line_interrupted(struct cs_progress_line *display)
{
    const struct timespec at_once = {0};
    sigset_t set = progress_line_signals(display);

    if (!display->stopped)
        display->stopped = sigtimedwait(&set, NULL, &at_once) > 0;
    return display->stopped;
}

/* Consumes what is pending: timeout(1) sends its signal twice, and the second one would
 * end the program before its results are printed. */
static void progress_line_drop(const struct cs_progress_line *display)
{
    const struct timespec at_once = {0};
    sigset_t set = progress_line_signals(display);

    while (sigtimedwait(&set, NULL, &at_once) > 0)
        ;
}

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
    char text[CS_UNITS_TEXT];

    if (has_speed)
        cs_text_printf(out, " %s, %.3g million events/s",
                       cs_units_show_time(text, progress->time_ps),
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

/* ---- plans, which have no monitor ---- */

/* SIGALRM; async-signal-safe calls only. */
static void progress_line_plan(int number)
{
    static const char text[] = "\r\033[Kopening the machine and planning the run";

    (void)number;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        return;
}

static void progress_line_plan_in_log(int number)
{
    static const char text[] = "opening the machine and planning the run takes over 10 s\n";

    (void)number;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        return;
}

/* From now on a second without another line shows that of plans, and ten in a
 * log. */
static void progress_line_time_plans(struct cs_progress_line *display)
{
    const struct itimerval wait = {.it_value = {.tv_sec = display->terminal ? 1 : (time_t)long_s}};
    struct sigaction action = {.sa_handler = display->terminal ? progress_line_plan
                                                               : progress_line_plan_in_log,
                               .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    if (!display->opened || display->timed || display->shown || display->announced ||
        fileno(display->messages) != STDERR_FILENO || sigaction(SIGALRM, &action, NULL))
        return;
    display->timed = setitimer(ITIMER_REAL, &wait, NULL) == 0;
}

/* A timer that has gone off has shown a line. */
static void progress_line_stop_timer(struct cs_progress_line *display)
{
    const struct itimerval never = {0};
    struct itimerval left = {0};

    if (!display->timed)
        return;
    (void)setitimer(ITIMER_REAL, &never, &left);
    display->timed = false;
    if (left.it_value.tv_sec || left.it_value.tv_usec)
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
    char memory[CS_UNITS_TEXT];

    if (display->memory_bytes >= much_bytes)
        cs_text_printf(line, "; needs %s of memory or more",
                       cs_units_show_bytes(memory, (uint64_t)display->memory_bytes));
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
    double at_s;

    if (progress_line_interrupted(display))
        return false;
    if (display->share) {
        atomic_store(display->share, (uint64_t)(1e6 * progress_line_share_of(display, progress)));
        return true;
    }
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

/* A signal without results to print; async-signal-safe calls only. */
static void progress_line_interrupt(int number)
{
    static const char text[] = "\ncollsim: stopped\n";

    (void)number;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(-CS_ESTOPPED);
    _exit(-CS_ESTOPPED);
}

/* The same where the output is a JSON document. */
static void progress_line_interrupt_json(int number)
{
    (void)number;
    if (write(STDOUT_FILENO, cs_progress_line_json, strlen(cs_progress_line_json)) < 0)
        _exit(-CS_ESTOPPED);
    _exit(-CS_ESTOPPED);
}

void cs_progress_line_listen(struct cs_progress_line *display)
{
    struct sigaction action = {.sa_handler = display->is_json ? progress_line_interrupt_json
                                                              : progress_line_interrupt};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CS_PROGRESS_SIGNALS; i++) {
        struct sigaction *typical = &display->signals.typical[i];

        if (!display->opened && sigaction(stopping[i], NULL, typical))
            return;
        display->signals.ignored[i] = typical->sa_handler == SIG_IGN;
    }
    display->opened = true;
    for (size_t i = 0; i < CS_PROGRESS_SIGNALS; i++)
        if (!display->signals.ignored[i])
            (void)sigaction(stopping[i], &action, NULL);
}

void cs_progress_line_open(struct cs_progress_line *display, bool is_json)
{
    display->is_json = is_json;
    cs_progress_line_listen(display);
    progress_line_time_plans(display);
}

int cs_progress_line_check(struct cs_progress_line *display, struct cs_err *err)
{
    if (display && display->holds && progress_line_interrupted(display))
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

    if (display->holds && progress_line_interrupted(display))
        return false;
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

static void progress_line_hold(struct cs_progress_line *display)
{
    sigset_t set = progress_line_signals(display);

    if (!display->holds)
        pthread_sigmask(SIG_BLOCK, &set, &display->before);
    display->holds = true;
}

void cs_progress_line_keep(struct cs_progress_line *display)
{
    display->keeps = true;
    progress_line_hold(display);
}

static void progress_line_release(struct cs_progress_line *display)
{
    if (display->holds)
        pthread_sigmask(SIG_SETMASK, &display->before, NULL);
    display->holds = false;
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
        progress_line_hold(display);
    return monitor;
}

int cs_progress_line_end(struct cs_progress_line *display, int code, struct cs_err *err)
{
    if (!display)
        return code;
    if (!code && progress_line_interrupted(display))
        code = cs_err_set(err, CS_ESTOPPED, "stopped");
    if (display->opened && !display->keeps && !code)
        progress_line_release(display);
    progress_line_time_plans(display);
    return code;
}

void cs_progress_line_close(struct cs_progress_line *display)
{
    cs_progress_line_clear(display);
    cs_text_free(&display->what);
    cs_text_free(&display->note);
    if (display->holds)
        progress_line_drop(display);
    progress_line_release(display);
    *display = (struct cs_progress_line){
        .messages = display->messages,
        .terminal = display->terminal,
        .is_json = display->is_json,
        .opened = display->opened,
        .ignores = display->ignores,
        .signals = display->signals,
    };
}

void cs_progress_line_leave(struct cs_progress_line *display)
{
    cs_progress_line_close(display);
    for (size_t i = 0; i < CS_PROGRESS_SIGNALS && display->opened; i++)
        (void)sigaction(stopping[i], &display->signals.typical[i], NULL);
    display->opened = false;
}
