#include "sim/window.h"

#include "sim/events.h"

void cs_window_open_wide(struct cs_window *window)
{
    *window = (struct cs_window){
        .size = UINT64_MAX, .limit = UINT64_MAX, .due_ps = UINT64_MAX};
}

void cs_window_open(struct cs_window *window, uint64_t trip_ps,
                    uint64_t least_ps)
{
    cs_window_open_wide(window);
    window->size = CS_WINDOW_FIRST;
    window->trip_ps = trip_ps;
    window->least_ps = least_ps;
}

static void set_timeout(struct cs_window *window, uint64_t at_ps)
{
    uint64_t wait_ps = cs_time_after(window->trip_ps, window->trip_ps);
    uint32_t i;

    if (wait_ps < window->least_ps)
        wait_ps = window->least_ps;
    for (i = 0; i < window->repeats; i++)
        wait_ps = cs_time_after(wait_ps, wait_ps);
    window->due_ps = cs_time_after(at_ps, wait_ps);
}

void cs_window_left(struct cs_window *window, uint64_t at_ps)
{
    if (window->due_ps == UINT64_MAX && window->sent > window->acked)
        set_timeout(window, at_ps);
}

static void go_back(struct cs_window *window)
{
    uint64_t half = (window->sent - window->acked) / 2;

    /* What is lost again says nothing new. */
    if (window->repeats == 0)
        window->limit = half < 2 ? 2 : half;
    window->size = window->limit;
    window->growth = 0;
    window->duplicates = 0;
    window->recover = window->highest;
    window->sent = window->acked;
}

static void grow(struct cs_window *window)
{
    if (window->size < window->limit) {
        window->size++;
    } else if (++window->growth >= window->size) {
        window->growth = 0;
        window->size++;
    }
}

void cs_window_acknowledge(struct cs_window *window, uint64_t come,
                           uint64_t trip_ps, uint64_t now_ps)
{
    window->trip_ps = trip_ps;
    if (come > window->acked) {
        window->acked = come;
        if (window->sent < come)
            window->sent = come; /* what was thought lost has come */
        window->duplicates = 0;
        window->repeats = 0;
        grow(window);
        window->due_ps = UINT64_MAX;
        cs_window_left(window, now_ps);
        return;
    }
    if (come < window->recover || ++window->duplicates < CS_WINDOW_DUPLICATES)
        return;
    go_back(window);
    set_timeout(window, now_ps);
}

void cs_window_time_out(struct cs_window *window, uint64_t now_ps)
{
    go_back(window);
    window->size = 1;
    if (window->repeats < CS_WINDOW_DOUBLINGS)
        window->repeats++;
    set_timeout(window, now_ps);
}
