"""Meta-evaluation: agreement of rubric scores with a reviewer's grades.

The packaged attempts are scripted edits, graded by one reviewer.
"""

from tools.meta_eval.attempts import (
    ATTEMPTS_FOLDERS,
    Attempt,
    Grade,
    built_in_attempts,
    grade_of_score,
)
from tools.meta_eval.edits import VOCABULARY
from tools.meta_eval.evaluation import Outcome, Saver, evaluate
from tools.meta_eval.folder import MANIFEST, attempts_in
from tools.meta_eval.report import Report

__all__ = [
    "ATTEMPTS_FOLDERS",
    "MANIFEST",
    "VOCABULARY",
    "Attempt",
    "Grade",
    "Outcome",
    "Report",
    "Saver",
    "attempts_in",
    "built_in_attempts",
    "evaluate",
    "grade_of_score",
]
