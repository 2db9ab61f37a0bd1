"""Where pptarena keeps what outlives a run."""

import os
from pathlib import Path

__all__ = ["cache_home"]


def cache_home() -> Path:
    """Return the folder for images, baselines and everything else that is kept between runs.

    It is ``$PPTARENA_HOME``, by default ``~/.cache/pptarena``; it need not exist yet.
    """
    return Path(os.environ.get("PPTARENA_HOME") or "~/.cache/pptarena").expanduser()
