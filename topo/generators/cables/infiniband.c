#include "topo/generators/cables/infiniband.h"

#include "topo/kinds/link_kind.h"

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

/* A switch's name without the words around it: "MF0;leaf1:MQM9700/U1" is leaf1.  Where an
 * earlier one has it, as of the chips of a chassis and of switches without management
 * ("Quantum Mellanox Technologies"), the ID. */
static const char *switch_name(struct cs_ib_reader *reader, const char *description, const char *id)
{
    const char *begin = strchr(description, ';'), *name;
    size_t length;

    begin = begin ? begin + 1 : description;
    length = strcspn(begin, ":/ ");
    name = length ? cs_arena_text_n(reader->graph->arena, begin, length) : id;
    return cs_names_add(&reader->switches, name, 0) == CS_NO_NAME ? name : id;
}

int cs_ib_add_end(struct cs_ib_reader *reader, const char *id, const char *description,
                  unsigned line, bool is_switch)
{
    struct cs_cables *cables = reader->cables;
    struct cs_cable_end end = {.line = line, .rail = UINT32_MAX};
    const char *last = strrchr(description, ' ');

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

bool cs_ib_set_speed(const struct cs_ib_reader *reader, struct cs_ib_speed speed,
                     struct cs_wire *wire)
{
    for (uint32_t s = 0; s < sizeof(speeds) / sizeof(*speeds); s++) {
        if (strlen(speeds[s].name) != speed.length ||
            strncmp(speeds[s].name, speed.name, speed.length) != 0)
            continue;
        if (!speed.lanes || speed.lanes > LANES_MAX ||
            cs_link_kind_find(speeds[s].kind, wire, reader->err))
            return false;
        wire->rate_Bps *= speeds[s].share * (double)speed.lanes / LANES;
        wire->class_name = speed.lanes == LANES ? speeds[s].kind
                                                : cs_arena_printf(reader->graph->arena, "%s_%lux",
                                                                  speeds[s].kind, speed.lanes);
        return true;
    }
    return false;
}

int cs_ib_build(struct cs_ib_reader *reader, const struct cs_topo_request *request)
{
    int code = cs_cables_build(request, reader->cables, reader->graph, reader->err);

    if (!code && reader->left_out)
        cs_graph_note(reader->graph, "%u aggregation nodes of switches are left out",
                      reader->left_out);
    return code;
}

struct cs_ib_reader cs_ib_reader_open(const char *file, struct cs_graph *graph, struct cs_err *err)
{
    struct cs_ib_reader reader = {.graph = graph, .err = err};

    reader.cables = cs_arena_alloc(graph->arena, 1, sizeof(*reader.cables));
    *reader.cables = (struct cs_cables){.file = file};
    cs_names_init(&reader.ids, graph->arena, 64);
    cs_names_init(&reader.switches, graph->arena, 64);
    return reader;
}
