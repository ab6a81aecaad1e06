/* Process age: how long the program has been running, to measure the time until the first
 * picture. */
#ifndef FATHOM_APP_PROCESS_AGE_H
#define FATHOM_APP_PROCESS_AGE_H

/* Returns the milliseconds since the process was started, including dynamic linking; the
 * system's resolution is 10 ms. Returns NaN if the system does not report it. */
double process_age_ms(void);
/* Logs that `what` is reached now, at LOG_INFO. */
void process_age_log(const char *what);

#endif
