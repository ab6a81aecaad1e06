/* Encoders of ffmpeg, and the kinds of video files: what the options of a film mean in ffmpeg's
 * arguments. */
#ifndef FATHOM_APP_MOVIE_FILM_ENCODER_H
#define FATHOM_APP_MOVIE_FILM_ENCODER_H

#include "app/movie/film/ffmpeg.h"
#include "app/movie/film/film.h"
#include "app/movie/film/ycbcr.h"

/* Kind of a file. */
struct container {
    const char *ending;    /* of the file's name, with its dot */
    const char *format;    /* ffmpeg's name */
    enum film_codec usual; /* codec for FILM_AUTO */
    unsigned codecs;       /* bits 1 << codec: codecs that it can contain; 0: a loop's own */
    const char *loop;      /* encoder of a loop for web pages; NULL: a video */
    bool timed;            /* its time scale can be chosen, and its index be moved to the start */
    bool counted;          /* ffmpeg reports the number of stored frames */
};

struct encoder;

/* Returns the container of a file's name, in any case of its letters, or NULL. */
const struct container *container_of(const char *path);
/* Returns the first encoder that the options permit, or the next one after `previous`: software
 * first. NULL: there is no other. */
const struct encoder *encoder_next(const struct film_options *options,
                                   const struct container *container,
                                   const struct encoder *previous);
/* Checks the options of a video or loop. Returns false if they contradict each other, or no encoder
 * permits them; the reason is logged. */
bool encoder_check(const struct film_options *options, const struct container *container);

/* Returns the bits of frames for these options: ProRes always stores 10. */
int encoder_bits(const struct film_options *options, const struct container *container);
const char *encoder_name(const struct encoder *encoder);
/* Returns the format of segments, ffmpeg's name: of a loop, that of its container. */
const char *encoder_segment_format(const struct encoder *encoder,
                                   const struct container *container);
/* Returns true if frames go to the encoder as R, G, B. Otherwise sets the format of Y'CbCr. */
bool encoder_takes_rgb(const struct encoder *encoder, const struct film_options *options,
                       struct ycbcr *format);
/* Adds all arguments between the common ones and the output's format and name: the raw frames on
 * standard input, the conversion, and the encoder. */
void encoder_add(struct ffmpeg_words *words, const struct encoder *encoder,
                 const struct film_options *options);
/* Adds the arguments that mark a joined video with its colours and its codec. */
void encoder_add_tags(struct ffmpeg_words *words, const struct encoder *encoder,
                      const struct film_options *options, const struct container *container);

#endif
