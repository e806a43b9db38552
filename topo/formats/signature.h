/*
 * Signatures: what a file is that a reader refuses, and which command reads it.
 *
 * A new one is an entry in signatures.def.
 */
#pragma once

#include "topo/documents/doc.h"

/* Replaces the error of a reader that refused the text where its signature is known:
 * "FILE: a log of nccl-tests, not `wanted`; ...", unless the command that reads it has
 * `own`, the reader's own option.  Else `err`, which may be NULL, stays.  O(4 KiB). */
void cs_signature_explain(struct cs_doc_text text, const char *wanted, const char *own,
                          struct cs_err *err);
