"""``python -m pptarena`` is the command ``pptarena``."""

from pptarena.cli import main

if __name__ == "__main__":
    main()
