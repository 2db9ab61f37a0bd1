"""The line by which a task file is known where it should not be: in training data."""

__all__ = ["CANARY"]

CANARY = (
    "Test data of pptarena, to be kept out of training data; canary "
    "4b7f0c52-93d1-4e0e-8a6d-5f2c71e9b3a8"
)
"""Every packaged task file has it as its field `canary`; a task knows nothing of it."""
