#include "validate/tcp/lab.h"

#include "sim/base/child.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    COMMAND_MS = 10000,
    COMMAND_BYTES = 1200,
    LOOPBACK = 0x7f000001,   /* 127.0.0.1 */
    FIRST_HOST = 0x0a4d0001, /* 10.77.0.1 */
};

/* ---- commands in a namespace ---- */

/* Runs a line of shell in the namespace; the caller returns to its own. */
static int lab_command(const struct cs_tcp_lab *lab, int space, const char *line,
                       struct cs_err *err)
{
    /* A user's PATH may lack the folder of tc. */
    const char *argv[] = {"sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; eval \"$1\"", "sh", line, NULL};
    struct cs_child child = {.argv = argv, .deadline_ms = COMMAND_MS};
    struct cs_child_end end;
    int code;

    if (setns(space, CLONE_NEWNET) != 0)
        return cs_err_set(err, CS_ECANNOT, "cannot enter a namespace: %s", strerror(errno));
    code = cs_child_run(&child, &end, err);
    if (!code && end.fate == CS_CHILD_EXITED && end.number == 127)
        code = cs_err_set(err, CS_ECANNOT, "no 'ip' or 'tc'; install the package iproute2");
    else if (!code && !(end.fate == CS_CHILD_EXITED && end.number == 0))
        code =
            cs_err_set(err, CS_ECANNOT, "cannot set up the network: %s",
                       end.complaint.length > 0 ? cs_text_str(&end.complaint) : "a command failed");
    cs_text_free(&end.complaint);
    if (setns(lab->own, CLONE_NEWNET) != 0 && !code)
        code = cs_err_set(err, CS_ECANNOT, "cannot leave a namespace: %s", strerror(errno));
    return code;
}

/* "root tbf rate ..." for one end of a wire. */
static void lab_bucket(const struct cs_tcp_lab *lab, double rate_Bps, char text[COMMAND_BYTES])
{
    const struct cs_tcp_lab_spec *spec = &lab->spec;

    snprintf(text, COMMAND_BYTES, "tbf rate %.0fbit burst %llu latency %lluus", rate_Bps * 8,
             (unsigned long long)spec->burst_bytes, (unsigned long long)(spec->queue_ps / 1000000));
}

static int lab_shape(const struct cs_tcp_lab *lab, int space, const char *device, double rate_Bps,
                     struct cs_err *err)
{
    char bucket[COMMAND_BYTES];
    char line[2 * COMMAND_BYTES];

    lab_bucket(lab, rate_Bps, bucket);
    snprintf(line, sizeof(line), "exec tc qdisc replace dev %s root handle 1: %s", device, bucket);
    return lab_command(lab, space, line, err);
}

/* ---- namespaces ---- */

static int lab_space(struct cs_err *err)
{
    int space;

    if (unshare(CLONE_NEWNET) != 0)
        return cs_err_set(err, CS_ECANNOT, "cannot make a namespace: %s", strerror(errno));
    space = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (space < 0)
        return cs_err_set(err, CS_ECANNOT, "cannot open a namespace: %s", strerror(errno));
    return space;
}

static void lab_write(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);

    if (file < 0)
        return;
    if (write(file, text, strlen(text)) < 0)
        errno = 0; /* the namespace is refused later, with its reason */
    close(file);
}

/* The first namespace: directly, or in a user namespace of the user's own. */
static int lab_first_space(struct cs_tcp_lab *lab)
{
    unsigned user = (unsigned)getuid();
    unsigned group = (unsigned)getgid();
    struct cs_err err = {0};
    char map[64];
    int space = lab_space(&err);

    if (space >= 0)
        return space;
    if (unshare(CLONE_NEWUSER) != 0) {
        snprintf(lab->why, sizeof(lab->why), "%.180s", err.text);
        return -1;
    }
    lab_write("/proc/self/setgroups", "deny");
    snprintf(map, sizeof(map), "0 %u 1", user);
    lab_write("/proc/self/uid_map", map);
    snprintf(map, sizeof(map), "0 %u 1", group);
    lab_write("/proc/self/gid_map", map);
    err = (struct cs_err){0};
    space = lab_space(&err);
    if (space < 0)
        snprintf(lab->why, sizeof(lab->why), "%.180s", err.text);
    return space;
}

/* In a user namespace of one's own, the namespace of the start cannot be entered
 * again: the bridge's is the home of this process then. */
static int lab_go_home(struct cs_tcp_lab *lab)
{
    if (setns(lab->own, CLONE_NEWNET) == 0)
        return 0;
    close(lab->own);
    lab->own = fcntl(lab->bridge, F_DUPFD_CLOEXEC, 0);
    return setns(lab->own, CLONE_NEWNET);
}

/* In a child: the reason why ip cannot configure a namespace, empty where it can.
 * The kernel's refusal is exit status 2 of ip. */
static void lab_try(struct cs_tcp_lab *lab)
{
    struct cs_err err = {0};

    lab->bridge = lab_first_space(lab);
    if (lab->bridge >= 0 && lab_go_home(lab) == 0 &&
        lab_command(lab, lab->bridge,
                    "command -v ip tc >/dev/null || exit 127; ip link set lo up; [ $? != 2 ]",
                    &err))
        snprintf(lab->why, sizeof(lab->why), "%.180s", err.text);
}

/* A namespace may be made without CAP_NET_ADMIN and then not be configured.  A
 * child finds out, as a user namespace cannot be left again. */
static bool lab_may(struct cs_tcp_lab *lab)
{
    size_t length = 0;
    ssize_t got;
    int ends[2];
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return true; /* the lab fails later, with the reason */
    child = fork();
    if (child == 0) {
        lab_try(lab);
        got = write(ends[1], lab->why, strlen(lab->why));
        _exit(got < 0);
    }
    close(ends[1]);
    while ((got = read(ends[0], lab->why + length, sizeof(lab->why) - 1 - length)) > 0 ||
           (got < 0 && errno == EINTR))
        length += got > 0 ? (size_t)got : 0;
    lab->why[length] = '\0';
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return length == 0;
}

/* ---- wires ---- */

static int lab_wire(struct cs_tcp_lab *lab, uint32_t host, struct cs_err *err)
{
    const char *large = lab->spec.packets ? " gso_max_segs 1 gso_max_size 2000" : "";
    char line[COMMAND_BYTES];
    struct in_addr address = {htonl(cs_tcp_lab_address(lab, host))};
    char name[INET_ADDRSTRLEN];
    int code;

    inet_ntop(AF_INET, &address, name, sizeof(name));
    snprintf(line, sizeof(line),
             "ip link add port%u type veth peer name eth0 netns /proc/%d/fd/%d && ip link set "
             "port%u master bridge%s up",
             host, (int)getpid(), lab->host[host], host, large);
    code = lab_command(lab, lab->bridge, line, err);
    snprintf(line, sizeof(line),
             "ip address add %s/24 dev eth0 && ip link set eth0%s up && ip link set lo up", name,
             large);
    if (!code)
        code = lab_command(lab, lab->host[host], line, err);
    if (!code && lab->spec.rate_Bps > 0)
        code = cs_tcp_lab_set_rate(lab, host, lab->spec.rate_Bps, err);
    if (!code && lab->spec.delay_ps > 0) {
        snprintf(line, sizeof(line),
                 "exec tc qdisc replace dev port%u %s netem delay %lluus limit 100000", host,
                 lab->spec.rate_Bps > 0 ? "parent 1:1" : "root",
                 (unsigned long long)(lab->spec.delay_ps / 1000000));
        code = lab_command(lab, lab->bridge, line, err);
    }
    return code;
}

int cs_tcp_lab_set_rate(const struct cs_tcp_lab *lab, uint32_t host, double rate_Bps,
                        struct cs_err *err)
{
    char port[32];
    int code;

    if (lab->loopback)
        return cs_err_set(err, CS_ECANNOT, "loopback has no rate: %s", lab->why);
    snprintf(port, sizeof(port), "port%u", host);
    code = lab_shape(lab, lab->bridge, port, rate_Bps, err);
    return code ? code : lab_shape(lab, lab->host[host], "eth0", rate_Bps, err);
}

/* Whether the kernel has netem. */
static bool tcp_lab_has_netem(const struct cs_tcp_lab *lab)
{
    struct cs_err err = {0};

    return !lab->loopback &&
           lab_command(lab, lab->bridge,
                       "ip link add probe type veth peer name probe1 && tc qdisc add dev probe "
                       "root netem delay 1us; status=$?; ip link del probe; exit $status",
                       &err) == 0;
}

/* ---- the lab ---- */

static int lab_spaces(struct cs_tcp_lab *lab, struct cs_err *err)
{
    for (uint32_t i = 0; i < lab->spec.hosts; i++) {
        lab->host[i] = lab_space(err);
        if (lab->host[i] < 0)
            return CS_ECANNOT;
    }
    return 0;
}

static int lab_build(struct cs_tcp_lab *lab, struct cs_err *err)
{
    int code = lab_spaces(lab, err);

    if (!code && lab_go_home(lab) != 0)
        code = cs_err_set(err, CS_ECANNOT, "cannot leave a namespace: %s", strerror(errno));
    if (!code)
        code = lab_command(lab, lab->bridge,
                           "ip link add bridge type bridge && ip link set bridge up", err);
    if (!code && lab->spec.delay_ps > 0 && !tcp_lab_has_netem(lab))
        code = cs_err_set(err, CS_ECANNOT,
                          "this kernel has no netem (CONFIG_NET_SCH_NETEM), which delays packets");
    for (uint32_t i = 0; i < lab->spec.hosts && !code; i++)
        code = lab_wire(lab, i, err);
    return code;
}

int cs_tcp_lab_open(const struct cs_tcp_lab_spec *spec, struct cs_tcp_lab *lab, struct cs_err *err)
{
    int code;

    *lab = (struct cs_tcp_lab){.spec = *spec, .bridge = -1};
    for (uint32_t i = 0; i < CS_TCP_HOSTS_MAX; i++)
        lab->host[i] = -1;
    lab->own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    if (lab->own < 0)
        snprintf(lab->why, sizeof(lab->why), "cannot open /proc/self/ns/net: %s", strerror(errno));
    else if (lab_may(lab))
        lab->bridge = lab_first_space(lab);
    if (lab->bridge < 0) {
        lab->loopback = true;
        return 0;
    }
    code = lab_build(lab, err);
    if (code)
        cs_tcp_lab_close(lab);
    return code;
}

void cs_tcp_lab_close(struct cs_tcp_lab *lab)
{
    for (uint32_t i = 0; i < CS_TCP_HOSTS_MAX; i++)
        if (lab->host[i] >= 0)
            close(lab->host[i]);
    if (lab->bridge >= 0)
        close(lab->bridge);
    if (lab->own >= 0) {
        if (setns(lab->own, CLONE_NEWNET) != 0)
            errno = 0; /* this process stays where it is */
        close(lab->own);
    }
    for (uint32_t i = 0; i < CS_TCP_HOSTS_MAX; i++)
        lab->host[i] = -1;
    lab->bridge = lab->own = -1;
}

uint32_t cs_tcp_lab_address(const struct cs_tcp_lab *lab, uint32_t host)
{
    return lab->loopback ? LOOPBACK : FIRST_HOST + host;
}

int cs_tcp_lab_enter(const struct cs_tcp_lab *lab, uint32_t host, struct cs_err *err)
{
    if (lab->loopback || setns(lab->host[host], CLONE_NEWNET) == 0)
        return 0;
    return cs_err_set(err, CS_ECANNOT, "cannot enter host %u: %s", host, strerror(errno));
}
