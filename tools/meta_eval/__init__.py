"""Meta-evaluation: agreement of rubric scores with a reviewer's grades.

The stored submissions are scripted edits, graded by one reviewer.
"""

from tools.meta_eval.edits import VOCABULARY
from tools.meta_eval.evaluation import Outcome, Saver, evaluate
from tools.meta_eval.folder import MANIFEST, submissions_in
from tools.meta_eval.report import Report
from tools.meta_eval.submissions import (
    SUBMISSION_FOLDERS,
    Grade,
    Submission,
    grade_of_score,
    stored_submissions,
)

__all__ = [
    "MANIFEST",
    "SUBMISSION_FOLDERS",
    "VOCABULARY",
    "Grade",
    "Outcome",
    "Report",
    "Saver",
    "Submission",
    "evaluate",
    "grade_of_score",
    "stored_submissions",
    "submissions_in",
]
