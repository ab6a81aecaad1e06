/* How long the program has been running: where the time goes from its start to the first picture. */
#ifndef FATHOM_APP_START_H
#define FATHOM_APP_START_H

/* Milliseconds since the process was started, dynamic linking included; the system counts them in tens.
 * NaN: it does not tell. */
double start_age_ms(void);
/* Logs what is reached now, at LOG_INFO. */
void start_tell(const char *what);

#endif
