#include "validate/tcp/member.h"

#include "sim/base/clock.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECT_NS = 1000000000, /* times 10 for all connections */
};

struct life {
    const struct cs_tcp_member *member;
    struct cs_tcp_mesh mesh;
    int listener;
    int sockets[CS_TCP_PARTIES_MAX];
    struct cs_tcp_party *party;
    struct cs_tcp_report report;
};

/* ---- the process ---- */

/* The real-time class keeps other programs of the machine from delaying the
 * party; ranks sleep while they wait, so they leave the processors free. */
static bool member_hurry(const struct cs_tcp_team_spec *spec)
{
    struct sched_param first = {.sched_priority = 1};

    return !spec->plain && spec->waiting == CS_TCP_SLEEP &&
           sched_setscheduler(0, SCHED_RR, &first) == 0;
}

/* Memory that was used once stays, so that no run pays for fresh pages. */
static void member_keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

static uint64_t member_cpu_ns(void)
{
    struct timespec cpu;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
}

static uint64_t member_resent(const struct life *life)
{
    uint64_t resent = 0;

    for (uint32_t i = 0; i < life->mesh.parties; i++) {
        struct tcp_info info = {0};
        socklen_t length = sizeof(info);

        if (life->sockets[i] >= 0 &&
            getsockopt(life->sockets[i], IPPROTO_TCP, TCP_INFO, &info, &length) == 0)
            resent += info.tcpi_total_retrans;
    }
    return resent;
}

/* ---- loss ---- */

/* A socket filter drops arriving segments by the kernel's random numbers, before
 * TCP sees them: to TCP a lost packet. */
static void member_lose(const struct life *life)
{
    uint32_t below = (uint32_t)(life->member->spec->loss * (double)UINT32_MAX + 0.5);
    struct sock_filter code[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)(SKF_AD_OFF + SKF_AD_RANDOM)},
        {BPF_JMP | BPF_JGE | BPF_K, 0, 1, below},
        {BPF_RET | BPF_K, 0, 0, UINT32_MAX},
        {BPF_RET | BPF_K, 0, 0, 0},
    };
    struct sock_fprog filter = {sizeof(code) / sizeof(*code), code};

    for (uint32_t i = 0; i < life->mesh.parties && below > 0; i++)
        if (life->sockets[i] >= 0)
            setsockopt(life->sockets[i], SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter));
}

/* ---- orders ---- */

static void member_report(struct life *life)
{
    if (send(life->member->parent, &life->report, sizeof(life->report), MSG_NOSIGNAL) < 0)
        _exit(1); /* the parent is gone */
}

static void member_fail(struct life *life, const struct cs_err *err)
{
    life->report.code = err->code;
    snprintf(life->report.text, sizeof(life->report.text), "%.290s", err->text);
    member_report(life);
}

static void member_connect(struct life *life, const struct cs_tcp_order *order)
{
    struct cs_tcp_links links = {.sockets = life->sockets,
                                 .count = life->mesh.parties,
                                 .self = life->member->party,
                                 .waiting = life->member->spec->waiting};
    struct cs_err err = {0};
    int code;

    memcpy(life->mesh.port, order->ports, sizeof(life->mesh.port));
    life->mesh.deadline_ns = cs_clock_ns() + 10ull * CONNECT_NS;
    code = cs_tcp_mesh_connect(&life->mesh, life->listener, life->sockets, &err);
    close(life->listener);
    life->listener = -1;
    if (!code)
        life->party = cs_tcp_party_new(&links, &err);
    if (err.code) {
        member_fail(life, &err);
        return;
    }
    member_lose(life);
    life->report.realtime = member_hurry(life->member->spec);
    member_report(life);
}

static void member_sleep_until(uint64_t ns)
{
    struct timespec at = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0)
        ;
}

/* Whether the party looks on while others run the program. */
static bool member_looks_on(const struct life *life, uint32_t program)
{
    const struct cs_tcp_member *member = life->member;

    return member->party >= cs_program_parties(member->spec->programs[program]);
}

static void member_run(struct life *life, const struct cs_tcp_order *order)
{
    struct cs_err err = {0};
    uint64_t cpu_ns = member_cpu_ns();
    uint64_t resent = member_resent(life);
    int code;

    if (member_looks_on(life, order->program)) {
        life->report.end_ns = order->start_ns;
        life->report.cpu_ns = life->report.wrong = life->report.resent = 0;
        member_report(life);
        return;
    }
    member_sleep_until(order->start_ns);
    code = cs_tcp_party_run(life->party, order->deadline_ns, &err);
    life->report.end_ns = cs_clock_ns();
    if (code) {
        member_fail(life, &err);
        return;
    }
    life->report.cpu_ns = member_cpu_ns() - cpu_ns;
    life->report.resent = member_resent(life) - resent;
    life->report.wrong = cs_tcp_party_check(life->party);
    member_report(life);
}

static void member_obey(struct life *life, const struct cs_tcp_order *order)
{
    const struct cs_tcp_team_spec *spec = life->member->spec;

    switch (order->kind) {
    case CS_TCP_ORDER_PORTS:
        member_connect(life, order);
        return;
    case CS_TCP_ORDER_PREPARE:
        if (!member_looks_on(life, order->program))
            cs_tcp_party_prepare(life->party, spec->programs[order->program]);
        member_report(life);
        return;
    default:
        member_run(life, order);
    }
}

static void member_listen(struct life *life)
{
    const struct cs_tcp_member *member = life->member;
    const struct cs_tcp_team_spec *spec = member->spec;
    struct cs_err err = {0};

    life->mesh = (struct cs_tcp_mesh){.parties = spec->parties,
                                      .self = member->party,
                                      .session = member->session,
                                      .congestion = spec->congestion,
                                      .buffer_bytes = spec->buffer_bytes};
    for (uint32_t i = 0; i < spec->parties; i++)
        life->mesh.address[i] = cs_tcp_lab_address(spec->lab, i);
    if (spec->port > 0)
        life->mesh.port[member->party] = (uint16_t)(spec->port + member->party);
    if (cs_tcp_lab_enter(spec->lab, member->party, &err) == 0)
        life->listener = cs_tcp_mesh_listen(&life->mesh, &err);
    life->report.port = life->mesh.port[member->party];
    if (err.code)
        member_fail(life, &err);
    else
        member_report(life);
}

/* The next order; false after the end of the parent.  A polling member asks
 * without pause, as a rank of MPI does in a barrier. */
static bool member_next(const struct cs_tcp_member *member, struct cs_tcp_order *order)
{
    int flags = member->spec->waiting == CS_TCP_POLL ? MSG_DONTWAIT : 0;
    ssize_t got;

    do {
        got = recv(member->parent, order, sizeof(*order), flags);
    } while (got < 0 && (errno == EAGAIN || errno == EINTR));
    return got == sizeof(*order);
}

void cs_tcp_member_live(const struct cs_tcp_member *member)
{
    struct life life = {.member = member, .listener = -1};
    struct cs_tcp_order order;

    member_keep_memory();
    member_listen(&life);
    /* After an error the connections stay open: their end would look like the
     * cause to the other members. */
    while (member_next(member, &order))
        if (!life.report.code)
            member_obey(&life, &order);
    cs_tcp_party_free(life.party);
}
