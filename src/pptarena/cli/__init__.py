"""Command line interface ``pptarena``."""

from pptarena.cli.app import app, main

__all__ = ["app", "main"]
