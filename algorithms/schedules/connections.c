#include "algorithms/schedules/connections.h"

#include "sim/proof/replay.h"

#include <assert.h>
#include <string.h>

enum {
    NO_MESSAGE = UINT32_MAX
};

/* A piece of a message; `nth` is its place among the like in the round. */
struct piece {
    uint32_t src, dst, channel;
    uint32_t message, number;
    uint32_t src_lane, src_nth, dst_lane, dst_nth;
    uint32_t rank; /* of its connection among those of the channel, from 0 */
};

struct connections_survey {
    struct cs_connections *all;
    enum cs_wrapping wrapping;
    struct piece *pieces;
    uint32_t piece_count, piece_capacity;
    uint32_t messages, message_capacity;
    struct cs_ops ops; /* of a round that is looked at */
};

/* ---- places ---- */

static uint32_t *round_at(const struct cs_connections *all,
                          struct cs_op_place at)
{
    uint32_t lane = at.party * all->program->lanes + at.lane;

    return &all->round_first[all->lane_first[lane] + at.round];
}

const struct cs_connection *cs_connection_at(
    const struct cs_connections *connections, struct cs_op_place at)
{
    uint32_t message =
        connections->message[*round_at(connections, at) + at.place];

    assert(message != NO_MESSAGE);
    return &connections->connections[message];
}

static int refuse_size(uint32_t ops_max, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "the schedule has more than %u steps; take fewer ranks "
                      "or chunks",
                      ops_max);
}

/* Numbers all rounds; an op or more is in each, or counted for it. */
static int number_rounds(struct cs_connections *all, uint32_t ops_max,
                         struct cs_arena *arena, struct cs_err *err)
{
    const struct cs_program *program = all->program;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    uint64_t count = 0;
    uint32_t i;

    all->lane_first =
        cs_arena_alloc(arena, (size_t)lanes + 1, sizeof(*all->lane_first));
    for (i = 0; i < lanes; i++) {
        uint64_t rounds = program->rounds(program->ctx, i / program->lanes,
                                          i % program->lanes);

        all->lane_first[i] = count;
        if (rounds > ops_max || count + rounds > ops_max)
            return refuse_size(ops_max, err);
        count += rounds;
    }
    all->lane_first[lanes] = count;
    all->round_first =
        cs_arena_alloc(arena, count + 1, sizeof(*all->round_first));
    return 0;
}

static int number_ops(struct connections_survey *survey, uint32_t ops_max,
                      struct cs_arena *arena, struct cs_err *err)
{
    struct cs_connections *all = survey->all;
    const struct cs_program *program = all->program;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    uint64_t count = 0;
    uint32_t i;

    for (i = 0; i < lanes; i++) {
        uint64_t round;

        for (round = all->lane_first[i]; round < all->lane_first[i + 1];
             round++) {
            survey->ops.count = 0;
            program->round(program->ctx, i / program->lanes, i % program->lanes,
                           round - all->lane_first[i], &survey->ops);
            all->round_first[round] = (uint32_t)count;
            count += survey->ops.count;
            if (count > ops_max)
                return refuse_size(ops_max, err);
        }
    }
    all->message = cs_arena_alloc(arena, count, sizeof(*all->message));
    memset(all->message, 0xff, count * sizeof(*all->message));
    return 0;
}

/* ---- messages ---- */

static bool is_like(const struct cs_program *program, uint32_t lane,
                    const struct cs_op *a, const struct cs_op *b)
{
    return (a->kind == CS_OP_SEND) == (b->kind == CS_OP_SEND) &&
           (b->kind == CS_OP_SEND || b->kind == CS_OP_RECV ||
            b->kind == CS_OP_RECV_REDUCE) &&
           a->peer == b->peer &&
           cs_op_channel(program, lane, a) == cs_op_channel(program, lane, b);
}

/* The op at one end of a message, and how many like it are before it in its
 * round. */
static struct cs_op connections_look_up(struct connections_survey *survey,
                                        const struct cs_replay_end *end,
                                        uint32_t *nth)
{
    const struct cs_program *program = survey->all->program;
    uint32_t i;

    survey->ops.count = 0;
    program->round(program->ctx, end->party, end->lane, end->round,
                   &survey->ops);
    *nth = 0;
    for (i = 0; i < end->place; i++)
        *nth += is_like(program, end->lane, &survey->ops.op[end->place],
                        &survey->ops.op[i]);
    return survey->ops.op[end->place];
}

uint32_t cs_blocks_before_end(const struct cs_program *program,
                              enum cs_buffer buffer, struct cs_blocks run)
{
    uint32_t size =
        buffer == CS_SCRATCH ? program->scratch_blocks : program->blocks;

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

static struct cs_connection *connections_new_message(
    struct connections_survey *survey)
{
    struct cs_connections *all = survey->all;

    if (survey->messages == survey->message_capacity) {
        survey->message_capacity = 2 * survey->message_capacity + 64;
        all->connections = cs_grow(all->connections, survey->message_capacity,
                                   sizeof(*all->connections));
    }
    return &all->connections[survey->messages++];
}

static void connections_add_piece(struct connections_survey *survey,
                                  struct piece piece)
{
    if (survey->piece_count == survey->piece_capacity) {
        survey->piece_capacity = 2 * survey->piece_capacity + 64;
        survey->pieces = cs_grow(survey->pieces, survey->piece_capacity,
                                 sizeof(*survey->pieces));
    }
    survey->pieces[survey->piece_count++] = piece;
}

static void note_end(struct connections_survey *survey,
                     const struct cs_replay_end *end)
{
    struct cs_connections *all = survey->all;
    struct cs_op_place at = {end->party, end->lane, end->round, end->place};

    all->message[*round_at(all, at) + end->place] = survey->messages - 1;
}

static uint32_t before_end(const struct connections_survey *survey,
                           enum cs_buffer buffer, struct cs_blocks run)
{
    return survey->wrapping == CS_WRAPS_WHOLE
               ? run.count
               : cs_blocks_before_end(survey->all->program, buffer, run);
}

static void connections_on_moved(void *watcher,
                                 const struct cs_replay_move *move)
{
    struct connections_survey *survey = watcher;
    const struct cs_program *program = survey->all->program;
    struct cs_connection *connection;
    struct piece piece = {.src = move->from.party,
                          .dst = move->to.party,
                          .src_lane = move->from.lane,
                          .dst_lane = move->to.lane};
    struct cs_op send;
    struct cs_op recv;

    if (move->from.party == move->to.party)
        return;
    send = connections_look_up(survey, &move->from, &piece.src_nth);
    recv = connections_look_up(survey, &move->to, &piece.dst_nth);
    piece.channel = cs_op_channel(program, move->from.lane, &send);
    connection = connections_new_message(survey);
    *connection = cs_connection_cut(
        send.blocks.count,
        before_end(survey, (enum cs_buffer)send.buffer, send.blocks),
        before_end(survey, (enum cs_buffer)recv.buffer, recv.blocks));
    note_end(survey, &move->from);
    note_end(survey, &move->to);
    piece.message = survey->messages - 1;
    for (; piece.number < connection->pieces; piece.number++)
        connections_add_piece(survey, piece);
}

/* ---- channels ---- */

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* By channel between two parties, then in the order of messages. */
static int by_channel(const void *left, const void *right)
{
    const struct piece *a = left;
    const struct piece *b = right;
    int order = compare_numbers(a->src, b->src);

    if (order == 0)
        order = compare_numbers(a->dst, b->dst);
    if (order == 0)
        order = compare_numbers(a->channel, b->channel);
    if (order == 0)
        order = compare_numbers(a->message, b->message);
    return order ? order : compare_numbers(a->number, b->number);
}

static bool is_same_channel(const struct piece *a, const struct piece *b)
{
    return a->src == b->src && a->dst == b->dst && a->channel == b->channel;
}

static bool is_same_connection(const struct piece *a, const struct piece *b)
{
    return a->number == b->number && a->src_lane == b->src_lane &&
           a->src_nth == b->src_nth && a->dst_lane == b->dst_lane &&
           a->dst_nth == b->dst_nth;
}

/* Ranks the connections of one channel, of which pieces[0] is the first. */
static uint32_t rank_connections(struct piece *pieces, uint32_t count)
{
    uint32_t ranks = 0;
    uint32_t end = 0;

    for (; end < count && is_same_channel(&pieces[end], &pieces[0]); end++) {
        uint32_t i = 0;

        while (i < end && !is_same_connection(&pieces[i], &pieces[end]))
            i++;
        pieces[end].rank = i < end ? pieces[i].rank : ranks++;
    }
    return end;
}

/* Channels behind those of the program: for each rank and channel in use. */
static void number_channels(struct connections_survey *survey)
{
    struct cs_connections *all = survey->all;
    uint32_t channels = 0;
    uint32_t ranks = 0;
    uint32_t *numbers;
    uint32_t i;

    for (i = 0; i < survey->piece_count; i++) {
        if (survey->pieces[i].channel >= channels)
            channels = survey->pieces[i].channel + 1;
        if (survey->pieces[i].rank >= ranks)
            ranks = survey->pieces[i].rank + 1;
    }
    numbers = cs_grow(NULL, (size_t)channels * ranks + 1, sizeof(*numbers));
    memset(numbers, 0, ((size_t)channels * ranks + 1) * sizeof(*numbers));
    for (i = 0; i < survey->piece_count; i++)
        numbers[survey->pieces[i].rank * channels + survey->pieces[i].channel] =
            1;
    all->channels = channels ? channels : 1;
    for (i = channels; i < channels * ranks; i++)
        if (numbers[i])
            numbers[i] = all->channels++;
    for (i = 0; i < survey->piece_count; i++) {
        const struct piece *piece = &survey->pieces[i];

        all->connections[piece->message].channel[piece->number] =
            piece->rank ? numbers[piece->rank * channels + piece->channel]
                        : piece->channel;
    }
    free(numbers);
}

/* ---- all together ---- */

static uint64_t connections_something(const void *ctx, uint32_t rank,
                                      uint32_t block)
{
    (void)ctx;
    (void)rank;
    (void)block;
    return 1;
}

static bool add_anything(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    (void)ctx;
    *sum = a | b;
    return true;
}

static int follow_messages(struct connections_survey *survey,
                           struct cs_err *err)
{
    const struct cs_program *program = survey->all->program;
    struct cs_algebra algebra = {.initial = connections_something,
                                 .add = add_anything,
                                 .moved = connections_on_moved,
                                 .watcher = survey};
    struct cs_replay *replay;
    int code = cs_replay_run(program, &algebra,
                             (struct cs_replay_window){0, program->blocks},
                             &replay, err);

    cs_replay_free(replay);
    return code;
}

static void keep_messages(struct connections_survey *survey,
                          struct cs_arena *arena)
{
    struct cs_connections *all = survey->all;
    struct cs_connection *made = all->connections;

    all->connections =
        cs_arena_alloc(arena, survey->messages, sizeof(*all->connections));
    if (survey->messages)
        memcpy(all->connections, made,
               survey->messages * sizeof(*all->connections));
    free(made);
}

int cs_connections_of(const struct cs_program *program,
                      enum cs_wrapping wrapping, uint32_t ops_max,
                      struct cs_arena *arena, struct cs_connections *result,
                      struct cs_err *err)
{
    struct connections_survey survey = {.all = result, .wrapping = wrapping};
    uint32_t i;
    int code;

    *result = (struct cs_connections){.program = program};
    code = number_rounds(result, ops_max, arena, err);
    if (!code)
        code = number_ops(&survey, ops_max, arena, err);
    if (!code)
        code = follow_messages(&survey, err);
    if (!code && survey.piece_count)
        qsort(survey.pieces, survey.piece_count, sizeof(*survey.pieces),
              by_channel);
    for (i = 0; !code && i < survey.piece_count;)
        i += rank_connections(survey.pieces + i, survey.piece_count - i);
    if (!code)
        number_channels(&survey);
    keep_messages(&survey, arena);
    free(survey.pieces);
    cs_ops_free(&survey.ops);
    return code;
}
