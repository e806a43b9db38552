/*
 * Nodes of a Chakra execution trace: Protocol Buffers without a library.
 *
 * A file is a sequence of messages, with the length as a varint before: a
 * GlobalMetadata, then Nodes (mlcommons/chakra schema/protobuf/
 * et_def.proto, version 1.0).  The members below are kept; further
 * members are skipped by wire type.
 *
 *     read   O(bytes); memory O(nodes + dependencies), and a message
 */
#pragma once

#include "scenarios/trace/trace.h"

enum cs_chakra_type {
    CS_CHAKRA_COMPUTE = 4,
    CS_CHAKRA_SEND = 5,
    CS_CHAKRA_RECEIVE = 6,
    CS_CHAKRA_COLLECTIVE = 7,
};

struct cs_chakra_node {
    uint64_t id;
    uint64_t start_us, duration_us;
    uint64_t type;        /* enum cs_chakra_type, or unknown */
    uint64_t comm_type;   /* CollectiveCommType; CS_TRACE_NONE: missing */
    uint64_t comm_bytes;  /* 0: missing */
    uint64_t peer;        /* of a send or receive; CS_TRACE_NONE: missing */
    uint32_t stream;      /* CS_TRACE_NONE: missing */
    uint32_t first, deps; /* of the dependencies */
    bool is_host;         /* "is_cpu_op" */
};

/* Data dependencies order the nodes of a trace.  Control dependencies are the
 * parents of operators, and may close cycles. */
struct cs_chakra_dep {
    uint64_t id;
    bool is_control;
};

struct cs_chakra_nodes {
    struct cs_chakra_node *nodes;
    struct cs_chakra_dep *deps; /* by node */
    uint32_t count, dep_count;
    uint64_t bytes;
    bool truncated; /* inside of a message; whole messages are kept */
};

/* CS_EINPUT with the byte of a fault; the caller frees the nodes, after errors too. */
int cs_chakra_nodes_read(const struct cs_trace_file *file, struct cs_chakra_nodes *nodes,
                         struct cs_err *err);
void cs_chakra_nodes_free(struct cs_chakra_nodes *nodes);
