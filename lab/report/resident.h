/* How much memory a program takes, as the system sees it. */
#ifndef FATHOM_LAB_REPORT_RESIDENT_H
#define FATHOM_LAB_REPORT_RESIDENT_H

/* Bytes of memory that the process has now, and forgets its peak. NaN: cannot be told. */
double resident_begin(void);
/* The most since resident_begin, less what that returned. NaN: cannot be told. */
double resident_peak(double begin);

#endif
