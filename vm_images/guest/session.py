"""The desktop session: X server, message bus, accessibility bus, window manager."""

import contextlib
import os
import select
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio  # noqa: E402
from Xlib import X  # noqa: E402
from Xlib.display import Display  # noqa: E402

from pptarena.vm_images.guest.cell import Cell, CellPlan  # noqa: E402
from pptarena.vm_images.guest.clock import Clock  # noqa: E402
from pptarena.vm_images.guest.errors import SessionError  # noqa: E402
from pptarena.vm_images.guest.home_folder import reset_home  # noqa: E402
from pptarena.vm_images.guest.kernel import IPC_OWNER, pass_capability  # noqa: E402
from pptarena.vm_images.guest.limits import Limits  # noqa: E402
from pptarena.vm_images.guest.programs import DESCRIPTOR, Programs  # noqa: E402
from pptarena.vm_images.guest.user import desktop_user  # noqa: E402

__all__ = ["Session", "start_session"]

_OWN_FILES = Path(__file__).parent
_SCREEN_SOCKETS = Path("/tmp/.X11-unix")
_BUS_CONFIG = _SCREEN_SOCKETS / "session.conf"  # in a folder that the desktop cannot write to
_CLOCK_FILE = _SCREEN_SOCKETS / "clock"
# GStreamer uses the image's list of decoders and starts no program to create one.
_MEDIA = {
    "GST_REGISTRY": "/usr/share/pptarena/gstreamer.bin",
    "GST_REGISTRY_UPDATE": "no",
    "GST_REGISTRY_FORK": "no",
}
# The same for every desktop: GLib offsets timers of whole seconds by a hash of this address.
_BUS = "unix:path=/tmp/.pptarena-bus"
# Only the image's own services, started with the bus's initial environment. No program of the
# desktop can make the bus start anything else.
_BUS_POLICY = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>{address}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>/usr/share/dbus-1/services</servicedir>
  <policy context="default">
    <allow user="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"
      send_member="UpdateActivationEnvironment"/>
    <deny send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"
      send_member="ReloadConfig"/>
  </policy>
</busconfig>
"""


@dataclass(frozen=True, slots=True)
class Session:
    """Properties that programs of the session need.

    Attributes:
        display: Name of the X display.
        environment: Environment variables for programs of the session.
        accessibility_bus: Address of the accessibility bus.
        home: The user's home folder.
        screen_pid: Process id of the X server.
        windows_pid: Process id of the window manager.
        programs: Starts programs of the desktop.
        first_pid: Process id of the common ancestor of these programs.
        clock: The clock of X server, window manager and application.
    """

    display: str
    environment: dict[str, str]
    accessibility_bus: str
    home: Path
    screen_pid: int
    windows_pid: int
    programs: Programs
    first_pid: int
    clock: Clock


def start_session(
    size_px: tuple[int, int],
    limits: Limits,
    hidden: tuple[Path, ...],
    deadline: float,
) -> Session:
    """Start everything that a desktop program needs.

    The X server runs outside the cell, like this process. All other programs run in the cell and
    can reach neither.

    Args:
        size_px: Width and height of the screen.
        limits: Resource limits of the desktop.
        hidden: Files and folders that it must not see.
        deadline: `time.monotonic` moment by which all must have started.

    Raises:
        SessionError: If a component does not start in time.
    """
    home = Path(os.environ["HOME"])
    reset_home(home)
    runtime = Path(os.environ["XDG_RUNTIME_DIR"])
    runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "gtk3",
        "GDK_BACKEND": "x11",
        **_MEDIA,
    }
    with contextlib.suppress(FileExistsError):
        _SCREEN_SOCKETS.mkdir()
        _SCREEN_SOCKETS.chmod(0o1777)  # the X server may be another user
    clock = Clock(_CLOCK_FILE)
    clock_environment = clock.environment()
    display, screen_pid = _start_screen(size_px, clock_environment, deadline)
    environment["DISPLAY"] = os.environ["DISPLAY"] = display
    _BUS_CONFIG.write_text(_BUS_POLICY.format(address=_BUS))
    os.environ["HOME"] = "/"  # nothing in the desktop's home may affect this process
    read_only = (_SCREEN_SOCKETS,)
    user = desktop_user()
    cell = Cell(CellPlan(limits, home, read_only, (*hidden, _OWN_FILES), user))
    bus = _start_bus(cell, environment, deadline)
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus
    windows_pid = _start_window_manager(cell, environment | clock_environment, deadline)
    accessibility_bus = _accessibility_bus(bus, deadline)
    return Session(
        display=display,
        environment=environment,
        accessibility_bus=accessibility_bus,
        home=home,
        screen_pid=screen_pid,
        windows_pid=windows_pid,
        programs=cell,
        first_pid=cell.first_pid,
        clock=clock,
    )


def _start_screen(
    size_px: tuple[int, int], clock_environment: dict[str, str], deadline: float
) -> tuple[str, int]:
    """Return name and process id of the display."""
    read_end, write_end = os.pipe()
    command = [
        *("Xvfb", "-displayfd", str(write_end), "-screen", "0", "{}x{}x24".format(*size_px)),
        *("-nolisten", "tcp", "-noreset", "-dpi", "96", "-extension", "GLX", "-s", "0", "-dpms"),
    ]
    null = subprocess.DEVNULL
    environment = {"PATH": "/usr/bin:/bin", **clock_environment}
    # The X server of another user needs the capability to read images that programs share with it.
    with pass_capability(IPC_OWNER) if desktop_user() is not None else contextlib.nullcontext():
        screen = subprocess.Popen(
            command, env=environment, stdin=null, stdout=null, stderr=null, pass_fds=(write_end,)
        )
    os.close(write_end)
    return ":" + _read_line(read_end, deadline, "Xvfb"), screen.pid


def _start_bus(cell: Cell, environment: dict[str, str], deadline: float) -> str:
    read_end, write_end = os.pipe()
    address = f"--print-address={DESCRIPTOR}"
    command = ["dbus-daemon", f"--config-file={_BUS_CONFIG}", "--nofork", address]
    cell.start(command, environment, write_end)
    os.close(write_end)
    _read_line(read_end, deadline, "dbus-daemon")  # it listens
    return _BUS


def _start_window_manager(cell: Cell, environment: dict[str, str], deadline: float) -> int:
    """Return its process id once it manages windows.

    No other program starts meanwhile: processes and threads get the same ids in every session.
    """
    display = Display(environment["DISPLAY"])
    try:
        root, ready = display.screen().root, display.intern_atom("_NET_CLIENT_LIST")
        root.change_attributes(event_mask=X.PropertyChangeMask)
        display.sync()
        process = cell.start(["openbox", "--sm-disable"], environment, alone=True)
        while root.get_property(ready, X.AnyPropertyType, 0, 1) is None:
            remaining_sec = max(0.0, deadline - time.monotonic())
            if (
                not display.pending_events()
                and not select.select([display], [], [], remaining_sec)[0]
            ):
                raise SessionError("openbox did not start")
            while display.pending_events():
                display.next_event()
    finally:
        display.close()
    return process.pid


def _read_line(descriptor: int, deadline: float, program: str) -> str:
    """Read the line that a program prints when it is ready."""
    text = b""
    with os.fdopen(descriptor, "rb", buffering=0) as pipe:
        while not text.endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            chunk = pipe.read(4096) if ready else b""
            if not chunk:
                raise SessionError(f"{program} did not start")
            text += chunk
    return text.decode().strip()


def _accessibility_bus(bus: str, deadline: float) -> str:
    flags = (
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
        | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    )
    timeout_ms = max(1, int((deadline - time.monotonic()) * 1000))
    try:
        connection = Gio.DBusConnection.new_for_address_sync(bus, flags, None, None)
        reply = connection.call_sync(
            *("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"),
            *(None, None, Gio.DBusCallFlags.NONE, timeout_ms, None),
        )
    except gi.repository.GLib.Error as error:
        raise SessionError(f"the accessibility bus did not start: {error.message}") from error
    return str(reply.unpack()[0])
