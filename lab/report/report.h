/* Report of experiments: writes Markdown to a stream. With a folder, also writes the report to a
 * file there, with a CSV file for every table, a gnuplot script and gnuplot's plots. Without
 * gnuplot the report mentions the missing plots. */
#ifndef FATHOM_LAB_REPORT_REPORT_H
#define FATHOM_LAB_REPORT_REPORT_H

#include "lab/report/table.h"
#include <stdbool.h>
#include <stdio.h>

struct report;

#define REPORT_PATH_MAX 4096

/* Creates a report. Creates `folder` if it does not exist; NULL: only the stream. Returns NULL on
 * failure, which is logged. */
struct report *report_create(FILE *stream, const char *folder);
/* Finishes the files, with plots if `draw`. Returns false if a file could not be written or a check
 * has failed; both are logged. */
bool report_close(struct report *report, bool draw);

/* Writes a paragraph or a heading, without line breaks in it. */
void report_text(struct report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes a table and frees it. */
void report_table(struct report *report, struct table *table);
/* Stores the path of a file in the folder. Returns false if there is no folder, or if the path is
 * too long (logged). */
bool report_path(const struct report *report, char path[static REPORT_PATH_MAX], const char *name,
                 const char *ending);
/* Checks a result. The text states what was compared, as in "all rows have the same counts". A
 * failure is marked in the report, logged, and fails the run. Returns ok. */
bool report_check(struct report *report, bool ok, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
