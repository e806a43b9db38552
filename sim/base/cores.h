/*
 * Cores: independent items, computed by several processes.
 *
 * Item i has a result of `size` bytes at results + i * size.  Worker processes are
 * copies of this one (fork), so that an item may change any memory: only its result
 * comes back.  Results do not depend on the number of workers.  A worker ends with
 * this process, and leaves SIGINT and SIGTERM to it.
 *
 *     run   a fork per worker; the items
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_cores {
    uint32_t workers; /* 0: this process computes the items, in their order */
    uint64_t count;   /* of items */
    size_t size;      /* of a result */
    /* Called in a worker before its first item, with its number; 0, or a code that
     * ends all workers.  NULL: nothing to do. */
    int (*begin)(void *ctx, uint32_t worker);
    /* Computes an item in a worker; 0, or a code that ends all workers. */
    int (*item)(void *ctx, uint64_t number, void *result);
    /* Called in a worker after its last item.  NULL: nothing to do. */
    void (*end)(void *ctx);
    /* Called in this process about every 20 ms, without workers before every item, with the number of finished items;
     * false to stop.  NULL: nothing to show. */
    bool (*look)(void *ctx, uint64_t finished);
    /* Called in this process for a worker that a signal ended; the others go on.
     * NULL: the others end, too. */
    void (*died)(void *ctx, uint32_t worker, int signal);
    void *ctx;
};

/* The number of cores of this machine that may be used. */
uint32_t cs_cores_count(void);

/* The memory that this process has now; 0: unknown. */
double cs_process_bytes(void);

/* `results` may be NULL for items of size 0.  0; CS_ESTOPPED where `look` stopped;
 * CS_ECANNOT where a worker could not be started, failed or died: the caller
 * computes the items itself. */
int cs_cores_run(const struct cs_cores *cores, void *results);
