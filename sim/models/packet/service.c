#include "sim/models/packet/state.h"

/* The packet crosses links[0] until served_ps, and joins the line of links[1] as
 * soon as its head is there: onto a faster link so late that the link does not
 * run dry. */
static void service_forward(struct cs_traffic *traffic, uint32_t number, const uint32_t *links,
                            uint64_t served_ps)
{
    struct packet_model *model = traffic->model;
    struct packet *packet = &model->packets[number];
    uint64_t ready_ps = traffic->events.now_ps;
    uint64_t next_ps = cs_service_take_ps(packet, &traffic->net->links[links[1]]);

    if (model->loss == CS_PACKET_CREDITS)
        cs_credits_take(&model->credits,
                        model->private_places ? packet_stage_of(model, packet) : links[0],
                        packet->bytes);
    packet->hop++;
    if (served_ps - ready_ps > next_ps)
        ready_ps = served_ps - next_ps;
    packet_wake_at(traffic, cs_time_after(ready_ps, traffic->net->links[links[0]].latency_ps),
                   WAKE_PACKET, number);
}

/* The packet starts to cross the link at which it is. */
static void service_packet(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct packet *packet = &model->packets[number];
    uint32_t from = packet->message;
    uint32_t hop = packet->hop;
    const uint32_t *links = cs_traffic_route(traffic, from) + hop;
    const struct cs_net_link *link = &traffic->net->links[*links];
    struct cs_link_use *use = &traffic->use[*links];
    uint64_t link_ps = cs_service_take_ps(packet, link);
    uint64_t served_ps = cs_time_after(traffic->events.now_ps, link_ps);
    uint32_t stage = model->private_places ? packet_stage_of(model, packet) : NONE;

    traffic->resources[link->resource].free_ps = served_ps;
    model->resources[link->resource].link = *links;
    use->busy_ps += link_ps;
    use->bytes += packet->bytes - model->header_bytes;
    if (hop > 0)
        cs_buffers_give(traffic, model->loss == CS_PACKET_DROP ? links[0] : links[-1], packet,
                        served_ps);
    else
        packet->sent_ps = traffic->events.now_ps;
    if (hop + 1 < traffic->messages[from].hops)
        service_forward(traffic, number, links, served_ps);
    if (model->private_places)
        cs_places_left(traffic, stage);
    if (hop == 0)
        cs_streams_left(traffic, from, served_ps);
    if (hop + 1 == traffic->messages[from].hops)
        cs_streams_arrive(traffic, number, cs_time_after(served_ps, link->latency_ps));
}

/* The next packet in the resource's line, if buffers have space beyond its link;
 * else the packet is deferred and the result is NONE. */
static uint32_t service_next(struct cs_traffic *traffic, struct resource *resource)
{
    struct packet_model *model = traffic->model;
    uint32_t number = packet_leave(model, &resource->line);
    const struct packet *packet = &model->packets[number];
    uint32_t id = packet_link_of(traffic, packet);
    const struct link *link = &model->links[id];
    const struct line *deferred = packet->hop ? &link->passing : &link->entering;

    if (deferred->first == NONE && cs_buffers_fit(traffic, id, packet))
        return number;
    cs_buffers_defer(traffic, id, number);
    return NONE;
}

void cs_service_run(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct resource *resource = &model->resources[number];

    while (resource->line.first != NONE || resource->fit.first != NONE) {
        uint32_t packet;

        if (traffic->resources[number].free_ps > traffic->events.now_ps) {
            if (!resource->wakes)
                packet_wake_at(traffic, traffic->resources[number].free_ps, WAKE_RESOURCE, number);
            resource->wakes = true;
            return;
        }
        if (resource->fit.first != NONE) {
            uint32_t link = cs_buffers_next_fit(model, resource);
            struct line *line = cs_buffers_line(traffic, link);

            if (line) /* else the link was paused meanwhile */
                service_packet(traffic, packet_leave(model, line));
            cs_buffers_review(traffic, link);
            continue;
        }
        packet = service_next(traffic, resource);
        if (packet != NONE)
            service_packet(traffic, packet);
    }
}
