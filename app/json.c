/* JSON strings and numbers. */
#include "app/json.h"
#include <math.h>

void json_string(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20 || c > 0x7e)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

void json_number(FILE *file, double number) {
    if (isfinite(number))
        fprintf(file, "%.17g", number);
    else
        fputs("null", file);
}
