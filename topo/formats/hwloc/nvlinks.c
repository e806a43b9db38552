#include "topo/formats/hwloc/nvlinks.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/documents/xml.h"
#include "topo/formats/hwloc/reader.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- NVLinks ---- */

/* Iterates over the words in all children with a name. */
struct hwloc_words {
    const struct cs_hwloc_reader *reader;
    uint32_t child; /* next child, or CS_DOC_NONE */
    const char *name;
    const char *text;
};

static bool hwloc_next_word(struct hwloc_words *words, char *word, size_t size)
{
    for (;;) {
        size_t length;

        words->text += strspn(words->text, " \t\r\n");
        length = strcspn(words->text, " \t\r\n");
        if (length) {
            snprintf(word, size, "%.*s", (int)length, words->text);
            words->text += length;
            return true;
        }
        while (words->child != CS_DOC_NONE &&
               !cs_same(words->reader->doc->nodes[words->child].key, words->name))
            words->child = cs_hwloc_at(words->reader, words->child)->next;
        if (words->child == CS_DOC_NONE)
            return false;
        words->text = cs_hwloc_at(words->reader, words->child)->text;
        if (!words->text)
            words->text = "";
        words->child = cs_hwloc_at(words->reader, words->child)->next;
    }
}

/* The devices of the rows: GPUs, the NVSwitch, packages. */
static int read_ends(const struct cs_hwloc_reader *reader, uint32_t element, uint32_t count,
                     uint32_t *ends)
{
    struct hwloc_words words = {reader, cs_hwloc_at(reader, element)->first, "indexes", ""};
    char word[48];

    for (uint32_t i = 0; i < count; i++) {
        uint32_t object = CS_NO_NAME;
        uint32_t end;

        if (hwloc_next_word(&words, word, sizeof(word)))
            object = cs_names_find(&reader->objects, word);
        if (object == CS_NO_NAME)
            return cs_doc_err(reader->doc, element, reader->err,
                              "entry %u of %u in <indexes> is not an object of this file", i + 1,
                              count);
        end = cs_hwloc_is(reader, object, "OSDev") ? reader->places[object].parent : object;
        ends[i] = reader->places[end].device;
    }
    return 0;
}

/* Adds the number of NVLinks that gives the rate: those of the GPU's model if
 * the rate is a multiple, otherwise 25 GB/s each for NVLink 2 to 4, 20 GB/s for
 * NVLink 1. */
static void hwloc_join_nvlinks(struct cs_hwloc_reader *reader, uint32_t a, uint32_t b,
                               uint64_t megabytes)
{
    const struct cs_gpu_kind *model = reader->graph->devices[a].model;
    const struct cs_link_kind *own = model ? cs_link_kind_get(model->link) : NULL;
    uint64_t each = own ? (uint64_t)(own->rate_Bps / 1e6) : 0;
    struct cs_wire *wire;

    if (own && cs_link_families[own->family].word && each && megabytes % each == 0)
        cs_link_kind_join(reader->graph, a, b, own->name, (uint32_t)(megabytes / each));
    else if (megabytes % 25000 == 0)
        cs_link_kind_join(reader->graph, a, b, "nvlink2", (uint32_t)(megabytes / 25000));
    else if (megabytes % 20000 == 0)
        cs_link_kind_join(reader->graph, a, b, "nvlink1", (uint32_t)(megabytes / 20000));
    else {
        wire = cs_link_kind_join(reader->graph, a, b, "nvlink2", 1);
        wire->rate_Bps = (double)megabytes * 1e6;
        wire->class_name = "nvlink";
    }
}

static bool is_kind(const struct cs_hwloc_reader *reader, uint32_t device, enum cs_device_kind kind)
{
    return device != CS_DOC_NONE && reader->graph->devices[device].kind == kind;
}

/* A row of the matrix: links to later GPUs, and the sum of links to
 * NVSwitches. */
static int hwloc_read_row(struct cs_hwloc_reader *reader, struct hwloc_words *words, uint32_t row,
                          const uint32_t *ends, uint32_t count)
{
    uint64_t to_switch = 0;
    char word[48];

    for (uint32_t i = 0; i < count; i++) {
        uint64_t megabytes;
        char *end = word;

        word[0] = '\0';
        (void)hwloc_next_word(words, word, sizeof(word));
        megabytes = strtoull(word, &end, 10);
        if (*word < '0' || *word > '9' || *end || megabytes > CS_HWLOC_LINK_MBPS_MAX)
            return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, 0,
                             "'%.20s' in NVLinkBandwidth; expected %u times %u numbers of MB/s",
                             word, count, count);
        if (!megabytes || !is_kind(reader, ends[row], CS_DEVICE_GPU) || ends[i] == ends[row] ||
            ends[i] == CS_DOC_NONE)
            continue;
        if (ends[i] == reader->nvswitch)
            to_switch += megabytes;
        else if (i > row || !is_kind(reader, ends[i], CS_DEVICE_GPU))
            hwloc_join_nvlinks(reader, ends[row], ends[i], megabytes);
    }
    if (to_switch)
        hwloc_join_nvlinks(reader, ends[row], reader->nvswitch, to_switch);
    return 0;
}

static int read_nvlinks(struct cs_hwloc_reader *reader, uint32_t element)
{
    struct hwloc_words words = {reader, cs_hwloc_at(reader, element)->first, "u64values", ""};
    int64_t count;
    uint32_t *ends;
    int rc = cs_xml_want_number(reader->doc, element,
                                &(struct cs_xml_number){"nbobjs", 1, CS_HWLOC_OBJECTS_MAX}, &count,
                                reader->err);

    if (rc)
        return rc;
    ends = cs_arena_alloc(reader->graph->arena, (size_t)count, sizeof(*ends));
    rc = read_ends(reader, element, (uint32_t)count, ends);
    for (uint32_t row = 0; row < count && !rc; row++)
        rc = hwloc_read_row(reader, &words, row, ends, (uint32_t)count);
    return rc;
}

int cs_hwloc_read_matrices(struct cs_hwloc_reader *reader)
{
    bool any = false;
    int rc = 0;

    for (uint32_t i = cs_hwloc_at(reader, 0)->first; i != CS_DOC_NONE && !rc;
         i = cs_hwloc_at(reader, i)->next)
        if (cs_same(cs_hwloc_get(reader, i, "name"), "NVLinkBandwidth")) {
            rc = any ? cs_doc_err(reader->doc, i, reader->err, "NVLinkBandwidth is a duplicate")
                 : reader->objects.count ? read_nvlinks(reader, i)
                                         : 0;
            any = true;
        }
    if (any && !reader->objects.count)
        cs_graph_note(
            reader->graph,
            "objects have no gp_index: NVLinkBandwidth is ignored, all traffic uses PCIe");
    if (!any && reader->gpu_count > 1)
        cs_graph_note(reader->graph, "the file has no NVLinks: all traffic uses PCIe");
    return rc;
}
