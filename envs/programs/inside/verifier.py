"""Replacement of ``ppteval.verify.ppt.verifier`` in the sandbox; leaves need one of its classes.

The functions that ask a model are added before a leaf runs.
"""

__all__ = ["ScreenshotsUnavailableError"]


class ScreenshotsUnavailableError(RuntimeError):
    """There are no slide images: verify again, the task is not failed."""
