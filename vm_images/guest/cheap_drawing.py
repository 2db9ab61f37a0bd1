"""What makes the application draw with less work, and the same pixels."""

from pptarena.vm_images.guest.clock import NATIVE

__all__ = ["cheap_drawing"]


def cheap_drawing(environment: dict[str, str]) -> dict[str, str]:
    """Return an application's environment with what it needs to draw cheaply.

    GTK draws in the application's own memory and sends the X server pictures. By default it sends
    each line and letter, which the server draws, and asks for what it has drawn. ``style.so`` keeps
    GTK's styles (``vm_images/native/style.c``).

    Args:
        environment: That of its clock, with the library that has to come first.
    """
    return environment | {
        "GDK_RENDERING": "image",
        "LD_PRELOAD": f"{environment['LD_PRELOAD']}:{NATIVE / 'style.so'}",
    }
