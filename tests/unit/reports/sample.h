/*
 * Sample: a record to test with, whose numbers are plausible and consistent, and
 * a directory to test in.
 */
#pragma once

#include "reports/results/record.h"
#include "sim/base/mem.h"
#include "tests/test.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cs_record_link sample_links[] = {
    {"gpu0 -> nvswitch (nvlink3 x12)", 300e9, 500000, 1879048192, 14, 6263493973},
    {"nvswitch -> gpu0 (nvlink3 x12)", 300e9, 500000, 1879048192, 14, 6263493973},
};

/* A ring over 8 ranks on a machine of 300 GB/s a direction. */
static inline struct cs_record sample_ring(void)
{
    return (struct cs_record){
        .version = "0.1.0",
        .topology = "dgx-a100",
        .topology_spec = "dgx-a100.yaml",
        .collective = "all-reduce",
        .algorithm = "ring",
        .model = "fifo",
        .dtype = "fp32",
        .placement = "linear",
        .parameters = "",
        .ranks = 8,
        .agents = 0,
        .bytes = 1073741824,
        .seed = UINT64_MAX,
        .time_ps = 7516192768,
        .closed_form_s = 0.007516192768,
        .lower_bound_s = 0.0075,
        .bound = "each rank's links carry 2(p-1)/p V",
        .own_bound_s = (double)NAN,
        .reachable_s = 0.0075,
        .reachable = "each rank's links carry 2(p-1)/p V",
        .algbw_Bps = 142.857e9,
        .busbw_Bps = 249.99975e9,
        .messages = 112,
        .bytes_sent_total = 15032385536,
        .bytes_sent_per_rank_max = 1879048192,
        .has_reduce_scatter = true,
        .redundant_bytes_after_reduce_scatter = 0,
        .redundant_bytes = 7516192768,
        .peak_extra_bytes_per_rank = 134217728,
        .bottleneck = "gpu0 -> nvswitch (nvlink3 x12)",
        .bottleneck_utilisation = 0.8333,
        .latency_ps = 28000000,
        .bandwidth_ps = 7000000000,
        .reduction_ps = 488000000,
        .wait_ps = 192768,
        .verified = CS_VERIFIED_PROVED,
        .links = sample_links,
        .link_count = 2,
    };
}

/* Sets the parameters "fault=a:down ~chunks=2"; ~ marks those that the algorithm
 * chose. */
static inline void sample_set_parameters(struct cs_record *record, const char *words,
                                         struct cs_arena *arena)
{
    struct cs_record_parameter *rows = cs_arena_alloc(arena, strlen(words) + 1, sizeof *rows);
    uint32_t count = 0;
    char *rest = cs_arena_text(arena, words);

    for (char *word = strtok_r(rest, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');

        rows[count].chosen_by = *word == '~' ? "algorithm" : "user";
        rows[count].name = word + (*word == '~');
        rows[count++].value = equals ? equals + 1 : "";
        if (equals)
            *equals = '\0';
    }
    record->parameter = rows;
    record->parameter_count = count;
    record->parameters = cs_record_join(rows, count, arena);
}

/* Writes the text into a file; -1 where it cannot be written. */
static inline int sample_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    int code = file && fputs(text, file) >= 0 ? 0 : -1;

    return file && fclose(file) ? -1 : code;
}

/* A new empty directory, its path in `path`. */
static inline int sample_dir_make(char path[64])
{
    (void)snprintf(path, 64, "/tmp/collsim-test-XXXXXX");
    return mkdtemp(path) ? 0 : -1;
}

static inline int sample_remove(const char *path, const struct stat *info, int kind,
                                struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline void sample_dir_remove(const char *path)
{
    (void)nftw(path, sample_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void sample_has(const struct cs_text *text, const char *part)
{
    if (!strstr(cs_text_str(text), part))
        fail_msg("'%s' is not in:\n%s", part, cs_text_str(text));
}

static inline void sample_has_not(const struct cs_text *text, const char *part)
{
    if (strstr(cs_text_str(text), part))
        fail_msg("'%s' is in:\n%s", part, cs_text_str(text));
}
