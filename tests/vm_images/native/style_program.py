"""Runs inside the image: GTK's styles, drawn as LibreOffice does, with ``style.so`` or without.

Prints the states of a hidden widget, as reported to the program and as set in GTK, and a hash of
the drawing.
"""

import ctypes
import hashlib
import json
import os
import subprocess
import sys

LTR, INSENSITIVE = 1 << 7, 1 << 3
SIZE_PX = 40


def draw() -> dict[str, object]:
    """Draw separators of an invisible tool bar, in two states."""
    # GTK without the replacements of style.so.
    libgtk = ctypes.CDLL("libgtk-3.so.0", mode=ctypes.RTLD_GLOBAL)
    gtk, cairo = ctypes.CDLL(None), ctypes.CDLL("libcairo.so.2")  # as linked by a program
    libgtk.gtk_init(None, None)
    for name in ("toolbar", "separator_tool_item", "button"):
        getattr(libgtk, f"gtk_{name}_new").restype = ctypes.c_void_p
    for name in ("gtk_widget_get_style_context", "gtk_style_context_get_parent"):
        getattr(gtk, name).restype = ctypes.c_void_p
    cairo.cairo_image_surface_create.restype = cairo.cairo_create.restype = ctypes.c_void_p
    cairo.cairo_image_surface_get_data.restype = ctypes.c_void_p
    libgtk.gtk_window_new.restype = ctypes.c_void_p
    window, bar = (ctypes.c_void_p(x) for x in (libgtk.gtk_window_new(0), libgtk.gtk_toolbar_new()))
    line, button = (
        ctypes.c_void_p(x) for x in (libgtk.gtk_separator_tool_item_new(), libgtk.gtk_button_new())
    )
    libgtk.gtk_container_add(window, bar)
    for widget in (line, button):
        libgtk.gtk_container_add(bar, widget)
    surface = ctypes.c_void_p(cairo.cairo_image_surface_create(0, SIZE_PX, SIZE_PX))
    canvas = ctypes.c_void_p(cairo.cairo_create(surface))
    reported, actual = [], []
    for number, (widget, state) in enumerate(
        [(line, LTR | INSENSITIVE), (line, LTR | INSENSITIVE), (button, LTR), (line, LTR)]
    ):
        chain = [ctypes.c_void_p(gtk.gtk_widget_get_style_context(widget))]
        while parent := gtk.gtk_style_context_get_parent(chain[-1]):
            chain.append(ctypes.c_void_p(parent))
        before = [gtk.gtk_style_context_get_state(style) for style in chain]
        for style in chain:
            gtk.gtk_style_context_set_state(style, state)
        box = [ctypes.c_double(x) for x in (8 * number, 2, 7, 30)]
        gtk.gtk_render_background(chain[0], canvas, *box)
        gtk.gtk_render_frame(chain[0], canvas, *box)
        reported.append(gtk.gtk_style_context_get_state(chain[0]))
        for style, old in zip(chain, before, strict=True):
            gtk.gtk_style_context_set_state(style, old)
        reported.append(gtk.gtk_style_context_get_state(chain[0]))
        actual.append(libgtk.gtk_style_context_get_state(chain[0]))
    cairo.cairo_surface_flush(surface)
    data = ctypes.string_at(cairo.cairo_image_surface_get_data(surface), SIZE_PX * SIZE_PX * 4)
    return {
        **{"reported": reported, "actual": actual, "drawn": hashlib.sha256(data).hexdigest()},
        "blank": not any(data),
    }


def compare() -> dict[str, object]:
    """Start a screen, and run the program on it with and without ``style.so``."""
    read_end, write_end = os.pipe()
    screen = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "640x480x24"]
    subprocess.Popen(screen, pass_fds=(write_end,), stderr=subprocess.DEVNULL)
    environment = os.environ | {"DISPLAY": ":" + os.read(read_end, 16).decode().strip()}
    results = {}
    for name, more in (("with", {"LD_PRELOAD": "/usr/lib/pptarena/style.so"}), ("without", {})):
        result = subprocess.run(
            [sys.executable, __file__, "draw"],
            env=environment | more,
            stdout=subprocess.PIPE,
            check=True,
        )
        results[name] = json.loads(result.stdout)
    return results


if __name__ == "__main__":
    sys.stdout.write(json.dumps(draw() if sys.argv[1] == "draw" else compare()))
