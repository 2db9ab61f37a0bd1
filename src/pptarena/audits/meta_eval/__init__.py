"""Meta-evaluation: agreement of rubric scores with a reviewer's grades.

The packaged attempts are scripted edits, graded by one reviewer.
"""

from pptarena.audits.meta_eval.agreement import kendall_tau_b, spearman_rho
from pptarena.audits.meta_eval.attempt import Attempt
from pptarena.audits.meta_eval.attempts import ATTEMPTS_FOLDERS, built_in_attempts
from pptarena.audits.meta_eval.edits import VOCABULARY
from pptarena.audits.meta_eval.evaluation import Outcome, Saver, evaluate
from pptarena.audits.meta_eval.folder import MANIFEST, attempts_in
from pptarena.audits.meta_eval.report import Report
from pptarena.audits.meta_eval.standard import Grade, grade_of_score

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
    "kendall_tau_b",
    "spearman_rho",
]
