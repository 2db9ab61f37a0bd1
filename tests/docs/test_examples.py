"""Code blocks of README and docs run, or at least name only things that exist."""

import ast
import importlib
import json
import tomllib
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
import yaml
from tests.docs.blocks import LANGUAGES, PAGES, Block, blocks
from tests.docs.shell import check_call, record_calls, run_block
from tests.each_case import each_case

# Fences of Sphinx on pages of the site.
DIRECTIVES = ("{eval-rst}", "{toctree}")
SHELL = [block for page in PAGES for block in blocks(page, "sh")]
DATA = [block for page in PAGES for block in blocks(page, "json", "toml", "yaml")]


def runnable(page: str) -> list[Block]:
    return [block for block in blocks(page, "python", "sh") if block.parse_only is None]


RUNS = [page for page in PAGES if runnable(page)]


def where(block: Block) -> str:
    return block.where


@each_case("page", PAGES)
def test_blocks_name_a_known_language(page: str) -> None:
    unknown = [
        block.where
        for block in blocks(page)
        if block.language not in LANGUAGES and block.language not in DIRECTIVES
    ]
    assert unknown == []


@pytest.mark.slow
@pytest.mark.parametrize("block", SHELL, ids=where)
def test_commands_options_and_files_exist(block: Block, workspace: Path) -> None:
    calls = record_calls(block, workspace)
    assert calls, f"{block.where}: the block calls no program"
    for call in calls:
        check_call(call)


@each_case("block", [b for page in PAGES for b in blocks(page, "python")], ids=where)
def test_python_compiles_and_imports_exist(block: Block) -> None:
    for node in ast.walk(ast.parse(block.code)):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        for name in (each for each in names if each.partition(".")[0] == "pptarena"):
            try:
                module = importlib.import_module(name)
            except ModuleNotFoundError as error:
                if (error.name or "").startswith("pptarena"):
                    raise
                continue  # it needs an extra that is not installed
            if isinstance(node, ast.ImportFrom):
                missing = [each.name for each in node.names if not hasattr(module, each.name)]
                assert not missing, f"{block.where}: {name} has no {missing}"


@pytest.mark.image
@pytest.mark.parametrize("page", RUNS)
def test_blocks_of_page_run_in_order(page: str, workspace: Path) -> None:
    names: dict[str, Any] = {"__name__": "docs"}
    try:
        for block in runnable(page):
            if block.language == "sh":
                run_block(block, workspace)
            else:  # tracebacks show line numbers of the page
                exec(
                    compile("\n" * block.line + block.code, page, "exec", dont_inherit=True), names
                )
    finally:
        for value in names.values():
            if isinstance(value, gym.Env | gym.vector.VectorEnv):
                value.close()


def read_data(block: Block) -> Any:
    """Return the value of a block; JSON may be members of an object or elements of an array."""
    if block.language == "toml":
        return tomllib.loads(block.code)
    if block.language == "yaml":
        return yaml.safe_load(block.code)
    for form in ("{}", "{{{}}}", "[{}]"):
        try:
            return json.loads(form.format(block.code) if form != "{}" else block.code)
        except json.JSONDecodeError:
            continue
    raise AssertionError(f"{block.where}: invalid JSON")


@each_case("block", DATA, ids=where)
def test_data_is_well_formed(block: Block) -> None:
    assert read_data(block)
