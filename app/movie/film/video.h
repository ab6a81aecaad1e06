/* Video: a film that ffmpeg encodes, in segments that are joined at the end. Loops have one. */
#ifndef FATHOM_APP_MOVIE_FILM_VIDEO_H
#define FATHOM_APP_MOVIE_FILM_VIDEO_H

#include "app/movie/film/encoder.h"

struct video {
    const struct film_options *options; /* of the film, which outlives it */
    const struct container *container;
    const struct encoder *encoder;
    struct ycbcr format;  /* of the frames that the encoder gets */
    unsigned char *frame; /* such a frame; NULL: it gets R, G, B */
    char *target;         /* result, with symbolic links followed */
    uint64_t key;         /* hash of everything that decides the frames and their encoding */
    struct ffmpeg run;
    char *part;     /* file of the segment that is being written; NULL: none */
    uint32_t count; /* number of its frames */
};

/* Opens, as film_open, with options that encoder_check accepts; also on failure, video_close is
 * necessary. */
bool video_open(struct video *video, const struct film_options *options,
                const struct container *container);
/* Do what the film's functions do for a segment with `count` frames from `first` on. */
bool video_has(const struct video *video, uint32_t first, uint32_t count);
bool video_begin(struct video *video, uint32_t first, uint32_t count);
bool video_frame(struct video *video, const void *rgb);
bool video_end(struct video *video);
bool video_finish(struct video *video);
/* Removes the segments of all videos from a work folder. */
void video_remove_segments(const char *folder);
/* Abandons an unfinished segment. */
void video_abandon(struct video *video);
void video_close(struct video *video);

#endif
