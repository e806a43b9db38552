#include "topo/generators/cables/hosts.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/file.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/parameters.h"
#include "topo/graph/graph.h"
#include "topo/graph/name_set.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    ADAPTERS_MAX = 64,        /* of a host; 16 are common */
    LIST_BYTES_MAX = 4 << 20, /* of a hostfile */
    HINTS = 4096,             /* names that a message may name */
};

struct host_reader {
    struct cs_cables *cables;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_cable_end **sorted; /* adapters by host and name */
    uint32_t count;
    uint32_t *first; /* by host: its first adapter */
    uint32_t hosts;
    struct cs_cable_hosts *numbered;
    uint32_t short_hosts, long_hosts;
    const char *first_short;
    struct cs_names listed, known; /* of --hosts; the file's, with the host */
    const char *list;
    unsigned line; /* of the hostfile; 0: a list */
};

/* ---- names ---- */

/* Numbers in names by value: mlx5_9 before mlx5_10. */
static int compare_names(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *a_end, *b_end;
            unsigned long x = strtoul(a, &a_end, 10), y = strtoul(b, &b_end, 10);

            if (x != y)
                return x < y ? -1 : 1;
            a = a_end;
            b = b_end;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return (*a != '\0') - (*b != '\0');
}

static int compare_adapters(const void *a, const void *b)
{
    const struct cs_cable_end *x = *(struct cs_cable_end *const *)a;
    const struct cs_cable_end *y = *(struct cs_cable_end *const *)b;
    int order = compare_names(x->name, y->name);

    if (!order)
        order = compare_names(x->adapter, y->adapter);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Adapters in order of host and name; the number of them. */
static uint32_t sort_adapters(struct cs_cables *cables, struct cs_cable_end **sorted)
{
    uint32_t count = 0;

    for (uint32_t e = 0; e < cables->end_count; e++)
        if (cables->ends[e].adapter && cables->ends[e].name)
            sorted[count++] = &cables->ends[e];
    qsort(sorted, count, sizeof(struct cs_cable_end *), compare_adapters);
    return count;
}

/* Behind the adapters of the host of adapter i. */
static uint32_t host_end(struct cs_cable_end **sorted, uint32_t count, uint32_t i)
{
    uint32_t end = i + 1;

    while (end < count && cs_same(sorted[i]->name, sorted[end]->name))
        end++;
    return end;
}

/* The number of adapters of most hosts, the least of several. */
static uint32_t usual_adapters(struct cs_cable_end **sorted, uint32_t count)
{
    uint32_t hosts[ADAPTERS_MAX + 1] = {0}, best = 0;

    for (uint32_t i = 0, next; i < count; i = next) {
        next = host_end(sorted, count, i);
        if (next - i <= ADAPTERS_MAX)
            hosts[next - i]++;
    }
    for (uint32_t size = 1; size <= ADAPTERS_MAX; size++)
        if (hosts[size] > hosts[best])
            best = size;
    return best;
}

/* ---- lists ---- */

int cs_host_names(const char *list, struct cs_host_names_to to, struct cs_arena *arena,
                  struct cs_err *err)
{
    char name[CS_NAME_MAX];
    int code = 0;

    while (list && *list && !code) {
        size_t length = cs_parameters_span(list, ',');
        struct cs_name_set set;

        if (cs_name_set_parse(cs_arena_text_n(arena, list, length), NULL, &set, arena, err))
            return CS_EINPUT;
        if (set.count > CS_HOST_NAMES_MAX - *to.listed)
            return cs_err_set(err, CS_EINPUT, "over %d names of nodes and switches; expected fewer",
                              CS_HOST_NAMES_MAX);
        *to.listed += (uint32_t)set.count;
        for (uint64_t i = 0; i < set.count && !code; i++) {
            cs_name_set_nth(&set, i, name);
            code = to.each(to.context, cs_arena_text(arena, name));
        }
        list += length + (list[length] == ',');
    }
    return code;
}

/* ---- numbers ---- */

/* The next number for a host whose adapters are all there. */
static void number_host(struct host_reader *reader, uint32_t host)
{
    uint32_t i = reader->first[host], next = host_end(reader->sorted, reader->count, i);
    struct cs_cable_hosts *numbered = reader->numbered;

    if (next - i < numbered->rails) {
        if (!reader->short_hosts++)
            reader->first_short = reader->sorted[i]->name;
        return;
    }
    reader->long_hosts += next - i > numbered->rails;
    for (uint32_t r = 0; r < numbered->rails; r++) {
        reader->sorted[i + r]->rail = r;
        reader->sorted[i + r]->number = numbered->hosts;
    }
    numbered->hosts++;
}

static int listed_host(void *context, const char *name)
{
    struct host_reader *reader = context;
    uint32_t host = cs_names_find(&reader->known, name);

    if (host == CS_NO_NAME) {
        uint32_t count = reader->hosts < HINTS ? reader->hosts : HINTS;
        const char **names = cs_arena_alloc(reader->graph->arena, count, sizeof(*names));

        for (uint32_t h = 0; h < count; h++)
            names[h] = reader->sorted[reader->first[h]]->name;
        return cs_err_at(
            reader->err, CS_EINPUT, reader->list, reader->line, "no host called '%.80s' in %s%s",
            name, reader->cables->file,
            cs_hint(name, names, count, "expected one of its names, or a hostfile").text);
    }
    if (cs_names_add(&reader->listed, name, host) != CS_NO_NAME)
        return cs_err_at(reader->err, CS_EINPUT, reader->list, reader->line, "'%.80s' occurs twice",
                         name);
    number_host(reader, host);
    return 0;
}

/* A host a line: "node1", "node1 slots=8", "node1:8"; # begins a comment. */
static int read_hostfile(struct host_reader *reader)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(reader->list, LIST_BYTES_MAX, &text, reader->err);
    const char *at = cs_text_str(&text);

    for (reader->line = 1; *at && !code; reader->line++) {
        size_t length = strcspn(at, "\n"), blank = strspn(at, " \t\r"), word;

        word = strcspn(at + blank, " \t\r\n:#");
        if (blank < length && word)
            code = listed_host(reader, cs_arena_text_n(reader->graph->arena, at + blank, word));
        at += length + (at[length] == '\n');
    }
    return code;
}

/* A file, or names as node[01-16]. */
static int number_listed(struct host_reader *reader)
{
    struct cs_arena *arena = reader->graph->arena;
    const char *list = reader->list;
    uint32_t count = 0;
    struct stat status;
    int code;

    cs_names_init(&reader->known, arena, reader->hosts);
    cs_names_init(&reader->listed, arena, 64);
    for (uint32_t h = 0; h < reader->hosts; h++)
        (void)cs_names_add(&reader->known, reader->sorted[reader->first[h]]->name, h);
    if (stat(list, &status) == 0 || strchr(list, '/')) {
        code = read_hostfile(reader);
    } else {
        reader->list = "--hosts";
        code = cs_host_names(list, (struct cs_host_names_to){listed_host, reader, &count}, arena,
                             reader->err);
    }
    if (!code && !reader->numbered->hosts && !reader->short_hosts)
        code = cs_err_at(reader->err, CS_EINPUT, reader->list, 0,
                         "no names of hosts; expected a name a line of a hostfile, or a list as "
                         "node[01-16]");
    return code;
}

static void note_hosts(const struct host_reader *reader)
{
    uint32_t rails = reader->numbered->rails;

    if (reader->short_hosts)
        cs_graph_note(reader->graph, "%u %s left out, with fewer than %u adapters: %s%s",
                      reader->short_hosts, reader->short_hosts == 1 ? "host is" : "hosts are",
                      rails, reader->first_short, reader->short_hosts > 1 ? " and others" : "");
    if (reader->long_hosts)
        cs_graph_note(reader->graph, "of %u hosts the first %u adapters join, by name",
                      reader->long_hosts, rails);
}

int cs_cable_hosts_number(struct cs_cables *cables, const char *list, struct cs_graph *graph,
                          struct cs_cable_hosts *numbered, struct cs_err *err)
{
    struct host_reader reader = {
        .cables = cables, .graph = graph, .err = err, .numbered = numbered, .list = list};
    int code = 0;

    reader.sorted = cs_arena_alloc(graph->arena, cables->end_count + 1, sizeof(*reader.sorted));
    reader.count = sort_adapters(cables, reader.sorted);
    if (!reader.count)
        return cs_err_at(err, CS_EINPUT, cables->file, 0, "no adapters of hosts");
    *numbered = (struct cs_cable_hosts){.rails = usual_adapters(reader.sorted, reader.count)};
    if (!numbered->rails)
        return cs_err_at(err, CS_EINPUT, cables->file, reader.sorted[0]->line,
                         "over %d adapters of each host; expected fewer", ADAPTERS_MAX);
    reader.first = cs_arena_alloc(graph->arena, reader.count, sizeof(*reader.first));
    for (uint32_t i = 0; i < reader.count; i = host_end(reader.sorted, reader.count, i))
        reader.first[reader.hosts++] = i;
    if (list)
        code = number_listed(&reader);
    for (uint32_t h = 0; h < reader.hosts && !list; h++)
        number_host(&reader, h);
    note_hosts(&reader);
    return code;
}
