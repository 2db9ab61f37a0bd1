"""Start the guest program on Windows and wait for hosts.

Example: ``python -m pptarena.vm_images.windows --listen tcp:127.0.0.1:7001 --token-file token``.
UNTESTED: this module has never been run; it needs Windows and PowerPoint.
"""

import argparse
import contextlib
import socket
import sys

import pythoncom

from pptarena.vm_images.guest.listen import Listener
from pptarena.vm_images.guest.listen_options import add_listen_options, listen_options
from pptarena.vm_images.guest.server import serve
from pptarena.vm_images.windows.computer import Computer
from pptarena.vm_images.windows.win32 import disable_dpi_scaling


def _main() -> None:
    parser = argparse.ArgumentParser(prog="pptarena.vm_images.windows", description=__doc__)
    add_listen_options(parser, parser)
    arguments = parser.parse_args()
    if arguments.listen is None:
        parser.error("expected --listen ADDRESS, such as --listen tcp:127.0.0.1:7001")
    disable_dpi_scaling()
    computer = Computer()

    def attend(connection: socket.socket) -> None:
        pythoncom.CoInitialize()  # each connection has its own thread
        try:
            serve(connection, computer.start_desktop)
        finally:
            computer.clean()
            pythoncom.CoUninitialize()

    try:
        listener = Listener(*listen_options(arguments), attend)
    except (OSError, ValueError) as error:
        sys.exit(f"pptarena guest: {error}")
    with contextlib.suppress(KeyboardInterrupt):
        listener.run()
    listener.close()


if __name__ == "__main__":
    _main()
