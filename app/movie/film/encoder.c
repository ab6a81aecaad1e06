/* Encoders of ffmpeg: a table of their arguments, pixel formats and qualities. */
#define _GNU_SOURCE
#include "app/movie/film/encoder.h"
#include "render/base/log.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CODEC(name) (1u << FILM_##name)

static const struct container containers[] = {
    {".mp4", "mp4", FILM_H264, CODEC(H264) | CODEC(HEVC) | CODEC(AV1), NULL, true, true},
    {".mov", "mov", FILM_H264, CODEC(H264) | CODEC(HEVC) | CODEC(PRORES), NULL, true, true},
    {".mkv", "matroska", FILM_H264,
     CODEC(H264) | CODEC(HEVC) | CODEC(AV1) | CODEC(PRORES) | CODEC(FFV1), NULL, false, true},
    {".webm", "webm", FILM_AV1, CODEC(AV1), NULL, false, true},
    {".gif", "gif", FILM_AUTO, 0, "gif", false, true},
    {".webp", "webp", FILM_AUTO, 0, "libwebp_anim", false, false},
};
#define CONTAINERS (sizeof containers / sizeof *containers)

/* Ways of conversion before an encoder. */
enum conversion {
    TO_FORMAT,  /* to the pixel format */
    TO_DEVICE,  /* the same, uploaded to a device */
    TO_PALETTE, /* to the best 256 colours of all frames */
};

struct encoder {
    const char *name; /* ffmpeg's name */
    enum film_codec codec;
    enum conversion conversion;
    int best, worst, usual; /* range of the quality and its default; all 0: it has none */
    const char *arguments;  /* %d: the quality */
    const char *lossless;   /* arguments for quality 0; NULL: as for the others */
    /* Pixel formats for 4:2:0 with 8 and 10 bits, and 4:4:4 with 8 and 10 bits; NULL: cannot. */
    const char *formats[4];
};

/* The default qualities are visually lossless. The number of threads is fixed where the result
 * depends on it, so that every machine makes the same file. The encoders of GPUs come last. */
/* clang-format off */
#define PLAIN "yuv420p", "yuv420p10le", "yuv444p", "yuv444p10le"
static const struct encoder encoders[] = {
    {"libx264", FILM_H264, TO_FORMAT, 0, 51, 18, "-preset medium -threads 8 -crf %d",
     "-preset medium -threads 8 -qp 0", {PLAIN}},
    {"h264_nvenc", FILM_H264, TO_FORMAT, 0, 51, 19, "-preset p5 -rc vbr -cq %d -b:v 0",
     "-preset p5 -tune lossless", {"yuv420p", NULL, "yuv444p"}},
    {"h264_vaapi", FILM_H264, TO_DEVICE, 1, 51, 19, "-rc_mode CQP -qp %d", NULL, {"nv12"}},
    {"h264_qsv", FILM_H264, TO_FORMAT, 1, 51, 19, "-global_quality %d", NULL, {"nv12"}},
    {"libx265", FILM_HEVC, TO_FORMAT, 0, 51, 20,
     "-preset medium -x265-params log-level=error:frame-threads=4 -crf %d",
     "-preset medium -x265-params log-level=error:frame-threads=4:lossless=1", {PLAIN}},
    {"hevc_nvenc", FILM_HEVC, TO_FORMAT, 0, 51, 21, "-preset p5 -rc vbr -cq %d -b:v 0",
     "-preset p5 -tune lossless", {"yuv420p", "p010le", "yuv444p", "yuv444p16le"}},
    {"hevc_vaapi", FILM_HEVC, TO_DEVICE, 1, 51, 21, "-rc_mode CQP -qp %d", NULL,
     {"nv12", "p010le"}},
    {"hevc_qsv", FILM_HEVC, TO_FORMAT, 1, 51, 21, "-global_quality %d", NULL, {"nv12", "p010le"}},
    {"libsvtav1", FILM_AV1, TO_FORMAT, 1, 63, 22, "-preset 6 -crf %d", NULL,
     {"yuv420p", "yuv420p10le"}},
    {"libaom-av1", FILM_AV1, TO_FORMAT, 0, 63, 20, "-cpu-used 6 -row-mt 1 -threads 8 -crf %d -b:v 0",
     "-cpu-used 6 -row-mt 1 -threads 8 -aom-params lossless=1", {PLAIN}},
    {"av1_nvenc", FILM_AV1, TO_FORMAT, 1, 51, 25, "-preset p5 -rc vbr -cq %d -b:v 0", NULL,
     {"yuv420p", "p010le"}},
    {"prores_ks", FILM_PRORES, TO_FORMAT, 0, 0, 0, "-vendor apl0", NULL,
     {NULL, "yuv422p10le", NULL, "yuv444p10le"}},
    {"ffv1", FILM_FFV1, TO_FORMAT, 0, 0, 0, "-level 3 -g 1 -slices 16 -slicecrc 1", NULL,
     {"yuv420p", "yuv420p10le", "bgr0", "gbrp16le"}},
    {"gif", FILM_AUTO, TO_PALETTE, 0, 0, 0, "-loop 0", NULL, {"pal8", NULL, "pal8"}},
    {"libwebp_anim", FILM_AUTO, TO_FORMAT, 1, 100, 85, "-loop 0 -lossless 0 -quality %d", NULL,
     {"bgra", NULL, "bgra"}},
};
/* clang-format on */
#define ENCODERS (sizeof encoders / sizeof *encoders)

const struct container *container_of(const char *path) {
    const size_t length = strlen(path);
    for (size_t i = 0; i < CONTAINERS; i++) {
        const size_t part = strlen(containers[i].ending);
        if (length > part && strcasecmp(path + length - part, containers[i].ending) == 0)
            return &containers[i];
    }
    return NULL;
}

/* --- choosing --- */

static const struct encoder *find(const char *name) {
    for (size_t i = 0; name && i < ENCODERS; i++)
        if (strcmp(encoders[i].name, name) == 0)
            return &encoders[i];
    return NULL;
}

static enum film_codec codec_of(const struct film_options *options,
                                const struct container *container) {
    const struct encoder *named = find(options->encoder);
    return options->codec != FILM_AUTO ? options->codec : named ? named->codec : container->usual;
}

static const char *format_of(const struct encoder *encoder, const struct film_options *options) {
    return encoder->formats[(options->chroma == 444) * 2 + (options->bits == 10)];
}

/* Returns true if an encoder is the wanted one, or one of the wanted codec. */
static bool is_meant(const struct encoder *encoder, const struct film_options *options,
                     const struct container *container) {
    const char *name = container->loop ? container->loop : options->encoder;
    return name ? strcmp(encoder->name, name) == 0 : encoder->codec == codec_of(options, container);
}

static bool has_quality(const struct encoder *encoder, int quality) {
    return quality < 0 ||
           (quality >= encoder->best && quality <= encoder->worst && encoder->worst > 0);
}

const struct encoder *encoder_next(const struct film_options *options,
                                   const struct container *container,
                                   const struct encoder *previous) {
    for (size_t i = previous ? (size_t)(previous - encoders) + 1 : 0; i < ENCODERS; i++)
        if (is_meant(&encoders[i], options, container) && format_of(&encoders[i], options) &&
            has_quality(&encoders[i], options->quality))
            return &encoders[i];
    return NULL;
}

/* Logs that the container cannot contain the codec, with the endings of containers that can. */
static void log_container(const struct film_options *options, enum film_codec codec) {
    char endings[64] = "";
    for (size_t i = 0; i < CONTAINERS; i++)
        if (containers[i].codecs & 1u << codec)
            snprintf(endings + strlen(endings), sizeof endings - strlen(endings), "%s%s",
                     *endings ? ", " : "", containers[i].ending);
    log_error("'%s' cannot contain %s: choose another name (%s) or another codec", options->path,
              film_codec_names[codec], endings);
}

/* Logs the encoders' names; those of loops have no option. */
static void log_names(const char *wrong) {
    char names[256] = "";
    for (size_t i = 0; i < ENCODERS; i++)
        if (encoders[i].codec != FILM_AUTO)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "", encoders[i].name);
    log_error("unknown encoder '%s'; the known ones are %s", wrong, names);
}

/* Logs why no encoder permits the options. */
static void log_nothing(const struct film_options *options, const struct container *container) {
    const struct encoder *one = NULL; /* the first that has the pixel format, if there is one */
    for (size_t i = 0; i < ENCODERS; i++)
        if (is_meant(&encoders[i], options, container) &&
            (!one || (!format_of(one, options) && format_of(&encoders[i], options))))
            one = &encoders[i];
    if (!format_of(one, options))
        log_error("%s does not encode 4:%c:%c with %d bits", one->name,
                  options->chroma == 444 ? '4' : '2', options->chroma == 444 ? '4' : '0',
                  options->bits);
    else if (one->worst == 0)
        log_error("%s has no quality to choose", one->name);
    else
        log_error("the quality of %s is a number from %d to %d, not %d", one->name, one->best,
                  one->worst, options->quality);
}

bool encoder_check(const struct film_options *options, const struct container *container) {
    const struct encoder *named = find(options->encoder);
    const enum film_codec codec = codec_of(options, container);
    const bool loop = container->loop != NULL;
    if (loop && (options->encoder || options->codec != FILM_AUTO))
        log_error("'%s' has its own codec: leave out the codec and the encoder", options->path);
    else if (options->encoder && (!named || named->codec == FILM_AUTO))
        log_names(options->encoder);
    else if (named && named->codec != codec)
        log_error("the encoder %s is not for %s", named->name, film_codec_names[codec]);
    else if (!loop && !(container->codecs & 1u << codec))
        log_container(options, codec);
    else if (!encoder_next(options, container, NULL))
        log_nothing(options, container);
    else
        return true;
    return false;
}

int encoder_bits(const struct film_options *options, const struct container *container) {
    return codec_of(options, container) == FILM_PRORES ? 10 : options->bits;
}

/* --- arguments --- */

const char *encoder_name(const struct encoder *encoder) {
    return encoder->name;
}

/* Joined segments have exact frame times from MPEG-TS and NUT. MPEG-TS repeats the parameters of
 * H.264 and HEVC in each segment, so that segments of two versions of an encoder fit together. */
const char *encoder_segment_format(const struct encoder *encoder,
                                   const struct container *container) {
    const bool ts = encoder->codec == FILM_H264 || encoder->codec == FILM_HEVC;
    return container->loop ? container->format : ts ? "mpegts" : "nut";
}

/* Frames for ProRes keep all chroma: ffmpeg makes 4:2:2 of it. */
bool encoder_takes_rgb(const struct encoder *encoder, const struct film_options *options,
                       struct ycbcr *format) {
    const int chroma = encoder->codec == FILM_PRORES ? 444 : options->chroma;
    *format = (struct ycbcr){options->width_px, options->height_px, chroma, options->bits};
    return encoder->codec == FILM_AUTO || (encoder->codec == FILM_FFV1 && chroma == 444);
}

static void add_colours(struct ffmpeg_words *words, bool rgb) {
    ffmpeg_words_split(words, "-color_primaries bt709 -color_trc bt709 -colorspace %s",
                       rgb ? "rgb -color_range pc" : "bt709 -color_range tv");
}

static void add_input(struct ffmpeg_words *words, const struct encoder *encoder,
                      const struct film_options *options) {
    static const char *const formats[] = {PLAIN};
    struct ycbcr as;
    const bool deep = options->bits == 10;
    const bool rgb = encoder_takes_rgb(encoder, options, &as);
    if (encoder->conversion == TO_DEVICE)
        ffmpeg_words_split(words, "-vaapi_device /dev/dri/renderD128");
    ffmpeg_words_split(words, "-f rawvideo -pix_fmt %s -s %dx%d -framerate %d -i pipe:0 -an",
                       !rgb   ? formats[(as.chroma == 444) * 2 + deep]
                       : deep ? "rgb48le"
                              : "rgb24",
                       as.width_px, as.height_px, options->fps);
}

/* Adds the conversion to the encoder's pixel format, which keeps the colours. */
static void add_conversion(struct ffmpeg_words *words, const struct encoder *encoder,
                           const struct film_options *options, bool rgb) {
    const char *format = format_of(encoder, options);
    ffmpeg_words_add(words, "-vf");
    if (encoder->conversion == TO_PALETTE) {
        ffmpeg_words_add(words, "split[a][b];[a]palettegen[p];[b][p]paletteuse");
        return;
    }
    ffmpeg_words_add(words,
                     "%sscale=flags=spline+accurate_rnd+full_chroma_int+full_chroma_inp%s%s%s",
                     rgb ? ""
                         : "setparams=range=tv:color_primaries=bt709:color_trc=bt709:"
                           "colorspace=bt709,",
                     encoder->conversion == TO_DEVICE ? "+bitexact,format=" : "+bitexact",
                     encoder->conversion == TO_DEVICE ? format : "",
                     encoder->conversion == TO_DEVICE ? ",hwupload" : "");
    /* The plus sign makes ffmpeg fail instead of choosing another format. */
    if (encoder->conversion == TO_FORMAT)
        ffmpeg_words_split(words, "-pix_fmt +%s", format);
}

void encoder_add(struct ffmpeg_words *words, const struct encoder *encoder,
                 const struct film_options *options) {
    struct ycbcr as;
    const bool rgb = encoder_takes_rgb(encoder, options, &as);
    const int quality = options->quality < 0 ? encoder->usual : options->quality;
    const char *text = quality == 0 && encoder->lossless ? encoder->lossless : encoder->arguments;
    const char *number = strstr(text, "%d");
    add_input(words, encoder, options);
    add_conversion(words, encoder, options, rgb);
    ffmpeg_words_split(words, "-c:v %s %.*s", encoder->name,
                       number ? (int)(number - text) : (int)strlen(text), text);
    if (number)
        ffmpeg_words_split(words, "%d%s", quality, number + 2);
    if (encoder->codec != FILM_AUTO)
        add_colours(words, rgb);
    ffmpeg_words_split(words, "-fflags +bitexact -flags:v +bitexact");
}

void encoder_add_tags(struct ffmpeg_words *words, const struct encoder *encoder,
                      const struct film_options *options, const struct container *container) {
    struct ycbcr as;
    add_colours(words, encoder_takes_rgb(encoder, options, &as));
    if (container->timed) /* a multiple of the frame rate makes all times exact */
        ffmpeg_words_split(words, "-movflags +faststart -video_track_timescale %d",
                           512 * options->fps);
    if (container->timed && encoder->codec == FILM_HEVC)
        ffmpeg_words_split(words, "-tag:v hvc1"); /* Apple's players accept no other */
}
