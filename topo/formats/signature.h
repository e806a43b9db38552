/*
 * Signatures: what a file is that is no machine, and which command reads it.
 *
 * A new one is an entry in signatures.def.
 */
#pragma once

#include "topo/documents/doc.h"

/* Replaces the error of a reader that refused the text where its signature is known:
 * "FILE: a log of nccl-tests, not a machine; ...".  Else `err` stays.  O(4 KiB). */
void cs_signature_explain(struct cs_doc_text text, struct cs_err *err);
