/* Slopes and traces of samples, on every backend: the same bits as the plainest backend's, also
 * after samples were kept. For many formulas they are compared with differences of neighbouring
 * orbits, and with orbits, in long doubles. Distances are compared with the set itself, as far as
 * it can be located.
 * usage: check_slopes [NAME]   (77: NAME cannot run on this machine) */
#include "render/grid/coords.h"
#include "render/palette.h"
#include "tests/shared/random.h"

#define WIDTH  120
#define HEIGHT 80
#define PLANES (SAMPLE_BASIC | SAMPLE_SLOPE | SAMPLE_TRACE)
#include "tests/backend/kinds.h"

static bool same_slopes(const struct picture *a, const struct picture *b, const char *what) {
    bool ok = true;
    for (int k = SAMPLE_PLANE_distance; k < SAMPLE_PLANES; k++) {
        const char *p = a->target.planes.plane[k], *q = b->target.planes.plane[k];
        size_t others = 0;
        for (size_t i = 0; p && q && i < a->pixels; i++)
            others += memcmp(p + 4 * i, q + 4 * i, 4) != 0;
        if (others > 0)
            printf("%s: %s: %zu of %zu samples differ in plane %d\n", subject, what, others,
                   a->pixels, k);
        ok = ok && others == 0;
    }
    return ok && same(a, b, what);
}

/* --- kinds of pictures --- */

static const struct kind kinds[] = {
    {{"-0.75", "0.1", "6", 0, 500}, FORMULA_mandelbrot, 2, "", NULL, NULL, 0},
    {{"-0.743643887037151", "0.131825904205330", "20000", 30, 3000},
     FORMULA_mandelbrot,
     2,
     "",
     NULL,
     NULL,
     0},
    {{"0", "0", "1.2", 0, 300}, FORMULA_mandelbrot, 2, "", "-0.8", "0.156", 0},
    {{"-1.75", "-0.03", "15", 0, 400}, FORMULA_burning_ship, 2, "", NULL, NULL, 0},
    {{"0.2", "0.3", "1.5", 0, 300}, FORMULA_tricorn, 3, "", NULL, NULL, 0},
    {{"0.1", "0.2", "2", 45, 300}, FORMULA_celtic, 2, "", NULL, NULL, 0},
    {{"0.1", "-0.6", "4", 0, 300}, FORMULA_buffalo, 5, "", NULL, NULL, 0},
    {{"0.1", "-0.6", "3", 0, 300}, FORMULA_mandelbrot, 8, "", NULL, NULL, 0},
    {{"-0.3", "0.5", "2", 0, 300}, FORMULA_mandelbrot, 2, "burning_ship 3, tricorn", NULL, NULL, 0},
    {{"0", "0", "1", 0, 200}, FORMULA_burning_ship, 2, "", "-0.6", "-0.4", 0},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* --- reference computation of slopes --- */

/* Returns the point of an orbit after `count` + *more steps. If *more is UINT32_MAX, the orbit goes
 * on until it is far away, at most 32 steps; *more is set to their number. */
static point follow(const struct recipe *recipe, point at, uint32_t count, uint32_t *more) {
    point z, c;
    begin(recipe, at, &z, &c);
    const bool far = *more == UINT32_MAX;
    for (uint32_t n = 0; n < count; n++)
        z = step(recipe, n, z, c);
    if (far)
        *more = 0;
    for (uint32_t n = 0; far ? n < 32 && cabsl(z) < 256 : n < *more; n++) {
        z = step(recipe, count + n, z, c);
        *more = far ? n + 1 : *more;
    }
    return z;
}

/* Returns true if the slope agrees with differences over 2^-12 of the distance. */
static bool is_slope(const struct recipe *recipe, point at, long double unit, uint32_t count,
                     float distance, uint32_t normal, uint32_t angle) {
    uint32_t more = UINT32_MAX;
    const long double h = unit * distance * 0x1p-12L;
    const point z = follow(recipe, at, count, &more);
    const long double right = cabsl(follow(recipe, at + h, count, &more)),
                      left = cabsl(follow(recipe, at - h, count, &more)),
                      up = cabsl(follow(recipe, at + h * (point)I, count, &more)),
                      down = cabsl(follow(recipe, at - h * (point)I, count, &more));
    const point gradient = (right - left) / (2 * h) + (up - down) / (2 * h) * (point)I;
    const point given = ((int16_t)normal + (int16_t)(normal >> 16) * (point)I) / 32767;
    const long double want = cabsl(z) * logl(cabsl(z)) / cabsl(gradient) / unit;
    const long double turn = cargl(z) / (2 * acosl(-1)) - (long double)angle / 0x1p32L;
    return fabsl(distance / want - 1) < 1e-2L &&
           cabsl(given - gradient / cabsl(gradient)) < 1e-2L && fabsl(turn - roundl(turn)) < 1e-4L;
}

/* --- reference computation of traces --- */

static bool alike(long double a, float b) {
    return fabsl(a - b) < 1e-3L + 1e-2L * fabsl(a);
}

/* Returns true if a sample's traces agree with its orbit. */
static bool is_trace(const struct recipe *recipe, point at, const struct sample_planes *planes,
                     size_t i) {
    const uint32_t count = planes->count[i];
    point z, c;
    begin(recipe, at, &z, &c);
    long double near[4] = {1e9L, 1e9L, 1e9L, 1e9L}, stripe[2] = {0}, triangle[2] = {0};
    uint32_t n = 0;
    for (; n < count || (n < count + 32 && cabsl(z) < 256); n++) {
        const long double size = powl(cabsl(z), recipe->power[n % recipe->length]);
        z = step(recipe, n, z, c);
        const long double x = fabsl(creall(z)), y = fabsl(cimagl(z));
        const long double least = fabsl(size - cabsl(c)), most = size + cabsl(c);
        const long double passed[] = {cabsl(z), y, fminl(x, y), fabsl(cabsl(z) - 1)};
        for (int k = 0; k < 4; k++)
            near[k] = fminl(near[k], passed[k]);
        stripe[1] = stripe[0];
        stripe[0] += 0.5L + 0.5L * sinl(4 * cargl(z));
        triangle[1] = triangle[0];
        if (n > 0)
            triangle[0] += fmaxl(fminl((cabsl(z) - least) / (most - least), 1), 0);
    }
    const long double part = fmaxl(fminl(planes->fraction[i] + 1 - (n - count), 1), 0);
    if (n < 3)
        return true;
    return alike(near[0], planes->point[i]) && alike(near[1], planes->line[i]) &&
           alike(near[2], planes->cross[i]) && alike(near[3], planes->circle[i]) &&
           alike(part * stripe[0] / n + (1 - part) * stripe[1] / (n - 1), planes->stripe[i]) &&
           alike(part * triangle[0] / (n - 1) + (1 - part) * triangle[1] / (n - 2),
                 planes->triangle[i]);
}

/* Checks slopes and traces; a few may be wrong, because folds have corners, and orbits of doubles
 * and of long doubles diverge. */
static bool is_right(const struct frame_req *req, const struct picture *picture) {
    const struct sample_planes *planes = &picture->target.planes;
    struct recipe recipe;
    size_t there = 0, wrong = 0, none = 0, traces = 0;
    SCOPED_MADE(coords, coords, req);
    fractal_recipe(&req->fractal, TYPE_DOUBLE, &recipe);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i += 7) {
        double re, im;
        coords_point_double(coords.f64, coords.layout, WIDTH, i % WIDTH, i / WIDTH, &re, &im);
        if (planes->count[i] & SAMPLE_INTERIOR) {
            none += planes->distance[i] != 0 || planes->normal[i] != 0 || planes->angle[i] != 0 ||
                    planes->stripe[i] != 0 || planes->circle[i] != 0;
            continue;
        }
        there++;
        traces += !is_trace(&recipe, re + im * (point)I, planes, i);
        wrong +=
            !is_slope(&recipe, re + im * (point)I, (long double)frame_req_step(req),
                      planes->count[i], planes->distance[i], planes->normal[i], planes->angle[i]);
    }
    const bool ok = there >= 300 && wrong * 20 <= there && traces * 20 <= there && none == 0;
    if (!ok)
        printf("%s: of %zu slopes %zu are wrong, of what is passed %zu; %zu of the interior\n",
               subject, there, wrong, traces, none);
    return ok;
}

static bool check_kinds(struct backend *backend, struct backend *judge) {
    bool ok = true;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, got);
    SCOPED_BY(picture_init_planes, picture, want);
    for (size_t i = 0; ok && i < KINDS * TYPE_COUNT; i++) {
        char what[64];
        set_kind(&req, &kinds[i / TYPE_COUNT]);
        req.type = (enum number_type)(i % TYPE_COUNT);
        snprintf(what, sizeof what, "kind %zu in %s", i / TYPE_COUNT, number_type_name(req.type));
        ok = judge_draw(judge, &req, &want) && draw(backend, &req, &got) &&
             same_slopes(&want, &got, what) && (req.type != TYPE_DOUBLE || is_right(&req, &got));
        if (!ok)
            printf("%s: %s\n", subject, what);
    }
    return ok;
}

/* --- short orbits in doubles --- */

#define SHORT(limit) ((limit) / 8) /* steps of short orbits */

/* Returns the number of values of a screened picture that differ from those in doubles where these
 * escape within `limit` steps, and otherwise from those in wide numbers. Rarely only the wide orbit
 * escapes within the limit; its slope is not compared. */
static size_t count_others(const struct picture *screened, const struct picture *doubles,
                           const struct picture *wide, uint32_t limit, size_t *from_doubles) {
    size_t others = 0;
    for (size_t i = 0; i < screened->pixels; i++) {
        const bool is_short = doubles->target.planes.count[i] <= limit;
        const struct picture *from = is_short ? doubles : wide;
        const bool is_rare = !is_short && wide->target.planes.count[i] <= limit;
        *from_doubles += is_short;
        for (int p = 0; p < SAMPLE_PLANES; p++)
            if ((is_rare ? SAMPLE_BASIC : PLANES) >> p & 1)
                others += memcmp((const char *)screened->target.planes.plane[p] + 4 * i,
                                 (const char *)from->target.planes.plane[p] + 4 * i, 4) != 0;
    }
    return others;
}

static bool check_screened(struct backend *backend) {
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, doubles);
    SCOPED_BY(picture_init_planes, picture, wide);
    SCOPED_BY(picture_init_planes, picture, screened);
    for (size_t i = 0; i < KINDS; i++) {
        size_t from_doubles = 0;
        set_kind(&req, &kinds[i]);
        bool ok = draw(backend, &req, &doubles);
        req.type = TYPE_WIDE;
        req.generation++;
        ok = ok && draw(backend, &req, &wide);
        req.doubles_limit = SHORT(req.limit);
        req.method = i % 2 ? METHOD_DEEPEN : METHOD_TILES;
        req.generation++;
        ok = ok && draw(backend, &req, &screened);
        const size_t others =
            ok ? count_others(&screened, &doubles, &wide, req.doubles_limit, &from_doubles) : 1;
        if (others > 0 || from_doubles == 0)
            printf("%s: kind %zu: %zu values of others, %zu short orbits\n", subject, i, others,
                   from_doubles);
        if (others > 0 || from_doubles == 0)
            return false;
        req.type = TYPE_DOUBLE;
        req.doubles_limit = 0;
    }
    return true;
}

/* --- kept samples --- */

/* Checks pictures in doubles, or screened ones. */
static bool check_kept(struct backend *backend, struct backend *judge, bool in_wide) {
    const char *why;
    bool ok = true;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, got);
    SCOPED_BY(picture_init_planes, picture, want);
    set_kind(&req, &kinds[0]);
    req.type = in_wide ? TYPE_WIDE : TYPE_DOUBLE;
    req.doubles_limit = in_wide ? SHORT(req.limit) : 0;
    random_seed(1);
    for (int turn = 0; ok && turn < 24; turn++) {
        req.generation++;
        req.first_stride = 1 << turn % 4;
        req.method = turn % 5 == 4 ? METHOD_DEEPEN : METHOD_TILES;
        if (turn % 6 == 5)
            req.planes =
                req.planes & SAMPLE_SLOPE ? SAMPLE_BASIC : PLANES; /* sometimes without slopes */
        else if (turn % 6 == 1 && req.planes & SAMPLE_TRACE)
            req.planes ^= SAMPLE_PLANE_BIT(cross);
        else if (turn % 3 == 0)
            view_pan(&req.view, (double)random_below(31) - 15, (double)random_below(31) - 15,
                     HEIGHT);
        else if (turn % 3 == 1)
            req.limit += 100;
        else
            CHECK(view_set_zoom(&req.view, turn % 2 ? "12" : "6", &why));
        struct picture *shown = &got;
        const struct sample_planes planes = shown->target.planes;
        const struct sample_planes wanted = want.target.planes;
        for (int p = 0; p < SAMPLE_PLANES; p++)
            if (!(req.planes >> p & 1))
                shown->target.planes.plane[p] = want.target.planes.plane[p] = NULL;
        const bool halfway = turn % 8 == 3; /* cancelled half-way */
        if (halfway) {
            CHECK(backend_submit(backend, &req, &shown->target));
            backend_poll(backend, (double)random_below(3));
            req.generation++;
        }
        ok = draw(backend, &req, shown);
        if (ok && turn % 6 == 5 && !halfway) /* removed planes need no iterations */
            CHECK(shown->report.iterations == 0 && shown->report.kept == shown->pixels);
        if (ok && req.planes & SAMPLE_SLOPE)
            ok = judge_draw(judge, &req, &want) && same_slopes(&want, &got, "kept");
        shown->target.planes = planes;
        want.target.planes = wanted;
    }
    return ok;
}

/* --- distances from the set --- */

#define LIMIT 20000

/* Returns an upper bound of the distance of a point from the set; 0: the point seems to be in the
 * set. */
static double bound_at(double re, double im) {
    double zr = 0, zi = 0, dr = 0, di = 0;
    for (int n = 0; n < LIMIT; n++) {
        const double r = 2 * (zr * dr - zi * di) + 1;
        di = 2 * (zr * di + zi * dr);
        dr = r;
        const double t = zr * zr - zi * zi + re;
        zi = 2 * zr * zi + im;
        zr = t;
        if (zr * zr + zi * zi > 1e6)
            return 2 * hypot(zr, zi) * log(hypot(zr, zi)) / hypot(dr, di);
    }
    return 0;
}

/* Checks a distance: no point of the set is nearer than half of it, and one is within twice of it.
 * The search descends from point to point to where the set is near. */
static bool is_distance(double re, double im, double distance) {
    bool found = false;
    for (int way = 0; way < 720; way++) {
        const double turn = way * 6.283185307179586 / 720;
        for (double r = 0.07; r < 0.5; r += 0.07)
            if (bound_at(re + r * distance * cos(turn), im + r * distance * sin(turn)) == 0)
                return false;
        for (double r = 0.4; r < 2 && !found;) {
            const double to =
                bound_at(re + r * distance * cos(turn), im + r * distance * sin(turn));
            found = to < 0.02 * distance;
            r += fmax(to / 4 / distance, 0.002);
        }
    }
    return found;
}

static bool check_distances(struct backend *backend) {
    static const struct place places[] = {{"-0.5", "0", "1.2", 0, 2000},
                                          {"-0.7436438", "0.1318259", "3000", 0, 3000}};
    size_t seen = 0, wrong = 0;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, got);
    for (int place = 0; place < 2; place++) {
        struct coords coords;
        set_place(&req, &places[place]);
        req.planes = PLANES;
        req.generation++;
        if (!draw(backend, &req, &got) || !coords_init(&coords, &req))
            return false;
        for (size_t i = 0; i < WIDTH * HEIGHT; i += 397) {
            const float distance = got.target.planes.distance[i];
            double re, im;
            coords_point_double(coords.f64, coords.layout, WIDTH, (uint32_t)i % WIDTH,
                                (uint32_t)i / WIDTH, &re, &im);
            if (distance < 0.5f || got.target.planes.count[i] < 4)
                continue;
            seen++;
            wrong += !is_distance(re, im, (double)distance * frame_req_step(&req));
        }
        coords_finish(&coords);
    }
    if (wrong > 0 || seen < 20)
        printf("%s: %zu of %zu distances are wrong\n", subject, wrong, seen);
    return wrong == 0 && seen >= 20;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    return check_kinds(backend, judge) && check_screened(backend) &&
           check_kept(backend, judge, false) && check_kept(backend, judge, true) &&
           check_distances(backend);
}

int main(int argc, char **argv) {
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "have the right slopes");
}
