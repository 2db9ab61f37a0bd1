"""Runs inside the image: a program that waits for the clock, and one that moves it.

``clock_program.py wait CASE`` waits for 5 seconds by one of several calls and prints the result;
``clock_program.py watch CASE`` runs it with a separate clock and moves that clock.
"""

import ctypes
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pptarena.vm_images.guest.clock import SECOND_NS, Clock

WAIT_SEC = 5.0
REAL_SEC = 0.2  # time enough for a wait that ends too early
PATIENCE_SEC = 20.0


def print_line(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def condition(libc: ctypes.CDLL, clock: int) -> int:
    """Wait on a condition variable by one of the clocks; return the error number."""
    moment = time.clock_gettime_ns(clock) + int(WAIT_SEC * SECOND_NS)
    end = (ctypes.c_long * 2)(moment // SECOND_NS, moment % SECOND_NS)
    variable, mutex = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
    libc.pthread_mutex_lock(mutex)
    if clock == time.CLOCK_MONOTONIC:
        return int(libc.pthread_cond_clockwait(variable, mutex, clock, end))
    return int(libc.pthread_cond_timedwait(variable, mutex, end))


def timer() -> int:
    """Wait for a timer descriptor; return the number of expirations."""
    system: Any = os  # the image's Python is newer than the oldest that this project supports
    descriptor = system.timerfd_create(time.CLOCK_MONOTONIC, flags=system.TFD_NONBLOCK)
    system.timerfd_settime(descriptor, initial=WAIT_SEC)
    ready = select.select([descriptor], [], [], 1000)[0]
    return int.from_bytes(os.read(descriptor, 8), sys.byteorder) if ready else 0


def release_thread(libc: ctypes.CDLL) -> str:
    """Wait in another thread; return whether the library's own call released it."""
    waiter = threading.Thread(target=condition, args=(libc, time.CLOCK_REALTIME))
    waiter.start()
    while libc.pptarena_clock_next() == 2**63 - 1:
        time.sleep(0)
    print_line("ready")
    sys.stdin.readline()
    libc.pptarena_clock_moved()
    waiter.join()
    return "released" if libc.pptarena_clock_next() == 2**63 - 1 else "still registered"


def wait(case: str) -> object:
    """Wait by one call and return its result."""
    libc = ctypes.CDLL(None)
    libc.pptarena_clock_next.restype = ctypes.c_int64
    if case == "thread":
        return release_thread(libc)
    print_line("ready")
    waits: dict[str, Callable[[], object]] = {
        "sleep": lambda: time.sleep(WAIT_SEC),
        "nanosleep": lambda: libc.nanosleep((ctypes.c_long * 2)(int(WAIT_SEC), 0), None),
        "usleep": lambda: libc.usleep(int(WAIT_SEC * 1e6)),
        "select": lambda: select.select([], [], [], WAIT_SEC)[0],
        "poll": lambda: select.poll().poll(WAIT_SEC * 1000),
        "epoll": lambda: select.epoll().poll(WAIT_SEC),
        "lock": lambda: threading.Condition().acquire() and threading.Event().wait(WAIT_SEC),
        "condition": lambda: condition(libc, time.CLOCK_REALTIME),
        "condition by the monotonic clock": lambda: condition(libc, time.CLOCK_MONOTONIC),
        "timer": timer,
        "input": lambda: bool(select.select([sys.stdin], [], [], WAIT_SEC)[0]),
    }
    return waits[case]()


def watch(case: str) -> dict[str, object]:
    """Start a waiting program, move its clock, and return when it ended."""
    clock = Clock(Path("/tmp/clock"))
    child = subprocess.Popen(
        [sys.executable, __file__, "wait", case],
        env=os.environ | clock.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    timing: dict[str, object] = {"ended while time stood still": ended(child)}
    clock.move_to(clock.now_ns + int((WAIT_SEC - 1) * SECOND_NS))
    timing["ended too early"] = ended(child)
    if case == "input":
        child.stdin.write("input\n")
    else:
        clock.move_to(clock.now_ns + SECOND_NS)
    if case == "thread":
        child.stdin.write("moved\n")
    child.wait(PATIENCE_SEC)
    result: dict[str, object] = json.loads(child.stdout.readline())
    return timing | result


def ended(child: "subprocess.Popen[str]") -> bool:
    """Return whether a program ends within REAL_SEC of wall-clock time."""
    try:
        child.wait(REAL_SEC)
    except subprocess.TimeoutExpired:
        return False
    return True


def inspect() -> dict[str, object]:
    """Return the clock and the file facts that a program reads while the clock is stopped."""
    start, real = time.monotonic_ns(), time.time_ns()
    is_stopped = all(time.monotonic_ns() == start for _ in range(1000)) and time.time_ns() == real
    while time.monotonic_ns() < start + SECOND_NS // 20:
        pass  # this must end although the clock stands still
    disk = os.statvfs("/")
    output = subprocess.run(
        ["stat", "-c", "%Y", "/proc"], capture_output=True, text=True, check=True
    )
    return {
        "stopped": is_stopped,
        "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime(real / 1e9)),
        "file_made_sec": int(output.stdout),
        "disk_gib": [blocks * disk.f_frsize / 2**30 for blocks in (disk.f_blocks, disk.f_bavail)],
    }


def main() -> None:
    """Run the mode on the command line."""
    mode, case = sys.argv[1:]
    if mode == "wait":
        before = time.monotonic()
        print_line(
            json.dumps({"result": wait(case), "waited": round(time.monotonic() - before, 1)})
        )
    elif mode == "inspect":
        print_line(json.dumps(inspect()))
    elif case == "inspect":
        environment = os.environ | Clock(Path("/tmp/clock")).environment()
        subprocess.run([sys.executable, __file__, "inspect", ""], env=environment, check=True)
    else:
        print_line(json.dumps(watch(case)))


main()
