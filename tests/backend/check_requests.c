/* Random requests, on every backend that can run here: any formula, route, number type, colouring,
 * method, size, part and offset. Each request may reuse samples of the request before. All planes
 * and pixels must equal the plainest backend's, bit for bit.
 * usage: check_requests [NAME [SEED [COUNT]]]   (77: NAME cannot run on this machine)
 * A failure prints the seed that reproduces it at once. */
#include "render/files/scene.h"
#include "render/light/ranks.h"
#include "render/plan.h"
#include "tests/shared/formulas.h"
#include "tests/shared/pictures.h"
#include "tests/shared/random.h"
#include <inttypes.h>
#include <math.h>

#define WIDTH_MOST  80
#define HEIGHT_MOST 60
#define IN_A_ROW    3 /* requests in a row, each made from the one before */
#ifdef TEST_SANITIZED
#define COUNT 24
#else
#define COUNT 200
#endif

static uint64_t seed, count; /* from the command line */

static const struct place places[] = {
    {"-0.5", "0", "1.2", 0, 0},
    {"0", "0", "0.8", 0, 0},
    {"-0.743643887037151", "0.131825904205330", "3e4", 0, 0},
    {"-0.1592", "1.0317", "80", 0, 0},
    {"-2", "0", "1e8", 0, 0},
    {"0.25", "0", "1e4", 0, 0},
    {"-0.1", "0", "1e3", 0, 0},
    {"0.4", "-0.3", "2", 0, 0},
};

/* Places that need a reference: direct number types cannot show them. */
static const struct {
    struct place place;
    enum formula formula;
    const char *re, *im; /* parameter of a Julia set, or NULL */
} deep_places[] = {
    {{"0", "1", "1e30", 0, 0}, FORMULA_mandelbrot, NULL, NULL},
    {{"-0.0494700290631040937516922267273536301187457124882248793181049402326421947726869",
      "-0.6747875758446753640113920531305976563347707068224034806979997947909941983454845", "1e50",
      0, 0},
     FORMULA_mandelbrot,
     NULL,
     NULL},
    {{"0", "1", "1e320", 0, 0}, FORMULA_mandelbrot, NULL, NULL},
    {{"0", "0", "1e20", 0, 0}, FORMULA_mandelbrot, "0", "1"},
    {{"0.3788424269204502765584658", "0.3870880578711266085850654", "1e18", 0, 0},
     FORMULA_burning_ship,
     NULL,
     NULL},
    {{"0.3198997424609047384975397", "0.0498823797099820436866163", "1e18", 0, 0},
     FORMULA_celtic,
     NULL,
     NULL},
};

/* --- random requests --- */

static uint32_t below(size_t size) {
    return (uint32_t)random_below((int)size);
}

static bool one_in(int number) {
    return random_below(number) == 0;
}

static void random_colours(struct scene *scene) {
    palette_unref(scene->palette);
    scene->palette = palette_ref(palette_builtin(below(palette_builtin_count())));
    scene->frequency = exp2(10 * random_unit() - 5);
    scene->offset = random_unit();
    scene->banded = one_in(4);
    scene->mapping = (enum colour_mapping)below(MAPPING_COUNT);
    for (uint32_t i = 1, at = 0; i < COLOUR_KNOTS; i++)
        scene->ranks.knot[i] = at += below(COLOUR_RANKS / COLOUR_KNOTS);
    scene->by = one_in(2) ? BY_COUNT : (enum colour_by)below(BY_KINDS);
    scene->inside = one_in(2) ? INSIDE_ONE : (enum colour_inside)below(INSIDE_KINDS);
    scene->image_size = 0.1 + random_unit();
    for (int i = 0; i < LAYERS_MAX; i++)
        scene->layers[i] =
            (struct scene_layer){one_in(2) ? LAYER_NONE : (enum layer_kind)below(LAYER_KINDS),
                                 (enum layer_mode)below(LAYER_MODES), random_unit()};
    scene->light_angle = 360 * random_unit();
    scene->light_height = 90 * random_unit();
}

static void set_scene_place(struct scene *scene, const struct place *place) {
    SCOPED(frame_req, req, 1, 1);
    set_place(&req, place);
    view_assign(&scene->view, &req.view);
    view_set_angle_degrees(&scene->view, one_in(3) ? 360 * random_unit() : 0,
                           &(const char *){NULL});
}

static void random_shallow(struct scene *scene) {
    set_fractal(&scene->fractal, one_in(3) ? 0 : random_bits());
    set_scene_place(scene, &places[below(sizeof places / sizeof *places)]);
    scene->limit = one_in(8) ? below(40) : below(1200);
    scene->precision = one_in(6) ? PRECISION_PERTURBED : (enum precision)below(PRECISION_PERTURBED);
}

static void random_deep(struct scene *scene) {
    const uint32_t i = below(sizeof deep_places / sizeof *deep_places);
    set_fractal(&scene->fractal, 0);
    scene->fractal.formula = deep_places[i].formula;
    scene->fractal.julia = deep_places[i].re != NULL;
    mpfr_set_str(scene->fractal.re, deep_places[i].re ? deep_places[i].re : "0", 10, MPFR_RNDN);
    mpfr_set_str(scene->fractal.im, deep_places[i].im ? deep_places[i].im : "0", 10, MPFR_RNDN);
    set_scene_place(scene, &deep_places[i].place);
    scene->limit = 1000 + below(4000);
    scene->precision = one_in(3) ? PRECISION_PERTURBED_WIDE : PRECISION_PERTURBED;
}

static void random_scene(struct scene *scene) {
    if (one_in(4))
        random_deep(scene);
    else
        random_shallow(scene);
    random_colours(scene);
    scene->width_px = 1 + random_below(WIDTH_MOST);
    scene->height_px = 1 + random_below(HEIGHT_MOST);
}

static void change_scene(struct scene *scene) {
    const bool perturbed = scene->precision >= PRECISION_PERTURBED;
    if (perturbed || one_in(2))
        random_colours(scene);
    if (perturbed) /* a few of their samples depend on the kept reference */
        return;
    if (one_in(2))
        scene->limit = below(1200);
    if (one_in(2))
        view_pan(&scene->view, random_below(21) - 10, random_below(21) - 10, scene->height_px);
    else if (one_in(2))
        view_zoom_at(&scene->view, one_in(2) ? 2 : 0.5, below((size_t)scene->width_px),
                     below((size_t)scene->height_px), scene->width_px, scene->height_px);
}

/* Sets the values of a request that scenes do not contain. */
static void random_rest(struct frame_req *req) {
    req->method = (enum method)below(METHOD_COUNT);
    req->shortcuts = below(SHORTCUTS_ALL + 1);
    req->first_stride = 1 << random_below(5);
    req->focus_x_px = random_below(WIDTH_MOST);
    req->focus_y_px = random_below(HEIGHT_MOST);
    req->reuse = !one_in(4);
    req->generation++;
}

static void random_part(struct frame_req *req) {
    const bool whole = one_in(4), offset = one_in(4);
    req->whole_width_px = whole ? req->width_px + random_below(200) : 0;
    req->whole_height_px = whole ? req->height_px + random_below(200) : 0;
    req->part_x_px = whole ? random_below(req->whole_width_px - req->width_px + 1) : 0;
    req->part_y_px = whole ? random_below(req->whole_height_px - req->height_px + 1) : 0;
    req->offset_x = offset ? random_below(FRAME_OFFSETS + 1) - FRAME_OFFSETS / 2 : 0;
    req->offset_y = offset ? random_below(FRAME_OFFSETS + 1) - FRAME_OFFSETS / 2 : 0;
}

/* Makes a request from a scene. Returns false if it is invalid or the backend cannot draw it. */
static bool make_request(struct backend *backend, const struct scene *scene,
                         struct frame_req *req) {
    const struct plan plan = plan_frame(&(struct plan_input){.view = &scene->view,
                                                             .width_px = scene->width_px,
                                                             .height_px = scene->height_px,
                                                             .limit = scene->limit,
                                                             .fractal = &scene->fractal,
                                                             .precision = scene->precision,
                                                             .slopes = scene_has_slopes(scene),
                                                             .inside = scene_has_inside(scene)});
    scene_request(scene, scene->width_px, scene->height_px, &plan, req);
    return !frame_req_problem(req) && backend_info(backend).types[req->route] >> req->type & 1;
}

/* --- drawing --- */

static void picture_init_like(struct picture *picture, const struct frame_req *req) {
    picture_init(picture, req->width_px, req->height_px);
    sample_planes_finish(&picture->target.planes);
    if (!sample_planes_init(&picture->target.planes, req->planes, picture->pixels, "a test"))
        abort();
}

/* Returns true if a plane has a value at a pixel. Without distances, angles belong to maps, and
 * only escaped pixels have them. */
static bool has_value(const struct sample_planes *planes, int plane, size_t pixel) {
    const bool interior = planes->count[pixel] & SAMPLE_INTERIOR;
    if (SAMPLE_INSIDE >> plane & 1)
        return interior;
    if (SAMPLE_TRACE >> plane & 1)
        return planes->distance[pixel] > 0;
    return plane != SAMPLE_PLANE_angle || planes->distance || !interior;
}

static bool same_planes(const struct picture *want, const struct picture *got) {
    const struct sample_planes *a = &want->target.planes, *b = &got->target.planes;
    for (int plane = 0; plane < SAMPLE_PLANES; plane++)
        for (size_t i = 0; a->plane[plane] && i < want->pixels; i++)
            if (has_value(a, plane, i) &&
                memcmp((const uint32_t *)a->plane[plane] + i, (const uint32_t *)b->plane[plane] + i,
                       SAMPLE_PLANE_BYTES) != 0) {
                printf("%s: plane %d differs at pixel %zu, whose count is %#x\n", subject, plane, i,
                       a->count[i]);
                return false;
            }
    return true;
}

static void tell(struct scene *scene, const struct frame_req *req) {
    ranks_init(&scene->ranks); /* ranks would fill a page */
    char *text = scene_text(scene);
    printf("%dx%d of %dx%d at %d, %d, offset %d, %d, %s, %s, method %s, shortcuts %u, stride %d, "
           "reuse %d\n%s",
           req->width_px, req->height_px, req->whole_width_px, req->whole_height_px, req->part_x_px,
           req->part_y_px, req->offset_x, req->offset_y, route_names[req->route],
           number_type_name(req->type), method_names[req->method], req->shortcuts,
           req->first_stride, (int)req->reuse, text ? text : "");
    free(text);
}

static bool compare(struct backend *judge, struct backend *backend, struct scene *scene,
                    const struct frame_req *req) {
    SCOPED_BY(picture_init_like, picture, want, req);
    SCOPED_BY(picture_init_like, picture, got, req);
    const bool ok = judge_draw(judge, req, &want) && draw(backend, req, &got) &&
                    same(&want, &got, "a random request") && same_planes(&want, &got);
    if (!ok)
        tell(scene, req);
    return ok;
}

/* Checks requests that follow from each other, up to IN_A_ROW; *drawn counts them. */
static bool check_row(struct backend *judge, struct backend *backend, uint64_t *drawn) {
    bool ok = true;
    SCOPED(scene, scene);
    SCOPED(frame_req, req, 1, 1);
    req.generation = *drawn;
    do
        random_scene(&scene);
    while (!make_request(backend, &scene, &req));
    random_part(&req);
    for (int i = 0; ok && i < IN_A_ROW && *drawn < count && make_request(backend, &scene, &req);
         i++) {
        random_rest(&req);
        ok = compare(judge, backend, &scene, &req);
        ++*drawn;
        change_scene(&scene);
    }
    return ok;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    bool ok = true;
    for (uint64_t row = seed, drawn = 0; ok && drawn < count; row++) {
        random_seed(row);
        ok = check_row(judge, backend, &drawn);
        if (!ok)
            printf("%s: failed with seed %" PRIu64 "\n", subject, row);
    }
    return ok;
}

int main(int argc, char **argv) {
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    count = argc > 3 ? strtoull(argv[3], NULL, 0) : COUNT;
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "draw random requests alike");
}
