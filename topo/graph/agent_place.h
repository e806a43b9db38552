#pragma once

#include <stdbool.h>

/* Places of agents. */
enum cs_agent_place {
    CS_AGENT_SERVER,      /* a parameter server: its own port, or a CPU */
    CS_AGENT_SWITCH,      /* inside the ranks' switch, see in_switch.h */
    CS_AGENT_SWITCH_TREE, /* inside a tree of switches */
    CS_AGENT_SWITCH_NODE, /* inside the switch of each node */
    CS_AGENT_FABRIC,      /* inside switches between nodes, see in_fabric.h */
    CS_AGENT_NODE_FABRIC, /* inside the switch of each node, then inside those between */
};

/* Whether the switch of each node has an agent, before those elsewhere. */
static inline bool cs_agent_is_in_node(enum cs_agent_place place)
{
    return place == CS_AGENT_SWITCH_NODE || place == CS_AGENT_NODE_FABRIC;
}
