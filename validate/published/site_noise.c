#include "validate/published/score.h"

#include "sim/base/order.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The length of the model in a GPU's name: "A100" of "A100-SXM4-40GB", "RTX
 * 4090" of itself. */
static size_t noise_model(const char *gpu)
{
    size_t length = 0;

    if (strncmp(gpu, "RTX ", 4) == 0)
        length = 4;
    while (isalnum((unsigned char)gpu[length]))
        length++;
    return length;
}

static bool noise_same_gpu(const char *a, const char *b)
{
    size_t length = noise_model(a);

    return length > 0 && length == noise_model(b) && strncmp(a, b, length) == 0;
}

/* One node: the GPU decides; several nodes, and hosts: the description of the
 * machine. */
static bool noise_same_machine(const struct cs_published_table *a,
                               const struct cs_published_table *b)
{
    bool same = cs_same(a->topo, b->topo) && a->size.topo_ranks == b->size.topo_ranks;
    bool host = cs_same(a->library, "mpi") || cs_same(a->library, "gloo");

    if (host)
        return same && cs_same(a->gpu, b->gpu);
    return noise_same_gpu(a->gpu, b->gpu) && (a->size.nodes == 1 || same);
}

static bool noise_is_pair(const struct cs_published_table *a, const struct cs_published_table *b)
{
    return a->health == CS_HEALTH_YES && b->health == CS_HEALTH_YES && a->collective &&
           a->collective == b->collective && a->size.ranks == b->size.ranks &&
           a->size.nodes == b->size.nodes && a->machine_class == b->machine_class &&
           cs_same(a->library, b->library) && cs_same(a->engine, b->engine) &&
           cs_same(a->protocol, b->protocol) &&
           (a->launch == CS_LAUNCH_GRAPH) == (b->launch == CS_LAUNCH_GRAPH) &&
           noise_same_machine(a, b);
}

/* exp(mean |ln|) - 1 over the rows of equal sizes; NAN without one. */
static double noise_difference(const struct cs_published_table *a,
                               const struct cs_published_table *b, enum cs_size_range sizes)
{
    double sum = 0;
    uint32_t rows = 0;
    uint32_t i = 0;
    uint32_t k = 0;

    while (i < a->row_count && k < b->row_count) {
        uint64_t bytes = a->rows[i].bytes;

        if (bytes != b->rows[k].bytes) {
            if (bytes < b->rows[k].bytes)
                i++;
            else
                k++;
            continue;
        }
        if (cs_size_range_has(a, bytes, sizes)) {
            sum += fabs(log(a->rows[i].time_s / b->rows[k].time_s));
            rows++;
        }
        i++;
        k++;
    }
    return rows > 0 ? expm1(sum / rows) : (double)NAN;
}

struct cs_site_noise cs_site_noise_of(const struct cs_published *published,
                                      enum cs_size_range sizes, bool same_site,
                                      struct cs_arena *arena)
{
    uint32_t count = published->count;
    double *values =
        cs_arena_alloc(arena, (size_t)count * (count ? count - 1 : 0) / 2 + 1, sizeof(*values));
    struct cs_site_noise noise = {.median = (double)NAN, .p90 = (double)NAN};

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++) {
            const struct cs_published_table *a = &published->tables[i];
            const struct cs_published_table *b = &published->tables[k];

            if (cs_same(a->site, b->site) != same_site || !noise_is_pair(a, b))
                continue;
            values[noise.pairs] = noise_difference(a, b, sizes);
            noise.pairs += !isnan(values[noise.pairs]);
        }
    if (noise.pairs > 0) {
        noise.median = cs_quantile(values, noise.pairs, 0.5);
        noise.p90 = cs_quantile(values, noise.pairs, 0.9);
    }
    return noise;
}
