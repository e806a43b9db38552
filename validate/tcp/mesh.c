#include "validate/tcp/member.h"

#include "sim/base/clock.h"
#include "validate/tcp/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HELLO_MS = 2000, /* for a hello after the connection */
};

static struct sockaddr_in mesh_address(const struct cs_tcp_mesh *mesh, uint32_t party)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(mesh->port[party]),
                                .sin_addr = {htonl(mesh->address[party])}};
}

static const char *mesh_name(const struct cs_tcp_mesh *mesh, uint32_t party,
                             char text[INET_ADDRSTRLEN])
{
    struct in_addr address = {htonl(mesh->address[party])};

    return inet_ntop(AF_INET, &address, text, INET_ADDRSTRLEN);
}

static int mesh_left_ms(const struct cs_tcp_mesh *mesh)
{
    uint64_t now_ns = cs_clock_ns();

    if (now_ns >= mesh->deadline_ns)
        return 0;
    return (int)((mesh->deadline_ns - now_ns) / 1000000) + 1;
}

static int mesh_options(const struct cs_tcp_mesh *mesh, int s, struct cs_err *err)
{
    int one = 1;
    int bytes = (int)mesh->buffer_bytes;

    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    if (bytes > 0) {
        setsockopt(s, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
        setsockopt(s, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
    }
    if (mesh->congestion && setsockopt(s, IPPROTO_TCP, TCP_CONGESTION, mesh->congestion,
                                       (socklen_t)strlen(mesh->congestion)) != 0)
        return cs_err_set(err, CS_ECANNOT, "the kernel has no congestion control '%.40s': %s",
                          mesh->congestion, strerror(errno));
    return 0;
}

int cs_tcp_mesh_listen(struct cs_tcp_mesh *mesh, struct cs_err *err)
{
    struct sockaddr_in address = mesh_address(mesh, mesh->self);
    socklen_t length = sizeof(address);
    char name[INET_ADDRSTRLEN];
    int one = 1;
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (s < 0)
        return cs_err_set(err, CS_ECANNOT, "cannot open a socket: %s", strerror(errno));
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (mesh_options(mesh, s, err) == 0 &&
        bind(s, (struct sockaddr *)&address, sizeof(address)) == 0 &&
        listen(s, CS_TCP_PARTIES_MAX) == 0 &&
        getsockname(s, (struct sockaddr *)&address, &length) == 0) {
        mesh->port[mesh->self] = ntohs(address.sin_port);
        return s;
    }
    mesh_name(mesh, mesh->self, name);
    if (errno == EADDRINUSE)
        cs_err_set(err, CS_ECANNOT, "port %u of %s is in use", mesh->port[mesh->self], name);
    else
        cs_err_set(err, CS_ECANNOT, "cannot listen on port %u of %s: %s", mesh->port[mesh->self],
                   name, strerror(errno));
    close(s);
    return CS_ECANNOT;
}

/* Reads a hello within HELLO_MS; false for a stranger. */
static bool mesh_hello(const struct cs_tcp_mesh *mesh, int s, struct cs_tcp_hello *hello)
{
    uint8_t bytes[CS_TCP_HEAD];
    struct timeval wait = {HELLO_MS / 1000, 0};
    struct cs_err err = {0};

    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
    return recv(s, bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes) &&
           cs_tcp_hello_read(bytes, hello, &err) == 0 && hello->session == mesh->session;
}

static int mesh_connect_to(const struct cs_tcp_mesh *mesh, uint32_t party, int *out,
                           struct cs_err *err)
{
    struct sockaddr_in address = mesh_address(mesh, party);
    struct cs_tcp_hello hello = {mesh->self, mesh->session};
    int left_ms = mesh_left_ms(mesh);
    struct timeval wait = {left_ms / 1000, left_ms % 1000 * 1000L};
    uint8_t bytes[CS_TCP_HEAD];
    char name[INET_ADDRSTRLEN];
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *out = s;
    if (s < 0 || mesh_options(mesh, s, err))
        return cs_err_set(err, CS_ECANNOT, "cannot open a socket: %s", strerror(errno));
    setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
    cs_tcp_hello_write(&hello, bytes);
    if (connect(s, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        send(s, bytes, sizeof(bytes), MSG_NOSIGNAL) != sizeof(bytes))
        return cs_err_set(err, CS_ECANNOT, "cannot connect to party %u at %s, port %u: %s", party,
                          mesh_name(mesh, party, name), mesh->port[party],
                          errno == EAGAIN || errno == EINPROGRESS ? "no answer before the deadline"
                                                                  : strerror(errno));
    return 0;
}

static int mesh_accept(const struct cs_tcp_mesh *mesh, int listener,
                       int sockets[CS_TCP_PARTIES_MAX], struct cs_err *err)
{
    uint32_t missing = mesh->parties - mesh->self - 1;

    while (missing > 0) {
        struct pollfd ready = {listener, POLLIN, 0};
        struct cs_tcp_hello hello;
        int s;

        if (poll(&ready, 1, mesh_left_ms(mesh)) == 0)
            return cs_err_set(err, CS_ECANNOT, "%u parties did not connect before the deadline",
                              missing);
        s = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (s < 0)
            continue;
        if (mesh_hello(mesh, s, &hello) && hello.party > mesh->self &&
            hello.party < mesh->parties && sockets[hello.party] < 0 &&
            mesh_options(mesh, s, err) == 0) {
            sockets[hello.party] = s;
            missing--;
        } else {
            close(s);
        }
    }
    return 0;
}

int cs_tcp_mesh_connect(const struct cs_tcp_mesh *mesh, int listener,
                        int sockets[CS_TCP_PARTIES_MAX], struct cs_err *err)
{
    int code = 0;

    for (uint32_t i = 0; i < CS_TCP_PARTIES_MAX; i++)
        sockets[i] = -1;
    for (uint32_t i = 0; i < mesh->self && !code; i++)
        code = mesh_connect_to(mesh, i, &sockets[i], err);
    if (!code)
        code = mesh_accept(mesh, listener, sockets, err);
    for (uint32_t i = 0; i < mesh->parties; i++) {
        if (sockets[i] < 0)
            continue;
        if (!code) {
            fcntl(sockets[i], F_SETFL, O_NONBLOCK);
        } else {
            close(sockets[i]);
            sockets[i] = -1;
        }
    }
    return code;
}
