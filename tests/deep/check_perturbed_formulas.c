/* Perturbed orbits of all formulas and of Julia sets: exact counts from the whole set to 1e1000, the same bytes on every
 * backend, and what the pictures before one may not change.
 * usage: check_perturbed_formulas [NAME]   (77: NAME cannot run on this machine) */
#include "render/deep/perturbation.h"
#include "render/deep/reference.h"
#include "render/files/scene.h"
#include "render/grid/coords.h"
#include "render/number/exact.h"
#include "tests/shared/pictures.h"
#include <math.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/perturbed_round.h"

#define WIDTH  64
#define HEIGHT 48
#define POINTS 24 /* of a picture, that are counted exactly */

/* A view of a set, or of the Julia set of c. */
struct deep_place {
    const char *re, *im, *zoom;
    uint32_t limit;
    const char *c_re, *c_im; /* NULL: of no Julia set */
    enum formula formula;
    uint32_t power;
};

static const struct deep_place places[] = {
    {"0", "0", "0.7", 500, "-1", "0", FORMULA_mandelbrot,
     2}, /* its critical orbit is a cycle through 0 */
    {"0", "0", "0.7", 500, "0", "0", FORMULA_mandelbrot,
     2}, /* all of whose orbits are, but for a circle */
    {"0", "0", "0.7", 500, "0.25", "0", FORMULA_mandelbrot, 2}, /* on the edge */
    {"0", "0", "0.7", 500, "-0.75", "0.3", FORMULA_mandelbrot, 2},
    {"5", "5", "1", 100, "-0.75", "0.125", FORMULA_mandelbrot, 2}, /* outside */
    {"2", "0", "1e40", 500, "-2", "0", FORMULA_mandelbrot, 2},     /* on the circle of escape */
    {"-2", "0", "1e300", 1500, "-2", "0", FORMULA_mandelbrot, 2},
    {"0", "0", "1e20", 3000, "0", "1", FORMULA_mandelbrot, 2},
    {"0", "0", "1e400", 3000, "0", "1", FORMULA_mandelbrot,
     2}, /* pixels' squares are beyond doubles */
    {"0", "1", "1e100", 3000, "0", "1", FORMULA_mandelbrot, 2},
    {"0.1", "0.05", "1e30", 500, "-1", "0", FORMULA_mandelbrot, 2}, /* inside */
    {"1e-30", "1e-31", "1e35", 5000, "0", "1", FORMULA_mandelbrot, 2},
    {"0", "0", "1e200", 3000, "0", "1", FORMULA_mandelbrot, 2}, /* and below them */
    {"2.5e-199", "1e-199", "1e200", 3000, "0", "1", FORMULA_mandelbrot, 2},
    {"0.5", "0", "1e20", 3000, "0.25", "0", FORMULA_mandelbrot, 2},
    /* Of sets. */
    {"0.3788424269204502765584658", "0.3870880578711266085850654", "1e18", 1500, NULL, NULL,
     FORMULA_burning_ship, 2},
    {"0.378842426920450276558465819424120201220782645420763452",
     "0.387088057871126608585065440359399161066939786223194561", "1e47", 1500, NULL, NULL,
     FORMULA_burning_ship, 2},
    {"0.4731343222581763114927412", "-0.394860101703956902492336", "1e18", 1500, NULL, NULL,
     FORMULA_burning_ship, 3},
    {"0.473134322258176311492741258237706869689383327048500668",
     "-0.39486010170395690249233655115134165900886115804906385", "1e47", 1500, NULL, NULL,
     FORMULA_burning_ship, 3},
    {"0.3198997424609047384975397", "0.0498823797099820436866163", "1e18", 1500, NULL, NULL,
     FORMULA_celtic, 2},
    {"0.319899742460904738497539716623040350017179017174636306",
     "0.049882379709982043686616376195825671246901355146771303", "1e47", 1500, NULL, NULL,
     FORMULA_celtic, 2},
    {"0.4245689643270864587308348", "0.3262564779706606189913162", "1e18", 1500, NULL, NULL,
     FORMULA_heart, 2},
    {"0.424568964327086458730834817650714990955733320650305894",
     "0.326256477970660618991316285668004054684690577626380764", "1e47", 1500, NULL, NULL,
     FORMULA_heart, 2},
    {"0.4127339398051216142517302", "0.4947902060834955920138802", "1e18", 1500, NULL, NULL,
     FORMULA_perpendicular, 3},
    {"0.412733939805121614251730289811814298734342741670239532",
     "0.494790206083495592013880257888668939588730389524422200", "1e47", 1500, NULL, NULL,
     FORMULA_perpendicular, 3},
    {"0.3486158077850686570082092", "0.5114689741673455981133501", "1e18", 1500, NULL, NULL,
     FORMULA_perpendicular_ship, 2},
    {"0.348615807785068657008209271829913906786227144051018626",
     "0.511468974167345598113350103197413323694180014133710768", "1e47", 1500, NULL, NULL,
     FORMULA_perpendicular_ship, 2},
    {"0.3348037221531223951910313", "-0.496257446014086821054992", "1e18", 1500, NULL, NULL,
     FORMULA_perpendicular_celtic, 2},
    {"0.334803722153122395191031354331534703769927118078710180",
     "-0.49625744601408682105499264393840446830054027405706795", "1e47", 1500, NULL, NULL,
     FORMULA_perpendicular_celtic, 2},
    {"0.4421853379513880103804272", "0.4069918354974454432551455", "1e18", 1500, NULL, NULL,
     FORMULA_perpendicular_buffalo, 5},
    {"0.442185337951388010380427260230583078629104470760370731",
     "0.406991835497445443255145595543924012197522867344418436", "1e47", 1500, NULL, NULL,
     FORMULA_perpendicular_buffalo, 5},
    {"-0.634347592381292211795043", "-0.626331548846725329915373", "1e18", 1500, NULL, NULL,
     FORMULA_mandelbrot, 3},
    {"-0.63434759238129221179504397680441542093428842152366168",
     "-0.62633154884672532991537316325660208470937004543904648", "1e47", 1500, NULL, NULL,
     FORMULA_mandelbrot, 3},
    {"-0.181691648376023755439159", "0.7070391951703643401679020", "1e18", 1500, NULL, NULL,
     FORMULA_mandelbrot, 4},
    {"-0.18169164837602375543915974762516598997773115934987670",
     "0.707039195170364340167902043890851439150215803575293139", "1e47", 1500, NULL, NULL,
     FORMULA_mandelbrot, 4},
    {"0.8153282428498887426840220", "0.6397365161559394875931788", "1e18", 1500, NULL, NULL,
     FORMULA_mandelbrot, 5},
    {"0.815328242849888742684022072649664015645849915659637905",
     "0.639736516155939487593178846899829439309396737112852461", "1e47", 1500, NULL, NULL,
     FORMULA_mandelbrot, 5},
    {"-0.984496582890070422362877", "-0.204535050683705671040587", "1e18", 1500, NULL, NULL,
     FORMULA_mandelbrot, 6},
    {"-0.98449658289007042236287784643183940771635396958589680",
     "-0.20453505068370567104058732561928564367405627801490234", "1e47", 1500, NULL, NULL,
     FORMULA_mandelbrot, 6},
    {"-0.964426159474615052977681", "0.5089101829057542931131273", "1e18", 1500, NULL, NULL,
     FORMULA_mandelbrot, 7},
    {"-0.96442615947461505297768136874919845512484729695248161",
     "0.508910182905754293113127331989944145284407617388098006", "1e47", 1500, NULL, NULL,
     FORMULA_mandelbrot, 7},
    {"-0.379910381935825636388144", "-0.789600544985146720743524", "1e18", 1500, NULL, NULL,
     FORMULA_mandelbrot, 8},
    {"-0.37991038193582563638814421838810777205404364121602427",
     "-0.78960054498514672074352438308355382878059359894855120", "1e47", 1500, NULL, NULL,
     FORMULA_mandelbrot, 8},
    {"0.3227692250086936980192630", "0.0564097369702555436626598", "1e18", 1500, NULL, NULL,
     FORMULA_buffalo, 2},
    {"0.322769225008693698019263001264117085968528285851008389",
     "0.056409736970255543662659838979184681499170110045416523", "1e47", 1500, NULL, NULL,
     FORMULA_buffalo, 2},
    /* Whole sets, and where folds lie in the middle of the picture: on axes, and on 0. */
    {"0", "0", "0.4", 300, NULL, NULL, FORMULA_burning_ship, 2},
    {"0", "0", "0.4", 300, NULL, NULL, FORMULA_mandelbrot, 7},
    {"0", "0", "0.4", 300, NULL, NULL, FORMULA_perpendicular_buffalo, 3},
    {"-1.7548776662466927", "0", "1e9", 2000, NULL, NULL, FORMULA_burning_ship, 2},
    {"-2", "0", "1e30", 500, NULL, NULL, FORMULA_burning_ship, 2},
    {"-1.5", "0", "1e25", 500, NULL, NULL, FORMULA_celtic, 4},
    {"0", "0.3", "1e20", 500, NULL, NULL, FORMULA_heart, 3},
    {"0", "0", "0.5", 300, "-0.6", "0.4", FORMULA_burning_ship, 2},
    {"0", "0", "1e30", 2000, "0", "1", FORMULA_tricorn, 2},
    {"0.01", "-0.02", "1e25", 2000, "-1.3", "0.02", FORMULA_burning_ship, 2},
    {"0", "0", "1e130", 3000,
     "-1."
     "543689012692076361570855971801747986525203297650983935240804037831168673927973866485157914576"
     "05912546212082922636706018927875646332214101152",
     "0", FORMULA_burning_ship, 2},
    {"0", "0", "1e30", 3000, "-1.1040895136738123", "0", FORMULA_mandelbrot, 8},
    {"0.5", "0.25", "1e20", 0, "-1", "0", FORMULA_tricorn, 2}, /* no step at all */
    {"0.3", "0.1", "1e12", 2000, "0.5", "0.5", FORMULA_mandelbrot, 3},
};
#define HISTORY 9 /* the one for check_history */

/* Those of hybrids. */
struct hybrid_place {
    struct deep_place place;
    const char *then; /* the further steps */
};

static const struct hybrid_place hybrids[] = {
    {{"0", "0", "0.4", 300, NULL, NULL, FORMULA_mandelbrot, 2}, "burning_ship"},
    {{"0", "0", "0.4", 300, NULL, NULL, FORMULA_heart, 2},
     "mandelbrot 4, perpendicular_buffalo 3, tricorn, buffalo, mandelbrot, celtic, burning_ship 5"},
    {{"-0.2118974912173529883551001475", "-1.0545410681170794801982946782", "1e18", 1500, NULL,
      NULL, FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"-0.21189749121735298835510014754137214211268722174101618478",
      "-1.05454106811707948019829467827070629430349669108874104272", "1e47", 1500, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"-0.2118974912173529883551001475413721421126872217410161847806421564468447980"
      "6194373928689075212815456764891253021017671689628555816035071190960971406265"
      "9205850079934679935654664672248970799428651826305636384815784516149005671854"
      "28673488435168494769381023787872985990550006453944",
      "-1.0545410681170794801982946782707062943034966910887410427208134667280278667"
      "6693100868985113815767768347528595110345208082655621607016432034909498227136"
      "5836400059531853818374268262308749310482670693042949422646773321712699533311"
      "08768286233762224488123415218242224630121309832851",
      "1e260", 3000, NULL, NULL, FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"-0.211897491217352987094087162330381432237287790318582739957987",
      "-1.054541068117079478131749610619919188260136034859038585586835", "1e36", 3000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"-0.211897491217352988366584482782083613548251854921616010525727",
      "-1.054541068117079479693669253399057487318507133730759149960913", "1e18", 3000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"-0.211897491217352988366584482782083613548251854921616010525727",
      "-1.054541068117079479693669253399057487318507133730759149960913", "1e30", 3000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"0.5818861517263959717783828978", "-1.0111377329026457294113216073", "1e18", 1500, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "mandelbrot 3"},
    {{"-0.2272828887495834154343935352673826836302341794764389787986351715340833945"
      "494064143760673171497919417318298105063",
      "-1.1018341652168113238028280131488587798279961308735729028105091057702698458"
      "825834031978384238892258618712691166701",
      "1e100", 1500, NULL, NULL, FORMULA_mandelbrot, 2},
     "mandelbrot 3"},
    {{"0.581886151726395973248258947565042487830991582643265452353047",
      "-1.011137732902645730607849263436828786113164058337931149507407", "1e37", 3000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "mandelbrot 3"},
    {{"-0.227282888749583412052064371887536850588097109374363950123921",
      "-1.101834165216811337808849022538783178023366922105825573351764", "1e17", 3000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "mandelbrot 3"},
    {{"-0.227282888749583412052064371887536850588097109374363950123921",
      "-1.101834165216811337808849022538783178023366922105825573351764", "1e25", 3000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "mandelbrot 3"},
    {{"0.7537384812449572199015176896", "-1.0825137079815612700623835527", "1e18", 1500, NULL, NULL,
      FORMULA_burning_ship, 3},
     "tricorn, celtic"},
    {{"-0.4923074717794472749805754118508304105986314253029751927238210709040086494"
      "8079973136188988927056279495158766836034079050536696750863583141532634454276"
      "444654322696604122260257218534672893325872070533951167838062262160",
      "-0.5217664165226270484242898569048431648536828405736590544123648711477527424"
      "1432120234520753685641796537355844673744206200619229205165656882934297436440"
      "412710706623007347526624343115239443383822715163862285728114688248",
      "1e200", 1500, NULL, NULL, FORMULA_burning_ship, 3},
     "tricorn, celtic"},
    {{"0.753738481244957219898385691237864606335943236295033106056862",
      "-1.082513707981561270061161128367881254500716063932635331590805", "1e20", 3000, NULL, NULL,
      FORMULA_burning_ship, 3},
     "tricorn, celtic"},
    {{"-0.492307471779447274987370037195728663114434819004338871282418",
      "-0.521766416522627048421388152375899314862865749139812023720174", "3e29", 3000, NULL, NULL,
      FORMULA_burning_ship, 3},
     "tricorn, celtic"},
    {{"-0.492307471779447274981248376333487695059969776435377149306380",
      "-0.521766416522627048423860494829931600962376595581582668494643", "3e21", 3000, NULL, NULL,
      FORMULA_burning_ship, 3},
     "tricorn, celtic"},
    {{"-0.77763056931330090989209491319871443601832565783567923895",
      "0.27815499436824163038802730995639783340472970043839306590", "1e47", 1500, NULL, NULL,
      FORMULA_heart, 2},
     "mandelbrot 4, perpendicular_buffalo 3, tricorn, buffalo, mandelbrot, celtic, burning_ship 5"},
    {{"-0.796512954420863548438021947944989476851396774611324690614831",
      "0.273417463751891951264441108338437505623859730636780004606504", "3e19", 3000, NULL, NULL,
      FORMULA_heart, 2},
     "mandelbrot 4, perpendicular_buffalo 3, tricorn, buffalo, mandelbrot, celtic, burning_ship 5"},
    {{"-0.796512954420863548438021947944989476851396774611324690614831",
      "0.273417463751891951264441108338437505623859730636780004606504", "1e25", 3000, NULL, NULL,
      FORMULA_heart, 2},
     "mandelbrot 4, perpendicular_buffalo 3, tricorn, buffalo, mandelbrot, celtic, burning_ship 5"},
    /* Where orbits are rebased again and again, before any of the steps. */
    {{"-0.211897491", "-1.054541068", "1e5", 2000, NULL, NULL, FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"-0.777630569", "0.278154994", "300", 2000, NULL, NULL, FORMULA_heart, 2},
     "mandelbrot 4, perpendicular_buffalo 3, tricorn, buffalo, mandelbrot, celtic, burning_ship 5"},
    {{"-0.49", "-0.52", "20", 150, NULL, NULL, FORMULA_burning_ship, 3}, "tricorn, celtic"},
    /* And where they are for good, as the orbit of 0 that begins with another step is caught by a cycle. */
    {{"-0.895341339834406491108794587011442235673959823036169632786383",
      "-0.291710139333890608685722459994839072210076545712596648086792", "4e18", 2000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"-0.674392214194297759451795342861116851656137249809067008488629",
      "0.320827300780028725596212963792304132876574230356961641227291", "1e20", 2000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "mandelbrot 3"},
    {{"-0.595699432052757533873268534187579162224620303443915836923775",
      "-0.507728851925099969427648220453548736385515488490223826293019", "1e21", 2000, NULL, NULL,
      FORMULA_mandelbrot, 2},
     "celtic, mandelbrot 3"},
    /* Julia sets. */
    {{"0", "0", "0.5", 300, "-0.2", "-0.6", FORMULA_mandelbrot, 2}, "burning_ship"},
    {{"0", "0", "1e60", 3000,
      "-0.2118974912173529883551001475413721421126872217410161847806421564468447980"
      "6194373928689075212815456764891253021017671689628555816035071190960971406265"
      "9",
      "-1.0545410681170794801982946782707062943034966910887410427208134667280278667"
      "6693100868985113815767768347528595110345208082655621607016432034909498227136"
      "5",
      FORMULA_mandelbrot, 2},
     "burning_ship"},
    {{"0", "0", "1e18", 3000, "-0.777630569313300909892094913198714436018325657835679238958547",
      "0.278154994368241630388027309956397833404729700438393065904365", FORMULA_heart, 2},
     "mandelbrot 4, perpendicular_buffalo 3, tricorn, buffalo, mandelbrot, celtic, burning_ship 5"},
    {{"0.1", "0.05", "1e12", 2000, "-0.2", "0.1", FORMULA_burning_ship, 3}, "tricorn, celtic"},
};
#define HYBRID_HISTORY 5 /* the one for check_hybrid_history */

static bool open_place(struct frame_req *req, const struct deep_place *place, const char *then) {
    const char *why;
    frame_req_init(req, WIDTH, HEIGHT);
    SCOPED(view, c);
    CHECK(view_set_centre(&req->view, place->re, place->im, 0, &why) &&
          view_set_zoom(&req->view, place->zoom, &why) &&
          (!place->c_re || view_set_centre(&c, place->c_re, place->c_im, 0, &why)));
    req->fractal.formula = place->formula;
    req->fractal.power = place->power;
    CHECK(fractal_set_then(&req->fractal, then));
    req->fractal.julia = place->c_re != NULL;
    mpfr_set_prec(req->fractal.re, mpfr_get_prec(c.re));
    mpfr_set_prec(req->fractal.im, mpfr_get_prec(c.im));
    mpfr_set(req->fractal.re, c.re, MPFR_RNDN);
    mpfr_set(req->fractal.im, c.im, MPFR_RNDN);
    req->limit = place->limit;
    req->route = ROUTE_PERTURBED;
    return true;
}

/* --- counts --- */

static bool has_count(const struct picture *got, const struct exact_point *point) {
    const uint32_t count = got->target.planes.count[point->y_px * WIDTH + point->x_px];
    return (point->state == EXACT_ESCAPED) == !(count & SAMPLE_INTERIOR) &&
           (count & SAMPLE_COUNT_MASK) == point->count;
}

/* Says how far off a picture is where it is. */
static bool check_counts(const struct frame_req *req, const struct picture *got, const char *what) {
    struct exact_point points[POINTS];
    int wrong = 0;
    for (int i = 0; i < POINTS; i++)
        points[i] = (struct exact_point){.x_px = 29 * i % WIDTH, .y_px = (17 * i + 5) % HEIGHT};
    CHECK(exact_count_all(req, points, POINTS, 2, NULL, NULL));
    for (int i = 0; i < POINTS; i++)
        wrong += !has_count(got, &points[i]);
    if (wrong > 0)
        printf("%s: %s: %d of %d counts are wrong\n", subject, what, wrong, POINTS);
    return wrong == 0;
}

static bool check_place(struct backend *backend, struct backend *judge,
                        const struct deep_place *place, const char *then) {
    struct frame_req req;
    CHECK(open_place(&req, place, then));
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, want, WIDTH, HEIGHT);
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, place->zoom) && check_counts(&req, &got, place->zoom));
    req.method = METHOD_DEEPEN; /* stops and goes on */
    req.view.angle = 0.7;
    CHECK(draw(backend, &req, &got) && judge_draw(judge, &req, &want));
    CHECK(same(&got, &want, "turned, deepening"));
    frame_req_finish(&req);
    return true;
}

/* --- one orbit at a time --- */

static uint32_t point_count(const struct perturbed_tables *t, bool folded, double cr, double ci,
                            uint32_t limit) {
    struct perturbed_point p = {.cr = cr, .ci = ci};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    perturbed_begin(t, &p);
    for (uint32_t steps = 50; end == PERTURBED_GOES_ON && p.n < limit; steps = 50) {
        p.cr = cr; /* as devices have it that go on */
        p.ci = ci;
        end = folded ? perturbed_run(t, true, &p, limit, true, &cycle, &steps)
                     : perturbed_run(t, false, &p, limit, true, &cycle, &steps);
    }
    return end == PERTURBED_ESCAPED && p.n <= limit ? p.n : limit | SAMPLE_INTERIOR;
}

static const struct reference *make_reference(const struct frame_req *req) {
    const struct fractal *fractal = &req->fractal;
    const struct reference_start start = {req->view.re, req->view.im,
                                          view_step_log2(&req->view, HEIGHT)};
    const bool julia = fractal->julia;
    const struct reference_want want = {.re = julia ? fractal->re : req->view.re,
                                        .im = julia ? fractal->im : req->view.im,
                                        .steps = fractal_steps(fractal),
                                        .start = julia ? &start : NULL,
                                        .radius_log2 = -INFINITY,
                                        .step_log2 = start.step_log2,
                                        .limit = req->limit > 0 ? req->limit : 1};
    return julia ? reference_make_julia(&want, NULL, NULL)
                 : reference_make(&want, NULL, NULL, NULL);
}

/* What devices that iterate a point a thread run has the counts of vectors. */
static bool check_points(struct backend *backend, const struct deep_place *place,
                         const char *then) {
    struct frame_req req;
    struct coords coords;
    CHECK(open_place(&req, place, then));
    SCOPED(picture, got, WIDTH, HEIGHT);
    const struct reference *reference = make_reference(&req);
    CHECK(reference && (req.perturbation = perturbation_create(reference, NULL)));
    CHECK(draw(backend, &req, &got) && coords_init(&coords, &req));
    const struct perturbed_place at = frame_req_place(&req, req.perturbation);
    struct perturbed_tables tables = perturbed_tables(req.perturbation, &at, req.limit);
    struct perturbed_index *index = malloc((tables.last + (size_t)1) * sizeof *index);
    CHECK(index);
    for (uint32_t m = 0; m <= tables.last; m++)
        index[m] = perturbed_index_make(&tables, m);
    tables.index = index;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double re, im;
        coords_point_double(coords.f64, true, WIDTH, i % WIDTH, i / WIDTH, &re, &im);
        const uint32_t count = got.target.planes.count[i];
        CHECK(point_count(&tables, !fractal_has_extended(&req.fractal), re, im, req.limit) ==
              (count == SAMPLE_NEVER ? req.limit | SAMPLE_INTERIOR : count));
    }
    free(index);
    coords_finish(&coords);
    reference_unref(reference);
    frame_req_finish(&req);
    return true;
}

/* --- others before --- */

static bool same_counts(const struct picture *a, const struct picture *b) {
    return memcmp(a->target.planes.count, b->target.planes.count, a->pixels * sizeof(uint32_t)) ==
           0;
}

/* Pictures of the same view, of other limits, sets, parameters and centres, leave nothing behind. */
static bool check_history(struct backend *backend) {
    struct frame_req req;
    CHECK(open_place(&req, &places[HISTORY], ""));
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, fresh, WIDTH, HEIGHT);
    req.reuse = false;
    CHECK(draw(backend, &req, &fresh));
    req.reuse = true;
    for (int i = 0; i < 5; i++) {
        SCOPED_COPY(frame_req, other, &req);
        other.limit = i == 0 ? 150 : i == 1 ? 2 * req.limit : req.limit;
        other.fractal.julia = i != 2;
        if (i == 3)
            mpfr_set_d(other.fractal.im, 0.9990234375, MPFR_RNDN);
        if (i == 4)
            view_pan(&other.view, 9, -5, HEIGHT);
        CHECK(draw(backend, &other, &got) && (i == 1 || !same_counts(&got, &fresh)));
        CHECK(draw(backend, &req, &got) && same(&got, &fresh, "after another picture"));
    }
    frame_req_finish(&req);
    return true;
}

/* Nor do those of a hybrid: of other limits, other steps, one of its steps alone, its Julia set, and other centres. */
static bool check_hybrid_history(struct backend *backend) {
    static const char *const then[] = {"burning_ship", "burning_ship", "tricorn", "",
                                       "burning_ship", "burning_ship"};
    struct frame_req req;
    CHECK(open_place(&req, &hybrids[HYBRID_HISTORY].place, hybrids[HYBRID_HISTORY].then));
    SCOPED(picture, got, WIDTH, HEIGHT);
    SCOPED(picture, fresh, WIDTH, HEIGHT);
    req.reuse = false;
    CHECK(draw(backend, &req, &fresh));
    req.reuse = true;
    for (size_t i = 0; i < sizeof then / sizeof *then; i++) {
        SCOPED_COPY(frame_req, other, &req);
        other.limit = i == 0 ? 400 : i == 1 ? 2 * req.limit : req.limit;
        other.fractal.julia = i == 4;
        CHECK(fractal_set_then(&other.fractal, then[i]));
        if (i == 5)
            view_pan(&other.view, 9, -5, HEIGHT);
        CHECK(draw(backend, &other, &got) && (i == 1 || !same_counts(&got, &fresh)));
        CHECK(draw(backend, &req, &got) && same(&got, &fresh, "after another picture"));
    }
    frame_req_finish(&req);
    return true;
}

/* --- what has no such pictures --- */

static bool check_refused(void) {
    const char *why;
    struct frame_req req;
    CHECK(open_place(&req, &places[3], "") && !frame_req_problem(&req));
    req.type = TYPE_WIDE;
    CHECK(frame_req_problem(&req));
    req.type = TYPE_DOUBLE;
    mpfr_set_d(req.fractal.re, -2.0000001, MPFR_RNDN);
    CHECK(frame_req_problem(&req));
    mpfr_set_d(req.fractal.re, -0.75, MPFR_RNDN);
    req.fractal.power = 3;
    CHECK(!frame_req_problem(&req) && view_set_zoom(&req.view, "1e60", &why) &&
          fractal_set_then(&req.fractal, "tricorn 4") && !frame_req_problem(&req) &&
          fractal_set_then(&req.fractal, "tricorn 8") && frame_req_problem(&req));
    CHECK(fractal_set_then(&req.fractal, "") && view_set_zoom(&req.view, "1e260", &why) &&
          frame_req_problem(&req) && view_set_zoom(&req.view, "1e85", &why) &&
          !frame_req_problem(&req));
    req.fractal.julia = 0;
    for (int i = 0; i < 2; i++) {
        CHECK(fractal_set_then(&req.fractal, i == 0 ? "" : "tricorn 8"));
        CHECK(view_set_zoom(&req.view, "1e260", &why) && !frame_req_problem(&req) &&
              view_set_zoom(&req.view, "1e280", &why) && frame_req_problem(&req));
    }
    frame_req_finish(&req);
    return true;
}

static bool check_backend(const char *name) {
    subject = name;
    struct backend *backend = open_ready(name, plain), *judge = open_judge();
    size_t every;
    const size_t first = first_place(name, &every);
    CHECK(backend && judge);
    if (backend_info(backend).types[ROUTE_PERTURBED] >> TYPE_DOUBLE & 1) {
        for (size_t i = first; i < sizeof places / sizeof *places; i += every) {
            const bool right = check_place(backend, judge, &places[i], "") &&
                               check_points(backend, &places[i], "");
            if (!right)
                printf("%s: place %zu, %s^%u\n", name, i, formula_names[places[i].formula],
                       places[i].power);
            CHECK(right);
        }
        for (size_t i = first; i < sizeof hybrids / sizeof *hybrids; i += every) {
            const struct hybrid_place *h = &hybrids[i];
            const bool right = check_place(backend, judge, &h->place, h->then) &&
                               check_points(backend, &h->place, h->then);
            if (!right)
                printf("%s: hybrid %zu, %s\n", name, i, h->then);
            CHECK(right);
        }
        CHECK(check_history(backend) && check_hybrid_history(backend) && check_refused());
    } else {
        printf("%s: has no perturbed kernels\n", name);
    }
    backend_close(backend);
    backend_close(judge);
    return true;
}

int main(int argc, char **argv) {
    return check_each_backend(argc > 1 ? argv[1] : NULL, check_backend,
                              "draw deep places of all formulas");
}
