/* GTK's windows are drawn when somebody looks, not at each of its pictures. */
#ifndef PPTARENA_PAINT_H
#define PPTARENA_PAINT_H

#include <stdint.h>

void paint_when_asked(void); /* from now on; GTK must have been initialised */
void paint_at_once(void);    /* no longer */
void paint_now(void);        /* what has been put off; from the main loop, outside of the poll */
uint64_t paint_put_off(void); /* how often something was, since the last call */

#endif
