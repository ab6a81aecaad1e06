/* Frames of a shot (path/tour.h): draws its rings and resamples frames from them. */
#ifndef FATHOM_APP_MOVIE_SHOT_FRAMES_H
#define FATHOM_APP_MOVIE_SHOT_FRAMES_H

#include "app/movie/density_frames.h"
#include "app/movie/path/tour.h"
#include "app/movie/ring_cache.h"
#include "render/movie/resampler.h"

/* Settings of all shots of a movie. */
struct shot_options {
    int width_px, height_px; /* of the frames */
    double density;          /* cells in a pixel and direction */
    const char *folder;      /* existing work folder */
    struct ring_drawing *drawing;
    struct density_frames *orbits; /* draws frames of orbit density */
    struct resampler *resampler;
    bool suited; /* frequency and offset suit the whole movie, and do not change along a shot */
    bool keep;   /* files of rings stay */
    bool idle;   /* rings are drawn when they are needed, not ahead */
    /* Angle of the last frame; the light keeps the direction in the plane that it has there. */
    double angle;
};

/* Colours of a shot, and the light in them. */
struct shot_look {
    const struct scene *of; /* scene with the look at its stop */
    struct scene scene;     /* look of the frame at hand */
    struct colouring colouring;
    struct ring_cache cache;
    uint64_t set; /* of rings in these colours (render/movie/resampler.h) */
};

/* Zero-initialised, then shot_frames_begin; pairs with shot_frames_finish in any case. */
struct shot_frames {
    const struct shot_options *options;
    const struct shot *shot;
    unsigned number; /* of the files of rings */
    bool morphs;     /* each frame has a ring of its own */
    bool changes;    /* numbers of the look change */
    struct rings rings;
    struct leg frame_leg; /* of the frame at hand, if the shot morphs */
    struct scene scene;   /* what the rings are drawn of */
    struct ring_source source;
    struct ring_ahead ahead;
    int made; /* ring at hand, of the thread of `ahead` */
    struct shot_look looks[2];
    int look_count; /* 2: the first look fades into the other one */
    /* Rings of the latest frame, the first one's number, and the level of each. */
    struct resample_ring *shown;
    int first;
    int *level;
    /* Light of the frame at hand, unless frames stay in flight; and in the other look. */
    uint16_t *light, *faded;
    uint32_t *rgba; /* frame of orbit density */
    struct resample frame;
};

/* Returns true if two looks differ by more than numbers. */
bool shot_looks_differ(const struct scene *a, const struct scene *b);
/* Begins a shot, at a share of its duration, with the looks of the stops before and after it.
 * Returns false on failure, which is logged. */
bool shot_frames_begin(struct shot_frames *frames, const struct shot_options *options,
                       const struct shot *shot, unsigned number, double time,
                       const struct scene *from, const struct scene *to);
void shot_frames_finish(struct shot_frames *frames);
/* Begins a frame in the resampler, where one frame may be in flight; it must be taken before the
 * shot is finished. `index` is the frame's number in the movie. Times rise from call to call.
 * Returns false on failure, which is logged, or if interrupted. */
bool shot_frames_make(struct shot_frames *frames, double time, uint32_t index);
/* Stores the rings first .. end - 1, those that frames of a shot show from one share of its
 * duration to another. */
void shot_frames_range(const struct shot *shot, const struct rings *rings, double from, double to,
                       int *first, int *end);
/* Removes the files of rings that no frame from `time` on shows. */
void shot_frames_remove_passed(const struct shot_frames *frames, double time);
/* Size of all rings. */
struct shot_size {
    int rings;
    uint64_t samples, last_samples, bytes; /* last: of the last ring of each leg */
};
/* Adds the rings of a shot with that number of frames. Returns false if it can have no rings of
 * this density. */
bool shot_frames_size(const struct shot_options *options, const struct shot *shot,
                      uint32_t frame_count, struct shot_size *size);

#endif
