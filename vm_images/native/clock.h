/* What clock.so and observer.so, the guest program and the tests agree on. */
#ifndef PPTARENA_CLOCK_H
#define PPTARENA_CLOCK_H

#include <stdint.h>

/* The file that PPTARENA_CLOCK names. The guest program alone can write it: no program of the
 * desktop can set the time of another. */
#define CLOCK_MAGIC 0x4b4c4350u /* "PCLK" */
#define CLOCK_VERSION 1u

struct clock_page {
    uint32_t magic;
    uint32_t version;
    int64_t now_ns;        /* CLOCK_MONOTONIC of the desktop; it never goes back */
    int64_t real_minus_ns; /* CLOCK_REALTIME minus CLOCK_MONOTONIC */
};

#define CLOCK_NEVER INT64_MAX

/* For observer.so, which finds them by name: it also works where clock.so is not loaded. */
int64_t pptarena_clock_now(void);   /* monotonic, ns */
int64_t pptarena_clock_next(void);  /* earliest moment that a thread waits for, or CLOCK_NEVER */
void pptarena_clock_moved(void);    /* let go those whose moment has come, and see them off */

#endif
