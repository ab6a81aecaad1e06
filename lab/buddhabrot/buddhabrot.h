/* Between the files of seed 001's experiment. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_H

#include "lab/buddhabrot/buddhabrot_blocks.h"
#include "lab/buddhabrot/buddhabrot_rules.h"
#include "lab/lab.h"

/* The pictures, all of the seed's view. */
enum picture { PICTURE_SEED, PICTURE_OURS, PICTURE_NEBULA, PICTURE_COUNT };

struct buddhabrot_picture {
    const char *name, *id;
    struct density_req req; /* float; with the samples that the CPU's programs take */
};

struct buddhabrot {
    struct lab *lab;
    int width_px, height_px;
    uint32_t cpu_flags;
    int threads;
    struct buddhabrot_picture picture[PICTURE_COUNT];
    struct table *statistics; /* as the seed prints them; rows of all programs */
    struct table *octaves;    /* points per second over octaves; rows of all programs */
    /* Pictures from two independent sets of samples each: by the seed's rules, by ours for
     * them, and by our rules. */
    struct blocks rule[SEED_RULES][2], same[2], ours[2];
    double rule_points[SEED_RULES], same_points, ours_points; /* of a sample */
};

/* --- ours through the contract --- */

/* A backend that counts; NULL when there is none of that name here, which `why` then says. */
struct backend *ours_open(const struct buddhabrot *b, const char *name, int threads,
                          const char **why);
/* False: refused, lost or stopped. */
bool ours_run(const struct buddhabrot *b, struct backend *backend, const struct density_req *req,
              struct backend_report *report);
/* The same, and copies the counts to what density_counts_init has made. */
bool ours_count(const struct buddhabrot *b, struct backend *backend, const struct density_req *req,
                struct density_counts *counts);

/* Whether all counts, points and samples are the same. */
bool counts_equal(const struct density_counts *a, const struct density_counts *b);

/* The request with another generator's key, for independent samples. Pairs with density_req_finish,
 * also when false (no memory, logged). */
bool req_init_key(struct density_req *req, const struct density_req *from, uint64_t random);
/* The samples of the first rounds (density_sample.h), each of which visits every cell once. */
uint64_t whole_rounds(const struct density_req *req, uint64_t rounds);

/* A part of an octave (density_sample.h), gone on to without what is before it. */
struct octave_job {
    struct density_req req;
    struct density_counts start; /* zeros */
    uint64_t first;              /* sample; the last one is the request's */
};
/* As many samples of it, a multiple of DENSITY_CHUNK, as it has at most. Pairs with octave_finish.
 */
bool octave_init(struct octave_job *job, const struct density_req *req, uint32_t octave,
                 uint64_t samples);
void octave_finish(struct octave_job *job);
/* Raises *points_per_s to the rate of a run, where it is lower; `kernels`: of what the device works
 * on it, since a first octave takes less than beginning and ending a run. */
bool octave_ours(const struct buddhabrot *b, struct backend *backend, const struct octave_job *job,
                 bool kernels, double *points_per_s);

/* --- tables; false as an experiment --- */

/* A row of what the seed prints: all points of the whole picture, its largest and its smallest
 * count; `made` points were increments, the others are their mirror images. */
void statistics_row(struct buddhabrot *b, const char *program, double points, double most,
                    double least, double ms, double made);
void statistics_counts(struct buddhabrot *b, const char *program, const struct density_req *req,
                       const struct density_counts *counts, double ms);

void buddhabrot_add_octave(struct buddhabrot *b, uint32_t octave, const char *program,
                           double million_points_per_s);

/* Counts by all rules, into *b, and says how they differ. */
bool buddhabrot_rules(struct buddhabrot *b);
/* Checks that two programs of the same rules draw the same picture. */
bool buddhabrot_alike(struct buddhabrot *b, const char *first, const struct blocks first_blocks[2],
                      const char *second, const struct blocks second_blocks[2]);
bool buddhabrot_on_cpu(struct buddhabrot *b);
bool buddhabrot_on_gpu(struct buddhabrot *b);

#endif
