/* What experiments say: Markdown on a stream and, in a folder, the same in one file with a CSV file
 * for every table, a gnuplot script and the pictures that it makes of those. Without gnuplot the
 * report says so and has none. */
#ifndef FATHOM_LAB_REPORT_REPORT_H
#define FATHOM_LAB_REPORT_REPORT_H

#include "lab/report/table.h"
#include <stdbool.h>
#include <stdio.h>

struct report;

#define REPORT_PATH_MAX 4096

/* `folder` is made when it is not there; NULL: only the stream. NULL on failure, logged why. */
struct report *report_create(FILE *stream, const char *folder);
/* Finishes the files, with pictures if `draw`. False: one could not be written, or a check has
 * failed; logged. */
bool report_close(struct report *report, bool draw);

/* A paragraph, or a heading; no line breaks of its own. */
void report_text(struct report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Frees the table. */
void report_table(struct report *report, struct table *table);
/* The path of a file of the folder. False: there is no folder, or the path is too long (logged). */
bool report_path(const struct report *report, char path[static REPORT_PATH_MAX], const char *name,
                 const char *ending);
/* A result that must hold, as a sentence that says what was compared: "all rows have the same
 * counts". Returns ok. A failure is marked in the report, logged, and fails the run. */
bool report_check(struct report *report, bool ok, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
