#include "sim/models/packet/state.h"

#include "sim/base/mem.h"

#include <assert.h>
#include <string.h>

enum {
    PRIVATE_PLACES = 2, /* packets, in addition to what is on the link */
};

static const double most_packets = 0x1p31;

/* ---- sizes ---- */

uint64_t cs_places_flying(const struct cs_net *net, const struct packet_model *model, uint32_t link)
{
    double flying = 2 * (double)net->links[link].latency_ps / net->links[link].ps_per_byte /
                    (double)packet_bytes(model);

    if (!(flying < most_packets)) /* an infinite rate; 0 / 0, too */
        return (uint64_t)most_packets;
    return 1 + (uint64_t)flying;
}

uint64_t cs_places_bytes(const struct cs_net *net, const struct packet_model *model, uint32_t link)
{
    return (PRIVATE_PLACES + cs_places_flying(net, model, link)) * packet_bytes(model);
}

/* ---- stages of a message ---- */

/* As many stages as the message has links; the stages that the last message with
 * the same number kept are used again. */
static void places_open_new(struct packet_model *model, const uint32_t *route, uint32_t hops,
                            struct stream *stream)
{
    if (stream->kept_count < hops) {
        stream->kept = cs_credits_add(&model->credits, hops);
        stream->kept_count = hops;
        assert(model->credits.link_count >> NUMBER_BITS == 0);
    }
    if (model->stage_room != model->credits.link_capacity) {
        model->stage_room = model->credits.link_capacity;
        model->stages = cs_grow(model->stages, model->stage_room, sizeof(*model->stages));
    }
    stream->stages = stream->kept;
    for (uint32_t i = 0; i < hops; i++) {
        model->stages[stream->stages + i] = (struct stage){.waiting = {NONE, NONE}};
        cs_credits_resize(&model->credits, stream->stages + i,
                          model->links[route[i]].private_bytes);
    }
}

/* The message uses the stages of the message before it, which is still in flight,
 * and keeps these stages afterwards. */
static void places_share(struct stream *stream, struct stream *before)
{
    uint32_t kept = stream->kept;
    uint32_t count = stream->kept_count;

    stream->stages = before->stages;
    stream->kept = before->kept;
    stream->kept_count = before->kept_count;
    before->kept = kept;
    before->kept_count = count;
}

void cs_places_open(struct cs_traffic *traffic, uint32_t number, uint32_t before)
{
    struct packet_model *model = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint32_t hops = traffic->messages[number].hops;

    if (before != CS_ORDER_NONE && hops == traffic->messages[before].hops &&
        memcmp(route, cs_traffic_route(traffic, before), hops * sizeof(*route)) == 0)
        places_share(&model->streams[number], &model->streams[before]);
    else
        places_open_new(model, route, hops, &model->streams[number]);
}

/* ---- packets at a stage ---- */

/* A WAKE_PLACE for the time at which the first waiting packet gets a place. */
static void places_plan(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    struct stage *stage = &model->stages[number];
    uint64_t next_ps = cs_credits_next_ps(&model->credits, number);

    if (stage->wakes || next_ps == UINT64_MAX)
        return;
    stage->wakes = true;
    packet_wake_at(traffic, next_ps, WAKE_PLACE, number);
}

/* Is a place free beyond the link?  The last link needs none. */
static bool places_fit(struct cs_traffic *traffic, uint32_t number, const struct packet *packet)
{
    struct packet_model *model = traffic->model;

    return packet->hop + 1 == traffic->messages[packet->message].hops ||
           cs_credits_fit(&model->credits, number, packet->bytes, traffic->events.now_ps);
}

void cs_places_next(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct stage *stage = &model->stages[number];
    uint32_t first = stage->waiting.first;
    const struct packet *packet = &model->packets[first];

    if (!places_fit(traffic, number, packet)) {
        places_plan(traffic, number);
        return;
    }
    stage->in_line = true;
    (void)packet_leave(model, &stage->waiting);
    packet_join(model, &model->resources[packet_resource_of(traffic, packet)].line, first);
}

void cs_places_join(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    const struct packet *packet = &model->packets[number];
    struct line *line = &model->resources[packet_resource_of(traffic, packet)].line;
    struct stage *stage;

    if (!model->private_places) {
        packet_join(model, line, number);
        return;
    }
    stage = &model->stages[packet_stage_of(model, packet)];
    if (!stage->in_line && stage->waiting.first == NONE &&
        places_fit(traffic, packet_stage_of(model, packet), packet)) {
        stage->in_line = true;
        packet_join(model, line, number);
        return;
    }
    packet_join(model, &stage->waiting, number);
    if (!stage->in_line)
        places_plan(traffic, packet_stage_of(model, packet));
}

void cs_places_give(struct cs_traffic *traffic, uint32_t number, uint32_t bytes, uint64_t back_ps)
{
    struct packet_model *model = traffic->model;
    const struct stage *stage = &model->stages[number];

    cs_credits_give(&model->credits, number, bytes, back_ps);
    if (stage->waiting.first != NONE && !stage->in_line)
        places_plan(traffic, number);
}

uint32_t cs_places_wake(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    struct stage *stage = &model->stages[number];
    uint32_t first = stage->waiting.first;

    stage->wakes = false;
    if (first == NONE || stage->in_line)
        return NONE;
    cs_places_next(traffic, number);
    return packet_resource_of(traffic, &model->packets[first]);
}
