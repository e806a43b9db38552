/*
 * What a local variable holds ends with its scope, however the scope is left.
 *
 *     CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
 *
 * The function gets the variable's address, after the value of a return was
 * computed; of several variables the last one declared ends first.  The
 * variable is valid from its declaration on, and nothing else frees it or keeps
 * what is in it.
 */
#pragma once

#define CS_AT_END(release) __attribute__((cleanup(release)))
