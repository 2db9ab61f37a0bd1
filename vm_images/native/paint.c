/* GTK's windows are drawn when somebody looks, not at each of its pictures.
 *
 * GTK draws what has changed up to 60 times a second of its clock, so that one step of an agent draws
 * a large part of the window four or five times: toolbar, status bar, slide and side bar change one
 * after the other. Nobody sees any but the last. So an expose event, which GDK makes of what has
 * changed since the last picture, is put off and its region is kept; GTK gets one with all of that
 * when the guest asks for it, before it takes the screenshot. Sizes and places are worked out as ever.
 */
#include "paint.h"

#include <gtk/gtk.h>

#define MOST_WINDOWS 256u /* that wait; the desktop's bounds allow no more in one step by far */

struct unpainted {
    GdkWindow *window;
    cairo_region_t *region;
};

static GArray *waiting; /* of struct unpainted, in the order in which they came: it is the same
                         * everywhere, and so is what follows from the drawing */
static gboolean at_once; /* while that is drawn, or for good */
static uint64_t put_off;

static struct unpainted *find(GdkWindow *window)
{
    for (guint i = 0; i < waiting->len; i++)
        if (g_array_index(waiting, struct unpainted, i).window == window)
            return &g_array_index(waiting, struct unpainted, i);
    return NULL;
}

static gboolean keep(const GdkEventExpose *event)
{
    struct unpainted *found = find(event->window);
    put_off++;
    if (found)
        return cairo_region_union(found->region, event->region) == CAIRO_STATUS_SUCCESS;
    if (waiting->len >= MOST_WINDOWS)
        return FALSE;
    struct unpainted one = {g_object_ref(event->window), cairo_region_copy(event->region)};
    g_array_append_val(waiting, one);
    return TRUE;
}

static void handle(GdkEvent *event, gpointer data G_GNUC_UNUSED)
{
    gboolean later = event->type == GDK_EXPOSE && !at_once && event->expose.region &&
                     gdk_window_get_window_type(event->expose.window) != GDK_WINDOW_OFFSCREEN;
    if (!later || !keep(&event->expose))
        gtk_main_do_event(event);
}

static void paint(struct unpainted *one)
{
    if (gdk_window_is_destroyed(one->window) || !gdk_window_is_visible(one->window)) {
        cairo_region_destroy(one->region);
        g_object_unref(one->window);
        return;
    }
    GdkEvent *event = gdk_event_new(GDK_EXPOSE); /* frees both with it */
    event->expose.window = one->window;
    event->expose.region = one->region;
    cairo_region_get_extents(one->region, &event->expose.area);
    gtk_main_do_event(event);
    gdk_event_free(event);
}

void paint_when_asked(void)
{
    if (waiting)
        return;
    waiting = g_array_new(FALSE, FALSE, sizeof(struct unpainted));
    gdk_event_handler_set(handle, NULL, NULL);
}

void paint_now(void)
{
    if (!waiting || at_once)
        return;
    GArray *now = waiting;
    waiting = g_array_new(FALSE, FALSE, sizeof(struct unpainted));
    at_once = TRUE;
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS /* the application's own lock, which its events are given with */
    gdk_threads_enter();
    for (guint i = 0; i < now->len; i++)
        paint(&g_array_index(now, struct unpainted, i));
    gdk_threads_leave();
    G_GNUC_END_IGNORE_DEPRECATIONS
    at_once = FALSE;
    g_array_unref(now);
}

void paint_at_once(void)
{
    paint_now();
    at_once = TRUE;
}

uint64_t paint_put_off(void)
{
    uint64_t count = put_off;
    put_off = 0;
    return count;
}
