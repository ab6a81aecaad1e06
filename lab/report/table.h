/* A table of results: named columns, rows of texts and numbers. */
#ifndef FATHOM_LAB_REPORT_TABLE_H
#define FATHOM_LAB_REPORT_TABLE_H

#include <stdio.h>

struct table;

/* `id` names its file ("paper-03"), of letters, digits and '-'. Columns as in "program|time, ms:2":
 * names with their units, and of numbers the digits after the point. All texts are copied. Never
 * NULL: without memory for a few kilobytes the program ends. */
struct table *table_of(const char *id, const char *title, const char *columns);
void table_destroy(struct table *table); /* NULL is allowed */

/* Cells, from left to right and then in the next row. NaN is shown as a dash and is empty in CSV. */
void table_text(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_number(struct table *table, double number);
/* The rest of a row: a text for "%s", a number for "%d" and "%g", which is kept with all its digits;
 * then gaps. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

const char *table_id(const struct table *table);
void table_markdown(const struct table *table, FILE *file);
/* With every digit of the numbers, and each line ended by CR LF (RFC 4180). */
void table_csv(const struct table *table, FILE *file);
/* An array of objects, in one line. */
void table_json(const struct table *table, FILE *file);

#endif
