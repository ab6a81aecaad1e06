/* The .npy format, the part of it that two-dimensional arrays of <u4 and <f8 need
 * (numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */
#include "render/npy.h"
#include "render/atomic_file.h"
#include "render/frame.h"
#include "render/log.h"
#include "render/memory.h"
#include "render/require.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC      "\x93NUMPY"
#define MAGIC_SIZE 6
#define ALIGNMENT  64
#define HEADER_MAX 65536 /* bytes */
#define AT_ONCE    4096  /* values converted at a time */

/* --- writing --- */

static bool write_header(FILE *file, const char *descr, int width_px, int height_px) {
    char dict[ALIGNMENT * 2];
    const size_t prefix = MAGIC_SIZE + 4;
    const int used =
        snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }",
                 descr, height_px, width_px);
    const size_t total = (prefix + (size_t)used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const unsigned length = (unsigned)(total - prefix);
    return fwrite(MAGIC "\x01\x00", 1, MAGIC_SIZE + 2, file) == MAGIC_SIZE + 2 &&
           fputc((int)(length & 0xff), file) != EOF && fputc((int)(length >> 8), file) != EOF &&
           fprintf(file, "%-*s\n", (int)length - 1, dict) > 0;
}

static bool write_counts(FILE *file, const uint32_t *count, size_t size) {
    uint32_t values[AT_ONCE];
    for (size_t i = 0; i < size; i += AT_ONCE) {
        const size_t n = size - i < AT_ONCE ? size - i : AT_ONCE;
        for (size_t k = 0; k < n; k++)
            values[k] = count[i + k] & SAMPLE_COUNT_MASK;
        if (fwrite(values, sizeof *values, n, file) != n)
            return false;
    }
    return true;
}

static bool write_smooth(FILE *file, const uint32_t *count, const float *fraction, size_t size) {
    double values[AT_ONCE];
    for (size_t i = 0; i < size; i += AT_ONCE) {
        const size_t n = size - i < AT_ONCE ? size - i : AT_ONCE;
        for (size_t k = 0; k < n; k++) {
            const uint32_t c = count[i + k];
            values[k] = c & SAMPLE_INTERIOR ? (double)NAN : (double)c + (double)fraction[i + k];
        }
        if (fwrite(values, sizeof *values, n, file) != n)
            return false;
    }
    return true;
}

/* With `fraction` the smooth values, without the counts. */
static bool write_file(const char *path, const uint32_t *count, const float *fraction, int width_px,
                       int height_px) {
    require(count && width_px > 0 && height_px > 0, false);
    struct atomic_file *file = atomic_file_open(path, false);
    if (!file)
        return false;
    FILE *stream = atomic_file_stream(file);
    const size_t size = (size_t)width_px * (size_t)height_px;
    const bool ok = write_header(stream, fraction ? "<f8" : "<u4", width_px, height_px) &&
                    (fraction ? write_smooth(stream, count, fraction, size)
                              : write_counts(stream, count, size));
    return atomic_file_commit(file, NULL) && ok;
}

bool npy_write_counts(const char *path, const uint32_t *count, int width_px, int height_px) {
    return write_file(path, count, NULL, width_px, height_px);
}

bool npy_write_smooth(const char *path, const uint32_t *count, const float *fraction, int width_px,
                      int height_px) {
    require(fraction, false);
    return write_file(path, count, fraction, width_px, height_px);
}

/* --- the header: a Python dictionary with three known keys --- */

struct header {
    int width_px, height_px;
    bool integers, fortran;
    bool has_descr, has_order, has_shape;
};

static void skip_space(const char **p) {
    *p += strspn(*p, " \t\n\r");
}

static bool take(const char **p, const char *token) {
    skip_space(p);
    const size_t length = strlen(token);
    if (strncmp(*p, token, length) != 0)
        return false;
    *p += length;
    return true;
}

static bool take_string(const char **p, char *out, size_t size) {
    skip_space(p);
    const char quote = **p;
    if (quote != '\'' && quote != '"')
        return false;
    const char *end = strchr(*p + 1, quote);
    const size_t length = end ? (size_t)(end - *p) - 1 : size;
    if (length >= size)
        return false;
    memcpy(out, *p + 1, length);
    out[length] = '\0';
    *p = end + 1;
    return true;
}

static bool take_size(const char **p, int *size) {
    skip_space(p);
    int value = 0;
    for (; **p >= '0' && **p <= '9'; ++*p) {
        value = 10 * value + (**p - '0');
        if (value > FRAME_SIZE_MAX)
            return false;
    }
    *size = value;
    return value > 0;
}

/* NULL, or the problem. */
static const char *take_value(const char **p, const char *key, struct header *header) {
    char type[8];
    if (strcmp(key, "descr") == 0) {
        header->has_descr = true;
        if (!take_string(p, type, sizeof type))
            return "the array's type cannot be read";
        header->integers = strcmp(type, "<u4") == 0;
        return header->integers || strcmp(type, "<f8") == 0
                   ? NULL
                   : "only arrays of '<u4' and '<f8' can be read";
    }
    if (strcmp(key, "fortran_order") == 0) {
        header->has_order = true;
        header->fortran = take(p, "True");
        return header->fortran || take(p, "False") ? NULL : "fortran_order is not True or False";
    }
    if (strcmp(key, "shape") == 0) {
        header->has_shape = true;
        const bool ok = take(p, "(") && take_size(p, &header->height_px) && take(p, ",") &&
                        take_size(p, &header->width_px);
        if (ok)
            (void)take(p, ",");
        return ok && take(p, ")") ? NULL : "the shape is not two sizes of 1 .. 65536";
    }
    return "the header has an unknown key";
}

static const char *parse_dict(const char *p, struct header *header) {
    char key[16];
    if (!take(&p, "{"))
        return "the header is broken";
    while (!take(&p, "}")) {
        if (!take_string(&p, key, sizeof key) || !take(&p, ":"))
            return "the header is broken";
        const char *problem = take_value(&p, key, header);
        if (problem)
            return problem;
        if (!take(&p, ",") && *p != '}')
            return "the header is broken";
    }
    skip_space(&p);
    if (*p || !header->has_descr || !header->has_order || !header->has_shape)
        return "the header is broken";
    return header->fortran ? "only arrays in C order can be read" : NULL;
}

/* --- reading --- */

/* Reads magic, version and the dictionary's length. 0: no .npy file of a known version. */
static size_t read_dict_length(FILE *file) {
    unsigned char start[MAGIC_SIZE + 2], length[4] = {0};
    if (fread(start, 1, sizeof start, file) != sizeof start ||
        memcmp(start, MAGIC, MAGIC_SIZE) != 0 || start[6] < 1 || start[6] > 3 || start[7] != 0)
        return 0;
    const size_t bytes = start[6] == 1 ? 2 : 4;
    if (fread(length, 1, bytes, file) != bytes)
        return 0;
    return length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
}

/* Leaves the file at the values. NULL, or the problem. */
static const char *read_header(FILE *file, struct header *header) {
    const size_t length = read_dict_length(file);
    if (length == 0 || length > HEADER_MAX)
        return "not a .npy file of version 1, 2 or 3";
    char *dict = malloc(length + 1);
    if (!dict)
        return "not enough memory";
    const bool whole = fread(dict, 1, length, file) == length;
    dict[whole ? length : 0] = '\0';
    const char *problem = whole && strlen(dict) == length ? parse_dict(dict, header)
                                                          : "the header is cut short or broken";
    free(dict);
    if (problem)
        return problem;
    const unsigned long long values =
        (unsigned long long)header->width_px * (unsigned long long)header->height_px;
    const unsigned long long expected =
        (unsigned long long)ftello(file) + values * (header->integers ? 4 : 8);
    const unsigned long long actual = file_length(file);
    return actual < expected   ? "the file is cut short"
           : actual > expected ? "the file goes on behind its values"
                               : NULL;
}

static bool read_integers(FILE *file, double *values, size_t size) {
    uint32_t block[AT_ONCE];
    for (size_t i = 0; i < size; i += AT_ONCE) {
        const size_t n = size - i < AT_ONCE ? size - i : AT_ONCE;
        if (fread(block, sizeof *block, n, file) != n)
            return false;
        for (size_t k = 0; k < n; k++)
            values[i + k] = block[k];
    }
    return true;
}

static bool read_values(FILE *file, const char *path, const struct header *header,
                        struct npy *npy) {
    const size_t size = (size_t)header->width_px * (size_t)header->height_px;
    npy->width_px = header->width_px;
    npy->height_px = header->height_px;
    npy->integers = header->integers;
    npy->values = memory_alloc(size * sizeof *npy->values, "the array");
    if (!npy->values)
        return false;
    if (npy->integers ? read_integers(file, npy->values, size)
                      : fread(npy->values, sizeof *npy->values, size, file) == size)
        return true;
    log_error("'%s': the values cannot be read", path);
    return false;
}

bool npy_read(const char *path, struct npy *npy) {
    *npy = (struct npy){0};
    FILE *file = file_open(path);
    if (!file)
        return false;
    struct header header = {0};
    const char *problem = read_header(file, &header);
    if (problem)
        log_error("'%s': %s", path, problem);
    const bool ok = !problem && read_values(file, path, &header, npy);
    if (!ok)
        npy_finish(npy);
    fclose(file);
    return ok;
}

void npy_finish(struct npy *npy) {
    free(npy->values);
    *npy = (struct npy){0};
}
