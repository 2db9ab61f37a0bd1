"""Runs inside the image: a small GTK window, and what the observer inside it says.

``window_program.py window KIND`` is the window, ``window_program.py watch KIND`` shows it on a
screen of its own, moves its clock and asks.
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
from pptarena.vm_images.guest.observer import NEVER_NS, Observer, RestReply, nodes_of
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

    def say(text: bytes) -> int:
        gtk.gtk_label_set_text(ctypes.c_void_p(label), text)
        return 0

    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    calls = [callback(lambda _: say(b"soon")), callback(lambda _: say(b"late"))]
    endless = callback(lambda _: 1)
    if kind == "endless":
        gtk.g_idle_add(endless, None)
    else:
        gtk.g_timeout_add(300, calls[0], None)
        gtk.g_timeout_add(60_000, calls[1], None)
    gtk.gtk_main()


def watch(kind: str) -> dict[str, object]:
    """Start screen and window and ask the observer."""
    clock, observer = Clock(Path("/tmp/clock")), Observer()
    read_end, write_end = os.pipe()
    screen = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "640x480x24"]
    subprocess.Popen(screen, pass_fds=(write_end,), stderr=subprocess.DEVNULL)
    display = ":" + os.read(read_end, 16).decode().strip()
    with observer.handed_over() as (descriptor, module):
        module = {k: v.replace(DESCRIPTOR, str(descriptor)) for k, v in module.items()}
        child = subprocess.Popen(
            [sys.executable, __file__, "window", kind],
            env=os.environ | clock.environment() | module | {"DISPLAY": display},
            pass_fds=(descriptor,),
            stderr=subprocess.DEVNULL,
        )
    try:
        kinds = {"timers": timers, "endless": endless, "stranger": stranger, "pictures": pictures}
        os.environ["DISPLAY"] = display
        return kinds[kind](clock, observer)
    finally:
        child.kill()


def rest(observer: Observer) -> RestReply:
    """Wait for the next moment of rest."""
    observer.ask_rest()
    return answer(observer)


def peek(observer: Observer) -> RestReply:
    """Ask whether anything has come since."""
    observer.ask_peek()
    return answer(observer)


def answer(observer: Observer) -> RestReply:
    """Wait for the answer."""
    reply = observer.rested(PATIENCE_SEC)
    assert reply is not None
    return reply


def settled(clock: Clock, observer: Observer, end_ns: int) -> RestReply:
    """Let time pass timer by timer, as the guest does."""
    reply = rest(observer)
    while True:
        time.sleep(0.02)  # of the screen's time: whether it sleeps is not checked here
        reply = rest(observer) if peek(observer).turns else reply
        if reply.next_ns > end_ns:
            clock.move_to(end_ns)
            return reply
        clock.move_to(reply.next_ns)
        reply = rest(observer)


def label(observer: Observer) -> str:
    """What the window says by its tree."""
    data, _ = observer.tree(TreeLimits(), time.monotonic() + PATIENCE_SEC)
    return next(node.name for node in nodes_of(data) if node.name in ("new", "soon", "late"))


def timers(clock: Clock, observer: Observer) -> dict[str, object]:
    """The label changes when the clock says so, not before and without waiting."""
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
        **{"cut": len(nodes_of(cut)), "reason": reason},
    }


def endless(clock: Clock, observer: Observer) -> dict[str, object]:
    """A loop that always has something to do is stopped, and resumes when asked."""
    first = rest(observer)
    peeked = peek(observer)
    name = label(observer)
    return {"endless": [first.endless, peeked.endless, rest(observer).endless], "name": name}


def pictures(clock: Clock, observer: Observer) -> dict[str, object]:
    """What has changed is drawn when it is asked for, and then no more."""
    screen = Screen(os.environ["DISPLAY"])

    def drawn() -> bytes:
        observer.ask_paint()
        answer(observer)
        time.sleep(0.1)  # of the screen's time
        return screen.rgb()

    settled(clock, observer, clock.now_ns + SECOND_NS // 5)
    empty = screen.rgb()
    new = drawn()
    settled(clock, observer, clock.now_ns + SECOND_NS // 20)
    wanted = rest(observer).drawings
    before = screen.rgb()
    clock.move_to(clock.now_ns + SECOND_NS // 10)  # the label changes
    wanted += rest(observer).drawings
    for _ in range(5):
        clock.move_to(clock.now_ns + SECOND_NS // 50)
        wanted += rest(observer).drawings
    later = screen.rgb()
    soon = drawn()
    return {
        **{"empty": empty == new, "still": before == new, "put off": later == new},
        **{"wanted": wanted > 0, "drawn": soon != new, "once": drawn() == soon},
    }


def stranger(clock: Clock, observer: Observer) -> dict[str, object]:
    """A peer with another protocol is ignored from then on."""
    rest(observer)
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
