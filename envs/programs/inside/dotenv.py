"""Replacement of ``dotenv`` in the sandbox; leaves call it for keys that they do not need here."""

__all__ = ["load_dotenv"]


def load_dotenv(*_args: object, **_options: object) -> bool:
    """Load nothing."""
    return False
