"""Readers: from the parts of a file to deck facts."""
