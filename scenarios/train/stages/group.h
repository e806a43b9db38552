/*
 * Groups: the site of the ranks that a collective of a job joins.
 *
 * A group has `size` ranks, `stride` apart.  All groups of a kind call at the
 * same time, so that groups with ranks in one node divide the node's adapters.
 */
#pragma once

#include "scenarios/train/job/job.h"

struct cs_train_group {
    uint32_t stride, size;
};

/* The site of a group of the job's machine. */
struct cs_site cs_train_group_site(const struct cs_site *all, struct cs_train_group group);

/* Ranks that hold the same experts. */
struct cs_train_group cs_train_copies_group(const struct cs_train_job *job);

struct cs_train_call {
    double seconds;
    uint32_t channels;
    double moved;   /* bytes through the memory of a device */
    bool in_switch; /* the switches reduce */
};

struct cs_train_kept_call {
    const struct cs_collective *collective;
    double bytes;
    struct cs_site site;
    struct cs_train_call call;
};

/* Calls of one machine and library whose times are known, for jobs that are timed
 * many times with other parameters, or on another machine by the same decisions of
 * the library.  Starts with its arena alone, where the lists grow. */
struct cs_train_calls {
    struct cs_arena *arena;
    struct cs_train_kept_call *kept;
    uint32_t count, room;
    uint32_t *cuts; /* stages of a network of images but the first: their first units */
    uint32_t cut_count, cut_room;
};

/* A collective of a group, `bytes` as in library.h; zero for one rank.  The library's
 * error for a collective that it does not serve. */
int cs_train_collective(const struct cs_train_job *job, const struct cs_site *group,
                        const struct cs_collective *collective, double bytes,
                        struct cs_train_call *call, struct cs_err *err);

/* Seconds of a send of `bytes` to the rank `stride` further: over adapters
 * where a send of any rank leaves its node, for the slowest decides. */
double cs_train_send_s(const struct cs_train_job *job, uint32_t stride, double bytes);

/* Of the copies of a token, one for each of its experts, those that travel to the ranks of
 * a group: as an all-to-all over the group, and as one inside each of its nodes beside it. */
struct cs_token_copies {
    double across, inside; /* shares; inside 0: no exchange of its own */
};

struct cs_token_copies cs_train_token_copies(const struct cs_train_job *job,
                                             const struct cs_site *group);

/* Bytes of a dispatch, of those in which results return. */
double cs_train_dispatch_share(const struct cs_train_job *job);
