"""PPT-Eval (arXiv: PPTARENA): its rubric files, its Python leaves and its PPTDiff."""

from pptarena.benchmarks.ppteval.importer import PPTEvalTask, import_rubric, load_registry
from pptarena.benchmarks.ppteval.rubric_file import RubricFile, load_rubric_file
from pptarena.benchmarks.ppteval.score import score_imported

__all__ = [
    "PPTEvalTask",
    "RubricFile",
    "import_rubric",
    "load_registry",
    "load_rubric_file",
    "score_imported",
]
