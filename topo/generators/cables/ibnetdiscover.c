/*
 * ibnetdiscover: the cables of an InfiniBand fabric, as the subnet has them.
 *
 *     Switch  65 "S-b8cef6..."       # "MF0;leaf1:MQM9700/U1" enhanced port 0 lid 1 lmc 0
 *     [1]     "H-946dae..."[1](946dae...)    # "node1 mlx5_0" lid 5 4xNDR
 *     [33]    "S-b8cef7..."[1]       # "MF0;spine1:MQM9700/U1" lid 3 4xNDR
 *
 *     Ca      1 "H-946dae..."        # "node1 mlx5_0"
 *     [1](946dae...)  "S-b8cef6..."[1]       # lid 5 lmc 0 "MF0;leaf1" lid 1 4xNDR
 *
 * A host is the first word of an adapter's description, the adapter the last.
 * Aggregation nodes of switches are left out.
 * Source: linux-rdma/rdma-core infiniband-diags/ibnetdiscover.c.
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/collections/vector.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/generators/cables/cables.h"
#include "topo/kinds/link_kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 4,      /* of a port at its full width */
    LANES_MAX = 12, /* of the InfiniBand specification */
};

/* Names of speeds, the class of a port of four lanes, and its share of that class. */
static const struct {
    const char *name, *kind;
    double share;
} speeds[] = {
    {"XDR", "ib-xdr", 1}, {"NDR", "ib-ndr", 1}, {"HDR", "ib-hdr", 1},
    {"EDR", "ib-edr", 1}, {"FDR", "ib-fdr", 1}, {"FDR10", "ib-fdr", 5 / 6.82},
    {"QDR", "ib-qdr", 1}, {"DDR", "ib-ddr", 1}, {"SDR", "ib-sdr", 1},
};

struct fabric_reader {
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_cables *cables;
    struct cs_names ids, switches;
    const char **peers; /* by cable: the other end */
    uint32_t peer_room, left_out;
};

/* ---- lines ---- */

/* The text between the next two quotes from *at on, which moves behind; NULL: none. */
static const char *take_quoted(struct fabric_reader *reader, const char **at)
{
    const char *open = strchr(*at, '"');
    const char *end = open ? strchr(open + 1, '"') : NULL;

    if (!end)
        return NULL;
    *at = end + 1;
    return cs_arena_text_n(reader->graph->arena, open + 1, (size_t)(end - open - 1));
}

static int expect_line(const struct fabric_reader *reader, unsigned line, const char *form)
{
    return cs_err_at(reader->err, CS_EINPUT, reader->cables->file, line, "expected %s", form);
}

/* A switch's name without the words around it: "MF0;leaf1:MQM9700/U1" is leaf1.  Where an
 * earlier one has it, as of the chips of a chassis and of switches without management
 * ("Quantum Mellanox Technologies"), the ID. */
static const char *switch_name(struct fabric_reader *reader, const char *description,
                               const char *id)
{
    const char *begin = strchr(description, ';'), *name;
    size_t length;

    begin = begin ? begin + 1 : description;
    length = strcspn(begin, ":/ ");
    name = length ? cs_arena_text_n(reader->graph->arena, begin, length) : id;
    return cs_names_add(&reader->switches, name, 0) == CS_NO_NAME ? name : id;
}

/* A line of a switch or an adapter: ports, "ID", # "description". */
static int read_end(struct fabric_reader *reader, const char *text, unsigned line, bool is_switch)
{
    struct cs_cables *cables = reader->cables;
    struct cs_cable_end end = {.line = line, .rail = UINT32_MAX};
    const char *id = take_quoted(reader, &text);
    const char *description = id ? take_quoted(reader, &text) : NULL;
    const char *last = description ? strrchr(description, ' ') : NULL;

    if (!description)
        return expect_line(reader, line,
                           "Switch or Ca, ports, \"ID\" and # \"description\", as ibnetdiscover "
                           "writes");
    if (cs_names_add(&reader->ids, id, cables->end_count) != CS_NO_NAME)
        return cs_err_at(reader->err, CS_EINPUT, cables->file, line, "'%s' occurs twice", id);
    if (is_switch) {
        end.name = switch_name(reader, description, id);
    } else if (strstr(description, "Aggregation Node")) {
        end.adapter = "";
        reader->left_out++;
    } else {
        end.name =
            last ? cs_arena_text_n(reader->graph->arena, description, strcspn(description, " "))
                 : description;
        end.adapter = last ? last + 1 : "";
    }
    cs_cables_add_end(cables, end, reader->graph->arena);
    return 0;
}

/* Sets the link of a speed by that many lanes; false for a name that is none. */
static bool set_speed(struct fabric_reader *reader, const char *name, size_t length,
                      unsigned long lanes, struct cs_wire *wire)
{
    for (uint32_t s = 0; s < sizeof(speeds) / sizeof(*speeds); s++) {
        if (strlen(speeds[s].name) != length || strncmp(speeds[s].name, name, length) != 0)
            continue;
        if (!lanes || lanes > LANES_MAX || cs_link_kind_find(speeds[s].kind, wire, reader->err))
            return false;
        wire->rate_Bps *= speeds[s].share * (double)lanes / LANES;
        wire->class_name = lanes == LANES ? speeds[s].kind
                                          : cs_arena_printf(reader->graph->arena, "%s_%lux",
                                                            speeds[s].kind, lanes);
        return true;
    }
    return false;
}

/* The link of "4xNDR" behind a space; words behind it do not count. */
static bool read_speed(struct fabric_reader *reader, const char *text, struct cs_wire *wire)
{
    for (const char *x = strchr(text, 'x'); x; x = strchr(x + 1, 'x')) {
        const char *begin = x;
        size_t length = strspn(x + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

        while (begin > text && isdigit((unsigned char)begin[-1]))
            begin--;
        if (begin < x && begin > text && begin[-1] == ' ' &&
            set_speed(reader, x + 1, length, strtoul(begin, NULL, 10), wire))
            return true;
    }
    return false;
}

/* "[1](guid) "H-..."[1](guid) # ... 4xNDR" below its switch or adapter. */
static int read_cable(struct fabric_reader *reader, const char *text, unsigned line)
{
    struct cs_cables *cables = reader->cables;
    struct cs_arena *arena = reader->graph->arena;
    struct cs_cable cable = {.a = cables->end_count - 1};
    const char *rest = text + 1 + strspn(text + 1, "0123456789");
    const char *id = *rest == ']' ? take_quoted(reader, &rest) : NULL;

    if (!id || *rest != '[' || !cables->end_count)
        return expect_line(reader, line, "[port] \"ID\"[port] below a Switch or Ca");
    if (!read_speed(reader, rest, &cable.wire))
        return expect_line(reader, line, "a width and a speed such as 4xNDR at the end");
    cable.wire.line = line;
    reader->peers = cs_vector_room_in(arena, reader->peers, cables->cable_count + 1,
                                      &reader->peer_room, sizeof(*reader->peers));
    reader->peers[cables->cable_count] = id;
    cs_cables_add(cables, cable, arena);
    return 0;
}

static int fabric_line(struct fabric_reader *reader, const char *text, unsigned line)
{
    if (!strncmp(text, "Switch", 6) && isspace((unsigned char)text[6]))
        return read_end(reader, text, line, true);
    if (!strncmp(text, "Ca", 2) && isspace((unsigned char)text[2]))
        return read_end(reader, text, line, false);
    return *text == '[' ? read_cable(reader, text, line) : 0;
}

/* A cable is below both of its ends: that below the earlier end stays. */
static int join_cables(struct fabric_reader *reader)
{
    struct cs_cables *cables = reader->cables;
    uint32_t kept = 0;

    for (uint32_t c = 0; c < cables->cable_count; c++) {
        struct cs_cable cable = cables->cables[c];
        const struct cs_cable_end *a, *b;

        cable.b = cs_names_find(&reader->ids, reader->peers[c]);
        if (cable.b == CS_NO_NAME)
            return cs_err_at(reader->err, CS_EINPUT, cables->file, cable.wire.line,
                             "'%s' is no Switch or Ca of the file; expected the whole output of "
                             "ibnetdiscover",
                             reader->peers[c]);
        a = &cables->ends[cable.a];
        b = &cables->ends[cable.b];
        if (cable.a < cable.b && a->name && b->name)
            cables->cables[kept++] = cable;
    }
    cables->cable_count = kept;
    return 0;
}

static bool ibnetdiscover_recognises(struct cs_doc_text text)
{
    return memmem(text.text, text.length, "switchguid=0x", 13) ||
           memmem(text.text, text.length, "\nSwitch\t", 8);
}

static int ibnetdiscover_read(const struct cs_topo_request *request, struct cs_doc_text text,
                              struct cs_graph *graph, struct cs_err *err)
{
    struct cs_cables *cables = cs_arena_alloc(graph->arena, 1, sizeof(*cables));
    struct fabric_reader reader = {.graph = graph, .err = err, .cables = cables};
    const char *at = text.text, *end = text.text + text.length;
    int code = 0;

    *cables = (struct cs_cables){.file = text.file};
    cs_names_init(&reader.ids, graph->arena, 64);
    cs_names_init(&reader.switches, graph->arena, 64);
    for (unsigned line = 1; at < end && !code; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);

        code = fabric_line(&reader, cs_arena_text_n(graph->arena, at, length), line);
        at += length + 1;
    }
    if (!code)
        code = join_cables(&reader);
    if (!code)
        code = cs_cables_build(request, cables, graph, err);
    if (!code && reader.left_out)
        cs_graph_note(graph, "%u aggregation nodes of switches are left out", reader.left_out);
    return code;
}

const struct cs_source cs_source_ibnetdiscover = {
    .name = "ibnetdiscover",
    .usage = "the output of ibnetdiscover",
    .about = "switches and cables of an InfiniBand fabric; --platform MACHINE is inside the hosts",
    .read = ibnetdiscover_read,
    .recognises = ibnetdiscover_recognises,
    .takes_platform = true,
};
