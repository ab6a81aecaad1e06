/* Palettes: reading them, the built-in ones and those in the user's folder, and their tables. Only + - * / make the colours, so that a table has the
 * same bytes wherever it is built. */
#include "render/palette.h"
#include "render/base/atomic_file.h"
#include "render/base/embedded.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/require.h"
#include "render/base/user_data.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BUILTINS_MAX 32
#define PERIOD_MIN   0.001
#define PERIOD_MAX   1e9
#define USER_MAX     64        /* the first by name; more are left out with one warning */
#define FILE_MAX     (1 << 16) /* bytes of one */
#define ENDING       ".palette"

struct stop {
    double place; /* turns, in [0, 1) */
    uint32_t rgba;
};

struct reader {
    struct palette palette;
    const char *source;
    int line;
    struct stop stops[PALETTE_COLOURS_MAX];
    int stop_count;
    bool placed; /* the file gave places */
};

static uint32_t rgba_of(const int rgb[3]) {
    return (uint32_t)rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | COLOUR_ALPHA;
}

static int channel_of(uint32_t rgba, int channel) {
    return (int)(rgba >> (8 * channel) & 0xff);
}

/* --- tables --- */

/* The distance from stop i to the next one, round the end; i may be -1. */
static double gap(const struct reader *r, int i) {
    const int n = r->stop_count, a = (i + n) % n, b = (i + 1 + n) % n;
    const double d = r->stops[b].place - r->stops[a].place;
    return d > 0 ? d : d + 1;
}

static double slope(const struct reader *r, int i, int channel) {
    const int n = r->stop_count, a = (i + n) % n, b = (i + 1 + n) % n;
    return (channel_of(r->stops[b].rgba, channel) - channel_of(r->stops[a].rgba, channel)) /
           gap(r, i);
}

/* The derivative at a stop that keeps the cubic monotone on both sides of it: at most three times
 * the smaller slope (Fritsch and Carlson 1980, the box inside their region). */
static double tangent(const struct reader *r, int i, int channel) {
    const double before = slope(r, i - 1, channel), after = slope(r, i, channel);
    if (before * after <= 0)
        return 0;
    const double mean = (before + after) / 2;
    const double sign = mean < 0 ? -1 : 1;
    return sign * fmin(sign * mean, 3 * fmin(sign * before, sign * after));
}

/* One channel between a stop and the next: a cubic Hermite curve. */
struct segment {
    double y0, y1, d0, d1;
};

static struct segment segment_of(const struct reader *r, int i, int channel) {
    const int next = (i + 1) % r->stop_count;
    const double h = gap(r, i);
    return (struct segment){
        .y0 = channel_of(r->stops[i].rgba, channel),
        .y1 = channel_of(r->stops[next].rgba, channel),
        .d0 = h * tangent(r, i, channel),
        .d1 = h * tangent(r, next, channel),
    };
}

/* At t in [0, 1] of the way. */
static int curve(const struct segment *s, double t) {
    const double u = 1 - t;
    const double y =
        u * u * ((1 + 2 * t) * s->y0 + t * s->d0) + t * t * ((1 + 2 * u) * s->y1 - u * s->d1);
    return y < 0 ? 0 : y > 255 ? 255 : (int)(y + 0.5);
}

/* The last stop at or before a place, round the end. */
static int stop_before(const struct reader *r, double place) {
    int i = r->stop_count;
    while (i > 0 && r->stops[i - 1].place > place)
        i--;
    return i > 0 ? i - 1 : r->stop_count - 1;
}

static void fill_smooth(struct reader *r) {
    struct segment segments[3] = {0};
    for (int k = 0, last = -1; k < COLOUR_TABLE_SIZE; k++) {
        const double place = (double)k / COLOUR_TABLE_SIZE;
        const int i = stop_before(r, place);
        for (int channel = 0; i != last && channel < 3; channel++)
            segments[channel] = segment_of(r, i, channel);
        last = i;
        const double d = place - r->stops[i].place;
        const double t = (d < 0 ? d + 1 : d) / gap(r, i);
        const int rgb[3] = {curve(&segments[0], t), curve(&segments[1], t), curve(&segments[2], t)};
        r->palette.table[k] = rgba_of(rgb);
    }
}

/* Bands are centred on their places, so that rounding of the frequency never crosses into the
 * next. */
static void fill_banded(struct reader *r) {
    for (int k = 0; k < COLOUR_TABLE_SIZE; k++) {
        const int i = (k * r->stop_count + COLOUR_TABLE_SIZE / 2) / COLOUR_TABLE_SIZE;
        r->palette.table[k] = r->stops[i % r->stop_count].rgba;
    }
}

/* --- reading --- */

static bool fail(const struct reader *r, const char *what, const char *value) {
    log_error("%s:%d: %s: '%.60s'", r->source, r->line, what, value);
    return false;
}

/* "#rrggbb" */
static bool read_colour(const char *text, uint32_t *rgba) {
    if (text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6 || text[7])
        return false;
    const unsigned long rgb = strtoul(text + 1, NULL, 16);
    const int channels[3] = {(int)(rgb >> 16), (int)(rgb >> 8 & 0xff), (int)(rgb & 0xff)};
    *rgba = rgba_of(channels);
    return true;
}

/* "#rrggbb" or "0.16:#rrggbb" */
static bool read_stop(struct reader *r, char *word) {
    if (r->stop_count == PALETTE_COLOURS_MAX)
        return fail(r, "more than 256 colours, the last of them", word);
    struct stop *stop = &r->stops[r->stop_count];
    char *colon = strchr(word, ':');
    if (colon)
        *colon = '\0';
    if (!read_colour(colon ? colon + 1 : word, &stop->rgba))
        return fail(r, "not a colour like #206bcb", colon ? colon + 1 : word);
    if (r->stop_count > 0 && r->placed != (colon != NULL))
        return fail(r, "either all colours have positions or none", word);
    r->placed = colon != NULL;
    if (colon && (!ini_number(word, &stop->place) || stop->place < 0 || stop->place >= 1))
        return fail(r, "a colour's position is not a number in [0, 1)", word);
    if (colon && r->stop_count > 0 && stop->place <= stop[-1].place)
        return fail(r, "positions do not increase", word);
    r->stop_count++;
    return true;
}

static bool read_colours(struct reader *r, const char *value) {
    char *copy = strdup(value), *rest = NULL;
    if (!copy)
        return fail(r, "not enough memory for", value);
    bool ok = true;
    r->stop_count = 0;
    for (char *word = strtok_r(copy, " \t", &rest); ok && word; word = strtok_r(NULL, " \t", &rest))
        ok = read_stop(r, word);
    free(copy);
    return ok;
}

static bool read_name(struct reader *r, const char *value) {
    if (!*value || strlen(value) > PALETTE_NAME_MAX)
        return fail(r, "a name has 1 to 40 bytes", value);
    strcpy(r->palette.name, value);
    return true;
}

static bool read_period(struct reader *r, const char *value) {
    double period;
    if (!ini_number(value, &period) || period < PERIOD_MIN || period > PERIOD_MAX)
        return fail(r, "the period is not a number from 0.001 to 1e9", value);
    r->palette.period = period;
    return true;
}

static bool read_interpolation(struct reader *r, const char *value) {
    static const char *const choices[] = {"none", "smooth", NULL};
    const int choice = ini_choice(value, choices);
    if (choice < 0)
        return fail(r, "the interpolation is neither smooth nor none", value);
    r->palette.smooth = choice == 1;
    return true;
}

static bool read_entry(void *user, const char *section, const char *key, const char *value,
                       int line) {
    struct reader *r = user;
    r->line = line;
    if (strcmp(section, "palette") != 0)
        return fail(r, "an entry outside [palette]", key);
    if (strcmp(key, "name") == 0)
        return read_name(r, value);
    if (strcmp(key, "interpolation") == 0)
        return read_interpolation(r, value);
    if (strcmp(key, "period") == 0)
        return read_period(r, value);
    if (strcmp(key, "colours") == 0)
        return read_colours(r, value);
    if (strcmp(key, "interior") == 0)
        return read_colour(value, &r->palette.interior) ||
               fail(r, "not a colour like #206bcb", value);
    return fail(r, "an unknown key", key);
}

static bool complete(struct reader *r) {
    if (r->stop_count == 0) {
        log_error("%s: no colours", r->source);
        return false;
    }
    if (r->placed && !r->palette.smooth) {
        log_error("%s: bands have no positions; leave them out", r->source);
        return false;
    }
    for (int i = 0; !r->placed && i < r->stop_count; i++)
        r->stops[i].place = (double)i / r->stop_count;
    return true;
}

bool palette_parse(struct palette *palette, const char *id, const char *source, const char *text,
                   size_t length) {
    require(strlen(id) > 0 && strlen(id) <= PALETTE_NAME_MAX, false);
    struct reader *r = calloc(1, sizeof *r);
    if (!r) {
        log_error("%s: not enough memory", source);
        return false;
    }
    r->source = source;
    r->palette = (struct palette){.smooth = true, .period = 64, .interior = COLOUR_ALPHA};
    strcpy(r->palette.id, id);
    strcpy(r->palette.name, id);
    const bool ok = ini_read(source, text, length, read_entry, r) && complete(r);
    if (ok) {
        if (r->palette.smooth)
            fill_smooth(r);
        else
            fill_banded(r);
        *palette = r->palette;
    }
    free(r);
    return ok;
}

/* --- the built-in ones --- */

/* Written once, under pthread_once, and constant from then on. */
static struct palette builtins[BUILTINS_MAX];
static size_t builtin_count;

/* False: it gives none. */
static bool id_of_file(const char *file, char id[static PALETTE_NAME_MAX + 1]) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const size_t digits = strspn(file, "0123456789");
    if (digits > 0 && file[digits] == '-')
        file += digits + 1;
    const size_t length = strspn(file, letters);
    if (length == 0 || length > PALETTE_NAME_MAX || strcmp(file + length, ENDING) != 0)
        return false;
    memcpy(id, file, length);
    id[length] = '\0';
    return true;
}

static void parse_builtins(void) {
    assert(embedded_palettes_count <= BUILTINS_MAX);
    for (size_t i = 0; i < embedded_palettes_count; i++) {
        const struct embedded_file *file = &embedded_palettes[i];
        char id[PALETTE_NAME_MAX + 1];
        if (id_of_file(file->name, id) &&
            palette_parse(&builtins[builtin_count], id, file->name, file->data, file->size))
            builtin_count++;
    }
}

size_t palette_builtin_count(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, parse_builtins);
    return builtin_count;
}

const struct palette *palette_builtin(size_t index) {
    return index < palette_builtin_count() ? &builtins[index] : NULL;
}

/* --- the user's --- */

static struct palette *user_palettes[USER_MAX];
static size_t user_count;
static bool out_of_memory;

static int is_palette_file(const struct dirent *entry) {
    const char *name = entry->d_name;
    const size_t length = strlen(name), ending = strlen(ENDING);
    return name[0] != '.' && length > ending && strcmp(name + length - ending, ENDING) == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static const struct palette *at(size_t index) {
    return index < builtin_count ? &builtins[index] : user_palettes[index - builtin_count];
}

static const struct palette *find_among(const char *id, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(at(i)->id, id) == 0)
            return at(i);
    return NULL;
}

/* An id that can be had; false: logged. */
static bool find_id(const char *path, const char *name, char id[static PALETTE_NAME_MAX + 1]) {
    if (!id_of_file(name, id)) {
        log_warn("'%s' is left out: name it with 1 to %d letters, digits, - or _", path,
                 PALETTE_NAME_MAX);
        return false;
    }
    if (find_among(id, palette_builtin_count() + user_count)) {
        log_warn("'%s' is left out: there is a palette '%s' already; rename the file", path, id);
        return false;
    }
    return true;
}

static void read_palette(const char *path, const char *name) {
    char id[PALETTE_NAME_MAX + 1];
    size_t length;
    if (!find_id(path, name, id))
        return;
    errno = 0;
    char *text = file_read(path, FILE_MAX, &length);
    struct palette *palette = text ? malloc(sizeof *palette) : NULL;
    if (palette && palette_parse(palette, id, path, text, length))
        user_palettes[user_count++] = palette;
    else
        free(palette);
    out_of_memory |= errno == ENOMEM;
    free(text);
}

static void read_palettes(void) {
    struct dirent **entries = NULL;
    errno = 0;
    char *folder = user_data_path("palettes");
    const int count = folder ? scandir(folder, &entries, is_palette_file, by_name) : 0;
    out_of_memory |= errno == ENOMEM && (!folder || count < 0);
    if (count < 0 && errno != ENOENT)
        log_warn("palettes in '%s' cannot be used: %s", folder, strerror(errno));
    if (count > USER_MAX)
        log_warn("'%s' has more than %d palettes; only the first by name are used", folder,
                 USER_MAX);
    for (int i = 0; i < count; i++) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (i < USER_MAX && length < (int)sizeof path)
            read_palette(path, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    free(folder);
}

/* --- all of them --- */

/* The built-in ones have no other reason to be missing. */
bool palette_ready(void) {
    const bool ready = palette_builtin_count() == embedded_palettes_count && !out_of_memory;
    if (!ready)
        log_error("not enough memory for the palettes");
    return ready;
}

size_t palette_count(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_palettes);
    return palette_builtin_count() + user_count;
}

const struct palette *palette_at(size_t index) {
    return index < palette_count() ? at(index) : NULL;
}

const struct palette *palette_find(const char *id) {
    const struct palette *builtin = find_among(id, palette_builtin_count());
    return builtin ? builtin : find_among(id, palette_count());
}

/* --- colouring --- */

/* Phases count in 2^-16, table entries in 2^-32 of the product (colour.h). */
#define FREQUENCY_UNIT (65536.0 * COLOUR_TABLE_SIZE)
#define OFFSET_UNIT    (4294967296.0 * COLOUR_TABLE_SIZE)

void colouring_set(struct colouring *colouring, const struct palette *palette, double frequency,
                   double offset) {
    require(palette && frequency > 0 && frequency <= 1e6 && offset >= 0 && offset < 1);
    colouring->frequency = (uint64_t)(frequency / palette->period * FREQUENCY_UNIT + 0.5);
    colouring->offset = (uint64_t)(offset * OFFSET_UNIT + 0.5);
    colouring->interior = palette->interior;
    colouring->smooth = palette->smooth;
    colouring->table = palette->table;
}

bool colouring_equal(const struct colouring *a, const struct colouring *b) {
    return a->frequency == b->frequency && a->offset == b->offset && a->interior == b->interior &&
           a->smooth == b->smooth && a->table == b->table;
}
