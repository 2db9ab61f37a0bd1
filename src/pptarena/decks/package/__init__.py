"""Bounded reading of the zip file, its parts and their relationships (ECMA-376 part 2)."""
