"""Command line options of a guest program that listens for remote hosts."""

import argparse
import sys
from typing import Protocol

from pptarena.vm_images.guest.address import Address, parse_address
from pptarena.vm_images.guest.handshake import TOKEN_VARIABLE, read_token

__all__ = ["add_listen_options", "listen_options"]


class _Options(Protocol):
    """A parser or a group of options."""

    def add_argument(self, name: str, /, *, metavar: str, help: str) -> object:
        """Add an option."""


def add_listen_options(parser: _Options, group: _Options) -> None:
    """Add ``--listen`` and ``--token-file``.

    Args:
        parser: Receives ``--token-file``.
        group: Receives ``--listen``; the parser, or a group of it.
    """
    group.add_argument(
        "--listen", metavar="ADDRESS", help="wait for hosts at unix:/path or tcp:HOST:PORT"
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"file with the token that hosts must have; default: the variable {TOKEN_VARIABLE}",
    )


def listen_options(arguments: argparse.Namespace) -> tuple[Address, bytes]:
    """Return address and token; warn if other computers can reach the address.

    Raises:
        ValueError: If the address or the token is invalid.
        OSError: If the token file cannot be read.
    """
    address = parse_address(arguments.listen)
    token = read_token(arguments.token_file or "")
    if not address.is_private:
        sys.stderr.write(
            f"pptarena guest: warning: {address} can be reached from other computers and the"
            " connection is not encrypted; listen at tcp:127.0.0.1 and use an ssh tunnel\n"
        )
    return address, token
