#include "sim/models/packet/window.h"

#include "sim/base/mem.h"
#include "sim/engine/events.h"

#include <stdlib.h>

enum {
    WINDOW_ROOM = 64
};

/* The state of a packet. */
enum {
    HAS_COME = 1, /* the receiver has the packet */
    IS_KNOWN = 2, /* and the sender knows */
    IS_LOST = 4,  /* to be sent again */
    IS_AGAIN = 8, /* sent again */
};

/* ---- opening ---- */

static struct cs_window window_emptied(const struct cs_window *before)
{
    return (struct cs_window){.size = UINT64_MAX,
                              .limit = UINT64_MAX,
                              .due_ps = UINT64_MAX,
                              .marks = before->marks,
                              .room = before->room};
}

void cs_window_open_wide(struct cs_window *window)
{
    *window = window_emptied(window);
    window->is_wide = true;
}

void cs_window_open(struct cs_window *window, uint64_t trip_ps, uint64_t least_ps)
{
    *window = window_emptied(window);
    window->size = CS_WINDOW_FIRST;
    window->trip_ps = trip_ps;
    window->least_ps = least_ps;
}

void cs_window_close(struct cs_window *window)
{
    free(window->marks);
    window->marks = NULL;
    window->room = 0;
}

/* ---- marks ---- */

static uint8_t *mark_of(const struct cs_window *window, uint64_t number)
{
    return &window->marks[number & (window->room - 1)];
}

/* Room for one more packet. */
static void window_widen(struct cs_window *window)
{
    uint64_t room = window->room ? 2 * window->room : WINDOW_ROOM;
    uint8_t *marks;

    if (window->sent - window->acked < window->room)
        return;
    marks = cs_grow(NULL, room, sizeof(*marks));
    for (uint64_t i = window->acked; i < window->sent; i++)
        marks[i & (room - 1)] = *mark_of(window, i);
    free(window->marks);
    window->marks = marks;
    window->room = room;
}

/* ---- the timeout ---- */

static void set_timeout(struct cs_window *window, uint64_t at_ps)
{
    uint64_t wait_ps = cs_time_after(window->trip_ps, window->trip_ps);

    if (wait_ps < window->least_ps)
        wait_ps = window->least_ps;
    for (uint32_t i = 0; i < window->repeats; i++)
        wait_ps = cs_time_after(wait_ps, wait_ps);
    window->due_ps = cs_time_after(at_ps, wait_ps);
}

void cs_window_left(struct cs_window *window, uint64_t at_ps)
{
    if (window->due_ps == UINT64_MAX && window->sent > window->acked)
        set_timeout(window, at_ps);
}

/* ---- sending ---- */

/* The first packet to be sent again. */
static uint64_t next_lost(struct cs_window *window)
{
    uint8_t *mark;

    if (window->resend < window->acked)
        window->resend = window->acked;
    while (!(*mark_of(window, window->resend) & IS_LOST))
        window->resend++;
    mark = mark_of(window, window->resend);
    *mark = (uint8_t)((*mark & ~IS_LOST) | IS_AGAIN);
    window->lost--;
    return window->resend++;
}

static uint64_t next_new(struct cs_window *window)
{
    window_widen(window);
    *mark_of(window, window->sent) = 0;
    return window->sent++;
}

uint64_t cs_window_send(struct cs_window *window)
{
    if (window->is_wide)
        return window->sent++;
    window->pipe++;
    window->is_owed = false;
    return window->lost > 0 ? next_lost(window) : next_new(window);
}

/* ---- receiving ---- */

void cs_window_receive(struct cs_window *window, uint64_t number)
{
    if (number < window->come)
        return;
    *mark_of(window, number) |= HAS_COME;
    while (window->come < window->sent && (*mark_of(window, window->come) & HAS_COME))
        window->come++;
}

/* ---- acknowledgements ---- */

static void window_grow(struct cs_window *window)
{
    if (window->size < window->limit) {
        window->size++;
    } else if (++window->growth >= window->size) {
        window->growth = 0;
        window->size++;
    }
}

static void window_halve(struct cs_window *window)
{
    uint64_t half = (window->sent - window->acked) / 2;

    window->limit = half < 2 ? 2 : half;
    window->size = window->limit;
    window->growth = 0;
    window->recover = window->sent;
}

static void window_lose(struct cs_window *window, uint64_t number)
{
    *mark_of(window, number) |= IS_LOST;
    window->lost++;
    window->pipe--;
    if (number < window->resend)
        window->resend = number;
}

static void put_in_top(struct cs_window *window, uint64_t end)
{
    for (uint32_t i = 0; i < CS_WINDOW_DUPLICATES; i++)
        if (end > window->top[i]) {
            uint64_t lower = window->top[i];

            window->top[i] = end;
            end = lower;
        }
}

/* The first missing packet is lost, if enough later packets have arrived; in a
 * recovery already if the first missing packet has changed: this packet was sent
 * before a retransmission that has arrived. */
static void find_loss(struct cs_window *window, bool moved, uint64_t now_ps)
{
    bool partial = window->recovers && moved;

    if (window->acked == window->sent || (*mark_of(window, window->acked) & (IS_LOST | IS_AGAIN)) ||
        (!partial && window->top[CS_WINDOW_DUPLICATES - 1] <= window->acked))
        return;
    window_lose(window, window->acked);
    window->is_owed = true;
    if (window->acked < window->recover)
        return;
    window_halve(window);
    window->recovers = true;
    set_timeout(window, now_ps);
}

/* Records the acknowledgement; false: the packet was acknowledged before. */
static bool window_learn(struct cs_window *window, uint64_t number)
{
    uint8_t *mark = mark_of(window, number);

    if (number < window->acked || (*mark & IS_KNOWN))
        return false;
    if (*mark & IS_LOST)
        window->lost--;
    else
        window->pipe--;
    *mark = HAS_COME | IS_KNOWN;
    if (window->lost == 0)
        window->is_owed = false;
    put_in_top(window, number + 1);
    return true;
}

/* The first missing packet has changed. */
static void window_move_on(struct cs_window *window, uint64_t now_ps)
{
    if (window->acked >= window->recover)
        window->recovers = false;
    window->repeats = 0;
    if (!window->recovers)
        window_grow(window);
    window->due_ps = UINT64_MAX;
    cs_window_left(window, now_ps);
}

void cs_window_acknowledge(struct cs_window *window, uint64_t number, uint64_t trip_ps,
                           uint64_t now_ps)
{
    uint64_t before = window->acked;

    window->trip_ps = trip_ps;
    if (!window_learn(window, number))
        return;
    while (window->acked < window->sent && (*mark_of(window, window->acked) & IS_KNOWN))
        window->acked++;
    if (window->acked > before)
        window_move_on(window, now_ps);
    find_loss(window, window->acked > before, now_ps);
}

void cs_window_time_out(struct cs_window *window, uint64_t now_ps)
{
    /* A repeated timeout carries no new information. */
    if (window->repeats == 0)
        window_halve(window);
    window->recover = window->sent;
    window->recovers = false;
    window->is_owed = false;
    window->size = 1;
    window->growth = 0;
    for (uint64_t i = window->acked; i < window->sent; i++)
        if (!(*mark_of(window, i) & (IS_KNOWN | IS_LOST)))
            window_lose(window, i);
    if (window->repeats < CS_WINDOW_DOUBLINGS)
        window->repeats++;
    set_timeout(window, now_ps);
}
