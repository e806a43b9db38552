/*
 * write-tables DIR: the programs that are measured, as files, where there is a C
 * compiler and none of collsim's libraries.
 */
#include "validate/gpu/tables.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct cs_err err = {0};
    int code;

    if (argc != 2) {
        fputs("usage: write-tables DIR\n", stderr);
        return 2;
    }
    code = cs_gpu_tables_write(argv[1], &err);
    if (code)
        fprintf(stderr, "write-tables: %s\n", err.text);
    return -code;
}
