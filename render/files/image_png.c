/* PNG codec (libpng). The library reports errors by longjmp: every call that may fail runs inside
 * attempt_write or attempt_read, and changes data in one struct only. */
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/files/image_codec.h"
#include "render/files/scene.h"
#include "render/frame.h"
#include <assert.h>
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEYWORD        "fathom"
#define KEYWORD_NOTE   "Verified"
#define TEXT_PLAIN_MAX 1024      /* longer texts are compressed */
#define DEFLATE_MOST   1032u     /* most bytes that one compressed byte can represent */
#define CHUNK_SIZE     (1 << 16) /* size of the chunks of pixels that fathom writes */
#define CHUNKS_WRONG   "the file is cut short, or a chunk has a wrong length"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "pixels are libpng's bytes R, G, B, A");

#define PNG_SIGNATURE      "\x89PNG\r\n\x1a\n"
#define PNG_SIGNATURE_SIZE 8
#define PNG_TEXT_MAX       ((1 << 20) + (1 << 16)) /* most bytes of a text, compressed or not */
#define FRAME              12                      /* size of a chunk's length, type and checksum */
/* Bytes of a chunk that are inspected: its head and the longest keyword. */
#define LOOK 24
/* Most chunks of a file; 65536x65536 pixels in chunks of the usual 8 KiB have fewer. */
#define CHUNKS_MAX (1 << 22)
/* Number of chunks between two checks whether to continue. */
#define CHUNKS_LOOK 1024
/* Most reads of the file in search of a text behind the pixels. */
#define READS_MAX   (1 << 15)
#define HEADER_SIZE 13
#define PALETTE_MAX 768
#define PIXELS_NONE "\0\0\0\0IDAT\x35\xaf\x06\x1e"

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    log_debug("libpng: %s", message);
}

/* --- writing --- */

struct writing {
    png_structp png;
    png_infop info;
    FILE *stream;
    int error; /* errno of the failure */
    int width_px, height_px, rows;
    const char *comment, *note;
    bool deep;
    const void *pixels;
};

static void on_write_error(png_structp png, png_const_charp message) {
    struct writing *w = png_get_error_ptr(png);
    log_debug("libpng: %s", message);
    if (w->error == 0)
        w->error = ENOMEM; /* any other error of libpng here would be a caller's mistake */
    png_longjmp(png, 1);
}

static void write_bytes(png_structp png, png_bytep data, size_t length) {
    struct writing *w = png_get_io_ptr(png);
    if (fwrite(data, 1, length, w->stream) == length)
        return;
    w->error = errno ? errno : EIO;
    png_error(png, "cannot write");
}

static void flush_nothing(png_structp png) {
    (void)png;
}

static bool attempt_write(struct writing *w, void (*step)(struct writing *w)) {
    if (setjmp(png_jmpbuf(w->png)) == 0) {
        step(w);
        return true;
    }
    errno = w->error;
    return false;
}

/* Returns the kind of chunk for a text. Texts in Latin-1 and in UTF-8 have different chunks; only
 * ASCII is the same in both. */
static int compression_of(const char *text, size_t length) {
    bool ascii = true;
    for (const char *p = text; *p; p++)
        ascii = ascii && (unsigned char)*p < 0x80;
    if (length > TEXT_PLAIN_MAX)
        return ascii ? PNG_TEXT_COMPRESSION_zTXt : PNG_ITXT_COMPRESSION_zTXt;
    return ascii ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
}

static void set_text(struct writing *w, const char *keyword, const char *content) {
    char none[] = "";
    const size_t length = strlen(content);
    const png_text text = {
        .compression = compression_of(content, length),
        .key = (png_charp)keyword,
        .text = (png_charp)content,
        .text_length = length,
        .lang = none,
        .lang_key = none,
    };
    png_set_text(w->png, w->info, &text, 1);
}

static void write_header(struct writing *w) {
    png_set_write_fn(w->png, w, write_bytes, flush_nothing);
    png_set_compression_buffer_size(w->png, CHUNK_SIZE);
    /* Fractals consist of bands and repeats: filters would double the time and enlarge files. */
    png_set_filter(w->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(w->png, w->info, (png_uint_32)w->width_px, (png_uint_32)w->height_px,
                 w->deep ? 16 : 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(w->png, w->info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (w->comment && *w->comment)
        set_text(w, KEYWORD, w->comment);
    png_write_info(w->png, w->info);
    png_set_filler(w->png, 0, PNG_FILLER_AFTER);
    if (w->deep)
        png_set_swap(w->png);
}

static void destroy(void *state) {
    struct writing *w = state;
    if (w && w->png)
        png_destroy_write_struct(&w->png, &w->info);
    free(w);
}

static void *begin(FILE *stream, int width_px, int height_px, const char *comment, bool deep) {
    struct writing *w = malloc(sizeof *w);
    if (!w)
        return NULL;
    *w = (struct writing){.stream = stream,
                          .width_px = width_px,
                          .height_px = height_px,
                          .comment = comment,
                          .deep = deep};
    w->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, on_write_error, ignore_warning);
    w->info = w->png ? png_create_info_struct(w->png) : NULL;
    errno = ENOMEM;
    if (w->info && attempt_write(w, write_header))
        return w;
    const int error = errno;
    destroy(w);
    errno = error;
    return NULL;
}

static void write_rows(struct writing *w) {
    const size_t size = (size_t)w->width_px * (w->deep ? sizeof(uint64_t) : sizeof(uint32_t));
    for (int y = 0; y < w->rows; y++)
        png_write_row(w->png, (png_const_bytep)w->pixels + (size_t)y * size);
}

static bool rows(void *state, const void *pixels, int count) {
    struct writing *w = state;
    w->pixels = pixels;
    w->rows = count;
    return attempt_write(w, write_rows);
}

static void write_end(struct writing *w) {
    if (w->note)
        set_text(w, KEYWORD_NOTE, w->note);
    png_write_end(w->png, w->info);
}

static void set_note(void *state, const char *note) {
    struct writing *w = state;
    w->note = note;
}

static bool end(void *state) {
    return attempt_write(state, write_end);
}

/* --- chunks in the file ---
 *
 * The chunks are checked before libpng reads them. libpng allocates a chunk's memory before it
 * looks for its data, and it must decompress all pixels to reach a text behind them. */

struct png_chunk {
    /* offset of the chunk's length in the file; 0: there is no such chunk */
    uint64_t at;
    /* [bytes] length of the data */
    uint32_t length;
};

struct png_chunks {
    struct png_chunk header, palette;
    /* The text "fathom", else "Comment", which other programs use. Texts before the pixels take
     * precedence over those behind them. */
    struct png_chunk text;
};

static uint32_t word_at(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Walk over the chunks of a file. */
struct walk {
    struct png_chunks *chunks;
    int rank;    /* rank of the text found so far */
    bool behind; /* the walk is behind the first pixels */
    /* Buffer of the last read: small chunks share one read of the file. */
    int fd, reads;
    uint64_t start;
    size_t length;
    unsigned char data[4096];
};

/* Returns the bytes at an offset. Sets *length to their number, at most LOOK. */
static const unsigned char *peek(struct walk *walk, uint64_t at, size_t *length) {
    if (at < walk->start || at + LOOK > walk->start + walk->length) {
        const ssize_t got = pread(walk->fd, walk->data, sizeof walk->data, (off_t)at);
        walk->reads++;
        walk->start = at;
        walk->length = got > 0 ? (size_t)got : 0;
    }
    const size_t offset = (size_t)(at - walk->start), left = walk->length - offset;
    *length = left < LOOK ? left : LOOK;
    return walk->data + offset;
}

static bool is_type(const unsigned char *type) {
    for (int i = 0; i < 4; i++)
        if (((type[i] | 0x20) < 'a') || ((type[i] | 0x20) > 'z'))
            return false;
    return true;
}

static bool is(const unsigned char *head, const char *type) {
    return memcmp(head + 4, type, 4) == 0;
}

/* Returns how well a chunk fits as the text; 0: it is no such text. */
static int rank_of(const unsigned char *head, size_t length, bool behind) {
    static const char own[] = "fathom", others[] = "Comment";
    if (!is(head, "tEXt") && !is(head, "zTXt") && !is(head, "iTXt"))
        return 0;
    const bool is_own = length >= 8 + sizeof own && memcmp(head + 8, own, sizeof own) == 0;
    const bool is_other =
        length >= 8 + sizeof others && memcmp(head + 8, others, sizeof others) == 0;
    return is_own ? 4 - 2 * behind : is_other ? 3 - 2 * behind : 0;
}

static void record_chunk(struct walk *walk, const unsigned char *head, size_t length, uint64_t at) {
    const struct png_chunk chunk = {at, word_at(head)};
    const int rank = rank_of(head, length, walk->behind);
    if (is(head, "IHDR") && at == PNG_SIGNATURE_SIZE)
        walk->chunks->header = chunk;
    if (is(head, "PLTE") && !walk->chunks->palette.at)
        walk->chunks->palette = chunk;
    if (rank > walk->rank) {
        walk->rank = rank;
        walk->chunks->text = chunk;
    }
    walk->behind |= is(head, "IDAT");
}

/* Finds the header, the palette and the text. With `reading`, which may stop it, walks over all
 * chunks. Without, walks only as far as the text requires: behind the first pixels at most a few
 * hundred megabytes, in a fraction of a second. Returns false if a chunk is invalid or ends behind
 * the file, or if there are millions of chunks. */
static bool find_chunks(FILE *file, struct png_chunks *chunks,
                        const struct image_reading *reading) {
    struct walk walk = {.chunks = chunks, .fd = fileno(file)};
    const uint64_t length = file_length(file);
    uint64_t at = PNG_SIGNATURE_SIZE;
    *chunks = (struct png_chunks){.text = {0}};
    for (int i = 0; at < length; i++) {
        size_t seen;
        const unsigned char *head = peek(&walk, at, &seen);
        if (seen < 8)
            return true; /* libpng reports the error in the rest */
        if (i == CHUNKS_MAX || !is_type(head + 4) ||
            (reading && i % CHUNKS_LOOK == 0 && !image_reading_may_continue(reading)))
            return false;
        record_chunk(&walk, head, seen, at);
        at += FRAME + (uint64_t)word_at(head);
        if (is(head, "IEND") ||
            (!reading && walk.behind && (walk.rank > 1 || walk.reads > READS_MAX)))
            break;
    }
    return at <= length;
}

/* Appends a chunk of the file, if there is one. Returns false if it cannot be read. */
static bool copy(FILE *file, const struct png_chunk *chunk, unsigned char *to, size_t *used) {
    const size_t size = chunk->at ? FRAME + (size_t)chunk->length : 0;
    for (size_t done = 0; done < size;) {
        const ssize_t got =
            pread(fileno(file), to + *used + done, size - done, (off_t)(chunk->at + done));
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    *used += size;
    return true;
}

/* Returns a PNG that consists of the header, the palette and the text, without a pixel; the caller
 * frees it. Returns NULL if there is no valid header, if a chunk is too long or cannot be read, or
 * if there is no memory. */
static unsigned char *extract_chunks(FILE *file, const struct png_chunks *chunks, size_t *size) {
    if (!chunks->header.at || chunks->header.length != HEADER_SIZE ||
        chunks->palette.length > PALETTE_MAX || chunks->text.length > PNG_TEXT_MAX)
        return NULL;
    unsigned char *data = malloc(PNG_SIGNATURE_SIZE + 4 * FRAME + HEADER_SIZE +
                                 (size_t)chunks->palette.length + (size_t)chunks->text.length);
    size_t used = PNG_SIGNATURE_SIZE;
    if (!data)
        return NULL;
    memcpy(data, PNG_SIGNATURE, PNG_SIGNATURE_SIZE);
    if (!copy(file, &chunks->header, data, &used) || !copy(file, &chunks->palette, data, &used) ||
        !copy(file, &chunks->text, data, &used)) {
        free(data);
        return NULL;
    }
    memcpy(data + used, PIXELS_NONE, FRAME);
    *size = used + FRAME;
    return data;
}

/* --- reading --- */

struct reading {
    png_structp png;
    png_infop info;
    FILE *file;
    uint64_t length; /* length of the file on disk that contains the picture */
    char warning[80], error[160];
    struct image_reading *reading;
    void *row; /* a row of pixels, deep or not */
    bool deep;
    char *text;
    bool failed; /* logged */
};

static void on_warning(png_structp png, png_const_charp message) {
    struct reading *r = png_get_error_ptr(png);
    log_debug("libpng: %s", message);
    snprintf(r->warning, sizeof r->warning, "%s", message);
}

/* Reports libpng's error with the last warning, which often is the reason: "Image width exceeds
 * user limit in IHDR". */
static void on_read_error(png_structp png, png_const_charp message) {
    struct reading *r = png_get_error_ptr(png);
    snprintf(r->error, sizeof r->error, "%s%s%.70s%s", message, *r->warning ? " (" : "", r->warning,
             *r->warning ? ")" : "");
    png_longjmp(png, 1);
}

static void read_bytes(png_structp png, png_bytep data, size_t length) {
    struct reading *r = png_get_io_ptr(png);
    if (fread(data, 1, length, r->file) == length)
        return;
    *r->warning = '\0';
    png_error(png, ferror(r->file) ? "it cannot be read" : "the file is cut short");
}

static bool attempt_read(struct reading *r, void (*step)(struct reading *r)) {
    if (setjmp(png_jmpbuf(r->png)) != 0)
        return false;
    step(r);
    return true;
}

static bool create(struct reading *r) {
    strcpy(r->error, "not enough memory");
    r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, on_read_error, on_warning);
    if (!r->png)
        return false;
    r->info = png_create_info_struct(r->png);
    png_set_user_limits(r->png, FRAME_SIZE_MAX, FRAME_SIZE_MAX);
    png_set_chunk_malloc_max(r->png, PNG_TEXT_MAX);
    png_set_read_fn(r->png, r, read_bytes);
    return r->info != NULL;
}

static void destroy_reading(struct reading *r) {
    if (r->png)
        png_destroy_read_struct(&r->png, &r->info, NULL);
}

/* Rejects a header that announces more pixels than the file can contain, however well they are
 * compressed. */
static void check_size(struct reading *r) {
    const uint64_t height = png_get_image_height(r->png, r->info);
    const uint64_t expected = height * png_get_rowbytes(r->png, r->info);
    *r->warning = '\0';
    if (r->length < expected / DEFLATE_MOST)
        png_error(r->png, "the file is cut short");
}

/* --- pixels --- */

static void read_info(struct reading *r) {
    /* Ignores unknown chunks, and texts as well. */
    png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(r->png, r->info);
    check_size(r);
}

/* Reads a pass of a picture: every step_x-th pixel of every step_y-th row. */
static void read_pass(struct reading *r, int x, int step_x, int y, int step_y) {
    const int width = (int)png_get_image_width(r->png, r->info);
    const int height = (int)png_get_image_height(r->png, r->info);
    struct image_part part = {.x = x, .step = step_x, .count = (width - x + step_x - 1) / step_x};
    *(r->deep ? (void **)&part.deep : (void **)&part.rgba) = r->row;
    for (part.y = y; part.count > 0 && part.y < height; part.y += step_y) {
        png_read_row(r->png, r->row, NULL);
        if (!image_reading_take(r->reading, &part))
            png_error(r->png, "stopped");
    }
}

static void read_pixels(struct reading *r) {
    /* All kinds of pixels become R, G, B and A, of 8 or of 16 bits. */
    png_set_expand(r->png);
    png_set_gray_to_rgb(r->png);
    png_set_add_alpha(r->png, 0xffff, PNG_FILLER_AFTER);
    png_set_swap(r->png); /* pixels of 16 bits: files have the high byte first */
    const bool interlaced = png_get_interlace_type(r->png, r->info) == PNG_INTERLACE_ADAM7;
    png_start_read_image(r->png);
    if (!interlaced)
        read_pass(r, 0, 1, 0, 1);
    for (int pass = 0; interlaced && pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
        read_pass(r, PNG_PASS_START_COL(pass), PNG_PASS_COL_OFFSET(pass), PNG_PASS_START_ROW(pass),
                  PNG_PASS_ROW_OFFSET(pass));
    png_read_end(r->png, NULL);
}

/* Passes the size on and allocates a row of pixels. */
static bool prepare(struct reading *r) {
    const png_uint_32 width = png_get_image_width(r->png, r->info);
    const png_uint_32 height = png_get_image_height(r->png, r->info);
    r->deep = png_get_bit_depth(r->png, r->info) == 16;
    if (!image_reading_begin(r->reading, (int)width, (int)height, r->deep)) {
        r->failed = true;
        return false;
    }
    strcpy(r->error, "not enough memory");
    r->row = malloc((size_t)width * (r->deep ? sizeof(uint64_t) : sizeof(uint32_t)));
    return r->row;
}

static bool read_picture(FILE *file, struct image_reading *reading) {
    struct png_chunks chunks;
    struct reading r = {
        .file = file, .length = file_length(file), .error = CHUNKS_WRONG, .reading = reading};
    const bool ok = find_chunks(file, &chunks, reading) && create(&r) &&
                    attempt_read(&r, read_info) && prepare(&r) && attempt_read(&r, read_pixels);
    if (!ok && !r.failed && !image_stopped())
        log_error("'%s': this PNG cannot be read: %s", reading->path, r.error);
    destroy_reading(&r);
    free(r.row);
    return ok;
}

/* --- texts --- */

/* Sets r->text to the only text in the file. */
static void read_text(struct reading *r) {
    png_textp texts = NULL;
    int count = 0;
    png_read_info(r->png, r->info);
    const bool taken = png_get_text(r->png, r->info, &texts, &count) > 0;
    check_size(r);
    if (taken && !(r->text = strdup(texts[0].text)))
        png_error(r->png, "not enough memory");
}

/* Reads the text of a PNG without pixels, from memory. */
static bool parse_text(struct reading *r, unsigned char *data, size_t size) {
    strcpy(r->error, "not enough memory");
    r->file = fmemopen(data, size, "rb");
    const bool ok = r->file && create(r) && attempt_read(r, read_text);
    destroy_reading(r);
    if (r->file)
        fclose(r->file);
    return ok;
}

/* Returns the comment. The pixels are not decompressed, so their number does not matter. */
static char *read_comment(FILE *file, const char *path) {
    struct png_chunks chunks;
    struct reading r = {.length = file_length(file), .error = CHUNKS_WRONG};
    size_t size = 0;
    unsigned char *data = NULL;
    bool ok = find_chunks(file, &chunks, NULL);
    const bool has_text = ok && chunks.text.at;
    bool broken = has_text && chunks.text.length > PNG_TEXT_MAX;
    if (ok && !broken)
        data = extract_chunks(file, &chunks, &size);
    ok = data && parse_text(&r, data, size);
    free(data);
    broken |= ok && has_text && !r.text;
    if (broken)
        log_error("'%s': the text in this PNG is broken, or longer than %d bytes", path,
                  SCENE_TEXT_MAX);
    else if (!ok)
        log_error("'%s': this PNG cannot be read: %s", path, r.error);
    else if (!r.text && !(r.text = strdup("")))
        log_error("'%s': not enough memory", path);
    return r.text;
}

static bool begins(const char *data, size_t length) {
    return length >= PNG_SIGNATURE_SIZE && memcmp(data, PNG_SIGNATURE, PNG_SIGNATURE_SIZE) == 0;
}

static void versions(struct image_versions *versions) {
    snprintf(versions->compiled, sizeof versions->compiled, "%s", PNG_LIBPNG_VER_STRING);
    snprintf(versions->linked, sizeof versions->linked, "%s", png_get_libpng_ver(NULL));
}

const struct image_codec image_png = {
    .deep = true,
    .library = "libpng",
    .versions = versions,
    .begin = begin,
    .rows = rows,
    .end = end,
    .set_note = set_note,
    .destroy = destroy,
    .begins = begins,
    .read = read_picture,
    .comment = read_comment,
};
