/*
 * Chrome trace: a timeline as the JSON that Perfetto and chrome://tracing open.
 *
 * The object form of the Trace Event Format: "traceEvents" with complete events
 * (ph X) for spans, flow events (s and f) for arrows, counters (C) for gauges,
 * and metadata (M) for names; times in microseconds with six decimals, exact to
 * the picosecond.  "otherData" has the title and the notes.  A thread with
 * overlapping spans has a row (tid) for each level of the overlap.
 *
 *     Trace Event Format, Google, 2016 (docs.google.com/document/d/
 *     1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU)
 *
 *     write   O(spans log spans)
 */
#ifndef CS_REPORTS_TIMELINE_CHROME_TRACE_H
#define CS_REPORTS_TIMELINE_CHROME_TRACE_H

#include "reports/timeline/timeline.h"
#include "sim/base/err.h"
#include "sim/base/text.h"

/* Appends the document; sorts the spans of the timeline, and adds a note where
 * spans were merged. */
void cs_chrome_trace_write(struct cs_timeline *timeline, struct cs_text *out);

/* CS_EINPUT where the file is not named .json, or where it exists, unless `force`. */
int cs_chrome_trace_check(const char *file, bool force, struct cs_err *err);

/* Writes the file. */
int cs_chrome_trace_save(struct cs_timeline *timeline, const char *file, struct cs_err *err);

#endif
