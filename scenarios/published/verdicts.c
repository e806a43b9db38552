#include "scenarios/published/report.h"

#include "validate/verdicts/verdicts.h"

enum {
    SEED = 1, /* of strengths and odd sizes */
};

#define SCORE(member) CS_AT(struct cs_verdict_score, member)
static const struct cs_sheet_column verdict_columns[] = {
    {"group", "tables", NULL, CS_SHEET_TEXT, SCORE(group)},
    {"tables", "", "all", CS_SHEET_COUNT, SCORE(tables)},
    {"sites", "", "sites", CS_SHEET_COUNT, SCORE(sites)},
    {"sound", "healthy", "no cause", CS_SHEET_SHARE, SCORE(sound)},
    {"named", "", "named", CS_SHEET_SHARE, SCORE(named)},
    {"blamed_50", "", "50 %", CS_SHEET_SHARE, SCORE(blamed_50)},
    {"blamed_80", "", "80 %", CS_SHEET_SHARE, SCORE(blamed_80)},
    {"short_20", "--expect", "20 %", CS_SHEET_SHARE, SCORE(short_20)},
    {"odd_50", "odd size", "50 %", CS_SHEET_SHARE, SCORE(odd_50)},
    {"injected", "injected", "", CS_SHEET_COUNT, SCORE(injected)},
    {"first", "", "first", CS_SHEET_SHARE, SCORE(first)},
    {"in_three", "", "in three", CS_SHEET_SHARE, SCORE(in_three)},
    {"said_80", "", "80 %", CS_SHEET_SHARE, SCORE(said_80)},
    {"right_80", "", "right", CS_SHEET_SHARE, SCORE(right_80)},
    {"group_80", "group", "80 %", CS_SHEET_SHARE, SCORE(group_said)},
    {"group_right", "", "right", CS_SHEET_SHARE, SCORE(group_right)},
    {"group_size", "", "causes", CS_SHEET_REAL, SCORE(group_size)},
    {"set_80", "80 % set", "holds", CS_SHEET_SHARE, SCORE(set_holds)},
    {"loss", "-ln P", "", CS_SHEET_REAL, SCORE(loss)},
    {"weights_loss", "", "weights", CS_SHEET_REAL, SCORE(prior_loss)},
};

/* What is said of the first hypothesis, in a step. */
struct said_row {
    const char *group, *said;
    uint32_t cases;
    double right;
};

#define SAID(member) CS_AT(struct said_row, member)
static const struct cs_sheet_column said_columns[] = {
    {"group", "tables", NULL, CS_SHEET_TEXT, SAID(group)},
    {"said", "said of the", "first", CS_SHEET_TEXT, SAID(said)},
    {"cases", "cases", NULL, CS_SHEET_COUNT, SAID(cases)},
    {"right", "right", NULL, CS_SHEET_SHARE, SAID(right)},
};

static const char *const said_names[CS_VERDICT_STEPS] = {"20-40 %", "40-60 %", "60-80 %",
                                                         "80-95 %"};

static void verdicts_print(const struct cs_published_view *view, struct cs_sheet *sheet)
{
    cs_cli_sheet(view->cli, sheet, view->format);
    cs_sheet_free(sheet);
}

static void verdicts_print_said(const struct cs_published_view *view,
                                const struct cs_verdict_score *scores)
{
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "said", CS_COLUMNS(said_columns));
    for (int g = 0; g < CS_VERDICT_GROUPS; g++)
        for (int step = 0; step < CS_VERDICT_STEPS; step++) {
            struct said_row row = {scores[g].group, said_names[step], scores[g].said[step],
                                   scores[g].right[step]};

            if (row.cases)
                cs_sheet_row(&sheet, &row);
        }
    verdicts_print(view, &sheet);
}

/* The first limit that the scores miss. */
static void verdicts_judge(const struct cs_verdict_score *scores, struct cs_err *wrong)
{
    const struct cs_verdict_score *score = &scores[CS_VERDICTS_UNSEEN];

    /* A limit; `most`: above it is worse.  Each is a little beyond the score of validate/README.md:
     * injected causes are drawn at random. */
    const struct {
        const char *name;
        double value, limit;
        bool most;
    } limits[] = {
        {"healthy tables without a cause first", score->sound, .9, false},
        {"healthy tables of which a cause is named", score->named, .1, true},
        {"healthy tables with a cause of 80 % or more", score->blamed_80, .03, true},
        {"healthy tables that fail --expect 20%", score->short_20, .1, true},
        {"tables whose odd size makes a cause of 50 % or more", score->odd_50, .02, true},
        {"injected causes that come first of causes", score->first, .59, false},
        {"injected causes among the first three", score->in_three, .85, false},
        {"injected causes whose group has 80 % or more", score->group_said, .3, false},
        {"such groups that hold the cause", score->group_right, .9, false},
        {"verdicts of 80 % or more that are right", score->right_80, .9, false},
        {"sets of 80 % that hold the truth", score->set_holds, .8, false},
        {"mean -ln P of the truth", score->loss, score->prior_loss, true},
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
        if (limits[i].most ? limits[i].value > limits[i].limit : limits[i].value < limits[i].limit)
            cs_err_set(wrong, CS_EANSWER, "%s: %s are %.3g; expected %s %.3g", score->group,
                       limits[i].name, limits[i].value, limits[i].most ? "at most" : "at least",
                       limits[i].limit);
}

void cs_published_verdicts(const struct cs_published_view *view, const struct cs_left_out *left,
                           struct cs_err *wrong)
{
    struct cs_verdict_score scores[CS_VERDICT_GROUPS];
    struct cs_sheet sheet = {0};

    cs_verdicts_make(view->answers, view->published->count, left, SEED, scores);
    cs_sheet_begin(&sheet, "verdicts", CS_COLUMNS(verdict_columns));
    for (int g = 0; g < CS_VERDICT_GROUPS; g++)
        if (scores[g].tables)
            cs_sheet_row(&sheet, &scores[g]);
    verdicts_print(view, &sheet);
    if (view->format == CS_FORMAT_TEXT) {
        fputs("\nHealthy tables as published, each site left out of parameters and intervals; the "
              "same with\none size at ten times its time; and the same with a cause of .6 to 1.5 "
              "times the model's\neffect. 'first' and 'in three' are among the known causes; 'no "
              "cause' is first of all, and\n'named' is what `collsim compare` says with 50 % or "
              "more, or of a group with 80 %.\n'--expect' is the share of healthy tables that fail "
              "`compare --expect 20%`.\n\n",
              view->cli->out);
        verdicts_print_said(view, scores);
    }
    verdicts_judge(scores, wrong);
}
