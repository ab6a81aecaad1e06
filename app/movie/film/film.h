/* Film: stores the frames of a movie as a video through ffmpeg, as numbered pictures, or as Y4M on
 * standard output. Finished segments survive failures and interrupts, and the next run continues
 * with the others. Not thread-safe. */
#ifndef FATHOM_APP_MOVIE_FILM_FILM_H
#define FATHOM_APP_MOVIE_FILM_FILM_H

#include "app/options/choices.h"
#include <stdbool.h>
#include <stdint.h>

struct film_options {
    /* "-": Y4M. NAME.mp4, .mov, .mkv, .webm: a video. NAME.gif, .webp: a loop for web pages.
     * NAME.png, .ppm, .jpg, .webp with the placeholder %i: numbered pictures; %i is the frame's
     * number from 1, padded with zeros, and %% a percent sign. */
    const char *path;
    const char *folder; /* existing work folder, for the segments of videos and loops */
    int width_px, height_px, fps;
    uint32_t frames;         /* number of frames of the movie, at least 1 */
    uint32_t segment_frames; /* number of frames of a video's segment, at least 1 */
    enum film_codec codec;   /* videos only */
    int chroma;              /* 420 or 444; videos and Y4M only. FFV1 with 444 stores RGB */
    /* Videos and Y4M: 8 or 10; ProRes always stores 10, FFV1 with 444 and 10 stores 16. Pictures: 8
     * or, for PNG, 16. */
    int bits;
    /* -1: default. Videos: the encoder's scale, where 0 is lossless if the encoder can do that.
     * Loops and pictures in WebP, and JPEG: 1 .. 100, where 100 is best. */
    int quality;
    const char *encoder; /* ffmpeg's name of an encoder; NULL: the first that works */
    const char *text;    /* comment of the result, from which films differ; NULL: none */
    uint64_t own;        /* number in the names of unfinished files, if others make the film, too */
};

struct film;

/* Returns false, logged, if a film with these options is impossible: as film_open, but without
 * ffmpeg, the work folder and the text. */
bool film_possible(const struct film_options *options);
/* Opens a film. Checks the options, the folders and ffmpeg first, and lets the encoder encode one
 * frame (at most 60 s), because a mistake would otherwise be noticed after hours. The environment
 * variable FATHOM_FFMPEG names another program than "ffmpeg". Copies the options. Returns NULL on
 * failure; the reason is logged in one line. */
struct film *film_open(const struct film_options *options);

/* Returns the number of segments: of pictures one for every eight frames, of loops and Y4M one. */
uint32_t film_segments(const struct film *film);
/* Sets the first frame (from 0) of a segment and the number of its frames. */
void film_segment(const struct film *film, uint32_t segment, uint32_t *first, uint32_t *count);
/* Returns true if an earlier run has finished a segment. A segment of a video with other options or
 * another text does not count, nor does a picture of another size or with another comment. A
 * damaged segment of a video is removed, which is logged. Looks at each picture (pictures_have). */
bool film_has(const struct film *film, uint32_t segment);
/* Returns true if frames have 16 bits for each channel: those with more than 8 bits. */
bool film_deep(const struct film *film);
/* Returns true if the film is numbered pictures. */
bool film_is_pictures(const struct film *film);

/* Begins a segment. Returns false on failure; the reason is logged. */
bool film_begin(struct film *film, uint32_t segment);
/* Returns true if a frame of the segment is needed: unless it is a picture that was there when the
 * segment began. */
bool film_lacks(const struct film *film, uint32_t frame);
/* Adds the next needed frame of the segment: R, G, B of each pixel in sRGB, rows from the top down;
 * uint16_t if film_deep, otherwise uint8_t. Returns false on failure, which is logged, and after an
 * interrupt (render/base/interrupt.h), which is not; the segment is then abandoned. The failure may
 * be that of an earlier picture. */
bool film_frame(struct film *film, const void *rgb);
/* Finishes the segment after its last frame. Waits for the encoder, counts the stored frames, and
 * only then gives a video's segment its name; waits until all pictures are written. Returns false
 * as film_frame does; after a failure of film_frame nothing more is logged. */
bool film_end(struct film *film);
/* Abandons the segment that is being written; complete pictures stay. Without one, does nothing. */
void film_abandon(struct film *film);
/* Completes the result after all segments: joins those of a video without encoding again. Replaces
 * an older result at the very end, and removes no segment. Returns false as film_frame does. */
bool film_finish(struct film *film);
/* Frees the film and abandons an unfinished segment. NULL is allowed. */
void film_close(struct film *film);

#endif
