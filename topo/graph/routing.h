/*
 * Routing: how a machine chooses among shortest routes.
 */
#pragma once

#include <stdbool.h>

enum cs_routing {
    CS_ROUTING_STATIC, /* of the machine; otherwise spread by source */
    CS_ROUTING_ECMP,   /* by a hash of seed, source and destination */
    CS_ROUTING_SEARCH, /* the cheapest path by search, see route.h */
    CS_ROUTING_SPRAY,  /* as STATIC, and alternatives on request */
    CS_ROUTING_ADAPTIVE,
    CS_ROUTINGS
};

/* Whether messages take one of several shortest routes (sim/engine/routing.h). */
static inline bool cs_routing_draws(enum cs_routing routing)
{
    return routing == CS_ROUTING_ECMP || routing == CS_ROUTING_SPRAY ||
           routing == CS_ROUTING_ADAPTIVE;
}
