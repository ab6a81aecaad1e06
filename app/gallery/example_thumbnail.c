/* Reads and writes JPEG files with a remark that tells what they show. libjpeg reports errors by longjmp: every call of
 * it that may fail is made below `attempt`, with all that it changes in one struct. */
#define _GNU_SOURCE
#include "app/gallery/example_thumbnail.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include <inttypes.h>
#include <jpeglib.h> /* needs stdio.h */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIEW_ENDING   ".fathom"
#define FOLDER        "thumbnails"
#define ENDING        ".jpg"
#define VIEW_MAX      (1 << 20) /* bytes of a view */
#define FILE_MAX      (1 << 20) /* and of a thumbnail */
#define QUALITY       75
#define KEY_MAX       64
#define FNV_START     14695981039346656037u
#define FNV_PRIME     1099511628211u
#define BYTES_A_PIXEL 3

char *example_thumbnail_path(const char *view) {
    const char *slash = strrchr(view, '/'), *name = slash ? slash + 1 : view;
    const size_t length = strlen(name), ending = strlen(VIEW_ENDING);
    char *path;
    if (length <= ending || strcmp(name + length - ending, VIEW_ENDING) != 0 ||
        asprintf(&path, "%.*s../" FOLDER "/%.*s" ENDING, (int)(name - view), view,
                 (int)(length - ending), name) < 0)
        return NULL;
    return path;
}

/* Of the view's text (FNV-1a), which decides the picture as long as the program does not change. */
static bool make_key(const char *view, char key[static KEY_MAX]) {
    size_t length;
    char *text = file_read(view, VIEW_MAX, &length);
    uint64_t sum = FNV_START;
    for (size_t i = 0; text && i < length; i++)
        sum = (sum ^ (unsigned char)text[i]) * FNV_PRIME;
    snprintf(key, KEY_MAX, "fathom thumbnail of %016" PRIx64, sum);
    const bool ok = text != NULL;
    free(text);
    return ok;
}

/* --- JPEG --- */

struct codec {
    struct jpeg_error_mgr errors; /* the first member, by which libjpeg's calls tell it */
    jmp_buf stop;
    struct jpeg_compress_struct out;
    struct jpeg_decompress_struct in;
    const char *key;
    const unsigned char *data; /* of a file, */
    unsigned long size;        /* its length, */
    unsigned char *made;       /* and one that was made, of as many bytes */
    unsigned char *rgb;        /* EXAMPLE_THUMBNAIL_PIXELS times BYTES_A_PIXEL */
    bool right;
};

static void stop(j_common_ptr common) {
    struct codec *codec = (struct codec *)common->err;
    longjmp(codec->stop, 1);
}

static void say_nothing(j_common_ptr common) {
    (void)common;
}

static bool attempt(struct codec *codec, void (*step)(struct codec *codec)) {
    if (setjmp(codec->stop) != 0)
        return false;
    step(codec);
    return true;
}

static struct codec *codec_create(const char *key) {
    struct codec *codec = calloc(1, sizeof *codec);
    if (!codec)
        return NULL;
    jpeg_std_error(&codec->errors);
    codec->errors.error_exit = stop;
    codec->errors.output_message = say_nothing;
    codec->out.err = codec->in.err = &codec->errors;
    codec->key = key;
    codec->rgb = malloc((size_t)EXAMPLE_THUMBNAIL_PIXELS * BYTES_A_PIXEL);
    if (codec->rgb)
        return codec;
    free(codec);
    return NULL;
}

static void codec_destroy(struct codec *codec) {
    if (!codec)
        return;
    jpeg_destroy_compress(&codec->out); /* a zeroed one is allowed */
    jpeg_destroy_decompress(&codec->in);
    free(codec->made);
    free(codec->rgb);
    free(codec);
}

static JSAMPROW row(struct codec *codec, unsigned y) {
    return codec->rgb + (size_t)y * EXAMPLE_THUMBNAIL_WIDTH_PX * BYTES_A_PIXEL;
}

static bool has_key(const struct codec *codec) {
    const struct jpeg_marker_struct *remark = codec->in.marker_list;
    const size_t length = strlen(codec->key);
    return remark && remark->data_length == length && memcmp(remark->data, codec->key, length) == 0;
}

static void decode(struct codec *codec) {
    struct jpeg_decompress_struct *in = &codec->in;
    jpeg_create_decompress(in);
    jpeg_mem_src(in, codec->data, codec->size);
    jpeg_save_markers(in, JPEG_COM, KEY_MAX);
    jpeg_read_header(in, TRUE);
    if (in->image_width != EXAMPLE_THUMBNAIL_WIDTH_PX ||
        in->image_height != EXAMPLE_THUMBNAIL_HEIGHT_PX || !has_key(codec))
        return;
    in->out_color_space = JCS_RGB;
    jpeg_start_decompress(in);
    while (in->output_scanline < in->output_height) {
        JSAMPROW line = row(codec, in->output_scanline);
        jpeg_read_scanlines(in, &line, 1);
    }
    jpeg_finish_decompress(in);
    codec->right = codec->errors.num_warnings == 0; /* of data that are broken or missing */
}

static void encode(struct codec *codec) {
    struct jpeg_compress_struct *out = &codec->out;
    jpeg_create_compress(out);
    jpeg_mem_dest(out, &codec->made, &codec->size);
    out->image_width = EXAMPLE_THUMBNAIL_WIDTH_PX;
    out->image_height = EXAMPLE_THUMBNAIL_HEIGHT_PX;
    out->input_components = BYTES_A_PIXEL;
    out->in_color_space = JCS_RGB;
    jpeg_set_defaults(out);
    jpeg_set_quality(out, QUALITY, TRUE);
    jpeg_simple_progression(out); /* smaller */
    jpeg_start_compress(out, TRUE);
    jpeg_write_marker(out, JPEG_COM, (const JOCTET *)codec->key, (unsigned)strlen(codec->key));
    while (out->next_scanline < out->image_height) {
        JSAMPROW line = row(codec, out->next_scanline);
        jpeg_write_scanlines(out, &line, 1);
    }
    jpeg_finish_compress(out);
}

/* --- files --- */

static bool take(const unsigned char *data, size_t size, const char *key, uint32_t *rgba) {
    struct codec *codec = codec_create(key);
    if (!codec)
        return false;
    codec->data = data;
    codec->size = size;
    const bool ok = attempt(codec, decode) && codec->right;
    const unsigned char *rgb = codec->rgb;
    for (size_t i = 0; ok && i < EXAMPLE_THUMBNAIL_PIXELS; i++, rgb += BYTES_A_PIXEL)
        rgba[i] = rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | 0xff000000u;
    codec_destroy(codec);
    return ok;
}

/* The caller frees it. NULL: there is none, or it cannot be read. */
static unsigned char *read_file(const char *path, size_t *length) {
    bool absent, more = false;
    const char *why;
    FILE *file = file_open_silently(path, &absent, &why);
    char *data = file ? file_read_start(file, path, FILE_MAX, length, &more) : NULL;
    if (file)
        fclose(file);
    return (unsigned char *)data;
}

bool example_thumbnail_load(const char *view, uint32_t *rgba) {
    char *path = example_thumbnail_path(view), key[KEY_MAX];
    size_t size = 0;
    unsigned char *data = path ? read_file(path, &size) : NULL;
    const bool ok = data && make_key(view, key) && take(data, size, key, rgba);
    free(data);
    free(path);
    return ok;
}

static bool write_file(const char *path, const unsigned char *data, size_t size) {
    struct atomic_file *file = atomic_file_open(path, false);
    if (!file)
        return false;
    fwrite(data, 1, size, atomic_file_stream(file));
    return atomic_file_commit(file, NULL);
}

bool example_thumbnail_store(const char *view, const uint32_t *rgba) {
    char *path = example_thumbnail_path(view), key[KEY_MAX];
    struct codec *codec = path && make_key(view, key) ? codec_create(key) : NULL;
    unsigned char *rgb = codec ? codec->rgb : NULL;
    for (size_t i = 0; rgb && i < EXAMPLE_THUMBNAIL_PIXELS; i++) {
        *rgb++ = (unsigned char)rgba[i];
        *rgb++ = (unsigned char)(rgba[i] >> 8);
        *rgb++ = (unsigned char)(rgba[i] >> 16);
    }
    const bool made = codec && attempt(codec, encode);
    if (!made)
        log_error("the thumbnail of '%s' cannot be made", view);
    const bool ok = made && write_file(path, codec->made, codec->size);
    codec_destroy(codec);
    free(path);
    return ok;
}
