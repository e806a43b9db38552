#include "sim/engine/shot.h"

#include "sim/base/collections/varint.h"
#include "sim/base/collections/vector.h"
#include "sim/program/matching.h"

#include <stdlib.h>
#include <string.h>

void cs_shot_begin(struct cs_shot *shot, uint64_t now_ps)
{
    shot->now_ps = now_ps;
    shot->bytes = shot->path_count = shot->lanes = shot->links = 0;
    shot->state->before = shot->state->count;
    shot->state->count = 0;
    shot->state->differs = false;
}

void cs_shot_free(struct cs_shot *shot)
{
    free(shot->paths);
    free(shot->rounds);
    free(shot->use);
    free(shot->sent_bytes);
    *shot = (struct cs_shot){0};
}

/* ---- the state ---- */

void cs_shot_word(struct cs_shot *shot, uint64_t word)
{
    struct cs_shot_state *state = shot->state;
    uint8_t bytes[CS_VARINT_BYTES];
    uint32_t length = (uint32_t)(cs_varint_put(bytes, cs_varint_of_signed(word)) - bytes);

    if (state->count > UINT32_MAX - CS_VARINT_BYTES) {
        state->differs = true;
        return;
    }
    state->bytes = cs_vector_room(state->bytes, state->count + length, &state->room, 1);
    state->differs |= state->count + length <= state->before &&
                      memcmp(&state->bytes[state->count], bytes, length) != 0;
    memcpy(&state->bytes[state->count], bytes, length);
    state->count += length;
    shot->bytes = state->count;
}

void cs_shot_pair(struct cs_shot *shot, uint32_t a, uint32_t b)
{
    cs_shot_word(shot, (uint64_t)a << 32 | b);
}

void cs_shot_time(struct cs_shot *shot, uint64_t at_ps)
{
    cs_shot_word(shot, at_ps >= shot->now_ps ? at_ps - shot->now_ps + 1 : 0);
}

void cs_shot_flight(struct cs_shot *shot, const struct cs_traffic *traffic, uint32_t number)
{
    const struct cs_message *message = &traffic->messages[number];

    cs_shot_pair(shot, message->hop, message->hops);
    cs_shot_word(shot, message->sent_ps - shot->now_ps);
    cs_shot_word(shot, message->head_ps - shot->now_ps);
    cs_shot_word(shot, message->tail_ps - shot->now_ps);
    cs_shot_word(shot, traffic->eager ? message->left_ps - shot->now_ps : 0);
    cs_shot_word(shot, message->latency_ps);
    cs_shot_word(shot, message->wait_ps);
    cs_shot_word(shot, message->own_ps);
    cs_shot_path(shot, number, CS_PATH_OF_MESSAGE, &message->path);
}

void cs_shot_tie(struct cs_shot *shot, const struct cs_traffic *traffic, const struct cs_tie *tie)
{
    cs_shot_time(shot, tie->at_ps);
    if (tie->at_ps < shot->now_ps)
        return;
    cs_shot_word(shot, tie->sent_ps - shot->now_ps);
    cs_shot_pair(shot, tie->lane,
                 traffic->net->origin_columns > 1 ? tie->rank : tie->rank / traffic->block_ranks);
}

/* No message reaches the resource before now, so a streak that began earlier has the
 * effect of one that begins now. */
void cs_shot_resource(struct cs_shot *shot, const struct cs_traffic *traffic, uint32_t number)
{
    const struct cs_resource *resource = &traffic->resources[number];

    cs_shot_time(shot, resource->free_ps);
    if (resource->free_ps >= shot->now_ps) {
        cs_shot_word(shot,
                     resource->since_ps > shot->now_ps ? resource->since_ps - shot->now_ps : 0);
        cs_shot_word(shot, resource->src);
    }
    if (resource->seen_ps == shot->now_ps)
        cs_shot_word(shot, resource->was_due);
    if (traffic->ties)
        cs_shot_tie(shot, traffic, &traffic->ties[number]);
}

/* ---- what grows ---- */

/* Without room for what grows where the state differs: nothing grows from there. */

void cs_shot_path(struct cs_shot *shot, uint32_t number, enum cs_shot_owner of,
                  const struct cs_path *path)
{
    if (shot->state->differs)
        return;
    *CS_VECTOR_NEXT(shot->paths, shot->path_count, shot->path_room) =
        (struct cs_shot_path){*path, number, of};
}

void cs_shot_round(struct cs_shot *shot, uint64_t round)
{
    if (shot->state->differs)
        return;
    *CS_VECTOR_NEXT(shot->rounds, shot->lanes, shot->lane_room) = round;
}

void cs_shot_use(struct cs_shot *shot, const struct cs_link_use *use)
{
    if (shot->state->differs)
        return;
    *CS_VECTOR_NEXT(shot->use, shot->links, shot->link_room) = *use;
}

/* ---- comparison ---- */

bool cs_shot_equals(const struct cs_shot *before, const struct cs_shot *last)
{
    return before->bytes == last->bytes && before->path_count == last->path_count &&
           !last->state->differs;
}
