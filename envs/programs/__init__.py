"""Sandboxed execution of Python leaves of imported rubrics and of agents' programs.

`PythonLeaves` is in ``programs.runner``, `Programs` for the programs of agents in
``programs.programs``.
"""

from pptarena.rewards.judges.protocol import LeafRunner, PythonLeaf, Verdict

__all__ = ["LeafRunner", "PythonLeaf", "Verdict"]
