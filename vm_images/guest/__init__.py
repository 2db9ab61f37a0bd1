"""The program that runs inside a machine: system Python only, no import of the rest."""
