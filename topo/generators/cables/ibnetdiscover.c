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
 * Source: linux-rdma/rdma-core infiniband-diags/ibnetdiscover.c.
 */
#include "sim/base/collections/vector.h"
#include "topo/documents/doc.h"
#include "topo/generators/cables/infiniband.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct fabric_reader {
    struct cs_ib_reader of;
    const char **peers; /* by cable: the other end */
    uint32_t peer_room;
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
    return cs_arena_text_n(reader->of.graph->arena, open + 1, (size_t)(end - open - 1));
}

static int expect_line(const struct fabric_reader *reader, unsigned line, const char *form)
{
    return cs_err_at(reader->of.err, CS_EINPUT, reader->of.cables->file, line, "expected %s", form);
}

/* A line of a switch or an adapter: ports, "ID", # "description". */
static int read_end(struct fabric_reader *reader, const char *text, unsigned line, bool is_switch)
{
    const char *id = take_quoted(reader, &text);
    const char *description = id ? take_quoted(reader, &text) : NULL;

    if (!description)
        return expect_line(reader, line,
                           "Switch or Ca, ports, \"ID\" and # \"description\", as ibnetdiscover "
                           "writes");
    return cs_ib_add_end(&reader->of, id, description, line, is_switch);
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
            cs_ib_set_speed(&reader->of,
                            (struct cs_ib_speed){x + 1, length, strtoul(begin, NULL, 10)}, wire))
            return true;
    }
    return false;
}

/* "[1](guid) "H-..."[1](guid) # ... 4xNDR" below its switch or adapter. */
static int read_cable(struct fabric_reader *reader, const char *text, unsigned line)
{
    struct cs_cables *cables = reader->of.cables;
    struct cs_arena *arena = reader->of.graph->arena;
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
    struct cs_cables *cables = reader->of.cables;
    uint32_t kept = 0;

    assert(reader->peers || !cables->cable_count);
    for (uint32_t c = 0; c < cables->cable_count; c++) {
        struct cs_cable cable = cables->cables[c];
        const struct cs_cable_end *a, *b;

        cable.b = cs_names_find(&reader->of.ids, reader->peers[c]);
        if (cable.b == CS_NO_NAME)
            return cs_err_at(reader->of.err, CS_EINPUT, cables->file, cable.wire.line,
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
    struct fabric_reader reader = {.of = cs_ib_reader_open(text.file, graph, err)};
    const char *at = text.text, *end = text.text + text.length;
    int code = 0;

    for (unsigned line = 1; at < end && !code; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);

        code = fabric_line(&reader, cs_arena_text_n(graph->arena, at, length), line);
        at += length + 1;
    }
    if (!code)
        code = join_cables(&reader);
    return code ? code : cs_ib_build(&reader.of, request);
}

const struct cs_source cs_source_ibnetdiscover = {
    .name = "ibnetdiscover",
    .usage = "the output of ibnetdiscover",
    .about = "switches and cables of an InfiniBand fabric; --platform MACHINE is inside the hosts",
    .read = ibnetdiscover_read,
    .recognises = ibnetdiscover_recognises,
    .takes_platform = true,
    .takes_hosts = true,
};
