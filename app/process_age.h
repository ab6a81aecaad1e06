/* How long the program has been running: where the time goes from its start to the first
 * picture. */
#ifndef FATHOM_APP_PROCESS_AGE_H
#define FATHOM_APP_PROCESS_AGE_H

/* Milliseconds since the process was started, dynamic linking included; the system counts them in
 * tens. NaN: it does not tell. */
double process_age_ms(void);
/* Logs what is reached now, at LOG_INFO. */
void process_age_tell(const char *what);

#endif
