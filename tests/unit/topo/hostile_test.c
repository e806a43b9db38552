/*
 * What an enemy or a careless script writes, for every reader of the registry:
 * a sentence with the line, and no more memory than the input is worth.
 */
#include "tests/unit/topo/machine.h"

#include "sim/base/text.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DEPTH = 10000,
    LINE_BYTES = 4 << 20,
    MEMORY_BYTES = 64 << 20, /* for one of them */
};

static const char *repeated(struct cs_arena *arena, const char *text, size_t times)
{
    size_t length = strlen(text);
    char *all = cs_arena_alloc(arena, length * times + 1, 1);

    for (size_t i = 0; i < length * times; i++)
        all[i] = text[i % length];
    return all;
}

/* Reads a text as that format; the whole process is refused what is over the
 * limit, so that a reader without bounds ends here. */
static void refused(const char *format, const char *text, size_t length, const char *sentence)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_graph graph;
    struct cs_topo_request request = {.spec = cs_arena_printf(&arena, "%s:m", format)};
    int rc = cs_topo_read(&request, (struct cs_doc_text){"m", text, length}, &graph, &arena, &err);

    if (rc != CS_EINPUT || strncmp(err.text, "m:", 2) != 0 || !strstr(err.text, sentence))
        fail_msg("%s: '%.60s': %d '%s'; expected '%s'", format, text, rc, err.text, sentence);
}

static void each_reader(void (*try)(const char *format, const char *text, size_t length,
                                    const char *sentence),
                        const char *text, size_t length)
{
    for (size_t i = 0; i < cs_source_count; i++)
        if (cs_source_reads(cs_sources[i]))
            try(cs_sources[i]->name, text, length, "");
}

TEST(no_reader_takes_bytes_that_are_no_text)
{
    static const struct {
        const char *text;
        size_t length;
    } texts[] = {
#define BYTES(text) {text, sizeof(text) - 1}
        BYTES("GPU0 GPU1\nGPU0 X \0\nGPU1 \0 X\n"),
        BYTES("devices: \0 {}\n"),
        BYTES("<system>\0</system>"),
        BYTES("<system a='\xff\xfe\xc0\x80'/>"),
        BYTES("<topology><object type='\xed\xa0\x80'/></topology>"),
        BYTES("{\"status\": \"\xc0\xaf\"}"),
        BYTES("\xef\xbb\xbf\xff"),
        BYTES("\0"),
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        each_reader(refused, texts[i].text, texts[i].length);
}

TEST(no_reader_unfolds_an_entity_or_an_anchor)
{
    struct cs_text bomb = {0};

    cs_text_printf(&bomb, "<!DOCTYPE x [<!ENTITY a0 \"aaaaaaaaaaaaaaaa\">");
    for (int i = 1; i < 30; i++)
        cs_text_printf(&bomb, "<!ENTITY a%d \"&a%d;&a%d;\">", i, i - 1, i - 1);
    cs_text_printf(&bomb, "]><system a=\"&a29;\">&a29;</system>");
    each_reader(refused, cs_text_str(&bomb), bomb.length);
    cs_text_free(&bomb);
    cs_text_printf(&bomb, "a0: &a0 [x, x]\n");
    for (int i = 1; i < 30; i++)
        cs_text_printf(&bomb, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
    each_reader(refused, cs_text_str(&bomb), bomb.length);
    cs_text_free(&bomb);
}

TEST(every_reader_refuses_deep_nesting)
{
    static const char *const one[] = {
        "<pci busid='0'>", "<object type='Machine'>", "<zone id='z'>", "[", "{\"a\": ", "- ", "{",
    };
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    for (size_t i = 0; i < sizeof(one) / sizeof(*one); i++) {
        const char *text = repeated(&arena, one[i], DEPTH);

        each_reader(refused, text, strlen(text));
        text = cs_arena_printf(&arena, "<system>%s", text);
        each_reader(refused, text, strlen(text));
    }
}

/* A child of its own for each, so that one's peak is not another's. */
static void bounded(const char *format, const char *text, size_t length, const char *sentence)
{
    struct rusage usage;
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        struct rusage before, after;

        (void)getrusage(RUSAGE_SELF, &before);
        refused(format, text, length, sentence);
        (void)getrusage(RUSAGE_SELF, &after);
        _exit((after.ru_maxrss - before.ru_maxrss) * 1024L > MEMORY_BYTES);
    }
    assert_true(wait4(child, &status, 0, &usage) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: '%.20s...' takes over %d bytes", format, text, MEMORY_BYTES);
}

TEST(memory_for_a_long_line_is_proportional_to_its_bytes)
{
    static const char *const one[] = {"x", "GPU0 ", "a: ", " ", "<a/>", "0,"};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    for (size_t i = 0; i < sizeof(one) / sizeof(*one); i++) {
        const char *text = repeated(&arena, one[i], LINE_BYTES / strlen(one[i]));

        each_reader(bounded, text, strlen(text));
    }
}

/* ---- what is well formed and cannot be ---- */

enum wrong {
    TWICE,    /* an id */
    SELF,     /* a link from a device to itself */
    NEGATIVE, /* a rate, or a parameter in place of a rate */
    ABSURD,
    WRONGS,
};

struct row {
    const char *format;
    enum wrong wrong;
    const char *text; /* NULL: the format has no such thing */
    const char *sentence;
};

#define YAML(rate, to)                                          \
    "classes: {c: {rate: " rate ", latency: 0 s, source: x}}\n" \
    "devices: {a: {kind: host}, b: {kind: host}}\n"             \
    "links:\n  - {from: a, to: " to ", class: c}\n"
#define NCCL(inside) "<system><cpu numaid='0'>" inside "</cpu></system>"
#define NGPU(id, dev, inside) \
    "<pci busid='" id "' class='0x03'><gpu dev='" dev "' sm='80'>" inside "</gpu></pci>"
#define SIMGRID(inside) "<platform><zone id='z'>" inside "</zone></platform>"
#define FABRIC(speed)                                                                          \
    "switchguid=0x1\nSwitch\t64 \"S\" # \"a\"\n[1]\t\"H\"[1](1) \t# \"h mlx5_0\" lid 5 " speed \
    "\nCa\t1 \"H\"\t# \"h mlx5_0\"\n[1](1) \t\"S\"[1]\t# lid 5 " speed "\n"
#define HWLOC(inside, matrix)                                                \
    "<topology version='2.0'><object type='Machine'><object type='Package' " \
    "gp_index='1'>" inside "</object></object>" matrix "</topology>"
#define HGPU(index, speed)                                          \
    "<object type='PCIDev' gp_index='" index                        \
    "' pci_type='0302 [10de:20b0] [0:0] a1' pci_link_speed='" speed \
    "'><object type='OSDev' gp_index='2" index "' name='nvml0'/></object>"
#define NVLINKS(values)                                                       \
    "<distances2hetero nbobjs='2' kind='25' name='NVLinkBandwidth'><indexes>" \
    "OSDev:23 OSDev:24</indexes><u64values>" values "</u64values></distances2hetero>"
/* The second of two devices; the first is device 0 of rank 0. */
#define HCCL(device, first, rank)                                            \
    "{status: completed, server_list: [{server_id: a, device: [{device_id: " \
    "'" first "', rank_id: '0'}, {device_id: '" device "', rank_id: '" rank "'}]}]}"
#define ASTRA(npus, rate, latency) \
    "topology: [Ring]\nnpus_count: [" npus "]\nbandwidth: [" rate "]\nlatency: [" latency "]\n"

#define INFRAGRAPH(devices, instances, rate, edge)                          \
    "devices:\n" devices "instances: [" instances "]\nlinks: [{name: l, "   \
    "physical: {bandwidth: {choice: gigabits_per_second, "                  \
    "gigabits_per_second: " rate "}}}]\nedges: [{ep1: {instance: 'i[0]', "  \
    "component: x}, ep2: {instance: 'i[" edge "]', component: x}, scheme: " \
    "one2one, link: l}]\n"
#define SIMAI(a, b, rate) "3 2 1 0 1 A100\n2\n" a " " b " " rate " 1us 0\n"
#define BOX               "- {name: d, components: [{name: x, choice: xpu, count: 1}]}\n"
#define BOXES(count)      "{name: i, device: d, count: " count "}"

static const struct row rows[] = {
#include "tests/unit/topo/hostile.def"
};

TEST(impossible_machines_are_refused_with_the_line)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (rows[i].text)
            refused(rows[i].format, rows[i].text, strlen(rows[i].text), rows[i].sentence);
}

TEST(each_reader_is_tried_with_each_wrong)
{
    for (size_t s = 0; s < cs_source_count; s++)
        for (int wrong = 0; wrong < WRONGS && cs_sources[s]->read; wrong++) {
            size_t i = 0;

            while (i < sizeof(rows) / sizeof(*rows) &&
                   ((int)rows[i].wrong != wrong || !cs_same(rows[i].format, cs_sources[s]->name)))
                i++;
            if (i == sizeof(rows) / sizeof(*rows))
                fail_msg("'%s' has no row for wrong %d", cs_sources[s]->name, wrong);
        }
}
