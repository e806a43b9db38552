#include "sim/fold/walk_state.h"

static void pace_add_path(struct cs_path *path, const struct cs_path *by)
{
    path->latency_ps += by->latency_ps;
    path->bandwidth_ps += by->bandwidth_ps;
    path->reduction_ps += by->reduction_ps;
    path->wait_ps += by->wait_ps;
}

static void pace_split(struct due *due)
{
    if (!due->apart)
        due->high = due->low;
    due->apart = true;
}

/* Adds a piece that takes `weight_ps` longer if it is long. */
static void pace_add_piece(const struct pace *pace, struct due *due,
                           const struct cs_segment *segment)
{
    if (!due->apart && cs_sum_has_room(&due->low)) {
        cs_sum_add(&due->low, &pace->circle, segment, CS_AT_LEAST);
        return;
    }
    pace_split(due);
    cs_sum_add(&due->low, &pace->circle, segment, CS_AT_LEAST);
    cs_sum_add(&due->high, &pace->circle, segment, CS_AT_MOST);
}

void cs_due_add_trip(const struct pace *pace, struct due *due, const struct pace_flow *flow,
                     uint32_t piece)
{
    const struct cs_path *path = &flow->trip[0].path;
    const struct cs_path *longer = &flow->trip[1].path;
    const struct cs_segment segment = {
        .weight_ps = cs_path_ps(longer) - cs_path_ps(path), .first = piece, .length = 1};
    bool is_long = may_be_long(&pace->quotient->sizes, piece);

    pace_add_path(&due->low.sure, path);
    pace_add_path(&due->high.sure, path);
    pace_add_piece(pace, due, &segment);
    due->longest_ps += cs_path_ps(is_long ? longer : path);
}

void cs_due_add_take(const struct pace *pace, struct due *due, const struct pace_parcel *parcel)
{
    const struct cs_segment segment = {.weight_ps = parcel->take_ps[1] - parcel->take_ps[0],
                                       .first = parcel->piece,
                                       .length = 1,
                                       .share = CS_OF_REDUCTION};

    if (parcel->take_ps[1] == 0)
        return;
    due->low.sure.reduction_ps += parcel->take_ps[0];
    due->high.sure.reduction_ps += parcel->take_ps[0];
    pace_add_piece(pace, due, &segment);
    due->longest_ps += parcel->take_ps[2];
}

void cs_due_wait_for(const struct pace *pace, struct due *due, const struct due *other)
{
    uint64_t longest_ps = due->longest_ps > other->longest_ps ? due->longest_ps : other->longest_ps;
    struct due apart;

    if (!due->apart && !other->apart) {
        if (cs_sum_exceeds(&due->low, &other->low, &pace->circle)) {
            due->longest_ps = longest_ps;
            return;
        }
        if (cs_sum_exceeds(&other->low, &due->low, &pace->circle)) {
            *due = *other;
            due->longest_ps = longest_ps;
            return;
        }
    }
    apart = *other;
    pace_split(&apart);
    pace_split(due);
    due->low = cs_sum_max(&due->low, &apart.low, &pace->circle, CS_AT_LEAST);
    due->high = cs_sum_max(&due->high, &apart.high, &pace->circle, CS_AT_MOST);
    due->longest_ps = longest_ps;
}
