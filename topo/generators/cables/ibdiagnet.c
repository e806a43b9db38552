/*
 * ibdiagnet: the tables of an InfiniBand fabric in ibdiagnet2.db_csv.
 *
 *     START_NODES
 *     NodeDesc,NumPorts,NodeType,...,NodeGUID,PortGUID,...     type 2 is a switch
 *     "node1 mlx5_0",1,1,...,0x946dae0300000001,...
 *     END_NODES
 *     START_PORTS
 *     NodeGuid,PortGuid,PortNum,...,LinkWidthActv,...,LinkSpeedActv,...
 *     END_PORTS
 *     START_LINKS
 *     NodeGuid1,PortNum1,NodeGuid2,PortNum2
 *     END_LINKS
 *
 * Columns are found by name, other tables do not count.  The codes of widths and speeds
 * are those of the PortInfo attribute (InfiniBand specification, 14.2.5.6); LINKS names
 * a cable once.
 */
#include "sim/base/collections/vector.h"
#include "sim/base/text.h"
#include "topo/documents/csv_rows.h"
#include "topo/documents/doc.h"
#include "topo/generators/cables/infiniband.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    TABLES = 3,
    COLUMNS = 4,
};

/* A table and its columns; NODES before PORTS and LINKS. */
static const struct ibdiagnet_table {
    const char *name;
    const char *columns[COLUMNS];
} ibdiagnet_tables[TABLES] = {
    {"NODES", {"NodeDesc", "NodeType", "NodeGUID"}},
    {"PORTS", {"NodeGuid", "PortNum", "LinkWidthActv", "LinkSpeedActv"}},
    {"LINKS", {"NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"}},
};

static const struct {
    unsigned long code;
    const char *name;
} ibdiagnet_speeds[] = {
    {1, "SDR"},     {2, "DDR"},     {4, "QDR"},      {0x100, "FDR"},     {0x200, "EDR"},
    {0x400, "HDR"}, {0x800, "NDR"}, {0x1000, "XDR"}, {0x10000, "FDR10"},
};

struct ibdiagnet_reader {
    struct cs_ib_reader of;
    struct cs_csv_rows rows;
    size_t place[COLUMNS]; /* of the open table */
    struct cs_names ports; /* "guid port" -> wire */
    struct cs_wire *wires;
    uint32_t wire_count, wire_room;
    bool has_links;
};

static int ibdiagnet_err(const struct ibdiagnet_reader *reader, const char *what)
{
    return cs_err_at(reader->of.err, CS_EINPUT, reader->rows.file, reader->rows.line, "%s", what);
}

/* The columns of the table, in the row. */
static int find_columns(struct ibdiagnet_reader *reader, const struct ibdiagnet_table *table)
{
    const struct cs_csv_rows *rows = &reader->rows;

    for (size_t c = 0; c < COLUMNS && table->columns[c]; c++) {
        size_t *place = &reader->place[c];

        for (*place = 0; *place < rows->count; ++*place)
            if (strcasecmp(rows->cells[*place], table->columns[c]) == 0)
                break;
        if (*place == rows->count)
            return cs_err_at(reader->of.err, CS_EINPUT, rows->file, rows->line,
                             "no column %s in the table %s of ibdiagnet", table->columns[c],
                             table->name);
    }
    return 0;
}

static const char *cell(const struct ibdiagnet_reader *reader, size_t column)
{
    size_t place = reader->place[column];

    return place < reader->rows.count ? reader->rows.cells[place] : "";
}

static const char *port_name(const struct ibdiagnet_reader *reader, size_t guid, size_t port)
{
    return cs_arena_printf(reader->of.graph->arena, "%s %s", cell(reader, guid),
                           cell(reader, port));
}

/* Ports that are down have no speed, and no cable. */
static int read_port(struct ibdiagnet_reader *reader)
{
    static const unsigned char lanes[] = {[1] = 1, [2] = 4, [4] = 8, [8] = 12, [16] = 2};
    unsigned long width = strtoul(cell(reader, 2), NULL, 0);
    unsigned long speed = strtoul(cell(reader, 3), NULL, 0);
    struct cs_wire wire = {.line = reader->rows.line};
    size_t s = 0;

    while (s < sizeof(ibdiagnet_speeds) / sizeof(*ibdiagnet_speeds) &&
           ibdiagnet_speeds[s].code != speed)
        s++;
    if (width >= sizeof(lanes) || s == sizeof(ibdiagnet_speeds) / sizeof(*ibdiagnet_speeds) ||
        !cs_ib_set_speed(&reader->of,
                         (struct cs_ib_speed){ibdiagnet_speeds[s].name,
                                              strlen(ibdiagnet_speeds[s].name), lanes[width]},
                         &wire))
        return 0;
    reader->wires = cs_vector_room_in(reader->of.graph->arena, reader->wires,
                                      reader->wire_count + 1, &reader->wire_room, sizeof(wire));
    reader->wires[reader->wire_count] = wire;
    (void)cs_names_add(&reader->ports, port_name(reader, 0, 1), reader->wire_count++);
    return 0;
}

static int read_link(struct ibdiagnet_reader *reader)
{
    struct cs_cables *cables = reader->of.cables;
    uint32_t port = cs_names_find(&reader->ports, port_name(reader, 0, 1));
    uint32_t other = cs_names_find(&reader->ports, port_name(reader, 2, 3));
    struct cs_cable cable = {.a = cs_names_find(&reader->of.ids, cell(reader, 0)),
                             .b = cs_names_find(&reader->of.ids, cell(reader, 2))};

    if (cable.a == CS_NO_NAME || cable.b == CS_NO_NAME)
        return ibdiagnet_err(reader, "a cable to no node of START_NODES");
    if (port == CS_NO_NAME ||
        (other != CS_NO_NAME && reader->wires[other].rate_Bps < reader->wires[port].rate_Bps))
        port = other;
    if (port == CS_NO_NAME)
        return ibdiagnet_err(reader, "a cable between ports without LinkSpeedActv in START_PORTS");
    cable.wire = reader->wires[port];
    cable.wire.line = reader->rows.line;
    if (cables->ends[cable.a].name && cables->ends[cable.b].name)
        cs_cables_add(cables, cable, reader->of.graph->arena);
    return 0;
}

static int read_row(struct ibdiagnet_reader *reader, size_t table)
{
    if (table == 1)
        return read_port(reader);
    if (table == 2)
        return read_link(reader);
    return cs_ib_add_end(&reader->of, cell(reader, 2), cell(reader, 0), reader->rows.line,
                         cs_same(cell(reader, 1), "2"));
}

/* The number of the table that the line opens, or TABLES. */
static size_t table_of(const char *line)
{
    size_t t = 0;

    while (t < TABLES &&
           !(strncmp(line, "START_", 6) == 0 && cs_same(line + 6, ibdiagnet_tables[t].name)))
        t++;
    return t;
}

/* A line of a table: the first names its columns. */
static int ibdiagnet_line(struct ibdiagnet_reader *reader, const char *line, size_t *table,
                          bool *has_header)
{
    if (strncmp(line, "START_", 6) == 0) {
        *table = table_of(line);
        reader->has_links |= *table == 2;
        *has_header = false;
        return 0;
    }
    if (strncmp(line, "END_", 4) == 0)
        *table = TABLES;
    if (*table == TABLES || !*line)
        return 0;
    if (cs_csv_rows_cut(&reader->rows, line, strlen(line), reader->of.err))
        return CS_EINPUT;
    if (*has_header)
        return read_row(reader, *table);
    *has_header = true;
    return find_columns(reader, &ibdiagnet_tables[*table]);
}

static bool ibdiagnet_recognises(struct cs_doc_text text)
{
    return memmem(text.text, text.length, "START_NODES", 11) &&
           (memmem(text.text, text.length, "START_LINKS", 11) ||
            memmem(text.text, text.length, "END_NODES", 9));
}

static int ibdiagnet_read(const struct cs_topo_request *request, struct cs_doc_text text,
                          struct cs_graph *graph, struct cs_err *err)
{
    struct ibdiagnet_reader reader = {
        .of = cs_ib_reader_open(text.file, graph, err),
        .rows = {.file = text.file, .arena = graph->arena},
    };
    const char *at = text.text, *end = text.text + text.length;
    size_t table = TABLES;
    bool has_header = false;
    int code = 0;

    cs_names_init(&reader.ports, graph->arena, 256);
    while (at < end && !code) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        size_t bare = length && at[length - 1] == '\r' ? length - 1 : length;

        reader.rows.line++;
        code =
            ibdiagnet_line(&reader, cs_arena_text_n(graph->arena, at, bare), &table, &has_header);
        at += length + 1;
    }
    if (!code && !reader.has_links)
        code = cs_err_at(err, CS_EINPUT, text.file, 0,
                         "no START_LINKS in a db_csv of ibdiagnet; expected its tables of nodes, "
                         "ports and links");
    return code ? code : cs_ib_build(&reader.of, request);
}

const struct cs_source cs_source_ibdiagnet = {
    .name = "ibdiagnet",
    .usage = "ibdiagnet2.db_csv",
    .about = "tables of an InfiniBand fabric by ibdiagnet; --platform MACHINE is inside the hosts",
    .read = ibdiagnet_read,
    .recognises = ibdiagnet_recognises,
    .takes_platform = true,
    .takes_hosts = true,
};
