/* Values of the interior, on every backend: the same bits as the plainest backend's, also after
 * samples were kept. Periods, least points of cycles and atoms are compared with orbits in long
 * doubles, for many formulas, and so are domains of escaping points. Depths are compared with
 * components of known shape.
 * usage: check_inside [NAME]   (77: NAME cannot run on this machine) */
#include "render/formula/trace.h"
#include "render/grid/coords.h"
#include "tests/shared/random.h"

#define WIDTH  120
#define HEIGHT 80
#define PLANES (SAMPLE_BASIC | SAMPLE_SLOPE | SAMPLE_TRACE | SAMPLE_INSIDE)
#include "tests/backend/kinds.h"
#ifdef TEST_SANITIZED
#define EVERY 101u /* every N-th sample is judged */
#else
#define EVERY 31u
#endif

static bool same_inside(const struct picture *a, const struct picture *b, const char *what) {
    const struct sample_planes *p = &a->target.planes, *q = &b->target.planes;
    size_t others = 0, there = 0;
    for (size_t i = 0; i < a->pixels; i++)
        if (p->count[i] & SAMPLE_INTERIOR) {
            there++;
            others += p->period[i] != q->period[i] || p->atom[i] != q->atom[i] ||
                      memcmp(&p->depth[i], &q->depth[i], 4) != 0 ||
                      memcmp(&p->last[i], &q->last[i], 4) != 0;
        }
    if (others > 0)
        printf("%s: %s: %zu of %zu samples differ\n", subject, what, others, there);
    return others == 0;
}

/* --- kinds of pictures --- */

static const struct kind kinds[] = {
    {{"-0.75", "0", "1", 0, 250}, FORMULA_mandelbrot, 2, "", NULL, NULL, 0},
    {{"-0.1", "0", "100", 0, 60}, FORMULA_mandelbrot, 2, "", NULL, NULL, 1},
    {{"-1.1", "0.05", "100", 30, 60}, FORMULA_mandelbrot, 2, "", NULL, NULL, 2},
    {{"-0.1226", "0.7449", "200", 0, 60}, FORMULA_mandelbrot, 2, "", NULL, NULL, 3},
    {{"-1.7549", "0", "1000", 0, 60}, FORMULA_mandelbrot, 2, "", NULL, NULL, 3},
    {{"0", "0", "1.5", 0, 250}, FORMULA_mandelbrot, 3, "", NULL, NULL, 0},
    {{"0.1", "0.1", "100", 0, 60}, FORMULA_mandelbrot, 7, "", NULL, NULL, 1},
    {{"0.1", "0.2", "2", 45, 250}, FORMULA_perpendicular, 3, "", NULL, NULL, 0},
    {{"0.1", "-0.1", "100", 0, 60}, FORMULA_burning_ship, 2, "", NULL, NULL, 1},
    {{"-0.1", "0.05", "100", 0, 60}, FORMULA_tricorn, 2, "", NULL, NULL, 1},
    {{"-0.3", "0", "1.7", 0, 250}, FORMULA_tricorn, 2, "", NULL, NULL, 0},
    {{"0.1", "0.2", "2", 45, 250}, FORMULA_perpendicular_ship, 5, "", NULL, NULL, 0},
    {{"-0.3", "0", "1.5", 0, 250}, FORMULA_mandelbrot, 2, "burning_ship 3, tricorn", NULL, NULL, 0},
    {{"0", "0", "1.2", 0, 250}, FORMULA_mandelbrot, 2, "", "-0.123", "0.745", 3},
    {{"0", "0", "1.2", 0, 250}, FORMULA_burning_ship, 2, "", "-0.2", "-0.1", 0},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* --- reference computation --- */

#define SETTLED 4000u /* steps after which orbits are on their cycles */
#define LONGEST 1000u /* longest period that is searched for */
#define PARTED  60u   /* steps after which orbits of doubles and of long doubles may differ */

static long double square(point z) {
    return creall(z) * creall(z) + cimagl(z) * cimagl(z);
}

/* Expected values of a sample of the interior. */
struct judged {
    uint32_t period;         /* 0: unknown */
    long double last, least; /* the least |z| of the cycle and of the whole orbit */
};

static struct judged judge_inside(const struct recipe *recipe, point at) {
    struct judged judged = {0, 1e9L, 1e9L};
    point z, c;
    begin(recipe, at, &z, &c);
    uint32_t n = 0;
    for (; n < SETTLED / recipe->length * recipe->length && square(z) < 16; n++) {
        z = step(recipe, n, z, c);
        judged.least = fminl(judged.least, square(z));
    }
    const point mark = z;
    for (uint32_t p = 1; p <= LONGEST && judged.period == 0 && square(z) < 16; p++) {
        judged.last = fminl(judged.last, square(z));
        z = step(recipe, n + p - 1, z, c);
        if (p % recipe->length == 0 && square(z - mark) < 1e-30L)
            judged.period = p;
    }
    judged.last = sqrtl(judged.last);
    judged.least = sqrtl(judged.least);
    return judged;
}

/* Returns true if point number `atom` is the first point with the orbit's least |z|. */
static bool is_atom(const struct recipe *recipe, point at, uint32_t atom, long double least) {
    point z, c;
    long double before = 1e9L;
    begin(recipe, at, &z, &c);
    for (uint32_t n = 0; n + 1 < atom; n++) {
        z = step(recipe, n, z, c);
        before = fminl(before, square(z));
    }
    const long double size = atom > 0 ? cabsl(step(recipe, atom - 1, z, c)) : 1e9L;
    return size < least + 1e-8L && sqrtl(before) > size - 1e-12L;
}

/* The nearest to 0 of the last points. `unsure`: another point is about as near. */
struct caught {
    point place;
    bool unsure;
};

static void catch_point(struct caught *caught, point z) {
    const long double size = cabsl(z), least = cabsl(caught->place);
    caught->unsure = size < least * 0.99999L ? false : caught->unsure | (size < least * 1.00001L);
    caught->place = size < least ? z : caught->place;
}

static uint32_t domain_of(const struct recipe *recipe, point at, uint32_t count,
                          struct caught *caught) {
    long double least = 1e9L;
    uint32_t domain = 0;
    point z, c;
    begin(recipe, at, &z, &c);
    for (uint32_t n = 0; n < count || (n < count + 32 && square(z) < 65536); n++) {
        z = step(recipe, n, z, c);
        if (n + 1 + 16 > count)
            catch_point(caught, z);
        domain = square(z) < least ? n + 1 : domain;
        least = fminl(least, square(z));
    }
    return domain;
}

/* Returns true if the stored place is the caught point, within one unit. A point with a part beyond
 * 1 is stored as TRACE_NOWHERE. */
static bool is_place(uint32_t bits, const struct caught *caught) {
    const long double re = (int16_t)(bits & 0xffffu) / 32768.0L;
    const long double im = (int16_t)(bits >> 16) / 32768.0L;
    const point place = caught->place;
    if (caught->unsure)
        return true;
    if (bits == TRACE_NOWHERE)
        return fmaxl(fabsl(creall(place)), fabsl(cimagl(place))) > 1 - 0x1p-14L;
    return fabsl(creall(place) - re) < 0x1p-15L && fabsl(cimagl(place) - im) < 0x1p-15L;
}

struct tally {
    size_t inside, periods, lasts, atoms, deep, outside,
        domains; /* numbers of samples (inside, outside), and of wrong values */
};

static void judge_sample(const struct recipe *recipe, point at, const struct sample_planes *planes,
                         size_t i, struct tally *tally) {
    if (!(planes->count[i] & SAMPLE_INTERIOR)) {
        const bool near = planes->count[i] <= PARTED;
        tally->outside += near;
        struct caught caught = {.place = 1e9L};
        const uint32_t domain = domain_of(recipe, at, planes->count[i], &caught);
        tally->domains +=
            near && (domain != planes->domain[i] || !is_place(planes->caught[i], &caught));
        return;
    }
    const struct judged judged = judge_inside(recipe, at);
    if (judged.period == 0)
        return;
    tally->inside++;
    tally->periods += planes->period[i] != judged.period;
    tally->lasts += !(fabsl(planes->last[i] - judged.last) < 1e-6L + 1e-4L * judged.last);
    tally->atoms += !is_atom(recipe, at, planes->atom[i], judged.least);
    const bool depth = recipe->length == 1 && recipe->folds[0] == FOLD_NONE && !recipe->julia;
    tally->deep += depth ? !(planes->depth[i] > 0) : planes->depth[i] != 0;
}

static bool is_right(const struct frame_req *req, const struct kind *kind,
                     const struct picture *picture) {
    struct tally tally = {0};
    struct recipe recipe;
    size_t others = 0;
    SCOPED_MADE(coords, coords, req);
    fractal_recipe(&req->fractal, TYPE_DOUBLE, &recipe);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i += EVERY) {
        const struct sample_planes *planes = &picture->target.planes;
        double re, im;
        coords_point_double(coords.f64, coords.layout, WIDTH, i % WIDTH, i / WIDTH, &re, &im);
        judge_sample(&recipe, re + im * (point)I, planes, i, &tally);
        others += kind->period > 0 && planes->count[i] & SAMPLE_INTERIOR &&
                  planes->period[i] != kind->period;
    }
    const size_t most = tally.inside / 100;
    const bool ok = tally.inside >= 500 / EVERY && tally.periods <= most && tally.lasts <= most &&
                    tally.atoms <= most && tally.deep <= most &&
                    tally.domains * 100 <= tally.outside && others == 0;
    if (!ok)
        printf("%s: of %zu samples inside are wrong %zu periods, %zu least points, %zu atoms, %zu "
               "depths; %zu have not the period %u; of %zu outside %zu domains\n",
               subject, tally.inside, tally.periods, tally.lasts, tally.atoms, tally.deep, others,
               kind->period, tally.outside, tally.domains);
    return ok;
}

static bool check_kinds(struct backend *backend, struct backend *judge) {
    bool ok = true;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, got);
    SCOPED_BY(picture_init_planes, picture, want);
    for (size_t i = 0; ok && i < KINDS * (TYPE_COUNT + 1); i++) {
        const struct kind *kind = &kinds[i / (TYPE_COUNT + 1)];
        const bool screened = i % (TYPE_COUNT + 1) == TYPE_COUNT;
        char what[64];
        set_kind(&req, kind);
        req.type = screened ? TYPE_WIDE : (enum number_type)(i % (TYPE_COUNT + 1));
        req.doubles_limit = screened ? 30 : 0;
        snprintf(what, sizeof what, "kind %zu in %s%s", i / (TYPE_COUNT + 1),
                 number_type_name(req.type), screened ? ", screened" : "");
        ok = judge_draw(judge, &req, &want) && draw(backend, &req, &got) &&
             same(&want, &got, what) && same_inside(&want, &got, what) &&
             (req.type != TYPE_DOUBLE || is_right(&req, kind, &got));
        if (!ok)
            printf("%s: %s\n", subject, what);
    }
    return ok;
}

/* Checks that a formula without values of the interior leaves no values of the previous picture. */
static bool check_none(struct backend *backend) {
    size_t inside = 0, left = 0;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, got);
    set_kind(&req, &kinds[0]);
    CHECK(draw(backend, &req, &got));
    req.fractal.formula = FORMULA_magnet1;
    req.generation++;
    CHECK(draw(backend, &req, &got));
    for (size_t i = 0; i < got.pixels; i++)
        if (got.target.planes.count[i] & SAMPLE_INTERIOR) {
            inside++;
            for (int p = SAMPLE_PLANE_period; p <= SAMPLE_PLANE_atom; p++)
                left += ((const uint32_t *)got.target.planes.plane[p])[i] != 0;
        }
    if (left > 0)
        printf("%s: %zu numbers of %zu samples are another picture's\n", subject, left, inside);
    return inside > 100 && left == 0;
}

/* --- kept samples --- */

static const struct place kept_place = {"-0.75", "0.1", "6", 0, 200};

static void change(struct frame_req *req, int turn) {
    const char *why;
    req->first_stride = 1 << turn % 4;
    req->method = turn % 5 == 4 ? METHOD_DEEPEN : METHOD_TILES;
    if (turn % 8 == 5 || turn % 8 == 6)
        req->planes = req->planes & SAMPLE_INSIDE ? SAMPLE_BASIC : PLANES;
    else if (turn % 6 == 1)
        req->planes ^= SAMPLE_SLOPE | SAMPLE_TRACE;
    else if (turn % 3 == 0)
        view_pan(&req->view, (double)random_below(31) - 15, (double)random_below(31) - 15, HEIGHT);
    else if (turn % 3 == 1)
        req->limit += 300;
    else if (!view_set_zoom(&req->view, turn % 2 ? "12" : "6", &why))
        abort();
    if ((req->planes & SAMPLE_TRACE) != SAMPLE_TRACE)
        req->planes &= ~(unsigned)SAMPLE_TRACE;
    req->generation++;
}

static bool check_kept(struct backend *backend, struct backend *judge) {
    bool ok = true;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, got);
    SCOPED_BY(picture_init_planes, picture, want);
    const struct sample_planes planes = got.target.planes, wanted = want.target.planes;
    set_place(&req, &kept_place);
    req.planes = PLANES;
    random_seed(1);
    for (int turn = 0; ok && turn < 32; turn++) {
        change(&req, turn);
        for (int p = 0; p < SAMPLE_PLANES; p++) {
            got.target.planes.plane[p] = req.planes >> p & 1 ? planes.plane[p] : NULL;
            want.target.planes.plane[p] = req.planes >> p & 1 ? wanted.plane[p] : NULL;
        }
        if (turn % 4 == 3) { /* cancelled half-way */
            CHECK(backend_submit(backend, &req, &got.target));
            backend_poll(backend, (double)random_below(3));
            req.generation++;
        }
        ok = draw(backend, &req, &got);
        if (ok && req.planes & SAMPLE_INSIDE)
            ok = judge_draw(judge, &req, &want) && same_inside(&want, &got, "kept");
    }
    got.target.planes = planes;
    want.target.planes = wanted;
    return ok;
}

/* --- components of known shape --- */

/* Returns the distance from c to the edge of the component around 0 of z^power + c, by a search
 * along the edge. */
static double edge_distance(int power, double complex c) {
    const double size = pow(power, -1.0 / (power - 1));
    double least = 1e9;
    for (int i = 0; i < 1500; i++) {
        const double complex z = size * cexp(i * (6.283185307179586 / 1500) * (double complex)I);
        least = fmin(least, cabs(z - cpow(z, power) - c));
    }
    return least;
}

/* Returns the conformal radius at a point: of the cardioid, by its multiplier 1 - sqrt(1 - 4c), or
 * of the disc around -1. */
static double radius_of(int disc, double complex c) {
    const double complex root = csqrt(1 - 4 * c);
    const double square = pow(cabs(1 - root), 2), r = cabs(c + 1);
    return disc ? (1 - 16 * r * r) / 4 : (1 - square) * cabs(root) / 2;
}

static bool is_depth(const struct frame_req *req, double complex c, double depth) {
    const int power = (int)req->fractal.power;
    const bool disc = power == 2 && creal(c) < -0.75;
    const double edge = disc ? 0.25 - cabs(c + 1) : edge_distance(power, c);
    return depth > 0.995 * edge && depth < 4.02 * edge &&
           (power > 2 || fabs(depth / radius_of(disc, c) - 1) < 1e-3);
}

static bool check_depths(struct backend *backend) {
    static const struct place places[] = {{"-0.25", "0.01", "1.6", 0, 2000},
                                          {"-1", "0.01", "5", 0, 2000},
                                          {"0", "0.01", "1.6", 0, 2000},
                                          {"0", "0.01", "1.6", 0, 2000}};
    static const uint32_t powers[] = {2, 2, 3, 6}, periods[] = {1, 2, 1, 1};
    size_t seen = 0, wrong = 0;
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    SCOPED_BY(picture_init_planes, picture, got);
    for (int place = 0; place < 4; place++) {
        struct coords coords;
        set_place(&req, &places[place]);
        req.fractal.power = powers[place];
        req.planes = PLANES;
        req.generation++;
        if (!draw(backend, &req, &got) || !coords_init(&coords, &req))
            return false;
        for (size_t i = 0; i < WIDTH * HEIGHT; i += 2 * EVERY) {
            const struct sample_planes *planes = &got.target.planes;
            double re, im;
            coords_point_double(coords.f64, coords.layout, WIDTH, (uint32_t)i % WIDTH,
                                (uint32_t)i / WIDTH, &re, &im);
            if (!(planes->count[i] & SAMPLE_INTERIOR) || planes->period[i] != periods[place])
                continue;
            seen++;
            wrong += !is_depth(&req, re + im * (double complex)I,
                               (double)planes->depth[i] * frame_req_step(&req));
        }
        coords_finish(&coords);
    }
    if (wrong > 0 || seen < 2000 / EVERY)
        printf("%s: %zu of %zu depths are wrong\n", subject, wrong, seen);
    return wrong == 0 && seen >= 2000 / EVERY;
}

static bool check_backend(struct backend *backend, struct backend *judge) {
    return check_kinds(backend, judge) && check_none(backend) && check_kept(backend, judge) &&
           check_depths(backend);
}

int main(int argc, char **argv) {
    return check_each_pair(argc > 1 ? argv[1] : NULL, check_backend, "have the right interior");
}
