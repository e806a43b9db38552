/*
 * Gradients of a tied embedding as rows with their numbers.
 *
 * A framework that sees the look-up of tokens alone keeps the gradient of a table as
 * rows (TensorFlow: IndexedSlices); the product that shares the table adds a row for
 * each word.  Rows of ranks are gathered in place of a sum, arXiv 1905.04035:
 *
 *     processes   all-gather: each rank receives the rows of all
 *     one process "reduce to GPU:0 then broadcast to" all devices
 *                 (tensorflow/python/distribute/cross_device_ops.py): n - 1 times
 *                 the rows to device 0, n (n - 1) times away
 */
#pragma once

#include "scenarios/train/stages/group.h"

/* The job gathers rows: asked for, of a tied embedding, on several ranks. */
bool cs_embedding_gathers_rows(const struct cs_train_job *job);

/* Of a rank in a micro batch: a row for each word and token, a number of 64 bits. */
double cs_embedding_rows_bytes(const struct cs_train_job *job);

/* Bytes that the peak device of a group sends. */
double cs_embedding_rows_sent(const struct cs_train_job *job, const struct cs_site *group);

/* Seconds until every rank of the group has the rows of all. */
int cs_embedding_rows_s(const struct cs_train_job *job, const struct cs_site *group,
                        double *seconds, struct cs_err *err);
