/* The results of `fathom bench kernels`: a table for people, JSON and CSV for programs. */
#ifndef FATHOM_LAB_BENCH_BENCH_REPORT_H
#define FATHOM_LAB_BENCH_BENCH_REPORT_H

#include "lab/bench/measure.h"
#include <stdio.h>

void bench_report_table(FILE *file, const struct bench_result *result);
/* One object in one line: the machine, the limits, and all fields of all rows. */
void bench_report_json(FILE *file, const struct bench_result *result);
/* RFC 4180: a header, then a line per row with the fields of the JSON rows, empty if not known. */
void bench_report_csv(FILE *file, const struct bench_result *result);

#endif
