"""Start the guest program: on a socket or a serial device, or waiting for remote hosts.

Examples: ``python3 -m pptarena.vm_images.guest --fd 3``,
``python3 -m pptarena.vm_images.guest --listen tcp:127.0.0.1:7001 --token-file token.txt``.
"""

import argparse
import contextlib
import functools
import os
import signal
import socket
import sys
import time
from pathlib import Path
from types import FrameType

from pptarena.vm_images.guest.descendants import end_descendants
from pptarena.vm_images.guest.device import DeviceStream
from pptarena.vm_images.guest.heap import keep_memory
from pptarena.vm_images.guest.kernel import NEW_NETWORK, adopt_orphans, hide_process, unshare
from pptarena.vm_images.guest.listen import Listener
from pptarena.vm_images.guest.listen_options import add_listen_options, listen_options
from pptarena.vm_images.guest.pipes import PipeStream
from pptarena.vm_images.guest.stream import Stream
from pptarena.vm_images.guest.supervisor import supervise
from pptarena.vm_images.guest.user import become_guest, become_user

_STOP_SEC = 10.0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pptarena.vm_images.guest", description=__doc__)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--fd", type=int, help="descriptor of a connected socket")
    way.add_argument(
        "--pipes", type=int, nargs=2, help="descriptors of pipes to read from and to write to"
    )
    way.add_argument("--port", type=Path, help="serial device to the host, such as /dev/vport1p1")
    parser.add_argument(
        "--users",
        action="store_true",
        help="run guest program and desktop as two users in one process namespace; with --pipes",
    )
    parser.add_argument(
        "--hide",
        type=Path,
        action="append",
        default=[],
        help="what programs of the desktop do not see",
    )
    add_listen_options(parser, way)
    return parser.parse_args()


def _serve_one(stream: Stream, hidden: tuple[Path, ...]) -> None:
    keep_memory()
    # Imported late: these packages exist only inside the machine.
    from Xlib.error import ConnectionClosedError

    from pptarena.vm_images.guest.linux import start_desktop
    from pptarena.vm_images.guest.server import serve

    start = functools.partial(start_desktop, hidden=hidden)
    serve(stream, start, lost=(ConnectionClosedError,))


def _listen(arguments: argparse.Namespace) -> None:
    address, token = listen_options(arguments)
    adopt_orphans()
    hide_process()
    hidden = (Path(arguments.token_file).resolve(),) if arguments.token_file else ()
    listener = Listener(address, token, functools.partial(supervise, hidden=hidden))
    _leave_network()

    def end(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, end)
    try:
        listener.run()
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()
        end_descendants(time.monotonic() + _STOP_SEC)


def _close_inherited(kept: set[int]) -> None:
    """Close descriptors of the host, except standard streams: a checkpoint cannot contain them."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in kept:
            with contextlib.suppress(OSError):  # that of the list itself
                os.close(descriptor)


def _leave_network() -> None:
    """Move this process and its desktops to a namespace without a network.

    The socket of the listener stays in the namespace in which it was created.
    """
    try:
        unshare(NEW_NETWORK)
    except OSError as error:
        sys.stderr.write(
            "pptarena guest: warning: agents can use this computer's network, as the desktop gets"
            f" none of its own ({error}); allow CAP_SYS_ADMIN\n"
        )


def _main() -> None:
    arguments = _arguments()
    if arguments.listen is not None:
        try:
            _listen(arguments)
        except (OSError, ValueError) as error:
            sys.exit(f"pptarena guest: {error}")
    elif arguments.port is not None:
        stream = DeviceStream(arguments.port)
        become_user()
        _serve_one(stream, (*arguments.hide, arguments.port))
    elif arguments.pipes is not None:
        pipes = PipeStream(*arguments.pipes)
        _close_inherited(set(arguments.pipes))
        become_guest() if arguments.users else become_user()
        _serve_one(pipes, tuple(arguments.hide))
    else:
        connection = socket.socket(fileno=arguments.fd)
        connection.set_inheritable(False)
        become_user()
        _serve_one(connection, tuple(arguments.hide))
    # Namespace or virtual machine end with this process, so no cleanup is needed.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    _main()
