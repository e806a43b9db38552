/*
 * Machine: see machine.h.
 */
#include "reports/figures/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct machine_word {
    const char *text;
    size_t length;
};

static bool machine_begins(struct machine_word word, const char *name)
{
    return word.length >= strlen(name) &&
           strncmp(word.text, name, strlen(name)) == 0;
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
        if (word.length > 0 &&
            !(words == CS_MACHINE_BUT_SIZE && machine_says_size(word)))
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

int cs_machine_order(const char *spec, const char *other,
                     enum cs_machine_words words)
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

static bool machine_has_word(const char *spec, struct machine_word wanted)
{
    const char *at = spec;
    struct machine_word word;

    do {
        word = machine_next_word(&at, spec, CS_MACHINE_ALL);
        if (word.length > 0 && machine_order_words(word, wanted) == 0)
            return true;
    } while (word.length > 0);
    return false;
}

static bool machine_all_have(const struct cs_report_data *data,
                             const char *topology, struct machine_word word)
{
    const char *last = NULL; /* runs of a machine often share the text */

    for (size_t i = 0; i < data->count; i++) {
        const struct cs_record *run = &data->records[i];

        if (run->topology_spec == last || !cs_same(run->topology, topology))
            continue;
        last = run->topology_spec;
        if (!machine_has_word(last, word))
            return false;
    }
    return true;
}

const char *cs_machine_apart(const struct cs_report_data *data,
                             const struct cs_record *run,
                             enum cs_machine_words words,
                             struct cs_arena *arena)
{
    const char *spec = run->topology_spec;
    const char *at = spec;
    const char *apart = "";
    char ranks[32];
    struct machine_word word;

    (void)snprintf(ranks, sizeof ranks, "ranks=%" PRIu32, run->ranks);
    while ((word = machine_next_word(&at, spec, words)).length > 0)
        if (machine_order_words(
                word, (struct machine_word){ranks, strlen(ranks)}) != 0 &&
            (machine_says_parameter(word) ||
             !machine_all_have(data, run->topology, word)))
            apart =
                cs_arena_printf(arena, "%s%s%.*s", apart, *apart ? ", " : "",
                                (int)word.length, word.text);
    return apart;
}
