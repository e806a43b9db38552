#include "algorithms/schedules/connections.h"

#include "sim/base/collections/vector.h"
#include "sim/base/order.h"
#include "sim/proof/replay.h"

#include <assert.h>
#include <string.h>

enum {
    NO_MESSAGE = UINT32_MAX
};

/* A piece of a message.  `nth`: position in the round among messages with the
 * equal peer, channel and direction. */
struct piece {
    uint32_t src, dst, channel;
    uint32_t message, number;
    uint32_t src_lane, src_nth, dst_lane, dst_nth;
    uint32_t rank; /* number of the connection in the channel, from 0 */
};

struct connections_survey {
    struct cs_connections *all;
    enum cs_wrapping wrapping;
    struct piece *pieces;
    uint32_t piece_count, piece_capacity;
    uint32_t messages, message_capacity;
    struct cs_ops ops; /* buffer for a round */
};

/* ---- places ---- */

static uint32_t *connections_round_at(const struct cs_connections *all, struct cs_at at)
{
    uint32_t lane = at.party * all->program->lanes + at.lane;

    return &all->round_first[all->lane_first[lane] + at.round];
}

const struct cs_connection *cs_connection_at(const struct cs_connections *connections,
                                             struct cs_at at, uint32_t place)
{
    uint32_t message = connections->message[*connections_round_at(connections, at) + place];

    assert(message != NO_MESSAGE);
    return &connections->connections[message];
}

static int connections_refuse_size(uint32_t ops_max, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "the schedule has more than %u steps; take fewer ranks or chunks", ops_max);
}

/* Numbers all rounds.  Rounds count against `ops_max` as well: a program with
 * many empty rounds would take as much memory. */
static int connections_number_rounds(struct cs_connections *all, uint32_t ops_max,
                                     struct cs_arena *arena, struct cs_err *err)
{
    const struct cs_program *program = all->program;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    uint64_t count = 0;

    all->lane_first = cs_arena_alloc(arena, (size_t)lanes + 1, sizeof(*all->lane_first));
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t rounds = cs_program_rounds(program, i / program->lanes, i % program->lanes);

        all->lane_first[i] = count;
        if (rounds > ops_max || count + rounds > ops_max)
            return connections_refuse_size(ops_max, err);
        count += rounds;
    }
    all->lane_first[lanes] = count;
    all->round_first = cs_arena_alloc(arena, count + 1, sizeof(*all->round_first));
    return 0;
}

/* Numbers the ops, so that messages can be found by position; 0xff marks ops
 * without a message. */
static int connections_number_ops(struct connections_survey *survey, uint32_t ops_max,
                                  struct cs_arena *arena, struct cs_err *err)
{
    struct cs_connections *all = survey->all;
    const struct cs_program *program = all->program;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    uint64_t count = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        for (uint64_t round = all->lane_first[i]; round < all->lane_first[i + 1]; round++) {
            cs_program_read(
                program,
                (struct cs_at){i / program->lanes, i % program->lanes, round - all->lane_first[i]},
                &survey->ops);
            all->round_first[round] = (uint32_t)count;
            count += survey->ops.count;
            if (count > ops_max)
                return connections_refuse_size(ops_max, err);
        }
    }
    all->message = cs_arena_alloc(arena, count, sizeof(*all->message));
    memset(all->message, 0xff, count * sizeof(*all->message));
    return 0;
}

/* ---- messages ---- */

/* Whether two ops of a round compete for a channel. */
static bool connections_is_like(const struct cs_program *program, uint32_t lane,
                                const struct cs_op *a, const struct cs_op *b)
{
    return (a->kind == CS_OP_SEND) == (b->kind == CS_OP_SEND) && cs_op_is_message(b) &&
           a->peer == b->peer && cs_op_channel(program, lane, a) == cs_op_channel(program, lane, b);
}

/* The op at one end of a message, and the number of like ops earlier in the
 * round. */
static struct cs_op connections_look_up(struct connections_survey *survey,
                                        const struct cs_replay_end *end, uint32_t *nth)
{
    const struct cs_program *program = survey->all->program;
    cs_program_read(program, end->at, &survey->ops);
    *nth = 0;
    for (uint32_t i = 0; i < end->place; i++)
        *nth += connections_is_like(program, end->at.lane, &survey->ops.op[end->place],
                                    &survey->ops.op[i]);
    return survey->ops.op[end->place];
}

uint32_t cs_blocks_before_end(const struct cs_program *program, enum cs_buffer buffer,
                              struct cs_blocks run)
{
    uint32_t size = cs_program_extent(program, buffer);

    return run.first + run.count > size ? size - run.first : run.count;
}

struct cs_connection cs_connection_cut(uint32_t count, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b;
    uint32_t high = a < b ? b : a;
    struct cs_connection made = {.pieces = 1};

    if (low < count)
        made.start[made.pieces++] = low;
    if (high > low && high < count)
        made.start[made.pieces++] = high;
    made.start[made.pieces] = count;
    return made;
}

static struct cs_connection *connections_new_message(struct connections_survey *survey)
{
    return CS_VECTOR_NEXT(survey->all->connections, survey->messages, survey->message_capacity);
}

static void connections_add_piece(struct connections_survey *survey, struct piece piece)
{
    *CS_VECTOR_NEXT(survey->pieces, survey->piece_count, survey->piece_capacity) = piece;
}

/* The message is known at both ends: sender and receiver ask for the
 * channel. */
static void connections_note_end(struct connections_survey *survey, const struct cs_replay_end *end)
{
    struct cs_connections *all = survey->all;

    all->message[*connections_round_at(all, end->at) + end->place] = survey->messages - 1;
}

static uint32_t connections_before_end(const struct connections_survey *survey,
                                       enum cs_buffer buffer, struct cs_blocks run)
{
    return survey->wrapping == CS_WRAPS_WHOLE
               ? run.count
               : cs_blocks_before_end(survey->all->program, buffer, run);
}

/* Called for every message of the replay. Messages of a party to itself need no
 * channel. */
static void connections_on_moved(void *watcher, const struct cs_replay_move *move)
{
    struct connections_survey *survey = watcher;
    const struct cs_program *program = survey->all->program;
    struct cs_connection *connection;
    struct piece piece = {.src = move->from.at.party,
                          .dst = move->to.at.party,
                          .src_lane = move->from.at.lane,
                          .dst_lane = move->to.at.lane};
    struct cs_op send;
    struct cs_op recv;

    if (move->from.at.party == move->to.at.party)
        return;
    send = connections_look_up(survey, &move->from, &piece.src_nth);
    recv = connections_look_up(survey, &move->to, &piece.dst_nth);
    piece.channel = cs_op_channel(program, move->from.at.lane, &send);
    connection = connections_new_message(survey);
    *connection = cs_connection_cut(
        send.blocks.count, connections_before_end(survey, (enum cs_buffer)send.buffer, send.blocks),
        connections_before_end(survey, (enum cs_buffer)recv.buffer, recv.blocks));
    connections_note_end(survey, &move->from);
    connections_note_end(survey, &move->to);
    piece.message = survey->messages - 1;
    for (; piece.number < connection->pieces; piece.number++)
        connections_add_piece(survey, piece);
}

/* ---- channels ---- */

/* The order by channel between two parties, then by message. */
static int connections_by_channel(const void *left, const void *right)
{
    const struct piece *a = left;
    const struct piece *b = right;

    return CS_ORDER({a->src, b->src}, {a->dst, b->dst}, {a->channel, b->channel},
                    {a->message, b->message}, {a->number, b->number});
}

static bool connections_is_same_channel(const struct piece *a, const struct piece *b)
{
    return a->src == b->src && a->dst == b->dst && a->channel == b->channel;
}

/* Messages of a connection have equal positions at both ends, and are thus in
 * sequence. */
static bool connections_is_same(const struct piece *a, const struct piece *b)
{
    return a->number == b->number && a->src_lane == b->src_lane && a->src_nth == b->src_nth &&
           a->dst_lane == b->dst_lane && a->dst_nth == b->dst_nth;
}

/* Numbers the connections of the channel of pieces[0] and returns the number of
 * pieces on the channel. */
static uint32_t connections_rank(struct piece *pieces, uint32_t count)
{
    uint32_t ranks = 0;
    uint32_t end = 0;

    for (; end < count && connections_is_same_channel(&pieces[end], &pieces[0]); end++) {
        uint32_t i = 0;

        while (i < end && !connections_is_same(&pieces[i], &pieces[end]))
            i++;
        pieces[end].rank = i < end ? pieces[i].rank : ranks++;
    }
    return end;
}

/* Assigns channels.  Connection 0 of a channel keeps the number; a pair of
 * (connection number, channel) in use gets one number for all parties, which
 * keeps the count of channels small. */
static void connections_number_channels(struct connections_survey *survey)
{
    struct cs_connections *all = survey->all;
    uint32_t channels = 0;
    uint32_t ranks = 0;
    uint32_t *numbers;

    for (uint32_t i = 0; i < survey->piece_count; i++) {
        if (survey->pieces[i].channel >= channels)
            channels = survey->pieces[i].channel + 1;
        if (survey->pieces[i].rank >= ranks)
            ranks = survey->pieces[i].rank + 1;
    }
    numbers = cs_grow(NULL, (size_t)channels * ranks + 1, sizeof(*numbers));
    memset(numbers, 0, ((size_t)channels * ranks + 1) * sizeof(*numbers));
    for (uint32_t i = 0; i < survey->piece_count; i++)
        numbers[survey->pieces[i].rank * channels + survey->pieces[i].channel] = 1;
    all->channels = channels ? channels : 1;
    for (uint32_t i = channels; i < channels * ranks; i++)
        if (numbers[i])
            numbers[i] = all->channels++;
    for (uint32_t i = 0; i < survey->piece_count; i++) {
        const struct piece *piece = &survey->pieces[i];

        all->connections[piece->message].channel[piece->number] =
            piece->rank ? numbers[piece->rank * channels + piece->channel] : piece->channel;
    }
    free(numbers);
}

/* ---- replay ---- */

/* The replay needs values to move, and the values do not matter: only the pairing of
 * sends and receives is used. */
static uint64_t connections_any_value(const void *ctx, uint32_t rank, uint32_t block)
{
    (void)ctx;
    (void)rank;
    (void)block;
    return 1;
}

static bool connections_add_values(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    (void)ctx;
    *sum = a | b;
    return true;
}

int cs_messages_follow(const struct cs_program *program,
                       void (*moved)(void *watcher, const struct cs_replay_move *move),
                       void *watcher, struct cs_err *err)
{
    struct cs_algebra algebra = {.initial = connections_any_value,
                                 .add = connections_add_values,
                                 .moved = moved,
                                 .watcher = watcher};
    struct cs_replay *replay;
    int code = cs_replay_run(program, &algebra, (struct cs_replay_window){0, program->blocks},
                             &replay, err);

    cs_replay_free(replay);
    return code;
}

/* The list grew on the heap while the number was unknown; the result belongs to
 * the arena. */
static void connections_keep_messages(struct connections_survey *survey, struct cs_arena *arena)
{
    struct cs_connections *all = survey->all;
    struct cs_connection *made = all->connections;

    all->connections = cs_arena_alloc(arena, survey->messages, sizeof(*all->connections));
    all->messages = survey->messages;
    if (survey->messages)
        memcpy(all->connections, made, survey->messages * sizeof(*all->connections));
    free(made);
}

int cs_connections_of(const struct cs_program *program, enum cs_wrapping wrapping, uint32_t ops_max,
                      struct cs_arena *arena, struct cs_connections *result, struct cs_err *err)
{
    struct connections_survey survey = {.all = result, .wrapping = wrapping};
    int code;

    *result = (struct cs_connections){.program = program};
    code = connections_number_rounds(result, ops_max, arena, err);
    if (!code)
        code = connections_number_ops(&survey, ops_max, arena, err);
    if (!code)
        code = cs_messages_follow(program, connections_on_moved, &survey, err);
    if (!code && survey.piece_count)
        qsort(survey.pieces, survey.piece_count, sizeof(*survey.pieces), connections_by_channel);
    for (uint32_t i = 0; !code && i < survey.piece_count;)
        i += connections_rank(survey.pieces + i, survey.piece_count - i);
    if (!code)
        connections_number_channels(&survey);
    connections_keep_messages(&survey, arena);
    free(survey.pieces);
    cs_ops_free(&survey.ops);
    return code;
}
