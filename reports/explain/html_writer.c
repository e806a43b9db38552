/*
 * Explain as a page: see explain.h.  The page is player.html, whose marks @NAME@ stand for
 * the other files of this folder, texts and data.
 */
#include "reports/explain/explain.h"
#include "reports/results/html.h"

#include <string.h>

/* The files of reports/explain, and the engine in base64, all ending in NUL; embedded in
 * the program by the Makefile. */
extern const char cs_page_player_html[], cs_page_player_css[], cs_page_picture_js[],
    cs_page_player_js[], cs_page_engine_js[], cs_page_choose_js[], cs_page_choose_html[],
    cs_page_lab_html[], cs_page_lab_js[];
extern const char cs_engine_base64[];

enum {
    DATA_MAX = 32 << 10, /* bytes in a page with the engine */
    STEPS_MAX = 36 << 10 /* of the data and the text together */
};

static bool html_writer_has_form(const struct cs_story *story)
{
    return story->choices && cs_explain_has_engine();
}

/* A page that can run the case itself is small: it does so when it opens. */
static void html_writer_add_data(const struct cs_story *story, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text data = {0};

    cs_explain_json(story, &data);
    cs_text_add(out, html_writer_has_form(story) && data.length > DATA_MAX ? "null"
                                                                           : cs_text_str(&data));
}

static void html_writer_add_title(const struct cs_story *story, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_explain_title(story, &text);
    cs_html_add(out, cs_text_str(&text));
}

/* For a browser without JavaScript. */
static void html_writer_add_text(const struct cs_story *story, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    CS_AT_END(cs_text_free) struct cs_text data = {0};

    if (html_writer_has_form(story))
        html_writer_add_data(story, &data);
    if (story->text)
        cs_text_add(&text, story->text);
    else if (story->steps->ranks <= CS_STEPS_DIGIT_RANKS_MAX)
        cs_explain_text(story, CS_STYLE_PLAIN, &text);
    if (!text.length || (html_writer_has_form(story) && data.length + text.length > STEPS_MAX))
        cs_text_add(out, "So many steps are drawn by JavaScript alone.");
    else
        cs_html_add_lines(out, cs_text_str(&text));
}

static void html_writer_add_lab(const struct cs_story *story, struct cs_text *out)
{
    if (story->lesson)
        cs_text_add(out, cs_page_lab_html);
}

static void html_writer_add_form(const struct cs_story *story, struct cs_text *out)
{
    cs_text_add(out, html_writer_has_form(story)
                         ? cs_page_choose_html
                         : "<section class=\"note\" aria-label=\"about this page\">Algorithm, "
                           "machine and size of this page are fixed: it was written by a collsim "
                           "without the engine for pages (make wasm).</section>");
}

static void html_writer_add_script(const char *script, struct cs_text *out)
{
    cs_text_printf(out, "<script>\n\"use strict\";\n%s</script>\n", script);
}

static void html_writer_add_json(const char *id, const char *data, struct cs_text *out)
{
    cs_text_printf(out, "<script type=\"application/json\" id=\"%s\">%s</script>\n", id, data);
}

static void html_writer_add_engine(const struct cs_story *story, struct cs_text *out)
{
    if (html_writer_has_form(story)) {
        html_writer_add_json("choices", story->choices, out);
        cs_explain_engine(out);
        html_writer_add_script(cs_page_choose_js, out);
    }
    if (story->lesson) {
        html_writer_add_json("lesson", story->lesson, out);
        html_writer_add_script(cs_page_lab_js, out);
    }
}

static void html_writer_add_player(const struct cs_story *story, struct cs_text *out)
{
    (void)story;
    cs_text_add(out, cs_page_picture_js);
    cs_text_add(out, cs_page_player_js);
}

static void html_writer_add_style(const struct cs_story *story, struct cs_text *out)
{
    (void)story;
    cs_text_add(out, cs_page_player_css);
}

bool cs_explain_has_engine(void)
{
    return cs_engine_base64[0] != '\0';
}

void cs_explain_engine(struct cs_text *out)
{
    if (!cs_explain_has_engine())
        return;
    cs_text_add(out, "<script type=\"text/plain\" id=\"engine\">");
    cs_text_add(out, cs_engine_base64);
    cs_text_add(out, "</script>\n");
    html_writer_add_script(cs_page_engine_js, out);
}

void cs_explain_html(const struct cs_story *story, struct cs_text *out)
{
    static const struct {
        const char *mark;
        void (*add)(const struct cs_story *story, struct cs_text *out);
    } marks[] = {
        {"@TITLE@", html_writer_add_title},   {"@STYLE@", html_writer_add_style},
        {"@LAB@", html_writer_add_lab},       {"@FORM@", html_writer_add_form},
        {"@TEXT@", html_writer_add_text},     {"@DATA@", html_writer_add_data},
        {"@PLAYER@", html_writer_add_player}, {"@ENGINE@", html_writer_add_engine},
    };
    const char *page = cs_page_player_html;

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        const char *at = strstr(page, marks[i].mark);

        cs_text_add_n(out, page, (size_t)(at - page));
        marks[i].add(story, out);
        page = at + strlen(marks[i].mark);
    }
    cs_text_add(out, page);
}
