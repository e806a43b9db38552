/*
 * A shot: the state of a run, or of a part of a run, relative to its time; for
 * comparison with the state at another time.
 *
 * The words are the values that the further course depends on.  Times are relative
 * to now, and values without further effect are left out: a resource that is free
 * before now is idle, however long.  Beside the words a shot has the amounts that
 * grow: rounds of lanes, totals of links, critical paths.
 *
 *     take, compare   O(state)
 */
#pragma once

#include "sim/engine/model.h"

enum cs_shot_owner {
    CS_PATH_OF_MESSAGE,
    CS_PATH_OF_RECEIVE,
    CS_PATH_OF_LANE,
};

/* The path of a message or receive in flight, or of a lane. */
struct cs_shot_path {
    struct cs_path path;
    uint32_t number;
    enum cs_shot_owner of;
};

/* The words of a state as numbers of few bytes (varint.h), which every shot of a search
 * writes over those of the shot before: a state is only ever compared with the one
 * before it. */
struct cs_shot_state {
    uint8_t *bytes;
    uint32_t count, room;
    uint32_t before; /* bytes of the shot before, to compare with */
    bool differs;    /* from the shot before, or too long to be compared */
};

/* A shot zeroed with {0} but for its state is empty, may be taken again and again, and
 * owns its arrays. */
struct cs_shot {
    uint64_t now_ps;
    struct cs_shot_state *state; /* of all shots of the search */
    uint32_t bytes;              /* of this one */
    struct cs_shot_path *paths;
    uint32_t path_count, path_room;
    uint64_t *rounds; /* by lane */
    uint32_t lanes, lane_room;
    struct cs_link_use *use; /* by link */
    uint32_t links, link_room;
    uint64_t waits;
    /* Of whole runs. */
    uint64_t *sent_bytes; /* by party */
    uint64_t messages, bytes_sent, delivered, rounds_begun, added;
};

/* Empties the shot for a state at `now_ps`. */
void cs_shot_begin(struct cs_shot *shot, uint64_t now_ps);
void cs_shot_free(struct cs_shot *shot);

/* Adds to the state: a value; two of 32 bits. */
void cs_shot_word(struct cs_shot *shot, uint64_t word);
void cs_shot_pair(struct cs_shot *shot, uint32_t a, uint32_t b);
/* A time from now on; all earlier ones are equal. */
void cs_shot_time(struct cs_shot *shot, uint64_t at_ps);
/* Times and path of a message that the sender or the receiver still waits for. */
void cs_shot_flight(struct cs_shot *shot, const struct cs_traffic *traffic, uint32_t number);
void cs_shot_tie(struct cs_shot *shot, const struct cs_traffic *traffic, const struct cs_tie *tie);
void cs_shot_resource(struct cs_shot *shot, const struct cs_traffic *traffic, uint32_t number);

/* Adds to what grows, unless the state differs from that of the shot before: a path, the
 * next lane's rounds, the next link's totals. */
void cs_shot_path(struct cs_shot *shot, uint32_t number, enum cs_shot_owner of,
                  const struct cs_path *path);
void cs_shot_round(struct cs_shot *shot, uint64_t round);
void cs_shot_use(struct cs_shot *shot, const struct cs_link_use *use);

/* Whether the states of the two shots taken last are equal, relative to their times. */
bool cs_shot_equals(const struct cs_shot *before, const struct cs_shot *last);
