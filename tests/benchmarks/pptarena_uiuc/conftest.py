"""The fixtures of the judges of rubrics serve here too."""

import importlib.util
from pathlib import Path

_FILE = Path(__file__).parents[2] / "rewards/judges/conftest.py"
_SPEC = importlib.util.spec_from_file_location("judges_conftest", _FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
_JUDGES = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_JUDGES)

home, make_client = _JUDGES.home, _JUDGES.make_client
painter, tools = _JUDGES.painter, _JUDGES.tools
