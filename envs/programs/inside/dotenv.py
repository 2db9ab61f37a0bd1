"""Stands in the sandbox as ``dotenv``, which leaves call for keys that they need not have here."""

__all__ = ["load_dotenv"]


def load_dotenv(*_args: object, **_options: object) -> bool:
    """Load nothing."""
    return False
