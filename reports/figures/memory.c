#include "reports/figures/memory.h"

#include "reports/figures/plot/plot.h"

#include <inttypes.h>

struct memory_row {
    uint64_t time_ps;
    struct cs_memory_point at;
};

static const struct cs_sheet_column columns[] = {
    {"time_s", "from", NULL, CS_SHEET_TIME, CS_AT(struct memory_row, time_ps)},
    {"all_ranks_bytes", "all ranks", "at most", CS_SHEET_BYTES,
     CS_AT(struct memory_row, at.all_bytes)},
    {"peak_rank_bytes", "peak rank", "at most", CS_SHEET_BYTES,
     CS_AT(struct memory_row, at.peak_bytes)},
};

void cs_memory_sheet(const struct cs_memory_curve *curve, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "memory", CS_COLUMNS(columns));
    for (uint32_t i = 0; i < curve->count; i++)
        cs_sheet_row(sheet, &(struct memory_row){i * curve->interval_ps, curve->points[i]});
}

/* A unit with at most three digits for the maximum. */
struct memory_scale {
    const char *unit;
    double divisor;
};

static struct memory_scale memory_scale_of(const char *const units[], double least, double most)
{
    struct memory_scale scale = {units[0], least};

    for (size_t i = 1; units[i] && most >= 1000 * scale.divisor; i++)
        scale = (struct memory_scale){units[i], scale.divisor * 1000};
    return scale;
}

static struct memory_scale memory_time_scale(uint64_t end_ps)
{
    static const char *const units[] = {"ps", "ns", "us", "ms", "s", NULL};

    return memory_scale_of(units, 1, (double)end_ps);
}

static struct memory_scale memory_byte_scale(uint64_t most)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", NULL};

    return memory_scale_of(units, 1, (double)most);
}

/* The maximum decides the unit of the axis. */
static uint64_t memory_most_held(const struct cs_memory_curve *curve)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < curve->count; i++)
        if (curve->points[i].all_bytes > most)
            most = curve->points[i].all_bytes;
    return most;
}

static void memory_add_data(const struct cs_memory_curve *curve, struct cs_text *out)
{
    cs_text_add(out, "$held << END\n");
    for (uint32_t i = 0; i <= curve->count; i++) {
        /* The last step extends to the end of the last interval. */
        const struct cs_memory_point *point =
            &curve->points[i < curve->count ? i : curve->count - 1];

        cs_text_printf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i * curve->interval_ps,
                       point->all_bytes, point->peak_bytes);
    }
    cs_text_add(out, "END\n");
}

/* A drawing of the data in $held: time, then bytes. */
struct memory_drawing {
    const char *title;
    const char *name;
    const char *what; /* title of the y axis */
    struct memory_scale time;
    struct memory_scale bytes;
    uint64_t end_ps;
};

static void memory_add_head(const struct memory_drawing *drawing, struct cs_text *out)
{
    cs_plot_add_output(out, drawing->name);
    cs_plot_add_quoted(out, "set title ", drawing->title, "\n");
    cs_text_printf(out,
                   "set border 3 linecolor rgb '#555555'\n"
                   "set tics nomirror out\n"
                   "set grid linewidth 1 linetype 1 linecolor rgb '#dddddd'\n"
                   "set key outside right top\n"
                   "set xlabel 'time (%s)'\n"
                   "set ylabel '%s (%s)'\n"
                   "set xrange [0:%g]\nset yrange [0:*]\nplot \\\n",
                   drawing->time.unit, drawing->what, drawing->bytes.unit,
                   (double)drawing->end_ps / drawing->time.divisor);
}

/* `bytes` is an expression of columns. */
static void memory_add_curve(const struct memory_drawing *drawing, const char *bytes,
                             const char *look, struct cs_text *out)
{
    cs_text_printf(out, "    $held using ($1/%.0f):((%s)/%.0f) with %s", drawing->time.divisor,
                   bytes, drawing->bytes.divisor, look);
}

void cs_memory_script(const struct cs_memory_curve *curve, const char *title, const char *name,
                      struct cs_text *out)
{
    uint64_t end_ps = curve->interval_ps * curve->count;
    struct memory_drawing drawing = {.title = title,
                                     .name = name,
                                     .what = "buffers in addition to the vectors",
                                     .time = memory_time_scale(end_ps),
                                     .bytes = memory_byte_scale(memory_most_held(curve)),
                                     .end_ps = end_ps};

    memory_add_data(curve, out);
    memory_add_head(&drawing, out);
    memory_add_curve(&drawing, "$2",
                     "fillsteps fillstyle solid linecolor rgb '#99c7e0' title 'all ranks', \\\n",
                     out);
    memory_add_curve(&drawing, "$3",
                     "steps linewidth 3 linecolor rgb '#d55e00' title 'peak rank'\n", out);
    cs_text_add(out, "unset output\n");
}

/* ---- the vectors, step by step ---- */

struct step_row {
    uint32_t step; /* 0: the start */
    uint64_t time_ps, sent, redundant;
    struct cs_steps_memory memory;
};

#define AT(member) CS_AT(struct step_row, member)
static const struct cs_sheet_column step_columns[] = {
    {"step", "after", "step", CS_SHEET_COUNT, AT(step)},
    {"time_s", "time", NULL, CS_SHEET_TIME, AT(time_ps)},
    {"sent_bytes", "sent", "so far", CS_SHEET_BYTES, AT(sent)},
    {"held_bytes", "held by", "all ranks", CS_SHEET_BYTES, AT(memory.held)},
    {"result_bytes", "result", "one copy", CS_SHEET_BYTES, AT(memory.result)},
    {"copies_bytes", "extra", "copies", CS_SHEET_BYTES, AT(memory.copies)},
    {"live_partial_bytes", "partial", "live", CS_SHEET_BYTES, AT(memory.display)},
    {"stale_partial_bytes", "partial", "stale", CS_SHEET_BYTES, AT(memory.stale)},
    {"redundant_bytes", "redundant", NULL, CS_SHEET_BYTES, AT(redundant)},
    {"peak_rank_bytes", "peak", "rank", CS_SHEET_BYTES, AT(memory.peak)},
};

void cs_memory_steps_sheet(const struct cs_steps *steps, struct cs_sheet *sheet)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_steps_memory *memory = cs_steps_memory_of(steps, &arena);

    cs_sheet_begin(sheet, "memory", CS_COLUMNS(step_columns));
    for (uint32_t i = 0; i <= steps->count; i++) {
        const struct cs_step *step = i ? &steps->steps[i - 1] : NULL;

        cs_sheet_row(sheet, &(struct step_row){
                                .step = i,
                                .time_ps = step ? step->time_ps : 0,
                                .sent = step ? step->bytes : 0,
                                .redundant = memory[i].copies + memory[i].stale,
                                .memory = memory[i],
                            });
    }
}

/* Returns the highest total of a step. */
static uint64_t memory_add_step_data(const struct cs_steps *steps, struct cs_text *out)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_steps_memory *memory = cs_steps_memory_of(steps, &arena);
    uint64_t most = 0;

    cs_text_add(out, "$held << END\n");
    for (uint32_t i = 0; i <= steps->count; i++) {
        cs_text_printf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                       i ? steps->steps[i - 1].time_ps : 0, memory[i].result, memory[i].copies,
                       memory[i].display, memory[i].stale);
        if (memory[i].held > most)
            most = memory[i].held;
    }
    cs_text_add(out, "END\n");
    return most;
}

/* Stacked areas: the total first, partial totals on top. */
void cs_memory_steps_script(const struct cs_steps *steps, const char *title, const char *name,
                            struct cs_text *out)
{
    uint64_t most = memory_add_step_data(steps, out);
    /* A single rank has no steps; the axis needs a length. */
    uint64_t end_ps = steps->count ? steps->steps[steps->count - 1].time_ps : 1;
    struct memory_drawing drawing = {.title = title,
                                     .name = name,
                                     .what = "contents of the vectors",
                                     .time = memory_time_scale(end_ps),
                                     .bytes = memory_byte_scale(most),
                                     .end_ps = end_ps};

    memory_add_head(&drawing, out);
    memory_add_curve(
        &drawing, "$2+$3+$4+$5",
        "fillsteps fillstyle solid linecolor rgb '#d55e00' title 'stale partial sums', \\\n", out);
    memory_add_curve(
        &drawing, "$2+$3+$4",
        "fillsteps fillstyle solid linecolor rgb '#cccccc' title 'live partial sums', \\\n", out);
    memory_add_curve(&drawing, "$2+$3",
                     "fillsteps fillstyle solid linecolor rgb '#99c7e0' title 'extra copies', \\\n",
                     out);
    memory_add_curve(&drawing, "$2",
                     "fillsteps fillstyle solid linecolor rgb '#0072b2' title 'result, one copy'\n",
                     out);
    cs_text_add(out, "unset output\n");
}
