"""Stands in the sandbox as ``rubric.utils.llm_tools``: the functions that ask a model.

Each leaf's process puts them here and into ``ppteval.verify.ppt.verifier`` before its code runs.
"""

__all__: list[str] = []
