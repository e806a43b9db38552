/*
 * Call: a command line as a function, argument list in, texts and status out.
 *
 * What is no command stands here: help, versions, names of commands and options that are
 * wrong, and how an error is printed.  The caller owns the process: streams, signals
 * and the environment are its own.
 */
#pragma once

#include "scenarios/options/command.h"

/* The command of the name; CS_EINPUT with the nearest one. */
int cs_call_find(const char *name, const struct cs_command **command, struct cs_err *err);

/* The option of the word "--NAME" in the tables of the command; NULL: none. */
const struct cs_option *cs_call_option(const struct cs_command *command, const char *word);

/* Whether the flag is among the words. */
bool cs_call_given(int argc, char **argv, const char *flag);

/* Runs "collsim argv[0] ...".  The exit status of the program; the error is printed, in
 * the document with --json, and in *err. */
int cs_call(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err);
