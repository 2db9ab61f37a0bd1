"""Stands in the sandbox as ``ppteval.verify.ppt.verifier``, of which leaves need one class.

The functions that ask a model are put here before a leaf runs.
"""

__all__ = ["ScreenshotsUnavailableError"]


class ScreenshotsUnavailableError(RuntimeError):
    """There are no pictures of the slides: verify again, the task is not failed."""
