"""Runs inside the image: a small GTK window, and the replies of the observer inside it.

``window_program.py window KIND`` opens the window; ``window_program.py watch KIND`` shows it on a
separate screen, moves its clock and queries the observer.
"""

import ctypes
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from pptarena.vm_images.guest.clock import SECOND_NS, Clock
from pptarena.vm_images.guest.errors import OfficeLostError
from pptarena.vm_images.guest.observer import NEVER_NS, IdleReply, Observer, parse_nodes
from pptarena.vm_images.guest.programs import DESCRIPTOR
from pptarena.vm_images.guest.screen import Screen
from pptarena.vm_images.guest.tree_shape import TreeLimits

PATIENCE_SEC = 20.0


def window(kind: str) -> None:
    """Show a label that changes after 300 ms, once more after a minute, or without end."""
    gtk = ctypes.CDLL("libgtk-3.so.0")
    gtk.gtk_window_new.restype = gtk.gtk_label_new.restype = ctypes.c_void_p
    gtk.gtk_init(None, None)
    top, label = gtk.gtk_window_new(0), gtk.gtk_label_new(b"new")
    gtk.gtk_container_add(ctypes.c_void_p(top), ctypes.c_void_p(label))
    gtk.gtk_widget_show_all(ctypes.c_void_p(top))

    def set_label(text: bytes) -> int:
        gtk.gtk_label_set_text(ctypes.c_void_p(label), text)
        return 0

    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    calls = [callback(lambda _: set_label(b"soon")), callback(lambda _: set_label(b"late"))]
    endless = callback(lambda _: 1)
    if kind == "endless":
        gtk.g_idle_add(endless, None)
    else:
        gtk.g_timeout_add(300, calls[0], None)
        gtk.g_timeout_add(60_000, calls[1], None)
    gtk.gtk_main()


def watch(kind: str) -> dict[str, object]:
    """Start screen and window and query the observer."""
    clock, observer = Clock(Path("/tmp/clock")), Observer()
    read_end, write_end = os.pipe()
    screen = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "640x480x24"]
    subprocess.Popen(screen, pass_fds=(write_end,), stderr=subprocess.DEVNULL)
    display = ":" + os.read(read_end, 16).decode().strip()
    with observer.new_connection() as (descriptor, module):
        module = {k: v.replace(DESCRIPTOR, str(descriptor)) for k, v in module.items()}
        child = subprocess.Popen(
            [sys.executable, __file__, "window", kind],
            env=os.environ | clock.environment() | module | {"DISPLAY": display},
            pass_fds=(descriptor,),
            stderr=subprocess.DEVNULL,
        )
    try:
        kinds = {
            "timers": timers,
            "endless": endless,
            "invalid_peer": invalid_peer,
            "pictures": pictures,
        }
        os.environ["DISPLAY"] = display
        return kinds[kind](clock, observer)
    finally:
        child.kill()


def wait_for_idle(observer: Observer) -> IdleReply:
    """Wait until the window is idle."""
    observer.request_idle()
    return answer(observer)


def peek(observer: Observer) -> IdleReply:
    """Ask for activity since the last idle state."""
    observer.request_peek()
    return answer(observer)


def answer(observer: Observer) -> IdleReply:
    """Wait for the answer."""
    reply = observer.wait_for_idle(PATIENCE_SEC)
    assert reply is not None
    return reply


def settled(clock: Clock, observer: Observer, end_ns: int) -> IdleReply:
    """Advance time from timer to timer, like the guest."""
    reply = wait_for_idle(observer)
    while True:
        time.sleep(0.02)  # for the X server, whose idle state is not checked here
        reply = wait_for_idle(observer) if peek(observer).turns else reply
        if reply.next_ns > end_ns:
            clock.move_to(end_ns)
            return reply
        clock.move_to(reply.next_ns)
        reply = wait_for_idle(observer)


def label(observer: Observer) -> str:
    """Return the label's text in the window's tree."""
    data, _ = observer.tree(TreeLimits(), time.monotonic() + PATIENCE_SEC)
    return next(node.name for node in parse_nodes(data) if node.name in ("new", "soon", "late"))


def timers(clock: Clock, observer: Observer) -> dict[str, object]:
    """The label changes with the window's clock, independent of wall-clock time."""
    settled(clock, observer, clock.now_ns + SECOND_NS // 5)
    early, real = label(observer), time.monotonic()
    time.sleep(0.4)
    stood, passed = label(observer), time.monotonic() - real
    settled(clock, observer, clock.now_ns + SECOND_NS)
    soon = label(observer)
    last = settled(clock, observer, clock.now_ns + 100 * SECOND_NS)
    cut, reason = observer.tree(TreeLimits(nodes=1), time.monotonic() + PATIENCE_SEC)
    return {
        **{"early": early, "stood": stood, "real": passed > 0.4, "soon": soon},
        **{"late": label(observer), "next": last.next_ns == NEVER_NS},
        **{"cut": len(parse_nodes(cut)), "reason": reason},
    }


def endless(clock: Clock, observer: Observer) -> dict[str, object]:
    """A loop without an idle state is stopped, and resumes on request."""
    first = wait_for_idle(observer)
    peeked = peek(observer)
    name = label(observer)
    return {
        "endless": [first.endless, peeked.endless, wait_for_idle(observer).endless],
        "name": name,
    }


def pictures(clock: Clock, observer: Observer) -> dict[str, object]:
    """Changes are drawn on request, and once."""
    screen = Screen(os.environ["DISPLAY"])

    def drawn() -> bytes:
        observer.request_paint()
        answer(observer)
        time.sleep(0.1)  # for the X server
        return screen.rgb()

    settled(clock, observer, clock.now_ns + SECOND_NS // 5)
    empty = screen.rgb()
    new = drawn()
    settled(clock, observer, clock.now_ns + SECOND_NS // 20)
    drawings = wait_for_idle(observer).drawings
    before = screen.rgb()
    clock.move_to(clock.now_ns + SECOND_NS // 10)  # the label changes
    drawings += wait_for_idle(observer).drawings
    for _ in range(5):
        clock.move_to(clock.now_ns + SECOND_NS // 50)
        drawings += wait_for_idle(observer).drawings
    later = screen.rgb()
    soon = drawn()
    return {
        **{"empty": empty == new, "still": before == new, "put off": later == new},
        **{"drawings": drawings > 0, "drawn": soon != new, "once": drawn() == soon},
    }


def invalid_peer(clock: Clock, observer: Observer) -> dict[str, object]:
    """A peer with another protocol is disconnected."""
    wait_for_idle(observer)
    assert observer._socket is not None
    observer._socket.sendall(bytes(range(32)))
    try:
        peek(observer)
    except OfficeLostError:
        return {"lost": not observer.attached}
    return {"lost": False}


if __name__ == "__main__":
    if sys.argv[1] == "window":
        window(sys.argv[2])
    else:
        sys.stdout.write(json.dumps(watch(sys.argv[2])))
