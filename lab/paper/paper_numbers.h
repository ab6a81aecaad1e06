/* What Fontana, Siri and Zucca, "Mandelbrot optimisation" (2024), print in their tables: times in
 * ms on an i9-12900K with 24 threads and on an NVIDIA T400. By resolution, then threads or block
 * shape. */
#ifndef FATHOM_LAB_PAPER_PAPER_NUMBERS_H
#define FATHOM_LAB_PAPER_PAPER_NUMBERS_H

#define PRINTED_RESOLUTIONS 4
#define PRINTED_THREADS     6
#define PRINTED_SIDES       5 /* of blocks */

static const int printed_resolutions[PRINTED_RESOLUTIONS] = {500, 1000, 1500, 2000};
static const int printed_threads[PRINTED_THREADS] = {1, 2, 4, 8, 16, 24};
static const int printed_sides[PRINTED_SIDES] = {1, 2, 4, 8, 16};

typedef double printed_by_resolution[PRINTED_RESOLUTIONS];
typedef double printed_by_threads[PRINTED_RESOLUTIONS][PRINTED_THREADS];

/* clang-format off */
static const printed_by_resolution
    printed_1_abs = {849, 3391, 7627, 13559},
    printed_1_norm = {837, 3347, 7464, 13357},
    printed_4_float = {168, 645, 1409, 2540},
    printed_4_double = {313, 1216, 2687, 4732},
    printed_5_points = {7559, 29687, 53872, 118307},
    printed_5_percent = {3.02, 2.97, 2.39, 2.96},
    printed_6_vector = {240.94, 243.34, 247.68, 250.31},
    printed_6_vector_fma = {255.17, 260.22, 263.92, 267.19},
    printed_7_norm = {799, 3166, 7092, 12645},
    printed_7_vector = {331, 1301, 2863, 5051},
    printed_7_vector_fma = {313, 1216, 2687, 4732},
    printed_11_float = {194, 565, 1187, 2035},
    printed_11_double = {234, 742, 1582, 2734},
    printed_12_points = {7531, 29683, 54006, 118413},
    printed_12_percent = {3.01, 2.97, 2.40, 2.96},
    printed_14_program = {732, 887, 1721, 2910},
    printed_14_kernel = {453, 662, 1476, 2608},
    printed_14_copy = {1.4, 4.4, 9.9, 16.7},
    printed_14_alloc = {89, 62, 53, 56};

static const printed_by_threads
    printed_2_static = {
        {809, 405, 334, 204, 128, 100},
        {3205, 1605, 1323, 800, 507, 376},
        {7115, 3598, 2953, 1780, 1111, 812},
        {12764, 6385, 5278, 3206, 1897, 1458}},
    printed_3_ms = { /* the dynamic columns of table 2, and table 8's without vectors */
        {799, 406, 204, 104, 67, 56},
        {3166, 1617, 811, 411, 257, 208},
        {7092, 3623, 1820, 916, 562, 461},
        {12645, 6455, 3243, 1630, 999, 812}},
    printed_3_speedup = {
        {1.00, 1.97, 3.90, 7.62, 11.86, 14.05},
        {1.00, 1.96, 3.90, 7.69, 12.31, 15.16},
        {1.00, 1.96, 3.90, 7.74, 12.60, 15.37},
        {1.00, 1.96, 3.90, 7.76, 12.66, 15.56}},
    printed_3_efficiency = {
        {1.00, 0.98, 0.98, 0.95, 0.74, 0.59},
        {1.00, 0.98, 0.98, 0.96, 0.77, 0.63},
        {1.00, 0.98, 0.97, 0.97, 0.79, 0.64},
        {1.00, 0.98, 0.97, 0.97, 0.79, 0.65}},
    printed_8_vector = {
        {313, 158, 83, 42, 28, 24},
        {1216, 612, 307, 157, 95, 73},
        {2687, 1358, 684, 347, 205, 154},
        {4732, 2399, 1201, 613, 359, 270}},
    printed_9_percent = {
        {255.17, 256.47, 245.27, 247.41, 237.32, 236.10},
        {260.22, 264.04, 263.74, 260.73, 269.88, 284.22},
        {263.92, 266.77, 265.98, 263.69, 273.39, 298.71},
        {267.19, 269.10, 269.95, 265.79, 277.89, 301.07}},
    printed_10_ms = {
        {313, 159, 84, 42, 28, 24},
        {1217, 612, 308, 158, 95, 74},
        {2687, 1358, 684, 348, 206, 155},
        {4733, 2399, 1202, 613, 360, 270}},
    printed_10_speedup = {
        {1.00, 1.98, 3.75, 7.39, 11.03, 13.00},
        {1.00, 1.99, 3.95, 7.71, 12.77, 16.56},
        {1.00, 1.98, 3.93, 7.73, 13.05, 17.39},
        {1.00, 1.97, 3.94, 7.72, 13.17, 17.53}},
    printed_10_efficiency = {
        {1.00, 0.99, 0.94, 0.92, 0.69, 0.54},
        {1.00, 0.99, 0.99, 0.96, 0.80, 0.69},
        {1.00, 0.99, 0.98, 0.97, 0.82, 0.72},
        {1.00, 0.99, 0.98, 0.96, 0.82, 0.73}};

/* By resolution, a block's columns, its rows. */
static const double printed_13_ms[PRINTED_RESOLUTIONS][PRINTED_SIDES][PRINTED_SIDES] = {
    {{5162, 2637, 1369, 731, 400}, {2636, 1359, 721, 400, 232}, {1367, 716, 399, 225, 233},
     {729, 400, 232, 232, 226}, {410, 239, 227, 240, 234}},
    {{20637, 10416, 5289, 2708, 1415}, {10416, 5271, 2689, 1398, 746}, {5283, 2688, 1390, 742, 742},
     {2712, 1396, 739, 739, 738}, {1409, 744, 746, 747, 742}},
    {{46377, 23345, 11782, 5978, 3068}, {23285, 11746, 5950, 3041, 1581},
     {11757, 5947, 3034, 1568, 1568}, {5975, 3044, 1564, 1571, 1567}, {3071, 1574, 1584, 1578, 1582}},
    {{81670, 41061, 20698, 10473, 5353}, {41074, 20679, 10447, 5310, 2735},
     {20703, 10449, 5305, 2714, 2713}, {10481, 5311, 2716, 2713, 2716}, {5349, 2731, 2730, 2731, 2733}},
};
/* clang-format on */

#endif
