#include "reports/figures/machine.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/collections/vector.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine_word {
    const char *text;
    size_t length;
};

static bool machine_begins(struct machine_word word, const char *name)
{
    return word.length >= strlen(name) && strncmp(word.text, name, strlen(name)) == 0;
}

/* Words for the size of a generated machine. */
static bool machine_says_size(struct machine_word word)
{
    return machine_begins(word, "ranks=") || machine_begins(word, "nodes=") ||
           machine_begins(word, "gpus=") || machine_begins(word, "dims=");
}

/* Parameters that the name of the machine leaves out: that of a cluster has the
 * node and the fabric. */
static bool machine_says_parameter(struct machine_word word)
{
    return memchr(word.text, '=', word.length) && !machine_says_size(word) &&
           !machine_begins(word, "node=") && !machine_begins(word, "fabric=");
}

/* The next word of the chosen kind; length 0 at the end.  The first word, the
 * kind of machine, ends in ':', the others in ','. */
static struct machine_word machine_next_word(const char **at, const char *spec,
                                             enum cs_machine_words words)
{
    while (**at) {
        bool is_kind = *at == spec;
        struct machine_word word = {*at, strcspn(*at, is_kind ? ":," : ",")};

        *at += word.length + ((*at)[word.length] != '\0');
        if (word.length > 0 && !(words == CS_MACHINE_BUT_SIZE && machine_says_size(word)))
            return word;
    }
    return (struct machine_word){*at, 0};
}

/* strcmp for words that do not end in NUL. */
static int machine_order_words(struct machine_word a, struct machine_word b)
{
    size_t length = a.length < b.length ? a.length : b.length;
    int order = strncmp(a.text, b.text, length);

    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

int cs_machine_order(const char *spec, const char *other, enum cs_machine_words words)
{
    const char *left = spec;
    const char *right = other;
    struct machine_word a;
    struct machine_word b;
    int order;

    do {
        a = machine_next_word(&left, spec, words);
        b = machine_next_word(&right, other, words);
        order = machine_order_words(a, b);
    } while (order == 0 && a.length > 0);
    return order;
}

/* ---- the words of all machines ---- */

/* The machines of a name, or those with a word. */
struct machine_entry {
    uint32_t count;
    uint32_t last; /* the number of the last machine, from 1 */
};

struct cs_machine_index {
    struct cs_names names; /* numbers of entries */
    const struct machine_entry *entries;
};

/* An index in progress. */
struct machine_indexing {
    struct cs_machine_index *index;
    struct machine_entry *entries;
    uint32_t count, capacity;
    uint32_t machines;
    struct cs_text key;
};

/* "fat-tree" is the key of the name, "fat-tree radix=8" that of a word, and
 * "fat-tree  fat-tree:ranks=64,radix=8" that of a machine. */
static const char *machine_key(struct cs_text *key, const char *topology, const char *space,
                               struct machine_word word)
{
    key->length = 0;
    cs_text_add(key, topology);
    cs_text_add(key, space);
    cs_text_add_n(key, word.text, word.length);
    return cs_text_str(key);
}

/* The entry of indexing->key; a new one counts no machine. */
static struct machine_entry *machine_enter(struct machine_indexing *indexing)
{
    struct cs_names *names = &indexing->index->names;
    const char *key = cs_text_str(&indexing->key);
    uint32_t number = cs_names_find(names, key);

    if (number != CS_NO_NAME)
        return &indexing->entries[number];
    number = indexing->count++;
    indexing->entries = cs_vector_room(indexing->entries, indexing->count, &indexing->capacity,
                                       sizeof indexing->entries[0]);
    (void)cs_names_add(names, cs_arena_text(names->arena, key), number);
    indexing->entries[number] = (struct machine_entry){0, 0};
    return &indexing->entries[number];
}

/* Counts the last machine, once. */
static void machine_count(struct machine_indexing *indexing)
{
    struct machine_entry *entry = machine_enter(indexing);

    entry->count += entry->last != indexing->machines;
    entry->last = indexing->machines;
}

static void machine_add(struct machine_indexing *indexing, const struct cs_record *run)
{
    const char *spec = run->topology_spec, *at = spec;
    struct machine_word word = {spec, strlen(spec)};

    (void)machine_key(&indexing->key, run->topology, "  ", word);
    if (machine_enter(indexing)->count)
        return;
    indexing->machines++;
    machine_count(indexing);
    (void)machine_key(&indexing->key, run->topology, "", (struct machine_word){"", 0});
    machine_count(indexing);
    while ((word = machine_next_word(&at, spec, CS_MACHINE_ALL)).length > 0) {
        (void)machine_key(&indexing->key, run->topology, " ", word);
        machine_count(indexing);
    }
}

struct cs_report_data cs_machine_data(const struct cs_record *records, size_t count,
                                      struct cs_arena *arena)
{
    struct cs_machine_index *index = cs_arena_alloc(arena, 1, sizeof *index);
    struct machine_indexing indexing = {.index = index};
    struct machine_entry *entries;

    cs_names_init(&index->names, arena, 16);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || records[i].topology_spec != records[i - 1].topology_spec ||
            records[i].topology != records[i - 1].topology)
            machine_add(&indexing, &records[i]);
    entries = cs_arena_alloc(arena, indexing.count, sizeof *entries);
    if (indexing.count)
        memcpy(entries, indexing.entries, indexing.count * sizeof *entries);
    index->entries = entries;
    free(indexing.entries);
    cs_text_free(&indexing.key);
    return (struct cs_report_data){records, count, index};
}

/* The machines of a key. */
static uint32_t machine_counted(const struct cs_machine_index *index, const char *key)
{
    uint32_t number = cs_names_find(&index->names, key);

    return number == CS_NO_NAME ? 0 : index->entries[number].count;
}

/* Whether all machines of the name have the word. */
static bool machine_all_have(const struct cs_report_data *data, const char *topology,
                             struct machine_word word)
{
    CS_AT_END(cs_text_free) struct cs_text key = {0};
    uint32_t with = machine_counted(data->machines, machine_key(&key, topology, " ", word));

    return with == machine_counted(data->machines, topology);
}

const char *cs_machine_apart(const struct cs_report_data *data, const struct cs_record *run,
                             enum cs_machine_words words, struct cs_arena *arena)
{
    const char *spec = run->topology_spec;
    const char *at = spec;
    const char *apart = "";
    char ranks[32];
    struct machine_word word;

    (void)snprintf(ranks, sizeof ranks, "ranks=%" PRIu32, run->ranks);
    while ((word = machine_next_word(&at, spec, words)).length > 0)
        if (machine_order_words(word, (struct machine_word){ranks, strlen(ranks)}) != 0 &&
            (machine_says_parameter(word) || !machine_all_have(data, run->topology, word)))
            apart = cs_arena_printf(arena, "%s%s%.*s", apart, *apart ? ", " : "", (int)word.length,
                                    word.text);
    return apart;
}
