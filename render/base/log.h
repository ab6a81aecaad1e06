/* Log: messages for users, one line each on stderr, "fathom: error: ...". The level is the
 * program's only process-wide state (docs/decisions.md); it is atomic and may be set from any
 * thread. Each thread has its own listener. */
#ifndef FATHOM_RENDER_BASE_LOG_H
#define FATHOM_RENDER_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level {
    LOG_ERROR, /* not carried out; the message says what to do about it */
    LOG_WARN,  /* carried out, but not as requested */
    LOG_INFO,  /* choices worth reporting once: the backend, the device, files written */
    LOG_DEBUG, /* everything else */
};

/* Drops messages above `level`. The default is LOG_WARN. */
void log_set_level(enum log_level level);

/* Writes one line of UTF-8. Newlines, other control characters and bytes that are not UTF-8 are
 * escaped, so that a hostile file name cannot fake a second message. Lines are cut after 1000
 * bytes. Any thread. */
void log_message(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the length in bytes of the first character of a text. Returns 0 for a control character
 * (which may do anything to a terminal) and for a byte that is not UTF-8; the caller then skips one
 * byte. */
size_t log_shown_length(const char *text);
/* Copies a text for a terminal, with such characters as \xNN, as log_message does; text beyond
 * `size` bytes is cut. For file names in output. Any thread. */
void log_escape(char *out, size_t size, const char *text);

/* Empties `text`, and from now on copies this thread's first error there, in addition to writing
 * it. NULL ends that. For callers that show in a window why something failed. */
void log_listen(char *text, size_t size);
/* Listens as log_listen, but to warnings, too. `text` receives the first error, otherwise the first
 * warning. *count starts at 0 and counts both. log_listen(NULL, 0) ends it. */
void log_listen_to_warnings(char *text, size_t size, unsigned *count);

/* Listener of a thread. */
struct log_listener {
    char *text; /* NULL: no listener */
    size_t size;
    enum log_level level; /* least severe level that is copied */
    enum log_level heard; /* level of the copied message */
    unsigned *count;      /* may be NULL: number of messages */
    bool instead;         /* true: messages are copied instead of written */
};

/* Listens as log_listen, but copied messages are not written: for callers that make them a part of
 * their own message. Returns the previous listener, for log_listen_restore. */
struct log_listener log_listen_instead(char *text, size_t size);
/* Suppresses warnings as well, even if an inner listener would let them be written. */
struct log_listener log_listen_instead_of_warnings(char *text, size_t size);
void log_listen_restore(struct log_listener listener);

#define log_error(...) log_message(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_message(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_message(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_message(LOG_DEBUG, __VA_ARGS__)

#endif
