#include "validate/published/score.h"

#include <math.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)

const char *const cs_size_decade_names[CS_SIZE_DECADES] = {
    "below 64 KiB", "64 KiB-1 MiB", "1-16 MiB", "16-256 MiB", "from 256 MiB"};

static uint32_t signed_decade(uint64_t bytes)
{
    static const uint64_t ends[] = {64 * KIB, MIB, 16 * MIB, 256 * MIB};
    uint32_t decade = 0;

    while (decade < CS_SIZE_DECADES - 1 && bytes >= ends[decade])
        decade++;
    return decade;
}

/* ---- signed errors ---- */

static void signed_add(struct cs_published_bias *bias, uint32_t decade, double log_ratio)
{
    bias->rows[decade]++;
    bias->bias[decade] += log_ratio;
    bias->rows[CS_SIZE_DECADES]++;
    bias->bias[CS_SIZE_DECADES] += log_ratio;
}

uint32_t cs_published_biases(const struct cs_published_answer *answers, uint32_t count,
                             struct cs_arena *arena, struct cs_published_bias **biases)
{
    struct cs_published_bias *lines = cs_arena_alloc(arena, CS_CLASSES + 1, sizeof(*lines));
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct cs_published_table *table = answers[i].table;

        for (uint32_t r = 0; r < table->row_count; r++) {
            double ratio =
                cs_published_log(&answers[i], r, cs_published_fair(&answers[i].points[r]));
            uint32_t decade = signed_decade(table->rows[r].bytes);

            if (isnan(ratio) || table->health != CS_HEALTH_YES)
                continue;
            signed_add(&lines[table->machine_class], decade, ratio);
            signed_add(&lines[CS_CLASSES], decade, ratio);
        }
    }
    for (uint32_t i = 0; i <= CS_CLASSES; i++) {
        lines[i].name = i < CS_CLASSES ? cs_machine_class_names[i] : "all";
        for (uint32_t r = 0; r <= CS_SIZE_DECADES; r++)
            lines[i].bias[r] = expm1(lines[i].bias[r] / lines[i].rows[r]);
        if (lines[i].rows[CS_SIZE_DECADES] > 0)
            lines[found++] = lines[i];
    }
    *biases = lines;
    return found;
}

/* ---- the worst decade of a table ---- */

static const char *signed_part(const double parts[3])
{
    if (parts[2] >= parts[0] && parts[2] >= parts[1])
        return "transfer";
    return parts[1] >= parts[0] ? "latency" : "launch";
}

static struct cs_decade_error signed_decade_error(const struct cs_published_answer *answer,
                                                  uint32_t decade)
{
    struct cs_decade_error error = {.decade = decade};
    double parts[3] = {0};
    double sum = 0;

    for (uint32_t r = 0; r < answer->table->row_count; r++) {
        const struct cs_published_point *point = &answer->points[r];
        double ratio = cs_published_log(answer, r, cs_published_fair(point));

        if (isnan(ratio) || signed_decade(answer->table->rows[r].bytes) != decade)
            continue;
        error.rows++;
        sum += ratio;
        parts[0] += point->launch_s;
        parts[1] += point->latency_s;
        parts[2] += point->transfer_s;
    }
    error.bias = error.rows ? expm1(sum / error.rows) : 0;
    error.part = signed_part(parts);
    return error;
}

struct cs_decade_error cs_published_worst_decade(const struct cs_published_answer *answer)
{
    struct cs_decade_error worst = {0};

    for (uint32_t decade = 0; decade < CS_SIZE_DECADES; decade++) {
        struct cs_decade_error error = signed_decade_error(answer, decade);

        if (error.rows > 0 &&
            (worst.rows == 0 || fabs(log1p(error.bias)) > fabs(log1p(worst.bias))))
            worst = error;
    }
    return worst;
}
