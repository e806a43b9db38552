#include "validate/logs/builder.h"

#include "algorithms/libraries/library.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    RING_PATTERN = 4, /* NCCL_TOPO_PATTERN_RING */
    SETTINGS_MAX = 400,
};

/* ---- values in a line ---- */

/* The text after `key`; NULL: not in the line. */
static const char *debug_after(const char *line, const char *key)
{
    const char *at = strstr(line, key);

    return at ? at + strlen(key) : NULL;
}

static uint32_t debug_count_after(const char *line, const char *key)
{
    const char *at = debug_after(line, key);

    while (at && *at == ' ')
        at++;
    if (!at || !isdigit((unsigned char)*at))
        return 0;
    return (uint32_t)strtoul(at, NULL, 10);
}

/* A word of letters, digits and _-/. in the arena; NULL: none. */
static const char *debug_word(const char *at, struct cs_arena *arena)
{
    size_t length = 0;

    while (at && *at == ' ')
        at++;
    while (at && (isalnum((unsigned char)at[length]) || (at[length] && strchr("_-/.", at[length]))))
        length++;
    return length && length < 64 ? cs_arena_text_n(arena, at, length) : NULL;
}

/* ---- facts ---- */

/* "NCCL version 2.21.5+cuda12.4", "RCCL version : 2.22.3-HEAD:7d8d67c". */
static void debug_version(struct cs_log_builder *builder, const char *line)
{
    struct cs_log_facts *facts = &builder->log->facts;
    bool is_rccl = strstr(line, "RCCL version") != NULL;
    const char *at = debug_after(line, "CCL version");
    char text[16];
    size_t length = 0;
    uint32_t version;

    while (at && (*at == ' ' || *at == ':'))
        at++;
    if (!at || facts->version)
        return;
    while (length + 1 < sizeof(text) && (isdigit((unsigned char)at[length]) || at[length] == '.'))
        length++;
    memcpy(text, at, length);
    text[length] = '\0';
    if (cs_library_version_read(text, &version, NULL))
        return;
    facts->version = version;
    facts->library = is_rccl ? "rccl" : "nccl";
}

/* "8 coll channels, 8 collnet channels, 16 nvls channels, ..." */
static void debug_channels(struct cs_log_builder *builder, const char *line)
{
    struct cs_log_facts *facts = &builder->log->facts;
    const char *coll = strstr(line, " coll channels");
    const char *nvls = strstr(line, " nvls channels");

    if (!coll)
        return;
    while (coll > line && isdigit((unsigned char)coll[-1]))
        coll--;
    facts->channels = (uint32_t)strtoul(coll, NULL, 10);
    while (nvls && nvls > line && isdigit((unsigned char)nvls[-1]))
        nvls--;
    if (nvls)
        facts->nvls_channels = (uint32_t)strtoul(nvls, NULL, 10);
}

/* "Pattern 4, crossNic 0, nChannels 16, bw 20.0/20.0, type NVL/PIX, ..." */
static void debug_graph(struct cs_log_builder *builder, const char *line)
{
    struct cs_log_facts *facts = &builder->log->facts;
    const char *type = debug_after(line, "type ");
    const char *slash = type ? strchr(type, '/') : NULL;

    if (debug_count_after(line, "Pattern ") != RING_PATTERN || !slash || slash - type > 8)
        return;
    facts->gpu_path = cs_arena_text_n(builder->arena, type, (size_t)(slash - type));
    facts->adapter_path = debug_word(slash + 1, builder->arena);
}

/* The known settings with one more, once. */
static const char *debug_with(struct cs_arena *arena, const char *known, const char *setting)
{
    known = known ? known : "";
    if (strlen(known) > SETTINGS_MAX || strstr(known, setting))
        return known;
    return cs_arena_printf(arena, "%s%s%s", known, *known ? ", " : "", setting);
}

/* "NCCL_ALGO set by environment to Ring." */
static void debug_setting(struct cs_log_builder *builder, const char *line)
{
    struct cs_log_facts *facts = &builder->log->facts;
    const char *name = strstr(line, "NCCL_");
    const char *value = debug_after(line, " set by environment to ");
    const char *word;
    size_t length;

    if (!name || !value || name > value)
        return;
    word = debug_word(value, builder->arena);
    length = strcspn(name, " ");
    if (!word || length > 64)
        return;
    while (*word && word[strlen(word) - 1] == '.')
        word = cs_arena_text_n(builder->arena, word, strlen(word) - 1);
    facts->settings =
        debug_with(builder->arena, facts->settings,
                   cs_arena_printf(builder->arena, "%.*s=%s", (int)length, name, word));
}

/* "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:..." */
static void debug_adapters(struct cs_log_builder *builder, const char *line)
{
    const char *at = debug_after(line, " : Using [");
    uint32_t count = 0;

    if (!at || !strstr(line, "NET/"))
        return;
    for (at--; at && *at; at = strchr(at + 1, '['))
        count += isdigit((unsigned char)at[1]) != 0;
    if (count > builder->log->facts.adapters)
        builder->log->facts.adapters = count;
}

static void debug_network(struct cs_log_builder *builder, const char *line)
{
    struct cs_log_facts *facts = &builder->log->facts;
    const char *network = debug_after(line, "Using network ");

    if (network && !facts->network)
        facts->network = debug_word(network, builder->arena);
    if (strstr(line, "via NET/")) {
        facts->gdr |= strstr(line, "GDRDMA") != NULL;
        facts->staged |= strstr(line, "GDRDMA") == NULL;
    }
    facts->peers |= strstr(line, "via P2P/") != NULL;
    facts->shared |= strstr(line, "via SHM/") || strstr(line, "via direct shared memory");
    facts->nvls |= strstr(line, "NVLS multicast support is available") != NULL;
    facts->no_nvls |= strstr(line, "NVLS multicast support is not available") != NULL;
}

static void debug_communicator(struct cs_log_builder *builder, const char *line)
{
    struct cs_log_facts *facts = &builder->log->facts;
    uint32_t ranks = debug_count_after(line, "nranks ");
    uint32_t nodes = debug_count_after(line, "nNodes ");

    if (ranks > 1 && ranks < 1 << 24)
        facts->ranks = ranks;
    if (nodes > 0 && nodes < 1 << 24)
        facts->nodes = nodes;
}

/* "node-a:1465:1471 [0] NCCL INFO comm 0x7f85 rank 0 nranks 2": a host of a rank. */
static void debug_caller(struct cs_log_builder *builder, const char *line, const char *message)
{
    const char *at = message;
    const char *mark;

    if (!strstr(message, " nranks ") || !strstr(message, " rank "))
        return;
    while (at > line && *at != '[')
        at--;
    while (at > line && isspace((unsigned char)at[-1]))
        at--;
    while (at > line && !isspace((unsigned char)at[-1]))
        at--;
    mark = strstr(at, ">:");
    at = mark && mark < message ? mark + 2 : at;
    if (at < message && strcspn(at, ": [") < 64 && at[strcspn(at, ": [")] == ':')
        cs_log_add_caller(builder, cs_arena_text_n(builder->arena, at, strcspn(at, ":")));
}

/* ---- commands ---- */

/* "NCCL_P2P_DISABLE=1": one value, and no list or shell variable. */
static bool debug_is_setting(const char *word, size_t length)
{
    size_t name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    return (!strncmp(word, "NCCL_", 5) || !strncmp(word, "CUDA_LAUNCH_BLOCKING", 20)) &&
           strncmp(word, "NCCL_DEBUG", 10) != 0 && word[name] == '=' && name + 1 < length &&
           length < 64 && strcspn(word, ",$\"'`") >= length;
}

void cs_nccl_command_line(struct cs_log_builder *builder, const char *line)
{
    bool is_program = strstr(line, "_perf") != NULL;

    line += strspn(line, " \t");
    if (*line == '#' || (!is_program && !strstr(line, "-x ") && strncmp(line, "export ", 7) != 0))
        return;
    if (builder->is_command_whole) /* and another begins */
        builder->commanded = NULL;
    for (size_t length; *line; line += length) {
        line += strspn(line, " \t");
        length = strcspn(line, " \t");
        if (debug_is_setting(line, length))
            builder->commanded = debug_with(builder->arena, builder->commanded,
                                            cs_arena_text_n(builder->arena, line, length));
        else if (length && length < 512 && memchr(line, '_', length) &&
                 cs_log_collective_of(cs_arena_text_n(builder->arena, line, length)))
            builder->next_collective =
                cs_log_collective_of(cs_arena_text_n(builder->arena, line, length));
    }
    builder->is_command_whole = is_program;
}

void cs_nccl_command_take(struct cs_log_builder *builder)
{
    struct cs_log_facts *facts = &builder->log->facts;
    const char *messages = facts->settings; /* their values go first */

    for (const char *at = builder->commanded; at && *at;) {
        size_t length = strcspn(at, ",");
        char *one = cs_arena_text_n(builder->arena, at, length);
        const char *name = cs_arena_text_n(builder->arena, at, strcspn(at, "=") + 1);

        if (!messages || !strstr(messages, name))
            facts->settings = debug_with(builder->arena, facts->settings, one);
        at += length + strspn(at + length, ", ");
    }
    builder->commanded = NULL;
}

/* ---- choices ---- */

/* A number or a name of NCCL as a name of library.h. */
static const char *debug_name(const char *word, const char *const *names, size_t count,
                              struct cs_arena *arena)
{
    char *text;

    if (!word)
        return NULL;
    if (isdigit((unsigned char)*word)) {
        unsigned long number = strtoul(word, NULL, 10);

        return number < count ? names[number] : NULL;
    }
    text = cs_arena_text(arena, word);
    for (char *at = text; *at; at++)
        *at = (char)(*at == '_' ? '-' : tolower((unsigned char)*at));
    for (size_t i = 0; i < count; i++)
        if (cs_same(text, names[i]))
            return names[i];
    return NULL;
}

static bool debug_is_known(const struct cs_log_facts *facts, const struct cs_log_choice *choice)
{
    for (uint32_t i = facts->choice_count; i-- > 0;)
        if (facts->choices[i].bytes == choice->bytes &&
            facts->choices[i].engine == choice->engine &&
            facts->choices[i].protocol == choice->protocol &&
            facts->choices[i].channels == choice->channels)
            return true;
    return false;
}

/* "AllReduce: 1048576 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..15}",
 * before 2.24 "1048576 Bytes -> Algo 1 proto 2 time 27.4" */
static void debug_choice(struct cs_log_builder *builder, const char *line)
{
    static const char *const engines[] = {
        "tree", "ring", "collnet-direct", "collnet-chain", "nvls", "nvls-tree", "pat"};
    static const char *const protocols[] = {"ll", "ll128", "simple"};
    struct cs_log_facts *facts = &builder->log->facts;
    const char *at = strstr(line, " Bytes -> Algo ");
    const char *channels = debug_after(line, "channel{Lo..Hi}={");
    const char *start = at;
    struct cs_log_choice choice = {.function = ""};

    if (!at || facts->choice_count == CS_LOG_CHOICES_MAX)
        return;
    while (start > line && isdigit((unsigned char)start[-1]))
        start--;
    choice.bytes = strtoull(start, NULL, 10);
    choice.engine = debug_name(debug_word(debug_after(line, "Algo "), builder->arena), engines,
                               sizeof(engines) / sizeof(*engines), builder->arena);
    choice.protocol = debug_name(debug_word(debug_after(line, "proto "), builder->arena), protocols,
                                 sizeof(protocols) / sizeof(*protocols), builder->arena);
    if (channels && strstr(channels, ".."))
        choice.channels = (uint32_t)(strtoul(strstr(channels, "..") + 2, NULL, 10) -
                                     strtoul(channels, NULL, 10) + 1);
    if (!choice.engine || !choice.protocol || debug_is_known(facts, &choice))
        return;
    if (!facts->choices)
        facts->choices =
            cs_arena_alloc(builder->arena, CS_LOG_CHOICES_MAX, sizeof(*facts->choices));
    facts->choices[facts->choice_count++] = choice;
}

/* ---- lines ---- */

/* A message begins with "host:pid:tid [device] NCCL INFO"; the text before is
 * another program's. */
static void debug_cut(const char *line, char *message)
{
    char *at = message;

    for (int words = 0; words < 2 && at > line; words++) {
        while (at > line && isspace((unsigned char)at[-1]))
            at--;
        while (at > line && !isspace((unsigned char)at[-1]))
            at--;
        if (words == 0 && *at != '[')
            break; /* no device: the message stands alone */
    }
    *at = '\0';
}

bool cs_nccl_debug_line(struct cs_log_builder *builder, char *line)
{
    char *message = strstr(line, "NCCL ");

    if (!message && !strstr(line, "RCCL version"))
        return false;
    debug_version(builder, line);
    if (!message || (strncmp(message + 5, "INFO", 4) != 0 && strncmp(message + 5, "WARN", 4) != 0 &&
                     strncmp(message + 5, "TRACE", 5) != 0))
        return false;
    debug_channels(builder, message);
    debug_graph(builder, message);
    debug_setting(builder, message);
    debug_network(builder, message);
    debug_adapters(builder, message);
    debug_communicator(builder, message);
    debug_caller(builder, line, message);
    debug_choice(builder, message);
    debug_cut(line, message);
    return true;
}
