/* EXR pictures: writes one part of scan lines with ZIP compression (openexr.com, "OpenEXR File
 * Layout"). Numbers in the file are little-endian, as on all machines that fathom runs on. */
#include "render/files/exr.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/formula/fractal.h"
#include "render/grid/exponential.h"
#include "render/light/light.h"
#include "render/parallel.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#define LEVEL 4 /* of zlib, as in OpenEXR: higher ones are slower and save little */

enum pixel_type { EXR_UINT, EXR_HALF, EXR_FLOAT };

/* Channels in the order of the file, which sorts them by name. */
enum channel {
    CHANNEL_B,
    CHANNEL_DEX,
    CHANNEL_DEY,
    CHANNEL_G,
    CHANNEL_N,
    CHANNEL_NF,
    CHANNEL_R,
    CHANNEL_T,
    CHANNELS
};
static const struct {
    const char *name;
    enum pixel_type type;
    size_t bytes;
    bool slope; /* exists for formulas with slopes */
} channels[CHANNELS] = {
    {"B", EXR_HALF, 2, false}, {"DEX", EXR_FLOAT, 4, true}, {"DEY", EXR_FLOAT, 4, true},
    {"G", EXR_HALF, 2, false}, {"N", EXR_UINT, 4, false},   {"NF", EXR_FLOAT, 4, false},
    {"R", EXR_HALF, 2, false}, {"T", EXR_FLOAT, 4, true},
};

struct exr_writer {
    struct atomic_file *file;
    struct frame_req req;
    int width_px, height_px;
    size_t offset[CHANNELS]; /* of a channel in a row; SIZE_MAX: the channel does not exist */
    size_t row_bytes;
    uint16_t half[256];  /* linear light of an sRGB byte */
    unsigned char *rows; /* rows with samples: the channels of one row after another */
    int first, sampled,
        done;        /* row at the start of `rows`; ends of the rows with samples, and pixels */
    uint64_t *chunk; /* positions of the chunks in the file */
};

bool exr_is_name(const char *path) {
    const char *ending = path ? strrchr(path, '.') : NULL;
    return ending && strcasecmp(ending, ".exr") == 0;
}

unsigned exr_planes(const struct frame_req *req) {
    return SAMPLE_BASIC | (fractal_has_slopes(&req->fractal) ? SAMPLE_SLOPE : 0);
}

/* --- header --- */

/* Returns a number of 0 .. 1 as 16 bits, rounded; 0 if it is below 2^-14. */
static uint16_t half_of(double x) {
    int exponent;
    const double part = frexp(x, &exponent);
    if (x < 0x1p-14)
        return 0;
    return (uint16_t)(((exponent + 14) << 10) + lrint((2 * part - 1) * 1024));
}

static void put(FILE *file, const void *data, size_t size) {
    fwrite(data, 1, size, file);
}

static void put_int(FILE *file, int32_t x) {
    put(file, &x, sizeof x);
}

/* Begins an attribute, of which the value with `size` bytes follows. */
static void put_attribute(FILE *file, const char *name, const char *type, size_t size) {
    put(file, name, strlen(name) + 1);
    put(file, type, strlen(type) + 1);
    put_int(file, (int32_t)size);
}

static void put_ints(FILE *file, const char *name, const char *type, const int32_t *x, size_t n) {
    put_attribute(file, name, type, n * sizeof *x);
    put(file, x, n * sizeof *x);
}

static void put_byte(FILE *file, const char *name, const char *type, int byte) {
    put_attribute(file, name, type, 1);
    fputc(byte, file);
}

static void put_channels(FILE *file, const struct exr_writer *writer) {
    size_t size = 1;
    for (int i = 0; i < CHANNELS; i++)
        size += writer->offset[i] < SIZE_MAX ? strlen(channels[i].name) + 17 : 0;
    put_attribute(file, "channels", "chlist", size);
    for (int i = 0; i < CHANNELS; i++) {
        const int32_t numbers[] = {(int32_t)channels[i].type, 0, 1, 1};
        if (writer->offset[i] == SIZE_MAX)
            continue;
        put(file, channels[i].name, strlen(channels[i].name) + 1);
        put(file, numbers, sizeof numbers);
    }
    fputc(0, file);
}

static void put_header(const struct exr_writer *writer, const char *text) {
    static const unsigned char magic[] = {0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0};
    static const float one = 1, centre[2] = {0, 0};
    FILE *file = atomic_file_stream(writer->file);
    const int32_t window[4] = {0, 0, writer->width_px - 1, writer->height_px - 1};
    const int32_t limit = (int32_t)writer->req.limit, bias = EXR_BIAS;
    put(file, magic, sizeof magic);
    put_ints(file, "Iterations", "int", &limit, 1);
    put_ints(file, "IterationsBias", "int", &bias, 1);
    put_channels(file, writer);
    put_byte(file, "compression", "compression", 3); /* ZIP, EXR_ROWS rows in a chunk */
    put_ints(file, "dataWindow", "box2i", window, 4);
    put_ints(file, "displayWindow", "box2i", window, 4);
    if (text) {
        put_attribute(file, "fathom", "string", strlen(text));
        put(file, text, strlen(text));
    }
    put_byte(file, "lineOrder", "lineOrder", 0); /* from the top down */
    put_attribute(file, "pixelAspectRatio", "float", sizeof one);
    put(file, &one, sizeof one);
    put_attribute(file, "screenWindowCenter", "v2f", sizeof centre);
    put(file, centre, sizeof centre);
    put_attribute(file, "screenWindowWidth", "float", sizeof one);
    put(file, &one, sizeof one);
    fputc(0, file);
}

static int chunks_of(const struct exr_writer *writer) {
    return (writer->height_px + EXR_ROWS - 1) / EXR_ROWS;
}

static void lay_out(struct exr_writer *writer) {
    const bool slopes = exr_planes(&writer->req) & SAMPLE_SLOPE;
    for (int i = 0; i < CHANNELS; i++) {
        const bool exists = slopes || !channels[i].slope;
        writer->offset[i] = exists ? writer->row_bytes : SIZE_MAX;
        writer->row_bytes += exists ? channels[i].bytes * (size_t)writer->width_px : 0;
    }
    for (int byte = 0; byte < 256; byte++)
        writer->half[byte] = half_of(light_curve(byte / 255.0));
}

struct exr_writer *exr_writer_open(const char *path, const struct frame_req *req,
                                   const char *text) {
    struct exr_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        log_error("cannot write '%s': %s", path, strerror(ENOMEM));
        return NULL;
    }
    frame_req_init_copy(&writer->req, req);
    frame_req_whole(req, &writer->width_px, &writer->height_px);
    lay_out(writer);
    const size_t size = (size_t)chunks_of(writer) * sizeof *writer->chunk;
    writer->chunk = memory_alloc(size, "an EXR picture");
    writer->file = writer->chunk ? atomic_file_open(path, false) : NULL;
    if (!writer->file)
        goto error;
    if (!atomic_file_seekable(writer->file)) {
        log_error("cannot write '%s': an EXR picture needs a file that can be positioned", path);
        goto error;
    }
    memset(writer->chunk, 0, size);
    put_header(writer, text);
    put(atomic_file_stream(writer->file), writer->chunk, size); /* filled in at the end */
    return writer;

error:
    exr_writer_abandon(writer);
    return NULL;
}

/* --- samples --- */

/* Returns the place of a channel in a row that has samples. */
static unsigned char *place_of(const struct exr_writer *writer, int y, enum channel channel) {
    return writer->rows + (size_t)(y - writer->first) * writer->row_bytes + writer->offset[channel];
}

static void store_float(unsigned char *row, int x, float value) {
    memcpy(row + (size_t)x * sizeof value, &value, sizeof value);
}

static void store_int(unsigned char *row, int x, uint32_t value) {
    memcpy(row + (size_t)x * sizeof value, &value, sizeof value);
}

/* Stores count and fraction, so that the fraction is within 0 .. 1. */
static void store_counts(const struct exr_writer *writer, int y, const uint32_t *count,
                         const float *fraction) {
    unsigned char *n = place_of(writer, y, CHANNEL_N), *nf = place_of(writer, y, CHANNEL_NF);
    for (int x = 0; x < writer->width_px; x++) {
        const bool interior = count[x] & SAMPLE_INTERIOR;
        const float whole = interior ? 0 : floorf(fraction[x]);
        const float rest = interior ? 0 : fraction[x] - whole;
        const bool up = rest >= 1; /* a tiny negative fraction */
        const int64_t steps = (int64_t)count[x] + (int64_t)whole + up + EXR_BIAS;
        store_int(n, x, interior ? UINT32_MAX : (uint32_t)steps);
        store_float(nf, x, up ? 0 : rest);
    }
}

/* Stores a distance with the direction (nr, ni) of the rising escape in the plane, in pixels of the
 * picture: the logarithm of |z| over its derivatives along the row and, upwards, along the column,
 * as 1 / (a + ib). */
static void store_distance(const struct exr_writer *writer, int x, int y, double distance,
                           uint32_t normal) {
    const double nr = (int16_t)(normal & 0xffffu) / 32767.0, ni = (int16_t)(normal >> 16) / 32767.0;
    struct exponential_pixel pixel = {1, 1, cos(writer->req.view.angle),
                                      sin(writer->req.view.angle)};
    double a = nr * pixel.re + ni * pixel.im, b = ni * pixel.re - nr * pixel.im;
    if (writer->req.projection == PROJECTION_EXPONENTIAL) {
        /* Columns go clockwise, and rows inwards; the distance is in heights of the pixels. */
        pixel = exponential_pixel(&writer->req, x, y);
        a = (nr * pixel.im - ni * pixel.re) * pixel.across / pixel.down;
        b = nr * pixel.re + ni * pixel.im;
    }
    const double square = a * a + b * b;
    const bool exists = distance > 0 && square > 0;
    store_float(place_of(writer, y, CHANNEL_DEX), x, exists ? (float)(distance * a / square) : 0);
    store_float(place_of(writer, y, CHANNEL_DEY), x, exists ? (float)(distance * b / square) : 0);
}

static void store_slopes(const struct exr_writer *writer, int y, const struct sample_planes *row) {
    unsigned char *t = place_of(writer, y, CHANNEL_T);
    for (int x = 0; x < writer->width_px; x++) {
        const bool interior = row->count[x] & SAMPLE_INTERIOR;
        store_float(t, x, interior ? 0 : (float)(row->angle[x] >> 8) * 0x1p-24f);
        store_distance(writer, x, y, interior ? 0 : (double)row->distance[x], row->normal[x]);
    }
}

/* Rows of samples that several threads store. */
struct storing {
    const struct exr_writer *writer;
    const struct sample_planes *planes;
};

static void store_rows(void *user, uint32_t begin, uint32_t end) {
    const struct storing *storing = user;
    const struct exr_writer *writer = storing->writer;
    for (uint32_t i = begin; i < end; i++) {
        const struct sample_planes row =
            sample_planes_from(storing->planes, (size_t)i * (size_t)writer->width_px);
        store_counts(writer, writer->first + (int)i, row.count, row.fraction);
        if (row.distance)
            store_slopes(writer, writer->first + (int)i, &row);
    }
}

bool exr_writer_samples(struct exr_writer *writer, const struct sample_planes *planes, int rows) {
    require(writer->done == writer->sampled && rows <= writer->height_px - writer->done, false);
    require(!(exr_planes(&writer->req) & ~sample_planes_set(planes)), false);
    struct storing storing = {writer, planes};
    free(writer->rows);
    writer->rows = memory_alloc((uint64_t)rows * writer->row_bytes, "an EXR picture");
    if (!writer->rows)
        return false;
    writer->first = writer->done;
    writer->sampled = writer->done + rows;
    parallel_for((uint32_t)rows, EXR_ROWS, store_rows, &storing);
    return true;
}

/* --- pixels --- */

/* Chunks that several threads compress. */
struct packing {
    const struct exr_writer *writer;
    const uint32_t *rgba;
    int rows;
    unsigned char **packed;
    size_t *size;
};

static void store_colours(const struct exr_writer *writer, int y, const uint32_t *rgba) {
    unsigned char *const to[] = {place_of(writer, y, CHANNEL_R), place_of(writer, y, CHANNEL_G),
                                 place_of(writer, y, CHANNEL_B)};
    for (int x = 0; x < writer->width_px; x++)
        for (int c = 0; c < 3; c++)
            memcpy(to[c] + 2 * (size_t)x, &writer->half[rgba[x] >> 8 * c & 0xff], 2);
}

/* Separates the bytes of even and odd places, and stores the difference of each byte from the one
 * before, plus 128. */
static void predict(const unsigned char *data, size_t size, unsigned char *to) {
    for (size_t i = 0; i < size; i++)
        to[(i & 1) * ((size + 1) / 2) + i / 2] = data[i];
    unsigned char before = size > 0 ? to[0] : 0;
    for (size_t i = 1; i < size; i++) {
        const unsigned char at = to[i];
        to[i] = (unsigned char)(at - before + 128);
        before = at;
    }
}

/* Packs rows; a chunk that does not become smaller is stored as it is. Returns NULL without memory. */
static unsigned char *pack(const unsigned char *data, size_t size, size_t *packed_size) {
    uLongf length = compressBound(size);
    unsigned char *predicted = malloc(size), *packed = malloc(length);
    bool ok = predicted && packed;
    if (ok) {
        predict(data, size, predicted);
        ok = compress2(packed, &length, predicted, size, LEVEL) == Z_OK;
    }
    free(predicted);
    *packed_size = length;
    if (ok && length >= size) {
        memcpy(packed, data, size);
        *packed_size = size;
    }
    if (!ok)
        free(packed);
    return ok ? packed : NULL;
}

static void pack_chunks(void *user, uint32_t begin, uint32_t end) {
    struct packing *packing = user;
    const struct exr_writer *writer = packing->writer;
    for (uint32_t i = begin; i < end; i++) {
        const int from = (int)i * EXR_ROWS, left = packing->rows - from;
        const int rows = left < EXR_ROWS ? left : EXR_ROWS;
        for (int y = from; y < from + rows; y++)
            store_colours(writer, writer->done + y,
                          packing->rgba + (size_t)y * (size_t)writer->width_px);
        const size_t skipped = (size_t)(writer->done - writer->first + from) * writer->row_bytes;
        packing->packed[i] =
            pack(writer->rows + skipped, (size_t)rows * writer->row_bytes, &packing->size[i]);
    }
}

static bool write_chunk(struct exr_writer *writer, int y, const unsigned char *data, size_t size) {
    FILE *file = atomic_file_stream(writer->file);
    const off_t at = ftello(file);
    writer->chunk[y / EXR_ROWS] = (uint64_t)at;
    put_int(file, y);
    put_int(file, (int32_t)size);
    put(file, data, size);
    if (at >= 0 && !ferror(file))
        return true;
    atomic_file_log_failure(writer->file, errno);
    return false;
}

bool exr_writer_pixels(struct exr_writer *writer, const uint32_t *rgba, int rows) {
    require(writer->done + rows <= writer->sampled, false);
    require(rows % EXR_ROWS == 0 || writer->done + rows == writer->height_px, false);
    const uint32_t count = (uint32_t)(rows + EXR_ROWS - 1) / EXR_ROWS;
    struct packing packing = {writer, rgba, rows, calloc(count, sizeof *packing.packed),
                              calloc(count, sizeof *packing.size)};
    bool ok = packing.packed && packing.size;
    if (ok)
        parallel_for(count, 1, pack_chunks, &packing);
    for (uint32_t i = 0; ok && i < count; i++)
        ok = packing.packed[i];
    if (!ok)
        log_error("not enough memory for an EXR picture");
    for (uint32_t i = 0; packing.packed && i < count; i++) {
        ok = ok && write_chunk(writer, writer->done + (int)i * EXR_ROWS, packing.packed[i],
                               packing.size[i]);
        free(packing.packed[i]);
    }
    free(packing.packed);
    free(packing.size);
    writer->done += rows;
    return ok;
}

/* Fills in the positions of the chunks, which end where the first chunk begins. */
static bool put_positions(struct exr_writer *writer) {
    FILE *file = atomic_file_stream(writer->file);
    const size_t size = (size_t)chunks_of(writer) * sizeof *writer->chunk;
    if (fseeko(file, (off_t)(writer->chunk[0] - size), SEEK_SET) == 0 &&
        fwrite(writer->chunk, 1, size, file) == size)
        return true;
    atomic_file_log_failure(writer->file, errno);
    return false;
}

bool exr_writer_commit(struct exr_writer *writer) {
    require(writer->done == writer->height_px, false);
    bool ok = put_positions(writer);
    if (ok) {
        ok = atomic_file_commit(writer->file, NULL);
        writer->file = NULL;
    }
    exr_writer_abandon(writer);
    return ok;
}

void exr_writer_abandon(struct exr_writer *writer) {
    if (!writer)
        return;
    atomic_file_abandon(writer->file);
    frame_req_finish(&writer->req);
    free(writer->rows);
    free(writer->chunk);
    free(writer);
}
