/*
 * collsim: the commands of the program as calls.  The public header of libcollsim.
 *
 *     struct collsim *run = collsim_new("run");
 *     double time_s;
 *
 *     collsim_set(run, "topo", "dgx");
 *     collsim_set(run, "algo", "ring");
 *     collsim_set(run, "size", "1MiB");
 *     if (collsim_run(run) == COLLSIM_OK && collsim_number(run, "runs.0.time_s", &time_s) == 0)
 *         printf("%g us\n", 1e6 * time_s);
 *     else
 *         fprintf(stderr, "%s\n", collsim_error(run));
 *     collsim_free(run);
 *
 * A call is a command with its options, those of `collsim COMMAND --help all` without
 * their dashes, and its last result.  It answers what the program answers, byte by byte.
 * Calls are independent: each thread may run its own at once; one call is of one thread at
 * a time.  Nothing is kept beside the calls.
 *
 * The process stays the caller's: nothing is printed, no signal is touched, no process is
 * forked (plots start gnuplot, `doctor` what it looks for), every error returns.
 * Where memory is exhausted a run is COLLSIM_CANNOT, collsim_new() is NULL, and what they had
 * allocated is lost.  A failed assertion, a fault of the library, ends the process.
 * `bench` and `measure` start processes and are the program's alone.
 *
 * Symbols and meanings stay within a major version (within a minor version of 0.x).
 */
#ifndef COLLSIM_H
#define COLLSIM_H

#ifdef __cplusplus
extern "C" {
#endif

struct collsim;

/* The exit status of the program. */
enum collsim_status {
    COLLSIM_OK = 0,
    COLLSIM_ANSWER = 1,   /* the answer is bad: a proof or a gate failed */
    COLLSIM_INPUT = 2,    /* a command, option, value or file is wrong */
    COLLSIM_CANNOT = 3,   /* impossible here */
    COLLSIM_STOPPED = 130 /* by the progress function */
};

/* "0.1.0" */
const char *collsim_version(void);

/* A call of a command, with --json where the command has it, until another form of its
 * output is set ("csv").  A name that is none is the error of the run, as every wrong option
 * or value. */
struct collsim *collsim_new(const char *command);
void collsim_free(struct collsim *call); /* NULL: nothing */

/* Sets an option, in place of what it was; a value of NULL: a switch. */
void collsim_set(struct collsim *call, const char *option, const char *value);

/* Adds an option that is given several times, as "fault"; an option of NULL: a word, as
 * "show" of `collsim topo show`. */
void collsim_add(struct collsim *call, const char *option, const char *value);

/* Whether the command takes the option several times. */
int collsim_repeats(const struct collsim *call, const char *option);

/* Takes an option back, as "json" for the text of the terminal. */
void collsim_unset(struct collsim *call, const char *option);

/* Sets the machine to the text of a file, in any of the formats, as the option "topo" does
 * for a text of several lines; a file or a machine of the library is that option, too. */
void collsim_machine(struct collsim *call, const char *text);

/* From now on runs call `progress`, in their own thread, when a computation begins and
 * then about every 50 ms.  `share` is the part of the computation that is done, from 0 to
 * 1; negative: unknown.  A result of not 0 stops the run.  NULL: nothing is called. */
typedef int collsim_progress(void *context, const char *phase, double share);
void collsim_watch(struct collsim *call, collsim_progress *progress, void *context);

/* Runs the command; a status.  A call may run any number of times. */
int collsim_run(struct collsim *call);

/* Of the last run, until the next: the document or the text; the sentence of the error, ""
 * without one; notes and warnings, a line each, and without --json the error as the last. */
const char *collsim_output(const struct collsim *call);
const char *collsim_error(const struct collsim *call);
const char *collsim_notes(const struct collsim *call);

/* A number of the document by the names on its path, places in lists counted from 0:
 * "runs.0.time_s"; true and false are 1 and 0.  0, or -1 where the path ends at no number.
 * O(bytes before it). */
int collsim_number(const struct collsim *call, const char *path, double *value);

#ifdef __cplusplus
}
#endif

#endif
