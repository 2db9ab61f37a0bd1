"""Errors inside the guest; `server` maps each to a protocol error type."""

__all__ = [
    "CommandError",
    "DeckUnreadableError",
    "OfficeLostError",
    "OfficeTimeoutError",
    "OverloadError",
    "SessionError",
]


class CommandError(Exception):
    """The command is invalid; nothing was done."""


class DeckUnreadableError(Exception):
    """The application refuses the deck."""


class OfficeLostError(Exception):
    """The application died."""


class OfficeTimeoutError(Exception):
    """The application did not answer before the deadline."""


class OverloadError(Exception):
    """An action of the user exceeded the machine's limits."""


class SessionError(Exception):
    """A component of the desktop did not start."""
