"""The checks that rubrics are made of; importing this package registers them all."""

from importlib import import_module
from pkgutil import iter_modules

from pptarena.rewards.checking.registry import ALIASES, CheckSpec, check_names, get_check
from pptarena.rewards.checking.result import CheckResult

__all__ = ["ALIASES", "CheckResult", "CheckSpec", "check_names", "get_check"]

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
