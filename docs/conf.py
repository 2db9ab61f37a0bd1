"""Configuration of the documentation site; ``make docs`` builds it into build/site."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import pptarena  # noqa: E402
from tools import site_pages  # noqa: E402

project = "pptarena"
author = "The pptarena authors"
copyright = "the pptarena authors, MIT license"
version = release = pptarena.__version__
html_title = f"pptarena {version}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["evidence/llm"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]
smartquotes = False  # "--" in prose is an option
default_role = "code"  # `name` in docstrings
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_use_ivar = True
copybutton_exclude = ".linenos, .gp, .go"
# These packages are extras that the site does not need.
autodoc_mock_imports = ["stable_baselines3", "torch", "ray"]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
# System fonts only: the site loads nothing from other hosts.
html_theme_options = {"navigation_with_keys": True}


def setup(app: Sphinx) -> None:
    """Fill in what is generated from the code."""
    app.connect("source-read", site_pages.fill)
