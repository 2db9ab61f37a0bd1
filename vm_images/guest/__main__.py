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
from pptarena.vm_images.guest.heap import retain_freed_memory
from pptarena.vm_images.guest.kernel import NEW_NETWORK, adopt_orphans, hide_process, unshare
from pptarena.vm_images.guest.listen import Listener
from pptarena.vm_images.guest.listen_options import add_listen_options, listen_options
from pptarena.vm_images.guest.pipes import PipeStream
from pptarena.vm_images.guest.stream import Stream
from pptarena.vm_images.guest.supervisor import supervise
from pptarena.vm_images.guest.user import switch_to_agent, switch_to_guest

_STOP_SEC = 10.0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pptarena.vm_images.guest", description=__doc__)
    connection = parser.add_mutually_exclusive_group(required=True)
    connection.add_argument("--fd", type=int, help="descriptor of a connected socket")
    connection.add_argument(
        "--pipes", type=int, nargs=2, help="descriptors of pipes to read from and to write to"
    )
    connection.add_argument(
        "--port", type=Path, help="serial device to the host, such as /dev/vport1p1"
    )
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
        help="file or folder to hide from the desktop's programs",
    )
    add_listen_options(parser, connection)
    return parser.parse_args()


def _serve_one(stream: Stream, hidden: tuple[Path, ...]) -> None:
    retain_freed_memory()
    # Imported late: these packages exist only inside the machine.
    from Xlib.error import ConnectionClosedError

    from pptarena.vm_images.guest.linux import start_desktop
    from pptarena.vm_images.guest.server import serve

    start = functools.partial(start_desktop, hidden=hidden)
    serve(stream, start, fatal_errors=(ConnectionClosedError,))


def _listen(arguments: argparse.Namespace) -> None:
    address, token = listen_options(arguments)
    adopt_orphans()
    hide_process()
    hidden = (Path(arguments.token_file).resolve(),) if arguments.token_file else ()
    listener = Listener(address, token, functools.partial(supervise, hidden=hidden))
    _leave_network()

    def exit_on_signal(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, exit_on_signal)
    try:
        listener.run()
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()
        end_descendants(time.monotonic() + _STOP_SEC)


def _close_inherited(retained: set[int]) -> None:
    """Close descriptors of the host, except standard streams: a checkpoint cannot contain them."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in retained:
            with contextlib.suppress(OSError):  # the descriptor of the listing, closed already
                os.close(descriptor)


def _leave_network() -> None:
    """Move this process and its desktops to a namespace without a network.

    The socket of the listener stays in the namespace in which it was created.
    """
    try:
        unshare(NEW_NETWORK)
    except OSError as error:
        sys.stderr.write(
            "pptarena guest: warning: agents can use this computer's network, because the desktop"
            f" cannot be isolated from it ({error}); allow CAP_SYS_ADMIN\n"
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
        switch_to_agent()
        _serve_one(stream, (*arguments.hide, arguments.port))
    elif arguments.pipes is not None:
        pipes = PipeStream(*arguments.pipes)
        _close_inherited(set(arguments.pipes))
        switch_to_guest() if arguments.users else switch_to_agent()
        _serve_one(pipes, tuple(arguments.hide))
    else:
        connection = socket.socket(fileno=arguments.fd)
        connection.set_inheritable(False)
        switch_to_agent()
        _serve_one(connection, tuple(arguments.hide))
    # The namespace or virtual machine ends with this process, so no cleanup is needed.
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    _main()
