/* Slopes of perturbed pictures. They are compared with orbits and derivatives in exact numbers, at
 * depths within and beyond the range of doubles, for powers, folds and Julia sets, and with direct
 * pictures. All backends must have the same bits, whatever samples were kept.
 * usage: check_deep_slopes [NAME]   (77: NAME cannot run on this machine) */
#include "render/palette.h"
#include "tests/deep/deep_pictures.h"
#include "tests/shared/random.h"
#include <math.h>

#define PLANES (SAMPLE_BASIC | SAMPLE_SLOPE)

static bool same_slopes(const struct picture *a, const struct picture *b, const char *what) {
    const struct sample_planes *p = &a->target.planes, *q = &b->target.planes;
    size_t others = 0;
    for (size_t i = 0; i < a->pixels; i++)
        others += p->normal[i] != q->normal[i] || p->angle[i] != q->angle[i] ||
                  memcmp(&p->distance[i], &q->distance[i], sizeof(float)) != 0;
    if (others > 0)
        printf("%s: %s: %zu of %zu slopes differ\n", subject, what, others, a->pixels);
    return others == 0 && same(a, b, what);
}

/* Counts the escaped samples, and those of them without a slope. */
static void count_slopes(const struct picture *picture, size_t *escaped, size_t *none) {
    const struct sample_planes *planes = &picture->target.planes;
    *escaped = *none = 0;
    for (size_t i = 0; i < picture->pixels; i++) {
        const bool there = !(planes->count[i] & SAMPLE_INTERIOR);
        *escaped += there;
        *none += there && !(planes->distance[i] > 0);
        if (!there && planes->distance[i] != 0)
            abort();
    }
}

/* --- exact numbers --- */

/* Computes to = a b; `part` is scratch. */
static void multiply(struct number *to, const struct number *a, const struct number *b,
                     mpfr_t part[3]) {
    mpfr_mul(part[0], a->im, b->im, MPFR_RNDN);
    mpfr_mul(part[1], a->re, b->im, MPFR_RNDN);
    mpfr_mul(part[2], a->im, b->re, MPFR_RNDN);
    mpfr_mul(to->re, a->re, b->re, MPFR_RNDN);
    mpfr_sub(to->re, to->re, part[0], MPFR_RNDN);
    mpfr_add(to->im, part[1], part[2], MPFR_RNDN);
}

/* An orbit with its derivatives: the changes for a pixel's step to the right and upwards. */
struct exact {
    struct number z, c, right, up;
    mpfr_t by; /* change of c for a pixel's step, added in each step; 0 for Julia sets */
    mpfr_t part[3], short_part[3];
    struct step_list steps;
    uint32_t done;
};

static void negate(mpfr_t a, mpfr_t b, mpfr_t c) {
    mpfr_neg(a, a, MPFR_RNDN);
    mpfr_neg(b, b, MPFR_RNDN);
    mpfr_neg(c, c, MPFR_RNDN);
}

static void exact_step(struct exact *e) {
    const uint32_t number = e->done++ % e->steps.length;
    const unsigned power = (unsigned)step_list_power(&e->steps, number);
    const unsigned folds = step_list_folds(&e->steps, number);
    SCOPED(number, low, mpfr_get_prec(e->z.re)); /* z^(power - 1) */
    SCOPED(number, next, mpfr_get_prec(e->z.re));
    SCOPED(number, m, mpfr_get_prec(e->up.re)); /* power z^(power - 1) */
    SCOPED(number, d, mpfr_get_prec(e->up.re));
    if (folds & FOLD_X && mpfr_signbit(e->z.re))
        negate(e->z.re, e->right.re, e->up.re);
    if (folds & FOLD_Y && mpfr_signbit(e->z.im))
        negate(e->z.im, e->right.im, e->up.im);
    if (folds & FOLD_NEGATE)
        negate(e->z.im, e->right.im, e->up.im);
    mpfr_set_ui(low.re, 1, MPFR_RNDN);
    for (unsigned i = 1; i < power; i++) {
        multiply(&next, &low, &e->z, e->part);
        mpfr_swap(low.re, next.re);
        mpfr_swap(low.im, next.im);
    }
    multiply(&next, &low, &e->z, e->part);
    mpfr_mul_ui(m.re, low.re, power, MPFR_RNDN);
    mpfr_mul_ui(m.im, low.im, power, MPFR_RNDN);
    multiply(&d, &m, &e->right, e->short_part);
    mpfr_swap(d.re, e->right.re);
    mpfr_swap(d.im, e->right.im);
    multiply(&d, &m, &e->up, e->short_part);
    mpfr_swap(d.re, e->up.re);
    mpfr_swap(d.im, e->up.im);
    if (folds & FOLD_RE && mpfr_signbit(next.re))
        negate(next.re, e->right.re, e->up.re);
    if (folds & FOLD_IM && mpfr_signbit(next.im))
        negate(next.im, e->right.im, e->up.im);
    mpfr_add(e->right.re, e->right.re, e->by, MPFR_RNDN);
    mpfr_add(e->up.im, e->up.im, e->by, MPFR_RNDN);
    mpfr_add(e->z.re, next.re, e->c.re, MPFR_RNDN);
    mpfr_add(e->z.im, next.im, e->c.im, MPFR_RNDN);
}

static double size(const struct number *z) {
    return hypot(mpfr_get_d(z->re, MPFR_RNDN), mpfr_get_d(z->im, MPFR_RNDN));
}

static void exact_init(struct exact *e, const struct frame_req *req, uint32_t pixel) {
    const struct fractal *fractal = &req->fractal;
    const double depth = -view_step_log2(&req->view, HEIGHT);
    *e = (struct exact){.steps = fractal_steps(fractal)};
    const int times = fractal->julia ? step_list_most_power(&e->steps) : 1;
    const mpfr_prec_t bits = (mpfr_prec_t)(128 + depth * times);
    number_init(&e->z, bits);
    number_init(&e->c, bits);
    number_init(&e->right, 128);
    number_init(&e->up, 128);
    mpfr_init2(e->by, 128);
    for (int i = 0; i < 3; i++) {
        mpfr_init2(e->part[i], bits);
        mpfr_init2(e->short_part[i], 128);
    }
    struct number *at = fractal->julia ? &e->z : &e->c;
    view_step(&req->view, HEIGHT, e->by);
    mpfr_mul_d(e->part[0], e->by, pixel % WIDTH + 0.5 - WIDTH / 2, MPFR_RNDN);
    mpfr_mul_d(e->part[1], e->by, HEIGHT / 2 - 0.5 - pixel / WIDTH, MPFR_RNDN);
    mpfr_add(at->re, req->view.re, e->part[0], MPFR_RNDN);
    mpfr_add(at->im, req->view.im, e->part[1], MPFR_RNDN);
    if (fractal->julia) {
        mpfr_set(e->c.re, fractal->re, MPFR_RNDN);
        mpfr_set(e->c.im, fractal->im, MPFR_RNDN);
        mpfr_swap(e->right.re, e->by);
        mpfr_set(e->up.im, e->right.re, MPFR_RNDN);
        mpfr_set_ui(e->by, 0, MPFR_RNDN);
    }
}

static void exact_finish(struct exact *e) {
    number_finish(&e->z);
    number_finish(&e->c);
    number_finish(&e->right);
    number_finish(&e->up);
    mpfr_clear(e->by);
    for (int i = 0; i < 3; i++)
        mpfr_clears(e->part[i], e->short_part[i], (mpfr_ptr)NULL);
}

/* Returns 1 if a pixel's slope is exact, 0 if not, and -1 if its count is not exact either. */
static int is_exact(const struct frame_req *req, const struct picture *picture, uint32_t pixel) {
    const struct sample_planes *planes = &picture->target.planes;
    uint32_t n = 0;
    SCOPED(exact, e, req, pixel);
    while (size(&e.z) < 2 && n <= planes->count[pixel]) {
        exact_step(&e);
        n++;
    }
    for (int more = 0; more < 32 && size(&e.z) < 256; more++)
        exact_step(&e);
    const double complex z = number_get(&e.z), right = number_get(&e.right), up = number_get(&e.up);
    const double complex grow = (creal(conj(z) * right) + creal(conj(z) * up) * I) / cabs(z);
    if (n != planes->count[pixel])
        return -1;
    const uint32_t normal = planes->normal[pixel];
    const double distance = cabs(z) * log(cabs(z)) / cabs(grow);
    const double complex given = ((int16_t)normal + (int16_t)(normal >> 16) * I) / 32767;
    const double complex rise = grow / cabs(grow);
    const double turn = carg(z) / (2 * acos(-1)) - planes->angle[pixel] / 0x1p32;
    const double off = fabs(planes->distance[pixel] / distance - 1);
    if (off < 1e-4 && cabs(given - rise) < 2e-4 && fabs(turn - round(turn)) < 1e-4)
        return 1;
    printf("%s: pixel %u, count %u: distance %g for %g, normal off by %g, angle by %g\n", subject,
           pixel, n, planes->distance[pixel], distance, cabs(given - rise),
           fabs(turn - round(turn)));
    return 0;
}

/* Checks random pixels against exact orbits. A few counts and slopes may be wrong, because some
 * orbits are too sensitive for doubles. */
static bool check_exact_of(struct backend *backend, const struct frame_req *req, const char *place,
                           uint32_t points) {
    uint32_t right = 0, counts = 0;
    size_t escaped, none;
    SCOPED_BY(picture_init_planes, picture, got, PLANES);
    CHECK(draw(backend, req, &got));
    count_slopes(&got, &escaped, &none);
    random_seed(7);
    for (uint32_t tries = 0, seen = 0; seen < points && tries < 1000; tries++) {
        const uint32_t pixel = (uint32_t)random_below(WIDTH * HEIGHT);
        if (got.target.planes.count[pixel] & SAMPLE_INTERIOR)
            continue;
        const int is = is_exact(req, &got, pixel);
        seen++;
        counts += is >= 0;
        right += is > 0;
    }
    printf("%s: %s: %u of %u slopes are exact, %zu of %zu escaped points have none\n", subject,
           place, right, points, none, escaped);
    CHECK(counts * 10 >= points * 9 && counts - right <= 1 + counts / 20 && none * 50 <= escaped);
    return true;
}

static bool check_exact(struct backend *backend, const char *place, uint32_t points) {
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    return check_exact_of(backend, &req, place, points);
}

/* --- other formulas --- */

/* Points whose critical orbits end in a repelling cycle, so that there is detail at every depth. */
#define CUBE_RE                                                                                    \
    "0.6247096112290897966907956230919652789307041927082535437004521299614688486478009371785583"   \
    "857298273814726946164260649659601838783519392901520899309770299385574220999276910291070680"   \
    "547395786779594896787209684189194157326658253366210129981359705111441399908345304614151564"   \
    "38179"
#define CUBE_IM                                                                                    \
    "-0.6443120714232739215712150599570295556531577911217590590665976579429352663277332466308977"  \
    "361117208593598845956539054398521567345303947291755914902255253626040414272506863271610258"   \
    "941156297763651965151006113403259720805698966120905537251055122078832345955352425290908791"   \
    "5317"
#define FOURTH_RE                                                                                  \
    "-0.7566648440426346160594960296821340214188819460741804286796979114703650485641276618675440"  \
    "580057798669328099565504710934758694651392488985940987257340682639017363386357969786499139"   \
    "330507303580353886994399591401497078533254493074162260242957997699555863755842707556921510"   \
    "4090"
#define FOURTH_IM                                                                                  \
    "0.2307772164162469133766139042435742674807521480713397790897384079890268726158699845978984"   \
    "821296749701408613306811715771767863137258435549169561887103488041559075810900645910173859"   \
    "703411697522726791531838308478089824581545992965359636002945611444444750329411124108660805"   \
    "31989"
#define SHIP_RE                                                                                    \
    "0.8412884825058939682498035464106088783856732263826666363712185660624323788104647515326286"   \
    "136171440449196128317872493279255683411949359908425443870224045800098533500201971154094772"   \
    "761428734119819473254185048126234277279654909222935422119559326679182688296701162503481944"   \
    "9043833"
#define SHIP_IM                                                                                    \
    "-1.4337886569116283370180022058099044449798451156165532455539938567492853350206470896802274"  \
    "425403840175369033397239000037828371619060146101764148748503656754589915258186525275737079"   \
    "186296684546990501803165951503212861975946109738101788975170605177488351414520721532207839"   \
    "0322868"
#define SHIP_3_RE                                                                                  \
    "0.9307244611084262995173650774243177056456329606877799913408591911089445314374699122476599"   \
    "445807953414796077097125477669840513475754326773848988322654395884829426671780882128262694"   \
    "674732744185510295689583556826358183426760361983662998636254294433295250674268060125385139"   \
    "14437"
#define SHIP_3_IM                                                                                  \
    "-0.5522035679792654399902742744784246361901379928996879745837736647050445099004471171594303"  \
    "750490966421596316294160606555637362972520440737624308394897113323868689707894019221599217"   \
    "330332188718338070030746794310657805528897096056941458319843775323872414017283053976547781"   \
    "3634"
#define TRICORN_RE                                                                                 \
    "-0.8382776942441505702189840254286563026077921229409933934127403930344046131702640170485115"  \
    "980086505257692624830991920161114145121436269435223347160597215125215564924482409029699298"   \
    "391395681120983418184519382784688702812305660445557443627375873616183938129091639134869662"   \
    "3741"
#define TRICORN_IM                                                                                 \
    "0.1212133022544993271878276688946019557313740860491716097581399944418845078020210230874083"   \
    "083915914764930779114620417698859708912494451688790603415012503762571706173958842807653842"   \
    "626478740382723226622821376501180922347945173561051747086142130383402205898981507831183501"   \
    "74927"
/* Points of hybrids. */
#define TURNS_RE                                                                                   \
    "-0.21189749121735298835510014754137214211268722174101618478064215644684479806194373928"       \
    "68907521281545676489125302101767168962855581603507119096097140626592058500799346799356"       \
    "54664672248970799428651826305636384815784516149005671854286734884351684947693810237878"       \
    "7298599055"
#define TURNS_IM                                                                                   \
    "-1.05454106811707948019829467827070629430349669108874104272081346672802786676693100868"       \
    "98511381576776834752859511034520808265562160701643203490949822713658364000595318538183"       \
    "74268262308749310482670693042949422646773321712699533311087682862337622244881234152182"       \
    "4222463012"
#define SMOOTH_TURNS_RE                                                                            \
    "0.581886151726395971778382897841107245756268640185934060995805943097000543740135842062"       \
    "60595357894818995112457401981415525784749286274455496308707694116139052003856084057863"       \
    "85441277640546582591603446930966515329394433430525178048060181536573698971254357040787"       \
    "612601732"
#define SMOOTH_TURNS_IM                                                                            \
    "-1.01113773290264572941132160739467885022410215993578193384348678196559826143088653266"       \
    "49222816957943246895081674180224594617917613305867592080129115625005718465767713655992"       \
    "70421168693977257475937203561206594340810625769961956263240029157918259339238224543255"       \
    "1648181782"

/* Views of sets, and of Julia sets around their parameter. */
static const struct {
    const char *re, *im, *zoom;
    enum formula formula;
    uint32_t power, julia;
    const char *then; /* a hybrid's further steps; NULL: none */
} formulas[] = {
    {CUBE_RE, CUBE_IM, "1e20", FORMULA_mandelbrot, 3, 0, NULL},
    {CUBE_RE, CUBE_IM, "1e250", FORMULA_mandelbrot, 3, 0, NULL},
    {FOURTH_RE, FOURTH_IM, "1e100", FORMULA_mandelbrot, 4, 0, NULL},
    {FOURTH_RE, FOURTH_IM, "1e250", FORMULA_mandelbrot, 4, 0, NULL},
    {"-0.37991038193582563638814421838810777206", "-0.78960054498514672074352438308355382878",
     "1e30", FORMULA_mandelbrot, 8, 0, NULL},
    {SHIP_RE, SHIP_IM, "1e20", FORMULA_burning_ship, 2, 0, NULL},
    {SHIP_RE, SHIP_IM, "1e250", FORMULA_burning_ship, 2, 0, NULL},
    {SHIP_3_RE, SHIP_3_IM, "1e50", FORMULA_burning_ship, 3, 0, NULL},
    {SHIP_3_RE, SHIP_3_IM, "1e250", FORMULA_burning_ship, 3, 0, NULL},
    {TRICORN_RE, TRICORN_IM, "1e20", FORMULA_tricorn, 2, 0, NULL},
    {TRICORN_RE, TRICORN_IM, "1e250", FORMULA_tricorn, 2, 0, NULL},
    {"0.31989974246090473849753971662304035001", "0.04988237970998204368661637619582567124", "1e30",
     FORMULA_celtic, 2, 0, NULL},
    {"0.32276922500869369801926300126411708596", "0.05640973697025554366265983897908468149", "1e30",
     FORMULA_buffalo, 2, 0, NULL},
    {"0.44218533795138801038042726023058307862", "0.40699183549744544325514559554392401219", "1e30",
     FORMULA_perpendicular_buffalo, 5, 0, NULL},
    {CUBE_RE, CUBE_IM, "1e80", FORMULA_mandelbrot, 3, 1, NULL},
    {SHIP_RE, SHIP_IM, "1e100", FORMULA_burning_ship, 2, 1, NULL},
    {TRICORN_RE, TRICORN_IM, "1e20", FORMULA_tricorn, 2, 1, NULL},
    {TURNS_RE, TURNS_IM, "1e20", FORMULA_mandelbrot, 2, 0, "burning_ship"},
    {TURNS_RE, TURNS_IM, "1e250", FORMULA_mandelbrot, 2, 0, "burning_ship"},
    {SMOOTH_TURNS_RE, SMOOTH_TURNS_IM, "1e100", FORMULA_mandelbrot, 2, 0, "mandelbrot 3"},
    {"0.75373848124495721990151768965719683089", "-1.08251370798156127006238355279511980981",
     "1e30", FORMULA_burning_ship, 3, 0, "tricorn, celtic"},
    /* The parameter is the image of 0 in a round's last step. */
    {TURNS_RE, TURNS_IM, "1e80", FORMULA_burning_ship, 2, 1, "mandelbrot"},
};
#define FORMULAS (sizeof formulas / sizeof *formulas)

static void open_formula(struct frame_req *req, size_t which, char name[FRACTAL_NAME_SIZE]) {
    const struct place at = {formulas[which].re, formulas[which].im, formulas[which].zoom, 0,
                             16000};
    frame_req_init(req, WIDTH, HEIGHT);
    set_place(req, &at);
    req->fractal.formula = formulas[which].formula;
    req->fractal.power = formulas[which].power;
    req->fractal.julia = formulas[which].julia;
    if (formulas[which].then && !fractal_set_then(&req->fractal, formulas[which].then))
        abort();
    fractal_name(&req->fractal, name, FRACTAL_NAME_SIZE);
    if (req->fractal.julia) {
        mpfr_set_prec(req->fractal.re, mpfr_get_prec(req->view.re));
        mpfr_set_prec(req->fractal.im, mpfr_get_prec(req->view.im));
        mpfr_set(req->fractal.re, req->view.re, MPFR_RNDN);
        mpfr_set(req->fractal.im, req->view.im, MPFR_RNDN);
    }
    req->route = ROUTE_PERTURBED;
    req->planes = PLANES;
}

static bool check_formula(struct backend *backend, size_t which, uint32_t points) {
    char name[FRACTAL_NAME_SIZE];
    SCOPED_BY(open_formula, frame_req, req, which, name);
    printf("%s: %s at %s\n", subject, name, formulas[which].zoom);
    return check_exact_of(backend, &req, name, points);
}

/* --- direct pictures --- */

/* Compares a picture with a direct one, where the distance is above `least`: nearer to the set,
 * rounding errors show. */
static bool check_direct_of(struct backend *backend, struct frame_req *req, float least,
                            const char *what) {
    size_t apart = 0, compared = 0, escaped, none;
    SCOPED_BY(picture_init_planes, picture, direct, PLANES);
    SCOPED_BY(picture_init_planes, picture, perturbed, PLANES);
    req->route = ROUTE_DIRECT;
    CHECK(draw(backend, req, &direct));
    req->route = ROUTE_PERTURBED;
    req->generation++;
    CHECK(draw(backend, req, &perturbed));
    count_slopes(&perturbed, &escaped, &none);
    for (size_t i = 0; i < direct.pixels; i++) {
        const struct sample_planes *a = &direct.target.planes, *b = &perturbed.target.planes;
        const uint32_t turn = a->angle[i] - b->angle[i];
        compared += a->distance[i] > least;
        if (a->distance[i] > least)
            apart += fabsf(b->distance[i] / a->distance[i] - 1) > 1e-3f ||
                     (turn > 1u << 22 && -turn > 1u << 22);
    }
    printf("%s: %s, direct: %zu of %zu apart, %zu of %zu without\n", subject, what, apart, compared,
           none, escaped);
    CHECK(escaped > 1000 && apart * 1000 <= compared && none * 1000 <= escaped);
    return true;
}

static bool check_direct(struct backend *backend, size_t every) {
    static const struct place at = {"-0.743643887037151", "0.131825904205330", "20000", 30, 3000};
    struct frame_req req;
    frame_req_init(&req, WIDTH, HEIGHT);
    set_place(&req, &at);
    req.planes = PLANES;
    bool ok = check_direct_of(backend, &req, 1e-4f, "z^2 + c");
    frame_req_finish(&req);
    for (size_t i = every > 1; ok && i < FORMULAS; i += every) {
        const char *why;
        char name[FRACTAL_NAME_SIZE];
        open_formula(&req, i, name);
        ok = view_set_zoom(&req.view, "1e8", &why) && check_direct_of(backend, &req, 0.05f, name);
        frame_req_finish(&req);
    }
    return ok;
}

/* --- the same bits --- */

static bool check_same(struct backend *backend, struct backend *judge, struct frame_req *req,
                       const char *what, bool all) {
    size_t escaped, none;
    SCOPED_BY(picture_init_planes, picture, got, PLANES);
    SCOPED_BY(picture_init_planes, picture, want, PLANES);
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, what));
    count_slopes(&want, &escaped, &none);
    CHECK(escaped > 100 && (!all || none * 10 <= escaped));
    req->generation++;
    req->method = METHOD_DEEPEN; /* stops and continues */
    CHECK(draw(backend, req, &got) && same_slopes(&want, &got, what));
    req->method = METHOD_TILES;
    req->limit = picture_common_count(&want); /* many samples escape in their last step */
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, "a limit that is a count"));
    req->limit += req->limit / 8;
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, "a limit that was raised"));
    view_pan(&req->view, 13, -7, HEIGHT);
    req->generation++;
    CHECK(draw(backend, req, &got) && judge_draw(judge, req, &want));
    CHECK(same_slopes(&want, &got, "after a pan"));
    return true;
}

static bool check_place(struct backend *backend, struct backend *judge, const char *place,
                        double angle) {
    SCOPED_BY(open_place, frame_req, req, place, PLANES);
    req.view.angle = angle;
    return check_same(backend, judge, &req, place, true);
}

/* Checks a Julia set in a view whose centre is not the parameter. */
static bool check_julia(struct backend *backend, struct backend *judge) {
    static const struct place at = {"-0.4", "0.3000000000000000000000000000001", "1e20", 0, 3000};
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    set_place(&req, &at);
    req.fractal.julia = 1;
    mpfr_set_str(req.fractal.re, "-0.8", 10, MPFR_RNDN);
    mpfr_set_str(req.fractal.im, "0.156", 10, MPFR_RNDN);
    req.route = ROUTE_PERTURBED;
    req.planes = PLANES;
    return check_same(backend, judge, &req, "a Julia set", false);
}

/* Checks wide and widened pictures: counts are those of wide numbers, slopes those of doubles where
 * both have the same count. */
static bool check_wide(struct backend *backend, struct backend *judge, bool widen) {
    if (!(backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_WIDE & 1))
        return true;
    SCOPED_BY(open_place, frame_req, req, "1e14", PLANES);
    if (widen)
        req.widen = true;
    else
        req.type = TYPE_WIDE;
    return check_same(backend, judge, &req, widen ? "widened" : "wide", true);
}

static bool check_formula_same(struct backend *backend, struct backend *judge, size_t which) {
    char name[FRACTAL_NAME_SIZE];
    SCOPED_BY(open_formula, frame_req, req, which, name);
    return check_same(backend, judge, &req, name, false);
}

static bool check_backend(const char *name) {
    subject = name;
    struct backend *backend = open_ready(name, plain), *judge = open_judge();
    const struct share share = share_of(name);
    bool ok = backend && judge &&
              (share.by_bytes || (check_exact(backend, "1e14", share.quick ? 10 : 60) &&
                                  check_exact(backend, "5e113", share.quick ? 5 : 20) &&
                                  check_exact(backend, "4e533", share.quick ? 5 : 20) &&
                                  (SLOW || check_exact(backend, "1e50", share.quick ? 4 : 10)))) &&
              (share.quick || check_exact(backend, "1e1086", 4)) &&
              check_direct(backend, share.every) && check_place(backend, judge, "1e14", 0.3) &&
              check_place(backend, judge, "5e113", 0) &&
              check_place(backend, judge, "4e533", 0.1) && check_julia(backend, judge) &&
              check_wide(backend, judge, false) && check_wide(backend, judge, true);
    for (size_t i = share.first; ok && i < FORMULAS; i += share.every)
        ok = check_formula(backend, i, share.quick ? 5 : 20) &&
             check_formula_same(backend, judge, i);
    backend_close(backend);
    backend_close(judge);
    return ok;
}

int main(int argc, char **argv) {
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend, "have slopes at depth");
}
