/* Pictures of a folder's tables, by gnuplot and the script plots.gp. */
#ifndef FATHOM_LAB_REPORT_PLOTS_H
#define FATHOM_LAB_REPORT_PLOTS_H

#include <stdio.h>

enum plots_result { PLOTS_DRAWN, PLOTS_NO_GNUPLOT, PLOTS_FAILED };

/* The script, for the folder. `unused` is not looked at. */
void plots_script(const void *unused, FILE *file);
/* Runs gnuplot on the script there, for a minute at most, and waits for its end; a signal that is
 * caught ends it too. `tables`: the names of what may be drawn, with blanks between. `drawn`, a
 * temporary file, gets a line for each picture: its name, a tab, its title. `why` says why not. */
enum plots_result plots_draw(const char *folder, const char *tables, FILE *drawn, char why[200]);

#endif
