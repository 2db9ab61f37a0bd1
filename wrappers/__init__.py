"""wrappers."""
