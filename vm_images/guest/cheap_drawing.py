"""Environment variables that reduce the application's drawing work without changing a pixel."""

from pptarena.vm_images.guest.clock import NATIVE

__all__ = ["cheap_drawing"]


def cheap_drawing(environment: dict[str, str]) -> dict[str, str]:
    """Return an application's environment with the variables for inexpensive drawing.

    GTK draws in the application's memory and sends images to the X server. By default it sends
    every line and glyph for the server to draw, and reads the result back. ``style.so`` caches
    GTK's styles (``vm_images/native/style.c``).

    Args:
        environment: The environment of the application's clock, whose library is preloaded first.
    """
    return environment | {
        "GDK_RENDERING": "image",
        "LD_PRELOAD": f"{environment['LD_PRELOAD']}:{NATIVE / 'style.so'}",
    }
