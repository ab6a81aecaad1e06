/* Messages for people: one line each on stderr, "fathom: error: ...". The level is the program's
 * only process-wide state (docs/decisions.md); it is atomic and may be set from any thread. A
 * thread's listener is that thread's own. */
#ifndef FATHOM_RENDER_BASE_LOG_H
#define FATHOM_RENDER_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level {
    LOG_ERROR, /* the thing asked for was not done; the message says what to do about it */
    LOG_WARN,  /* done, but not as asked */
    LOG_INFO,  /* choices worth knowing once: the backend, the device, files written */
    LOG_DEBUG, /* everything else */
};

/* Messages above `level` are dropped. The default is LOG_WARN. */
void log_set_level(enum log_level level);

/* Writes one line of UTF-8; newlines, other control characters and what is no UTF-8 are escaped, so
 * that a hostile file name cannot fake a second message. More than 1000 bytes are cut. Any
 * thread. */
void log_message(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The length in bytes of the first character of a text as a terminal shows it; 0: it is a control
 * character (which may do anything to a terminal) or no UTF-8, so that its first byte is left. */
size_t log_shown_length(const char *text);
/* Copies a text for a terminal, such characters as \xNN, as log_message does; what does not fit
 * into `size` bytes is cut. For names of files in what is printed. Any thread. */
void log_escape(char *out, size_t size, const char *text);

/* From here on this thread's first error is copied into text too, which is emptied now, until NULL
 * is given: for callers that tell in a window why something failed. */
void log_listen(char *text, size_t size);
/* The same for warnings, too: `text` gets the first error, else the first warning, and *count,
 * which begins at 0, how many there were of both. log_listen(NULL, 0) ends it. */
void log_listen_to_warnings(char *text, size_t size, unsigned *count);

/* Who listens in a thread. */
struct log_listener {
    char *text; /* NULL: nobody */
    size_t size;
    enum log_level level; /* the least severe that is heard */
    enum log_level heard; /* of what is in the text */
    unsigned *count;      /* NULL: not wanted */
    bool instead;         /* it is not written */
};

/* As log_listen, but what is heard is not written: for callers that tell it as a part of their own
 * message. The listener that was there is to be given back with the other one. */
struct log_listener log_listen_instead(char *text, size_t size);
/* The same for warnings, too, also for those that a listener inside would let be written. */
struct log_listener log_listen_instead_of_warnings(char *text, size_t size);
void log_listen_again(struct log_listener listener);

#define log_error(...) log_message(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_message(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_message(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_message(LOG_DEBUG, __VA_ARGS__)

#endif
