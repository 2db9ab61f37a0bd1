/* What observer.so and the guest program say to each other, over a socket pair of their own.
 *
 * The guest asks, one request at a time; the application answers at its next moment of rest: when
 * nothing is readable and no timer is due. Both run on one computer, so numbers are in its order.
 */
#ifndef PPTARENA_OBSERVER_H
#define PPTARENA_OBSERVER_H

#include <stdint.h>

#define OBSERVER_MAGIC 0x53424f50u /* "POBS" */
#define OBSERVER_VERSION 2u

enum observer_request_kind {
    OBSERVER_REST = 1, /* the clock may have moved: go on, then answer. limit_a: idle turns */
    OBSERVER_PEEK = 2, /* the same without going on: has anything come meanwhile? */
    OBSERVER_TREE = 3, /* limit_a nodes, limit_b levels, limit_c milliseconds */
    OBSERVER_PAINT = 4, /* draw what was put off, then answer. limit_a: idle turns */
};

struct observer_request {
    uint32_t magic;
    uint16_t version, kind;
    uint32_t limit_a, limit_b, limit_c, reserved;
};

enum observer_flags {
    OBSERVER_ENDLESS = 1, /* it always has something to do; it waits for the next request */
    OBSERVER_NODES = 2,   /* the tree was cut at the bound of nodes, of levels, of time, of bytes */
    OBSERVER_LEVELS = 4,
    OBSERVER_TIME = 8,
    OBSERVER_BYTES = 16,
};

struct observer_reply {
    uint32_t magic;
    uint16_t version, kind;
    uint32_t flags;
    uint32_t length;  /* bytes that follow: the nodes of a tree, parents before children */
    int64_t now_ns;   /* by the application's clock */
    int64_t next_ns;  /* when its next timer is due, or CLOCK_NEVER */
    uint64_t turns;   /* how often something came in since the last reply */
    uint64_t drawings; /* how often GTK wanted to draw something since then */
};

/* A node, level by level; its name, text and description follow, without a zero byte. */
struct observer_node {
    int32_t parent; /* place in the reply, -1 for a window */
    uint16_t role;  /* AtspiRole */
    uint16_t flags; /* 1: drawn by GTK, not by the application itself */
    uint64_t states; /* a bit for each AtspiStateType */
    int32_t left, top, width, height;
    uint32_t name_bytes, text_bytes, description_bytes, reserved;
};

#endif
