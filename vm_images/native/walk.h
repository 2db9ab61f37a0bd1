/* The accessibility tree, walked inside the application. */
#ifndef PPTARENA_WALK_H
#define PPTARENA_WALK_H

#include <glib.h>
#include <stdint.h>

struct walk_limits {
    guint nodes, levels, milliseconds;
};

/* Append the nodes that show to `out`; returns the flags that say which bounds cut it. */
uint32_t walk_tree(GByteArray *out, const struct walk_limits *limits);

#endif
