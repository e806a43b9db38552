#include "validate/published/prediction.h"

#include "sim/base/text.h"

#include <math.h>

/* Of a step of the ring of datasheets, the round figure of a planning sheet. */
#define DATASHEET_STEP_S 5e-6

double cs_datasheet_ring_s(const struct cs_collective *collective, uint32_t ranks, uint64_t bytes,
                           double port_Bps)
{
    double passes = collective->bus == CS_BUS_TWICE ? 2 : 1;
    double steps = collective == &cs_collective_sendrecv ? 1 : ranks - 1;

    return passes * steps * DATASHEET_STEP_S +
           cs_collective_bus_factor(collective, ranks) * (double)bytes / port_Bps;
}

/* Buffers in host memory make each process a rank of the host. */
struct cs_site cs_published_site_of(const struct cs_published_answer *answer, unsigned effects)
{
    const struct cs_published_table *table = answer->table;
    struct cs_site site = answer->machine->site;

    if (table->machine_class == CS_CLASS_MPI_CPU)
        site.maker = CS_MAKER_HOST;
    if (table->settings)
        cs_settings_apply(table->settings, effects, &site);
    return site;
}

static const char *prediction_word(const char *word)
{
    return word[0] ? word : NULL;
}

struct cs_library_request cs_published_request_of(const struct cs_published_answer *answer,
                                                  const struct cs_site *site, uint32_t row,
                                                  unsigned effects)
{
    const struct cs_published_table *table = answer->table;
    struct cs_library_request request = {
        .site = site,
        .collective = table->collective,
        .bytes = table->rows[row].bytes,
        .version = table->version,
        .engine = prediction_word(table->engine),
        .protocol = prediction_word(table->protocol),
        .graph = table->launch == CS_LAUNCH_GRAPH,
        .one_process = table->launch == CS_LAUNCH_PROCESS,
        .device_buffers =
            table->machine_class == CS_CLASS_MPI_DEVICE || table->launch == CS_LAUNCH_PROCESS,
        .blocking = table->launch == CS_LAUNCH_THREADS,
        .effects = effects,
    };

    cs_profile_apply(answer->profile, &request);
    return request;
}

static void prediction_fill(const struct cs_library_time *time, struct cs_published_point *point)
{
    point->time_s[CS_PREDICTOR_MODEL] = time->total_s;
    if (isfinite(time->tuner_s) && time->tuner_s > 0)
        point->time_s[CS_PREDICTOR_TUNER] = time->tuner_s;
    point->launch_s = time->launch_s;
    point->latency_s = time->latency_s;
    point->transfer_s = time->transfer_s;
    point->low_s = time->low_s;
    point->high_s = time->high_s;
    point->open_s = time->open_s;
    point->engine = time->engine;
    point->protocol = time->protocol;
    point->channels = time->channels;
}

static void prediction_rows(unsigned effects, struct cs_published_answer *answer,
                            struct cs_arena *arena)
{
    const struct cs_published_table *table = answer->table;
    struct cs_site site = cs_published_site_of(answer, effects);

    for (uint32_t i = 0; i < table->row_count; i++) {
        struct cs_published_point *point = &answer->points[i];
        struct cs_library_request request = cs_published_request_of(answer, &site, i, effects);
        struct cs_library_time time = {0};
        struct cs_err err = {0};
        double ring = cs_datasheet_ring_s(table->collective, table->size.ranks,
                                          table->rows[i].bytes, answer->machine->port_Bps);

        point->time_s[CS_PREDICTOR_RING] = ring;
        point->time_s[CS_PREDICTOR_TUNER] = ring;
        if (answer->library->time(&request, &time, &err) == 0)
            prediction_fill(&time, point);
        else if (!answer->unknown)
            answer->unknown = cs_arena_text(arena, err.text);
    }
}

static void prediction_table(struct cs_published_answer *answer, unsigned effects,
                             struct cs_arena *arena)
{
    const struct cs_published_table *table = answer->table;
    struct cs_err err = {0};
    uint32_t newest;

    answer->points = cs_arena_alloc(arena, table->row_count, sizeof(*answer->points));
    for (uint32_t i = 0; i < table->row_count; i++)
        answer->points[i] = (struct cs_published_point){
            .time_s = {(double)NAN, (double)NAN, (double)NAN, (double)NAN},
            .low_s = (double)NAN,
            .high_s = (double)NAN,
        };
    answer->unknown = answer->machine->unknown;
    if (!table->collective)
        answer->unknown = "no call of a library";
    if (answer->unknown)
        return;
    if (cs_library_find(table->library, &answer->library, &newest, &err))
        answer->unknown = cs_arena_text(arena, err.text);
    else
        prediction_rows(effects, answer, arena);
}

struct cs_published_answer *cs_published_predict(const struct cs_published *published,
                                                 const struct cs_published_machine *const *machines,
                                                 unsigned effects, struct cs_arena *arena)
{
    struct cs_published_answer *answers = cs_arena_alloc(arena, published->count, sizeof(*answers));

    for (uint32_t i = 0; i < published->count; i++) {
        answers[i].table = &published->tables[i];
        answers[i].machine = machines[i];
        prediction_table(&answers[i], effects, arena);
    }
    return answers;
}

/* Rows of the table that the profile was fitted to. */
static uint32_t prediction_in_sample(const struct cs_published_table *table,
                                     const struct cs_profile *profile)
{
    uint32_t rows = 0;

    for (uint32_t i = 0; i < table->row_count; i++)
        rows += cs_profile_has_row(
            profile, cs_profile_row_hash(table->collective, table->size.ranks, table->rows[i].bytes,
                                         table->rows[i].time_s));
    return rows;
}

int cs_published_use_profile(struct cs_published_answer *answers, uint32_t count,
                             const struct cs_profile *profile, bool in_sample,
                             struct cs_arena *arena, struct cs_err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_published_table *table = answers[i].table;
        uint32_t rows;

        if (!table->collective || !cs_same(table->library, profile->library->name))
            continue;
        rows = in_sample ? 0 : prediction_in_sample(table, profile);
        if (rows)
            return cs_err_set(err, CS_EINPUT,
                              "the profile %s was fitted to %u of the %u rows of %s; expected "
                              "other tables, or --in-sample",
                              profile->file, rows, table->row_count, table->id);
        answers[i].profile = profile;
        prediction_table(&answers[i], CS_EFFECTS_ALL, arena);
    }
    return 0;
}
