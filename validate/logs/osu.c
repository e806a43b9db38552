/*
 * OSU micro-benchmarks: "# OSU MPI Allreduce Latency Test v7.4", a header, and
 * rows of a size and a latency in microseconds.
 *
 * The size of osu_allgather, osu_alltoall, osu_gather and osu_scatter is a
 * rank's part, and the number of ranks is not printed: rows carry the size as
 * printed (cs_log_table.sizes_of_rank).
 * Source: OSU Micro-Benchmarks 7.4, c/mpi/collective.
 */
#include "validate/logs/builder.h"

#include <math.h>
#include <string.h>
#include <strings.h>

struct osu {
    uint32_t columns; /* of the first row; 0: none */
};

static bool osu_claims(const char *head)
{
    const char *at = strstr(head, "# OSU ");

    return at && strstr(at, "Test");
}

static void *osu_open(struct cs_log_builder *builder)
{
    builder->log->facts.library = "mpi";
    return cs_arena_alloc(builder->arena, 1, sizeof(struct osu));
}

static bool osu_counts_parts(const struct cs_collective *collective)
{
    return collective == &cs_collective_allgather || collective == &cs_collective_alltoall ||
           collective == &cs_collective_gather || collective == &cs_collective_scatter;
}

/* "# OSU MPI-CUDA Reduce_scatter Latency Test v7.4": the collective is the word
 * that names one. */
static void osu_title(struct cs_log_builder *builder, char **words, uint32_t count)
{
    cs_log_begin_table(builder);
    builder->next_collective = NULL;
    for (uint32_t i = 2; i < count; i++) {
        const struct cs_collective *named = cs_collective_find(words[i]);

        if (named && strncasecmp(words[i], "Latency", 7) != 0)
            builder->next_collective = named;
    }
    if (builder->table)
        builder->table->sizes_of_rank = osu_counts_parts(builder->next_collective);
}

static void osu_line(struct cs_log_builder *builder, void *context, char *line, bool continues)
{
    struct osu *state = context;
    struct cs_log_line row = {.row = {.line = builder->line, .in_place_s = NAN}};
    struct cs_log_number time;
    char *words[CS_LOG_WORDS_MAX];
    bool is_title = strstr(line, "# OSU ") != NULL;
    uint32_t count;

    if (continues)
        return;
    count = cs_log_words(line, words);
    if (is_title) {
        /* The next title is the end of a table. */
        cs_log_close_table(builder);
        cs_log_end_table(builder);
        state->columns = 0;
        osu_title(builder, words, count);
        return;
    }
    if (!count || !cs_log_whole(words[0], &row.row.bytes))
        return;
    if (!state->columns)
        state->columns = count;
    /* A latency at the end of a cut file may lack digits. */
    if (builder->is_unended || count < 2 || count != state->columns ||
        !cs_log_number(words[1], &time)) {
        cs_log_add_broken(builder);
        return;
    }
    cs_log_set_times(&row, &time, 1e-6, NULL);
    cs_log_add_row(builder, &row);
}

/* OSU prints no line at the end of a table. */
static void osu_close(struct cs_log_builder *builder, void *context)
{
    (void)context;
    cs_log_close_table(builder);
}

const struct cs_log_format cs_log_format_osu = {
    .name = "osu",
    .claims = osu_claims,
    .open = osu_open,
    .line = osu_line,
    .close = osu_close,
};
