"""What can go wrong inside the guest; `server` names each for the host."""

__all__ = [
    "CommandError",
    "DeckUnreadableError",
    "OfficeLostError",
    "OfficeTimeoutError",
    "OverloadError",
    "SessionError",
]


class CommandError(Exception):
    """The command cannot be carried out as given; nothing was done."""


class DeckUnreadableError(Exception):
    """The application refuses the deck."""


class OfficeLostError(Exception):
    """The application died."""


class OfficeTimeoutError(Exception):
    """The application did not answer within the deadline."""


class OverloadError(Exception):
    """What the user did is more than the machine can bear."""


class SessionError(Exception):
    """A part of the desktop did not come up."""
