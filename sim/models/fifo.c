/*
 * Model `fifo`: every link on the route serves messages in the order in which
 * their heads reach it.
 *
 * The direct method is an event for each message and link.  Most events can be
 * saved: a link may serve a message ahead of time when no other message can
 * reach that link sooner.  Two conditions ensure this:
 *
 *   - no message was on its way to that server with an event pending when this
 *     instant began (was_due, in struct cs_resource): one that is since then is not
 *     sooner, and in a folded run some copies of it come first and others last; and
 *   - the message's head arrives no later than now + ahead_ps: any message that
 *     is sent or moved from now on needs at least ahead_ps to arrive.
 *
 * Where heads tie, the message handled first is served first: one whose event was
 * saved may so come before one with an event.  Otherwise the result is the same as with
 * an event for each hop (the tests compare them); on a switch it leaves one event a
 * message.
 *
 * Where switches store and forward (parameter `switching`), the next link gets
 * the head when the tail is there.
 *
 * Cost: O(hops) a message; at most one event a hop.
 */
#include "sim/models/lost.h"
#include "sim/models/params/params.h"
#include "sim/models/serve.h"

static void fifo_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    (void)arena;
    traffic->stores = cs_model_params_of(traffic)->fifo.stores;
}

/* Goes on over the link `id` of the message's hop. */
static inline struct cs_delivery fifo_go_on(struct cs_traffic *traffic, uint32_t number,
                                            uint32_t id)
{
    struct cs_message *message = &traffic->messages[number];
    const struct cs_net_link *links = traffic->net->links;
    uint64_t now_ps = traffic->events.now_ps;
    struct cs_resource *resource;

    for (;;) {
        cs_link_serve(traffic, message, number, id, CS_SERVE_IN_ORDER);
        if (traffic->stores)
            message->head_ps = message->tail_ps;
        if (message->hop == message->hops)
            return (struct cs_delivery){CS_ARRIVES, message->tail_ps};
        id = message->route[message->hop];
        resource = &traffic->resources[links[id].resource];
        cs_resource_see(resource, now_ps);
        if (resource->was_due || message->head_ps > now_ps + links[id].ahead_ps) {
            resource->due++;
            return (struct cs_delivery){CS_MOVES, message->head_ps};
        }
    }
}

static struct cs_delivery fifo_advance(struct cs_traffic *traffic, uint32_t number)
{
    const struct cs_message *message = &traffic->messages[number];

    return fifo_go_on(traffic, number, message->route[message->hop]);
}

static struct cs_delivery fifo_move(struct cs_traffic *traffic, uint32_t number)
{
    const struct cs_message *message = &traffic->messages[number];
    uint32_t id = message->route[message->hop];
    struct cs_resource *resource = &traffic->resources[traffic->net->links[id].resource];

    cs_resource_see(resource, traffic->events.now_ps);
    resource->due--;
    return fifo_go_on(traffic, number, id);
}

static void fifo_change(struct cs_traffic *traffic, uint32_t messages)
{
    cs_link_change(traffic, messages, fifo_advance);
}

static const char *const fifo_parameters[] = {"switching", NULL};

const struct cs_link_model cs_link_model_fifo = {
    .name = "fifo",
    .about = "every link on the route serves messages in order, cut-through",
    .takes_eager = true,
    .queues_messages = true,
    .packs_messages = true,
    .repeats = true,
    .folds_queues = true,
    .parameters = fifo_parameters,
    .open = fifo_open,
    .send = fifo_advance,
    .move = fifo_move,
    .lose = cs_link_lose,
    .change = fifo_change,
};
