/* Ring source: the samples of a movie's rings (render/movie/ring.h), which are drawn into files in
 * the work folder and read from there. Finished rings survive failures and interrupts. One thread
 * may draw rings while another one reads others. */
#ifndef FATHOM_APP_MOVIE_RING_SOURCE_H
#define FATHOM_APP_MOVIE_RING_SOURCE_H

#include "app/work/work_list.h"
#include "render/backend.h"
#include "render/files/scene.h"
#include "render/movie/ring.h"

/* Memory of two bands of a ring, which is used for one ring after another. */
struct ring_memory {
    struct sample_planes planes[2];
    unsigned set;     /* of planes */
    uint64_t samples; /* of each band */
    uint32_t *rgba;   /* colours of a band, which are not used */
};

/* Draws the rings of one movie after another. Set by the caller, except the last members, which are
 * zero. */
struct ring_drawing {
    unsigned shortcuts; /* enum shortcuts */
    /* Sets *backend to a backend that can draw the request. Keeps the backend that *backend already
     * names, if that can; otherwise closes it (NULL is allowed) and opens another one. Returns
     * false on failure, which is logged. */
    bool (*open)(void *user, const struct frame_req *req, struct backend **backend);
    void *user;
    struct work_list *list; /* shares the rings with other processes; NULL: there are none */

    struct backend *backend;
    struct ring_memory memory;
    /* Figures of the rings that were drawn in this run. */
    uint64_t samples, iterations;
    int drawn;
    double draw_ms, decide_ms; /* the second one, how to draw them, is a part of the first */
    bool warned;               /* of colours that deep rings lack */
};

/* Closes the backend, and frees the memory. A zeroed drawing is allowed. */
void ring_drawing_finish(struct ring_drawing *drawing);

/* Set by the caller, except the last member. */
struct ring_source {
    const struct rings *rings;
    const struct scene *scene; /* everything except view and size; its colours decide the planes */
    const struct scene *other; /* colours that need the samples, too; NULL: none */
    const char *folder;        /* existing work folder */
    unsigned shot;             /* number of the shot, for the names of files */
    int first;                 /* number of ring 0 in the names of files */
    struct ring_drawing *drawing;
    uint64_t hash; /* of everything that decides the samples */
};

/* Receives the samples of the cells of a ring, in parts of whole rows, on a thread of the ring, and
 * may change them. Lengths are in pixels of a frame that has the sample at its edge, or of the
 * deepest frame. */
typedef void ring_take(void *user, struct cells cells, const struct sample_planes *samples);

/* Completes the source. The first one of a drawing warns of colours that deep rings lack. Returns
 * false without memory; the reason is logged. */
bool ring_source_init(struct ring_source *source);
/* Sets *handle to another handle on the backend that draws rings, which the caller closes, or to
 * NULL if its device cannot resample frames. Not while another thread draws. Returns false if no
 * backend opens, which is logged. */
bool ring_source_resampler(const struct ring_source *source, struct backend **handle);
enum ring_making { RING_MADE, RING_WAS_THERE, RING_TAKEN, RING_FAILED };
/* Draws ring k into its file, unless there is one of its size and hash, or somebody else draws it
 * (RING_TAKEN) and the caller does not `insist`. Passes it to `take`, if that is not NULL. `go_on`
 * is called about every 50 ms and returns false to stop. RING_FAILED is logged, unless it was
 * stopped. Parts may have been passed twice then, or if the file was damaged. */
enum ring_making ring_source_make(const struct ring_source *source, int k, bool insist,
                                  bool (*go_on)(void *user), void *user, ring_take *take,
                                  void *taker);
/* Returns true if there is a file of ring k with its size and hash. */
bool ring_source_has(const struct ring_source *source, int k);
/* RING_DAMAGED: the contents of the file do not fit its checksum, and the ring has to be removed
 * and made again. */
enum ring_reading { RING_READ, RING_DAMAGED, RING_ABSENT };
/* Passes ring k, which was made, to `take`. Logs everything but success, after which some parts may
 * have been passed. */
enum ring_reading ring_source_read(const struct ring_source *source, int k, ring_take *take,
                                   void *user);
/* Removes the file of ring k. Returns false if there is none. */
bool ring_source_remove(const struct ring_source *source, int k);
/* Removes the files of all rings of a shot, or of all shots if it is negative. */
void ring_source_remove_shot(const char *folder, int shot);
/* Returns the size that the file of ring k has when it is complete [bytes]. */
uint64_t ring_source_bytes(const struct ring_source *source, int k);
/* Returns the size of all rings' files in a folder [bytes]. */
uint64_t ring_source_stored(const char *folder);

#endif
