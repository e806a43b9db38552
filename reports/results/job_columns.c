#include "reports/results/job_columns.h"

#include "sim/base/units.h"

#include <string.h>

/* The line below the titles names the quantity.  Titles are static because a
 * table borrows the titles of columns. */
static const char *const job_titles[] = {"job 1", "job 2", "job 3", "job 4", "job 5",
                                         "job 6", "job 7", "job 8", "job 9"};
static const char *const job_parts[CS_JOB_COLUMNS] = {"time", "alone", "slower"};

enum {
    JOBS_MAX = sizeof job_titles / sizeof job_titles[0]
};

uint32_t cs_job_columns_jobs(const struct cs_record *records, size_t count)
{
    uint32_t jobs = cs_record_max_jobs(records, count);

    return jobs < JOBS_MAX ? jobs : JOBS_MAX;
}

void cs_job_columns_heads(uint32_t jobs, struct cs_table_column *heads)
{
    for (uint32_t i = 0; i < jobs * CS_JOB_COLUMNS; i++)
        heads[i] = (struct cs_table_column){job_titles[i / CS_JOB_COLUMNS],
                                            job_parts[i % CS_JOB_COLUMNS], CS_TABLE_RIGHT};
}

void cs_job_columns_cells(const struct cs_record *record, uint32_t jobs, struct cs_table *table)
{
    char text[CS_UNITS_TEXT];

    for (uint32_t i = 0; i < jobs; i++) {
        const struct cs_record_job *job = &record->jobs[i];

        if (i >= record->job_count) {
            for (int c = 0; c < CS_JOB_COLUMNS; c++)
                cs_table_cell(table, "-");
            continue;
        }
        cs_table_cell(table, cs_units_show_time(text, job->took_ps));
        cs_table_cell(table, cs_units_show_time(text, job->alone_ps));
        cs_table_cellf(table, "%.4g x", cs_record_job_slowdown(job));
    }
}

void cs_job_columns_names(const struct cs_record *records, size_t count, struct cs_text *out)
{
    for (uint32_t j = 0; count && j < records[0].job_count; j++) {
        const char *name = records[0].jobs[j].name;
        bool same = true;

        for (size_t i = 1; i < count && same; i++)
            same = j < records[i].job_count && strcmp(records[i].jobs[j].name, name) == 0;
        if (same)
            cs_text_printf(out, "job %u: %s\n", j + 1, name);
    }
}
