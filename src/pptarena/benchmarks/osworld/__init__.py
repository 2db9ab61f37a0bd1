"""OSWorld: its LibreOffice Impress tasks and its evaluators of decks."""

from pptarena.benchmarks.osworld.compare import Comparison, compare_files
from pptarena.benchmarks.osworld.importing import import_examples
from pptarena.benchmarks.osworld.published import published_score

__all__ = ["Comparison", "compare_files", "import_examples", "published_score"]
