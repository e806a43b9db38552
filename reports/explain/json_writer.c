/*
 * Explain as JSON: see explain.h.  The data of the page's player, which reads it as it is.
 */
#include "reports/explain/explain.h"
#include "reports/results/html.h"
#include "reports/results/runs_table.h"
#include "sim/base/units.h"

#include <ctype.h>

enum {
    COMPLETE_BIT = 16,
    ORIGIN_BIT = 17,
    USES_MAX = 8192, /* of links in time */
};

static void json_writer_add_member(const char *name, const char *text, struct cs_text *out)
{
    cs_text_printf(out, "\"%s\":", name);
    cs_html_add_json(out, text);
    cs_text_add(out, ",\n");
}

/* ---- the steps ---- */

/* "1,2,3" */
static void json_writer_add_numbers(const uint64_t *numbers, size_t count, struct cs_text *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            cs_text_add_n(out, ",", 1);
        cs_text_add_number(out, numbers[i]);
    }
}

/* [src, dst, first, count, first at the receiver, adds, lane, sent, arrived, waited], times
 * in picoseconds; sent: when its head leaves the busy links behind. */
static void json_writer_add_message(const struct cs_step_message *message, struct cs_text *out)
{
    const uint64_t numbers[] = {
        message->src,        message->dst,
        message->from.first, message->from.count,
        message->to.first,   message->adds,
        message->lane,       message->sent_ps + message->wait_ps,
        message->arrived_ps, message->wait_ps,
    };

    cs_text_add(out, "[");
    json_writer_add_numbers(numbers, sizeof(numbers) / sizeof(*numbers), out);
    cs_text_add(out, "]");
}

/* Totals are texts with units, as in the other documents; the player computes
 * with seconds only. */
static void json_writer_add_step(const struct cs_steps *steps, const struct cs_step *step,
                                 struct cs_text *out)
{
    cs_text_printf(out, "{\"sent\":\"%s\",", cs_show_bytes(step->bytes).text);
    cs_text_printf(out, "\"time\":\"%s\",\"s\":", cs_show_time(step->time_ps).text);
    cs_text_printf(out, "%s,\"m\":[", cs_show_exact(step->time_ps).text);
    for (uint32_t i = 0; i < step->count; i++) {
        cs_text_add(out, i ? "," : "");
        json_writer_add_message(&steps->messages[step->first + i], out);
    }
    cs_text_add(out, "]}");
}

static void json_writer_add_steps(const struct cs_steps *steps, struct cs_text *out)
{
    cs_text_add(out, "\"steps\":[");
    for (uint32_t i = 0; i < steps->count; i++) {
        cs_text_add(out, i ? ",\n" : "\n");
        json_writer_add_step(steps, &steps->steps[i], out);
    }
    cs_text_add(out, "],\n");
}

/* A block as a number: contributing ranks in bits 0-15, COMPLETE_BIT, and
 * above ORIGIN_BIT 1 + the block of origin. An array of numbers keeps the
 * page small. */
static uint32_t json_writer_holding_number(const struct cs_holding *holding)
{
    uint32_t number = (uint32_t)holding->ranks | (uint32_t)holding->complete << COMPLETE_BIT;

    if (holding->ranks && holding->origin != CS_STEPS_MIXED)
        number |= (uint32_t)(holding->origin + 1) << ORIGIN_BIT;
    return number;
}

/* [contributions, blocks that are complete] of a party, where ranks are more than bits. */
static void json_writer_add_summary(const struct cs_steps *steps, uint32_t after, uint32_t party,
                                    struct cs_text *out)
{
    uint64_t counts[2] = {0}; /* contributions, complete */

    for (uint32_t block = 0; block < steps->blocks; block++) {
        const struct cs_holding *holding = cs_steps_holding(steps, after, party, block);

        counts[0] += (uint64_t)__builtin_popcountll(holding->ranks);
        counts[1] += holding->complete;
    }
    cs_text_add(out, party ? ",[" : "[");
    json_writer_add_numbers(counts, 2, out);
    cs_text_add(out, "]");
}

static bool json_writer_is_large(const struct cs_steps *steps)
{
    return steps->ranks > CS_STEPS_DIGIT_RANKS_MAX;
}

static void json_writer_add_state(const struct cs_steps *steps, uint32_t after, struct cs_text *out)
{
    cs_text_add(out, "[");
    for (uint32_t party = 0; party < steps->parties; party++) {
        if (json_writer_is_large(steps)) {
            json_writer_add_summary(steps, after, party, out);
            continue;
        }
        cs_text_add(out, party ? ",[" : "[");
        for (uint32_t block = 0; block < steps->blocks; block++) {
            cs_text_add(out, block ? "," : "");
            cs_text_add_number(
                out, json_writer_holding_number(cs_steps_holding(steps, after, party, block)));
        }
        cs_text_add(out, "]");
    }
    cs_text_add(out, "]");
}

static void json_writer_add_states(const struct cs_steps *steps, struct cs_text *out)
{
    cs_text_add(out, "\"states\":[");
    for (uint32_t i = 0; i <= steps->count; i++) {
        cs_text_add(out, i ? ",\n" : "\n");
        json_writer_add_state(steps, i, out);
    }
    cs_text_add(out, "],\n");
}

/* Whether a rank must hold a block at the end, for the marks of incomplete
 * blocks. */
static void json_writer_add_owed(const struct cs_steps *steps, struct cs_text *out)
{
    cs_text_add(out, "\"owed\":[");
    for (uint32_t i = 0; i < steps->ranks * steps->blocks; i++) {
        if (i % steps->blocks == 0)
            cs_text_add(out, i ? "],[" : "[");
        cs_text_printf(out, "%s%d", i % steps->blocks ? "," : "", steps->owed[i]);
    }
    cs_text_add(out, "]],\n");
}

/* ---- the shape ---- */

/* An edge once, with the lower party first: edges are symmetric. */
static void json_writer_add_edges(const struct cs_steps *steps, const struct cs_shape *shape,
                                  struct cs_text *out)
{
    const char *comma = "";

    cs_text_add(out, "\"edges\":[");
    for (uint32_t a = 0; a < steps->parties; a++) {
        for (uint32_t b = a + 1; b < steps->parties; b++) {
            if (!shape->edge[a][b])
                continue;
            cs_text_printf(out, "%s[%u,%u]", comma, a, b);
            comma = ",";
        }
    }
    cs_text_add(out, "],\n");
}

/* Shape, hubs and order come from explain.h, as for the animation. */
static void json_writer_add_shape(const struct cs_steps *steps, struct cs_text *out)
{
    struct cs_shape shape = cs_shape_of(steps);
    const char *comma = "";

    json_writer_add_member("shape", cs_shape_name(shape.kind), out);
    json_writer_add_edges(steps, &shape, out);
    cs_text_add(out, "\"parent\":[");
    for (uint32_t i = 0; i < steps->parties; i++)
        cs_text_printf(out, "%s%d", i ? "," : "", (int)shape.parent[i]);
    cs_text_add(out, "],\n\"order\":[");
    for (uint32_t i = 0; i < steps->parties; i++)
        cs_text_printf(out, "%s%u", i ? "," : "", shape.order[i]);
    cs_text_add(out, "],\n\"hubs\":[");
    for (uint32_t i = 0; i < steps->parties; i++) {
        if (!shape.hub[i])
            continue;
        cs_text_printf(out, "%s%u", comma, i);
        comma = ",";
    }
    cs_text_add(out, "],\n");
}

/* ---- the words ---- */

/* The first letter of a sentence or title is upper case on the page; names of
 * algorithms are lower case elsewhere. */
static void json_writer_add_words(const struct cs_story *story, struct cs_text *out)
{
    const struct cs_record *record = story->record;
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_text_printf(&text, "%s %s", record->algorithm, record->collective);
    text.data[0] = (char)toupper((unsigned char)text.data[0]);
    json_writer_add_member("title", text.data, out);
    text.length = 0;
    cs_runs_table_title(record, 1, &text);
    json_writer_add_member("subtitle", text.data, out);
    text.length = 0;
    cs_text_printf(&text, "%s. At the end %s.", story->about, story->promise);
    text.data[0] = (char)toupper((unsigned char)text.data[0]);
    json_writer_add_member("about", text.data, out);
    json_writer_add_member("formula", story->formula, out);
    json_writer_add_member("why", record->bound, out);
}

static void json_writer_add_total(const char *label, const char *value, const char *end,
                                  struct cs_text *out)
{
    cs_text_printf(out, "[\"%s\",\"%s\"]%s", label, value, end);
}

/* Texts for the table, and real seconds for the bars of the player. */
static void json_writer_add_totals(const struct cs_record *record, struct cs_text *out)
{
    cs_text_add(out, "\"totals\":[");
    json_writer_add_total("simulated time", cs_show_time(record->time_ps).text, ",", out);
    json_writer_add_total("closed form", cs_show_seconds(record->closed_form_s).text, ",", out);
    json_writer_add_total("lower bound", cs_show_seconds(record->lower_bound_s).text, ",", out);
    json_writer_add_total("bytes sent in total", cs_show_bytes(record->bytes_sent_total).text, ",",
                          out);
    json_writer_add_total("by the busiest rank",
                          cs_show_bytes(record->bytes_sent_per_rank_max).text, "],", out);
    cs_text_printf(out, "\n\"time\":%.9g,\"closed\":%.9g,\"bound\":%.9g,\n",
                   (double)record->time_ps * 1e-12, record->closed_form_s, record->lower_bound_s);
}

static void json_writer_add_names(const struct cs_story *story, struct cs_text *out)
{
    const struct cs_steps *steps = story->steps;
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    cs_text_add(out, "\"names\":[");
    for (uint32_t i = 0; i < steps->parties; i++) {
        name.length = 0;
        cs_explain_party(story, i, &name);
        cs_text_printf(out, "%s\"%s\"", i ? "," : "", name.data);
    }
    cs_text_add(out, "],\n");
}

/* [party, from, to], in picoseconds: reductions and computations. */
static void json_writer_add_works(const struct cs_steps *steps, struct cs_text *out)
{
    cs_text_add(out, "\"works\":[");
    for (uint32_t i = 0; i < steps->work_count; i++) {
        const struct cs_step_work *work = &steps->works[i];

        cs_text_add(out, i ? ",[" : "[");
        json_writer_add_numbers((uint64_t[]){work->party, work->from_ps, work->to_ps}, 3, out);
        cs_text_add(out, "]");
    }
    cs_text_add(out, "],\n");
}

/* The times of the next link from the use on, [from, to, from, to, ...]; returns the first
 * use of the link behind it. */
static uint32_t json_writer_add_uses(const struct cs_steps *steps, uint32_t first,
                                     struct cs_text *out)
{
    uint32_t i = first;

    cs_text_add(out, ",[");
    for (; i < steps->use_count && steps->uses[i].link == steps->uses[first].link; i++) {
        cs_text_add(out, i > first ? "," : "");
        json_writer_add_numbers((uint64_t[]){steps->uses[i].from_ps, steps->uses[i].to_ps}, 2, out);
    }
    cs_text_add(out, "]");
    return i;
}

static uint32_t json_writer_used_links(const struct cs_steps *steps)
{
    uint32_t count = steps->use_count > 0;

    for (uint32_t i = 1; i < steps->use_count; i++)
        count += steps->uses[i].link != steps->uses[i - 1].link;
    return count;
}

/* [name, bytes, share of the time that it is busy, times], a direction each; times where
 * they are known of all links, and not too many. */
static void json_writer_add_links(const struct cs_record *record, const struct cs_steps *steps,
                                  struct cs_text *out)
{
    double time_ps = record->time_ps ? (double)record->time_ps : 1;
    bool has_times =
        json_writer_used_links(steps) == record->link_count && steps->use_count <= USES_MAX;
    uint32_t use = 0;

    cs_text_add(out, "\"links\":[");
    for (uint32_t i = 0; i < record->link_count; i++) {
        const struct cs_record_link *link = &record->links[i];

        cs_text_add(out, i ? ",\n[" : "\n[");
        cs_html_add_json(out, link->name);
        cs_text_printf(out, ",\"%s\",%.4g", cs_show_bytes(link->bytes).text,
                       (double)link->busy_ps / time_ps);
        if (has_times)
            use = json_writer_add_uses(steps, use, out);
        cs_text_add(out, "]");
    }
    cs_text_add(out, "],\n");
}

void cs_explain_json(const struct cs_story *story, struct cs_text *out)
{
    const struct cs_steps *steps = story->steps;

    cs_text_add(out, "{\n");
    json_writer_add_words(story, out);
    json_writer_add_totals(story->record, out);
    json_writer_add_names(story, out);
    json_writer_add_shape(steps, out);
    json_writer_add_owed(steps, out);
    json_writer_add_steps(steps, out);
    json_writer_add_states(steps, out);
    json_writer_add_works(steps, out);
    json_writer_add_links(story->record, steps, out);
    cs_text_printf(out, "\"ranks\":%u,\"blocks\":%u,\"sums\":%s,\"places\":%s,\"cells\":%s\n}\n",
                   steps->ranks, steps->blocks, steps->sums ? "true" : "false",
                   steps->moves && !steps->sums ? "true" : "false",
                   json_writer_is_large(steps) ? "false" : "true");
}
