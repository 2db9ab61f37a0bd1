/* A GTK 3 module that knows when its application rests (GTK_MODULES=/path/to/observer.so).
 *
 * It stands in the place of the poll function of GLib's main loop. There, nothing readable and no
 * timer due means that the application has taken in all that came and has nothing to do. It then
 * says so to the guest program, if asked, and sleeps until something comes in, or the guest has
 * moved the clock on. No timer fires unless the guest lets time pass: with clock.so, the
 * time-out that GLib gives never runs out by itself.
 *
 * The socket is one end of a pair that the guest made and handed to this program alone
 * (PPTARENA_OBSERVER names the descriptor): there is nothing that others could connect to.
 */
#define _GNU_SOURCE
#include "observer.h"

#include "clock.h"
#include "paint.h"
#include "walk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gdk/gdkx.h>
#include <gtk/gtk.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 512
#define MOST_NODES 10000u
#define MOST_LEVELS 128u
#define ENDLESS_TURNS 1000u
#define MANAGER_SEC 5 /* of real time; it answers within a millisecond */
#define MILLISECOND_NS INT64_C(1000000)

static GPollFunc original;
static int guest = -1;
static uint64_t turns;      /* something came in, since the last reply */
static gboolean windows_changed; /* one came or went, since the last reply */
static uint32_t idle_turns; /* rounds of the loop without a pause, since the last reply */
static struct observer_request asked; /* kind 0: nothing is */
static gboolean to_paint; /* before it is answered */

static int64_t (*clock_now)(void);
static int64_t (*clock_next)(void);
static void (*clock_moved)(void);

/* Without clock.so: the application then runs in real time, and everything else is the same. */
static int64_t real_now(void)
{
    return g_get_monotonic_time() * 1000;
}

static int64_t no_next(void)
{
    return CLOCK_NEVER;
}

static void not_moved(void)
{
}

static void hang_up(void)
{
    close(guest);
    guest = -1;
    to_paint = TRUE; /* nobody asks any more */
}

static void send_all(const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0 && guest >= 0) {
        ssize_t sent = send(guest, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            hang_up();
            return;
        }
        at += sent;
        bytes -= (size_t)sent;
    }
}

static void reply(int64_t next_ns, uint32_t flags, const GByteArray *nodes)
{
    struct observer_reply head = {
        .magic = OBSERVER_MAGIC,
        .version = OBSERVER_VERSION,
        .kind = asked.kind,
        .flags = flags,
        .length = nodes ? nodes->len : 0,
        .now_ns = clock_now(),
        .next_ns = next_ns,
        .turns = turns,
        .drawings = paint_put_off(),
    };
    asked.kind = 0;
    turns = 0;
    windows_changed = FALSE;
    idle_turns = 0;
    send_all(&head, sizeof head);
    if (nodes)
        send_all(nodes->data, nodes->len);
}

static void reply_tree(int64_t next_ns)
{
    GByteArray *nodes = g_byte_array_sized_new(1 << 16);
    struct walk_limits limits = {
        MIN(asked.limit_a, MOST_NODES), MIN(asked.limit_b, MOST_LEVELS), asked.limit_c};
    uint32_t flags = walk_tree(nodes, &limits);
    reply(next_ns, flags, nodes);
    g_byte_array_unref(nodes);
}

/* Read a request that is there; whoever says something else is not listened to any more. */
static void take_request(void)
{
    ssize_t got = recv(guest, &asked, sizeof asked, MSG_WAITALL);
    if (got != (ssize_t)sizeof asked || asked.magic != OBSERVER_MAGIC ||
        asked.version != OBSERVER_VERSION || asked.kind < OBSERVER_REST ||
        asked.kind > OBSERVER_PAINT) {
        asked.kind = 0;
        hang_up();
    } else if (asked.kind == OBSERVER_REST) {
        clock_moved();
    }
    to_paint |= asked.kind == OBSERVER_PAINT;
}

/* Wait for the loop's own descriptors or the guest; returns how many of the former are ready. */
static gint wait_with_guest(GPollFD *fds, guint count, gint limit_ms, gboolean *guest_ready)
{
    GPollFD all[MOST_DESCRIPTORS + 1];
    if (count)
        memcpy(all, fds, count * sizeof *fds);
    all[count] = (GPollFD){guest, G_IO_IN, 0};
    gint ready = original(all, count + 1, limit_ms);
    *guest_ready = ready > 0 && all[count].revents != 0;
    for (guint i = 0; i < count; i++)
        fds[i].revents = ready > 0 ? all[i].revents : 0;
    return ready > 0 ? ready - *guest_ready : ready;
}

static int64_t next_moment(gint limit_ms)
{
    int64_t waits = clock_next();
    if (limit_ms < 0)
        return waits;
    return MIN(waits, clock_now() + limit_ms * MILLISECOND_NS);
}

/* Sleep until something comes in or the guest lets the loop go on; what it asks is answered. */
static gint hold(GPollFD *fds, guint count)
{
    for (;;) {
        gboolean guest_ready = FALSE;
        gint ready = guest < 0 ? original(fds, count, 0)
                               : wait_with_guest(fds, count, -1, &guest_ready);
        if (guest_ready)
            take_request();
        if (ready != 0 || asked.kind == OBSERVER_REST || to_paint)
            return ready;
        if (asked.kind == OBSERVER_TREE)
            reply_tree(clock_now());
        else if (asked.kind)
            reply(clock_now(), OBSERVER_ENDLESS, NULL);
    }
}

/* The loop has something to do at once. That is no rest; but one that has for ever, without any
 * time passing, is stopped here when the guest asks, until it asks again. */
static gint turn_again(GPollFD *fds, guint count)
{
    if (idle_turns < UINT32_MAX)
        idle_turns++;
    if (!asked.kind) {
        gboolean guest_ready = FALSE;
        gint ready = wait_with_guest(fds, count, 0, &guest_ready);
        if (guest_ready)
            take_request();
        if (ready != 0)
            return ready;
    }
    gboolean bounded = asked.kind == OBSERVER_REST || asked.kind == OBSERVER_PAINT;
    uint32_t most = bounded ? MAX(asked.limit_a, 1) : ENDLESS_TURNS;
    if (!asked.kind || to_paint || idle_turns < most)
        return 0;
    if (asked.kind == OBSERVER_TREE)
        reply_tree(clock_now());
    else
        reply(clock_now(), OBSERVER_ENDLESS, NULL);
    return hold(fds, count);
}

static gint rest(GPollFD *fds, guint count, gint limit_ms)
{
    for (;;) {
        if (to_paint)
            return 0; /* the loop asks its sources, one of which draws, and comes back */
        if (asked.kind == OBSERVER_TREE) {
            reply_tree(next_moment(limit_ms));
            return 0; /* the walk may have given the loop something to do */
        }
        if (asked.kind) {
            reply(next_moment(limit_ms), 0, NULL);
            continue; /* nobody may be there any more */
        }
        gboolean guest_ready = FALSE;
        gint ready = wait_with_guest(fds, count, -1, &guest_ready);
        if (guest_ready)
            take_request();
        if (ready != 0) { /* what came goes first; the answer waits for the next rest */
            turns += ready > 0;
            return ready;
        }
        if (asked.kind == OBSERVER_REST)
            return 0; /* the loop looks at its timers again, and comes back */
    }
}

static gint watching_poll(GPollFD *fds, guint count, gint limit_ms)
{
    if (guest < 0 || count > MOST_DESCRIPTORS)
        return original(fds, count, limit_ms);
    gint ready = original(fds, count, 0);
    if (ready != 0) {
        turns += ready > 0;
        return ready;
    }
    if (limit_ms == 0)
        return turn_again(fds, count);
    return rest(fds, count, limit_ms);
}

static gboolean readable(int descriptor)
{
    /* Not by poll, which clock.so makes wait for the desktop's time: that stands still meanwhile. */
    struct pollfd waits = {descriptor, POLLIN, 0};
    struct timespec limit = {MANAGER_SEC, 0};
    long ready;
    do
        ready = syscall(SYS_ppoll, &waits, 1, &limit, NULL, 0);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

static gboolean has_answered(Display *own, Window window, Atom answer)
{
    while (XPending(own)) {
        XEvent event;
        XNextEvent(own, &event);
        if (event.type == PropertyNotify && event.xproperty.window == window &&
            event.xproperty.atom == answer)
            return TRUE;
    }
    return FALSE;
}

/* Let the window manager take in all that it was sent: it answers in that order. The question is how
 * wide the frame of a window would be, which it answers for windows, too, that it does not manage. A
 * connection of its own, so that the application never meets the answer. */
static void hear_manager(void)
{
    static Display *own;
    static Atom question, answer;
    static gboolean gone;
    if (gone)
        return;
    if (!own) {
        own = XOpenDisplay(NULL);
        gone = !own;
        if (gone)
            return;
        question = XInternAtom(own, "_NET_REQUEST_FRAME_EXTENTS", False);
        answer = XInternAtom(own, "_NET_FRAME_EXTENTS", False);
    }
    XWindowAttributes root;
    if (!XGetWindowAttributes(own, DefaultRootWindow(own), &root) ||
        !(root.all_event_masks & SubstructureRedirectMask))
        return; /* there is none, or not any more */
    /* A new one each time: an answer that comes twice is none to the next question. */
    Window window = XCreateSimpleWindow(own, DefaultRootWindow(own), -1, -1, 1, 1, 0, 0, 0);
    XSelectInput(own, window, PropertyChangeMask);
    XEvent event = {.xclient = {.type = ClientMessage, .window = window, .message_type = question,
                                .format = 32}};
    XSendEvent(own, DefaultRootWindow(own), False, SubstructureNotifyMask | SubstructureRedirectMask,
               &event);
    while (!has_answered(own, window, answer)) {
        if (!readable(ConnectionNumber(own))) {
            gone = TRUE; /* it hangs; better by chance than not at all */
            break;
        }
    }
    XDestroyWindow(own, window);
    XFlush(own);
}

static gboolean window_came_or_went(GSignalInvocationHint *hint G_GNUC_UNUSED, guint count,
                                    const GValue *values, gpointer data G_GNUC_UNUSED)
{
    if (count > 0 && GTK_IS_WINDOW(g_value_peek_pointer(&values[0])))
        windows_changed = TRUE;
    return TRUE;
}

static void watch_windows(void)
{
    gpointer widgets = g_type_class_ref(GTK_TYPE_WIDGET); /* or there are no signals yet */
    g_signal_add_emission_hook(g_signal_lookup("map", GTK_TYPE_WIDGET), 0, window_came_or_went, NULL,
                               NULL);
    g_signal_add_emission_hook(g_signal_lookup("unmap", GTK_TYPE_WIDGET), 0, window_came_or_went,
                               NULL, NULL);
    g_type_class_unref(widgets);
}

/* Before the loop looks what there is to do, the X server has answered all that it was asked for:
 * the events that follow from a request are then always met in the same round. Else it is chance
 * whether the pointer has entered a new window before or after what the loop does by itself, and
 * with it whether a tooltip comes. One round trip, and only after something was asked for. Where a
 * window came or went, the window manager has its part in it, and is heard out, too. */
static gboolean hear_server(GSource *source G_GNUC_UNUSED, gint *limit_ms)
{
    static unsigned long heard;
    GdkDisplay *display = gdk_display_get_default();
    *limit_ms = -1;
    if (display && GDK_IS_X11_DISPLAY(display)) {
        Display *server = gdk_x11_display_get_xdisplay(display);
        if (NextRequest(server) != heard) {
            XSync(server, False);
            if (windows_changed) {
                hear_manager();
                XSync(server, False);
            }
            heard = NextRequest(server);
        }
    }
    return FALSE;
}

static gboolean is_to_paint(GSource *source G_GNUC_UNUSED)
{
    return to_paint;
}

static gboolean draw(GSource *source G_GNUC_UNUSED, GSourceFunc call G_GNUC_UNUSED,
                     gpointer data G_GNUC_UNUSED)
{
    to_paint = FALSE;
    if (guest < 0)
        paint_at_once();
    else
        paint_now();
    return G_SOURCE_CONTINUE;
}

static void hear_server_first(void)
{
    static GSourceFuncs kind = {.prepare = hear_server, .check = is_to_paint, .dispatch = draw};
    GSource *source = g_source_new(&kind, sizeof *source);
    g_source_set_priority(source, G_MININT); /* sources are prepared in this order */
    g_source_attach(source, NULL);
    g_source_unref(source);
}

static int inherited_socket(void)
{
    const char *number = getenv("PPTARENA_OBSERVER");
    char *end = NULL;
    long descriptor = number ? strtol(number, &end, 10) : -1;
    int kind = 0;
    socklen_t size = sizeof kind;
    if (descriptor < 3 || descriptor > INT16_MAX || *end ||
        getsockopt((int)descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 ||
        kind != SOCK_STREAM || fcntl((int)descriptor, F_SETFD, FD_CLOEXEC) != 0)
        return -1;
    unsetenv("PPTARENA_OBSERVER"); /* no program that this one starts is to look for it */
    return (int)descriptor;
}

static void *symbol_or(const char *name, void *otherwise)
{
    void *found = dlsym(RTLD_DEFAULT, name);
    return found ? found : otherwise;
}

void gtk_module_init(gint *argc, gchar ***argv);

void gtk_module_init(gint *argc G_GNUC_UNUSED, gchar ***argv G_GNUC_UNUSED)
{
    if (guest >= 0 || (guest = inherited_socket()) < 0)
        return;
    clock_now = symbol_or("pptarena_clock_now", real_now);
    clock_next = symbol_or("pptarena_clock_next", no_next);
    clock_moved = symbol_or("pptarena_clock_moved", not_moved);
    original = g_main_context_get_poll_func(NULL);
    g_main_context_set_poll_func(NULL, watching_poll);
    watch_windows();
    hear_server_first();
    paint_when_asked();
}
