# Every target sets up what it needs first; a second run starts at once.
PPTARENA := .venv/bin/pptarena
PYTEST := .venv/bin/python -m pytest

.PHONY: help setup setup-fast demo test test-fast check bench clean

help:
	@echo "make demo       agents at work on all tasks, with scores"
	@echo "make test       every check and test (builds the machine image, about 15 minutes)"
	@echo "make test-fast  what needs no image (under two minutes)"
	@echo "make check      format, lint and types alone"
	@echo "make bench      how fast the sandbox machine is here"
	@echo "make clean      remove .venv and caches; 'pptarena image rm' removes images"

setup:
	@scripts/setup

setup-fast:
	@scripts/setup --no-image

demo: setup
	$(PPTARENA) run --agent demonstration --agent random --suite bench --machine sandbox --out runs/demo

# A test on a real desktop may meet a rare race; it gets a second chance, and -rR names it.
test: setup check
	$(PYTEST) -q -m "not image"
	$(PYTEST) -q -m image --reruns 2 -rR

test-fast: setup-fast
	$(PYTEST) -q -m "not image"

check: setup-fast
	scripts/check

bench: setup
	$(PPTARENA) bench --machine sandbox --steps 100

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
