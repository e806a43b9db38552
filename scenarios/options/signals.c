#include "scenarios/options/signals.h"

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    SIGNALS = 2,
    LOG_S = 10, /* in a log, as for a computation without an estimate */
};

static const int stopping[SIGNALS] = {SIGINT, SIGTERM};

struct cs_signals {
    bool listens;
    bool ignored[SIGNALS];             /* as SIGINT in a background job */
    struct sigaction typical[SIGNALS]; /* before listen */
    bool holds;
    sigset_t before; /* blocked before hold */
    bool timed;
};

struct cs_signals *cs_signals_new(void)
{
    struct cs_signals *signals = cs_grow(NULL, 1, sizeof(*signals));

    *signals = (struct cs_signals){0};
    return signals;
}

/* Those that stop.  One that the caller of the program ignores would stay pending where it
 * is blocked. */
static sigset_t signals_set(const struct cs_signals *signals)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < SIGNALS; i++)
        if (!signals->ignored[i])
            sigaddset(&set, stopping[i]);
    return set;
}

/* ---- the end of the program; async-signal-safe calls only ---- */

static void signals_end(int number)
{
    static const char text[] = "\ncollsim: stopped\n";

    (void)number;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(-CS_ESTOPPED);
    _exit(-CS_ESTOPPED);
}

static void signals_end_json(int number)
{
    static const char text[] = "{\n  \"error\": \"stopped\",\n  \"exit\": 130,\n"
                               "  \"interrupted\": true\n}\n";

    (void)number;
    if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
        _exit(-CS_ESTOPPED);
    _exit(-CS_ESTOPPED);
}

void cs_signals_listen(struct cs_signals *signals, bool is_json)
{
    struct sigaction action = {.sa_handler = is_json ? signals_end_json : signals_end};

    if (!signals)
        return;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction *typical = &signals->typical[i];

        if (!signals->listens && sigaction(stopping[i], NULL, typical))
            return;
        signals->ignored[i] = typical->sa_handler == SIG_IGN;
    }
    signals->listens = true;
    for (size_t i = 0; i < SIGNALS; i++)
        if (!signals->ignored[i])
            (void)sigaction(stopping[i], &action, NULL);
}

void cs_signals_free(struct cs_signals *signals)
{
    for (size_t i = 0; i < SIGNALS && signals && signals->listens; i++)
        (void)sigaction(stopping[i], &signals->typical[i], NULL);
    free(signals);
}

/* ---- signals that wait ---- */

void cs_signals_hold(struct cs_signals *signals)
{
    sigset_t set;

    if (!signals || signals->holds)
        return;
    set = signals_set(signals);
    pthread_sigmask(SIG_BLOCK, &set, &signals->before);
    signals->holds = true;
}

void cs_signals_release(struct cs_signals *signals)
{
    if (!signals || !signals->holds)
        return;
    pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
    signals->holds = false;
}

bool cs_signals_take(struct cs_signals *signals)
{
    const struct timespec at_once = {0};
    sigset_t set;

    if (!signals || !signals->holds)
        return false;
    set = signals_set(signals);
    return sigtimedwait(&set, NULL, &at_once) > 0;
}

/* timeout(1) sends its signal twice, and the second one would end the program before its
 * results are printed. */
void cs_signals_drop(struct cs_signals *signals)
{
    while (cs_signals_take(signals))
        ;
    cs_signals_release(signals);
}

/* ---- plans, which have no monitor ---- */

static void signals_plan(int number)
{
    static const char text[] = "\r\033[Kopening the machine and planning the run";

    (void)number;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        return;
}

static void signals_plan_in_log(int number)
{
    static const char text[] = "opening the machine and planning the run takes over 10 s\n";

    (void)number;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        return;
}

void cs_signals_time(struct cs_signals *signals, int file, bool is_terminal)
{
    const struct itimerval wait = {.it_value = {.tv_sec = is_terminal ? 1 : LOG_S}};
    struct sigaction action = {.sa_handler = is_terminal ? signals_plan : signals_plan_in_log,
                               .sa_flags = SA_RESTART};

    if (!signals || !signals->listens || signals->timed || file != STDERR_FILENO)
        return;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) == 0)
        signals->timed = setitimer(ITIMER_REAL, &wait, NULL) == 0;
}

bool cs_signals_untime(struct cs_signals *signals)
{
    const struct itimerval never = {0};
    struct itimerval left = {0};

    if (!signals || !signals->timed)
        return false;
    (void)setitimer(ITIMER_REAL, &never, &left);
    signals->timed = false;
    return left.it_value.tv_sec == 0 && left.it_value.tv_usec == 0;
}
