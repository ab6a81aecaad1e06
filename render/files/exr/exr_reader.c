/* Reader of EXR pictures: unpacks the channels that contain samples by OpenEXRCore, chunk after
 * chunk from the top down. Sizes are checked before memory is allocated. */
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/files/exr/channels.h"
#include "render/files/scene.h"
#include "render/parallel.h"
#include <math.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_MAX (256u << 20) /* [bytes] largest unpacked chunk */

/* Attributes that contain a view or a location, the best first. */
static const char *const texts[] = {"fathom", "KallesFraktaler2+", "Fraktaler3"};

struct exr_reader {
    char *path;
    FILE *file;
    int64_t length; /* of the file [bytes] */
    exr_context_t context;
    struct exr_facts facts;
    char *text;     /* memory of facts.text */
    int y0;         /* number of the first row in the file */
    uint32_t exist; /* set of channels in the file */
    struct channels_file numbers;
    /* Set by exr_reader_begin: */
    uint32_t wanted; /* set of channels that are read */
    exr_decode_pipeline_t pipeline;
    bool unpacking;       /* the pipeline is initialised */
    int done, chunk_rows; /* number of rows that are read; rows in a chunk */
    uint32_t *values;     /* a chunk of each channel that is read */
    struct sample_planes planes;
};

static bool fail(const struct exr_reader *reader, const char *why) {
    log_error("cannot read '%s': %s", reader->path, why);
    return false;
}

/* Logs the library's reason for a result. Returns true if there is none. */
static bool passes(const struct exr_reader *reader, exr_result_t result) {
    return result == EXR_ERR_SUCCESS || fail(reader, exr_get_default_error_message(result));
}

static void keep_quiet(exr_const_context_t context, exr_result_t result, const char *message) {
    (void)context;
    (void)result;
    (void)message;
}

/* Allocates memory that is 0, as damaged chunks may leave parts of it unset. */
static void *allocate(size_t size) {
    return calloc(1, size);
}

static int64_t read_at(exr_const_context_t context, void *user, void *data, uint64_t size,
                       uint64_t offset, exr_stream_error_func_ptr_t error) {
    (void)context;
    (void)error;
    const struct exr_reader *reader = user;
    return offset > INT64_MAX ? -1 : pread(fileno(reader->file), data, size, (off_t)offset);
}

static int64_t size_of(exr_const_context_t context, void *user) {
    (void)context;
    const struct exr_reader *reader = user;
    return reader->length;
}

/* --- header --- */

static bool start(struct exr_reader *reader) {
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.error_handler_fn = keep_quiet;
    how.alloc_fn = allocate;
    how.free_fn = free;
    how.user_data = reader;
    how.read_fn = read_at;
    how.size_fn = size_of;
    how.max_image_width = how.max_image_height = FRAME_SIZE_MAX;
    how.flags =
        EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return passes(reader, exr_start_read(&reader->context, reader->path, &how));
}

static bool read_size(struct exr_reader *reader) {
    exr_attr_box2i_t window;
    if (!passes(reader, exr_get_data_window(reader->context, 0, &window)))
        return false;
    const int64_t width = (int64_t)window.max.x - window.min.x + 1;
    const int64_t height = (int64_t)window.max.y - window.min.y + 1;
    if (width < 1 || width > FRAME_SIZE_MAX || height < 1 || height > FRAME_SIZE_MAX)
        return fail(reader, "a side has from 1 to 65536 pixels, which it has not");
    reader->facts.width_px = (int)width;
    reader->facts.height_px = (int)height;
    reader->y0 = window.min.y;
    return true;
}

/* Finds the channels that contain samples. Others, and those without a value for each pixel, do not
 * exist for the reader. */
static bool read_channels(struct exr_reader *reader) {
    const exr_attr_chlist_t *list;
    if (!passes(reader, exr_get_channels(reader->context, 0, &list)))
        return false;
    for (int i = 0; i < list->num_channels; i++) {
        const exr_attr_chlist_entry_t *entry = &list->entries[i];
        const int c = channel_find(entry->name.str);
        if (c >= 0 && entry->x_sampling == 1 && entry->y_sampling == 1)
            reader->exist |= 1u << c;
    }
    reader->facts.planes = channels_planes(reader->exist);
    if (!(reader->facts.planes & SAMPLE_PLANE_BIT(count)))
        reader->facts.planes = 0;
    return true;
}

/* Reads numbers of samples. A limit beyond 2^31 is a string. */
static void read_numbers(struct exr_reader *reader) {
    int32_t number, length;
    const char *text;
    if (exr_attr_get_int(reader->context, 0, "IterationsBias", &number) == EXR_ERR_SUCCESS)
        reader->numbers.bias = number;
    if (exr_attr_get_int(reader->context, 0, "Iterations", &number) == EXR_ERR_SUCCESS)
        reader->facts.limit = number > 0 ? (uint32_t)number : 0;
    else if (exr_attr_get_string(reader->context, 0, "Iterations", &length, &text) ==
             EXR_ERR_SUCCESS)
        reader->facts.limit = FRAME_LIMIT_MAX;
    reader->numbers.limit = reader->facts.limit;
}

static bool read_text(struct exr_reader *reader) {
    int32_t length;
    const char *text;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !reader->text; i++) {
        if (exr_attr_get_string(reader->context, 0, texts[i], &length, &text) != EXR_ERR_SUCCESS ||
            length <= 0 || length > SCENE_TEXT_MAX)
            continue;
        reader->text = strndup(text, (size_t)length);
        if (!reader->text)
            return fail(reader, "not enough memory");
        reader->facts.own = i == 0;
    }
    reader->facts.text = reader->text;
    return true;
}

struct exr_reader *exr_reader_open(const char *path) {
    FILE *file = file_open(path);
    struct exr_reader *reader = file ? calloc(1, sizeof *reader) : NULL;
    char *copy = reader ? strdup(path) : NULL;
    if (!copy) {
        if (file)
            log_error("cannot read '%s': not enough memory", path);
        if (file)
            fclose(file);
        free(reader);
        return NULL;
    }
    reader->path = copy;
    reader->file = file;
    reader->length = (int64_t)file_length(file);
    if (start(reader) && read_size(reader) && read_channels(reader) && read_text(reader)) {
        read_numbers(reader);
        return reader;
    }
    exr_reader_close(reader);
    return NULL;
}

char *exr_text(const char *path) {
    struct exr_reader *reader = exr_reader_open(path);
    char *text = reader ? strdup(reader->text ? reader->text : "") : NULL;
    exr_reader_close(reader);
    return text;
}

const struct exr_facts *exr_reader_facts(const struct exr_reader *reader) {
    return &reader->facts;
}

/* --- samples --- */

/* Checks what only the pixels depend on. */
static bool can_unpack(const struct exr_reader *reader) {
    exr_storage_t storage;
    exr_compression_t compression;
    uint64_t bytes;
    if (!passes(reader, exr_get_storage(reader->context, 0, &storage)) ||
        !passes(reader, exr_get_compression(reader->context, 0, &compression)))
        return false;
    if (storage != EXR_STORAGE_SCANLINE)
        return fail(reader, "its pixels are in tiles or have a depth; save it in scan lines");
    if (compression >= EXR_COMPRESSION_DWAA)
        return fail(reader, "fathom does not unpack DWA, which changes samples; save it with ZIP");
    return passes(reader, exr_get_chunk_unpacked_size(reader->context, 0, &bytes)) &&
           (bytes <= CHUNK_MAX || fail(reader, "its chunks are larger than 256 MiB"));
}

/* Returns the channels that contain a set of planes; fathom's own are preferred. */
static uint32_t channels_wanted(const struct exr_reader *reader, unsigned planes) {
    const uint32_t own = reader->exist & ~((1u << CHANNEL_ANGLE) - 1);
    const unsigned others = planes & ~channels_planes(own);
    uint32_t wanted = 0;
    for (int c = 0; c < CHANNELS; c++)
        if (reader->exist >> c & 1 && channel_table[c].planes & (own >> c & 1 ? planes : others))
            wanted |= 1u << c;
    return wanted;
}

static void end_unpacking(struct exr_reader *reader) {
    if (reader->unpacking)
        exr_decoding_destroy(reader->context, &reader->pipeline);
    reader->unpacking = false;
}

bool exr_reader_begin(struct exr_reader *reader, unsigned planes, double angle) {
    int32_t rows;
    planes = (planes | SAMPLE_BASIC) & SAMPLE_ALL;
    require(!(planes & ~(reader->facts.planes | SAMPLE_PLANE_BIT(fraction))), false);
    reader->numbers.cos = cos(angle);
    reader->numbers.sin = sin(angle);
    reader->wanted = channels_wanted(reader, planes);
    reader->done = 0;
    if (!can_unpack(reader) ||
        !passes(reader, exr_get_scanlines_per_chunk(reader->context, 0, &rows)))
        return false;
    reader->chunk_rows = rows < reader->facts.height_px ? rows : reader->facts.height_px;
    const size_t samples = (size_t)reader->chunk_rows * (size_t)reader->facts.width_px;
    end_unpacking(reader);
    const uint64_t count = (uint64_t)__builtin_popcount(reader->wanted);
    free(reader->values);
    sample_planes_finish(&reader->planes);
    reader->values =
        memory_alloc(count * samples * SAMPLE_PLANE_BYTES, "samples of an EXR picture");
    return reader->values &&
           sample_planes_init(&reader->planes, planes, samples, "samples of an EXR picture");
}

/* Returns the values of a channel in the chunk. */
static uint32_t *values_of(const struct exr_reader *reader, int channel) {
    const uint64_t before = (uint64_t)__builtin_popcount(reader->wanted & ((1u << channel) - 1));
    return reader->values + before * (size_t)reader->chunk_rows * (size_t)reader->facts.width_px;
}

/* Checks the size of a chunk that should contain `rows` rows from row y on. */
static bool is_sound(const struct exr_reader *reader, const exr_chunk_info_t *chunk, int y,
                     int rows) {
    const bool sound =
        chunk->start_y == y && chunk->height == rows && chunk->width == reader->facts.width_px &&
        (chunk->compression == EXR_COMPRESSION_NONE ? chunk->packed_size == chunk->unpacked_size
                                                    : chunk->packed_size <= chunk->unpacked_size);
    return sound || fail(reader, "a chunk of pixels is damaged");
}

static bool unpack(struct exr_reader *reader, const exr_chunk_info_t *chunk) {
    exr_decode_pipeline_t *pipeline = &reader->pipeline;
    const bool first = !reader->unpacking;
    if (!passes(reader, first ? exr_decoding_initialize(reader->context, 0, chunk, pipeline)
                              : exr_decoding_update(reader->context, 0, chunk, pipeline)))
        return false;
    reader->unpacking = true;
    for (int i = 0; i < pipeline->channel_count; i++) {
        exr_coding_channel_info_t *to = &pipeline->channels[i];
        const int c = channel_find(to->channel_name);
        const bool wanted = c >= 0 && reader->wanted >> c & 1;
        const bool whole = wanted && channel_table[c].type == CHANNEL_UINT;
        to->decode_to_ptr = wanted ? (uint8_t *)values_of(reader, c) : NULL;
        to->user_data_type = whole ? EXR_PIXEL_UINT : EXR_PIXEL_FLOAT;
        to->user_bytes_per_element = SAMPLE_PLANE_BYTES;
        to->user_pixel_stride = SAMPLE_PLANE_BYTES;
        to->user_line_stride = SAMPLE_PLANE_BYTES * reader->facts.width_px;
    }
    return (!first ||
            passes(reader, exr_decoding_choose_default_routines(reader->context, 0, pipeline))) &&
           passes(reader, exr_decoding_run(reader->context, 0, pipeline));
}

static void load_rows(void *user, uint32_t begin, uint32_t end) {
    const struct exr_reader *reader = user;
    const size_t width = (size_t)reader->facts.width_px;
    for (uint32_t i = begin; i < end; i++) {
        const void *from[CHANNELS];
        for (int c = 0; c < CHANNELS; c++)
            from[c] = reader->wanted >> c & 1 ? values_of(reader, c) + i * width : NULL;
        const struct sample_planes row = sample_planes_from(&reader->planes, i * width);
        channels_load(&reader->numbers, from, width, &row);
    }
}

int exr_reader_rows(struct exr_reader *reader, struct sample_planes *planes) {
    exr_chunk_info_t chunk;
    const int y = reader->y0 + reader->done, left = reader->facts.height_px - reader->done;
    const int rows = left < reader->chunk_rows ? left : reader->chunk_rows;
    if (rows == 0)
        return 0;
    if (!passes(reader, exr_read_scanline_chunk_info(reader->context, 0, y, &chunk)))
        return -1;
    if (!is_sound(reader, &chunk, y, rows) || !unpack(reader, &chunk))
        return -1;
    parallel_for((uint32_t)rows, 16, load_rows, reader);
    reader->done += rows;
    *planes = reader->planes;
    return rows;
}

void exr_reader_close(struct exr_reader *reader) {
    if (!reader)
        return;
    end_unpacking(reader);
    if (reader->context)
        exr_finish(&reader->context);
    sample_planes_finish(&reader->planes);
    free(reader->values);
    free(reader->text);
    free(reader->path);
    fclose(reader->file);
    free(reader);
}
