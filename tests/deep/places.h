/* Places of tests/data/deep_places.txt, and requests of WIDTH by HEIGHT pixels that show them by
 * the perturbed route. */
#ifndef FATHOM_TESTS_DEEP_PLACES_H
#define FATHOM_TESTS_DEEP_PLACES_H

#include "tests/shared/pictures.h"

#define PLACES_MOST 120

struct deep_place {
    char *re, *im, *zoom;
    char *c_re, *c_im; /* parameter of a Julia set, "-" without one, "=" at the centre */
    char *then;        /* further steps of a hybrid, or NULL */
    enum formula formula;
    uint32_t power, limit;
};

static struct deep_place deep_places[PLACES_MOST];
static size_t deep_place_count;

static inline void deep_place_parse(struct deep_place *place, const char *line) {
    char name[40];
    place->re = strtok(strdup(line), " \n");
    place->im = strtok(NULL, " \n");
    place->zoom = strtok(NULL, " \n");
    place->limit = (uint32_t)strtoul(strtok(NULL, " \n"), NULL, 10);
    place->power = 2;
    if (sscanf(strtok(NULL, " \n"), "%39[^^]^%u", name, &place->power) < 1)
        abort();
    while (strcmp(formula_names[place->formula], name) != 0)
        place->formula++;
    place->c_re = strtok(NULL, " \n");
    place->c_im = strtok(NULL, " \n");
    place->then = strtok(NULL, "\n");
    if (!place->c_im)
        abort();
}

/* Reads the places of a section. */
static inline void deep_places_read(const char *section) {
    char path[4096], line[4096];
    bool inside = false;
    snprintf(path, sizeof path, "%s/tests/data/deep_places.txt", getenv("FATHOM_SOURCE"));
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "=== ", 4) == 0)
            inside = strncmp(line + 4, section, strlen(section)) == 0;
        else if (inside && *line != '#' && *line != '\n' && deep_place_count < PLACES_MOST)
            deep_place_parse(&deep_places[deep_place_count++], line);
    if (!file || deep_place_count == 0)
        abort();
    fclose(file);
}

static inline void open_deep_place(struct frame_req *req, const struct deep_place *place) {
    const char *why;
    struct fractal *fractal = &req->fractal;
    frame_req_init(req, WIDTH, HEIGHT);
    set_place(req, &(struct place){place->re, place->im, place->zoom, 0, place->limit});
    SCOPED_COPY(view, c, &req->view);
    fractal->formula = place->formula;
    fractal->power = place->power;
    fractal->julia = *place->c_re != '-' || place->c_re[1];
    if (!fractal_set_then(fractal, place->then ? place->then : "") ||
        (fractal->julia && *place->c_re != '=' &&
         !view_set_centre(&c, place->c_re, place->c_im, 0, &why)))
        abort();
    mpfr_set_prec(fractal->re, mpfr_get_prec(c.re));
    mpfr_set_prec(fractal->im, mpfr_get_prec(c.im));
    mpfr_set(fractal->re, c.re, MPFR_RNDN);
    mpfr_set(fractal->im, c.im, MPFR_RNDN);
    req->route = ROUTE_PERTURBED;
}

/* Returns the index of the first place of a list that BACKEND draws, and in *EVERY the distance to
 * the next one. All backends draw the same bytes, so each draws a third of the list. CUDA draws all
 * places, as few machines test it. */
static inline size_t first_place(const char *backend, size_t *every) {
    *every = strcmp(backend, "cuda") == 0 ? 1 : 3;
    return *every == 1 || strcmp(backend, "scalar") == 0 ? 0
           : strcmp(backend, "avx512") == 0              ? 2
                                                         : 1;
}

#endif
