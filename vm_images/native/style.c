/* Drawing the application's own bars without working out their styles anew (for LD_PRELOAD).
 *
 * For what it draws by itself in the look of GTK (separators of the status bar, buttons of tool bars),
 * LibreOffice has styles of its own, some of them of hidden widgets. It sets the state of one and of
 * its parents, draws with it, and sets the state back, each time: GTK then throws the styles away and
 * works them out twice, a tenth of a millisecond for a line of one pixel, some fifty times a step. Here
 * the state of a style that nothing on the screen has is set only once somebody reads it, and so mostly
 * not at all: it is the same as for the line before. What is drawn is the same to the last pixel.
 *
 * This library needs no other, so that it can be loaded into any program; it calls GTK by name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gtk/gtk.h>

#define OWN "pptarena-own"       /* the application has made it: nothing on the screen has it */
#define WIDGET "pptarena-widget" /* of a style, as the application has asked for it */
#define STATE "pptarena-state"   /* wanted and not set yet, plus one: 0 is none */

#define REAL(name)                                                                                 \
    static __typeof__(&(name)) real;                                                               \
    if (!real)                                                                                     \
    real = (__typeof__(&(name)))dlsym(RTLD_NEXT, #name)

static gpointer noted(gpointer of, const char *name)
{
    REAL(g_object_get_data);
    return real(of, name);
}

static void note(gpointer of, const char *name, gpointer value)
{
    REAL(g_object_set_data);
    real(of, name, value);
}

static gboolean on_screen(GtkWidget *widget)
{
    REAL(gtk_widget_get_mapped);
    return real(widget);
}

static void set_now(GtkStyleContext *style, GtkStateFlags state)
{
    REAL(gtk_style_context_set_state);
    real(style, state);
}

static GtkWidget *parent_widget(GtkWidget *widget)
{
    REAL(gtk_widget_get_parent);
    return real(widget);
}

/* LibreOffice knows some styles only as the parents of others. */
GtkStyleContext *gtk_style_context_get_parent(GtkStyleContext *style)
{
    REAL(gtk_style_context_get_parent);
    GtkStyleContext *found = real(style);
    GtkWidget *widget = found ? noted(style, WIDGET) : NULL;
    if (widget && parent_widget(widget) && !noted(found, WIDGET))
        note(found, WIDGET, parent_widget(widget));
    return found;
}

/* A style depends on the states of all above it. */
static void set_wanted(GtkStyleContext *style)
{
    for (; style; style = gtk_style_context_get_parent(style)) {
        guint wanted = GPOINTER_TO_UINT(noted(style, STATE));
        if (wanted) {
            note(style, STATE, NULL);
            set_now(style, (GtkStateFlags)(wanted - 1));
        }
    }
}

GtkStyleContext *gtk_style_context_new(void)
{
    REAL(gtk_style_context_new);
    GtkStyleContext *style = real();
    note(style, OWN, style);
    return style;
}

GtkStyleContext *gtk_widget_get_style_context(GtkWidget *widget)
{
    REAL(gtk_widget_get_style_context);
    GtkStyleContext *style = real(widget);
    if (style && !noted(style, WIDGET))
        note(style, WIDGET, widget); /* a style of this kind goes with its widget */
    return style;
}

void gtk_style_context_set_state(GtkStyleContext *style, GtkStateFlags state)
{
    GtkWidget *widget = noted(style, WIDGET);
    if (noted(style, OWN) || (widget && !on_screen(widget))) {
        note(style, STATE, GUINT_TO_POINTER((guint)state + 1));
    } else {
        note(style, STATE, NULL);
        set_now(style, state);
    }
}

GtkStateFlags gtk_style_context_get_state(GtkStyleContext *style)
{
    REAL(gtk_style_context_get_state);
    guint wanted = GPOINTER_TO_UINT(noted(style, STATE));
    return wanted ? (GtkStateFlags)(wanted - 1) : real(style);
}

/* All by which LibreOffice's gtk3 plug-in reads a style. Its properties and named colours do not
 * depend on the state. */
#define READS(name, parameters, ...)                                                               \
    void name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        set_wanted(style);                                                                         \
        real(__VA_ARGS__);                                                                         \
    }
#define BOX (GtkStyleContext * style, cairo_t * on, double x, double y, double w, double h)

READS(gtk_render_background, BOX, style, on, x, y, w, h)
READS(gtk_render_frame, BOX, style, on, x, y, w, h)
READS(gtk_render_check, BOX, style, on, x, y, w, h)
READS(gtk_render_option, BOX, style, on, x, y, w, h)
READS(gtk_render_focus, BOX, style, on, x, y, w, h)
READS(gtk_render_expander, BOX, style, on, x, y, w, h)
READS(gtk_render_line, BOX, style, on, x, y, w, h)
READS(gtk_render_arrow, (GtkStyleContext * style, cairo_t *on, double angle, double x, double y, double size),
      style, on, angle, x, y, size)
READS(gtk_render_icon, (GtkStyleContext * style, cairo_t *on, GdkPixbuf *icon, double x, double y),
      style, on, icon, x, y)
READS(gtk_style_context_save, (GtkStyleContext * style), style)
READS(gtk_style_context_restore, (GtkStyleContext * style), style)
READS(gtk_style_context_get_color, (GtkStyleContext * style, GtkStateFlags state, GdkRGBA *found),
      style, state, found)
READS(gtk_style_context_get_border, (GtkStyleContext * style, GtkStateFlags state, GtkBorder *found),
      style, state, found)
READS(gtk_style_context_get_margin, (GtkStyleContext * style, GtkStateFlags state, GtkBorder *found),
      style, state, found)
READS(gtk_style_context_get_padding, (GtkStyleContext * style, GtkStateFlags state, GtkBorder *found),
      style, state, found)
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
READS(gtk_style_context_get_background_color,
      (GtkStyleContext * style, GtkStateFlags state, GdkRGBA *found), style, state, found)
G_GNUC_END_IGNORE_DEPRECATIONS

void gtk_style_context_get(GtkStyleContext *style, GtkStateFlags state, ...)
{
    REAL(gtk_style_context_get_valist);
    va_list names;
    va_start(names, state);
    set_wanted(style);
    real(style, state, names);
    va_end(names);
}

GdkPixbuf *gtk_icon_info_load_symbolic_for_context(GtkIconInfo *icon, GtkStyleContext *style,
                                                   gboolean *is_symbolic, GError **error)
{
    REAL(gtk_icon_info_load_symbolic_for_context);
    set_wanted(style);
    return real(icon, style, is_symbolic, error);
}
