/* Settings: parses, prints, chooses and steps values by the kind of their row. */
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/files/scene.h"
#include "render/light/ranks.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *member_of(const struct setting *setting, const struct scene *scene) {
    return (char *)scene + setting->offset;
}

bool setting_has_key(enum setting_id id, const char *key) {
    const struct setting *setting = &setting_table[id];
    return strcmp(setting->key, key) == 0 || (setting->former && strcmp(setting->former, key) == 0);
}

enum setting_id setting_find(const char *section, const char *key) {
    int id = 0;
    while (id < SETTING_COUNT &&
           (strcmp(setting_table[id].section, section) != 0 || !setting_has_key(id, key)))
        id++;
    return (enum setting_id)id;
}

size_t settings_insert(int *items, size_t count, const char *(*name)(int item),
                       const char *(*above)(const struct setting *setting)) {
    size_t at = 0;
    for (int id = 0; id < SETTING_COUNT; id++) {
        const char *before = above(&setting_table[id]);
        if (!name(id))
            continue;
        for (size_t i = 0; before && i < count; i++)
            if (strcmp(name(items[i]), before) == 0) {
                at = i + 1;
                before = NULL;
            }
        while (at < count && !*name(items[at]))
            at++;
        memmove(items + at + 1, items + at, (count - at) * sizeof *items);
        items[at++] = id;
        count++;
    }
    return count;
}

const char *setting_replacement(const char *section, const char *key, const char *value) {
    for (const struct setting_retired *row = settings_retired; row->key; row++)
        if ((!section || strcmp(row->section, section) == 0) && strcmp(row->key, key) == 0 &&
            strcmp(row->value, value) == 0)
            return row->instead;
    return NULL;
}

/* --- reasons for rejecting a text --- */

static size_t list_names(char *text, size_t size, size_t used, const char *name) {
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    return used;
}

static bool refuse_name(const struct setting *setting, struct setting_problem *problem) {
    char names[SETTING_WHY_SIZE - 16] = "";
    size_t used = 0;
    for (size_t i = 0; setting->names && setting->names[i]; i++)
        used = list_names(names, sizeof names, used, setting->names[i]);
    for (size_t i = 0; !setting->names && i < palette_count(); i++)
        used = list_names(names, sizeof names, used, palette_at(i)->id);
    problem->joint = ", not";
    snprintf(problem->why, sizeof problem->why, "is one of %s", names);
    return false;
}

static bool refuse_value(const struct setting *setting, struct setting_problem *problem) {
    const char *from = setting->above ? "above" : "from", *to = setting->above ? "and up to" : "to";
    char *why = problem->why;
    problem->joint = ", not";
    if (setting->takes)
        snprintf(why, SETTING_WHY_SIZE, "%s", setting->takes);
    else if (setting->kind == SETTING_KIND_KEY)
        snprintf(why, SETTING_WHY_SIZE, "takes a whole number below 2^64");
    else if (setting->kind == SETTING_KIND_NUMBER)
        snprintf(why, SETTING_WHY_SIZE, "takes a number %s %g %s %g", from, setting->low, to,
                 setting->high);
    else
        snprintf(why, SETTING_WHY_SIZE, "takes a whole number from %.0f to %.0f", setting->low,
                 setting->high);
    return false;
}

/* Stores the reason that the view's parser gives for a decimal number. */
static bool refuse_decimal(const char *why, struct setting_problem *problem) {
    problem->joint = ":";
    snprintf(problem->why, sizeof problem->why, "is %s", why);
    return false;
}

/* --- from text --- */

/* Parses a coordinate of a view without losing bits of precision. Its own text changes nothing,
 * although its digits would require a few bits more. */
static bool parse_coordinate(const struct view *view, mpfr_t number, const char *text,
                             struct setting_problem *problem) {
    char *now = view_number_text(number, 0);
    const bool same = now && strcmp(now, text) == 0;
    free(now);
    if (same)
        return true;
    struct view read;
    const char *why;
    const long bits = mpfr_get_prec(number);
    view_init_copy(&read, view);
    bool ok = view_set_centre(&read, text, "0", 0, &why);
    if (ok && mpfr_get_prec(read.re) < bits)
        ok = view_set_centre(&read, text, "0", bits, &why);
    if (ok)
        mpfr_swap(number, read.re);
    view_finish(&read);
    return ok || refuse_decimal(why, problem);
}

/* Returns the least precision of a parameter: a constant of all pixels, whose rounding would move
 * the whole picture. */
static long parameter_bits(const struct view *view) {
    const long bits = view_decimal_bits(view);
    return bits < FRACTAL_PARAMETER_BITS ? FRACTAL_PARAMETER_BITS : bits;
}

/* Parses a parameter with `bits`, or with the smallest larger precision, in steps of 64 bits, that
 * prints the same text: the precision of the number that was printed, or else of its digits. */
static bool parse_parameter(long bits, mpfr_t number, const char *text) {
    struct view read, less;
    const char *why;
    view_init(&read);
    view_init(&less);
    bool ok = view_set_centre(&read, text, "0", 0, &why) &&
              mpfr_cmp_si(read.re, FRACTAL_PARAMETER_MAX) <= 0 &&
              mpfr_cmp_si(read.re, -FRACTAL_PARAMETER_MAX) >= 0;
    if (ok && mpfr_get_prec(read.re) < bits)
        ok = view_set_centre(&read, text, "0", bits, &why);
    for (bool same = ok; same && mpfr_get_prec(read.re) > bits;) {
        same = view_set_centre(&less, text, "0", mpfr_get_prec(read.re) - 64, &why);
        char *printed = same ? view_number_text(less.re, 0) : NULL;
        same = printed && strcmp(printed, text) == 0;
        if (same)
            mpfr_swap(read.re, less.re);
        free(printed);
    }
    if (ok)
        mpfr_swap(number, read.re);
    view_finish(&read);
    view_finish(&less);
    return ok;
}

static bool parse_zoom(struct view *view, const char *text, struct setting_problem *problem) {
    const char *why = "too many digits";
    return (strlen(text) <= VIEW_DIGITS_MAX && view_set_zoom(view, text, &why)) ||
           refuse_decimal(why, problem);
}

static bool parse_real(const struct setting *setting, double *real, const char *text) {
    double number;
    if (!ini_number(text, &number))
        return false;
    if (setting->kind == SETTING_KIND_TURNS) {
        number -= floor(number);
        number = number < 1 ? number : 0;
    } else if (number < setting->low || number > setting->high ||
               (setting->above && number == setting->low)) {
        return false;
    }
    *real = number;
    return true;
}

static bool parse_whole(const struct setting *setting, uint32_t *whole, const char *text) {
    uint64_t number;
    if (!ini_count(text, &number) || (double)number < setting->low ||
        (double)number > setting->high)
        return false;
    *whole = (uint32_t)number;
    return true;
}

static bool parse_bits(const struct setting *setting, struct view *view, const char *text) {
    uint32_t bits;
    if (!parse_whole(setting, &bits, text))
        return false;
    mpfr_prec_round(view->re, (mpfr_prec_t)bits, MPFR_RNDN);
    mpfr_prec_round(view->im, (mpfr_prec_t)bits, MPFR_RNDN);
    return true;
}

static void store_choice(const struct setting *setting, void *member, int index) {
    if (setting->kind == SETTING_KIND_SWITCH)
        *(bool *)member = index;
    else
        *(uint32_t *)member = (uint32_t)index;
}

static bool parse_choice(const struct setting *setting, void *member, const char *text) {
    int index = ini_choice(text, setting->names);
    for (const struct setting_renamed *row = settings_renamed; index < 0 && row->former; row++)
        if (strcmp(row->former, text) == 0)
            index = ini_choice(row->now, setting->names);
    if (index >= 0)
        store_choice(setting, member, index);
    return index >= 0;
}

bool setting_parse_value(const struct setting *setting, void *member, const char *text,
                         struct setting_problem *problem) {
    bool ok;
    if (setting->names)
        return parse_choice(setting, member, text) || refuse_name(setting, problem);
    if (setting->kind == SETTING_KIND_WHOLE)
        ok = parse_whole(setting, member, text);
    else if (setting->kind == SETTING_KIND_KEY)
        ok = ini_key(text, member);
    else
        ok = parse_real(setting, member, text);
    return ok || refuse_value(setting, problem);
}

/* Parses limits that are separated by blanks or commas. */
static bool parse_limits(const struct setting *setting, struct scene *scene, const char *text) {
    uint32_t limits[DENSITY_PLANES_MAX] = {0};
    int count = 0;
    const char *at = text;
    while (*at && count < DENSITY_PLANES_MAX) {
        char number[16];
        const size_t length = strcspn(at, " ,");
        if (length >= sizeof number)
            return false;
        memcpy(number, at, length);
        number[length] = '\0';
        if (!parse_whole(setting, &limits[count++], number))
            return false;
        at += length;
        at += strspn(at, " ");
        at += *at == ',';
        at += strspn(at, " ");
    }
    if (*at || (count != 1 && count != DENSITY_PLANES_MAX))
        return false;
    scene->orbits.channels = count;
    if (count == 1)
        scene->limit = limits[0];
    memcpy(scene->orbits.limit, limits, sizeof limits);
    return true;
}

static bool parse_angle(struct view *view, const char *text) {
    const char *why;
    double degrees;
    return ini_number(text, &degrees) && view_set_angle_degrees(view, degrees, &why);
}

/* Parses a palette's id or the path of a file. */
static bool parse_palette(const struct setting *setting, struct scene *scene, const char *text,
                          struct setting_problem *problem) {
    const struct palette *palette = palette_get(text);
    if (!palette && palette_is_path(text)) {
        char why[SETTING_WHY_SIZE - 32];
        const struct log_listener before = log_listen_instead(why, sizeof why);
        palette = palette_load(text);
        log_listen_restore(before);
        problem->joint = ", in";
        snprintf(problem->why, sizeof problem->why, "cannot be read: %s", why);
        if (!palette)
            return false;
    }
    if (!palette)
        return refuse_name(setting, problem);
    palette_replace(&scene->palette, palette);
    return true;
}

/* Parses "ball" or the path of a file. */
static bool parse_image(const struct trap_image **member, const char *text,
                        struct setting_problem *problem) {
    char why[SETTING_WHY_SIZE - 32];
    const struct log_listener before = log_listen_instead(why, sizeof why);
    const struct trap_image *image = trap_image_get(text, &problem->unanswered);
    log_listen_restore(before);
    if (image) {
        trap_image_replace(member, image);
        return true;
    }
    problem->joint = ", in";
    snprintf(problem->why, sizeof problem->why, "cannot be read: %s", why);
    return false;
}

bool setting_parse(enum setting_id id, struct scene *scene, const char *text,
                   struct setting_problem *problem) {
    const struct setting *setting = &setting_table[id];
    void *member = member_of(setting, scene);
    switch (setting->kind) {
    case SETTING_KIND_COORDINATE:
        return parse_coordinate(&scene->view, member, text, problem);
    case SETTING_KIND_ZOOM:
        return parse_zoom(&scene->view, text, problem);
    case SETTING_KIND_PALETTE:
        return parse_palette(setting, scene, text, problem);
    case SETTING_KIND_IMAGE:
        return parse_image(member, text, problem);
    case SETTING_KIND_BITS:
        return parse_bits(setting, member, text) || refuse_value(setting, problem);
    case SETTING_KIND_ANGLE:
        return parse_angle(&scene->view, text) || refuse_value(setting, problem);
    case SETTING_KIND_LIMITS:
        return parse_limits(setting, scene, text) || refuse_value(setting, problem);
    case SETTING_KIND_STEPS:
        return fractal_set_then(member, text) || refuse_value(setting, problem);
    case SETTING_KIND_RANKS:
        return ranks_parse(member, text) || refuse_value(setting, problem);
    case SETTING_KIND_PARAMETER:
        return parse_parameter(parameter_bits(&scene->view), member, text) ||
               refuse_value(setting, problem);
    default:
        return setting_parse_value(setting, member, text, problem);
    }
}

bool setting_clamps(enum setting_id id, const char *text, char clamped[SETTING_CLAMPED_SIZE]) {
    const struct setting *setting = &setting_table[id];
    uint64_t number;
    if (!setting->clamped || !ini_count(text, &number) || (double)number <= setting->high)
        return false;
    snprintf(clamped, SETTING_CLAMPED_SIZE, "%.0f", setting->high);
    return true;
}

void setting_reset(enum setting_id id, struct scene *scene) {
    const struct setting *setting = &setting_table[id];
    struct setting_problem problem;
    if (setting->kind == SETTING_KIND_PALETTE)
        palette_replace(&scene->palette, palette_builtin(0));
    else if (setting->kind == SETTING_KIND_WHOLE && !setting->initial)
        *(uint32_t *)member_of(setting, scene) = 0;
    else
        setting_parse(id, scene, setting->initial ? setting->initial : "0", &problem);
}

/* --- to text --- */

static void print_limits(char *text, size_t size, const struct scene *scene) {
    const uint32_t *limit = scene->orbits.limit;
    if (scene->orbits.channels > 1)
        snprintf(text, size, "%" PRIu32 " %" PRIu32 " %" PRIu32, limit[0], limit[1], limit[2]);
    else
        snprintf(text, size, "%" PRIu32, scene->limit);
}

/* Prints a parameter with at least the precision that parse_parameter reads it with. */
static char *parameter_text(long least_bits, mpfr_srcptr number) {
    mpfr_t copy;
    const mpfr_prec_t bits = mpfr_get_prec(number);
    mpfr_init2(copy, bits < least_bits ? least_bits : bits);
    mpfr_set(copy, number, MPFR_RNDN);
    char *text = view_number_text(copy, 0);
    mpfr_clear(copy);
    return text;
}

static char *ranks_copy_text(const struct colour_ranks *ranks) {
    char text[RANKS_TEXT_SIZE];
    ranks_text(ranks, text);
    return strdup(text);
}

char *setting_text(enum setting_id id, const struct scene *scene) {
    const struct setting *setting = &setting_table[id];
    const void *member = member_of(setting, scene);
    char text[INI_NUMBER_SIZE + 8], steps[FRACTAL_THEN_SIZE];
    switch (setting->kind) {
    case SETTING_KIND_COORDINATE:
    case SETTING_KIND_ZOOM:
        return view_number_text(member, 0);
    case SETTING_KIND_PARAMETER:
        return parameter_text(parameter_bits(&scene->view), member);
    case SETTING_KIND_STEPS:
        fractal_then_text(member, steps);
        return strdup(steps);
    case SETTING_KIND_RANKS:
        return ranks_copy_text(member);
    case SETTING_KIND_CHOICE:
    case SETTING_KIND_SWITCH:
        return strdup(setting->names[setting_index(id, scene)]);
    case SETTING_KIND_PALETTE:
        return strdup(scene->palette->id);
    case SETTING_KIND_IMAGE:
        return strdup(scene->image->path);
    case SETTING_KIND_BITS:
        snprintf(text, sizeof text, "%ld", view_bits(member));
        break;
    case SETTING_KIND_ANGLE:
    case SETTING_KIND_NUMBER:
    case SETTING_KIND_TURNS:
        ini_number_text(setting_number(id, scene), text);
        break;
    case SETTING_KIND_WHOLE:
        snprintf(text, sizeof text, "%" PRIu32, *(const uint32_t *)member);
        break;
    case SETTING_KIND_KEY:
        snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)member);
        break;
    case SETTING_KIND_LIMITS:
        print_limits(text, sizeof text, scene);
        break;
    }
    return strdup(text);
}

double setting_number(enum setting_id id, const struct scene *scene) {
    const struct setting *setting = &setting_table[id];
    const void *member = member_of(setting, scene);
    if (setting->kind == SETTING_KIND_ANGLE)
        return view_angle_degrees(&scene->view);
    if (setting->kind == SETTING_KIND_WHOLE)
        return *(const uint32_t *)member;
    if (setting_choices(id) > 0)
        return setting_index(id, scene);
    return *(const double *)member;
}

/* --- choices --- */

int setting_choices(enum setting_id id) {
    const struct setting *setting = &setting_table[id];
    int count = 0;
    while (setting->names && setting->names[count])
        count++;
    return setting->kind == SETTING_KIND_PALETTE ? (int)palette_count() : count;
}

int setting_index(enum setting_id id, const struct scene *scene) {
    const struct setting *setting = &setting_table[id];
    const void *member = member_of(setting, scene);
    if (setting->kind == SETTING_KIND_SWITCH)
        return *(const bool *)member;
    if (setting->kind == SETTING_KIND_CHOICE)
        return (int)*(const uint32_t *)member;
    for (size_t i = 0; i < palette_count(); i++)
        if (palette_at(i) == scene->palette)
            return (int)i;
    return -1;
}

bool setting_choose(enum setting_id id, struct scene *scene, int index) {
    const struct setting *setting = &setting_table[id];
    void *member = member_of(setting, scene);
    if (index < 0 || index >= setting_choices(id))
        return false;
    if (setting->names)
        store_choice(setting, member, index);
    else
        palette_replace(&scene->palette, palette_at((size_t)index));
    return true;
}

/* --- steps --- */

/* Returns the next rung of the ladder 1, 2, 5, 10, 20, 50 ... up to `high`. */
static uint32_t next_rung(uint32_t whole, bool up, double high) {
    uint64_t below = 1, above = 1;
    for (int rung = 0; above <= whole && (double)above < high; rung++) {
        below = above < whole ? above : below;
        above = rung % 3 == 1 ? above / 2 * 5 : above * 2;
    }
    if (up)
        return (uint32_t)fmin((double)above, high);
    return (uint32_t)below;
}

void setting_step(enum setting_id id, struct scene *scene, double steps) {
    const struct setting *setting = &setting_table[id];
    void *member = member_of(setting, scene);
    const int in_one = setting->steps_in_one, count = setting_choices(id);
    if (setting->kind == SETTING_KIND_WHOLE && in_one > 0) {
        uint32_t *whole = member;
        *whole = (uint32_t)fmax(fmin(*whole + steps, setting->high), setting->low);
    } else if (setting->kind == SETTING_KIND_WHOLE) {
        uint32_t *whole = member;
        for (; steps >= 1; steps--)
            *whole = next_rung(*whole, true, setting->high);
        for (; steps <= -1; steps++)
            *whole = next_rung(*whole, false, setting->high);
    } else if (setting->kind == SETTING_KIND_NUMBER && in_one > 0) {
        const double stepped = (round(*(double *)member * in_one) + steps) / in_one;
        *(double *)member = fmax(fmin(stepped, setting->high), setting->low);
    } else if (count > 0) {
        /* After a palette of a file comes the first one. */
        const int index = setting_index(id, scene);
        const int next = index < 0 ? 0 : (int)fmod(index + steps + count, count);
        setting_choose(id, scene, next);
    }
}
