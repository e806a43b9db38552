/*
 * Rank tables of HCCL as the document has them: which NPU of which server is
 * which rank.  Both generations of the format (read.c) give the same arrays.
 */
#ifndef CS_TOPO_FORMATS_HCCL_TABLE_H
#define CS_TOPO_FORMATS_HCCL_TABLE_H

#include "topo/documents/doc.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"

#include <stdint.h>

enum {
    CS_HCCL_RANKS_MAX = 65536, /* above the largest known cluster */
    CS_HCCL_NPUS = 8,          /* of a server */
    CS_HCCL_GROUP = 4,         /* NPUs below a CPU */
};

struct cs_hccl_npu {
    uint32_t node; /* in the document; CS_DOC_NONE: not yet read */
    uint32_t server, device;
    uint32_t graph_device;
};

struct cs_hccl_server {
    const char *id;
    uint32_t node;
    uint32_t npus[CS_HCCL_NPUS]; /* rank + 1; 0: not in the job */
    uint32_t count;
};

struct cs_hccl_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu;
    bool named;               /* by --gpu */
    struct cs_hccl_npu *npus; /* by rank */
    uint32_t count;
    struct cs_hccl_server *servers;
    uint32_t server_count;
};

/* A node of the document. */
const struct cs_doc_node *cs_hccl_at(const struct cs_hccl_reader *reader, uint32_t node);

/* Reads the table: servers, and NPUs by rank.  CS_EINPUT for duplicates and for
 * counts that differ from the number of entries. */
int cs_hccl_read_table(struct cs_hccl_reader *reader);

#endif
