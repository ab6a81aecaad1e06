/* Memory of numbers of any precision: GMP asks for it, and aborts the program where there is
 * none. */
#ifndef FATHOM_RENDER_BASE_NUMBER_MEMORY_H
#define FATHOM_RENDER_BASE_NUMBER_MEMORY_H

/* From now on the program ends with a message and status 1 instead, and without a core file. To be
 * called before the first number is made. */
void number_memory_watch(void);

#endif
