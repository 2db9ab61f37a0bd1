"""Where pptarena keeps what outlives a run."""

import os
from pathlib import Path

__all__ = ["cache_home", "shared_images"]


def cache_home() -> Path:
    """Return the folder for images, baselines and everything else that is kept between runs.

    It is ``$PPTARENA_HOME``, by default ``~/.cache/pptarena``; it need not exist yet.
    """
    return Path(os.environ.get("PPTARENA_HOME") or "~/.cache/pptarena").expanduser()


def shared_images() -> Path | None:
    """Return the folder of machine images that several users share, None if there is none.

    It is ``$PPTARENA_IMAGES``: the folder ``images`` of the user who built them. Images are only
    read there; what is built, removed or cached stays in `cache_home`.
    """
    folder = os.environ.get("PPTARENA_IMAGES")
    return Path(folder).expanduser() if folder else None
