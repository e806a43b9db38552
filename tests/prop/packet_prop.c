/*
 * Model `packet` on random nets, and on machines against the other models.
 *
 * The nets are without circles, so that everything arrives: the inner nodes of
 * a route have rising numbers.  Servers are shared at random.  That credits are
 * neither made nor lost is asserted where they are kept (sim/models/packet/credits.c).
 */
#include "sim/engine/model.h"

#include "tests/prop/world.h"

enum {
    NETS = 600,
    ZERO_IN = 4, /* one link in so many has no latency */
};

/* ---- a random net and what is sent over it ---- */

static void draw_rising(struct world *world, uint32_t src, uint32_t dst)
{
    struct world_route *route = &world->routes[src][dst];
    uint32_t at = src;
    uint32_t inner = PARTIES + (uint32_t)below(world, 3);

    while (route->hops < ROUTE_HOPS - 1 && inner < NODES && below(world, 4)) {
        route->links[route->hops++] = link_between(world, at, inner);
        at = inner;
        inner += 1 + (uint32_t)below(world, 4);
    }
    route->links[route->hops++] = link_between(world, at, dst);
}

static uint64_t draw_length(struct world *world)
{
    const uint64_t most[] = {3, 200000, 20000, 20000, 20000, 20000};

    return below(world, most[below(world, 6)]);
}

static void draw_packets(struct world *world, struct cs_random *random)
{
    world_make(world, random, ZERO_IN, draw_rising);
    world->params.packet = (struct cs_packet_params){
        .payload_bytes = below(world, 2) ? 1 + (uint32_t)below(world, 4000) : 0,
        .header_bytes = (uint32_t)(below(world, 2) * below(world, 100)),
        .buffer_bytes = below(world, 2) * below(world, 20000),
    };
    if (world->params.packet.payload_bytes && world->params.packet.payload_bytes < 64)
        world->params.packet.payload_bytes += 64;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t src = (uint32_t)below(world, PARTIES);

        world->plans[i] = (struct plan){
            .src = src,
            .dst = (src + 1 + (uint32_t)below(world, PARTIES - 1)) % PARTIES,
            .channel = (uint32_t)below(world, 2),
            .bytes = draw_length(world),
            .after = i,
            .wait_ps = below(world, 3) ? below(world, 20000000) : 0,
        };
    }
}

/* ---- what must hold ---- */

/* Of a message, with the headers of its packets. */
static uint64_t wire_bytes(const struct world *world, uint64_t bytes)
{
    uint32_t payload =
        world->params.packet.payload_bytes ? world->params.packet.payload_bytes : 4096;
    uint64_t count = bytes ? (bytes + payload - 1) / payload : 1;

    return bytes + count * world->params.packet.header_bytes;
}

static uint64_t take_ps(const struct world *world, uint32_t message, uint32_t link)
{
    return cs_time_up((double)wire_bytes(world, world->plans[message].bytes) *
                      world->links[link].ps_per_byte);
}

/* Once, and its number may be used again once, if the model keeps it. */
static void check_delivery(const struct world *world, const struct run *run, uint32_t net)
{
    bool lossy = world->params.packet.loss == CS_PACKET_DROP;
    bool seen[MESSAGES] = {false};

    expect(run->delivered == MESSAGES, net, "not all is delivered once");
    for (uint32_t i = 0; i < MESSAGES; i++) {
        expect(!seen[run->order[i]], net, "a message is delivered twice");
        seen[run->order[i]] = true;
        expect(run->messages[i].lingers == lossy, net, "lingers");
        expect(run->forgotten[i] == lossy, net, "is not forgotten once");
    }
}

/* No message is quicker than alone, and the parts of its time add up. */
static void check_times(const struct world *world, const struct run *run, uint32_t net)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct cs_message *message = &run->messages[i];
        const struct world_route *route = &world->routes[message->src][message->dst];
        uint64_t latency_ps = 0;
        uint64_t slowest_ps = 0;

        for (uint32_t k = 0; k < route->hops; k++) {
            uint64_t link_ps = take_ps(world, i, route->links[k]);

            latency_ps += world->links[route->links[k]].latency_ps;
            slowest_ps = link_ps > slowest_ps ? link_ps : slowest_ps;
        }
        expect(message->latency_ps == latency_ps, net, "latency");
        expect(run->delivered_ps[i] >= message->sent_ps + latency_ps + slowest_ps, net,
               "a message is quicker than light");
        expect(run->delivered_ps[i] ==
                   message->sent_ps + latency_ps + slowest_ps + message->wait_ps,
               net, "the parts of a time do not add up");
    }
}

/* To the byte and to the picosecond: a message's packets are rounded together. */
static void check_conservation(const struct world *world, const struct run *run, uint32_t net)
{
    struct cs_link_use use[LINKS_MAX] = {{0}};
    uint64_t busy_ps[LINKS_MAX] = {0};

    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct plan *plan = &world->plans[i];
        const struct world_route *route = &world->routes[plan->src][plan->dst];

        for (uint32_t k = 0; k < route->hops; k++) {
            uint32_t link = route->links[k];

            use[link].bytes += plan->bytes;
            use[link].messages++;
            use[link].busy_ps += take_ps(world, i, link);
            busy_ps[world->links[link].resource] += take_ps(world, i, link);
        }
    }
    expect(memcmp(use, run->traffic.use, world->net.link_count * sizeof(*use)) == 0, net,
           "use of the links");
    for (uint32_t i = 0; i < world->net.resource_count; i++)
        expect(busy_ps[i] <= run->traffic.resources[i].free_ps, net,
               "a server is quicker than its rate");
}

static void check_order(const struct world *world, const struct run *run, uint32_t net)
{
    for (uint32_t i = 0; i < MESSAGES; i++)
        for (uint32_t k = i + 1; k < MESSAGES; k++) {
            const struct plan *a = &world->plans[run->order[i]];
            const struct plan *b = &world->plans[run->order[k]];

            expect(a->src != b->src || a->dst != b->dst || a->channel != b->channel ||
                       a->wait_ps < b->wait_ps || (a->wait_ps == b->wait_ps && a < b),
                   net, "messages overtake each other");
        }
}

/* What is lost crosses links again; nothing else is different. */
static void check_repeats(const struct world *world, const struct run *run, uint32_t net)
{
    uint64_t bytes[LINKS_MAX] = {0};
    bool more = false;

    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct plan *plan = &world->plans[i];
        const struct world_route *route = &world->routes[plan->src][plan->dst];

        for (uint32_t k = 0; k < route->hops; k++)
            bytes[route->links[k]] += plan->bytes;
    }
    for (uint32_t i = 0; i < world->net.link_count; i++) {
        expect(run->traffic.use[i].bytes >= bytes[i], net, "bytes are missing");
        more |= run->traffic.use[i].bytes > bytes[i];
    }
    expect(run->traffic.packets_resent >= run->traffic.packets_dropped, net,
           "a lost packet is not sent again");
    expect(run->traffic.packets_resent || !more, net, "bytes out of nothing");
}

/* Every message arrives once, in order, as late as it has to at least. */
static void check_distributions(enum cs_packet_loss loss, uint32_t nets)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("packet");
    const struct cs_link_model *packets = cs_link_model_find("packet");
    uint64_t dropped = 0;
    struct world *world = malloc(sizeof(*world));
    struct run *run = malloc(sizeof(*run));
    struct run *again = malloc(sizeof(*again));

    assert_non_null(world);
    assert_non_null(run);
    assert_non_null(again);
    for (uint32_t net = 0; net < nets; net++) {
        draw_packets(world, random);
        world->params.packet.loss = loss;
        run_model(world, packets, run);
        check_delivery(world, run, net);
        check_times(world, run, net);
        if (loss == CS_PACKET_DROP)
            check_repeats(world, run, net);
        else
            check_conservation(world, run, net);
        dropped += run->traffic.packets_dropped;
        check_order(world, run, net);
        run_model(world, packets, again);
        expect(memcmp(run->delivered_ps, again->delivered_ps, sizeof(run->delivered_ps)) == 0 &&
                   memcmp(run->order, again->order, sizeof(run->order)) == 0,
               net, "a second run differs");
        cs_arena_free(&world->arena);
    }
    assert_int_equal(dropped > 0, loss == CS_PACKET_DROP);
    free(world);
    free(run);
    free(again);
}

TEST(packets_keep_the_distributions)
{
    check_distributions(CS_PACKET_CREDITS, NETS);
}

TEST(paused_packets_keep_the_distributions)
{
    check_distributions(CS_PACKET_PFC, NETS);
}

TEST(packets_that_get_lost_arrive_all_the_same)
{
    check_distributions(CS_PACKET_DROP, NETS / 2);
}
