/* What the list of experiments points to; each is a file of its own. */
#ifndef FATHOM_LAB_EXPERIMENTS_H
#define FATHOM_LAB_EXPERIMENTS_H

#include "lab/lab.h"

bool classic_experiment(struct lab *lab);    /* seed 000 */
bool buddhabrot_experiment(struct lab *lab); /* seed 001 */
bool modes_experiment(struct lab *lab);      /* seed 002 */
bool paper_experiment(struct lab *lab);      /* seed 003 */
bool hybridizer_experiment(struct lab *lab); /* seed 004 */
bool roofline_experiment(struct lab *lab);

#endif
