#include "validate/tcp/session.h"

#include "sim/base/clock.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    AHEAD_NS = 3000000, /* of the common start: members fall asleep before */
    SETUP_MS = 15000,   /* for connections and buffers */
    GRACE_MS = 1000,    /* after the deadline of the members */
    WITNESS_MS = 300,   /* in which the cause of an error shows */
};

struct team_member {
    pid_t pid;
    int socket; /* to the process; -1: closed */
    bool answered;
    struct cs_tcp_report report;
};

struct cs_tcp_team {
    struct cs_tcp_team_spec spec;
    struct team_member *members;
    uint32_t program; /* in use, for names; UINT32_MAX: none yet */
    bool realtime;
};

/* ---- processes ---- */

/* The child ends with the parent, Ctrl-C is the parent's, and no descriptor of a
 * sister stays open. */
static void team_become(struct cs_tcp_team *team, uint32_t party,
                        const struct cs_tcp_member *member, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (uint32_t i = 0; i < party; i++)
        close(team->members[i].socket);
    cs_tcp_member_live(member);
    _exit(0);
}

static int team_fork(struct cs_tcp_team *team, uint32_t party, uint64_t session, struct cs_err *err)
{
    struct team_member *self = &team->members[party];
    struct cs_tcp_member member = {&team->spec, party, session, -1};
    pid_t parent = getpid();
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return cs_err_set(err, CS_ECANNOT, "cannot make a socket pair: %s", strerror(errno));
    member.parent = pair[1];
    self->pid = fork();
    if (self->pid == 0) {
        close(pair[0]);
        team_become(team, party, &member, parent);
    }
    close(pair[1]);
    self->socket = pair[0];
    if (self->pid < 0)
        return cs_err_set(err, CS_ECANNOT, "cannot start a process: %s", strerror(errno));
    return 0;
}

static const char *team_name(const struct cs_tcp_team *team, uint32_t party,
                             char text[CS_PARTY_NAME])
{
    static const struct cs_program unknown = {.ranks = UINT32_MAX};

    return cs_party_name(
        team->program < team->spec.program_count ? team->spec.programs[team->program] : &unknown,
        party, text);
}

/* ---- reports ---- */

/* Whether a member has died, by a signal or otherwise; *err names it. */
static bool team_find_dead(struct cs_tcp_team *team, struct cs_err *err)
{
    char name[CS_PARTY_NAME];
    int status;

    for (uint32_t i = 0; i < team->spec.parties; i++) {
        struct team_member *member = &team->members[i];

        if (member->pid <= 0 || waitpid(member->pid, &status, WNOHANG) != member->pid)
            continue;
        member->pid = 0;
        team_name(team, i, name);
        if (WIFSIGNALED(status)) {
            cs_err_set(err, CS_EANSWER, "%s was ended by signal %d (%s); the others are stopped",
                       name, WTERMSIG(status), strsignal(WTERMSIG(status)));
            return true;
        }
        /* After a report of an error a member ends by itself. */
        if (WEXITSTATUS(status) != 0) {
            cs_err_set(err, CS_EANSWER, "%s ended with exit status %d", name, WEXITSTATUS(status));
            return true;
        }
    }
    return false;
}

/* Takes late reports; the first member without one, or CS_TCP_PARTIES_MAX. */
static uint32_t team_silent(struct cs_tcp_team *team)
{
    uint32_t silent = CS_TCP_PARTIES_MAX;

    for (uint32_t i = team->spec.parties; i-- > 0;) {
        struct team_member *member = &team->members[i];

        if (!member->answered && recv(member->socket, &member->report, sizeof(member->report),
                                      MSG_DONTWAIT) == sizeof(member->report))
            member->answered = true;
        if (!member->answered)
            silent = i;
    }
    return silent;
}

/* The error of a member.  A dead member is the cause of errors of the others, and
 * a silent member the likely cause. */
static int team_blame(struct cs_tcp_team *team, uint32_t party, struct cs_err *err)
{
    const struct cs_tcp_report *report = &team->members[party].report;
    char name[CS_PARTY_NAME];
    char other[CS_PARTY_NAME];
    uint64_t until_ns = cs_clock_ns() + WITNESS_MS * 1000000ull;
    uint32_t silent = CS_TCP_PARTIES_MAX;

    while (report->code != CS_ECANNOT && cs_clock_ns() < until_ns) {
        if (team_find_dead(team, err))
            return err->code;
        silent = team_silent(team);
        poll(NULL, 0, 5);
    }
    team_name(team, party, name);
    if (silent < CS_TCP_PARTIES_MAX)
        return cs_err_set(err, report->code, "%s does not answer; %s: %s",
                          team_name(team, silent, other), name, report->text);
    return cs_err_set(err, report->code, "%s: %s", name, report->text);
}

static int team_missing(struct cs_tcp_team *team, struct cs_err *err)
{
    char name[CS_PARTY_NAME];

    for (uint32_t i = 0; i < team->spec.parties; i++)
        if (!team->members[i].answered)
            return cs_err_set(err, CS_EANSWER, "%s does not answer; the others are stopped",
                              team_name(team, i, name));
    return 0;
}

/* Takes the report of a readable member. */
static int team_hear(struct cs_tcp_team *team, uint32_t party, struct cs_err *err)
{
    struct team_member *member = &team->members[party];
    ssize_t got = recv(member->socket, &member->report, sizeof(member->report), MSG_DONTWAIT);
    char name[CS_PARTY_NAME];

    if (got < 0 && errno == EAGAIN)
        return 0;
    if (got == sizeof(member->report)) {
        member->answered = true;
        return member->report.code ? CS_EANSWER : 0;
    }
    for (int tries = 0; tries < WITNESS_MS; tries++) {
        if (team_find_dead(team, err))
            return err->code;
        poll(NULL, 0, 1);
    }
    return cs_err_set(err, CS_EANSWER, "%s broke off", team_name(team, party, name));
}

static uint32_t team_polled(const struct cs_tcp_team *team, struct pollfd *polled)
{
    uint32_t open = 0;

    for (uint32_t i = 0; i < team->spec.parties; i++) {
        polled[i] =
            (struct pollfd){team->members[i].answered ? -1 : team->members[i].socket, POLLIN, 0};
        open += !team->members[i].answered;
    }
    return open;
}

/* A wait for the reports of all members, interrupted once. */
struct team_wait {
    uint64_t until_ns;
    uint64_t act_ns; /* 0: nothing to do */
    const struct cs_tcp_interlude *interlude;
};

static int team_act(struct team_wait *wait, uint64_t now_ns, struct cs_err *err)
{
    if (wait->act_ns == 0 || now_ns < wait->act_ns)
        return 0;
    wait->act_ns = 0;
    return wait->interlude->act(wait->interlude->ctx, err);
}

static int team_listen(struct cs_tcp_team *team, struct pollfd *polled, int timeout_ms,
                       struct cs_err *err)
{
    int code = 0;

    poll(polled, team->spec.parties, timeout_ms);
    for (uint32_t i = 0; i < team->spec.parties && !code; i++) {
        if (polled[i].fd < 0 || !polled[i].revents)
            continue;
        code = team_hear(team, i, err);
        if (code && !err->code)
            code = team_blame(team, i, err);
    }
    return code;
}

static int team_wait(struct cs_tcp_team *team, struct team_wait *wait, struct cs_err *err)
{
    struct pollfd polled[CS_TCP_PARTIES_MAX];
    int code = 0;

    while (team_polled(team, polled) > 0 && !code) {
        uint64_t now_ns = cs_clock_ns();
        uint64_t next_ns = wait->act_ns ? wait->act_ns : wait->until_ns;

        if (now_ns >= wait->until_ns)
            return team_missing(team, err);
        code = team_act(wait, now_ns, err);
        if (!code && now_ns < next_ns)
            code = team_listen(team, polled, (int)((next_ns - now_ns) / 1000000) + 1, err);
    }
    return code;
}

/* Sends an order to all members and takes their reports. */
static int team_order(struct cs_tcp_team *team, const struct cs_tcp_order *order,
                      struct team_wait *wait, struct cs_err *err)
{
    for (uint32_t i = 0; i < team->spec.parties; i++) {
        team->members[i].answered = false;
        if (send(team->members[i].socket, order, sizeof(*order), MSG_NOSIGNAL) < 0)
            break; /* the wait finds the reason */
    }
    return team_wait(team, wait, err);
}

/* ---- the team ---- */

static int team_connect(struct cs_tcp_team *team, struct cs_err *err)
{
    struct cs_tcp_order order = {.kind = CS_TCP_ORDER_PORTS};
    struct team_wait wait = {.until_ns = cs_clock_ns() + SETUP_MS * 1000000ull};
    int code = team_wait(team, &wait, err); /* ports */

    for (uint32_t i = 0; i < team->spec.parties; i++)
        order.ports[i] = team->members[i].report.port;
    if (!code)
        code = team_order(team, &order, &wait, err);
    team->realtime = !code && team->members[0].report.realtime;
    return code;
}

int cs_tcp_team_start(const struct cs_tcp_team_spec *spec, struct cs_tcp_team **started,
                      struct cs_err *err)
{
    struct cs_tcp_team *team = cs_grow(NULL, 1, sizeof(*team));
    uint64_t session = 0;
    int code = 0;

    *team = (struct cs_tcp_team){.spec = *spec, .program = UINT32_MAX};
    team->members = cs_grow(NULL, spec->parties, sizeof(*team->members));
    for (uint32_t i = 0; i < spec->parties; i++)
        team->members[i] = (struct team_member){.socket = -1};
    if (getrandom(&session, sizeof(session), 0) != sizeof(session))
        session = cs_clock_ns();
    for (uint32_t i = 0; i < spec->parties && !code; i++)
        code = team_fork(team, i, session, err);
    if (!code)
        code = team_connect(team, err);
    if (code) {
        cs_tcp_team_stop(team);
        team = NULL;
    }
    *started = team;
    return code;
}

bool cs_tcp_team_is_realtime(const struct cs_tcp_team *team)
{
    return team->realtime;
}

void cs_tcp_team_stop(struct cs_tcp_team *team)
{
    if (!team)
        return;
    for (uint32_t i = 0; i < team->spec.parties; i++) {
        if (team->members[i].pid > 0)
            kill(team->members[i].pid, SIGKILL);
        if (team->members[i].socket >= 0)
            close(team->members[i].socket);
    }
    for (uint32_t i = 0; i < team->spec.parties; i++)
        if (team->members[i].pid > 0)
            waitpid(team->members[i].pid, NULL, 0);
    free(team->members);
    free(team);
}

/* ---- runs ---- */

/* Ticks of all processors: stolen by other machines, and all. */
struct ticks {
    unsigned long long stolen, all;
};

/* The line "cpu", of /proc/stat: user, nice, system, idle, iowait, irq, softirq,
 * steal. */
static struct ticks team_ticks(void)
{
    struct ticks ticks = {0, 0};
    char line[256] = "";
    FILE *file = fopen("/proc/stat", "r");
    char *at = line + 3;

    if (!file)
        return ticks;
    if (fgets(line, sizeof(line), file) && strncmp(line, "cpu ", 4) == 0)
        for (int i = 0; i < 8; i++) {
            ticks.stolen = strtoull(at, &at, 10);
            ticks.all += ticks.stolen;
        }
    fclose(file);
    return ticks;
}

static double team_load(void)
{
    double load = 0;

    return getloadavg(&load, 1) == 1 ? load : 0;
}

static void team_sum(const struct cs_tcp_team *team, uint64_t start_ns, struct cs_tcp_timed *timed)
{
    for (uint32_t i = 0; i < team->spec.parties; i++) {
        const struct cs_tcp_report *report = &team->members[i].report;

        timed->ends_s[i] = (double)(report->end_ns - start_ns) * 1e-9;
        if (timed->ends_s[i] > timed->time_s)
            timed->time_s = timed->ends_s[i];
        timed->wrong += report->wrong;
        timed->cpu_s += (double)report->cpu_ns * 1e-9;
        timed->resent += report->resent;
    }
}

int cs_tcp_team_run(struct cs_tcp_team *team, uint32_t number,
                    const struct cs_tcp_interlude *interlude, struct cs_tcp_timed *timed,
                    struct cs_err *err)
{
    struct cs_tcp_order order = {.kind = CS_TCP_ORDER_PREPARE, .program = number};
    struct team_wait wait = {.until_ns = cs_clock_ns() + SETUP_MS * 1000000ull};
    struct ticks before = team_ticks();
    struct ticks after;
    int code;

    *timed = (struct cs_tcp_timed){.load = team_load()};
    team->program = number;
    code = team_order(team, &order, &wait, err);
    if (code)
        return code;
    order.kind = CS_TCP_ORDER_RUN;
    order.start_ns = cs_clock_ns() + AHEAD_NS;
    order.deadline_ns = order.start_ns + team->spec.deadline_ns;
    wait.until_ns = order.deadline_ns + GRACE_MS * 1000000ull;
    if (interlude) {
        wait.interlude = interlude;
        wait.act_ns = order.start_ns + interlude->at_ns;
    }
    code = team_order(team, &order, &wait, err);
    if (code)
        return code;
    team_sum(team, order.start_ns, timed);
    after = team_ticks();
    if (after.all > before.all)
        timed->steal_share =
            (double)(after.stolen - before.stolen) / (double)(after.all - before.all);
    return 0;
}
