/* Table of results: named columns, rows of texts and numbers. */
#ifndef FATHOM_LAB_REPORT_TABLE_H
#define FATHOM_LAB_REPORT_TABLE_H

#include <stdio.h>

struct table;

/* Creates a table. `id` names its file ("paper-03"): letters, digits and '-'. `columns`, as in
 * "program|time, ms:2": names with units, and for numbers the digits after the point. Copies all
 * texts. Never returns NULL: without a few kilobytes of memory the program ends. */
struct table *table_of(const char *id, const char *title, const char *columns);
void table_destroy(struct table *table); /* NULL is allowed */

/* Add a cell, from left to right and then in the next row. NaN is shown as a dash and is empty in
 * CSV. */
void table_text(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *table, double number);
/* Adds the rest of a row: a text for "%s", a number for "%d" and "%g", kept with all its digits.
 * Remaining cells stay empty. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *table_id(const struct table *table);
void table_markdown(const struct table *table, FILE *file);
/* Writes CSV with all digits of the numbers and lines ended by CR LF (RFC 4180). */
void table_csv(const struct table *table, FILE *file);
/* Writes an array of objects on one line. */
void table_json(const struct table *table, FILE *file);

#endif
