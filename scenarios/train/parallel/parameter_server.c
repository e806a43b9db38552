#include "scenarios/train/parallel/parameter_server.h"

#include <math.h>

/* Updates per second that links between sockets take: a worker of so many reaches
 * its part inside its own. */
static double socket_rate(const struct cs_parameter_server *ps)
{
    return ps->socket_Bps > 0 ? ps->sockets * ps->socket_Bps / ps->bytes : INFINITY;
}

/* Updates per second that the servers take. */
static double server_rate(const struct cs_parameter_server *ps)
{
    return fmin(ps->servers * ps->server_Bps / ps->bytes, socket_rate(ps));
}

/* Seconds of one direction: a worker's port or the servers, the slower. */
static double direction_s(const struct cs_parameter_server *ps)
{
    return fmax(ps->bytes / ps->worker_Bps, ps->workers / server_rate(ps));
}

static double byteps_s(const struct cs_parameter_server *ps)
{
    double n = ps->workers, k = ps->servers;

    if (ps->workers < 2)
        return k > 0 ? ps->bytes / ps->worker_Bps : 0;
    return 2 * n * (n - 1) * ps->bytes / ((n * n + k * n - 2 * k) * ps->worker_Bps);
}

double cs_parameter_server_sent(const struct cs_parameter_server *ps)
{
    double p = ps->workers;

    if (ps->place == CS_PS_BYTEPS)
        return byteps_s(ps) * ps->worker_Bps;
    return ps->place == CS_PS_COLOCATED ? 2 * (p - 1) * ps->bytes / p : ps->bytes;
}

double cs_parameter_server_sync_s(const struct cs_parameter_server *ps)
{
    double p = ps->workers;

    if (ps->place == CS_PS_BYTEPS)
        return byteps_s(ps);
    if (ps->place == CS_PS_COLOCATED)
        return fmax(cs_parameter_server_sent(ps) / ps->worker_Bps, p / socket_rate(ps));
    return (ps->sliced ? 1 : 2) * direction_s(ps);
}

/* One update moves V to and V from the servers; a worker that is a server keeps
 * its own share of V. */
double cs_parameter_server_async_rate(const struct cs_parameter_server *ps, double compute_s,
                                      double straggler)
{
    double p = ps->workers, colocated = ps->place == CS_PS_COLOCATED;
    double far = colocated ? (p - 1) / p : 1;
    double moves_s = 2 * far * ps->bytes / ps->worker_Bps;
    double rate = (p - 1) / (compute_s + moves_s) + 1 / (compute_s * straggler + moves_s);
    double limit = server_rate(ps);

    /* A port carries pushes to its server beside its own worker's pulls. */
    if (colocated)
        limit =
            p > 1 ? fmin(p * ps->worker_Bps / (2 * far * ps->bytes), socket_rate(ps)) : INFINITY;
    return fmin(rate, limit);
}

double cs_parameter_server_wait_s(double mean_s, uint32_t workers, uint32_t backups)
{
    double sum = 0;

    /* H_p - H_b, the smallest terms first. */
    for (uint32_t i = workers; i > backups; --i)
        sum += 1. / i;
    return mean_s * sum;
}

double cs_parameter_server_share(const struct cs_parameter_server *ps)
{
    double n = ps->workers, k = ps->servers;
    double all = n * n + k * n - 2 * k;

    switch (ps->place) {
    case CS_PS_COLOCATED:
        return ps->bytes / n;
    case CS_PS_BYTEPS:
        /* A CPU machine's share; without any, a worker's. */
        if (!(all > 0))
            return ps->bytes;
        return ps->bytes * (k > 0 ? 2 * (n - 1) : n) / all;
    default:
        return ps->bytes / k;
    }
}
