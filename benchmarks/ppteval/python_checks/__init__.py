"""Python leaves of imported rubrics, run in a process of their own that can do no harm.

`PythonLeaves` is in ``leaves.runner``; it is not imported here, since scoring needs only the
protocol and starts no processes by itself.
"""

from pptarena.rewards.judges.protocol import LeafRunner, PythonLeaf, Verdict

__all__ = ["LeafRunner", "PythonLeaf", "Verdict"]
