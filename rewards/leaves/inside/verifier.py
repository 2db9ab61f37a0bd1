"""Stands in the sandbox as ``ppteval.verify.ppt.verifier``, of which leaves need one class."""

__all__ = ["ScreenshotsUnavailableError"]


class ScreenshotsUnavailableError(RuntimeError):
    """There are no pictures of the slides: verify again, the task is not failed."""
