/* NumPy arrays: writes and reads .npy files of <u4, <u8 and <f8, a part of the format
 * (numpy.org/doc/stable/reference/generated/numpy.lib.format.html). */
#include "render/files/npy.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/frame.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC      "\x93NUMPY"
#define MAGIC_SIZE 6
#define ALIGNMENT  64
#define HEADER_MAX 65536 /* [bytes] longest header */
#define AT_ONCE    4096  /* values converted at a time */

#define SHAPE_PROBLEM "the shape is not two or three sizes of 1 .. 65536"

bool npy_begins(const char *data, size_t length) {
    return length >= MAGIC_SIZE && memcmp(data, MAGIC, MAGIC_SIZE) == 0;
}

static const struct {
    const char *descr;
    size_t size;
} types[] = {[NPY_U4] = {"<u4", 4}, [NPY_F8] = {"<f8", 8}, [NPY_U8] = {"<u8", 8}};

uint64_t npy_values_size(const struct npy_header *header) {
    uint64_t size = types[header->type].size;
    for (int i = 0; i < header->dimensions; i++)
        size *= (uint64_t)header->shape[i];
    return size;
}

/* --- writing --- */

bool npy_write_header(FILE *file, const struct npy_header *header) {
    char dict[ALIGNMENT * 2], shape[40] = "";
    const size_t prefix = MAGIC_SIZE + 4;
    for (int i = 0; i < header->dimensions; i++) {
        const size_t used = strlen(shape);
        snprintf(shape + used, sizeof shape - used, "%s%d", i > 0 ? ", " : "", header->shape[i]);
    }
    const int used =
        snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                 types[header->type].descr, shape);
    const size_t total = (prefix + (size_t)used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const unsigned length = (unsigned)(total - prefix);
    return fwrite(MAGIC "\x01\x00", 1, MAGIC_SIZE + 2, file) == MAGIC_SIZE + 2 &&
           fputc((int)(length & 0xff), file) != EOF && fputc((int)(length >> 8), file) != EOF &&
           fprintf(file, "%-*s\n", (int)length - 1, dict) > 0;
}

static bool write_values(FILE *file, enum npy_type type, const uint32_t *count,
                         const float *fraction, size_t size) {
    union {
        uint32_t u4[AT_ONCE];
        double f8[AT_ONCE];
    } values;
    for (size_t i = 0; i < size; i += AT_ONCE) {
        const size_t n = size - i < AT_ONCE ? size - i : AT_ONCE;
        for (size_t k = 0; k < n; k++) {
            const uint32_t c = count[i + k];
            if (type == NPY_U4)
                values.u4[k] = c & SAMPLE_COUNT_MASK;
            else
                values.f8[k] = c & SAMPLE_INTERIOR ? (double)NAN : c + (double)fraction[i + k];
        }
        if (fwrite(&values, types[type].size, n, file) != n)
            return false;
    }
    return true;
}

struct npy_writer {
    struct atomic_file *file;
    enum npy_type type;
    int width_px, rows_left;
};

struct npy_writer *npy_writer_open(const char *path, enum npy_type type, int width_px,
                                   int height_px) {
    require(path && type != NPY_U8 && width_px > 0 && height_px > 0, NULL);
    const struct npy_header header = {type, 2, {height_px, width_px}};
    struct npy_writer *writer = malloc(sizeof *writer);
    if (!writer) {
        log_error("cannot write '%s': %s", path, strerror(ENOMEM));
        return NULL;
    }
    *writer = (struct npy_writer){atomic_file_open(path, false), type, width_px, height_px};
    if (writer->file && npy_write_header(atomic_file_stream(writer->file), &header))
        return writer;
    if (writer->file)
        atomic_file_log_failure(writer->file, errno);
    npy_writer_abandon(writer);
    return NULL;
}

bool npy_writer_rows(struct npy_writer *writer, const uint32_t *count, const float *fraction,
                     int rows) {
    require(writer && count && rows >= 0 && rows <= writer->rows_left, false);
    require(fraction || writer->type == NPY_U4, false);
    const size_t size = (size_t)writer->width_px * (size_t)rows;
    writer->rows_left -= rows;
    if (write_values(atomic_file_stream(writer->file), writer->type, count, fraction, size))
        return true;
    atomic_file_log_failure(writer->file, errno);
    return false;
}

bool npy_writer_commit(struct npy_writer *writer) {
    require(writer && writer->rows_left == 0, false);
    const bool ok = atomic_file_commit(writer->file, NULL);
    free(writer);
    return ok;
}

void npy_writer_abandon(struct npy_writer *writer) {
    if (writer)
        atomic_file_abandon(writer->file);
    free(writer);
}

bool npy_write_rows(const char *path, int width_px, int height_px, int channels,
                    bool (*row)(void *user, int y, uint64_t *values), void *user) {
    require(row && width_px > 0 && height_px > 0 && channels > 0, false);
    const size_t length = (size_t)width_px * (size_t)channels;
    const struct npy_header header = {
        NPY_U8, channels > 1 ? 3 : 2, {height_px, width_px, channels}};
    uint64_t *values = memory_alloc(length * sizeof *values, "a row of counts");
    struct atomic_file *file = values ? atomic_file_open(path, false) : NULL;
    bool ok = file && npy_write_header(atomic_file_stream(file), &header), stopped = false;
    for (int y = 0; ok && y < height_px; y++) {
        stopped = !row(user, y, values);
        ok = !stopped && fwrite(values, sizeof *values, length, atomic_file_stream(file)) == length;
    }
    if (stopped)
        atomic_file_abandon(file);
    else if (file)
        ok = atomic_file_commit(file, NULL) && ok;
    free(values);
    return ok;
}

/* --- the header: a Python dictionary with three known keys --- */

struct dict {
    struct npy_header header;
    bool fortran;
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

static bool take_shape(const char **p, struct npy_header *header) {
    header->dimensions = 0;
    if (!take(p, "("))
        return false;
    do {
        if (header->dimensions == NPY_DIMENSIONS_MAX ||
            !take_size(p, &header->shape[header->dimensions]))
            return false;
        header->dimensions++;
    } while (take(p, ",") && !(skip_space(p), **p == ')'));
    return take(p, ")");
}

/* Reads the array's type. Returns NULL, or the problem. */
static const char *take_type(const char **p, enum npy_type *type) {
    char descr[8];
    if (!take_string(p, descr, sizeof descr))
        return "the array's type cannot be read";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].descr, descr) == 0) {
            *type = (enum npy_type)i;
            return NULL;
        }
    return "only arrays of '<u4', '<u8' and '<f8' can be read";
}

/* Reads the value of a key. Returns NULL, or the problem. */
static const char *take_value(const char **p, const char *key, struct dict *dict) {
    if (strcmp(key, "descr") == 0) {
        dict->has_descr = true;
        return take_type(p, &dict->header.type);
    }
    if (strcmp(key, "fortran_order") == 0) {
        dict->has_order = true;
        dict->fortran = take(p, "True");
        return dict->fortran || take(p, "False") ? NULL : "fortran_order is not True or False";
    }
    if (strcmp(key, "shape") == 0) {
        dict->has_shape = true;
        return take_shape(p, &dict->header) ? NULL : SHAPE_PROBLEM;
    }
    return "the header has an unknown key";
}

static const char *parse_dict(const char *p, struct dict *dict) {
    char key[16];
    if (!take(&p, "{"))
        return "the header is broken";
    while (!take(&p, "}")) {
        if (!take_string(&p, key, sizeof key) || !take(&p, ":"))
            return "the header is broken";
        const char *problem = take_value(&p, key, dict);
        if (problem)
            return problem;
        if (!take(&p, ",") && *p != '}')
            return "the header is broken";
    }
    skip_space(&p);
    if (*p || !dict->has_descr || !dict->has_order || !dict->has_shape)
        return "the header is broken";
    return dict->fortran ? "only arrays in C order can be read" : NULL;
}

/* --- reading --- */

/* Reads magic, version and the dictionary's length. Returns 0 if this is no .npy file of a known
 * version. */
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

const char *npy_read_header(FILE *file, struct npy_header *header) {
    const size_t length = read_dict_length(file);
    if (length == 0 || length > HEADER_MAX)
        return "not a .npy file of version 1, 2 or 3";
    char *text = malloc(length + 1);
    if (!text)
        return "not enough memory";
    struct dict dict = {0};
    const bool whole = fread(text, 1, length, file) == length;
    text[whole ? length : 0] = '\0';
    const char *problem = whole && strlen(text) == length ? parse_dict(text, &dict)
                                                          : "the header is cut short or broken";
    free(text);
    *header = dict.header;
    return problem;
}

/* Checks that the file contains an array of pixels, and nothing else. Returns NULL, or the
 * problem. */
static const char *check_array(FILE *file, const struct npy_header *header) {
    const bool pixels = header->dimensions == 2;
    const bool channels =
        header->dimensions == 3 && header->type == NPY_U8 && header->shape[2] == 3;
    if (!pixels && !channels)
        return SHAPE_PROBLEM;
    const unsigned long long expected = (unsigned long long)ftello(file) + npy_values_size(header);
    const unsigned long long actual = file_length(file);
    return actual < expected   ? "the file is cut short"
           : actual > expected ? "the file continues after its values"
                               : NULL;
}

static bool read_widened(FILE *file, double *values, size_t size) {
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

static bool read_values(FILE *file, const char *path, const struct npy_header *header,
                        struct npy *npy) {
    const size_t size = (size_t)(npy_values_size(header) / types[header->type].size);
    *npy = (struct npy){.width_px = header->shape[1],
                        .height_px = header->shape[0],
                        .channels = header->dimensions == 3 ? header->shape[2] : 1,
                        .type = header->type};
    void *values = memory_alloc(size * sizeof *npy->values, "the array");
    if (npy->type == NPY_U8)
        npy->counts = values;
    else
        npy->values = values;
    if (!values)
        return false;
    if (npy->type == NPY_U4 ? read_widened(file, values, size)
                            : fread(values, sizeof(uint64_t), size, file) == size)
        return true;
    log_error("'%s': the values cannot be read", path);
    return false;
}

bool npy_read(const char *path, struct npy *npy) {
    *npy = (struct npy){0};
    FILE *file = file_open(path);
    if (!file)
        return false;
    struct npy_header header;
    const char *problem = npy_read_header(file, &header);
    if (!problem)
        problem = check_array(file, &header);
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
    free(npy->counts);
    *npy = (struct npy){0};
}
