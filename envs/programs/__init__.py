"""Python leaves of imported rubrics, run in a process of their own that can do no harm.

`PythonLeaves` is in ``programs.runner``, `Programs` for the programs of agents in
``programs.programs``.
"""

from pptarena.rewards.judges.protocol import LeafRunner, PythonLeaf, Verdict

__all__ = ["LeafRunner", "PythonLeaf", "Verdict"]
