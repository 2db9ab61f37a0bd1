"""Replacement of ``rubric.utils.llm_tools`` in the sandbox: the functions that ask a model.

Each leaf's process adds them here and to ``ppteval.verify.ppt.verifier`` before its code runs.
"""

__all__: list[str] = []
