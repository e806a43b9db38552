#include "topo/formats/yaml/reader.h"

#include "topo/documents/doc.h"
#include "topo/formats/yaml/limits.h"
#include "topo/kinds/link_kind.h"

#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

struct cs_arena *cs_yaml_arena(const struct cs_yaml_reader *reader)
{
    return reader->graph->arena;
}

const struct cs_doc_node *cs_yaml_at(const struct cs_yaml_reader *reader, uint32_t node)
{
    return &reader->doc->nodes[node];
}

const char *cs_yaml_prefix(const struct cs_yaml_reader *reader)
{
    return reader->in_node && reader->nodes ? "n0." : "";
}

int cs_yaml_check_name(const struct cs_yaml_reader *reader, uint32_t node, bool is_full)
{
    const char *name = cs_yaml_at(reader, node)->key;
    size_t good = is_full ? strcspn(name, "[]") : strspn(name, LETTERS);
    int most = is_full ? CS_YAML_NAME_MAX : CS_LINK_NAME_MAX - 1;

    if (*name && !name[good] && strlen(name) <= (size_t)most)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, cs_yaml_at(reader, node)->key_line,
                     "'%.80s' is not a name; expected 1 to %d letters%s", name, most,
                     is_full ? " without '[' and ']'" : ", digits, '-' or '_'");
}
