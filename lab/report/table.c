/* Table of results: cells in reading order, and their output as Markdown, CSV and JSON. */
#include "lab/report/table.h"
#include "render/base/json.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 27
#define TEXT_SIZE   96
#define OF_TEXTS    (-1) /* digits of a column of texts */

struct cell {
    char text[TEXT_SIZE]; /* "": a number */
    double number;
};

struct table {
    char id[32];
    char title[200];
    char names[600]; /* texts that columns point to */
    struct column {
        const char *name;
        int digits; /* after the point */
    } columns[COLUMNS_MAX];
    size_t column_count;
    struct cell *cells;
    size_t count, capacity;
};

struct table *table_of(const char *id, const char *title, const char *columns) {
    struct table *table = calloc(1, sizeof *table);
    if (!table) {
        log_error("no memory for a table");
        abort();
    }
    snprintf(table->id, sizeof table->id, "%s", id);
    snprintf(table->title, sizeof table->title, "%s", title);
    assert(strlen(columns) < sizeof table->names);
    snprintf(table->names, sizeof table->names, "%s", columns);
    for (char *name = strtok(table->names, "|"); name; name = strtok(NULL, "|")) {
        require(table->column_count < COLUMNS_MAX, table);
        char *digits = strrchr(name, ':');
        table->columns[table->column_count++] =
            (struct column){name, digits ? digits[1] - '0' : OF_TEXTS};
        if (digits)
            *digits = '\0';
    }
    return table;
}

void table_destroy(struct table *table) {
    if (table)
        free(table->cells);
    free(table);
}

static struct cell *next_cell(struct table *table) {
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity ? 2 * table->capacity : 64;
        struct cell *cells = realloc(table->cells, capacity * sizeof *cells);
        if (!cells) {
            log_error("no memory for the rows of a table");
            abort();
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    struct cell *cell = &table->cells[table->count++];
    *cell = (struct cell){.number = NAN};
    return cell;
}

void table_text(struct table *table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(next_cell(table)->text, TEXT_SIZE, format, arguments);
    va_end(arguments);
}

void table_number(struct table *table, double number) {
    next_cell(table)->number = number;
}

void table_add(struct table *table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (const char *p = strchr(format, '%'); p; p = strchr(p + 1, '%'))
        if (p[1] == 's')
            table_text(table, "%s", va_arg(arguments, const char *));
        else
            table_number(table, p[1] == 'd' ? va_arg(arguments, int) : va_arg(arguments, double));
    va_end(arguments);
    while (table->count % table->column_count != 0)
        next_cell(table);
}

const char *table_id(const struct table *table) {
    return table->id;
}

/* Formats a cell, or the head of column i, with bars escaped, since they would end the cell. */
static void show(const struct table *table, bool head, size_t i, char shown[2 * TEXT_SIZE]) {
    const struct cell *cell = &table->cells[i];
    const struct column *column = &table->columns[i % table->column_count];
    const char *text = head ? column->name : cell->text;
    if (!head && !text[0]) {
        if (isfinite(cell->number))
            snprintf(shown, TEXT_SIZE, "%.*f", column->digits > 0 ? column->digits : 0,
                     cell->number);
        else
            snprintf(shown, TEXT_SIZE, "-");
        return;
    }
    for (int k = 0; k < TEXT_SIZE && *text; k++) {
        if (*text == '|')
            *shown++ = '\\';
        *shown++ = *text++;
    }
    *shown = '\0';
}

/* Returns the number of UTF-8 characters. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

static void put(FILE *file, const char *text, int width, bool left) {
    const int blanks = width - width_of(text);
    fprintf(file, " %*s%s%*s |", left ? 0 : blanks, "", text, left ? blanks : 0, "");
}

void table_markdown(const struct table *table, FILE *file) {
    const size_t columns = table->column_count;
    char shown[2 * TEXT_SIZE];
    int widths[COLUMNS_MAX];
    assert(table->count % columns == 0);
    for (size_t i = 0; i < columns; i++)
        show(table, true, i, shown), widths[i] = width_of(shown);
    for (size_t i = 0; i < table->count; i++) {
        show(table, false, i, shown);
        if (width_of(shown) > widths[i % columns])
            widths[i % columns] = width_of(shown);
    }
    fprintf(file, "**%s**\n\n|", table->title);
    for (size_t i = 0; i < columns; i++) {
        show(table, true, i, shown);
        put(file, shown, widths[i], table->columns[i].digits == OF_TEXTS);
    }
    fputs("\n|", file);
    for (size_t i = 0; i < columns; i++) {
        for (int k = 0; k <= widths[i]; k++)
            fputc('-', file);
        fputs(table->columns[i].digits == OF_TEXTS ? "-|" : ":|", file);
    }
    for (size_t i = 0; i < table->count; i++) {
        if (i % columns == 0)
            fputs("\n|", file);
        show(table, false, i, shown);
        put(file, shown, widths[i % columns], table->columns[i % columns].digits == OF_TEXTS);
    }
    fputs("\n\n", file);
}

static void csv_text(const char *text, FILE *file) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void table_csv(const struct table *table, FILE *file) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (i > 0)
            fputc(',', file);
        csv_text(table->columns[i].name, file);
    }
    for (size_t i = 0; i < table->count; i++) {
        fputs(i % table->column_count == 0 ? "\r\n" : ",", file);
        if (table->cells[i].text[0])
            csv_text(table->cells[i].text, file);
        else if (isfinite(table->cells[i].number))
            fprintf(file, "%.17g", table->cells[i].number);
    }
    fputs("\r\n", file);
}

void table_json(const struct table *table, FILE *file) {
    fputc('[', file);
    for (size_t i = 0; i < table->count; i++) {
        const size_t column = i % table->column_count;
        fputs(column > 0 ? ", " : i > 0 ? "}, {" : "{", file);
        json_string(file, table->columns[column].name);
        fputs(": ", file);
        if (table->cells[i].text[0])
            json_string(file, table->cells[i].text);
        else
            json_number(file, table->cells[i].number);
    }
    fputs(table->count > 0 ? "}]" : "]", file);
}
