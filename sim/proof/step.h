/*
 * The steps of a small program: messages, work and the content of every block after
 * each step (steps.h makes them).
 */
#pragma once

#include "sim/base/mem.h"
#include "sim/program/program.h"

enum {
    CS_STEPS_RANKS_MAX = 64,
    CS_STEPS_DIGIT_RANKS_MAX = 16,  /* a rank is one digit of a text */
    CS_STEPS_ORIGIN_RANKS_MAX = 48, /* of a program that moves blocks */
    CS_STEPS_PARTIES_MAX = 128,
    CS_STEPS_BLOCKS_MAX = 256,
    CS_STEPS_ROUNDS_MAX = 1 << 14, /* of all lanes together */
    CS_STEPS_MESSAGES_MAX = 1 << 14,
    CS_STEPS_USES_MAX = 1 << 16,  /* messages at links, one by one */
    CS_STEPS_CELLS_MAX = 1 << 19, /* blocks of all parties after all steps */
};

struct cs_step_message {
    uint32_t src;
    uint32_t dst;
    uint32_t lane;
    uint64_t round; /* of the sender's lane */
    struct cs_blocks from;
    struct cs_blocks to;
    bool adds; /* to the present value; else replaces it */
    uint64_t bytes;
    uint64_t sent_ps;
    uint64_t wait_ps; /* of its head before busy links */
    uint64_t arrived_ps;
    uint32_t next; /* of the sender, until it is delivered; UINT32_MAX: none */
};

/* A party reduced, copied or computed. */
struct cs_step_work {
    uint32_t party;
    uint64_t from_ps, to_ps;
};

/* A link carries messages of the run, one after the other without a gap. */
struct cs_steps_use {
    uint32_t link; /* of the net */
    uint64_t from_ps, to_ps;
};

struct cs_step {
    uint32_t first; /* index of its first message */
    uint32_t count;
    uint64_t bytes;   /* sent up to the end of the step */
    uint64_t time_ps; /* arrival of the last message; in the last step: end */
};

/* The content of a block of a party. */
struct cs_holding {
    uint64_t ranks;  /* contributors: bit r is rank r */
    uint16_t origin; /* original block number, or CS_STEPS_MIXED: several, or unknown */
    bool complete;   /* equals the promised result */
};

enum {
    CS_STEPS_MIXED = UINT16_MAX
};

struct cs_steps {
    uint32_t ranks;
    uint32_t parties;
    uint32_t lanes;
    uint32_t blocks;
    uint32_t root;
    struct cs_cut cut;
    bool sums;                        /* blocks are sums; else of one contributor */
    bool moves;                       /* blocks change their places */
    struct cs_step_message *messages; /* by step, then by send order */
    uint32_t message_count;
    uint32_t *awaited; /* of each party, its first message that is not delivered */
    struct cs_step *steps;
    uint32_t count;
    struct cs_holding *states;  /* (count + 1) x parties x blocks */
    bool *owed;                 /* ranks x blocks */
    struct cs_step_work *works; /* in order of their ends at each party */
    uint32_t work_count, work_capacity;
    /* By link and time, once finished; none where there were too many. */
    struct cs_steps_use *uses;
    uint32_t use_count, use_capacity;
    struct cs_arena *arena; /* holds all arrays */
};
