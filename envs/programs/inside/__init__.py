"""Code that runs inside the sandbox of Python leaves: standard library only, no package imports."""
