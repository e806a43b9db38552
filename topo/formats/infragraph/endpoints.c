#include "topo/formats/infragraph/reader.h"

#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    BOUND_DIGITS = 9,
    SLICE_PARTS = 3, /* start, stop, step */
};

static int infragraph_add_leaf(struct cs_infragraph_reader *reader, uint32_t node,
                               struct cs_infragraph_leaves *leaves, uint64_t leaf)
{
    if (leaves->count >= CS_INFRAGRAPH_LEAVES_MAX)
        return cs_doc_err(reader->doc, node, reader->err, "an endpoint of over %d components",
                          CS_INFRAGRAPH_LEAVES_MAX);
    leaves->at =
        cs_vector_room(leaves->at, leaves->count + 1, &leaves->capacity, sizeof(*leaves->at));
    leaves->at[leaves->count++] = (uint32_t)leaf;
    return 0;
}

/* A whole number up to ':' or ']', or none. */
static bool read_bound(const char **text, long *bound, bool *is_given)
{
    const char *digits = *text + (**text == '-');
    size_t count = strspn(digits, "0123456789");

    *is_given = count > 0;
    if (count > BOUND_DIGITS || (digits > *text && count == 0))
        return false;
    *bound = count ? strtol(*text, NULL, 10) : 0;
    *text = digits + count;
    return **text == ':' || **text == ']';
}

/* A bound as Python has it: negative ones count from the end. */
static long clip(long bound, long count, long low, long high)
{
    if (bound < 0)
        bound += count;
    return bound < low ? low : bound > high ? high : bound;
}

static int slice_err(struct cs_infragraph_reader *reader, uint32_t node, const char *text)
{
    return cs_doc_err(reader->doc, node, reader->err,
                      "'%.60s' is no slice; expected NAME[3], NAME[0:4], NAME[0:8:2] or NAME",
                      text);
}

static int add_range(struct cs_infragraph_reader *reader, uint32_t node,
                     const long bounds[SLICE_PARTS], const bool given[SLICE_PARTS], long count,
                     struct cs_infragraph_leaves *indices)
{
    long step = given[2] ? bounds[2] : 1;
    long low = step > 0 ? 0 : -1;
    long high = step > 0 ? count : count - 1;
    long start = given[0] ? clip(bounds[0], count, low, high) : (step > 0 ? low : high);
    long stop = given[1] ? clip(bounds[1], count, low, high) : (step > 0 ? high : low);
    int rc = 0;

    if (step == 0)
        return cs_doc_err(reader->doc, node, reader->err,
                          "the step of a slice is 0; expected another number");
    for (long i = start; !rc && (step > 0 ? i < stop : i > stop); i += step)
        rc = infragraph_add_leaf(reader, node, indices, (uint64_t)i);
    return rc;
}

int cs_infragraph_slice(struct cs_infragraph_reader *reader, uint32_t node, const char *text,
                        uint32_t count, struct cs_infragraph_leaves *indices)
{
    const char *at = strchr(text, '[');
    long bounds[SLICE_PARTS] = {0};
    bool given[SLICE_PARTS] = {false};
    int parts = 0;

    indices->count = 0;
    if (!at || at[1] == ']')
        return add_range(reader, node, bounds, given, count, indices);
    do {
        at++;
        if (parts == SLICE_PARTS || !read_bound(&at, &bounds[parts], &given[parts]))
            return slice_err(reader, node, text);
        parts++;
    } while (*at == ':');
    if (at[1])
        return slice_err(reader, node, text);
    if (parts > 1)
        return add_range(reader, node, bounds, given, count, indices);
    if (bounds[0] < 0)
        bounds[0] += count;
    if (bounds[0] < 0 || bounds[0] >= (long)count)
        return cs_doc_err(reader->doc, node, reader->err, "'%.60s' is outside: there are %u", text,
                          count);
    return infragraph_add_leaf(reader, node, indices, (uint64_t)bounds[0]);
}

static int no_component(struct cs_infragraph_reader *reader, uint32_t node,
                        const struct cs_infragraph_device *device, const char *name)
{
    const char **names = cs_arena_alloc(reader->graph->arena, device->count, sizeof(*names));

    for (uint32_t c = 0; c < device->count; c++)
        names[c] = device->components[c].name;
    return cs_doc_err(reader->doc, node, reader->err,
                      "no component called '%.40s' in device '%.40s'%s", name, device->name,
                      cs_hint_all(name, names, device->count).text);
}

/* Replaces every start of a device by the starts of a component in it. */
static int enter(struct cs_infragraph_reader *reader, uint32_t node,
                 const struct cs_infragraph_component *component, const char *element,
                 struct cs_infragraph_leaves *leaves)
{
    struct cs_infragraph_leaves indices = {0}, swap = reader->spare;
    int rc = cs_infragraph_slice(reader, node, element, component->count, &indices);

    swap.count = 0;
    for (uint32_t i = 0; i < leaves->count && !rc; i++)
        for (uint32_t n = 0; n < indices.count && !rc; n++)
            rc = infragraph_add_leaf(reader, node, &swap,
                                     (uint64_t)leaves->at[i] + component->first +
                                         (uint64_t)indices.at[n] * component->each);
    free(indices.at);
    reader->spare = *leaves;
    *leaves = swap;
    return rc;
}

int cs_infragraph_expand(struct cs_infragraph_reader *reader, uint32_t device, uint32_t node,
                         const char *text, struct cs_infragraph_leaves *leaves)
{
    bool entered = false;
    int rc;

    leaves->count = 0;
    rc = infragraph_add_leaf(reader, node, leaves, 0);
    while (*text && !rc) {
        const struct cs_infragraph_device *in = &reader->devices[device];
        size_t length = strcspn(text, ".");
        const char *element = cs_arena_text_n(reader->graph->arena, text, length);
        const char *name = cs_arena_text_n(reader->graph->arena, element, strcspn(element, "["));
        uint32_t c = 0;

        text += length + (text[length] == '.');
        while (c < in->count && !cs_same(in->components[c].name, name))
            c++;
        if (c == in->count && cs_same(name, in->name))
            continue; /* the device before its component */
        if (c == in->count)
            return no_component(reader, node, in, name);
        rc = enter(reader, node, &in->components[c], element, leaves);
        entered = in->components[c].device == CS_DOC_NONE;
        if (entered && *text)
            return cs_doc_err(reader->doc, node, reader->err,
                              "'%s' is no device, so nothing is in it", name);
        if (!entered)
            device = in->components[c].device;
    }
    if (!rc && !entered)
        rc = cs_doc_err(reader->doc, node, reader->err,
                        "the endpoint is a device; expected a component of '%.40s'",
                        reader->devices[device].name);
    return rc;
}
