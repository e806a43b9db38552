#include "reports/document/document.h"
#include "sim/base/utf8.h"

#include <string.h>

/* Special characters get a backslash; control characters become U+FFFD, line ends
 * spaces where others are special. */
static void markdown_put(const char *text, const char *special, struct cs_text *out)
{
    struct cs_utf8_char c;

    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (c.valid && c.code == '\n' && *special)
            cs_text_add(out, " ");
        else if (!c.valid || cs_utf8_is_control(c.code))
            cs_text_add(out, "\xEF\xBF\xBD");
        else if (c.code < 128 && strchr(special, (int)c.code))
            cs_text_printf(out, "\\%c", (char)c.code);
        else
            cs_text_add_n(out, text, c.length);
        text += c.length;
    }
}

static void markdown_add(struct cs_text *out, const char *text)
{
    markdown_put(text, "\\`*_[]<>|#", out);
}

static void markdown_add_table(const struct cs_document_table *table, const char *caption,
                               struct cs_text *out)
{
    markdown_add(out, caption);
    cs_text_add(out, "\n\n|");
    for (size_t c = 0; c < table->columns; ++c) {
        cs_text_add(out, " ");
        markdown_add(out, table->titles[c]);
        cs_text_add(out, " |");
    }
    cs_text_add(out, "\n|");
    for (size_t c = 0; c < table->columns; ++c)
        cs_text_add(out, table->is_text[c] ? " --- |" : " ---: |");
    for (size_t r = 0; r < table->rows; ++r) {
        cs_text_add(out, "\n|");
        for (size_t c = 0; c < table->columns; ++c) {
            cs_text_add(out, " ");
            markdown_add(out, table->cells[r * table->columns + c]);
            cs_text_add(out, " |");
        }
    }
    cs_text_add(out, "\n\n");
}

static void markdown_add_chart(const struct cs_block *block, struct cs_text *out)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_document_table table = cs_document_chart_table(&block->chart, &arena);

    markdown_add_table(&table, block->text, out);
}

/* Indented code takes any character but line ends. */
static void markdown_add_code(const char *text, struct cs_text *out)
{
    cs_text_add(out, "    ");
    markdown_put(text, "", out);
    cs_text_add(out, "\n\n");
}

static void markdown_add_text(const char *open, const char *text, const char *close,
                              struct cs_text *out)
{
    cs_text_add(out, open);
    markdown_add(out, text);
    cs_text_add(out, close);
}

void cs_document_markdown(const struct cs_document *document, struct cs_text *out)
{
    markdown_add_text("# ", document->title, "\n\n", out);
    for (uint32_t b = 0; b < document->count; ++b) {
        const struct cs_block *block = &document->blocks[b];
        bool last = b + 1 == document->count || block[1].kind != CS_BLOCK_ITEM;

        switch (block->kind) {
        case CS_BLOCK_HEADING:
            markdown_add_text("## ", block->text, "\n\n", out);
            break;
        case CS_BLOCK_ANSWER:
            markdown_add_text("**", block->text, "**\n\n", out);
            break;
        case CS_BLOCK_PARAGRAPH:
            markdown_add_text("", block->text, "\n\n", out);
            break;
        case CS_BLOCK_ITEM:
            markdown_add_text("- ", block->text, last ? "\n\n" : "\n", out);
            break;
        case CS_BLOCK_CODE:
            markdown_add_code(block->text, out);
            break;
        case CS_BLOCK_TABLE:
            markdown_add_table(&block->table, block->text, out);
            break;
        case CS_BLOCK_CHART:
            markdown_add_chart(block, out);
            break;
        case CS_BLOCK_DIAGRAM:
            break;
        }
    }
}
