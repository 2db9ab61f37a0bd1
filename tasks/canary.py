"""Canary line that identifies task files in training data."""

__all__ = ["CANARY"]

CANARY = (
    "Test data of pptarena, to be kept out of training data; canary "
    "4b7f0c52-93d1-4e0e-8a6d-5f2c71e9b3a8"
)
"""Value of the field `canary` in every packaged task file; ignored when a task is loaded."""
