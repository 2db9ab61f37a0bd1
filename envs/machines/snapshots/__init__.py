"""Saved states of machines on disk: shared snapshots, private folders, locks."""
