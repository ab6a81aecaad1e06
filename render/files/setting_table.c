/* The table of a scene's settings: what each is called, what it may be, and where it is seen. */
#include "render/accumulate.h"
#include "render/files/scene.h"

#define MEMBER(name)  offsetof(struct scene, name)
#define PER_PIXEL(to) "per pixel are from 1 to " TEXT(to)
#define PARAMETER                                                                                  \
    "takes a number from -" TEXT(FRACTAL_PARAMETER_MAX) " to " TEXT(FRACTAL_PARAMETER_MAX)
#define TEXT(macro)   TEXT_OF(macro)
#define TEXT_OF(text) #text

#define FORMULA_HINT(name, text, ...) "; " #name ": " text

static const char *const julia_names[] = {"no", "yes", NULL};
static const char *const smooth_names[] = {"yes", "no", NULL};
static const char *const mapping_names[] = {"linear", "sqrt", "log", "histogram", NULL};
static const char *const by_names[] = {"count",    "distance", "angle", "stripes",
                                       "triangle", "point",    "line",  "cross",
                                       "circle",   "domains",  "image", NULL};
static const char *const inside_names[] = {"one", "period", "distance", "last", "domains", NULL};
static const char *const layer_names[] = {"none",  "light",   "distance", "binary",
                                          "field", "stripes", "triangle", "point",
                                          "line",  "cross",   "circle",   NULL};
static const char *const layer_mode_names[] = {"overlay", "multiply", "screen", "alpha", NULL};
static const char *const kind_names[] = {"escape", "density", NULL};

const struct setting setting_table[SETTING_COUNT] = {
    [SETTING_RE] = {"view", "re", SETTING_KIND_COORDINATE, MEMBER(view.re), .initial = "-0.5",
                    .invalidates = SETTING_REFERENCE, .option = "re", .argument = "X",
                    .help = "Real part of the centre, with any number of digits (default: the "
                            "view's).",
                    .label = "Real", .hint = "Real part of the centre, with any number of digits"},
    [SETTING_IM] = {"view", "im", SETTING_KIND_COORDINATE, MEMBER(view.im), .initial = "0",
                    .invalidates = SETTING_REFERENCE, .option = "im", .argument = "Y",
                    .help = "Imaginary part of the centre, likewise.", .label = "Imaginary",
                    .hint = "Imaginary part of the centre, with any number of digits"},
    [SETTING_BITS] = {"view", "bits", SETTING_KIND_BITS, MEMBER(view), .initial = "64", .low = 64,
                      .high = VIEW_BITS_MAX, .invalidates = SETTING_REFERENCE},
    [SETTING_ZOOM] = {"view", "zoom", SETTING_KIND_ZOOM, MEMBER(view.zoom), .initial = "1.5",
                      .invalidates = SETTING_REFERENCE, .option = "zoom", .argument = "Z",
                      .help = "Zoom; 1 shows the imaginary axis from -2 to 2 (default: the "
                              "view's).",
                      .label = "Zoom",
                      .hint = "1 shows the imaginary axis from -2 to 2, 2 shows half of that"},
    [SETTING_ANGLE] = {"view", "angle", SETTING_KIND_ANGLE, MEMBER(view.angle), .initial = "0",
                       .takes = "takes a number of degrees", .invalidates = SETTING_REFERENCE,
                       .option = "angle", .argument = "DEGREES",
                       .help = "How far the picture is rotated (default: the view's, else 0).",
                       .label = "Angle", .hint = "How far the picture is rotated, in degrees"},
    [SETTING_FORMULA] = {"fractal", "formula", SETTING_KIND_CHOICE, MEMBER(fractal.formula),
                         .initial = "mandelbrot", .names = formula_names, .use = SETTING_OF_ESCAPE,
                         .invalidates = SETTING_REFERENCE, .option = "formula", .argument = "NAME",
                         .help = "Formula (default: the view's, else mandelbrot).",
                         .configured = true, .label = "Formula",
                         .hint = "What is iterated" FORMULA_LIST(FORMULA_HINT)
                             FORMULA_MAP_LIST(FORMULA_HINT)},
    [SETTING_POWER] = {"fractal", "power", SETTING_KIND_WHOLE, MEMBER(fractal.power),
                       .initial = "2", .low = 2, .high = FORMULA_POWER_MAX,
                       .use = SETTING_OF_ESCAPE, .invalidates = SETTING_REFERENCE,
                       .telling = SETTING_TOLD_CHANGED, .option = "power", .argument = "P",
                       .help = "Power that the formula takes z to (default: the view's, else 2).",
                       .configured = true, .label = "Power",
                       .hint = "The power that the formula takes z to, from 2 to 8",
                       .steps_in_one = 1},
    [SETTING_THEN] = {"fractal", "then", SETTING_KIND_STEPS, MEMBER(fractal), .initial = "",
                      .takes = "takes up to seven formulas with commas between them, each perhaps "
                               "with a power (burning_ship 3, tricorn)",
                      .use = SETTING_OF_ESCAPE, .invalidates = SETTING_REFERENCE,
                      .telling = SETTING_TOLD_CHANGED, .option = "then", .argument = "STEPS",
                      .help = "Further steps of a hybrid, which take turns with the formula: "
                              "\"burning_ship 3, tricorn\" (default: the view's, else none).",
                      .label = "Then",
                      .hint = "Further steps of a hybrid, which take turns with the formula: "
                              "burning_ship 3, tricorn"},
    [SETTING_JULIA] = {"fractal", "julia", SETTING_KIND_CHOICE, MEMBER(fractal.julia),
                       .initial = "no", .names = julia_names, .use = SETTING_OF_ESCAPE,
                       .invalidates = SETTING_REFERENCE, .telling = SETTING_TOLD_CHANGED,
                       .label = "Julia set",
                       .hint = "Points are where z starts, and c is the same for all of them"},
    [SETTING_JULIA_RE] = {"fractal", "julia_re", SETTING_KIND_PARAMETER, MEMBER(fractal.re),
                          .initial = "0", .takes = PARAMETER, .use = SETTING_OF_ESCAPE,
                          .invalidates = SETTING_REFERENCE, .telling = SETTING_TOLD_CHANGED,
                          .option = "julia-re", .argument = "X",
                          .help =
                              "Draw the Julia set of a c with this real part, with any number of "
                              "digits (default: the view's).",
                          .label = "c, real", .hint = "Real part of the Julia set's c"},
    [SETTING_JULIA_IM] = {"fractal", "julia_im", SETTING_KIND_PARAMETER, MEMBER(fractal.im),
                          .initial = "0", .takes = PARAMETER, .use = SETTING_OF_ESCAPE,
                          .invalidates = SETTING_REFERENCE, .telling = SETTING_TOLD_CHANGED,
                          .option = "julia-im", .argument = "Y",
                          .help = "Imaginary part of that c, likewise.", .label = "c, imaginary",
                          .hint = "Imaginary part of the Julia set's c"},
    [SETTING_LIMIT] = {"fractal", "iterations", SETTING_KIND_WHOLE, MEMBER(limit),
                       .initial = TEXT(FRAME_LIMIT_DEFAULT), .high = FRAME_LIMIT_MAX,
                       .clamped = true, .invalidates = SETTING_SAMPLE_VALUES,
                       .option = "iterations", .argument = "N",
                       .help =
                           "Iteration limit, 0 to 2147483647, such as 5000, 10k or 2M (default: "
                           "the view's, else 1000).",
                       .configured = true, .measured = true, .subject = "iteration limit",
                       .label = "Iterations",
                       .hint = "Iteration limit: points that last longer count as interior; a "
                               "higher one shows finer detail"},
    [SETTING_PALETTE] = {"colour", "palette", SETTING_KIND_PALETTE, MEMBER(palette),
                         .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
                         .option = "palette", .argument = "NAME",
                         .help =
                             "Palette, by name or from a file; random-N is one of many (default: "
                             "the view's, else the first).",
                         .configured = true, .label = "Palette",
                         .hint = "The colours that iteration counts run through, again and again"},
    [SETTING_FREQUENCY] = {"colour", "frequency", SETTING_KIND_NUMBER, MEMBER(frequency),
                           .initial = "1", .high = 1e6, .above = true, .use = SETTING_OF_ESCAPE,
                           .invalidates = SETTING_COLOURS, .option = "frequency",
                           .former = "density", .argument = "X",
                           .help = "Colour frequency, above 0 and up to 1000000; 1 is the "
                                   "palette's own (default: the view's, else 1).",
                           .label = "Colour frequency",
                           .hint = "How fast colours change from one iteration to the next; 1 is "
                                   "the palette's own",
                           .slider_low = 0.01, .slider_high = 100},
    [SETTING_OFFSET] = {"colour", "offset", SETTING_KIND_TURNS, MEMBER(offset), .initial = "0",
                        .takes = "takes a number of turns", .use = SETTING_OF_ESCAPE,
                        .invalidates = SETTING_COLOURS, .option = "offset", .argument = "TURNS",
                        .help = "Colour offset; 1 is a full turn of the palette (default: the "
                                "view's, else 0).",
                        .label = "Offset", .hint = "Shifts the palette; 1 is a full cycle",
                        .slider_high = 1, .slider_step = 0.005},
    [SETTING_SMOOTH] = {"colour", "smooth", SETTING_KIND_SWITCH, MEMBER(banded), .initial = "yes",
                        .names = smooth_names, .use = SETTING_OF_ESCAPE,
                        .invalidates = SETTING_COLOURS, .telling = SETTING_TOLD_CHANGED,
                        .label = "Smooth",
                        .hint = "Colours flow from one iteration count to the next; off: bands"},
    [SETTING_MAPPING] = {"colour", "mapping", SETTING_KIND_CHOICE, MEMBER(mapping),
                         .initial = "linear", .names = mapping_names, .use = SETTING_OF_ESCAPE,
                         .invalidates = SETTING_COLOURS, .telling = SETTING_TOLD_CHANGED,
                         .option = "mapping", .argument = "NAME",
                         .help =
                             "How colours follow the iteration counts: linear; sqrt or log, which "
                             "keep high counts apart; histogram, which gives all colours as many "
                             "pixels (default: the view's, else linear).",
                         .configured = true, .subject = "mapping", .label = "Mapping",
                         .hint = "How colours follow the counts: square root and logarithm calm "
                                 "places of high counts; histogram gives all colours as many "
                                 "pixels"},
    [SETTING_RANKS] = {"colour", "ranks", SETTING_KIND_RANKS, MEMBER(ranks), .initial = "",
                       .takes = "takes the number of a knot below " TEXT(
                           COLOUR_KNOTS) " and "
                                         "numbers that never fall",
                       .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
                       .telling = SETTING_TOLD_CHANGED},
    [SETTING_BY] = {"colour", "by", SETTING_KIND_CHOICE, MEMBER(by), .initial = "count",
                    .names = by_names, .use = SETTING_OF_ESCAPE,
                    .invalidates = SETTING_SAMPLE_VALUES, .telling = SETTING_TOLD_CHANGED,
                    .option = "colour-by", .argument = "KIND",
                    .help =
                        "What colours go by: count; distance (to the set); angle (where orbits "
                        "leave or come to: the basins of Newton's method); stripes or triangle "
                        "(means along orbits); point, line, cross or circle (how near orbits come "
                        "to it); domains (when they come nearest to 0); image (what lies there of "
                        "--image) (default: the view's, else count).",
                    .configured = true, .subject = "colour by", .label = "Colour by",
                    .hint = "What colours go by: iteration counts, the distance to the set, where "
                            "orbits end, what they pass"},
    [SETTING_IMAGE] = {"colour", "image", SETTING_KIND_IMAGE, MEMBER(image), .initial = "ball",
                       .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
                       .telling = SETTING_TOLD_CHANGED, .option = "image", .argument = "FILE",
                       .help = "A PPM or PNG file that lies about 0 for --colour-by image, or ball "
                               "(default: the view's, else ball)."},
    [SETTING_IMAGE_SIZE] = {"colour", "image_size", SETTING_KIND_NUMBER, MEMBER(image_size),
                            .initial = "0.5", .low = 0.015625, .high = 1, .use = SETTING_OF_ESCAPE,
                            .invalidates = SETTING_COLOURS, .telling = SETTING_TOLD_CHANGED,
                            .option = "image-size", .argument = "X",
                            .help = "Half its side in the plane, 0.015625 to 1 (default: the "
                                    "view's, else 0.5).",
                            .label = "Image size",
                            .hint = "How large the image of \"colour by image\" is about 0",
                            .slider_low = 0.015625, .slider_high = 1},
    [SETTING_INSIDE] = {"colour", "interior", SETTING_KIND_CHOICE, MEMBER(inside), .initial = "one",
                        .names = inside_names, .use = SETTING_OF_ESCAPE,
                        .invalidates = SETTING_SAMPLE_VALUES, .telling = SETTING_TOLD_CHANGED,
                        .option = "interior", .argument = "KIND",
                        .help =
                            "What the colours of the interior go by: one (all alike); period (of "
                            "the cycle that orbits come to); distance (to the component's edge); "
                            "last (the least |z| on the cycle); domains (when orbits come nearest "
                            "to 0) (default: the view's, else one).",
                        .configured = true, .subject = "interior", .label = "Interior",
                        .hint = "What the colours of the interior go by: the period of its "
                                "cycles, how deep a point lies"},
    [SETTING_LAYER] = {"colour", "layer", SETTING_KIND_CHOICE, MEMBER(layers[0].kind),
                       .initial = "none", .names = layer_names, .use = SETTING_OF_ESCAPE,
                       .invalidates = SETTING_SAMPLE_VALUES, .telling = SETTING_TOLD_CHANGED,
                       .option = "layer", .argument = "KIND",
                       .help =
                           "A layer over the colours: none, light (slopes face a light), distance "
                           "(dark near the set), binary or field (where orbits leave), stripes or "
                           "triangle (means along orbits), point, line, cross or circle (how near "
                           "orbits come to it) (default: the view's, else none).",
                       .configured = true, .subject = "layer", .label = "Layer",
                       .hint = "Over the colours: slopes in a light, the distance to the set, "
                               "where orbits leave, what they pass"},
    [SETTING_LAYER_MODE] =
        {"colour", "layer_mode", SETTING_KIND_CHOICE, MEMBER(layers[0].mode), .initial = "overlay",
         .names = layer_mode_names, .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
         .telling = SETTING_TOLD_CHANGED, .option = "layer-mode", .argument = "MODE",
         .help =
             "How that layer is mixed with what is below it, in linear light: overlay, multiply, "
             "screen or alpha (default: the view's, else overlay).",
         .configured = true, .label = "Mode",
         .hint = "How the layer is mixed with what is below it"},
    [SETTING_LAYER_STRENGTH] =
        {"colour", "layer_strength", SETTING_KIND_NUMBER, MEMBER(layers[0].strength),
         .initial = "0.8", .high = 1, .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
         .telling = SETTING_TOLD_CHANGED, .option = "layer-strength", .argument = "X",
         .help = "How much of it is seen, 0 to 1 (default: the view's, else 0.8).",
         .configured = true, .label = "Strength", .hint = "How much of the layer is seen",
         .slider_high = 1, .slider_step = 0.01, .steps_in_one = 10},
    [SETTING_LAYER2] =
        {"colour", "layer2", SETTING_KIND_CHOICE, MEMBER(layers[1].kind), .initial = "none",
         .names = layer_names, .use = SETTING_OF_ESCAPE, .invalidates = SETTING_SAMPLE_VALUES,
         .telling = SETTING_TOLD_CHANGED, .option = "layer2", .former = "second-layer",
         .argument = "KIND",
         .help = "A second layer, over the first: as --layer (default: the view's, else none).",
         .configured = true, .subject = "second layer", .label = "Layer 2",
         .hint = "Over the colours: slopes in a light, the distance to the set, where orbits "
                 "leave, what they pass"},
    [SETTING_LAYER2_MODE] =
        {"colour", "layer2_mode", SETTING_KIND_CHOICE, MEMBER(layers[1].mode),
         .initial = "multiply", .names = layer_mode_names, .use = SETTING_OF_ESCAPE,
         .invalidates = SETTING_COLOURS, .telling = SETTING_TOLD_CHANGED, .option = "layer2-mode",
         .former = "second-layer-mode", .argument = "MODE",
         .help =
             "How that layer is mixed with what is below it, in linear light: overlay, multiply, "
             "screen or alpha (default: the view's, else multiply).",
         .configured = true, .label = "Mode",
         .hint = "How the layer is mixed with what is below it"},
    [SETTING_LAYER2_STRENGTH] =
        {"colour", "layer2_strength", SETTING_KIND_NUMBER, MEMBER(layers[1].strength),
         .initial = "0.8", .high = 1, .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
         .telling = SETTING_TOLD_CHANGED, .option = "layer2-strength",
         .former = "second-layer-strength", .argument = "X",
         .help = "How much of it is seen, 0 to 1 (default: the view's, else 0.8).",
         .configured = true, .label = "Strength", .hint = "How much of the layer is seen",
         .slider_high = 1, .slider_step = 0.01, .steps_in_one = 10},
    [SETTING_LIGHT_ANGLE] =
        {"colour", "light_angle", SETTING_KIND_NUMBER, MEMBER(light_angle), .initial = "135",
         .high = 360, .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
         .telling = SETTING_TOLD_CHANGED, .option = "light-angle", .argument = "DEGREES",
         .help = "Where the light comes from, 0 to 360: 0 is the right, 90 above (default: the "
                 "view's, else 135).",
         .configured = true, .label = "Light from",
         .hint = "Where the light comes from, in degrees: 0 the right, 90 above",
         .slider_high = 360, .slider_step = 1},
    [SETTING_LIGHT_HEIGHT] =
        {"colour", "light_height", SETTING_KIND_NUMBER, MEMBER(light_height), .initial = "45",
         .high = 90, .use = SETTING_OF_ESCAPE, .invalidates = SETTING_COLOURS,
         .telling = SETTING_TOLD_CHANGED, .option = "light-height", .argument = "DEGREES",
         .help = "How high the light stands, 0 to 90 degrees (default: the view's, else 45).",
         .configured = true, .label = "Light's height",
         .hint = "How high the light stands, 0 to 90 degrees", .slider_high = 90, .slider_step = 1},
    [SETTING_WIDTH] = {"picture", "width", SETTING_KIND_WHOLE, MEMBER(width_px), .low = 1,
                       .high = FRAME_SIZE_MAX, .telling = SETTING_TOLD_CHANGED},
    [SETTING_HEIGHT] = {"picture", "height", SETTING_KIND_WHOLE, MEMBER(height_px), .low = 1,
                        .high = FRAME_SIZE_MAX, .telling = SETTING_TOLD_CHANGED},
    [SETTING_PRECISION] = {"picture", "precision", SETTING_KIND_CHOICE, MEMBER(precision),
                           .initial = "auto", .names = precision_names,
                           .invalidates = SETTING_SAMPLE_VALUES, .option = "precision",
                           .former = "number", .argument = "TYPE",
                           .help = "Precision of the iteration (default: the view's, else auto).",
                           .configured = true, .measured = true, .subject = "precision",
                           .label = "Precision",
                           .hint = "Precision of the iteration; auto takes what the depth needs"},
    [SETTING_METHOD] = {"picture", "method", SETTING_KIND_CHOICE, MEMBER(method),
                        .initial = "tiled", .names = method_names, .use = SETTING_OF_ESCAPE,
                        .invalidates = SETTING_SAMPLE_VALUES, .option = "method",
                        .argument = "NAME",
                        .help = "Order in which pixels are drawn (default: the view's, else "
                                "tiled).",
                        .configured = true, .measured = true, .subject = "drawing method",
                        .label = "Method", .hint = "The order in which the picture is drawn"},
    [SETTING_PIXEL_SAMPLES] = {"picture", "samples", SETTING_KIND_WHOLE, MEMBER(pixel_samples),
                               .initial = "1", .low = 1, .high = ACCUMULATE_SAMPLES_MAX,
                               .takes = PER_PIXEL(ACCUMULATE_SAMPLES_MAX), .use = SETTING_OF_ESCAPE,
                               .telling = SETTING_TOLD_CHANGED},
    [SETTING_ORBIT_DENSITY] = {"picture", "kind", SETTING_KIND_SWITCH, MEMBER(orbit_density),
                               .initial = "escape", .names = kind_names,
                               .invalidates = SETTING_REFERENCE, .telling = SETTING_TOLD_CHANGED},
    [SETTING_ORBITS] = {"orbits", "orbits", SETTING_KIND_CHOICE, MEMBER(orbits.orbits),
                        .initial = "escaping", .names = density_orbits_names,
                        .use = SETTING_OF_DENSITY, .invalidates = SETTING_SAMPLE_VALUES,
                        .option = "orbits", .former = "counted", .argument = "KIND",
                        .help = "Orbits to count: escaping (Buddhabrot) or bounded "
                                "(anti-Buddhabrot)."},
    [SETTING_LEAST] = {"orbits", "min_length", SETTING_KIND_WHOLE, MEMBER(orbits.least),
                       .initial = "0", .high = FRAME_LIMIT_MAX, .use = SETTING_OF_DENSITY,
                       .invalidates = SETTING_SAMPLE_VALUES, .option = "min-length",
                       .former = "least", .argument = "N",
                       .help = "Minimum orbit length; 0 chooses one that suits the limits "
                               "(default: the view's).",
                       .subject = "minimum orbit length", .label = "Min length",
                       .hint = "The minimum length of the orbits that are counted"},
    [SETTING_CHANNELS] = {"orbits", "channels", SETTING_KIND_LIMITS, MEMBER(orbits.limit),
                          .initial = TEXT(FRAME_LIMIT_DEFAULT), .low = 1, .high = FRAME_LIMIT_MAX,
                          .takes = "takes one or three limits from 1 to 2147483647, red, green "
                                   "and blue",
                          .use = SETTING_OF_DENSITY, .invalidates = SETTING_SAMPLE_VALUES,
                          .telling = SETTING_TOLD_CHANGED, .option = "channels",
                          .argument = "R,G,B",
                          .help = "Iteration limits of red, green and blue (Nebulabrot); a single "
                                  "number acts as --iterations."},
    [SETTING_RANDOM] = {"orbits", "random", SETTING_KIND_KEY, MEMBER(orbits.random),
                        .use = SETTING_OF_DENSITY, .invalidates = SETTING_SAMPLE_VALUES,
                        .option = "random", .argument = "N",
                        .help = "Key of the random numbers (default: the view's, else 0)."},
    [SETTING_SAMPLES] = {"orbits", "samples", SETTING_KIND_KEY, MEMBER(samples),
                         .use = SETTING_OF_DENSITY, .telling = SETTING_TOLD_CHANGED},
    [SETTING_SAMPLING] = {"orbits", "sampling", SETTING_KIND_KEY, MEMBER(sampling),
                          .initial = TEXT(DENSITY_SAMPLING), .use = SETTING_OF_DENSITY},
    [SETTING_CURVE] = {"orbits", "curve", SETTING_KIND_CHOICE, MEMBER(tone.curve),
                       .initial = "sqrt", .names = tone_curve_names, .use = SETTING_OF_DENSITY,
                       .invalidates = SETTING_COLOURS, .option = "curve", .argument = "NAME",
                       .help = "Tone curve, from counts to light.", .subject = "tone curve",
                       .label = "Tone curve",
                       .hint = "How brightness follows the number of points"},
    [SETTING_RAMP] = {"orbits", "gradient", SETTING_KIND_CHOICE, MEMBER(tone.ramp),
                      .initial = "grey", .names = tone_ramp_names, .use = SETTING_OF_DENSITY,
                      .invalidates = SETTING_COLOURS, .option = "gradient", .former = "ramp",
                      .argument = "NAME", .help = "Gradient of a single channel.",
                      .label = "Gradient", .hint = "The colours from few points to many"},
    [SETTING_EXPOSURE] = {"orbits", "exposure", SETTING_KIND_NUMBER, MEMBER(tone.exposure),
                          .initial = "0", .low = -TONE_STOPS_MAX, .high = TONE_STOPS_MAX,
                          .use = SETTING_OF_DENSITY, .invalidates = SETTING_COLOURS,
                          .option = "exposure", .argument = "STOPS",
                          .help = "Multiply the light by 2^STOPS (default: the view's, else 0).",
                          .label = "Exposure", .hint = "Brighter or darker: +1 doubles",
                          .slider_low = -6, .slider_high = 6, .slider_step = 0.05,
                          .steps_in_one = 4},
    [SETTING_GAMMA] = {"orbits", "gamma", SETTING_KIND_NUMBER, MEMBER(tone.gamma), .initial = "1",
                       .low = TONE_GAMMA_MIN, .high = TONE_GAMMA_MAX, .use = SETTING_OF_DENSITY,
                       .invalidates = SETTING_COLOURS, .option = "gamma", .argument = "G",
                       .help = "Raise the light to the power 1 / G (default: the view's, else 1).",
                       .label = "Gamma", .hint = "Above 1 the dark parts become lighter",
                       .slider_low = 0.1, .slider_high = 10, .steps_in_one = 10},
    [SETTING_WHITE] = {"orbits", "white", SETTING_KIND_NUMBER, MEMBER(tone.white),
                       .initial = "99.7", .high = 100, .above = true, .use = SETTING_OF_DENSITY,
                       .invalidates = SETTING_COLOURS, .option = "white", .argument = "PERCENT",
                       .help = "White point: the percentile of counts that becomes white (default: "
                               "the view's, else 99.7)."},
};

#define EXACT    "every pixel is drawn"
#define STANDARD "orbits are counted by the standard rules"

const struct setting_renamed settings_renamed[] = {
    {"square root", "sqrt"},     {"logarithm", "log"},
    {"slope light", "light"},    {"binary decomposition", "binary"},
    {"field lines", "field"},    {"triangle inequality", "triangle"},
    {"point trap", "point"},     {"line trap", "line"},
    {"cross trap", "cross"},     {"circle trap", "circle"},
    {"atom domains", "domains"}, {"atom", "domains"},
    {"one colour", "one"},       {"last |z|", "last"},
    {"tiles", "tiled"},          {"rows", "scanline"},
    {"deepen", "progressive"},   {"slopes", "piecewise"},
    {"cycle", "periodicity"},    {NULL, NULL},
};

const struct setting_retired settings_retired[] = {
    {"picture", "method", "trace", EXACT},
    {"picture", "method", "tracing", EXACT},
    {"picture", "method", "subdivide", EXACT},
    {"picture", "method", "mariani-silver", EXACT},
    {"picture", "arithmetic", "fused", ""},
    {"picture", "arithmetic", "unfused", "every step is fused"},
    {"orbits", "rules", "standard", ""},
    {"orbits", "rules", "ours", ""},
    {"orbits", "rules", "classic", STANDARD},
    {"orbits", "rules", "seed", STANDARD},
    {NULL, NULL, NULL, NULL},
};
