"""What runs inside the sandbox of Python leaves: standard library only, no import of the rest."""
