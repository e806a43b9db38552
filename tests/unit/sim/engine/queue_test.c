#include "sim/engine/queue.h"

#include "tests/fixture.h"

enum {
    ITEMS = 300,
    LINES = 3, /* the last without a port of its own */
    TRIALS = 40,
};

/* Three lines for one server, two of them with a port of their own. */
struct trial {
    struct cs_events events;
    struct cs_queue queue;
    uint64_t resource_ps, port_ps[LINES];
    uint64_t requests_ps[ITEMS], takes_ps[ITEMS], blocks_ps[ITEMS];
    uint64_t began_ps[ITEMS];
    uint32_t served[ITEMS]; /* in order */
    uint32_t count;
};

static uint64_t free_ps(const struct trial *trial, uint32_t line)
{
    return trial->resource_ps > trial->port_ps[line] ? trial->resource_ps : trial->port_ps[line];
}

static void draw(struct trial *trial, struct cs_random *random)
{
    uint64_t longest_ps = 1 + cs_random_below(random, 20);

    for (uint32_t i = 0; i < ITEMS; i++) {
        trial->requests_ps[i] = cs_random_below(random, 500);
        trial->takes_ps[i] = cs_random_below(random, longest_ps);
        trial->blocks_ps[i] = cs_random_below(random, 2 * longest_ps);
    }
}

static void serve(struct trial *trial, uint32_t item)
{
    uint64_t now_ps = trial->events.now_ps;

    trial->resource_ps = now_ps + trial->takes_ps[item];
    if (item % LINES < LINES - 1)
        trial->port_ps[item % LINES] = now_ps + trial->blocks_ps[item];
    trial->began_ps[item] = now_ps;
    trial->served[trial->count++] = item;
}

/* Who finds it busy asks again when it looks free, each for itself. */
static void request_again(struct trial *trial, struct cs_event event)
{
    event.at_ps = free_ps(trial, event.kind);
    if (event.at_ps > trial->events.now_ps)
        cs_events_put_off(&trial->events, event);
    else
        serve(trial, event.number);
}

static void stand_in_line(struct trial *trial, struct cs_event event)
{
    struct cs_line *line = &trial->queue.lines[event.kind];

    event.at_ps = free_ps(trial, event.kind);
    if (event.at_ps > trial->events.now_ps) {
        cs_queue_wait(line, &trial->events, event);
        return;
    }
    serve(trial, event.number);
    cs_queue_taken(line, &trial->events, event.kind, free_ps(trial, event.kind));
}

/* How many events fired. */
static uint32_t run(struct trial *trial, void (*handle)(struct trial *, struct cs_event))
{
    struct cs_event event;
    uint32_t fired = 0;

    for (uint32_t i = 0; i < ITEMS; i++)
        cs_events_add(&trial->events, trial->requests_ps[i], i % LINES, i);
    for (; cs_events_next(&trial->events, &event); fired++)
        handle(trial, event);
    cs_events_free(&trial->events);
    return fired;
}

TEST(a_line_serves_as_if_each_requested_again)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("turns");

    for (uint32_t i = 0; i < TRIALS; i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct trial naive = {0};
        struct trial trial;

        draw(&naive, random);
        trial = naive;
        run(&naive, request_again);
        cs_queue_open(&trial.queue, LINES, &arena);
        run(&trial, stand_in_line);
        cs_queue_close(&trial.queue);
        if (trial.count != ITEMS || naive.count != ITEMS ||
            memcmp(trial.served, naive.served, sizeof(naive.served)) != 0 ||
            memcmp(trial.began_ps, naive.began_ps, sizeof(naive.began_ps)) != 0)
            fail_msg("COLLSIM_SEED=%" PRIu64 ", trial %u", fixture_seed(), i);
    }
}

/* All at once: each is looked at when it comes, and when it has its turn. */
ARENA_TEST(who_stands_in_line_does_not_request_again)
{
    struct trial trial = {0};

    for (uint32_t i = 0; i < ITEMS; i++)
        trial.takes_ps[i] = 7;
    cs_queue_open(&trial.queue, LINES, arena);
    assert_true(run(&trial, stand_in_line) < 2 * LINES * ITEMS);
    assert_int_equal(trial.count, ITEMS);
    cs_queue_close(&trial.queue);
}
