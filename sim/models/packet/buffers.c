
#include "sim/base/random.h"
#include "sim/models/packet/state.h"

#include <assert.h>

enum {
    TYPICAL_BUFFER = 64, /* packets; params/packet.h says why */
    RESERVE_MAX = 8,     /* packets */
    HEADROOM = 2,        /* packets, in addition to what is on the link: 802.1Qbb */
    XON_BELOW = 2,       /* packets below XOFF */
    DRAW_FROM = 8,       /* packets: smaller buffers do not draw for the last place */
};

/* ---- sizes ---- */

/* Whole packets, so that no part of a buffer is unusable. */
static uint64_t buffer_packets(const struct cs_net *net, const struct packet_model *model,
                               uint32_t link)
{
    uint64_t given = model->params->buffer_bytes / packet_bytes(model);

    if (model->params->buffer_bytes)
        return given ? given : 1;
    if (model->loss == CS_PACKET_PFC)
        return TYPICAL_BUFFER;
    return TYPICAL_BUFFER + cs_places_flying(net, model, link);
}

/* With PFC a buffer pauses its link while less than one packet fits, and the
 * headroom takes what arrives until the pause acts. */
static void buffers_open_pause(struct packet_model *model, const struct cs_net *net,
                               uint32_t number)
{
    struct link *link = &model->links[number];
    const struct cs_credit_link *buffer = &model->credits.links[number];
    uint64_t one = packet_bytes(model);

    link->xoff_bytes = buffer->size_bytes - one;
    if (link->xoff_bytes > XON_BELOW * one)
        link->xon_bytes = link->xoff_bytes - XON_BELOW * one;
    cs_credits_resize(&model->credits, number,
                      buffer->size_bytes + (HEADROOM + cs_places_flying(net, model, number)) * one);
}

void cs_buffers_open(struct packet_model *model, const struct cs_net *net, uint32_t link)
{
    uint64_t packets = buffer_packets(net, model, link);
    uint64_t reserve = packets / 2 < RESERVE_MAX ? packets / 2 : RESERVE_MAX;

    assert(packet_bytes(model) <= UINT32_MAX / (RESERVE_MAX + 1));
    model->links[link] = (struct link){
        .passing = {NONE, NONE},
        .entering = {NONE, NONE},
        .wake_ps = UINT64_MAX,
        .private_bytes = cs_places_bytes(net, model, link),
        .reserve_bytes = (uint32_t)(reserve * packet_bytes(model)),
    };
    if (model->private_places)
        return;
    cs_credits_resize(&model->credits, link, packets * packet_bytes(model));
    if (model->loss == CS_PACKET_PFC)
        buffers_open_pause(model, net, link);
}

/* ---- lines ---- */

static void buffers_join_fit(struct packet_model *model, struct resource *resource, uint32_t link)
{
    model->links[link].next = NONE;
    model->links[link].is_fit = true;
    if (resource->fit.first == NONE)
        resource->fit.first = link;
    else
        model->links[resource->fit.last].next = link;
    resource->fit.last = link;
}

uint32_t cs_buffers_next_fit(struct packet_model *model, struct resource *resource)
{
    uint32_t link = resource->fit.first;

    resource->fit.first = model->links[link].next;
    model->links[link].is_fit = false;
    return link;
}

/* ---- deferred packets ---- */

/* A WAKE_LINK for the time at which the far buffer has more space. */
static void buffers_plan(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    struct link *link = &model->links[number];
    uint64_t next_ps = cs_credits_next_ps(&model->credits, number);

    if (next_ps >= link->wake_ps)
        return;
    link->wake_ps = next_ps;
    packet_wake_at(traffic, next_ps, WAKE_LINK, number);
}

/* The link idles for lack of space; a paused link gets a frame instead. */
static void buffers_await(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;

    if (model->loss == CS_PACKET_CREDITS)
        buffers_plan(traffic, number);
}

bool cs_buffers_fit(struct cs_traffic *traffic, uint32_t link, const struct packet *packet)
{
    struct packet_model *model = traffic->model;
    uint32_t bytes = packet->bytes;

    if (model->private_places || packet->hop + 1 == traffic->messages[packet->message].hops)
        return true;
    if (model->loss != CS_PACKET_CREDITS)
        return !model->links[link].is_paused;
    if (packet->hop == 0)
        bytes += model->links[link].reserve_bytes;
    return cs_credits_fit(&model->credits, link, bytes, traffic->events.now_ps);
}

struct line *cs_buffers_line(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct link *link = &model->links[number];

    if (link->passing.first != NONE &&
        cs_buffers_fit(traffic, number, &model->packets[link->passing.first]))
        return &link->passing;
    if (link->entering.first != NONE &&
        cs_buffers_fit(traffic, number, &model->packets[link->entering.first]))
        return &link->entering;
    return NULL;
}

void cs_buffers_defer(struct cs_traffic *traffic, uint32_t number, uint32_t packet)
{
    struct packet_model *model = traffic->model;
    struct link *link = &model->links[number];
    struct line *line = model->packets[packet].hop ? &link->passing : &link->entering;

    packet_join(model, line, packet);
    if (line->first == packet && !link->is_fit)
        buffers_await(traffic, number);
}

void cs_buffers_review(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct link *link = &model->links[number];
    uint32_t resource = traffic->net->links[number].resource;

    if (!cs_buffers_defers(link) || link->is_fit)
        return;
    if (cs_buffers_line(traffic, number))
        buffers_join_fit(model, &model->resources[resource], number);
    else
        buffers_await(traffic, number);
}

void cs_buffers_give(struct cs_traffic *traffic, uint32_t number, const struct packet *packet,
                     uint64_t left_ps)
{
    struct packet_model *model = traffic->model;
    const struct link *link = &model->links[number];
    uint32_t bytes = packet->bytes;

    if (bytes == 0)
        return;
    if (model->loss == CS_PACKET_CREDITS)
        left_ps = cs_time_after(left_ps, traffic->net->links[number].latency_ps);
    if (model->private_places) {
        cs_places_give(traffic, packet_stage_of(model, packet) - 1, bytes, left_ps);
        return;
    }
    cs_credits_give(&model->credits, number, bytes, left_ps);
    /* A link in line `fit` reviews the rest when served. */
    if (cs_buffers_defers(link) && !link->is_fit)
        buffers_await(traffic, number);
    if (link->pauses)
        buffers_plan(traffic, number);
}

/* ---- buffers without credits ---- */

/* The far end of a link pauses or resumes the near end. */
static void buffers_signal(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct link *link = &model->links[number];
    const struct cs_credit_link *buffer = &model->credits.links[number];
    uint64_t held_bytes = buffer->size_bytes - buffer->room_bytes;

    if (link->pauses ? held_bytes <= link->xon_bytes : held_bytes > link->xoff_bytes) {
        link->pauses = !link->pauses;
        packet_wake_at(
            traffic, cs_time_after(traffic->events.now_ps, traffic->net->links[number].latency_ps),
            WAKE_PAUSE, number);
    }
    if (link->pauses)
        buffers_plan(traffic, number);
}

/* Does the packet find space in a buffer that drops packets?  The last place is
 * given by a draw; packet.c says why. */
static bool buffers_accept(struct cs_traffic *traffic, uint32_t link, const struct packet *packet)
{
    struct packet_model *model = traffic->model;
    const struct cs_message *message = &traffic->messages[packet->message];
    uint64_t one = packet_bytes(model);
    uint64_t now_ps = traffic->events.now_ps;
    uint64_t flow = (uint64_t)message->src << 32 | message->dst;

    if (!cs_credits_fit(&model->credits, link, packet->bytes, now_ps))
        return false;
    if (model->credits.links[link].size_bytes < DRAW_FROM * one ||
        model->credits.links[link].room_bytes >= one + packet->bytes)
        return true;
    return cs_mix64(cs_mix64(flow) + now_ps) & 1;
}

bool cs_buffers_enter(struct cs_traffic *traffic, const struct packet *packet)
{
    struct packet_model *model = traffic->model;
    const uint32_t *links = cs_traffic_route(traffic, packet->message) + packet->hop;
    uint32_t link = model->loss == CS_PACKET_DROP ? links[0] : links[-1];

    if (model->loss == CS_PACKET_DROP && !buffers_accept(traffic, link, packet))
        return false;
    if (model->loss == CS_PACKET_PFC)
        (void)cs_credits_fit(&model->credits, link, 0, traffic->events.now_ps);
    cs_credits_take(&model->credits, link, packet->bytes);
    if (model->loss == CS_PACKET_PFC)
        buffers_signal(traffic, link);
    return true;
}

/* ---- events ---- */

uint32_t cs_buffers_wake(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct link *link = &model->links[number];

    if (link->wake_ps == traffic->events.now_ps)
        link->wake_ps = UINT64_MAX;
    if (model->loss == CS_PACKET_CREDITS) {
        cs_buffers_review(traffic, number);
        return traffic->net->links[number].resource;
    }
    (void)cs_credits_fit(&model->credits, number, 0, traffic->events.now_ps);
    buffers_signal(traffic, number);
    return NONE;
}

uint32_t cs_buffers_pause(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;

    model->links[number].is_paused = !model->links[number].is_paused;
    cs_buffers_review(traffic, number);
    return traffic->net->links[number].resource;
}
