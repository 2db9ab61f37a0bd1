"""Locations of files that outlive a run."""

import os
from pathlib import Path

__all__ = ["cache_home", "shared_images"]


def cache_home() -> Path:
    """Return the folder for machine images, baselines and other data kept between runs.

    The folder is ``$PPTARENA_HOME``, by default ``~/.cache/pptarena``. It may not exist yet.
    """
    return Path(os.environ.get("PPTARENA_HOME") or "~/.cache/pptarena").expanduser()


def shared_images() -> Path | None:
    """Return the folder of machine images shared by several users, or None.

    The folder is ``$PPTARENA_IMAGES``, which is the folder ``images`` of the user who built them.
    Images there are only read; new images and caches are stored in `cache_home`.
    """
    folder = os.environ.get("PPTARENA_IMAGES")
    return Path(folder).expanduser() if folder else None
