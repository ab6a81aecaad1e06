/* WebP codec (libwebp, if the build has it). The view is stored in a chunk of XMP, which is read
 * without the library. */
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/files/image_codec.h"
#include "render/files/scene.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XMP_BEGIN                                                                                  \
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "                                              \
    "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"                                   \
    "<rdf:Description rdf:about=\"\" xmlns:fathom=\"urn:fathom:view\"><fathom:view>"
#define XMP_END    "</fathom:view></rdf:Description></rdf:RDF></x:xmpmeta>"
#define VIEW_BEGIN "<fathom:view>"
#define VIEW_END   "</fathom:view>"
#define XMP_MAX    (2 * SCENE_TEXT_MAX)
#define CHUNKS_MAX 100000

/* Characters that XML escapes. */
static const struct {
    char plain;
    const char *escaped;
} escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}};
#define ESCAPES (sizeof escapes / sizeof *escapes)

/* --- the text --- */

/* Returns a copy of the view in a chunk of XMP, unescaped; "" if there is none. */
static char *view_of(const char *xmp) {
    const char *begin = strstr(xmp, VIEW_BEGIN);
    const char *end = begin ? strstr(begin, VIEW_END) : NULL;
    if (!end)
        return strdup("");
    begin += strlen(VIEW_BEGIN);
    char *text = strndup(begin, (size_t)(end - begin)), *to = text;
    for (const char *from = text; text && *from; to++) {
        size_t length = 1;
        *to = *from;
        for (size_t i = 0; i < ESCAPES; i++)
            if (strncmp(from, escapes[i].escaped, strlen(escapes[i].escaped)) == 0) {
                *to = escapes[i].plain;
                length = strlen(escapes[i].escaped);
                break;
            }
        from += length;
    }
    if (text)
        *to = '\0';
    return text;
}

static uint32_t number_at(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Moves to the data of the XMP chunk and returns its length, or 0 if there is none. */
static uint32_t find_xmp(FILE *file) {
    unsigned char head[8];
    if (fseeko(file, 12, SEEK_SET) != 0)
        return 0;
    for (int i = 0; i < CHUNKS_MAX && fread(head, 1, sizeof head, file) == sizeof head; i++) {
        const uint32_t length = number_at(head + 4);
        if (memcmp(head, "XMP ", 4) == 0)
            return length;
        if (fseeko(file, (off_t)length + length % 2, SEEK_CUR) != 0)
            return 0;
    }
    return 0;
}

static char *read_comment(FILE *file, const char *path) {
    const uint32_t length = find_xmp(file);
    if (length == 0)
        return strdup("");
    char *xmp = length <= XMP_MAX ? malloc((size_t)length + 1) : NULL, *text = NULL;
    if (xmp && fread(xmp, 1, length, file) == length) {
        xmp[length] = '\0';
        text = view_of(xmp);
    }
    free(xmp);
    if (!text)
        log_error("'%s': the text in this WebP is broken, or too long", path);
    return text;
}

static bool begins(const char *data, size_t length) {
    return length >= 12 && memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBP", 4) == 0;
}

#ifdef FATHOM_WEBP
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

#define FILE_MAX      (1u << 29)
#define PIXELS_A_BYTE 4096u /* more pixels than a byte yields, unless nearly all are one colour */

/* --- writing: collects all pixels, which the encoder needs --- */

struct writing {
    FILE *stream;
    char *comment;
    uint32_t *rgba;
    size_t done; /* pixels */
    int width_px, height_px, quality;
};

static void destroy(void *state) {
    struct writing *w = state;
    if (!w)
        return;
    free(w->comment);
    free(w->rgba);
    free(w);
}

static void *begin(FILE *stream, int width_px, int height_px, const char *comment, bool deep) {
    (void)deep;
    struct writing *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    *w = (struct writing){.stream = stream,
                          .width_px = width_px,
                          .height_px = height_px,
                          .quality = IMAGE_QUALITY,
                          .comment = strdup(comment ? comment : ""),
                          .rgba = malloc((size_t)width_px * (size_t)height_px * sizeof *w->rgba)};
    if (w->comment && w->rgba)
        return w;
    destroy(w);
    errno = ENOMEM;
    return NULL;
}

static void set_quality(void *state, int quality) {
    ((struct writing *)state)->quality = quality;
}

static bool rows(void *state, const void *rgba, int count) {
    struct writing *w = state;
    const size_t pixels = (size_t)w->width_px * (size_t)count;
    memcpy(w->rgba + w->done, rgba, pixels * sizeof *w->rgba);
    w->done += pixels;
    return true;
}

/* Returns the comment as XMP, or NULL if there is no memory. */
static char *xmp_of(const char *comment, size_t *size) {
    char *xmp = NULL;
    FILE *file = open_memstream(&xmp, size);
    if (!file)
        return NULL;
    fputs(XMP_BEGIN, file);
    for (; *comment; comment++) {
        size_t i = 0;
        while (i < ESCAPES && escapes[i].plain != *comment)
            i++;
        if (i < ESCAPES)
            fputs(escapes[i].escaped, file);
        else
            fputc(*comment, file);
    }
    fputs(XMP_END, file);
    return fclose(file) == 0 ? xmp : NULL;
}

static bool encode(struct writing *w, WebPMemoryWriter *memory) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return false;
    config.quality = (float)w->quality;
    config.lossless = w->quality == 100;
    config.use_sharp_yuv = 1; /* colours change from pixel to pixel */
    config.thread_level = 1;
    picture.use_argb = 1;
    picture.width = w->width_px;
    picture.height = w->height_px;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = memory;
    const bool ok = WebPPictureImportRGBX(&picture, (const uint8_t *)w->rgba, 4 * w->width_px) &&
                    WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    return ok;
}

/* Combines the encoded picture and the text into a file. */
static bool assemble(const struct writing *w, const WebPMemoryWriter *memory, WebPData *file) {
    const WebPData picture = {memory->mem, memory->size};
    size_t size = 0;
    char *xmp = xmp_of(w->comment, &size);
    const WebPData text = {(const uint8_t *)xmp, size};
    WebPMux *mux = xmp ? WebPMuxCreate(&picture, 0) : NULL;
    const bool ok = mux && WebPMuxSetChunk(mux, "XMP ", &text, 0) == WEBP_MUX_OK &&
                    WebPMuxAssemble(mux, file) == WEBP_MUX_OK;
    WebPMuxDelete(mux);
    free(xmp);
    return ok;
}

static bool end(void *state) {
    struct writing *w = state;
    WebPMemoryWriter memory;
    WebPData file;
    WebPMemoryWriterInit(&memory);
    WebPDataInit(&file);
    bool ok = encode(w, &memory);
    if (ok && *w->comment)
        ok = assemble(w, &memory, &file);
    errno = ENOMEM;
    if (ok && *w->comment)
        ok = fwrite(file.bytes, 1, file.size, w->stream) == file.size;
    else if (ok)
        ok = fwrite(memory.mem, 1, memory.size, w->stream) == memory.size;
    WebPDataClear(&file);
    WebPMemoryWriterClear(&memory);
    return ok;
}

/* --- reading --- */

/* Decodes a file in memory. The caller frees the pixels. Returns NULL on failure: *problem has the
 * reason, or "" if it is logged. */
static uint32_t *decode(const char *data, size_t length, int *width, int *height,
                        const char **problem) {
    const uint8_t *bytes = (const uint8_t *)data;
    uint32_t *rgba = NULL;
    *problem = "";
    if (!WebPGetInfo(bytes, length, width, height))
        *problem = "the header is broken";
    else if ((uint64_t)*width * (uint64_t)*height > (uint64_t)length * PIXELS_A_BYTE)
        *problem = "the file is cut short";
    else
        rgba = memory_alloc((uint64_t)*width * (uint64_t)*height * sizeof *rgba, "the picture");
    if (rgba && !WebPDecodeRGBAInto(bytes, length, (uint8_t *)rgba,
                                    4 * (size_t)*width * (size_t)*height, 4 * *width)) {
        *problem = "it is broken, or moves";
        free(rgba);
        rgba = NULL;
    }
    return rgba;
}

static bool hand_over(struct image_reading *reading, const uint32_t *rgba, int width, int height) {
    bool ok = image_reading_begin(reading, width, height, false);
    for (int y = 0; ok && y < height; y++) {
        const struct image_part part = {
            .y = y, .step = 1, .count = width, .rgba = rgba + (size_t)y * (size_t)width};
        ok = image_reading_take(reading, &part);
    }
    return ok;
}

static bool read_picture(FILE *file, struct image_reading *reading) {
    size_t length;
    bool more;
    int width, height;
    const char *problem = "it is too large";
    char *data = file_read_start(file, reading->path, FILE_MAX, &length, &more);
    if (!data)
        return false;
    uint32_t *rgba = more ? NULL : decode(data, length, &width, &height, &problem);
    free(data);
    if (!rgba && *problem)
        log_error("'%s': this WebP cannot be read: %s", reading->path, problem);
    const bool ok = rgba && hand_over(reading, rgba, width, height);
    free(rgba);
    return ok;
}

static void versions(struct image_versions *versions) {
    const unsigned version = (unsigned)WebPGetEncoderVersion();
    snprintf(versions->compiled, sizeof versions->compiled, "%s", FATHOM_WEBP);
    snprintf(versions->linked, sizeof versions->linked, "%u.%u.%u", version >> 16,
             version >> 8 & 0xff, version & 0xff);
}

const struct image_codec image_webp = {
    .library = "libwebp",
    .versions = versions,
    .side_max = WEBP_MAX_DIMENSION,
    .begin = begin,
    .set_quality = set_quality,
    .rows = rows,
    .end = end,
    .destroy = destroy,
    .begins = begins,
    .read = read_picture,
    .comment = read_comment,
};
#else
#define MISSING                                                                                    \
    "this fathom was built without WebP, as there was no libwebp (libwebp-dev in Debian)"

static bool read_picture(FILE *file, struct image_reading *reading) {
    (void)file;
    log_error("'%s': " MISSING, reading->path);
    return false;
}

const struct image_codec image_webp = {
    .missing = MISSING,
    .begins = begins,
    .read = read_picture,
    .comment = read_comment,
};
#endif
