"""The guest program, which runs inside a machine, with system Python and no other imports."""
