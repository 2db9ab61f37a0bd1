"""The user's home folder: the application's profile and the settings of the desktop."""

import shutil
from pathlib import Path

__all__ = ["reset_home"]

_FIRST_START_HOME = Path("/usr/share/pptarena/home")  # made by the image recipe
_SKELETON = Path(__file__).parent / "home"


def reset_home(home: Path) -> None:
    """Reset all settings in a home folder to those of the image; documents stay."""
    for entry in home.glob(".*"):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
    for skeleton in (_FIRST_START_HOME, _SKELETON):
        shutil.copytree(skeleton, home, dirs_exist_ok=True, copy_function=shutil.copyfile)
