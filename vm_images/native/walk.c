/* The nodes that show, level by level, as the guest's reader over D-Bus collects them: the same
 * nodes in the same order, so that both give the same tree (guest/tree.py says why what is left
 * out is left out). Numbers of roles and states are those of AT-SPI. */
#include "walk.h"

#include "observer.h"

#include <atk/atk.h>
#include <atspi/atspi-constants.h>
#include <gtk/gtk-a11y.h>
#include <gtk/gtk.h>
#include <string.h>

#define MOST_BYTES (8u << 20)
#define MOST_TEXT_BYTES 16384u
#define MOST_IN_LEVEL 65536u
#define MOST_IN_TABLE 65536 /* more cells has only a sheet, most of them out of sight and empty */
#define MOST_CELLS 1500 /* of a sheet that are looked at */

#define SAME(name) [ATK_ROLE_##name] = ATSPI_ROLE_##name
static const guint16 roles[] = {
    SAME(INVALID), SAME(ALERT), SAME(ANIMATION), SAME(ARROW), SAME(CALENDAR), SAME(CANVAS),
    SAME(CHECK_BOX), SAME(CHECK_MENU_ITEM), SAME(COLOR_CHOOSER), SAME(COLUMN_HEADER),
    SAME(COMBO_BOX), SAME(DATE_EDITOR), SAME(DESKTOP_ICON), SAME(DESKTOP_FRAME), SAME(DIAL),
    SAME(DIALOG), SAME(DIRECTORY_PANE), SAME(DRAWING_AREA), SAME(FILE_CHOOSER), SAME(FILLER),
    SAME(FONT_CHOOSER), SAME(FRAME), SAME(GLASS_PANE), SAME(HTML_CONTAINER), SAME(ICON),
    SAME(IMAGE), SAME(INTERNAL_FRAME), SAME(LABEL), SAME(LAYERED_PANE), SAME(LIST),
    SAME(LIST_ITEM), SAME(MENU), SAME(MENU_BAR), SAME(MENU_ITEM), SAME(OPTION_PANE),
    SAME(PAGE_TAB), SAME(PAGE_TAB_LIST), SAME(PANEL), SAME(PASSWORD_TEXT), SAME(POPUP_MENU),
    SAME(PROGRESS_BAR), SAME(BUTTON), SAME(RADIO_BUTTON), SAME(RADIO_MENU_ITEM), SAME(ROOT_PANE),
    SAME(ROW_HEADER), SAME(SCROLL_BAR), SAME(SCROLL_PANE), SAME(SEPARATOR), SAME(SLIDER),
    SAME(SPLIT_PANE), SAME(SPIN_BUTTON), SAME(TABLE), SAME(TABLE_CELL), SAME(TABLE_COLUMN_HEADER),
    SAME(TABLE_ROW_HEADER), SAME(TERMINAL), SAME(TEXT), SAME(TOGGLE_BUTTON), SAME(TOOL_BAR),
    SAME(TOOL_TIP), SAME(TREE), SAME(TREE_TABLE), SAME(UNKNOWN), SAME(VIEWPORT), SAME(WINDOW),
    SAME(HEADER), SAME(FOOTER), SAME(PARAGRAPH), SAME(RULER), SAME(APPLICATION),
    SAME(AUTOCOMPLETE), SAME(EDITBAR), SAME(EMBEDDED), SAME(ENTRY), SAME(CHART), SAME(CAPTION),
    SAME(DOCUMENT_FRAME), SAME(HEADING), SAME(PAGE), SAME(SECTION), SAME(REDUNDANT_OBJECT),
    SAME(FORM), SAME(LINK), SAME(INPUT_METHOD_WINDOW), SAME(TABLE_ROW), SAME(TREE_ITEM),
    SAME(DOCUMENT_SPREADSHEET), SAME(DOCUMENT_PRESENTATION), SAME(DOCUMENT_TEXT),
    SAME(DOCUMENT_WEB), SAME(DOCUMENT_EMAIL), SAME(COMMENT), SAME(LIST_BOX), SAME(GROUPING),
    SAME(IMAGE_MAP), SAME(NOTIFICATION), SAME(INFO_BAR), SAME(LEVEL_BAR), SAME(TITLE_BAR),
    SAME(BLOCK_QUOTE), SAME(AUDIO), SAME(VIDEO), SAME(DEFINITION), SAME(ARTICLE), SAME(LANDMARK),
    SAME(LOG), SAME(MARQUEE), SAME(MATH), SAME(RATING), SAME(TIMER), SAME(DESCRIPTION_LIST),
    SAME(DESCRIPTION_TERM), SAME(DESCRIPTION_VALUE), SAME(STATIC), SAME(MATH_FRACTION),
    SAME(MATH_ROOT), SAME(SUBSCRIPT), SAME(SUPERSCRIPT), SAME(FOOTNOTE), SAME(CONTENT_DELETION),
    SAME(CONTENT_INSERTION), SAME(MARK), SAME(SUGGESTION), SAME(PUSH_BUTTON_MENU), SAME(SWITCH),
    [ATK_ROLE_ACCEL_LABEL] = ATSPI_ROLE_ACCELERATOR_LABEL,
    [ATK_ROLE_STATUSBAR] = ATSPI_ROLE_STATUS_BAR,
    [ATK_ROLE_TEAR_OFF_MENU_ITEM] = ATSPI_ROLE_TEAROFF_MENU_ITEM,
};
#undef SAME

#define SAME(name) [ATK_STATE_##name] = ATSPI_STATE_##name
static const guint8 states[ATK_STATE_LAST_DEFINED] = {
    SAME(ACTIVE), SAME(ARMED), SAME(BUSY), SAME(CHECKED), SAME(DEFUNCT), SAME(EDITABLE),
    SAME(ENABLED), SAME(EXPANDABLE), SAME(EXPANDED), SAME(FOCUSABLE), SAME(FOCUSED),
    SAME(HORIZONTAL), SAME(ICONIFIED), SAME(MODAL), SAME(MULTI_LINE), SAME(MULTISELECTABLE),
    SAME(OPAQUE), SAME(PRESSED), SAME(RESIZABLE), SAME(SELECTABLE), SAME(SELECTED),
    SAME(SENSITIVE), SAME(SHOWING), SAME(SINGLE_LINE), SAME(STALE), SAME(TRANSIENT),
    SAME(VERTICAL), SAME(VISIBLE), SAME(MANAGES_DESCENDANTS), SAME(INDETERMINATE),
    SAME(TRUNCATED), SAME(REQUIRED), SAME(INVALID_ENTRY), SAME(SUPPORTS_AUTOCOMPLETION),
    SAME(SELECTABLE_TEXT), SAME(ANIMATED), SAME(VISITED), SAME(CHECKABLE), SAME(HAS_POPUP),
    SAME(HAS_TOOLTIP), SAME(READ_ONLY), SAME(COLLAPSED),
    [ATK_STATE_DEFAULT] = ATSPI_STATE_IS_DEFAULT,
};
#undef SAME

#define BIT(number) (UINT64_C(1) << (number))

struct place {
    AtkObject *object; /* held */
    gint32 parent;
    gboolean in_sheet;
};

struct walk {
    GByteArray *out;
    GArray *roles;    /* of the nodes in `out` */
    GHashTable *seen;    /* objects that were met, held */
    GHashTable *origins; /* of windows on the screen, asked of the X server once a walk */
    uint32_t flags;
    uint32_t left_out; /* what was cut without an end of the walk */
    gint64 end_us;
};

static guint16 role_of(AtkObject *object)
{
    AtkRole role = atk_object_get_role(object);
    return role < G_N_ELEMENTS(roles) ? roles[role] : ATSPI_ROLE_EXTENDED;
}

static guint64 states_of(AtkObject *object)
{
    guint64 found = 0;
    AtkStateSet *set = atk_object_ref_state_set(object);
    if (!set)
        return 0;
    for (guint state = 1; state < ATK_STATE_LAST_DEFINED; state++)
        if (atk_state_set_contains_state(set, state))
            found |= BIT(states[state]);
    g_object_unref(set);
    return found;
}

static gboolean shows(AtkObject *object)
{
    AtkStateSet *set = atk_object_ref_state_set(object);
    gboolean found = set && atk_state_set_contains_state(set, ATK_STATE_SHOWING);
    g_clear_object(&set);
    return found;
}

static gboolean is_childless(guint16 role)
{
    switch (role) {
    case ATSPI_ROLE_BUTTON:
    case ATSPI_ROLE_TOGGLE_BUTTON:
    case ATSPI_ROLE_CHECK_BOX:
    case ATSPI_ROLE_RADIO_BUTTON:
    case ATSPI_ROLE_LABEL:
    case ATSPI_ROLE_ICON:
    case ATSPI_ROLE_IMAGE:
    case ATSPI_ROLE_MENU_ITEM:
    case ATSPI_ROLE_CHECK_MENU_ITEM:
    case ATSPI_ROLE_RADIO_MENU_ITEM:
    case ATSPI_ROLE_SCROLL_BAR:
    case ATSPI_ROLE_SLIDER:
    case ATSPI_ROLE_PARAGRAPH:
        return TRUE;
    default:
        return FALSE;
    }
}

static gboolean has_text(guint16 role)
{
    switch (role) {
    case ATSPI_ROLE_TEXT:
    case ATSPI_ROLE_PARAGRAPH:
    case ATSPI_ROLE_ENTRY:
    case ATSPI_ROLE_SPIN_BUTTON:
    case ATSPI_ROLE_EDITBAR:
    case ATSPI_ROLE_PASSWORD_TEXT:
    case ATSPI_ROLE_HEADING:
        return TRUE;
    default:
        return FALSE;
    }
}

static gboolean is_named_by_tip(guint16 role)
{
    switch (role) {
    case ATSPI_ROLE_BUTTON:
    case ATSPI_ROLE_TOGGLE_BUTTON:
    case ATSPI_ROLE_COMBO_BOX:
    case ATSPI_ROLE_SPIN_BUTTON:
    case ATSPI_ROLE_CHECK_BOX:
    case ATSPI_ROLE_TEXT:
        return TRUE;
    default:
        return FALSE;
    }
}

/* The items of a menu count only when the first one shows: a closed menu bar holds hundreds. */
static gboolean is_closed_menu(AtkObject *object, guint16 role)
{
    if (role != ATSPI_ROLE_MENU)
        return FALSE;
    AtkObject *first = atk_object_ref_accessible_child(object, 0);
    gboolean closed = first && !shows(first);
    g_clear_object(&first);
    return closed;
}

static guint32 bounded_bytes(const char *text)
{
    if (!text)
        return 0;
    size_t bytes = strnlen(text, MOST_TEXT_BYTES + 1);
    if (bytes > MOST_TEXT_BYTES) { /* not in the middle of a character */
        bytes = MOST_TEXT_BYTES;
        while (bytes > 0 && ((guchar)text[bytes] & 0xc0) == 0x80)
            bytes--;
    }
    return (guint32)bytes;
}

struct origin {
    gint left, top;
};

/* Where a window begins on the screen. Only a window of its own in the X server is asked for. */
static struct origin origin_of(struct walk *walk, GdkWindow *window)
{
    struct origin *known = g_hash_table_lookup(walk->origins, window);
    if (known)
        return *known;
    struct origin found = {0, 0};
    GdkWindow *parent = gdk_window_get_parent(window);
    if (parent && !gdk_window_is_destroyed(window) && !gdk_window_has_native(window)) {
        gint left, top;
        gdk_window_get_position(window, &left, &top);
        found = origin_of(walk, parent);
        found.left += left;
        found.top += top;
    } else {
        gdk_window_get_origin(window, &found.left, &found.top);
    }
    g_hash_table_insert(walk->origins, window, g_memdup2(&found, sizeof found));
    return found;
}

/* Whether the toolkit says where an object lies. What the application draws itself is of the same
 * class, with a way of its own to say it. */
static gboolean is_of_toolkit(AtkObject *object)
{
    if (!GTK_IS_WIDGET_ACCESSIBLE(object))
        return FALSE;
    GTypeClass *toolkit = g_type_class_peek(GTK_TYPE_WIDGET_ACCESSIBLE);
    AtkComponentIface *usual = toolkit ? g_type_interface_peek(toolkit, ATK_TYPE_COMPONENT) : NULL;
    return usual && ATK_COMPONENT_GET_IFACE(object)->get_extents == usual->get_extents;
}

/* The widget that lies where its own allocation says, NULL if the object has its own way to tell.
 * The toolkit's answer is the same for a widget that shows, but costs a round trip to the X server
 * each: a third of all that the application computed in a step. */
static GtkWidget *plain_widget(AtkObject *object)
{
    if (!is_of_toolkit(object))
        return NULL;
    GtkWidget *widget = gtk_accessible_get_widget(GTK_ACCESSIBLE(object));
    return widget && gtk_widget_is_drawable(widget) ? widget : NULL;
}

static void put_box(struct walk *walk, AtkObject *object, struct observer_node *node)
{
    if (!ATK_IS_COMPONENT(object))
        return;
    GtkWidget *widget = plain_widget(object);
    GtkWidget *around = widget ? gtk_widget_get_parent(widget) : NULL;
    GdkWindow *window = around   ? gtk_widget_get_parent_window(widget)
                        : widget ? gtk_widget_get_window(widget)
                                 : NULL;
    if (!window) {
        atk_component_get_extents(ATK_COMPONENT(object), &node->left, &node->top, &node->width,
                                  &node->height, ATK_XY_SCREEN);
        return;
    }
    GtkAllocation box;
    gtk_widget_get_allocation(widget, &box);
    struct origin origin = origin_of(walk, window);
    node->left = origin.left + (around ? box.x : 0);
    node->top = origin.top + (around ? box.y : 0);
    node->width = box.width;
    node->height = box.height;
}

static void append_node(struct walk *walk, const struct place *at, guint16 role,
                        guint64 states_set)
{
    AtkObject *object = at->object;
    struct observer_node node = {.parent = at->parent, .role = role, .states = states_set};
    node.flags = is_of_toolkit(object) ? 1 : 0;
    put_box(walk, object, &node);
    const char *name = atk_object_get_name(object);
    node.name_bytes = bounded_bytes(name);
    char *text = (has_text(role) || at->in_sheet) && ATK_IS_TEXT(object)
                     ? atk_text_get_text(ATK_TEXT(object), 0, -1)
                     : NULL;
    node.text_bytes = bounded_bytes(text);
    const char *tip = !node.name_bytes && is_named_by_tip(role)
                          ? atk_object_get_description(object)
                          : NULL;
    node.description_bytes = bounded_bytes(tip);
    g_byte_array_append(walk->out, (const guint8 *)&node, sizeof node);
    if (node.name_bytes)
        g_byte_array_append(walk->out, (const guint8 *)name, node.name_bytes);
    if (node.text_bytes)
        g_byte_array_append(walk->out, (const guint8 *)text, node.text_bytes);
    if (node.description_bytes)
        g_byte_array_append(walk->out, (const guint8 *)tip, node.description_bytes);
    g_free(text);
    g_array_append_val(walk->roles, role);
}

static void append_child(struct walk *walk, struct place next, GArray *below)
{
    if (g_hash_table_add(walk->seen, g_object_ref(next.object)))
        g_array_append_val(below, next);
    else
        g_object_unref(next.object); /* the table has let its second hold go by itself */
}

/* A spreadsheet has millions of children. */
static gboolean is_sheet(AtkObject *object)
{
    if (!ATK_IS_TABLE(object) || !ATK_IS_COMPONENT(object))
        return FALSE;
    gint64 rows = atk_table_get_n_rows(ATK_TABLE(object));
    return rows * atk_table_get_n_columns(ATK_TABLE(object)) > MOST_IN_TABLE;
}

static gboolean is_focused(AtkObject *object)
{
    return states_of(object) & BIT(ATSPI_STATE_FOCUSED) ? TRUE : FALSE;
}

static gboolean is_empty(AtkObject *cell)
{
    return !ATK_IS_TEXT(cell) || atk_text_get_character_count(ATK_TEXT(cell)) == 0;
}

/* Row and column of the cell at a point of the screen. */
static gboolean cell_at(AtkObject *sheet, gint x, gint y, gint *row, gint *column)
{
    AtkObject *cell = atk_component_ref_accessible_at_point(ATK_COMPONENT(sheet), x, y,
                                                            ATK_XY_SCREEN);
    gboolean found = cell && ATK_IS_TABLE_CELL(cell) &&
                     atk_table_cell_get_position(ATK_TABLE_CELL(cell), row, column);
    g_clear_object(&cell);
    return found;
}

/* Of a sheet the cells that show and hold something, and the one with the cursor. Each cell is made
 * anew when it is asked for, a third of a millisecond: those out of sight are not asked. */
static void append_cells(struct walk *walk, AtkObject *sheet, gint32 place, GArray *below)
{
    AtkRectangle box;
    gint top, left, bottom, right, looks = 0;
    atk_component_get_extents(ATK_COMPONENT(sheet), &box.x, &box.y, &box.width, &box.height,
                              ATK_XY_SCREEN);
    if (!cell_at(sheet, box.x + 2, box.y + 2, &top, &left) ||
        !cell_at(sheet, box.x + box.width - 3, box.y + box.height - 3, &bottom, &right))
        return;
    for (gint row = top; row <= bottom; row++) {
        for (gint column = left; column <= right; column++) {
            AtkObject *cell = atk_table_ref_at(ATK_TABLE(sheet), row, column);
            if (!cell || ++looks > MOST_CELLS) {
                walk->left_out |= OBSERVER_NODES;
                g_clear_object(&cell);
                return;
            }
            gboolean unseen = !shows(cell);
            if (!unseen && (is_focused(cell) || !is_empty(cell)))
                append_child(walk, (struct place){g_object_ref(cell), place, TRUE}, below);
            g_object_unref(cell);
            if (unseen && column == left)
                break; /* a row that is filtered out */
        }
    }
}

static void append_children(struct walk *walk, AtkObject *object, gint32 place, GArray *below)
{
    if (is_sheet(object)) {
        append_cells(walk, object, place, below);
        return;
    }
    gint count = atk_object_get_n_accessible_children(object);
    for (gint i = 0; i < count; i++) {
        if (below->len >= MOST_IN_LEVEL) {
            walk->flags |= OBSERVER_NODES;
            return;
        }
        AtkObject *child = atk_object_ref_accessible_child(object, i);
        if (!child)
            continue;
        append_child(walk, (struct place){child, place, FALSE}, below);
    }
}

/* One level; what cuts the walk is set in `flags`. */
static void walk_level(struct walk *walk, GArray *level, GArray *below, guint most)
{
    for (guint i = 0; i < level->len && !walk->flags; i++) {
        struct place *at = &g_array_index(level, struct place, i);
        guint64 found = states_of(at->object);
        guint16 role = role_of(at->object);
        if (!(found & BIT(ATSPI_STATE_SHOWING)) || role == ATSPI_ROLE_SEPARATOR ||
            role == ATSPI_ROLE_REDUNDANT_OBJECT)
            continue;
        /* The toolkit's own menu bar stands beside this unseen twin. */
        if (role == ATSPI_ROLE_MENU_BAR && at->parent >= 0 &&
            g_array_index(walk->roles, guint16, at->parent) == ATSPI_ROLE_ROOT_PANE)
            continue;
        if (walk->roles->len >= most)
            walk->flags |= OBSERVER_NODES;
        else if (walk->out->len >= MOST_BYTES)
            walk->flags |= OBSERVER_BYTES;
        else if (g_get_monotonic_time() > walk->end_us)
            walk->flags |= OBSERVER_TIME;
        if (walk->flags)
            return;
        gint32 place = (gint32)walk->roles->len;
        append_node(walk, at, role, found);
        if (!is_childless(role) && !is_closed_menu(at->object, role))
            append_children(walk, at->object, place, below);
    }
}

static GArray *new_level(void)
{
    return g_array_new(FALSE, FALSE, sizeof(struct place));
}

static void free_level(GArray *level)
{
    for (guint i = 0; i < level->len; i++)
        g_object_unref(g_array_index(level, struct place, i).object);
    g_array_free(level, TRUE);
}

uint32_t walk_tree(GByteArray *out, const struct walk_limits *limits)
{
    struct walk walk = {
        .out = out,
        .roles = g_array_new(FALSE, FALSE, sizeof(guint16)),
        .seen = g_hash_table_new_full(NULL, NULL, g_object_unref, NULL),
        .origins = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .end_us = g_get_monotonic_time() + (gint64)limits->milliseconds * 1000,
    };
    GArray *level = new_level();
    AtkObject *root = atk_get_root();
    if (root)
        append_children(&walk, root, -1, level);
    for (guint depth = 0; level->len && !walk.flags; depth++) {
        if (depth == limits->levels) {
            walk.flags |= OBSERVER_LEVELS;
            break;
        }
        GArray *below = new_level();
        walk_level(&walk, level, below, limits->nodes);
        free_level(level);
        level = below;
    }
    free_level(level);
    g_hash_table_destroy(walk.seen);
    g_hash_table_destroy(walk.origins);
    g_array_free(walk.roles, TRUE);
    return walk.flags | walk.left_out;
}
