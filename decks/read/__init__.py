"""Readers: from the parts of a file to facts."""
