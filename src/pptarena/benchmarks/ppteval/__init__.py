"""PPT-Eval (arXiv: PPTARENA): its rubric files, its Python leaves and its PPTDiff."""

from pptarena.benchmarks.ppteval.importer import PPTEvalTask, import_rubric, load_registry
from pptarena.benchmarks.ppteval.rubric_file import RubricFile, load_rubric_file
from pptarena.benchmarks.ppteval.suite import as_task, load_tasks

__all__ = [
    "PPTEvalTask",
    "RubricFile",
    "as_task",
    "import_rubric",
    "load_registry",
    "load_rubric_file",
    "load_tasks",
]
