/* Writer of EXR pictures: one part of scan lines with ZIP compression, packed by OpenEXRCore on all
 * processors and written in order. */
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/files/exr/channels.h"
#include "render/light/light.h"
#include "render/parallel.h"
#include <errno.h>
#include <math.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 4 /* of zlib: higher ones are slower and save little */

struct exr_writer {
    struct atomic_file *file;
    exr_context_t context;
    uint64_t at; /* position in the file */
    int error;   /* errno of a failed write; 0: none */
    struct frame_req req;
    int width_px, height_px;
    size_t offset[CHANNELS]; /* of a channel in a row; SIZE_MAX: the channel does not exist */
    size_t row_bytes;
    uint16_t half[256];  /* linear light of an sRGB byte */
    unsigned char *rows; /* rows with samples: the channels of one row after another */
    int first, sampled,
        done; /* row at the start of `rows`; ends of the rows with samples, and pixels */
};

const char *exr_missing(void) {
    return NULL;
}

bool exr_library(struct image_versions *versions) {
    int numbers[3];
    const char *extra;
    exr_get_library_version(&numbers[0], &numbers[1], &numbers[2], &extra);
    snprintf(versions->compiled, sizeof versions->compiled, "%s", FATHOM_EXR);
    snprintf(versions->linked, sizeof versions->linked, "%d.%d.%d", numbers[0], numbers[1],
             numbers[2]);
    return true;
}

/* --- the file --- */

/* Returns true if the picture of a request has a channel. */
static bool has_channel(const struct frame_req *req, unsigned own, int channel) {
    const unsigned planes = exr_planes(req) & (channel >= CHANNEL_ANGLE ? own : SAMPLE_ALL);
    return !(channel_table[channel].planes & ~planes);
}

size_t exr_pixel_bytes(const struct frame_req *req) {
    size_t bytes = 0;
    for (int c = 0; c < CHANNELS; c++)
        bytes += has_channel(req, SAMPLE_ALL, c) ? channel_bytes(c) : 0;
    return bytes;
}

/* Logs why a step has failed: the system's reason, if a write has failed, or else the library's. */
static bool fail(const struct exr_writer *writer, exr_result_t result) {
    if (writer->error != 0 || result == EXR_ERR_OUT_OF_MEMORY)
        atomic_file_log_failure(writer->file, writer->error != 0 ? writer->error : ENOMEM);
    else
        log_error("cannot write an EXR picture: %s", exr_get_default_error_message(result));
    return false;
}

static void keep_quiet(exr_const_context_t context, exr_result_t result, const char *message) {
    (void)context;
    (void)result;
    (void)message;
}

/* Writes a part of the file; all except the table of chunks follow each other. */
static int64_t write_at(exr_const_context_t context, void *user, const void *data, uint64_t size,
                        uint64_t offset, exr_stream_error_func_ptr_t error) {
    (void)context;
    (void)error;
    struct exr_writer *writer = user;
    FILE *file = atomic_file_stream(writer->file);
    errno = 0;
    if ((writer->at == offset || fseeko(file, (off_t)offset, SEEK_SET) == 0) &&
        fwrite(data, 1, size, file) == size) {
        writer->at = offset + size;
        return (int64_t)size;
    }
    writer->error = errno != 0 ? errno : EIO;
    return -1;
}

static exr_result_t add_channels(struct exr_writer *writer) {
    exr_result_t result = EXR_ERR_SUCCESS;
    for (int c = 0; c < CHANNELS && result == EXR_ERR_SUCCESS; c++)
        if (writer->offset[c] < SIZE_MAX)
            result = exr_add_channel(writer->context, 0, channel_table[c].name,
                                     (exr_pixel_type_t)channel_table[c].type,
                                     EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    return result;
}

static exr_result_t put_header(struct exr_writer *writer, const char *path, const char *text) {
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = keep_quiet;
    how.user_data = writer;
    how.write_fn = write_at;
    int part;
    exr_result_t result = exr_start_write(&writer->context, path, EXR_WRITE_FILE_DIRECTLY, &how);
    if (result == EXR_ERR_SUCCESS)
        result = exr_add_part(writer->context, NULL, EXR_STORAGE_SCANLINE, &part);
    if (result == EXR_ERR_SUCCESS)
        result = exr_initialize_required_attr_simple(writer->context, 0, writer->width_px,
                                                     writer->height_px, EXR_COMPRESSION_ZIP);
    if (result == EXR_ERR_SUCCESS)
        result = exr_set_zip_compression_level(writer->context, 0, LEVEL);
    if (result == EXR_ERR_SUCCESS)
        result = exr_attr_set_int(writer->context, 0, "Iterations", (int32_t)writer->req.limit);
    if (result == EXR_ERR_SUCCESS)
        result = exr_attr_set_int(writer->context, 0, "IterationsBias", EXR_BIAS);
    if (result == EXR_ERR_SUCCESS && text)
        result = exr_attr_set_string(writer->context, 0, "fathom", text);
    if (result == EXR_ERR_SUCCESS)
        result = add_channels(writer);
    return result == EXR_ERR_SUCCESS ? exr_write_header(writer->context) : result;
}

/* Returns a number of 0 .. 1 as 16 bits, rounded; 0 if it is below 2^-14. */
static uint16_t half_of(double x) {
    int exponent;
    const double part = frexp(x, &exponent);
    if (x < 0x1p-14)
        return 0;
    return (uint16_t)(((exponent + 14) << 10) + lrint((2 * part - 1) * 1024));
}

/* Chooses the places of channels in a row: multiples of four bytes. */
static void lay_out(struct exr_writer *writer, unsigned own) {
    for (int c = 0; c < CHANNELS; c++) {
        const bool exists = has_channel(&writer->req, own, c);
        const size_t bytes = channel_bytes(c) * (size_t)writer->width_px;
        writer->offset[c] = exists ? writer->row_bytes : SIZE_MAX;
        writer->row_bytes += exists ? (bytes + 3) / 4 * 4 : 0;
    }
    for (int byte = 0; byte < 256; byte++)
        writer->half[byte] = half_of(light_curve(byte / 255.0));
}

struct exr_writer *exr_writer_open(const char *path, const struct frame_req *req, unsigned own,
                                   const char *text) {
    struct exr_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        log_error("cannot write '%s': %s", path, strerror(ENOMEM));
        return NULL;
    }
    frame_req_init_copy(&writer->req, req);
    frame_req_whole(req, &writer->width_px, &writer->height_px);
    lay_out(writer, own);
    writer->file = atomic_file_open(path, false);
    exr_result_t result = EXR_ERR_SUCCESS;
    if (writer->file && !atomic_file_seekable(writer->file))
        log_error("cannot write '%s': an EXR picture needs a file that can be positioned", path);
    else if (writer->file && (result = put_header(writer, path, text)) == EXR_ERR_SUCCESS)
        return writer;
    if (result != EXR_ERR_SUCCESS)
        fail(writer, result);
    exr_writer_abandon(writer);
    return NULL;
}

/* --- samples --- */

/* Returns the place of a channel in a row that has samples. */
static unsigned char *place_of(const struct exr_writer *writer, int y, int channel) {
    return writer->rows + (size_t)(y - writer->first) * writer->row_bytes + writer->offset[channel];
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
        const int y = writer->first + (int)i;
        void *to[CHANNELS];
        for (int c = 0; c < CHANNELS; c++)
            to[c] = writer->offset[c] < SIZE_MAX ? place_of(writer, y, c) : NULL;
        const struct sample_planes row =
            sample_planes_from(storing->planes, (size_t)i * (size_t)writer->width_px);
        channels_store(&writer->req, y, &row, to);
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

/* Chunk that a thread packs. */
struct chunk {
    exr_encode_pipeline_t pipeline;
    exr_result_t result;
};

/* Chunks of some rows. */
struct packing {
    const struct exr_writer *writer;
    const uint32_t *rgba;
    int rows;
    struct chunk *chunks;
};

static void store_colours(const struct exr_writer *writer, int y, const uint32_t *rgba) {
    unsigned char *const to[] = {place_of(writer, y, CHANNEL_R), place_of(writer, y, CHANNEL_G),
                                 place_of(writer, y, CHANNEL_B)};
    for (int x = 0; x < writer->width_px; x++)
        for (int c = 0; c < 3; c++)
            memcpy(to[c] + 2 * (size_t)x, &writer->half[rgba[x] >> 8 * c & 0xff], 2);
}

/* Packs the chunk that begins with row y, without writing it. */
static exr_result_t pack(const struct exr_writer *writer, int y, exr_encode_pipeline_t *pipeline) {
    exr_chunk_info_t info;
    exr_result_t result = exr_write_scanline_chunk_info(writer->context, 0, y, &info);
    if (result == EXR_ERR_SUCCESS)
        result = exr_encoding_initialize(writer->context, 0, &info, pipeline);
    if (result != EXR_ERR_SUCCESS)
        return result;
    for (int i = 0; i < pipeline->channel_count; i++) {
        exr_coding_channel_info_t *to = &pipeline->channels[i];
        to->encode_from_ptr = place_of(writer, y, channel_find(to->channel_name));
        to->user_pixel_stride = to->bytes_per_element;
        to->user_line_stride = (int32_t)writer->row_bytes;
        to->user_bytes_per_element = to->bytes_per_element;
        to->user_data_type = to->data_type;
    }
    result = exr_encoding_choose_default_routines(writer->context, 0, pipeline);
    pipeline->yield_until_ready_fn = NULL;
    pipeline->write_fn = NULL;
    return result == EXR_ERR_SUCCESS ? exr_encoding_run(writer->context, 0, pipeline) : result;
}

static void pack_chunks(void *user, uint32_t begin, uint32_t end) {
    const struct packing *packing = user;
    const struct exr_writer *writer = packing->writer;
    for (uint32_t i = begin; i < end; i++) {
        const int from = (int)i * EXR_ROWS, left = packing->rows - from;
        const int rows = left < EXR_ROWS ? left : EXR_ROWS;
        for (int y = from; y < from + rows; y++)
            store_colours(writer, writer->done + y,
                          packing->rgba + (size_t)y * (size_t)writer->width_px);
        struct chunk *chunk = &packing->chunks[i];
        chunk->result = pack(writer, writer->done + from, &chunk->pipeline);
    }
}

/* Writes a chunk, unless an earlier step has failed, and frees it. Returns the result of all
 * steps. */
static exr_result_t write_chunk(const struct exr_writer *writer, struct chunk *chunk, int y,
                                exr_result_t before) {
    const exr_result_t packed = before == EXR_ERR_SUCCESS ? chunk->result : before;
    const exr_result_t result =
        packed == EXR_ERR_SUCCESS
            ? exr_write_scanline_chunk(writer->context, 0, y, chunk->pipeline.compressed_buffer,
                                       chunk->pipeline.compressed_bytes)
            : packed;
    if (chunk->pipeline.channels)
        exr_encoding_destroy(writer->context, &chunk->pipeline);
    return result;
}

bool exr_writer_pixels(struct exr_writer *writer, const uint32_t *rgba, int rows) {
    require(writer->done + rows <= writer->sampled, false);
    require(rows % EXR_ROWS == 0 || writer->done + rows == writer->height_px, false);
    const uint32_t count = (uint32_t)(rows + EXR_ROWS - 1) / EXR_ROWS;
    struct packing packing = {writer, rgba, rows, calloc(count, sizeof *packing.chunks)};
    exr_result_t result = packing.chunks ? EXR_ERR_SUCCESS : EXR_ERR_OUT_OF_MEMORY;
    if (packing.chunks)
        parallel_for(count, 1, pack_chunks, &packing);
    for (uint32_t i = 0; packing.chunks && i < count; i++)
        result = write_chunk(writer, &packing.chunks[i], writer->done + (int)i * EXR_ROWS, result);
    free(packing.chunks);
    writer->done += rows;
    return result == EXR_ERR_SUCCESS || fail(writer, result);
}

bool exr_writer_commit(struct exr_writer *writer) {
    require(writer->done == writer->height_px, false);
    const exr_result_t result = exr_finish(&writer->context); /* writes the table of chunks */
    bool ok = result == EXR_ERR_SUCCESS || fail(writer, result);
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
    if (writer->context)
        exr_finish(&writer->context);
    atomic_file_abandon(writer->file);
    frame_req_finish(&writer->req);
    free(writer->rows);
    free(writer);
}
