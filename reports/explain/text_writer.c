/* Explain as text: see explain.h. */
#include "reports/explain/explain.h"
#include "reports/figures/memory.h"
#include "sim/base/units.h"

#include <string.h>

enum {
    WIDTH = 100,
    LABEL_WIDTH = 16,
};

/* The columns of the table, fixed for all steps. */
struct text_writer_layout {
    size_t name_width;
    size_t cell_width;
    uint32_t columns; /* blocks side by side */
};

/* The width of a cell fits the longest content of any step, so that columns
 * stay in place from step to step. */
static struct text_writer_layout text_writer_layout_of(const struct cs_story *story)
{
    const struct cs_steps *steps = story->steps;
    struct text_writer_layout layout = {0};
    struct cs_text text = {0};
    size_t states = ((size_t)steps->count + 1) * steps->parties * steps->blocks;

    for (uint32_t i = 0; i < steps->parties; i++) {
        cs_explain_party(story, i, &text);
        if (text.length > layout.name_width)
            layout.name_width = text.length;
        text.length = 0;
    }
    layout.cell_width = 3;
    for (size_t s = 0; s < states; s++) {
        text.length = 0;
        cs_explain_holding(steps, &steps->states[s], &text);
        if (text.length + 1 > layout.cell_width)
            layout.cell_width = text.length + 1;
    }
    cs_text_free(&text);
    layout.columns = (uint32_t)((WIDTH - layout.name_width - 4) / (layout.cell_width + 1));
    if (layout.columns > steps->blocks)
        layout.columns = steps->blocks;
    return layout;
}

static void text_writer_pad(struct cs_text *out, size_t count)
{
    cs_text_printf(out, "%*s", (int)count, "");
}

/* ---- tables ---- */

/* The padding counts the text without the escape codes of bold type. */
static void text_writer_add_cell(const struct cs_steps *steps, const struct cs_holding *holding,
                                 size_t width, enum cs_style style, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_explain_holding(steps, holding, &text);
    if (!holding->ranks)
        cs_text_add(&text, "-");
    if (holding->complete)
        cs_text_add(&text, "*");
    if (holding->complete)
        cs_style_bold(style, text.data, out);
    else
        cs_text_add(out, text.data);
    text_writer_pad(out, width - text.length);
}

/* Lines end without spaces: output is compared and pasted. */
static void text_writer_trim(struct cs_text *out)
{
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
}

/* Numbers of the blocks, needed if the table is split. */
static void text_writer_add_numbers(struct cs_blocks blocks,
                                    const struct text_writer_layout *layout, struct cs_text *out)
{
    text_writer_pad(out, layout->name_width + 4);
    for (uint32_t i = 0; i < blocks.count; i++)
        cs_text_printf(out, "%s%-*u", i ? " " : "", (int)layout->cell_width, blocks.first + i);
    text_writer_trim(out);
    cs_text_add(out, "\n");
}

/* The columns and rows of a table. */
struct view {
    const struct cs_story *story;
    const struct cs_steps *steps;
    uint32_t after;
    struct cs_blocks blocks;
    struct text_writer_layout layout;
    enum cs_style style;
};

/* The row of a party in a part of the blocks. */
static void text_writer_add_row(const struct view *view, uint32_t party, struct cs_text *out)
{
    size_t start = out->length;

    cs_text_add(out, "  ");
    cs_explain_party(view->story, party, out);
    cs_text_add(out, ":");
    text_writer_pad(out, view->layout.name_width + 4 - (out->length - start));
    for (uint32_t i = 0; i < view->blocks.count; i++) {
        if (i)
            cs_text_add(out, "|");
        text_writer_add_cell(
            view->steps, cs_steps_holding(view->steps, view->after, party, view->blocks.first + i),
            view->layout.cell_width, view->style, out);
    }
    text_writer_trim(out);
    cs_text_add(out, "\n");
}

/* Fills the width with blocks, then continues below with further blocks. */
static void text_writer_add_state(struct view *view, struct cs_text *out)
{
    const struct cs_steps *steps = view->steps;

    for (uint32_t first = 0; first < steps->blocks; first += view->layout.columns) {
        uint32_t count = view->layout.columns;

        if (count > steps->blocks - first)
            count = steps->blocks - first;
        view->blocks = (struct cs_blocks){first, count};
        if (steps->blocks > view->layout.columns)
            text_writer_add_numbers(view->blocks, &view->layout, out);
        for (uint32_t party = 0; party < steps->parties; party++)
            text_writer_add_row(view, party, out);
    }
}

/* ---- steps ---- */

/* "0>1 +2@3": from rank 0 to rank 1, reduced, block 2 of the sender into block
 * 3. */
static void text_writer_add_message(const struct cs_steps *steps,
                                    const struct cs_step_message *message, struct cs_text *out)
{
    static const char digits[] = "0123456789abcdef";
    bool from_rank = message->src < steps->ranks;
    bool to_rank = message->dst < steps->ranks;

    if (from_rank)
        cs_text_printf(out, "%c>", digits[message->src]);
    else
        cs_text_printf(out, "S%u>", message->src - steps->ranks);
    if (to_rank)
        cs_text_printf(out, "%c ", digits[message->dst]);
    else
        cs_text_printf(out, "S%u ", message->dst - steps->ranks);
    cs_text_add(out, message->adds ? "+" : "=");
    if (steps->blocks == 1)
        return;
    cs_explain_blocks(steps, message->from, out);
    if (message->from.first != message->to.first) {
        cs_text_add(out, "@");
        cs_explain_blocks(steps, message->to, out);
    }
}

/* The messages, in lines of up to WIDTH columns. */
static void text_writer_add_messages(const struct cs_steps *steps, const struct cs_step *step,
                                     struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    size_t column = WIDTH;

    for (uint32_t i = 0; i < step->count; i++) {
        text.length = 0;
        text_writer_add_message(steps, &steps->messages[step->first + i], &text);
        if (column + 3 + text.length > WIDTH) {
            cs_text_add(out, i ? "\n  " : "  ");
            column = 2;
        } else {
            cs_text_add(out, "   ");
            column += 3;
        }
        cs_text_add(out, text.data);
        column += text.length;
    }
    cs_text_add(out, "\n");
}

/* Heading with totals, messages, and the state after the step. */
static void text_writer_add_step(struct view *view, uint32_t number, struct cs_text *out)
{
    const struct cs_steps *steps = view->steps;
    const struct cs_step *step = &steps->steps[number];
    struct cs_text title = {0};

    cs_text_printf(&title, "step %u of %u", number + 1, steps->count);
    cs_text_add(out, "\n");
    cs_style_bold(view->style, title.data, out);
    cs_text_printf(out, "   %u message%s; so far %s sent, %s\n", step->count,
                   step->count == 1 ? "" : "s", cs_show_bytes(step->bytes).text,
                   cs_show_time(step->time_ps).text);
    cs_text_free(&title);
    text_writer_add_messages(steps, step, out);
    view->after = number + 1;
    text_writer_add_state(view, out);
}

/* ---- the document ---- */

/* Breaks a sentence into indented lines; the caller indented the first line. */
static void text_writer_add_wrapped(const char *text, size_t indent, struct cs_text *out)
{
    size_t column = indent;

    while (*text) {
        size_t length = strcspn(text, " ");

        if (column > indent && column + 1 + length > WIDTH) {
            cs_text_add(out, "\n");
            text_writer_pad(out, indent);
            column = indent;
        }
        if (column > indent)
            cs_text_add(out, " ");
        column += length + (column > indent);
        cs_text_add_n(out, text, length);
        text += length + strspn(text + length, " ");
    }
    text_writer_trim(out);
    cs_text_add(out, "\n");
}

/* The notation, with only the parts present in the program. */
static void text_writer_add_legend(const struct cs_story *story, struct cs_text *out)
{
    const struct cs_steps *steps = story->steps;
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_text_printf(&text, "%s: %s. At the end %s.", story->record->algorithm, story->about,
                   story->promise);
    text_writer_add_wrapped(text.data, 0, out);
    text.length = 0;
    cs_text_printf(
        &text, "Each row is the contents of a rank%s; the digits are the ranks that contributed, ",
        steps->blocks > 1 ? ", | separates its chunks" : "");
    if (steps->moves && !steps->sums)
        cs_text_add(&text, "1.3 is chunk 3 of rank 1, ");
    cs_text_add(&text, "- is empty, * marks results that the rank must have at the end. ");
    if (steps->blocks > 1)
        cs_text_add(
            &text,
            "0>1 +2: rank 0 sends chunk 2 to rank 1, which reduces it; 0>1 =2: which stores it.");
    else
        cs_text_add(
            &text,
            "0>1 +: rank 0 sends its vector to rank 1, which reduces it; 0>1 =: which stores it.");
    if (steps->parties > steps->ranks)
        cs_text_printf(&text, "  S is a %s.", cs_explain_agent(story));
    text_writer_add_wrapped(text.data, 0, out);
}

static void text_writer_add_value(const char *label, const char *value, const char *more,
                                  struct cs_text *out)
{
    cs_text_printf(out, "  %-*s%-*s", LABEL_WIDTH, label, LABEL_WIDTH, value);
    text_writer_add_wrapped(more, 2 + 2 * (size_t)LABEL_WIDTH, out);
}

static void text_writer_add_totals(const struct cs_story *story, struct cs_text *out)
{
    const struct cs_record *record = story->record;
    CS_AT_END(cs_text_free) struct cs_text more = {0};

    cs_text_printf(&more, "in %llu messages, at most %s by one rank",
                   (unsigned long long)record->messages,
                   cs_show_bytes(record->bytes_sent_per_rank_max).text);
    cs_text_add(out, "\n");
    text_writer_add_value("sent", cs_show_bytes(record->bytes_sent_total).text, more.data, out);
    text_writer_add_value("simulated", cs_show_time(record->time_ps).text, "", out);
    text_writer_add_value("closed form", cs_show_seconds(record->closed_form_s).text,
                          story->formula, out);
    text_writer_add_value("lower bound", cs_show_seconds(record->lower_bound_s).text, record->bound,
                          out);
}

/* The vectors of the ranks over time. */
static void text_writer_add_memory(const struct cs_story *story, enum cs_style style,
                                   struct cs_text *out)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_text_add(out, "\n");
    cs_style_bold(style, "memory: contents of the vectors of all ranks", out);
    cs_text_add(out, "\n");
    cs_memory_steps_sheet(story->steps, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_TEXT, style, out);
}

void cs_explain_text(const struct cs_story *story, enum cs_style style, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text title = {0};
    struct view view = {.story = story,
                        .steps = story->steps,
                        .layout = text_writer_layout_of(story),
                        .style = style};

    cs_explain_title(story, &title);
    cs_style_bold(style, title.data, out);
    cs_text_add(out, "\n\n");
    text_writer_add_legend(story, out);
    cs_text_add(out, "\n");
    cs_style_bold(style, "at the start", out);
    cs_text_add(out, "\n");
    text_writer_add_state(&view, out);
    for (uint32_t i = 0; i < story->steps->count; i++)
        text_writer_add_step(&view, i, out);
    text_writer_add_totals(story, out);
    text_writer_add_memory(story, style, out);
}
