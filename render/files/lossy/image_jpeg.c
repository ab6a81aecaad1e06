/* JPEG codec (libjpeg). The library reports errors by longjmp: every call that may fail runs inside
 * attempt_write or attempt_read. The view is stored in remarks (COM), which are read without the
 * library. */
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/colour.h"
#include "render/files/image_codec.h"
#include "render/files/scene.h"
#include "render/frame.h"
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
/* jpeglib.h needs the headers above */
#include <jerror.h>
#include <jpeglib.h>

#ifdef LIBJPEG_TURBO_VERSION
#define TEXT_OF(token) #token
#define TEXT(token)    TEXT_OF(token)
#define TURBO          ", libjpeg-turbo " TEXT(LIBJPEG_TURBO_VERSION)
#else
#define TURBO ""
#endif

#define REMARK_MAX    65533 /* [bytes] longest text of one marker */
#define PIXELS_A_BYTE 1024u /* more pixels than a byte yields, unless nearly all are one colour */
#define MARKERS_MAX   100000

enum { MARKER_SOI = 0xd8, MARKER_EOI = 0xd9, MARKER_SOS = 0xda, MARKER_COM = 0xfe };

/* State of libjpeg's error handlers. The manager is the first member, because libjpeg passes a
 * pointer to it. */
struct errors {
    struct jpeg_error_mgr manager;
    jmp_buf failed;
};

static void on_error(j_common_ptr codec) {
    longjmp(((struct errors *)codec->err)->failed, 1);
}

static void on_message(j_common_ptr codec, int level) {
    char text[JMSG_LENGTH_MAX];
    codec->err->num_warnings += level < 0;
    codec->err->format_message(codec, text);
    log_debug("libjpeg: %s", text);
}

static struct jpeg_error_mgr *watch(struct errors *errors) {
    jpeg_std_error(&errors->manager);
    errors->manager.error_exit = on_error;
    errors->manager.emit_message = on_message;
    return &errors->manager;
}

/* --- writing --- */

struct writing {
    struct errors errors;
    struct jpeg_compress_struct out;
    FILE *stream;
    char *comment;
    unsigned char *row;
    int width_px, height_px, quality, rows;
    const uint32_t *rgba;
    bool begun;
};

static bool attempt_write(struct writing *w, void (*step)(struct writing *w)) {
    errno = 0;
    if (setjmp(w->errors.failed) == 0) {
        step(w);
        return true;
    }
    if (errno == 0)
        errno = w->errors.manager.msg_code == 0 || !ferror(w->stream) ? ENOMEM : EIO;
    return false;
}

static void create(struct writing *w) {
    jpeg_create_compress(&w->out);
    jpeg_stdio_dest(&w->out, w->stream);
}

/* Writes the header and the remarks. Chroma is not subsampled, since the colours of fractals change
 * from pixel to pixel. */
static void write_header(struct writing *w) {
    struct jpeg_compress_struct *out = &w->out;
    out->image_width = (JDIMENSION)w->width_px;
    out->image_height = (JDIMENSION)w->height_px;
    out->input_components = 3;
    out->in_color_space = JCS_RGB;
    jpeg_set_defaults(out);
    jpeg_set_quality(out, w->quality, TRUE);
    out->comp_info[0].h_samp_factor = out->comp_info[0].v_samp_factor = 1;
    out->optimize_coding = TRUE;
    jpeg_start_compress(out, TRUE);
    size_t left = strlen(w->comment);
    for (const char *p = w->comment; left > 0;) {
        const size_t length = left < REMARK_MAX ? left : REMARK_MAX;
        jpeg_write_marker(out, JPEG_COM, (const JOCTET *)p, (unsigned)length);
        p += length;
        left -= length;
    }
}

static void destroy(void *state) {
    struct writing *w = state;
    if (!w)
        return;
    jpeg_destroy_compress(&w->out); /* a zeroed struct is allowed */
    free(w->comment);
    free(w->row);
    free(w);
}

static void *begin(FILE *stream, int width_px, int height_px, const char *comment, bool deep) {
    (void)deep;
    struct writing *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->stream = stream;
    w->width_px = width_px;
    w->height_px = height_px;
    w->quality = IMAGE_QUALITY;
    w->comment = strdup(comment ? comment : "");
    w->row = malloc(3 * (size_t)width_px);
    w->out.err = watch(&w->errors);
    if (w->comment && w->row && attempt_write(w, create))
        return w;
    destroy(w);
    errno = ENOMEM;
    return NULL;
}

static void set_quality(void *state, int quality) {
    ((struct writing *)state)->quality = quality;
}

static void write_rows(struct writing *w) {
    const size_t width = (size_t)w->width_px;
    if (!w->begun)
        write_header(w);
    w->begun = true;
    for (; w->rows > 0; w->rows--, w->rgba += width) {
        for (size_t x = 0; x < width; x++)
            for (int c = 0; c < 3; c++)
                w->row[3 * x + (size_t)c] = (unsigned char)(w->rgba[x] >> 8 * c);
        jpeg_write_scanlines(&w->out, &w->row, 1);
    }
}

static bool rows(void *state, const void *rgba, int count) {
    struct writing *w = state;
    w->rgba = rgba;
    w->rows = count;
    return attempt_write(w, write_rows);
}

static void write_end(struct writing *w) {
    jpeg_finish_compress(&w->out);
}

static bool end(void *state) {
    return attempt_write(state, write_end);
}

/* --- reading --- */

struct reading {
    struct errors errors;
    struct jpeg_decompress_struct in;
    FILE *file;
    unsigned char *row;
    uint32_t *rgba; /* same row as pixels */
    struct image_reading *reading;
    bool stopped; /* stopped by image_progress, or by an interrupt, which is logged */
};

static bool attempt_read(struct reading *r, void (*step)(struct reading *r)) {
    if (setjmp(r->errors.failed) != 0)
        return false;
    step(r);
    return true;
}

static void read_header(struct reading *r) {
    jpeg_create_decompress(&r->in);
    jpeg_stdio_src(&r->in, r->file);
    jpeg_read_header(&r->in, TRUE);
    r->in.out_color_space = JCS_RGB;
}

static void read_pixels(struct reading *r) {
    jpeg_start_decompress(&r->in);
    const int width = (int)r->in.image_width, height = (int)r->in.image_height;
    for (int y = 0; y < height; y++) {
        const struct image_part part = {.y = y, .step = 1, .count = width, .rgba = r->rgba};
        jpeg_read_scanlines(&r->in, &r->row, 1);
        for (int x = 0; x < width; x++) {
            const unsigned char *at = r->row + 3 * (size_t)x;
            r->rgba[x] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | COLOUR_ALPHA;
        }
        r->stopped = !image_reading_take(r->reading, &part);
        if (r->stopped)
            return;
    }
    jpeg_finish_decompress(&r->in);
}

static void tell_error(struct reading *r) {
    char text[JMSG_LENGTH_MAX];
    r->in.err->format_message((j_common_ptr)&r->in, text);
    log_error("'%s': this JPEG cannot be read: %s", r->reading->path, text);
}

/* Returns true if the file is long enough for the size in its header, which may be wrong. Otherwise
 * logs an error. */
static bool size_fits(const struct reading *r) {
    const uint64_t pixels = (uint64_t)r->in.image_width * r->in.image_height;
    const bool fits = pixels <= file_length(r->file) * PIXELS_A_BYTE &&
                      r->in.image_width <= FRAME_SIZE_MAX && r->in.image_height <= FRAME_SIZE_MAX;
    if (!fits)
        log_error("'%s': this JPEG cannot be read: the file is cut short", r->reading->path);
    return fits;
}

/* Allocates a row and passes the size on, after the header. Returns false on failure, which is
 * logged. */
static bool prepare(struct reading *r) {
    const size_t width = r->in.image_width;
    r->row = malloc(3 * width);
    r->rgba = malloc(width * sizeof *r->rgba);
    if (!r->row || !r->rgba)
        log_error("'%s': not enough memory", r->reading->path);
    return r->row && r->rgba && size_fits(r) &&
           image_reading_begin(r->reading, (int)width, (int)r->in.image_height, false);
}

static bool read_picture(FILE *file, struct image_reading *reading) {
    struct reading r = {.file = file, .reading = reading};
    r.in.err = watch(&r.errors);
    bool ok = attempt_read(&r, read_header);
    const bool told = ok && !prepare(&r);
    ok = ok && !told && attempt_read(&r, read_pixels) && !r.stopped;
    const bool damaged = ok && r.in.err->num_warnings > 0; /* missing parts would be grey */
    if (damaged)
        log_error("'%s': this JPEG cannot be read: it is cut short or damaged", reading->path);
    else if (!ok && !told && !r.stopped)
        tell_error(&r);
    free(r.row);
    free(r.rgba);
    jpeg_destroy_decompress(&r.in);
    return ok && !damaged;
}

/* --- remarks --- */

/* Moves to the next marker that has a length. Returns false if there is none before the pixels. */
static bool next_marker(FILE *file, int *marker, size_t *length) {
    int c, high, low;
    do {
        if (fgetc(file) != 0xff)
            return false;
        while ((c = fgetc(file)) == 0xff)
            continue;
    } while (c == MARKER_SOI || c == 0x01 || (c >= 0xd0 && c <= 0xd7));
    if (c == EOF || c == MARKER_EOI || c == MARKER_SOS)
        return false;
    if ((high = fgetc(file)) == EOF || (low = fgetc(file)) == EOF || (high << 8 | low) < 2)
        return false;
    *marker = c;
    *length = (size_t)(high << 8 | low) - 2;
    return true;
}

struct remarks {
    char *text;
    size_t length;
    bool own, goes_on; /* own: begins like a view; goes_on: the last remark had the full length */
};

/* Adds a remark, or skips it. Returns false if the remark is cut short, or if there is no
 * memory. */
static bool take_remark(FILE *file, size_t length, struct remarks *remarks) {
    char *text = malloc(remarks->length + length + 1);
    if (!text || fread(text + remarks->length, 1, length, file) != length) {
        free(text);
        return false;
    }
    const bool begins = length > 0 && strchr("[#", text[remarks->length]);
    const bool wanted = remarks->own ? remarks->goes_on : begins || !remarks->text;
    if (!wanted || remarks->length + length > SCENE_TEXT_MAX) {
        free(text);
        return true;
    }
    const size_t kept = remarks->own ? remarks->length : 0;
    memmove(text + kept, text + remarks->length, length);
    if (kept > 0)
        memcpy(text, remarks->text, kept);
    free(remarks->text);
    text[kept + length] = '\0';
    *remarks = (struct remarks){text, kept + length, remarks->own || begins, length == REMARK_MAX};
    return true;
}

/* Returns the remarks that contain a view, else the first remark, else "". */
static char *read_comment(FILE *file, const char *path) {
    struct remarks remarks = {0};
    int marker;
    size_t length;
    bool ok = true;
    for (int i = 0; ok && i < MARKERS_MAX && next_marker(file, &marker, &length); i++)
        ok = marker == MARKER_COM ? take_remark(file, length, &remarks)
                                  : fseeko(file, (off_t)length, SEEK_CUR) == 0;
    if (ok && !remarks.text)
        remarks.text = strdup("");
    if (ok && remarks.text && strlen(remarks.text) == remarks.length)
        return remarks.text;
    log_error("'%s': the text in this JPEG is broken", path);
    free(remarks.text);
    return NULL;
}

static bool begins(const char *data, size_t length) {
    return length >= 3 && memcmp(data, "\xff\xd8\xff", 3) == 0;
}

/* Reports the versions. The library has only its interface's version, which libjpeg-turbo shares
 * with libjpeg: 62 means 6b. */
static void versions(struct image_versions *versions) {
    struct jpeg_error_mgr manager;
    jpeg_std_error(&manager);
    const char *linked = manager.jpeg_message_table[JMSG_VERSION];
    const char letter[2] = {JPEG_LIB_VERSION % 10 ? (char)('a' + JPEG_LIB_VERSION % 10 - 1) : '\0'};
    snprintf(versions->linked, sizeof versions->linked, "%.*s", (int)strcspn(linked, " "), linked);
    snprintf(versions->compiled, sizeof versions->compiled, "%d%s%s", JPEG_LIB_VERSION / 10, letter,
             TURBO);
}

const struct image_codec image_jpeg = {
    .library = "libjpeg",
    .versions = versions,
    .side_max = JPEG_MAX_DIMENSION,
    .begin = begin,
    .set_quality = set_quality,
    .rows = rows,
    .end = end,
    .destroy = destroy,
    .begins = begins,
    .read = read_picture,
    .comment = read_comment,
};
