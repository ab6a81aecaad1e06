/* EXR pictures in a build without OpenEXRCore: every attempt is refused. */
#include "render/base/log.h"
#include "render/files/exr/channels.h"

const char *exr_missing(void) {
    return "this fathom was built without EXR, as there was no OpenEXR (libopenexr-dev in Debian)";
}

bool exr_library(struct image_versions *versions) {
    (void)versions;
    return false;
}

size_t exr_pixel_bytes(const struct frame_req *req) {
    (void)req;
    return 0;
}

struct exr_writer *exr_writer_open(const char *path, const struct frame_req *req, unsigned own,
                                   const char *text) {
    (void)req;
    (void)own;
    (void)text;
    log_error("cannot write '%s': %s", path, exr_missing());
    return NULL;
}

bool exr_writer_samples(struct exr_writer *writer, const struct sample_planes *planes, int rows) {
    (void)writer;
    (void)planes;
    (void)rows;
    return false;
}

bool exr_writer_pixels(struct exr_writer *writer, const uint32_t *rgba, int rows) {
    (void)writer;
    (void)rgba;
    (void)rows;
    return false;
}

bool exr_writer_commit(struct exr_writer *writer) {
    (void)writer;
    return false;
}

void exr_writer_abandon(struct exr_writer *writer) {
    (void)writer;
}

struct exr_reader *exr_reader_open(const char *path) {
    log_error("cannot read '%s': %s", path, exr_missing());
    return NULL;
}

char *exr_text(const char *path) {
    exr_reader_open(path);
    return NULL;
}

const struct exr_facts *exr_reader_facts(const struct exr_reader *reader) {
    (void)reader;
    return NULL;
}

bool exr_reader_begin(struct exr_reader *reader, unsigned planes, double angle) {
    (void)reader;
    (void)planes;
    (void)angle;
    return false;
}

int exr_reader_rows(struct exr_reader *reader, struct sample_planes *planes) {
    (void)reader;
    (void)planes;
    return -1;
}

void exr_reader_close(struct exr_reader *reader) {
    (void)reader;
}
