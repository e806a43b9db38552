#include "scenarios/run/command/workers.h"

#include "reports/results/record.h"
#include "scenarios/run/command/best.h"
#include "sim/base/cores.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    /* Room for the bytes of a group in the shared file, which has holes. */
    GROUP_BITS = 34,
};

/* The bytes of a group: this head, the text of the error, the events, the
 * records. */
struct head {
    int code;
    uint32_t second; /* number of the algorithm */
    enum cs_candidate_state state;
    uint32_t has_second; /* no bytes between members, which go to the file */
    uint64_t second_ps;
    uint64_t events, records;
};

struct workers {
    const struct cs_run_group *group;
    int file;                         /* of all bytes */
    const struct cs_monitor *monitor; /* NULL: none */
    uint64_t first, count;            /* of groups */
};

bool cs_run_workers_apply(const struct cs_run_group *group)
{
    const struct cs_scenario *scenario = group->scenario;

    return !cs_progress_line_is_hosted(group->display) && !group->store && !scenario->memory &&
           !scenario->trace && scenario->jitter.runs < 2 && cs_scenario_jobs(scenario) > 1;
}

/* ---- in a worker ---- */

struct packing {
    struct cs_text events;
    uint64_t count;
};

static void pack_event(void *ctx, const struct cs_run_event *event)
{
    struct packing *packing = ctx;

    cs_text_add_n(&packing->events, (const char *)event, sizeof(*event));
    cs_text_add_n(&packing->events, event->text, strlen(event->text) + 1);
    packing->count++;
}

static void pack_outcome(const struct cs_run_outcome *outcome, int code, const struct cs_err *err,
                         const struct packing *packing, struct cs_text *out)
{
    const struct head head = {.code = code,
                              .second = outcome->second.number,
                              .state = outcome->second.state,
                              .has_second = outcome->second.name != NULL,
                              .second_ps = outcome->second.time_ps,
                              .events = packing->count,
                              .records = outcome->records.count};

    cs_text_add_n(out, (const char *)&head, sizeof(head));
    cs_text_add_n(out, err->text, strlen(err->text) + 1);
    if (packing->count)
        cs_text_add_n(out, packing->events.data, packing->events.length);
    for (size_t i = 0; i < outcome->records.count; i++)
        cs_record_pack(&outcome->records.items[i], out);
}

static int write_bytes(int file, uint64_t number, const struct cs_text *bytes)
{
    size_t done = 0;

    if ((uint64_t)bytes->length >> GROUP_BITS)
        return CS_ECANNOT;
    while (done < bytes->length) {
        ssize_t n = pwrite(file, bytes->data + done, bytes->length - done,
                           (off_t)((number << GROUP_BITS) + done));

        if (n < 0 && errno != EINTR)
            return CS_ECANNOT;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* The item of cores.h; the result is the length of the bytes in the file. */
static int group_item(void *ctx, uint64_t number, void *result)
{
    const struct workers *workers = ctx;
    struct packing packing = {0};
    struct cs_run_group group = *workers->group;
    CS_AT_END(cs_run_outcome_free) struct cs_run_outcome outcome;
    struct cs_err err = {0};
    CS_AT_END(cs_text_free) struct cs_text bytes = {0};
    int code;

    group.display = NULL;
    group.listener = (struct cs_run_listener){pack_event, &packing};
    code = cs_best_run_group(&group, (workers->first + number) * group.scenario->algo_count,
                             &outcome, &err);
    pack_outcome(&outcome, code, &err, &packing, &bytes);
    code = write_bytes(workers->file, number, &bytes);
    *(uint64_t *)result = bytes.length;
    cs_text_free(&packing.events);
    return code;
}

/* ---- in the process that prints ---- */

static bool look(void *ctx, uint64_t finished)
{
    const struct workers *workers = ctx;

    return cs_monitor_count(workers->monitor, finished, workers->count);
}

static const char *unpack_events(const struct cs_run_listener *listener, uint64_t count,
                                 const char *bytes)
{
    for (uint64_t i = 0; i < count; i++) {
        struct cs_run_event event;

        memcpy(&event, bytes, sizeof(event));
        event.text = bytes + sizeof(event);
        bytes = event.text + strlen(event.text) + 1;
        listener->event(listener->ctx, &event);
    }
    return bytes;
}

/* Passes on the events, and fills the outcome; the code of the group. */
static int unpack_outcome(const struct cs_run_group *group, const char *bytes,
                          struct cs_run_outcome *outcome, struct cs_err *err)
{
    const char *text = bytes + sizeof(struct head);
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct head head;

    memcpy(&head, bytes, sizeof(head));
    bytes = unpack_events(&group->listener, head.events, text + strlen(text) + 1);
    *outcome = (struct cs_run_outcome){0};
    if (head.has_second)
        outcome->second = (struct cs_candidate){.state = head.state,
                                                .number = head.second,
                                                .name = group->scenario->algos[head.second]->name,
                                                .time_ps = head.second_ps};
    for (uint64_t i = 0; i < head.records; i++) {
        struct cs_record record;

        bytes = cs_record_unpack(bytes, &arena, &record);
        cs_records_add(&outcome->records, &record);
    }
    return head.code ? cs_err_set(err, head.code, "%s", text) : 0;
}

static int keep_group(const struct workers *workers, uint64_t number, uint64_t length,
                      struct cs_run_keeper keeper, struct cs_err *err)
{
    char *bytes =
        mmap(NULL, length, PROT_READ, MAP_SHARED, workers->file, (off_t)(number << GROUP_BITS));
    struct cs_run_outcome outcome;
    int code;

    if (bytes == MAP_FAILED)
        return cs_err_set(err, CS_ECANNOT, "no memory for results: %s", strerror(errno));
    code = unpack_outcome(workers->group, bytes, &outcome, err);
    keeper.keep(keeper.ctx, &outcome);
    cs_run_outcome_free(&outcome);
    (void)munmap(bytes, length);
    return code;
}

static int compute(struct workers *workers, uint64_t *lengths, struct cs_err *err)
{
    struct cs_progress_line *display = workers->group->display;
    const struct cs_cores cores = {.workers = cs_scenario_jobs(workers->group->scenario),
                                   .count = workers->count,
                                   .size = sizeof(*lengths),
                                   .item = group_item,
                                   .look = look,
                                   .ctx = workers};
    int code;

    display->parts = 0;
    cs_text_free(&display->what);
    cs_text_printf(&display->what, "%llu runs",
                   (unsigned long long)workers->count *
                       (unsigned long long)workers->group->scenario->algo_count);
    workers->monitor = cs_progress_line_begin(display, "simulating");
    code = cs_cores_run(&cores, lengths);
    if (code == CS_ESTOPPED)
        (void)cs_err_set(err, code, "stopped");
    return cs_progress_line_end(display, code, err);
}

int cs_run_workers(const struct cs_run_group *group, uint64_t first, struct cs_run_keeper keeper,
                   struct cs_err *err)
{
    const struct cs_scenario *scenario = group->scenario;
    struct workers workers = {.group = group,
                              .file = memfd_create("runs", MFD_CLOEXEC),
                              .first = first,
                              .count = cs_case_count(scenario) / scenario->algo_count - first};
    struct cs_err stopped = {0};
    uint64_t *lengths;
    int code;

    if (workers.file < 0)
        return CS_ECANNOT;
    lengths = cs_grow(NULL, workers.count, sizeof(*lengths));
    code = compute(&workers, lengths, &stopped);
    if (code != CS_ECANNOT) {
        code = 0;
        for (uint64_t i = 0; i < workers.count && !code; i++)
            if (lengths[i])
                code = keep_group(&workers, i, lengths[i], keeper, err);
        if (!code && stopped.code)
            code = cs_err_set(err, stopped.code, "%s", stopped.text);
    }
    free(lengths);
    (void)close(workers.file);
    return code;
}
