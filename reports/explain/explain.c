#include "reports/explain/explain.h"

#include "reports/results/runs_table.h"

enum {
    RUN_MIN = 4,    /* consecutive ranks for the form "0-3" */
    DIGITS_MAX = 8, /* up to DIGITS_MAX ranks, no abbreviation */
};

void cs_explain_title(const struct cs_story *story, struct cs_text *out)
{
    cs_text_printf(out, "%s ", story->record->algorithm);
    cs_runs_table_title(story->record, 1, out);
}

const char *cs_explain_agent(const struct cs_story *story)
{
    const char *kind = story->record->agent_kind;

    return kind && *kind ? kind : "server";
}

void cs_explain_party(const struct cs_story *story, uint32_t party, struct cs_text *out)
{
    const struct cs_steps *steps = story->steps;

    if (party < steps->ranks)
        cs_text_printf(out, "rank %u", party);
    else if (steps->parties - steps->ranks == 1)
        cs_text_add(out, cs_explain_agent(story));
    else
        cs_text_printf(out, "%s %u", cs_explain_agent(story), party - steps->ranks);
}

static void explain_add_digit(struct cs_text *out, uint32_t rank)
{
    cs_text_printf(out, "%x", rank);
}

/* The number of consecutive ranks in the set from `first` on. */
static uint32_t explain_run_from(uint64_t ranks, uint32_t first)
{
    uint32_t length = 0;

    while (first + length < CS_STEPS_DIGIT_RANKS_MAX && (ranks >> (first + length) & 1))
        length++;
    return length;
}

void cs_explain_holding(const struct cs_steps *steps, const struct cs_holding *holding,
                        struct cs_text *out)
{
    uint32_t rank = 0;

    while (rank < CS_STEPS_DIGIT_RANKS_MAX) {
        uint32_t length = explain_run_from(holding->ranks, rank);

        if (length >= RUN_MIN && steps->ranks > DIGITS_MAX) {
            explain_add_digit(out, rank);
            cs_text_add(out, "-");
            explain_add_digit(out, rank + length - 1);
            rank += length;
        } else {
            if (length)
                explain_add_digit(out, rank);
            rank++;
        }
    }
    if (holding->ranks && steps->moves && !steps->sums && holding->origin != CS_STEPS_MIXED)
        cs_text_printf(out, ".%u", holding->origin);
}

void cs_explain_blocks(const struct cs_steps *steps, struct cs_blocks blocks, struct cs_text *out)
{
    uint32_t last = (blocks.first + blocks.count + steps->blocks - 1);

    if (blocks.count == 0)
        return;
    if (blocks.count == steps->blocks && steps->blocks > 1)
        cs_text_add(out, "all");
    else if (blocks.count == 1)
        cs_text_printf(out, "%u", blocks.first);
    else
        cs_text_printf(out, "%u-%u", blocks.first, last % steps->blocks);
}
