/*
 * Memory: see memory.h.
 */
#include "reports/memory.h"

#include "reports/plot.h"

#include <inttypes.h>
#include <string.h>

static const struct cs_sheet_column columns[] = {
    {"time_s", "from", NULL, CS_SHEET_TIME},
    {"all_ranks_bytes", "all ranks", "at most", CS_SHEET_BYTES},
    {"fullest_rank_bytes", "fullest rank", "at most", CS_SHEET_BYTES},
};

void cs_memory_sheet(const struct cs_memory_curve *curve,
                     struct cs_sheet *sheet)
{
    uint32_t i;

    cs_sheet_begin(sheet, columns, sizeof(columns) / sizeof(*columns));
    for (i = 0; i < curve->count; i++) {
        cs_sheet_u64(sheet, i * curve->interval_ps);
        cs_sheet_u64(sheet, curve->points[i].all_bytes);
        cs_sheet_u64(sheet, curve->points[i].fullest_bytes);
    }
}

/* A scale on which the most is a number of at most three digits. */
struct scale {
    const char *unit;
    double divisor;
};

static struct scale scale_of(const char *const units[], double least,
                             double most)
{
    struct scale scale = {units[0], least};
    size_t i;

    for (i = 1; units[i] && most >= 1000 * scale.divisor; i++)
        scale = (struct scale){units[i], scale.divisor * 1000};
    return scale;
}

static struct scale time_scale(const struct cs_memory_curve *curve)
{
    static const char *const units[] = {"ps", "ns", "us", "ms", "s", NULL};

    return scale_of(units, 1, (double)curve->interval_ps * curve->count);
}

static struct scale byte_scale(const struct cs_memory_curve *curve)
{
    static const char *const units[] = {"B",  "kB", "MB", "GB",
                                        "TB", "PB", NULL};
    uint64_t most = 0;
    uint32_t i;

    for (i = 0; i < curve->count; i++)
        if (curve->points[i].all_bytes > most)
            most = curve->points[i].all_bytes;
    return scale_of(units, 1, (double)most);
}

static void add_data(const struct cs_memory_curve *curve, struct cs_text *out)
{
    uint32_t i;

    cs_text_add(out, "$held << END\n");
    for (i = 0; i <= curve->count; i++) {
        /* Steps go on to the end of the last interval. */
        const struct cs_memory_point *point =
            &curve->points[i < curve->count ? i : curve->count - 1];

        cs_text_printf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                       i * curve->interval_ps, point->all_bytes,
                       point->fullest_bytes);
    }
    cs_text_add(out, "END\n");
}

static void add_curve(struct scale time, struct scale bytes, int column,
                      const char *look, struct cs_text *out)
{
    cs_text_printf(out, "    $held using ($1/%.0f):($%d/%.0f) %s", time.divisor,
                   column, bytes.divisor, look);
}

void cs_memory_script(const struct cs_memory_curve *curve, const char *title,
                      const char *name, struct cs_text *out)
{
    const char *dot = strrchr(name, '.');
    bool svg = dot && cs_same(dot, ".svg");
    struct scale time = time_scale(curve);
    struct scale bytes = byte_scale(curve);

    add_data(curve, out);
    cs_text_printf(out,
                   "set terminal %s size 1280,720 noenhanced font "
                   "'DejaVu Sans,19' background rgb '#ffffff'\n"
                   "set output ",
                   svg ? "svg dynamic" : "pngcairo");
    cs_plot_quote(name, out);
    cs_text_add(out, "\nset title ");
    cs_plot_quote(title, out);
    cs_text_printf(out,
                   "\nset border 3 linecolor rgb '#555555'\n"
                   "set tics nomirror out\n"
                   "set grid linewidth 1 linetype 1 linecolor rgb '#dddddd'\n"
                   "set key outside right top\n"
                   "set xlabel 'time (%s)'\n"
                   "set ylabel 'held beside the vectors (%s)'\n"
                   "set xrange [0:%g]\nset yrange [0:*]\nplot \\\n",
                   time.unit, bytes.unit,
                   (double)curve->interval_ps * curve->count / time.divisor);
    add_curve(time, bytes, 2,
              "with fillsteps fillstyle solid linecolor rgb '#99c7e0' "
              "title 'all ranks', \\\n",
              out);
    add_curve(time, bytes, 3,
              "with steps linewidth 3 linecolor rgb '#d55e00' "
              "title 'the fullest rank'\n",
              out);
    cs_text_add(out, "unset output\n");
}
