/* PPM codec: parses the header, and reads and writes rows. */
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/colour.h"
#include "render/files/image_codec.h"
#include "render/frame.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_USUAL (1 << 16) /* [bytes] of a file that are read first */
#define HEADER_MAX   (1 << 20) /* longest header, comments included */

struct header {
    int width_px, height_px;
    size_t size; /* [bytes] offset of the pixels */
};

/* --- the header --- */

struct cursor {
    const char *p, *end;
    FILE *comments; /* receives the comments, each at its own line; NULL: not requested */
};

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_comment(struct cursor *c) {
    c->p++; /* '#' */
    if (c->p < c->end && *c->p == ' ')
        c->p++;
    for (; c->p < c->end && *c->p != '\n'; c->p++)
        if (c->comments && *c->p != '\r')
            fputc(*c->p, c->comments);
}

/* Skips white space and comments before a number. */
static void skip_space(struct cursor *c) {
    while (c->p < c->end && (is_space(*c->p) || *c->p == '#')) {
        if (*c->p == '#') {
            skip_comment(c);
            continue;
        }
        if (c->comments && *c->p == '\n')
            fputc('\n', c->comments);
        c->p++;
    }
}

/* Reads a number of at most `max`. Returns 0 if there is none or it is larger. */
static int take_number(struct cursor *c, int max) {
    int number = 0;
    skip_space(c);
    for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
        number = 10 * number + (*c->p - '0');
        if (number > max)
            return 0;
    }
    return number;
}

static bool begins(const char *data, size_t length) {
    return length >= 2 && data[0] == 'P' && data[1] == '6';
}

/* Parses the header. Returns NULL, or the problem as static text. */
static const char *parse_header(const char *data, size_t length, FILE *comments,
                                struct header *header) {
    struct cursor c = {.p = data + 2, .end = data + length, .comments = comments};
    if (length < 3 || !begins(data, length) || (!is_space(data[2]) && data[2] != '#'))
        return "not a binary PPM (P6) picture";
    header->width_px = take_number(&c, FRAME_SIZE_MAX);
    header->height_px = take_number(&c, FRAME_SIZE_MAX);
    if (header->width_px == 0 || header->height_px == 0)
        return "the header gives no size within 1x1 .. 65536x65536";
    if (take_number(&c, 65535) != 255)
        return "only pictures with a maximum value of 255 can be read";
    if (c.p == c.end || !is_space(*c.p))
        return "the header is cut short";
    header->size = (size_t)(c.p + 1 - data);
    return NULL;
}

/* --- writing --- */

struct writing {
    FILE *stream;
    int width_px;
    unsigned char row[];
};

static bool write_comment(FILE *file, const char *comment) {
    while (*comment) {
        const size_t length = strcspn(comment, "\n");
        if (fprintf(file, "# %.*s\n", (int)length, comment) < 0)
            return false;
        comment += length + (comment[length] == '\n');
    }
    return true;
}

static void *begin(FILE *stream, int width_px, int height_px, const char *comment, bool deep) {
    (void)deep;
    struct writing *w = malloc(sizeof *w + 3 * (size_t)width_px);
    if (!w)
        return NULL;
    w->stream = stream;
    w->width_px = width_px;
    if (fprintf(stream, "P6\n") > 0 && (!comment || write_comment(stream, comment)) &&
        fprintf(stream, "%d %d\n255\n", width_px, height_px) > 0)
        return w;
    const int error = errno;
    free(w);
    errno = error;
    return NULL;
}

static bool write_rows(void *state, const void *pixels, int rows) {
    const uint32_t *rgba = pixels;
    struct writing *w = state;
    const size_t width = (size_t)w->width_px;
    for (; rows > 0; rows--) {
        for (size_t x = 0; x < width; x++) {
            const uint32_t pixel = *rgba++;
            w->row[3 * x] = (unsigned char)pixel;
            w->row[3 * x + 1] = (unsigned char)(pixel >> 8);
            w->row[3 * x + 2] = (unsigned char)(pixel >> 16);
        }
        if (fwrite(w->row, 3, width, w->stream) != width)
            return false;
    }
    return true;
}

static bool end(void *state) {
    (void)state;
    return true;
}

/* --- reading --- */

/* Returns NULL, or why the file's size does not match its header. */
static const char *size_problem(FILE *file, const struct header *header) {
    const unsigned long long pixels =
        3ull * (unsigned long long)header->width_px * (unsigned long long)header->height_px;
    const unsigned long long expected = header->size + pixels, actual = file_length(file);
    return actual < expected   ? "the file is cut short"
           : actual > expected ? "the file continues after its pixels"
                               : NULL;
}

/* Reads the start of a file, with the whole header if that is not too long. Returns memory that the
 * caller frees, or NULL on failure, which is logged. */
static char *read_start(FILE *file, const char *path, size_t *length) {
    struct header header;
    bool more;
    char *data = file_read_start(file, path, HEADER_USUAL, length, &more);
    if (data && more && parse_header(data, *length, NULL, &header)) {
        free(data);
        rewind(file);
        data = file_read_start(file, path, HEADER_MAX, length, &more);
    }
    return data;
}

/* Reads the header and moves to the pixels. Returns false on failure, which is logged. */
static bool read_header(FILE *file, const char *path, struct header *header) {
    size_t length;
    char *data = read_start(file, path, &length);
    if (!data)
        return false;
    const char *problem = parse_header(data, length, NULL, header);
    free(data);
    if (!problem)
        problem = size_problem(file, header);
    if (!problem && fseeko(file, (off_t)header->size, SEEK_SET) != 0)
        problem = strerror(errno);
    if (problem)
        log_error("'%s': %s", path, problem);
    return problem == NULL;
}

static bool read_row(FILE *file, size_t width, unsigned char *row, uint32_t *rgba) {
    if (fread(row, 3, width, file) != width)
        return false;
    for (size_t x = 0; x < width; x++)
        rgba[x] = row[3 * x] | (uint32_t)row[3 * x + 1] << 8 | (uint32_t)row[3 * x + 2] << 16 |
                  COLOUR_ALPHA;
    return true;
}

/* Reads all rows. `row` has room for the bytes of a row, and `rgba` for its pixels. */
static bool read_rows(FILE *file, const struct header *header, unsigned char *row, uint32_t *rgba,
                      struct image_reading *reading) {
    for (int y = 0; y < header->height_px; y++) {
        const struct image_part part = {.y = y, .step = 1, .count = header->width_px, .rgba = rgba};
        if (!read_row(file, (size_t)header->width_px, row, rgba)) {
            log_error("'%s': the pixels cannot be read", reading->path);
            return false;
        }
        if (!image_reading_take(reading, &part))
            return false;
    }
    return true;
}

static bool read_picture(FILE *file, struct image_reading *reading) {
    struct header header;
    if (!read_header(file, reading->path, &header) ||
        !image_reading_begin(reading, header.width_px, header.height_px, false))
        return false;
    unsigned char *row = malloc(3 * (size_t)header.width_px);
    uint32_t *rgba = malloc(sizeof *rgba * (size_t)header.width_px);
    if (!row || !rgba)
        log_error("'%s': not enough memory", reading->path);
    const bool ok = row && rgba && read_rows(file, &header, row, rgba, reading);
    free(row);
    free(rgba);
    return ok;
}

/* Returns the comments, or NULL if the header is not complete or a comment contains a NUL byte. */
static char *parse_comments(const char *data, size_t length) {
    char *text = NULL;
    size_t size;
    FILE *comments = open_memstream(&text, &size);
    if (!comments)
        return NULL;
    struct header header;
    const char *problem = parse_header(data, length, comments, &header);
    if (fclose(comments) == 0 && !problem && strlen(text) == size)
        return text;
    free(text);
    return NULL;
}

static char *read_comment(FILE *file, const char *path) {
    size_t length;
    char *data = read_start(file, path, &length);
    if (!data)
        return NULL;
    char *text = parse_comments(data, length);
    free(data);
    if (!text)
        log_error("'%s': the header of this picture is broken", path);
    return text;
}

const struct image_codec image_ppm = {
    .begin = begin,
    .rows = write_rows,
    .end = end,
    .destroy = free,
    .begins = begins,
    .read = read_picture,
    .comment = read_comment,
};
