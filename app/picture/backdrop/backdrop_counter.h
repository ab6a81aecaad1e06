/* Has a backend count what lies behind density pictures. */
#ifndef FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTER_H
#define FATHOM_APP_PICTURE_BACKDROP_BACKDROP_COUNTER_H

#include "app/picture/backdrop/backdrop.h"
#include "render/backend.h"

/* Counts what density pictures like `like` have behind them, where that is missing; waits for some
 * 50 ms then. The backend can count, and nothing is in flight there. */
void backdrop_counter_run(struct backend *backend, struct backdrop *backdrop,
                          const struct density_req *like);

#endif
