/* Posters as BigTIFF (libtiff): all levels are directories at the start of the file, and tiles
 * follow in the order of writing. A tile that is not written has a length of 0. */
#include "render/base/log.h"
#include "render/files/poster/tile_store.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FATHOM_TIFF
#include <tiffio.h>

#define DEFLATE_LEVEL 1 /* 4 takes half as long again for 5 % less */
#define ZSTD_LEVEL    3
#define COPY_MOST     (2 * TILE_BYTES) /* a compressed tile that is longer is damaged */

/* Logs a message of libtiff. errno stays the system's reason. */
static int on_message(TIFF *tiff, void *user, const char *module, const char *format,
                      va_list args) {
    const int error = errno;
    char text[200];
    (void)tiff;
    (void)user;
    vsnprintf(text, sizeof text, format, args);
    log_debug("libtiff: %s: %s", module ? module : "", text);
    errno = error;
    return 1;
}

/* Sets errno if the system gave no reason for a failure. */
static bool checked(bool ok) {
    if (!ok && errno == 0)
        errno = EIO;
    return ok;
}

/* Opens a descriptor, which the handle then owns, or else a path. `most`: bytes of the largest
 * piece of memory; 0: unlimited. */
static TIFF *open_limited(int fd, const char *path, const char *mode, tmsize_t most) {
    errno = 0;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, most);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_message, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_message, NULL);
    TIFF *tiff =
        path ? TIFFOpenExt(path, mode, options) : TIFFFdOpenExt(fd, "a poster", mode, options);
    TIFFOpenOptionsFree(options);
    checked(tiff);
    return tiff;
}

static TIFF *open_quietly(int fd, const char *path, const char *mode) {
    return open_limited(fd, path, mode, 0);
}

static uint16_t scheme_of(enum poster_compression compression) {
    return compression == POSTER_ZSTD ? COMPRESSION_ZSTD : COMPRESSION_ADOBE_DEFLATE;
}

static bool describe(TIFF *tiff, const struct poster_shape *shape, int level) {
    const uint32_t width = (uint32_t)poster_side(shape->width_px, level);
    const uint32_t height = (uint32_t)poster_side(shape->height_px, level);
    return TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, level > 0 ? FILETYPE_REDUCEDIMAGE : 0) &&
           TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width) &&
           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height) &&
           TIFFSetField(tiff, TIFFTAG_TILEWIDTH, POSTER_TILE) &&
           TIFFSetField(tiff, TIFFTAG_TILELENGTH, POSTER_TILE) &&
           TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8) &&
           TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3) &&
           TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB) &&
           TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
           TIFFSetField(tiff, TIFFTAG_COMPRESSION, scheme_of(shape->compression)) &&
           TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL) &&
           (level > 0 || TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, shape->text));
}

static bool create(int fd, const struct poster_shape *shape) {
    TIFF *tiff = open_quietly(fd, NULL, "w8");
    if (!tiff) {
        const int error = errno;
        close(fd);
        errno = error;
        return false;
    }
    bool ok = true;
    for (int level = 0; ok && level < shape->levels; level++)
        ok = describe(tiff, shape, level) && TIFFWriteCheck(tiff, 1, "a poster") &&
             TIFFWriteDirectory(tiff);
    checked(ok);
    const int error = errno;
    TIFFClose(tiff);
    errno = error;
    return ok;
}

/* Turns to a level. Levels of compression are not in the file. */
static bool turn(void *handle, int level) {
    TIFF *tiff = handle;
    uint16_t scheme = 0;
    errno = 0;
    if (!checked(TIFFSetDirectory(tiff, (tdir_t)level)))
        return false;
    TIFFGetField(tiff, TIFFTAG_COMPRESSION, &scheme);
    return checked(scheme == COMPRESSION_ZSTD
                       ? TIFFSetField(tiff, TIFFTAG_ZSTD_LEVEL, ZSTD_LEVEL)
                       : TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, DEFLATE_LEVEL));
}

static void *open_file(const char *path, bool writing) {
    return open_quietly(-1, path, writing ? "r+" : "r");
}

static bool same_text(TIFF *tiff, const char *text) {
    const char *found = NULL;
    return TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &found) && found &&
           strcmp(found, text) == 0;
}

static bool fits(void *handle, const struct poster_shape *shape) {
    TIFF *tiff = handle;
    uint32_t width = 0, height = 0, columns = 0, rows = 0;
    uint16_t scheme = 0, bits = 0;
    if ((int)TIFFNumberOfDirectories(tiff) != shape->levels || !turn(tiff, 0))
        return false;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &columns);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &rows);
    TIFFGetField(tiff, TIFFTAG_COMPRESSION, &scheme);
    TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    return width == (uint32_t)shape->width_px && height == (uint32_t)shape->height_px &&
           columns == POSTER_TILE && rows == POSTER_TILE && bits == 8 &&
           scheme == scheme_of(shape->compression) && TIFFTileSize(tiff) == TILE_BYTES &&
           same_text(tiff, shape->text);
}

/* Neither maps the file, which somebody might cut meanwhile, nor reads the lists of tiles. */
static char *text_of(const char *path, size_t most) {
    char *text = NULL, *copy = NULL;
    TIFF *tiff = open_limited(-1, path, "rmO", (tmsize_t)most);
    if (!tiff)
        return NULL;
    TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text);
    copy = strdup(text ? text : "");
    TIFFClose(tiff);
    return copy;
}

static bool has(void *handle, uint32_t tile) {
    return TIFFGetStrileByteCount(handle, tile) > 0;
}

static uint64_t end_of(void *handle, uint32_t tile) {
    return TIFFGetStrileOffset(handle, tile) + TIFFGetStrileByteCount(handle, tile);
}

static bool read_tile(void *handle, uint32_t tile, void *bytes) {
    errno = 0;
    return checked(TIFFReadEncodedTile(handle, tile, bytes, TILE_BYTES) == TILE_BYTES);
}

/* A tile that fails has no length, since libtiff's buffer has room for all of its bytes. */
static bool write_tile(void *handle, uint32_t tile, const void *bytes) {
    errno = 0;
    /* libtiff does not change what it writes unless its predictor may, which copies. */
    return checked(TIFFWriteEncodedTile(handle, tile, (void *)bytes, TILE_BYTES) == TILE_BYTES);
}

static bool copy_tile(void *handle, uint32_t tile, void *from, uint32_t from_tile) {
    const uint64_t size = TIFFGetStrileByteCount(from, from_tile);
    errno = 0;
    void *bytes = size <= COPY_MOST ? malloc(size) : NULL;
    const bool ok = bytes &&
                    TIFFReadRawTile(from, from_tile, bytes, (tmsize_t)size) == (tmsize_t)size &&
                    TIFFWriteRawTile(handle, tile, bytes, (tmsize_t)size) == (tmsize_t)size;
    free(bytes);
    return checked(ok);
}

/* The directories stay where they are: only the places and lengths of tiles are written again. They
 * reach the disk after the tiles. */
static bool store(void *handle) {
    errno = 0;
    return checked(fsync(TIFFFileno(handle)) == 0 && TIFFFlush(handle) &&
                   fsync(TIFFFileno(handle)) == 0);
}

static void close_file(void *handle) {
    if (handle)
        TIFFClose(handle);
}

const struct tile_store tile_store_tiff = {
    .create = create,
    .open = open_file,
    .fits = fits,
    .turn = turn,
    .text = text_of,
    .has = has,
    .end = end_of,
    .read = read_tile,
    .write = write_tile,
    .copy = copy_tile,
    .store = store,
    .close = close_file,
};

#else

const struct tile_store tile_store_tiff = {
    .missing = "this build is without posters; install libtiff (libtiff-dev in Debian) and build "
               "again"};

#endif
